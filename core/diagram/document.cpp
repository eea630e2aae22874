#include "core/diagram/document.h"

#include <algorithm>

#include "core/diagram/term.h"
#include "core/json/parts.h"
#include "core/support/cases.h"

namespace blockscope::circuit {

namespace {

// ---- Words that documents and their readers share.

// In the order of OperatorKind.
const std::vector<std::string>& operator_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const DiagramOperator& row : kOperators) all.emplace_back(row.name);
        return all;
    }();
    return names;
}
// In the order of BlockStyle.
const std::vector<std::string>& block_style_names() {
    static const std::vector<std::string> names = {"group", "repeat", "kernel", "split"};
    return names;
}
// In the order of PartitionKind: of an axis, and of a term.
const std::vector<std::string>& part_names() {
    static const std::vector<std::string> names = {"group", "stream"};
    return names;
}
// In the order of Overlap.
const std::vector<std::string>& overlap_names() {
    static const std::vector<std::string> names = {"inter", "intra"};
    return names;
}
// The kinds of terms.
const std::vector<std::string>& term_names() {
    static const std::vector<std::string> names = {"apply", "rearrange", "compose", "product",
                                                   "block", "groups",    "stream"};
    return names;
}

using json::Array;
using json::Object;

json::Value object(Object members) {
    return json::Value(std::move(members));
}

json::Value list(const std::vector<std::string>& names) {
    Array array;
    for (const std::string& name : names) array.emplace_back(name);
    return json::Value(std::move(array));
}

json::Value numbers(const std::vector<int>& values) {
    Array array;
    for (const int value : values) array.emplace_back(value);
    return json::Value(std::move(array));
}

json::Value ids(const std::vector<AxisId>& axes) {
    Array array;
    for (const AxisId axis : axes) array.emplace_back(axis.value);
    return json::Value(std::move(array));
}

json::Value axis_json(const Axis& axis) {
    Object members = {{"name", axis.name}, {"size", axis.size}};
    if (!axis.symbol.empty()) members.push_back({"symbol", axis.symbol});
    if (axis.sequence) members.push_back({"sequence", json::Value(true)});
    if (axis.divisor != 1) members.push_back({"divisor", axis.divisor});
    if (axis.open) members.push_back({"open", json::Value(true)});
    if (!axis.at_levels.empty()) members.push_back({"at_levels", list(axis.at_levels)});
    if (!axis.level_sizes.empty()) {
        Array sizes;
        for (const std::int64_t size : axis.level_sizes) sizes.emplace_back(size);
        members.push_back({"level_sizes", json::Value(std::move(sizes))});
    }
    if (axis.whole) {
        members.push_back({"whole", axis.whole->value});
        members.push_back({"partition", part_names().at(static_cast<std::size_t>(axis.partition))});
    }
    return object(std::move(members));
}

