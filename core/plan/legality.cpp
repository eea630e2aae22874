#include "core/plan/legality.h"

#include <algorithm>
#include <map>

#include "core/json/reader.h"

namespace blockscope::plan {

namespace {

using json::Reader;

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50U;

class NamedGraphReader {
public:
    NamedGraphReader(const json::Value& root, json::Report& report) : root_(root, report) {}

    NamedGraph read() {
        if (!root_.object({"nodes", "edges"})) return {};
        const Reader nodes = root_.member("nodes");
        if (!nodes.array(1, kMaxNamedOperators)) return {};
        for (std::size_t i = 0; i < nodes.size(); ++i) node(nodes.at(i));
        graph_.before.resize(graph_.operators.size());
        graph_.after.resize(graph_.operators.size());
        const Reader edges = root_.member("edges");
        if (edges.array(0, std::size_t{kMaxNamedOperators} * kMaxNamedOperators))
            for (std::size_t i = 0; i < edges.size(); ++i) edge(edges.at(i));
        for (auto* lists : {&graph_.before, &graph_.after})
            for (std::vector<int>& list : *lists) std::sort(list.begin(), list.end());
        return std::move(graph_);
    }

private:
    void node(const Reader& node) {
        NamedOperator made;
        if (!node.object({"name", "kind", "shape", "bytes", "effect?", "control_flow?", "type?"})) {
            graph_.operators.push_back(made);
            return;
        }
        const Reader name = node.member("name");
        if (auto text = name.plain_text(json::kMaxNameBytes)) made.name = std::move(*text);
        if (!numbers_.emplace(made.name, static_cast<int>(graph_.operators.size())).second)
            name.problem(Text("there is another operator of this name"));
        if (const auto kind = node.member("kind").choice({kOperatorKinds.begin(), kOperatorKinds.end()}))
            made.kind = static_cast<OperatorKind>(*kind);
        const Reader shape = node.member("shape");
        if (shape.array(0, 16))
            for (std::size_t i = 0; i < shape.size(); ++i)
                if (const auto size = shape.at(i).integer(1, kMostBytes)) made.shape.push_back(*size);
        if (const auto bytes = node.member("bytes").integer(0, kMostBytes)) made.bytes = *bytes;
        if (node.has("effect")) made.effect = node.member("effect").boolean().value_or(false);
        if (node.has("control_flow"))
            made.control_flow = node.member("control_flow").boolean().value_or(false);
        if (node.has("type"))
            made.type = node.member("type").plain_text(json::kMaxNameBytes).value_or(std::string());
        graph_.operators.push_back(std::move(made));
    }

    std::optional<int> end(const Reader& end) {
        const auto count = static_cast<std::int64_t>(graph_.operators.size());
        if (end.peek_integer()) {
            const auto number = end.integer(0, count - 1);
            return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
        }
        const auto name = end.plain_text(json::kMaxNameBytes);
        if (!name) return std::nullopt;
        const auto found = numbers_.find(*name);
        if (found == numbers_.end()) {
            end.problem(Text("there is no operator %1", *name));
            return std::nullopt;
        }
        return found->second;
    }

    void edge(const Reader& edge) {
        if (!edge.array(2, 2)) return;
        const auto from = end(edge.at(0)), to = end(edge.at(1));
        if (!from || !to) return;
        auto& after = graph_.after[static_cast<std::size_t>(*from)];
        if (leads(*to, *from)) {
            edge.problem(Text("this edge closes a cycle"));
        } else if (std::find(after.begin(), after.end(), *to) != after.end()) {
            edge.problem(Text("this edge stands twice"));
        } else {
            after.push_back(*to);
            graph_.before[static_cast<std::size_t>(*to)].push_back(*from);
        }
    }

    // Whether `to` is `from`, or reads from it by way of others.
    bool leads(int from, int to) const {
        std::vector<bool> seen(graph_.operators.size());
        std::vector<int> open{from};
        while (!open.empty()) {
            const int node = open.back();
            open.pop_back();
            if (node == to) return true;
            if (seen[static_cast<std::size_t>(node)]) continue;
            seen[static_cast<std::size_t>(node)] = true;
            const auto& after = graph_.after[static_cast<std::size_t>(node)];
            open.insert(open.end(), after.begin(), after.end());
        }
        return false;
    }

