#include "core/plan/layers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/cost/models/baseline.h"

namespace blockscope::plan {

namespace {

// An array from the node behind which it is there to the last one that reads it.
struct Span {
    int first = 0, last = 0;
    std::size_t readers = 0;
    bool made = false;  // by a node; else it is an input
};

// Of results, and of inputs that are arrays: behind the first node that reads them they are there as results
// are. By operator of the program.
std::map<int, Span> spans_of(const ArrayProgram& program, const OperatorGraph& graph) {
    std::map<int, Span> spans;
    for (int node = 0; node < graph.nodes(); ++node) {
        for (const int array : graph.reads[slot(node)]) {
            if (program.ops[slot(array)].source != InputSource::Array) continue;
            Span& span = spans.try_emplace(array, Span{node, node, 0, false}).first->second;
            span.last = node;
            ++span.readers;
        }
        spans.try_emplace(graph.op[slot(node)], Span{node, node, 0, true});
    }
    return spans;
}

// What belongs to no layer: an array that many read all over the program, as positions; an input that is read
// first and last, as the weight of an embedding that is the head's, too.
bool is_common(const Span& span, int nodes) {
    constexpr std::size_t kReaders = 4;
    const double part = static_cast<double>(span.last - span.first) / nodes;
    return (span.readers >= kReaders && part > 0.5) || (!span.made && part > 0.8);
}

// What depends on the result of a node.
std::vector<bool> reached_from(const OperatorGraph& graph, int node) {
    std::vector<bool> reached(slot(graph.nodes()), false);
    reached[slot(node)] = true;
    for (int next = node; next < graph.nodes(); ++next)
        if (reached[slot(next)])
            for (const int reader : graph.after[slot(next)]) reached[slot(reader)] = true;
    return reached;
}

// Where parts end. Nodes are in an order in which they can run. Behind the end of a part one array alone is
// read. Of layers that follow one another, also what is common to them; and what is like a mask that is
// computed first: it is read for long, and what has just been made does not depend on it.
class PartEnds {
public:
    PartEnds(const ArrayProgram& program, const OperatorGraph& graph, bool layered)
        : graph_(graph), layered_(layered) {
        starting_.resize(slot(graph.nodes()));
        for (const auto& [array, span] : spans_of(program, graph))
            if (span.last > span.first && !(layered && is_common(span, graph.nodes())))
                starting_[slot(span.first)].push_back(span);
    }

    // By node.
    std::vector<bool> find() {
        std::vector<bool> ends;
        for (int node = 0; node < graph_.nodes(); ++node) {
            std::erase_if(there_, [node](const Span& span) { return span.last <= node; });
            const std::vector<Span>& starting = starting_[slot(node)];
            there_.insert(there_.end(), starting.begin(), starting.end());
            ends.push_back(ends_behind(node));
        }
        return ends;
    }

private:
    bool ends_behind(int node) {
        constexpr std::size_t kMost = 32;  // arrays beside one another: of what is looked at in full
        if (there_.size() <= 1) return true;
        if (!layered_ || there_.size() > kMost) return false;
        for (const Span& span : there_)
            if (span.first != node && !is_aside(span, node)) return false;
        std::erase_if(there_, [node](const Span& span) { return span.first != node; });
        return there_.size() <= 1;
    }

    bool is_aside(const Span& span, int node) {
        if (!span.made || 5 * (span.last - span.first) < 2 * graph_.nodes()) return false;
        constexpr std::size_t kMostReached = 64;  // arrays, of which it is kept what depends on them
        auto known = reached_.find(span.first);
        if (known == reached_.end() && reached_.size() >= kMostReached) return false;
        if (known == reached_.end())
            known = reached_.emplace(span.first, reached_from(graph_, span.first)).first;
        return !known->second[slot(node)];
    }

