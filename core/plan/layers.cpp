#include "core/plan/layers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/cost/models/baseline.h"

namespace blockscope::plan {

namespace {

constexpr std::size_t kCommonReaders =
    4;  // an array that so many read, all over the program, is common to it

// An array from the node after which it is there to the last one that reads it.
struct Span {
    int first = 0, last = 0;
    std::size_t readers = 0;
};

// Of results, and of inputs that several nodes read: behind the first of them they are there as results are.
std::vector<Span> spans_of(const OperatorGraph& graph) {
    std::vector<Span> spans;
    std::map<int, Span> arrays;  // by operator of the program
    for (int node = 0; node < graph.nodes(); ++node) {
        for (const int array : graph.reads[slot(node)]) {
            Span& span = arrays.try_emplace(array, Span{node, node, 0}).first->second;
            span.last = node;
            ++span.readers;
        }
        arrays.try_emplace(graph.op[slot(node)], Span{node, node, 0});
    }
    for (const auto& [array, span] : arrays) spans.push_back(span);
    return spans;
}

bool is_common(const Span& span, int nodes) {
    return span.readers >= kCommonReaders && 2 * (span.last - span.first) > nodes;
}

// Whether a part ends behind each node. Nodes are in an order in which they can run.
std::vector<bool> ends_of_parts(const OperatorGraph& graph) {
    std::vector<int> change(slot(graph.nodes()) + 1, 0);  // of how many arrays are there and still read
    for (const Span& span : spans_of(graph)) {
        if (is_common(span, graph.nodes())) continue;
        ++change[slot(span.first)];
        --change[slot(span.last)];
    }
    std::vector<bool> ends;
    int there = 0;
    for (int node = 0; node < graph.nodes(); ++node) {
        there += change[slot(node)];
        ends.push_back(there <= 1);
    }
    return ends;
}

// No part ends inside of a kernel.
std::vector<FusionGroup> parts_in_a_row(const OperatorGraph& graph, const Baseline& kernels) {
    std::vector<bool> ends = ends_of_parts(graph);
    std::map<int, int> node_of;  // by operator of the program
    for (int node = 0; node < graph.nodes(); ++node) node_of[graph.op[slot(node)]] = node;
    for (const BaselineKernel& kernel : kernels.kernels) {
        std::set<int> nodes;
        for (const int op : kernel.ops)
            if (node_of.contains(op)) nodes.insert(node_of.at(op));
        if (!nodes.empty()) std::fill(ends.begin() + *nodes.begin(), ends.begin() + *nodes.rbegin(), false);
    }
    std::vector<FusionGroup> parts(1);
    for (int node = 0; node < graph.nodes(); ++node) {
        parts.back().push_back(node);
        if (ends[slot(node)] && node + 1 < graph.nodes()) parts.emplace_back();
    }
    return parts;
}

ArrayOpKind kind_of(const ArrayProgram& program, const OperatorGraph& graph, int node) {
    return program.ops[slot(graph.op[slot(node)])].kind;
}

// Whether a product reads what a node of this kind has made of a product, within the part.
bool is_between_products(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& nodes,
                         ArrayOpKind kind) {
    std::map<int, int> stage;  // by node: 1, a product is before it; 2, the kind, too
    for (const int node : nodes) {
        int here = 0;
        for (const int before : graph.before[slot(node)])
            if (const auto known = stage.find(before); known != stage.end())
                here = std::max(here, known->second);
        const ArrayOpKind own = kind_of(program, graph, node);
        if (own == ArrayOpKind::Matmul && here == 2) return true;
        if (own == ArrayOpKind::Matmul) here = std::max(here, 1);
        if (own == kind && here == 1) here = 2;
        stage[node] = here;
    }
    return false;
}

// "attention" has a softmax between products, an "MLP" an elementwise function.
std::string title_of(const ArrayProgram& program, const OperatorGraph& graph, const FusionGroup& nodes) {
    if (is_between_products(program, graph, nodes, ArrayOpKind::Softmax)) return "attention";
    if (is_between_products(program, graph, nodes, ArrayOpKind::Elementwise)) return "MLP";
    std::vector<std::string> words;
    for (const int node : nodes) {
        const std::string word = what_it_does(program, graph, node);
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
    constexpr std::size_t kMostWords = 3;
    std::string title = words.front();
    for (std::size_t i = 1; i < std::min(words.size(), kMostWords); ++i) title += ", " + words[i];
    return words.size() > kMostWords ? title + ", ..." : title;
}

// The beginning that all names of a model's operators share, up to the end of a word: "layers_4" of
// "layers_4_q" and "layers_4". Empty if there is none.
std::string shared_beginning(const ArrayProgram& program, const OperatorGraph& graph,
                             const FusionGroup& nodes) {
    std::optional<std::string> shared;
    for (const int node : nodes) {
        const std::string& name = program.ops[slot(graph.op[slot(node)])].name;
        if (name.empty()) continue;
        if (!shared) shared = name;
        while (!shared->empty() && name != *shared && !name.starts_with(*shared + "_")) {
            const std::size_t word = shared->rfind('_');
            shared->erase(word == std::string::npos ? 0 : word);
        }
    }
    return shared.value_or("");
}

std::string title_of(const ModelLayers& layers, const ArrayProgram& program, const LayerRun& run) {
    if (run.count == 1) return layers.parts[slot(run.first)].title;
    const auto beginning = [&](int layer) {
        const int first = run.first + layer * run.parts;
        return shared_beginning(program, layers.graph, layers.nodes(first, first + run.parts - 1));
    };
    const std::string first = beginning(0), last = beginning(run.count - 1);
    return first.empty() || last.empty() || first == last ? "layer" : first + " to " + last;
}

void add_costs(ModelLayers& layers, const Baseline& library, const Device& device) {
    std::map<int, std::size_t> part_of;  // by operator of the program
    for (std::size_t i = 0; i < layers.parts.size(); ++i)
        for (const int node : layers.parts[i].nodes) part_of[layers.graph.op[slot(node)]] = i;
    const Prediction times = predict_baseline(library, device);
    for (std::size_t i = 0; i < library.kernels.size(); ++i) {
        const BaselineKernel& kernel = library.kernels[i];
        const PartCost cost{.bytes = library.read(kernel) + library.written(kernel),
                            .seconds = times.kernels.at(i).seconds,
                            .kernels = 1};
        layers.all += cost;
        const auto known = std::find_if(kernel.ops.rbegin(), kernel.ops.rend(),
                                        [&](int op) { return part_of.contains(op); });
        if (known != kernel.ops.rend()) layers.parts[part_of.at(*known)].cost += cost;
    }
}

// How often the layer of `size` parts at `first` follows itself.
int repetitions(const std::vector<int>& like, std::size_t first, std::size_t size) {
    std::size_t same = 0;
    while (first + size + same < like.size() && like[first + same] == like[first + size + same]) ++same;
    return 1 + static_cast<int>(same / size);
}

}  // namespace

PartCost& PartCost::operator+=(const PartCost& other) {
    bytes += other.bytes;
    seconds += other.seconds;
    kernels += other.kernels;
    return *this;
}

FusionGroup ModelLayers::nodes(int first, int last) const {
    FusionGroup all_nodes;
    for (int part = first; part <= last; ++part)
        all_nodes.insert(all_nodes.end(), parts[slot(part)].nodes.begin(), parts[slot(part)].nodes.end());
    return all_nodes;
}

PartCost ModelLayers::cost(int first, int last) const {
    PartCost sum;
    for (int part = first; part <= last; ++part) sum += parts[slot(part)].cost;
    return sum;
}

std::vector<LayerRun> repeated_runs(const std::vector<int>& like) {
    std::vector<LayerRun> runs;
    for (std::size_t first = 0; first < like.size();) {
        LayerRun best;
        best.first = static_cast<int>(first);
        for (std::size_t size = 1; first + 2 * size <= like.size(); ++size) {
            const int count = repetitions(like, first, size);
            if (count > 1 && count * static_cast<int>(size) > best.count * best.parts)
                best = {best.first, static_cast<int>(size), count, {}};
        }
        runs.push_back(best);
        first += slot(best.count * best.parts);
    }
    return runs;
}

ModelLayers layers_of(const ArrayProgram& program, const Device& device) {
    ModelLayers layers;
    layers.graph = operator_graph(program);
    if (layers.graph.nodes() == 0) return layers;
    std::map<std::string, int> known;
    std::vector<int> like;
    const Baseline library = baseline(program, BaselineKind::Library);
    for (FusionGroup& nodes : parts_in_a_row(layers.graph, library)) {
        const int number = static_cast<int>(layers.parts.size());
        const Result<ArrayProgram> alone = group_program(program, layers.graph, nodes);
        const std::string key = alone ? key_up_to_names(*alone) : "part " + std::to_string(number);
        like.push_back(known.try_emplace(key, number).first->second);
        std::string title = title_of(program, layers.graph, nodes);
        layers.parts.push_back(
            {.nodes = std::move(nodes), .like = like.back(), .title = std::move(title), .cost = {}});
    }
    layers.runs = repeated_runs(like);
    for (LayerRun& run : layers.runs) run.title = title_of(layers, program, run);
    add_costs(layers, library, device);
    return layers;
}

}  // namespace blockscope::plan
