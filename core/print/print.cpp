// The paper's pseudocode. Its grammar is in docs/listing.md.
#include "core/print/print.h"

#include <algorithm>
#include <cstddef>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::string temp_name(Temp temp) {
    return "t" + std::to_string(temp.id);
}

std::vector<std::string> temp_names(const std::vector<Temp>& temps) {
    std::vector<std::string> names;
    names.reserve(temps.size());
    for (const Temp temp : temps) names.push_back(temp_name(temp));
    return names;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
}

class Lister {
public:
    explicit Lister(const LoopProgram& program) : program_(program) {}

    std::vector<ListingLine> run() {
        block(program_.body, 0);
        return std::move(lines_);
    }

private:
    void block(const Block& statements, int depth) {
        for (const Statement& statement : statements) {
            const std::string text = std::visit([&](const auto& what) { return line(what); }, statement.what);
            lines_.push_back({std::string(static_cast<std::size_t>(2 * depth), ' ') + text, statement.node,
                              statement.value});
            if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) block((*loop)->body, depth + 1);
        }
    }

    std::string place(int buffer, const std::vector<Index>& at) const {
        std::vector<std::string> indices;
        indices.reserve(at.size());
        for (const Index& index : at) indices.push_back(index.zero ? "0" : name(index.var, program_));
        const std::string& array = program_.buffers.at(static_cast<std::size_t>(buffer)).name;
        return indices.empty() ? array : array + "[" + joined(indices) + "]";
    }

    static std::string applied(FunctionalOp op, const std::vector<Temp>& args) {
        const std::vector<std::string> names = temp_names(args);
        const FunctionalOperator& row = functional_operator(op);
        if (row.as_sign) return names.at(0) + std::string(primitive(row.fn).sign) + names.at(1);
        return std::string(row.name) + "(" + joined(names) + ")";
    }

    std::string line(const Load& s) const {
        return temp_name(s.to) + " = load(" + place(s.buffer, s.at) + ")";
    }
    std::string line(const Store& s) const {
        return "store(" + temp_name(s.from) + "," + place(s.buffer, s.at) + ")";
    }
    std::string line(const Compute& s) const { return temp_name(s.to) + " = " + applied(s.op, s.args); }
    std::string line(const Evaluate& s) const {
        const std::string value = to_string(*s.expr, temp_names(s.args), program_.dims);
        return temp_name(s.to) + " = " + (s.cast ? to_string(*s.cast) + ("(" + value + ")") : value);
    }
    std::string line(const Accumulate& s) const {
        return temp_name(s.to) + " += " + (s.functional ? applied(s.op, s.args) : temp_name(s.args.at(0)));
    }
    std::string line(const Initialise& s) const {
        return temp_name(s.to) + " = " + to_string(*number(s.value), {}, program_.dims);
    }
    std::string line(const Assign& s) const { return temp_name(s.to) + " = " + temp_name(s.from); }

    std::string line(const CallMisc& s) const {
        std::vector<std::string> places;
        for (std::size_t i = 0; i < s.at.size(); ++i) {
            const bool output = i < s.outputs.size();
            places.push_back(place(output ? s.outputs[i] : s.inputs.at(i - s.outputs.size()), s.at[i]));
        }
        const auto split = places.begin() + static_cast<std::ptrdiff_t>(s.outputs.size());
        return joined({places.begin(), split}) + " = " + s.name + "(" + joined({split, places.end()}) + ")";
    }

    // "visible(m,N)"; with a window "hidden(m,N,4096),visible(m,N)".
    std::string bounds(const CausalBounds& bounds, const std::string& columns) const {
        const std::string rows =
            bounds.one_block ? program_.dims.at(bounds.row.dim.value).name : name(bounds.row, program_);
        const std::string pair = "(" + rows + "," + columns;
        std::string end = "visible" + pair + ")";
        if (bounds.window == 0) return end;
        return "hidden" + pair + "," + std::to_string(bounds.window) + ")," + end;
    }

    std::string line(const LoopPtr& loop) const {
        const std::string& dim = program_.dims.at(loop->var.dim.value).name;
        std::string range = loop->start == 0 ? dim : std::to_string(loop->start) + "," + dim;
        if (loop->bounds) range = bounds(*loop->bounds, dim);
        return (loop->serial ? "for " : "forall ") + name(loop->var, program_) + " in range(" + range + "):";
    }

    const LoopProgram& program_;
    std::vector<ListingLine> lines_;
};

}  // namespace

std::vector<ListingLine> listing_lines(const LoopProgram& program) {
    return Lister(program).run();
}

// The hierarchy, one node a line: `n7 dot n3, n5 -> block[M,N] f32`. A star marks a buffered edge.

