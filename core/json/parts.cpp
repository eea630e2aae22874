#include "core/json/parts.h"

#include <limits>
#include <map>

#include "core/fusion/trace.h"
#include "core/json/json_io.h"

namespace blockscope::json {

namespace {

constexpr std::int64_t kMaxSize = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kMaxDims = std::numeric_limits<std::uint16_t>::max();

const std::vector<std::string>& dim_kind_names() {
    static const std::vector<std::string> names = {"blocked", "batch", "group"};
    return names;
}

const std::vector<std::string>& item_names() {
    static const std::vector<std::string> names = {"block", "vector", "scalar"};
    return names;
}

// Axes of an item: rows and columns, one axis, none.
std::size_t axis_count(ItemKind kind) {
    switch (kind) {
        case ItemKind::Block:
            return 2;
        case ItemKind::Vector:
            return 1;
        case ItemKind::Scalar:
            return 0;
    }
    throw InternalError("unknown item kind");
}

template <class E>
const std::string& name_of(const std::vector<std::string>& names, E value) {
    return names.at(static_cast<std::size_t>(value));
}

std::optional<Dim> read_dim(const Reader& reader) {
    if (!reader.object({"name", "size", "block", "kind"})) return std::nullopt;
    const auto name = reader.member("name").identifier();
    const auto size = reader.member("size").integer(1, kMaxSize);
    const auto kind = reader.member("kind").choice(dim_kind_names());
    if (!name || !size || !kind) return std::nullopt;
    // Only axes of vectors and matrices are split into blocks.
    const bool blocked = static_cast<DimKind>(*kind) == DimKind::Blocked;
    const auto block = reader.member("block").integer(1, blocked ? *size : 1);
    if (!block) return std::nullopt;
    return Dim{*name, *size, *block, static_cast<DimKind>(*kind)};
}

}  // namespace

Dims::Dims(const Reader& list) {
    if (!list.array(0, kMaxDims)) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader reader = list.at(i);
        std::optional<Dim> dim = read_dim(reader);
        if (!dim) continue;
        if (!by_name_.emplace(dim->name, static_cast<std::uint16_t>(table_.size())).second) {
            reader.member("name").problem(
                Text("the dimension \"%1\" is declared twice; every dimension needs a name of its own",
                     printable(dim->name, 40)));
            continue;
        }
        table_.push_back(std::move(*dim));
    }
}

Dims::Dims(const DimTable& table) : table_(table) {
    for (std::size_t i = 0; i < table_.size(); ++i)
        by_name_.emplace(table_[i].name, static_cast<std::uint16_t>(i));
}

std::optional<DimId> Dims::find(const Reader& reader) const {
    const auto name = reader.string(kMaxNameBytes);
    if (!name) return std::nullopt;
    const auto found = by_name_.find(*name);
    if (found != by_name_.end()) return DimId{found->second};
    reader.problem(
        Text("found the unknown dimension \"%1\"; dims declares the known ones", printable(*name, 40)));
    return std::nullopt;
}

std::optional<std::vector<DimId>> Dims::find_all(const Reader& names, std::size_t most) const {
    if (!names.array(0, most)) return std::nullopt;
    std::vector<DimId> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto dim = find(names.at(i))) result.push_back(*dim);
    }
    if (result.size() != names.size()) return std::nullopt;
    return result;
}

bool Dims::spend(std::int64_t nodes) {
    spent_ += nodes;
    return spent_ <= kMaxAllExprNodes;
}

Value dims_value(const DimTable& dims) {
    Array list;
    for (const Dim& dim : dims) {
        list.push_back(Object{{"name", dim.name},
                              {"size", dim.size},
                              {"block", dim.block},
                              {"kind", name_of(dim_kind_names(), dim.kind)}});
    }
    return list;
}

Value dim_value(DimId dim, const DimTable& dims) {
    return dims.at(dim.value).name;
}

Value dim_values(const std::vector<DimId>& list, const DimTable& dims) {
    Array names;
    for (const DimId dim : list) names.push_back(dim_value(dim, dims));
    return names;
}

const std::vector<std::string>& elem_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const ElemType elem :
             {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2}) {
            result.push_back(to_string(elem));
        }
        return result;
    }();
    return names;
}

const std::vector<std::string>& fn_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const Primitive& function : kPrimitives) result.emplace_back(function.name);
        return result;
    }();
    return names;
}

const std::vector<std::string>& source_names() {
    static const std::vector<std::string> names = {"array", "causal_mask"};
    return names;
}

std::int64_t read_window(const Reader& input, InputSource source) {
    if (!input.has("window")) return 0;
    const Reader window = input.member("window");
    if (source != InputSource::CausalMask) {
        window.problem(Text("found a window of an array that is given; only a causal mask has one"));
        return 0;
    }
    return window.integer(1, INT32_MAX).value_or(0);
}

std::optional<ElemType> read_elem(const Reader& reader) {
    const auto elem = reader.choice(elem_names());
    if (!elem) return std::nullopt;
    return static_cast<ElemType>(*elem);
}