json::Value tuple_json(const Tuple& tuple) {
    Array array;
    for (const ArrayType& type : tuple) {
        Object members = {{"axes", ids(type.axes)}, {"type", to_string(type.elem)}, {"level", type.level}};
        if (type.cached) members.push_back({"cached", json::Value(true)});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

// Slots: the axis' index in "own" as it is, in "weave" as -1 - index.
json::Value segments_json(const std::vector<Segment>& segments) {
    Array array;
    for (const Segment& segment : segments) {
        Array slots;
        for (const Slot& slot : segment.slots) slots.emplace_back(slot.own ? slot.index : -1 - slot.index);
        Object members = {{"slots", json::Value(std::move(slots))},
                          {"type", to_string(segment.elem)},
                          {"level", segment.level}};
        if (segment.cached) members.push_back({"cached", json::Value(true)});
        if (!segment.name.empty()) members.push_back({"name", segment.name});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

void add_origin(Object& members, const Origin& origin) {
    if (origin.op >= 0) members.push_back({"op", origin.op});
    if (origin.node) members.push_back({"node", origin.node.value});
}

json::Value cuts_json(const std::vector<Cut>& cuts) {
    Array array;
    for (const Cut& cut : cuts) {
        Object members = {{"place", cut.place}};
        if (cut.dropped) members.push_back({"dropped", json::Value(true)});
        array.push_back(object(std::move(members)));
    }
    return json::Value(std::move(array));
}

json::Value term_json(const Term& term);

json::Value terms_json(const std::vector<TermPtr>& parts) {
    Array array;
    for (const TermPtr& part : parts) array.push_back(term_json(*part));
    return json::Value(std::move(array));
}

json::Value apply_json(const Apply& what) {
    Object members = {{"kind", "apply"},
                      {"operator", to_string(what.op.kind)},
                      {"label", what.op.label},
                      {"own", ids(what.own)},
                      {"weave", ids(what.weave)},
                      {"inputs", segments_json(what.inputs)},
                      {"outputs", segments_json(what.outputs)}};
    if (what.op.vector_work != 0) members.push_back({"vector_work", json::Value(what.op.vector_work)});
    if (what.op.special_work != 0) members.push_back({"special_work", json::Value(what.op.special_work)});
    add_origin(members, what.origin);
    return object(std::move(members));
}

json::Value rearrange_json(const Rearrange& what) {
    return object({{"kind", "rearrange"}, {"from", tuple_json(what.from)}, {"take", numbers(what.take)}});
}

json::Value block_json(const Block& what) {
    const std::string& style = block_style_names().at(static_cast<std::size_t>(what.style));
    Object members = {{"kind", "block"}, {"title", what.title}, {"style", style}};
    if (!what.count.empty()) members.push_back({"count", what.count});
    members.push_back({"body", term_json(*what.body)});
    return object(std::move(members));
}

json::Value partition_json(const Partition& what) {
    Object members = {{"kind", what.kind == PartitionKind::Group ? "groups" : "stream"},
                      {"whole", what.whole.value},
                      {"part", what.part.value},
                      {"count", what.count.value},
                      {"split", cuts_json(what.split)},
                      {"join", cuts_json(what.join)}};
    if (std::any_of(what.carry.begin(), what.carry.end(), [](int input) { return input >= 0; }))
        members.push_back({"carry", numbers(what.carry)});
    add_origin(members, what.origin);
    members.push_back({"body", term_json(*what.body)});
    return object(std::move(members));
}

json::Value term_json(const Term& term) {
    return std::visit(Cases{[](const Apply& what) { return apply_json(what); },
                            [](const Rearrange& what) { return rearrange_json(what); },
                            [](const Compose& what) {
                                return object({{"kind", "compose"}, {"parts", terms_json(what.parts)}});
                            },
                            [](const Product& what) {
                                return object({{"kind", "product"}, {"parts", terms_json(what.parts)}});
                            },
                            [](const Block& what) { return block_json(what); },
                            [](const Partition& what) { return partition_json(what); }},
                      term.what);
}

json::Value formula_json(const Formula& formula, const Values& values) {
    return object({{"formula", formula.text()}, {"value", json::Value(formula.value(values))}});
}

json::Value transfers_json(const Resources& resources, const Values& values) {
    Array array;
    for (const TransferCost& transfer : resources.transfers)
        array.push_back(object({{"array", transfer.name},
                                {"from", transfer.from},
                                {"to", transfer.to},
                                {"size", formula_json(transfer.size, values)},
                                {"runs", formula_json(transfer.runs, values)},
                                {"total", formula_json(transfer.total, values)}}));
    return json::Value(std::move(array));
}

json::Value memory_json(const Resources& resources, const Values& values) {
    Array array;
    for (const LevelMemory& level : resources.memory) {
        Array columns;
        for (const ColumnMemory& column : level.columns) columns.push_back(formula_json(column.size, values));
        array.push_back(object({{"level", level.level},
                                {"widest", formula_json(resources.widest(level.level), values)},
                                {"columns", json::Value(std::move(columns))}}));
    }
    return json::Value(std::move(array));
}

json::Value execution_json(const Deployment& execution) {
    Array sizes;
    for (const auto& [symbol, size] : execution.sizes)
        sizes.push_back(object({{"symbol", symbol.name}, {"size", json::Value(size)}}));
    Object members = {{"device", execution.device}, {"sizes", json::Value(std::move(sizes))}};
    if (execution.fragments) members.push_back({"fragments", json::Value(true)});
    members.push_back({"warpgroups", execution.warpgroups});
    members.push_back({"overlap", overlap_names().at(static_cast<std::size_t>(execution.overlap))});
    if (execution.special_overhead != 0)
        members.push_back({"special_overhead", json::Value(execution.special_overhead)});
    if (execution.vector_overhead != 0)
        members.push_back({"vector_overhead", json::Value(execution.vector_overhead)});
    return object(std::move(members));
}

}  // namespace

json::Value to_json(const CircuitDocument& document) {
    const Circuit& circuit = document.circuit;
    Array axes;
    for (const Axis& axis : circuit.axes) axes.push_back(axis_json(axis));
    Object members = {{"format", "blockscope circuit"}, {"version", 1}};
    if (!document.title.empty()) members.push_back({"title", document.title});
    members.push_back({"axes", json::Value(std::move(axes))});
    members.push_back({"inputs", list(circuit.inputs)});
    members.push_back({"outputs", list(circuit.outputs)});
    members.push_back({"levels", circuit.lowest_level + 1});
    if (!circuit.levels.empty()) members.push_back({"level_names", list(circuit.levels)});
    if (document.execution) members.push_back({"execution", execution_json(*document.execution)});
    members.push_back({"diagram", term_json(*circuit.root)});
    return object(std::move(members));
}

json::Value to_json(const Circuit& circuit) {
    return to_json(CircuitDocument{"", circuit, std::nullopt});
}

json::Value to_json(const Circuit& circuit, const Resources& resources) {
    const Values values = sizes(circuit.axes);
    return object({{"groups", formula_json(resources.groups, values)},
                   {"per_group", formula_json(resources.per_group, values)},
                   {"transferred", formula_json(resources.transferred, values)},
                   {"transfers", transfers_json(resources, values)},
                   {"memory", memory_json(resources, values)},
                   {"matrix", formula_json(resources.work.matrix, values)},
                   {"vector", formula_json(resources.work.vector, values)},
                   {"special", formula_json(resources.work.special, values)}});
}

// Reads circuit documents. Everything that a constructor of terms relies on is checked before it is called;
// what fits together only as a whole, verify() checks at the end.

namespace {

using json::Reader;

constexpr std::size_t kMaxAxes = 4096;
constexpr std::size_t kMaxList = 4096;  // of anything else
constexpr std::size_t kMaxText = 2000;  // bytes of a label or a title
constexpr std::int64_t kMaxSize = std::int64_t{1} << 40;
constexpr std::int64_t kMaxLevel = 15;

class CircuitReader {
public:
    explicit CircuitReader(const Reader& document) : document_(document) {}

    CircuitDocument run() {
        CircuitDocument made;
        if (!document_.object({"format", "version", "title?", "axes", "inputs", "outputs", "levels",
                               "level_names?", "execution?", "diagram"}))
            return made;
        if (document_.has("title")) made.title = text(document_.member("title"));
        const Reader list = document_.member("axes");
        if (list.array(0, kMaxAxes)) count_ = list.size();
        for (std::size_t i = 0; i < count_; ++i) made.circuit.axes.push_back(axis(list.at(i)));
        made.circuit.inputs = names(document_.member("inputs"));
        made.circuit.outputs = names(document_.member("outputs"));
        const Reader levels = document_.member("levels");
        made.circuit.lowest_level = static_cast<int>(levels.integer(1, kMaxLevel + 1).value_or(1)) - 1;
        if (document_.has("level_names")) made.circuit.levels = names(document_.member("level_names"));
        if (document_.has("execution")) made.execution = execution(document_.member("execution"));
        const Reader diagram = document_.member("diagram");
        made.circuit.root = term(diagram);
        if (!document_.report().clean() || !made.circuit.root) return made;
        if (deepest_ > made.circuit.lowest_level)
            levels.problem(Text("the diagram has arrays at level %1", deepest_));
        for (const Text& sentence : verify(made.circuit)) diagram.problem(sentence);
        return made;
    }

private:
    static std::string text(const Reader& reader) { return reader.plain_text(kMaxText).value_or(""); }

    static std::vector<std::string> names(const Reader& reader) {
        std::vector<std::string> result;
        if (!reader.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < reader.size(); ++i) result.push_back(text(reader.at(i)));
        return result;
    }

    static bool flag(const Reader& parent, const char* key) {
        if (!parent.has(key)) return false;
        const Reader reader = parent.member(key);
        return reader.boolean().value_or(false);
    }

    static double number(const Reader& parent, const char* key, double otherwise) {
        if (!parent.has(key)) return otherwise;
        const Reader reader = parent.member(key);
        const double value = reader.number().value_or(otherwise);
        if (value < 0 || value > 1e15) reader.problem(Text("expected a number from 0 to 1e15"));
        return value;
    }

    // ---- axes ----

    Axis axis(const Reader& reader) {
        Axis made;
        if (!reader.object({"name", "size", "symbol?", "sequence?", "divisor?", "open?", "at_levels?",
                            "level_sizes?", "whole?", "partition?"}))
            return made;
        made.name = text(reader.member("name"));
        made.size = reader.member("size").integer(1, kMaxSize).value_or(1);
        if (reader.has("symbol")) made.symbol = text(reader.member("symbol"));
        made.sequence = flag(reader, "sequence");
        if (reader.has("divisor")) made.divisor = reader.member("divisor").integer(1, kMaxSize).value_or(1);
        made.open = flag(reader, "open");
        if (reader.has("at_levels")) made.at_levels = names(reader.member("at_levels"));
        if (reader.has("level_sizes")) made.level_sizes = level_sizes(reader.member("level_sizes"));
        if (reader.has("whole")) made.whole = axis_id(reader.member("whole"));
        if (reader.has("partition"))
            made.partition =
                static_cast<PartitionKind>(reader.member("partition").choice(part_names()).value_or(0));
        return made;
    }

    static std::vector<std::int64_t> level_sizes(const Reader& reader) {
        std::vector<std::int64_t> sizes;
        if (!reader.array(0, kMaxLevel + 1)) return sizes;
        for (std::size_t i = 0; i < reader.size(); ++i)
            sizes.push_back(reader.at(i).integer(0, kMaxSize).value_or(0));
        return sizes;
    }

    AxisId axis_id(const Reader& reader) const {
        const auto last = static_cast<std::int64_t>(count_) - 1;
        return {static_cast<int>(reader.integer(0, std::max<std::int64_t>(last, 0)).value_or(0))};
    }

    std::vector<AxisId> axis_ids(const Reader& reader) const {
        std::vector<AxisId> ids;
        if (!reader.array(0, kMaxList)) return ids;
        if (reader.size() > 0 && count_ == 0) reader.problem(Text("the document has no axes"));
        for (std::size_t i = 0; i < reader.size(); ++i) ids.push_back(axis_id(reader.at(i)));
        return ids;
    }

    int level(const Reader& parent) {
        const Reader reader = parent.member("level");
        const int found = static_cast<int>(reader.integer(0, kMaxLevel).value_or(0));
        deepest_ = std::max(deepest_, found);
        return found;
    }

    static ElemType elem(const Reader& parent) {
        const Reader reader = parent.member("type");
        return json::read_elem(reader).value_or(ElemType::F32);
    }

    // ---- terms ----

    bool clean() const { return document_.report().clean(); }

    TermPtr term(const Reader& reader) {
        if (!reader.has("kind")) {
            reader.problem(Text("expected an object with a kind: %1", json::alternatives(term_names())));
            return nullptr;
        }
        const Reader kind = reader.member("kind");
        switch (kind.choice(term_names()).value_or(-1)) {
            case 0:
                return apply_term(reader);
            case 1:
                return rearrange_term(reader);
            case 2:
            case 3:
                return several(reader, kind.is("compose"));
            case 4:
                return block_term(reader);
            case 5:
                return partition_term(reader, PartitionKind::Group);
            case 6:
                return partition_term(reader, PartitionKind::Stream);
            default:
                return nullptr;
        }
    }

    TermPtr several(const Reader& reader, bool composed) {
        if (!reader.object({"kind", "parts"})) return nullptr;
        const Reader list = reader.member("parts");
        if (!list.array(composed ? 1 : 0, kMaxList)) return nullptr;
        std::vector<TermPtr> parts;
        for (std::size_t i = 0; i < list.size(); ++i) parts.push_back(term(list.at(i)));
        if (std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return nullptr;
        return composed ? compose(std::move(parts)) : product(std::move(parts));
    }

    Origin origin(const Reader& reader) const {
        Origin made;
        if (reader.has("op"))
            made.op = static_cast<int>(reader.member("op").integer(0, INT32_MAX).value_or(0));
        if (reader.has("node"))
            made.node.value =
                static_cast<std::uint32_t>(reader.member("node").integer(1, UINT32_MAX).value_or(1));
        return made;
    }

    TermPtr apply_term(const Reader& reader) {
        if (!reader.object({"kind", "operator", "label", "own", "weave", "inputs", "outputs", "vector_work?",
                            "special_work?", "op?", "node?"}))
            return nullptr;
        Apply made;
        made.op.kind =
            static_cast<OperatorKind>(reader.member("operator").choice(operator_names()).value_or(0));
        made.op.label = text(reader.member("label"));
        made.op.vector_work = number(reader, "vector_work", 0);
        made.op.special_work = number(reader, "special_work", 0);
        made.own = axis_ids(reader.member("own"));
        made.weave = axis_ids(reader.member("weave"));
        made.inputs = segments(reader.member("inputs"), made);
        made.outputs = segments(reader.member("outputs"), made);
        made.origin = origin(reader);
        return clean() ? apply(std::move(made)) : nullptr;
    }

    std::vector<Segment> segments(const Reader& list, const Apply& of) {
        std::vector<Segment> result;
        if (!list.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < list.size(); ++i) result.push_back(segment(list.at(i), of));
        return result;
    }

    Segment segment(const Reader& reader, const Apply& of) {
        Segment made;
        if (!reader.object({"slots", "type", "level", "cached?", "name?"})) return made;
        const Reader slots = reader.member("slots");
        if (!slots.array(0, kMaxList)) return made;
        const auto own = static_cast<std::int64_t>(of.own.size());
        const auto weave = static_cast<std::int64_t>(of.weave.size());
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const Reader slot = slots.at(i);
            const std::int64_t index = slot.integer(-weave, own - 1).value_or(0);
            made.slots.push_back({index >= 0, static_cast<int>(index >= 0 ? index : -1 - index)});
        }
        made.elem = elem(reader);
        made.level = level(reader);
        made.cached = flag(reader, "cached");
        if (reader.has("name")) made.name = text(reader.member("name"));
        return made;
    }

    TermPtr rearrange_term(const Reader& reader) {
        if (!reader.object({"kind", "from", "take"})) return nullptr;
        const Reader from = reader.member("from");
        Tuple tuple;
        if (from.array(0, kMaxList))
            for (std::size_t i = 0; i < from.size(); ++i) tuple.push_back(array_type(from.at(i)));
        std::vector<int> take = indices(reader.member("take"), 0, tuple.size());
        return clean() ? rearrange(std::move(tuple), std::move(take)) : nullptr;
    }

    ArrayType array_type(const Reader& reader) {
        ArrayType made;
        if (!reader.object({"axes", "type", "level", "cached?"})) return made;
        made.axes = axis_ids(reader.member("axes"));
        made.elem = elem(reader);
        made.level = level(reader);
        made.cached = flag(reader, "cached");
        return made;
    }

    static std::vector<int> indices(const Reader& reader, int least, std::size_t below) {
        std::vector<int> result;
        if (!reader.array(0, kMaxList)) return result;
        for (std::size_t i = 0; i < reader.size(); ++i) {
            const Reader one = reader.at(i);
            result.push_back(
                static_cast<int>(one.integer(least, static_cast<std::int64_t>(below) - 1).value_or(0)));
        }
        return result;
    }

    TermPtr block_term(const Reader& reader) {
        if (!reader.object({"kind", "title", "style", "count?", "body"})) return nullptr;
        Block made;
        made.title = text(reader.member("title"));
        made.style = static_cast<BlockStyle>(reader.member("style").choice(block_style_names()).value_or(0));
        if (reader.has("count")) made.count = text(reader.member("count"));
        const Reader body = reader.member("body");
        made.body = term(body);
        return made.body ? block(std::move(made)) : nullptr;
    }

    TermPtr partition_term(const Reader& reader, PartitionKind kind) {
        if (!reader.object(
                {"kind", "whole", "part", "count", "split", "join", "carry?", "op?", "node?", "body"}))
            return nullptr;
        Partition made;
        made.kind = kind;
        made.whole = axis_id(reader.member("whole"));
        made.part = axis_id(reader.member("part"));
        made.count = axis_id(reader.member("count"));
        made.origin = origin(reader);
        const Reader body = reader.member("body");
        made.body = term(body);
        if (!made.body) return nullptr;
        made.split = cuts(reader.member("split"), made.body->domain);
        made.join = cuts(reader.member("join"), made.body->codomain);
        if (reader.has("carry")) made.carry = indices(reader.member("carry"), -1, made.body->domain.size());
        return clean() ? partition(std::move(made)) : nullptr;
    }

    static std::vector<Cut> cuts(const Reader& list, const Tuple& arrays) {
        std::vector<Cut> result;
        if (!list.array(arrays.size(), arrays.size())) return result;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Reader reader = list.at(i);
            if (!reader.object({"place", "dropped?"})) continue;
            Cut cut;
            cut.dropped = flag(reader, "dropped");
            const auto axes = static_cast<std::int64_t>(arrays[i].axes.size());
            cut.place = static_cast<int>(
                reader.member("place").integer(-1, cut.dropped ? axes : axes - 1).value_or(-1));
            result.push_back(cut);
        }
        return result;
    }

    // ---- execution ----

    Deployment execution(const Reader& reader) {
        Deployment made;
        if (!reader.object({"device", "sizes", "fragments?", "warpgroups", "overlap", "special_overhead?",
                            "vector_overhead?"}))
            return made;
        made.device = text(reader.member("device"));
        const Reader sizes = reader.member("sizes");
        if (sizes.array(0, kMaxList))
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                const Reader one = sizes.at(i);
                if (!one.object({"symbol", "size"})) continue;
                const double size = number(one, "size", 1);
                if (size <= 0) one.problem(Text("expected a size above 0"));
                made.sizes[text(one.member("symbol"))] = size;
            }
        made.fragments = flag(reader, "fragments");
        made.warpgroups = static_cast<int>(reader.member("warpgroups").integer(1, 64).value_or(1));
        made.overlap = static_cast<Overlap>(reader.member("overlap").choice(overlap_names()).value_or(0));
        made.special_overhead = number(reader, "special_overhead", 0);
        made.vector_overhead = number(reader, "vector_overhead", 0);
        return made;
    }

    const Reader& document_;
    std::size_t count_ = 0;  // of axes
    int deepest_ = 0;
};

}  // namespace

Result<CircuitDocument> read_circuit(const std::string& text, const std::string& file) {
    const Result<json::Value> value = json::parse(text, file);
    if (!value) return value.problems();
    json::Report report(file);
    const Reader document(*value, report);
    if (!json::check_header(document, "blockscope circuit")) return report.problems();
    CircuitDocument made = CircuitReader(document).run();
    if (!report.clean()) return report.problems();
    return made;
}

}  // namespace blockscope::circuit