namespace {

class Outliner {
public:
    explicit Outliner(const BlockProgram& program) : program_(program) {}

    std::string run() {
        level(*program_.graph, 0);
        return std::move(text_);
    }

private:
    void level(const Graph& graph, int depth) {
        const GraphIndex index(graph);
        for (const NodePtr& node : graph.nodes()) {
            text_ +=
                std::string(static_cast<std::size_t>(2 * depth), ' ') + line(index, *node, depth == 0) + "\n";
            if (const Map* map = node->as<Map>()) level(*map->body, depth + 1);
        }
    }

    std::string line(const GraphIndex& index, const Node& node, bool top_level) const {
        std::string text = to_string(node.id) + " " + label(node, program_.dims);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            text += (i == 0 ? " <- " : ", ") + input(index, node, static_cast<int>(i), top_level);
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            text += (i == 0 ? " -> " : ", ") + output(node, i);
        return text;
    }

    static std::string input(const GraphIndex& index, const Node& node, int port, bool top_level) {
        const ValueRef& ref = node.inputs[static_cast<std::size_t>(port)];
        std::string text = reference(index, ref);
        if (is_buffered(*index.find(ref.node), node, port, top_level)) text += "*";
        const Map* map = node.as<Map>();
        if (!map) return text;
        const MapInput& mode = map->inputs[static_cast<std::size_t>(port)];
        text += " " + to_string(mode.mode);
        return mode.mode == PortIn::Continued ? text + " by output " + std::to_string(mode.continues) : text;
    }

    std::string output(const Node& node, std::size_t port) const {
        std::string text = to_string(node.outputs[port], program_.dims);
        if (const Map* map = node.as<Map>()) text += " " + to_string(map->outputs[port].mode);
        return text;
    }

    const BlockProgram& program_;
    std::string text_;
};

}  // namespace

std::string outline(const BlockProgram& program) {
    return Outliner(program).run();
}

namespace {

// a, b, ..., z, a1, b1, ...
std::vector<std::string> argument_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string letter(1, static_cast<char>('a' + i % 26));
        names.push_back(i < 26 ? letter : letter + std::to_string(i / 26));
    }
    return names;
}

struct Labeller {
    const Node& node;
    const DimTable& dims;

    std::string dim(DimId id) const { return dims.at(id.value).name; }

    Text operator()(const Input& input) const {
        if (input.name.empty()) return Text("input");
        const std::string name = input.name + (input.transposed ? "T" : "");
        if (input.source == InputSource::CausalMask) return Text("input %1 (causal mask)", name);
        return Text("input %1", name);
    }
    Text operator()(const Output& output) const {
        return output.name.empty() ? Text("output") : Text("output %1", output.name);
    }
    Text operator()(const Functional& functional) const { return {to_string(functional.op)}; }
    Text operator()(const Elementwise& elementwise) const {
        return {to_string(*elementwise.expr, argument_names(node.inputs.size()), dims)};
    }
    Text operator()(const Map& map) const {  // as in listings
        return {(map.serial() ? "for " : "forall ") + dim(map.dim) + (map.start == 0 ? "" : " from 1")};
    }
    Text operator()(const Reduce& reduce) const {
        return reduce.op == ReduceOp::Sum ? Text("sum over %1", dim(reduce.dim))
                                          : Text("max over %1", dim(reduce.dim));
    }
    Text operator()(const Misc& misc) const { return {misc.name}; }
};

}  // namespace

std::string reference(const GraphIndex& index, const ValueRef& ref) {
    std::string text = to_string(ref.node);
    const Node* node = index.find(ref.node);
    if (node && node->outputs.size() > 1) text += "." + std::to_string(ref.port);
    for (int i = 0; i < ref.first; ++i) text += i == 0 ? "[0" : ",0";
    return ref.first > 0 ? text + "]" : text;
}

std::string label(const Node& node, const DimTable& dims) {
    return label_text(node, dims).str();
}

Text label_text(const Node& node, const DimTable& dims) {
    return std::visit(Labeller{node, dims}, node.kind);
}

std::string to_string(PortIn mode) {
    switch (mode) {
        case PortIn::Iterated:
            return "iterated";
        case PortIn::Broadcast:
            return "broadcast";
        case PortIn::Continued:
            return "continued";
    }
    throw InternalError("unknown input mode");
}

std::string to_string(PortOut mode) {
    switch (mode) {
        case PortOut::Collected:
            return "collected";
        case PortOut::ReducedSum:
            return "sum";
        case PortOut::ReducedMax:
            return "max";
        case PortOut::Carried:
            return "carried";
    }
    throw InternalError("unknown output mode");
}