Value type_value(const Type& type, const DimTable& dims) {
    std::vector<DimId> list;
    list.reserve(kMaxRank);
    for (int i = 0; i < type.rank(); ++i) list.push_back(type.dim(i));
    std::vector<DimId> axes = {type.item().rows, type.item().cols};
    axes.resize(axis_count(type.item().kind));
    return Object{{"list", dim_values(list, dims)},
                  {"item", name_of(item_names(), type.item().kind)},
                  {"axes", dim_values(axes, dims)},
                  {"elem", to_string(type.elem())}};
}

std::optional<Type> read_type(const Reader& reader, const Dims& dims) {
    if (!reader.object({"list", "item", "axes", "elem"})) return std::nullopt;
    const auto list = dims.find_all(reader.member("list"), kMaxRank);
    const auto kind = reader.member("item").choice(item_names());
    const auto elem = read_elem(reader.member("elem"));
    if (!kind) return std::nullopt;
    const std::size_t count = axis_count(static_cast<ItemKind>(*kind));
    const Reader axes_reader = reader.member("axes");
    if (!axes_reader.array(count, count)) return std::nullopt;
    const auto axes = dims.find_all(axes_reader, count);
    if (!list || !elem || !axes) return std::nullopt;
    Item item;
    item.kind = static_cast<ItemKind>(*kind);
    if (count > 0) item.rows = (*axes)[0];
    if (count > 1) item.cols = (*axes)[1];
    Type type(item, *elem);
    for (auto dim = list->rbegin(); dim != list->rend(); ++dim) type = type.list_over(*dim);
    return type;
}

namespace {

// Lists the distinct parts of a tree, operands before the calls that use them.
class Writer {
public:
    explicit Writer(const DimTable& dims) : dims_(dims) {}

    // Index of `expr` in the list.
    int index(const Expr& expr) {
        if (const auto seen = by_pointer_.find(&expr); seen != by_pointer_.end()) return seen->second;
        Array entry = std::visit([&](const auto& e) { return make(e); }, expr.value);
        // Equal parts become one entry, whether or not the tree shares them.
        const auto [place, fresh] = by_text_.emplace(print(entry), static_cast<int>(entries_.size()));
        if (fresh) entries_.push_back(std::move(entry));
        by_pointer_.emplace(&expr, place->second);
        return place->second;
    }

    Array take() { return std::move(entries_); }

private:
    Array make(const Arg& arg) { return {"arg", arg.index}; }
    Array make(const Number& number) { return {"number", number.value}; }
    Array make(const SizeOf& size) { return {"size", dim_value(size.dim, dims_)}; }
    Array make(const Call& call) {
        Array entry = {to_string(call.fn)};
        for (const ExprPtr& argument : call.args) entry.push_back(index(*argument));
        return entry;
    }

    const DimTable& dims_;
    Array entries_;
    std::map<std::string, int> by_text_;
    std::map<const Expr*, int> by_pointer_;
};

// An entry that was read, and the nodes of the tree that it stands for.
struct Part {
    ExprPtr expr;
    std::int64_t nodes = 1;
};

const std::vector<std::string>& heads() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result = {"arg", "number", "size"};
        result.insert(result.end(), fn_names().begin(), fn_names().end());
        return result;
    }();
    return names;
}

Part read_call(const Reader& entry, Fn fn, const std::vector<Part>& earlier) {
    const auto count = static_cast<std::size_t>(arity(fn));
    if (!entry.array(count + 1, count + 1)) return {};
    if (earlier.empty()) {
        entry.problem(Text(
            "the first entry of an expression cannot use earlier ones; arg, number or size is expected"));
        return {};
    }
    Part result;
    std::vector<ExprPtr> operands;
    for (std::size_t i = 1; i <= count; ++i) {
        const auto index = entry.at(i).integer(0, static_cast<std::int64_t>(earlier.size()) - 1);
        if (!index) return {};
        const Part& operand = earlier[static_cast<std::size_t>(*index)];
        operands.push_back(operand.expr);
        result.nodes += operand.nodes;
    }
    if (result.nodes > kMaxExprNodes) {
        entry.problem(
            Text("with shared parts written out, this expression has %1 nodes; at most %2 are allowed",
                 result.nodes, kMaxExprNodes));
        return {};
    }
    result.expr = count == 1 ? call(fn, operands[0]) : call(fn, operands[0], operands[1]);
    return result;
}