    const OperatorGraph& graph_;
    bool layered_;
    std::vector<std::vector<Span>> starting_;  // by node
    std::vector<Span> there_;                  // behind the current node; without those that are aside
    std::map<int, std::vector<bool>> reached_;
};

// No part ends inside of a kernel.
std::vector<FusionGroup> parts_in_a_row(const ArrayProgram& program, const OperatorGraph& graph,
                                        const Baseline& kernels, bool layered) {
    std::vector<bool> ends = PartEnds(program, graph, layered).find();
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
                             const FusionGroup& nodes, bool outputs) {
    std::optional<std::string> shared;
    for (const int node : nodes) {
        const std::string& name = program.ops[slot(graph.op[slot(node)])].name;
        if (name.empty() || (!outputs && graph.output[slot(node)])) continue;
        if (!shared) shared = name;
        while (!shared->empty() && name != *shared && !name.starts_with(*shared + "_")) {
            const std::size_t word = shared->rfind('_');
            shared->erase(word == std::string::npos ? 0 : word);
        }
    }
    return shared.value_or("");
}

constexpr const char* kNoTitle = "layer";  // where the names of a model say nothing

std::string title_of(const ModelLayers& layers, const ArrayProgram& program, const LayerRun& run) {
    if (run.count == 1) return layers.parts[slot(run.first)].title;
    const auto beginning = [&](int layer) {
        const int first = run.first + layer * run.parts;
        const FusionGroup nodes = layers.nodes(first, first + run.parts - 1);
        // Outputs may have names of the whole model.
        const std::string all = shared_beginning(program, layers.graph, nodes, true);
        return all.empty() ? shared_beginning(program, layers.graph, nodes, false) : all;
    };
    const std::string first = beginning(0), last = beginning(run.count - 1);
    return first.empty() || last.empty() || first == last ? kNoTitle : first + " to " + last;
}

// What repeats may begin with any of its parts, where the first of them follow once more behind it: it begins
// where the names of each layer have a beginning of their own. norm, (attention, norm, MLP, norm) twice, and
// not (norm, attention, norm, MLP) twice, norm.
void begin_by_names(ModelLayers& layers, const ArrayProgram& program) {
    for (std::size_t at = 0; at < layers.runs.size(); ++at) {
        LayerRun run = layers.runs[at];
        if (run.count == 1 || run.title != kNoTitle) continue;
        const int behind = run.first + run.parts * run.count;
        for (int shift = 1; shift < run.parts; ++shift) {
            const std::size_t next = at + slot(shift);  // the run of the last part that would join
            const int joins = behind + shift - 1;
            if (next >= layers.runs.size() || layers.runs[next].first != joins ||
                layers.runs[next].count > 1 ||
                layers.parts[slot(joins)].like != layers.parts[slot(run.first + shift - 1)].like)
                break;
            LayerRun moved = run;
            moved.first += shift;
            moved.title = title_of(layers, program, moved);
            if (moved.title == kNoTitle) continue;
            std::rotate(layers.runs.begin() + static_cast<std::ptrdiff_t>(at),
                        layers.runs.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                        layers.runs.begin() + static_cast<std::ptrdiff_t>(next) + 1);
            for (int i = 0; i < shift; ++i) {
                const int part = run.first + i;
                layers.runs[at + slot(i)] = {part, 1, 1, layers.parts[slot(part)].title};
            }
            layers.runs[next] = moved;
            break;
        }
    }
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

PartCost ModelLayers::cost_in_all(const LayerRun& run, int first, int last) const {
    PartCost sum;
    for (int layer = 0; layer < run.count; ++layer)
        sum += cost(first + layer * run.parts, last + layer * run.parts);
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

namespace {

// A layer reads what the one before makes, and has more than one operator.
bool is_layer(const ModelLayers& layers, const LayerRun& run) {
    if (run.count == 1) return true;
    const FusionGroup first = layers.nodes(run.first, run.first + run.parts - 1);
    const FusionGroup next = layers.nodes(run.first + run.parts, run.first + 2 * run.parts - 1);
    return first.size() > 1 && std::any_of(next.begin(), next.end(), [&](int node) {
               const std::vector<int>& before = layers.graph.before[slot(node)];
               return std::any_of(before.begin(), before.end(), [&](int source) {
                   return std::binary_search(first.begin(), first.end(), source);
               });
           });
}

// Equal parts that are no layers are single ones.
std::vector<LayerRun> layer_runs(const ModelLayers& layers, const std::vector<int>& like) {
    std::vector<LayerRun> runs;
    for (const LayerRun& run : repeated_runs(like)) {
        if (is_layer(layers, run)) {
            runs.push_back(run);
            continue;
        }
        for (int part = run.first; part < run.first + run.parts * run.count; ++part)
            runs.push_back({part, 1, 1, {}});
    }
    return runs;
}

ModelLayers found_layers(const ArrayProgram& program, const OperatorGraph& graph, const Baseline& library,
                         bool layered, const StopSign& stop) {
    ModelLayers layers;
    layers.graph = graph;
    std::map<std::string, int> known;
    std::vector<int> like;
    for (FusionGroup& nodes : parts_in_a_row(program, layers.graph, library, layered)) {
        stop.check();
        const int number = static_cast<int>(layers.parts.size());
        const Result<ArrayProgram> alone = group_program(program, layers.graph, nodes);
        const std::string key = alone ? key_up_to_names(*alone) : "part " + std::to_string(number);
        like.push_back(known.try_emplace(key, number).first->second);
        std::string title = title_of(program, layers.graph, nodes);
        layers.parts.push_back(
            {.nodes = std::move(nodes), .like = like.back(), .title = std::move(title), .cost = {}});
    }
    layers.runs = layer_runs(layers, like);
    return layers;
}

// Of how many operators it is known that they are in layers.
std::size_t repeated_nodes(const ModelLayers& layers) {
    std::size_t nodes = 0;
    for (const LayerRun& run : layers.runs)
        if (run.count > 1) nodes += layers.nodes(run.first, run.first + run.parts * run.count - 1).size();
    return nodes;
}

}  // namespace

ModelLayers layers_of(const ArrayProgram& program, const Device& device, const StopSign& stop) {
    const OperatorGraph graph = operator_graph(program);
    if (graph.nodes() == 0) return {.graph = graph, .parts = {}, .runs = {}, .all = {}};
    const Baseline library = baseline(program, BaselineKind::Library);
    ModelLayers layers = found_layers(program, graph, library, false, stop);
    ModelLayers layered = found_layers(program, graph, library, true, stop);
    if (repeated_nodes(layered) > repeated_nodes(layers)) layers = std::move(layered);
    for (LayerRun& run : layers.runs) run.title = title_of(layers, program, run);
    begin_by_names(layers, program);
    add_costs(layers, library, device);
    return layers;
}

}  // namespace blockscope::plan