namespace {

constexpr int kMaxChanges = 2000;  // the search keeps the square of this many integers

using ChangeKind = LineChange::Kind;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The part of two texts between what they begin and end with.
struct Middle {
    int first, before, after;  // its place in both texts, and its length in each
    const SameLine& same;

    bool equal(int x, int y) const { return same(first + x, first + y); }
};

// Furthest-reaching x on each diagonal k = x - y; entry k + offset.
using Front = std::vector<int>;

// The fronts after 0, 1, 2, ... changes, the last of which reaches the end; empty if that takes too many.
std::vector<Front> fronts(const Middle& middle) {
    const int most = std::min(middle.before + middle.after, kMaxChanges);
    std::vector<Front> reached;
    for (int d = 0; d <= most; ++d) {
        Front front(static_cast<std::size_t>(2 * d + 1), -1);
        for (int k = -d; k <= d; k += 2) {
            const auto from = [&](int diagonal) {
                return reached.back()[static_cast<std::size_t>(diagonal + d - 1)];
            };
            int x = 0;
            if (d > 0) x = k == -d || (k != d && from(k - 1) < from(k + 1)) ? from(k + 1) : from(k - 1) + 1;
            while (x < middle.before && x - k < middle.after && middle.equal(x, x - k)) ++x;
            front[static_cast<std::size_t>(k + d)] = x;
            if (x < middle.before || x - k < middle.after) continue;
            reached.push_back(std::move(front));
            return reached;
        }
        reached.push_back(std::move(front));
    }
    return {};
}

// The way back from the end, last change first.
std::vector<LineChange> way(const Middle& middle, const std::vector<Front>& reached) {
    std::vector<LineChange> changes;
    int x = middle.before;
    int y = middle.after;
    const auto take = [&](ChangeKind kind) {
        const bool old_line = kind != ChangeKind::Added;
        const bool new_line = kind != ChangeKind::Removed;
        x -= old_line;
        y -= new_line;
        changes.push_back({kind, old_line ? middle.first + x : -1, new_line ? middle.first + y : -1});
    };
    for (int d = static_cast<int>(reached.size()) - 1; d > 0; --d) {
        const Front& front = reached[static_cast<std::size_t>(d - 1)];
        const auto from = [&](int diagonal) { return front[static_cast<std::size_t>(diagonal + d - 1)]; };
        const int k = x - y;
        const bool added = k == -d || (k != d && from(k - 1) < from(k + 1));
        const int start = added ? from(k + 1) : from(k - 1) + 1;
        while (x > start) take(ChangeKind::Same);
        take(added ? ChangeKind::Added : ChangeKind::Removed);
    }
    while (x > 0) take(ChangeKind::Same);
    return changes;
}

// Within each run of changes the removed lines first.
void order_runs(std::vector<LineChange>& changes) {
    for (auto at = changes.begin(); at != changes.end();) {
        const auto changed = [](const LineChange& change) { return change.kind != ChangeKind::Same; };
        at = std::find_if(at, changes.end(), changed);
        const auto end = std::find_if_not(at, changes.end(), changed);
        std::stable_partition(at, end, [](const LineChange& c) { return c.kind == ChangeKind::Removed; });
        at = end;
    }
}

}  // namespace

std::vector<LineChange> diff_lines(int before, int after, const SameLine& same) {
    int first = 0;
    while (first < before && first < after && same(first, first)) ++first;
    int last = 0;
    while (last < before - first && last < after - first && same(before - last - 1, after - last - 1)) ++last;
    const Middle middle{first, before - first - last, after - first - last, same};

    std::vector<LineChange> changes;
    for (int i = 0; i < first; ++i) changes.push_back({ChangeKind::Same, i, i});
    const std::vector<Front> reached = fronts(middle);
    if (reached.empty()) {
        for (int i = 0; i < middle.before; ++i) changes.push_back({ChangeKind::Removed, first + i, -1});
        for (int i = 0; i < middle.after; ++i) changes.push_back({ChangeKind::Added, -1, first + i});
    } else {
        const std::vector<LineChange> back = way(middle, reached);
        changes.insert(changes.end(), back.rbegin(), back.rend());
    }
    for (int i = last; i > 0; --i) changes.push_back({ChangeKind::Same, before - i, after - i});
    order_runs(changes);
    return changes;
}

std::string without_numbers(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i;
        while (end < line.size() && is_word(line[end])) ++end;
        if (end == i) {
            text += line[i++];
            continue;
        }
        const std::string_view word = line.substr(i, end - i);
        const bool numbered = word.size() > 1 && (word[0] == 't' || word[0] == 'I') &&
                              std::all_of(word.begin() + 1, word.end(), is_digit);
        text += numbered ? word.substr(0, 1) : word;
        i = end;
    }
    return text;
}

}  // namespace blockscope