Part read_entry(const Reader& entry, const std::vector<Part>& earlier, const Dims& dims) {
    if (!entry.array(2, 3)) return {};
    const auto head = entry.at(0).choice(heads());
    if (!head) return {};
    if (*head > 2) return read_call(entry, static_cast<Fn>(*head - 3), earlier);
    if (!entry.array(2, 2)) return {};
    const Reader operand = entry.at(1);
    Part part;
    if (*head == 0) {
        if (const auto index = operand.integer(0, 65'535)) part.expr = arg(static_cast<int>(*index));
    } else if (*head == 1) {
        if (const auto value = operand.number()) part.expr = number(*value);
    } else if (const auto dim = dims.find(operand)) {
        part.expr = size_of(*dim);
    }
    return part;
}

}  // namespace

Value expr_value(const Expr& expr, const DimTable& dims) {
    Writer writer(dims);
    writer.index(expr);
    return writer.take();
}

ExprPtr read_expr(const Reader& reader, Dims& dims) {
    if (!reader.array(1, kMaxExprEntries)) return nullptr;
    std::vector<Part> parts;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        parts.push_back(read_entry(reader.at(i), parts, dims));
        if (!parts.back().expr) return nullptr;
    }
    if (dims.spend(parts.back().nodes)) return parts.back().expr;
    reader.problem(
        Text("the expressions of this document have more than %1 nodes together, the most that is allowed",
             kMaxAllExprNodes));
    return nullptr;
}

namespace {

constexpr std::size_t kMaxRoles = 64;

std::optional<std::vector<NodeId>> read_ids(const Reader& list, std::size_t most) {
    if (!list.array(0, most)) return std::nullopt;
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto id = list.at(i).integer(1, kMaxId);
        if (!id) return std::nullopt;
        ids.push_back(NodeId{static_cast<std::uint32_t>(*id)});
    }
    return ids;
}

const Rule* read_rule(const Reader& reader) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const Rule& rule : rules()) result.push_back(to_string(rule.id));
        return result;
    }();
    const auto index = reader.choice(names);
    return index ? &rules()[static_cast<std::size_t>(*index)] : nullptr;
}

bool read_roles(const Reader& list, Match& match) {
    if (!list.array(1, kMaxRoles)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader reader = list.at(i);
        if (!reader.object({"role", "node"})) return false;
        const auto name = reader.member("role").string(kMaxNameBytes);
        const auto node = reader.member("node").integer(1, kMaxId);
        if (!name || !node) return false;
        match.roles.push_back({*name, NodeId{static_cast<std::uint32_t>(*node)}});
    }
    return true;
}

}  // namespace

Value id_values(const std::vector<NodeId>& ids) {
    Array values;
    for (const NodeId id : ids) values.push_back(id.value);
    return values;
}

std::optional<RuleSet> read_rule_set(const Reader& object) {
    if (!object.has("rules")) return kPaperRules;
    static const std::vector<RuleSet> kSets{kPaperRules, {}, {.rounding = true}};
    std::vector<std::string> names;
    for (const RuleSet set : kSets) names.push_back(to_string(set));
    const auto at = object.member("rules").choice(names);
    if (!at) return std::nullopt;
    return kSets[static_cast<std::size_t>(*at)];
}

std::optional<Text> read_stop_reason(const Reader& sentence, Endings& endings, const BlockProgram& state,
                                     bool has_steps) {
    const auto written = sentence.string(kMaxSentenceBytes);
    if (!written) return std::nullopt;
    std::optional<Text> reason = stop_reason(*written);
    const Text problem = reason
                             ? endings.stop_problem(*reason, state, has_steps)
                             : Text("no run ends for this reason; docs/json.md lists those that there are");
    if (problem.empty()) return reason;
    sentence.problem(problem);
    return std::nullopt;
}

void add_rule_set(Object& object, RuleSet rules) {
    if (rules != kPaperRules) object.push_back({"rules", to_string(rules)});
}

void add_match(Object& object, const Match& match, const DimTable& dims) {
    object.push_back({"rule", to_string(match.rule)});
    object.push_back({"path", id_values(match.path)});
    if (!dims.empty()) object.push_back({"dim", dim_value(match.dim, dims)});
    Array roles;
    for (const Role& role : match.roles) {
        roles.push_back(Object{{"role", role.name}, {"node", role.node.value}});
    }
    object.push_back({"roles", std::move(roles)});
}

std::optional<Match> read_match(const Reader& reader, const Dims& dims) {
    Match match;
    const Rule* rule = read_rule(reader.member("rule"));
    const auto path = read_ids(reader.member("path"), kMaxMapDepth);
    if (!rule || !path || !read_roles(reader.member("roles"), match)) return std::nullopt;
    match.rule = rule->id;
    match.path = *path;
    if (reader.has("dim")) {
        const auto dim = dims.find(reader.member("dim"));
        if (!dim) return std::nullopt;
        match.dim = *dim;
    }
    return match;
}

bool check_match(const Reader& reader, const DimTable& dims, const GraphIndex* level, const Match& match) {
    if (!level) {
        reader.member("path").problem(
            Text("at this step the program has no maps with these ids inside each other"));
        return false;
    }
    for (std::size_t i = 0; i < match.roles.size(); ++i) {
        if (level->find(match.roles[i].node)) continue;
        const Reader roles = reader.member("roles");
        roles.at(i).problem(
            Text("at this step the graph at the given path has no node %1", to_string(match.roles[i].node)));
        return false;
    }
    if (applies({dims, *level}, match)) return true;
    reader.problem(
        Text("rule %1 has no match with these roles and this dimension at this step", to_string(match.rule)));
    return false;
}

}  // namespace blockscope::json