    Reader root_;
    NamedGraph graph_;
    std::map<std::string, int> numbers_;
};

const NamedOperator& at(const NamedGraph& graph, int node) {
    return graph.operators[static_cast<std::size_t>(node)];
}

bool has_edge(const NamedGraph& graph, int from, int to) {
    const auto& after = graph.after[static_cast<std::size_t>(from)];
    return std::binary_search(after.begin(), after.end(), to);
}

// An operator on a path from `from` to `to`, or -1.
int between(const NamedGraph& graph, int from, int to) {
    std::vector<int> first(graph.operators.size(), -1);  // operator after `from` by which it is reached
    std::vector<int> open;
    for (const int next : graph.after[static_cast<std::size_t>(from)]) {
        first[static_cast<std::size_t>(next)] = next;
        open.push_back(next);
    }
    for (std::size_t i = 0; i < open.size(); ++i)
        for (const int next : graph.after[static_cast<std::size_t>(open[i])]) {
            const int by = first[static_cast<std::size_t>(open[i])];
            if (next == to) return by;
            if (first[static_cast<std::size_t>(next)] >= 0) continue;
            first[static_cast<std::size_t>(next)] = by;
            open.push_back(next);
        }
    return -1;
}

// What an operator iterates over: its result's elements, a reduction what it reads.
std::vector<std::int64_t> domain(const NamedGraph& graph, int node) {
    std::vector<std::int64_t> shape = at(graph, node).shape;
    if (at(graph, node).kind != OperatorKind::Reduction) return shape;
    if (!at(graph, node).domain.empty()) return at(graph, node).domain;
    for (const int source : graph.before[static_cast<std::size_t>(node)])
        if (at(graph, source).shape.size() >= shape.size()) shape = at(graph, source).shape;
    return shape;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

// Products, transposes and reshapes have axes of their own: their results need the same rank only.
bool keeps_axes(OperatorKind kind) {
    return kind == OperatorKind::Elementwise || kind == OperatorKind::Reduction ||
           kind == OperatorKind::Broadcast || kind == OperatorKind::Dropout;
}

bool alignable(const NamedGraph& graph, int from, int to) {
    const std::vector<std::int64_t> a = domain(graph, from), b = domain(graph, to);
    if (a.size() != b.size()) return false;
    if (!keeps_axes(at(graph, to).kind)) return true;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1) return false;
    return true;
}

bool has_effect(const NamedOperator& one, const LegalityOptions& options) {
    return one.effect || (one.kind == OperatorKind::Dropout && options.training);
}

// Nothing if both as one kernel have room.
std::optional<Text> no_room(const NamedGraph& graph, int one, int other, const LegalityOptions& options) {
    if (options.misfit) {
        const std::optional<Text> why = options.misfit(std::min(one, other), std::max(one, other));
        if (!why) return std::nullopt;
        return Text("%1 and %2 as one kernel: %3", at(graph, one).name, at(graph, other).name, *why);
    }
    const NamedOperator &a = at(graph, one), &b = at(graph, other);
    if (a.bytes + b.bytes <= options.local_bytes) return std::nullopt;
    return Text("%1 and %2 need %3 bytes of local memory together; %4 are there", a.name, b.name,
                a.bytes + b.bytes, options.local_bytes);
}

// Two operators in the order of the edge between them, or as they were given.
struct Ends {
    bool edge = false;
    int from = 0, to = 0;
};

Ends ends_of(const NamedGraph& graph, int a, int b) {
    if (has_edge(graph, b, a)) return {true, b, a};
    return {has_edge(graph, a, b), a, b};
}

}  // namespace

Result<NamedGraph> read_named_graph(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    NamedGraph graph = NamedGraphReader(*document, report).read();
    if (!report.clean()) return report.problems();
    return graph;
}

std::vector<Verdict> violated_rules(const NamedGraph& graph, int a, int b, const LegalityOptions& options) {
    std::vector<Verdict> violated;
    const auto [edge, from, to] = ends_of(graph, a, b);
    const NamedOperator &one = at(graph, a), &other = at(graph, b);
    if (!edge)
        violated.push_back(
            {1, Text("neither %1 nor %2 reads what the other computes", one.name, other.name)});
    for (const auto& [first, last] : {std::pair(a, b), std::pair(b, a)})
        if (const int middle = between(graph, first, last); middle >= 0)
            violated.push_back(
                {2, Text("%1 leads to %2 through %3, too, which would have to run within the kernel",
                         at(graph, first).name, at(graph, last).name, at(graph, middle).name)});
    if (edge && !alignable(graph, from, to))
        violated.push_back(
            {3, Text("%1 goes over %2, %3 over %4", at(graph, from).name, shape_text(domain(graph, from)),
                     at(graph, to).name, shape_text(domain(graph, to)))});
    for (const NamedOperator* op : {&one, &other})
        if (has_effect(*op, options))
            violated.push_back({4, op->kind == OperatorKind::Dropout && !op->effect
                                       ? Text("%1 draws random numbers in training", op->name)
                                       : Text("%1 does something besides computing its result", op->name)});
    if (const auto why = no_room(graph, a, b, options)) violated.push_back({5, *why});
    return violated;
}

std::vector<Verdict> failed_checks(const NamedGraph& graph, int a, int b, const LegalityOptions& options) {
    std::vector<Verdict> failed;
    const auto [edge, from, to] = ends_of(graph, a, b);
    const NamedOperator &first = at(graph, from), &second = at(graph, to);
    if (!edge) failed.push_back({1, Text("%1 does not read what %2 computes", second.name, first.name)});
    const auto users = static_cast<std::int64_t>(graph.after[static_cast<std::size_t>(from)].size());
    if (edge && users > 1)
        failed.push_back({2, Text("%1 operators read what %2 computes", users, first.name)});
    if (const auto why = no_room(graph, from, to, options)) failed.push_back({3, *why});
    if (!first.type.empty() && !second.type.empty() && first.type != second.type)
        failed.push_back(
            {4, Text("%1 computes %2, %3 computes %4", first.name, first.type, second.name, second.type)});
    for (const NamedOperator* op : {&first, &second})
        if (op->control_flow) failed.push_back({5, Text("%1 has control flow of its own", op->name)});
    return failed;
}

std::vector<Text> warnings(const NamedGraph& graph, int a, int b) {
    if (!ends_of(graph, a, b).edge || at(graph, a).kind != OperatorKind::Matmul ||
        at(graph, b).kind != OperatorKind::Matmul)
        return {};
    return {
        Text("two products as one kernel need tiles: a row of the first has to be whole before the second "
             "uses it")};
}

}  // namespace blockscope::plan
