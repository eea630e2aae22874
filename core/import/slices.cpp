// Splits, slices and single indices, pushed to the weights: a packed product of queries, keys and values
// becomes three products with parts of the weight.
#include <algorithm>
#include <set>
#include <tuple>

#include "core/import/recognise.h"

namespace blockscope::model {
namespace {

// Elements `start` to `start` + `count` of an axis.
struct AxisRange {
    int tensor = -1;
    std::size_t axis = 0;
    std::int64_t start = 0;
    std::int64_t count = 0;

    bool operator<(const AxisRange& other) const {
        return std::tie(tensor, axis, start, count) <
               std::tie(other.tensor, other.axis, other.start, other.count);
    }
};

class SlicePusher {
public:
    explicit SlicePusher(TensorGraph& graph) : graph_(graph), producers_(graph.tensors.size(), -1) {}

    std::map<int, WeightPart> run() {
        std::vector<GraphNode> old = std::move(graph_.nodes);
        for (GraphNode& node : old)
            if (!push(node)) add(std::move(node));
        graph_.nodes = std::move(nodes_);
        drop_unused(graph_);
        return std::move(parts_);
    }

private:
    static constexpr int kDeepest = 200;

    Sizes sizes(int tensor) const {
        return sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]).value_or(Sizes());
    }
    std::string name_of(int tensor) const { return graph_.tensors[static_cast<std::size_t>(tensor)].name; }
    bool shaped(int tensor) const {
        return tensor >= 0 && sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]).has_value();
    }

    void add(GraphNode node) {
        producers_.resize(graph_.tensors.size(), -1);
        for (const int output : node.outputs)
            if (output >= 0) producers_[static_cast<std::size_t>(output)] = static_cast<int>(nodes_.size());
        nodes_.push_back(std::move(node));
    }

    int new_tensor(const std::string& name, int like, const Sizes& sizes) {
        GraphTensor tensor{.name = name,
                           .kind = graph_.tensors[static_cast<std::size_t>(like)].kind,
                           .extents = {},
                           .weight = false,
                           .values = {}};
        set_sizes(tensor, sizes);
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<int>(graph_.tensors.size()) - 1;
    }

    // Replaces a node that takes parts; false if it is none or cannot be pushed.
    bool push(const GraphNode& node) {
        if (node.inputs.empty() || !shaped(node.inputs[0])) return false;
        if (node.op == "Split") return split(node);
        if (node.op == "Slice") return slice(node);
        if (node.op == "Gather") return gather(node);
        return false;
    }

    // The output is another tensor's, seen in the output's shape.
    void alias(const GraphNode& node, int output, int tensor) {
        GraphNode reshape{
            .name = node.name, .op = "Reshape", .inputs = {tensor}, .outputs = {output}, .attributes = {}};
        reshape.attributes["shape"] = sizes(output);
        reshape.attributes["allowzero"] = std::int64_t{1};
        add(std::move(reshape));
    }

    bool split(const GraphNode& node) {
        const Sizes whole = sizes(node.inputs[0]);
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node, "axis", 0), whole.size());
        if (!axis) return false;
        const std::optional<Sizes> starts = split_starts(graph_, node, whole[*axis]);
        std::vector<int> parts;
        for (std::size_t i = 0; starts && i < node.outputs.size(); ++i)
            parts.push_back(taken({node.inputs[0], *axis, (*starts)[i], (*starts)[i + 1] - (*starts)[i]}, 0));
        if (!starts || std::find(parts.begin(), parts.end(), -1) != parts.end()) return false;
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (node.outputs[i] >= 0) alias(node, node.outputs[i], parts[i]);
        return true;
    }

    bool slice(const GraphNode& node) {
        const Sizes whole = sizes(node.inputs[0]);
        const auto ranges = slice_ranges(graph_, node, whole);
        int tensor = node.inputs[0];
        for (std::size_t i = 0; ranges && i < whole.size(); ++i) {
            const TakenRange& range = (*ranges)[i];
            if (range.start == 0 && range.count == whole[i] && range.step == 1) continue;
            if (range.step != 1 || range.count == 0) return false;
            tensor = taken({tensor, i, range.start, range.count}, 0);
            if (tensor < 0) return false;
        }
        if (ranges) alias(node, node.outputs[0], tensor);
        return ranges.has_value();
    }

    bool gather(const GraphNode& node) {
        const Sizes whole = sizes(node.inputs[0]);
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node, "axis", 0), whole.size());
        if (!axis || node.inputs.size() < 2 || node.inputs[1] < 0) return false;
        const GraphTensor& index = graph_.tensors[static_cast<std::size_t>(node.inputs[1])];
        if (!index.values || index.values->count() != 1) return false;
        std::int64_t at = index.values->whole(0);
        if (at < 0) at += whole[*axis];
        if (at < 0 || at >= whole[*axis]) return false;
        const int tensor = taken({node.inputs[0], *axis, at, 1}, 0);
        if (tensor < 0 || !shaped(node.outputs[0])) return false;
        alias(node, node.outputs[0], tensor);
        return true;
    }

    // The tensor that holds this range; -1 if it cannot be pushed to weights.
    int taken(const AxisRange& range, int depth) {
        if (!shaped(range.tensor) || range.count == 0 || depth > kDeepest) return -1;
        const Sizes whole = sizes(range.tensor);
        if (range.axis >= whole.size()) return -1;
        if (range.start == 0 && range.count == whole[range.axis]) return range.tensor;
        const auto known = taken_.find(range);
        if (known != taken_.end()) return known->second;
        const int result = make(range, whole, depth);
        taken_[range] = result;
        return result;
    }

    int make(const AxisRange& range, const Sizes& whole, int depth) {
        Sizes part = whole;
        part[range.axis] = range.count;
        producers_.resize(graph_.tensors.size(), -1);
        const int producer = producers_[static_cast<std::size_t>(range.tensor)];
        if (producer < 0) return weight(range, whole, part);
        const GraphNode node = nodes_[static_cast<std::size_t>(producer)];
        if (node.outputs.size() != 1) return -1;
        if (node.op == "MatMul") return of_product(node, range, part, depth);
        if (node.op == "Transpose") return of_transpose(node, range, part, depth);
        if (rearranges(node.op)) return of_reshape(node, range, whole, part, depth);
        return of_elements(node, range, part, depth);
    }

    static bool rearranges(const std::string& op) {
        return op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten" || op == "Identity";
    }

    // "_q", "_k" and "_v" of three parts, as packed projections have them; else the part's number or its
    // beginning.
    static std::string suffix(const AxisRange& range, const Sizes& whole) {
        if (range.start % range.count != 0) return "_from_" + std::to_string(range.start);
        const std::int64_t number = range.start / range.count;
        if (whole[range.axis] == 3 * range.count) return number == 0 ? "_q" : number == 1 ? "_k" : "_v";
        return "_" + std::to_string(number);
    }

    // The module's name with the suffix: "/attention_q/MatMul".
    static std::string node_name(const std::string& name, const std::string& behind) {
        const std::size_t slash = name.rfind('/');
        if (slash == std::string::npos || slash == 0) return name + behind;
        return name.substr(0, slash) + behind + name.substr(slash);
    }

    int weight(const AxisRange& range, const Sizes& whole, const Sizes& part) {
        const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(range.tensor)];
        if (!tensor.weight && !tensor.values) return -1;  // an input
        WeightPart from;
        if (const auto known = parts_.find(range.tensor); known != parts_.end()) {
            from = known->second;
        } else {
            from.of = range.tensor;
            from.steps.assign(whole.size(), 1);
            for (std::size_t i = whole.size(); i-- > 1;) from.steps[i - 1] = from.steps[i] * whole[i];
        }
        from.offset += range.start * from.steps[range.axis];
        const int result = new_tensor(name_of(range.tensor) + suffix(range, whole), range.tensor, part);
        graph_.tensors.back().weight = true;
        parts_[result] = std::move(from);
        return result;
    }

    int emit(const GraphNode& like, std::vector<int> inputs, const AxisRange& range, const Sizes& part) {
        const std::string behind = suffix(range, sizes(range.tensor));
        const int result = new_tensor(name_of(range.tensor) + behind, range.tensor, part);
        GraphNode node = like;
        node.name = node_name(like.name, behind);
        node.inputs = std::move(inputs);
        node.outputs = {result};
        add(std::move(node));
        return result;
    }

    int of_product(const GraphNode& node, const AxisRange& range, const Sizes& part, int depth) {
        const std::size_t rank = part.size();
        const std::size_t left = sizes(node.inputs[0]).size();
        const std::size_t right = sizes(node.inputs[1]).size();
        if (left < 2 || right < 2 || range.axis + 2 < rank) return -1;
        const bool columns = range.axis + 1 == rank;
        const int operand = node.inputs[columns ? 1 : 0];
        const std::size_t axis = columns ? right - 1 : left - 2;
        const int taken_part = taken({operand, axis, range.start, range.count}, depth + 1);
        if (taken_part < 0) return -1;
        std::vector<int> inputs = node.inputs;
        inputs[columns ? 1 : 0] = taken_part;
        return emit(node, std::move(inputs), range, part);
    }

    int of_transpose(const GraphNode& node, const AxisRange& range, const Sizes& part, int depth) {
        const Sizes order = list_attribute(node, "perm").value_or(Sizes());
        const std::size_t from =
            order.empty() ? part.size() - 1 - range.axis : static_cast<std::size_t>(order[range.axis]);
        const int operand = taken({node.inputs[0], from, range.start, range.count}, depth + 1);
        return operand < 0 ? -1 : emit(node, {operand}, range, part);
    }

    // An axis of the result is the outer part of one axis of the operand, all of it, or several of them.
    int of_reshape(const GraphNode& node, const AxisRange& range, const Sizes& whole, const Sizes& part,
                   int depth) {
        const Sizes from = sizes(node.inputs[0]);
        const auto outer_of = [](const Sizes& all, std::size_t axis) {
            return product(Sizes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(axis)));
        };
        const std::int64_t outer = outer_of(whole, range.axis);
        for (std::size_t i = 0; i < from.size(); ++i) {
            if (outer_of(from, i) != outer || from[i] == 1) continue;
            const std::int64_t size = whole[range.axis];
            AxisRange inside{node.inputs[0], i, 0, 0};
            if (from[i] % size == 0) {
                inside.start = range.start * (from[i] / size);
                inside.count = range.count * (from[i] / size);
            } else {
                const std::int64_t inner = size % from[i] == 0 ? size / from[i] : 0;
                if (inner == 0 || range.start % inner != 0 || range.count % inner != 0) return -1;
                inside.start = range.start / inner;
                inside.count = range.count / inner;
            }
            const int operand = taken(inside, depth + 1);
            if (operand < 0) return -1;
            GraphNode reshape{
                .name = node.name, .op = "Reshape", .inputs = {}, .outputs = {}, .attributes = {}};
            reshape.attributes["shape"] = part;
            reshape.attributes["allowzero"] = std::int64_t{1};
            return emit(reshape, {operand}, range, part);
        }
        return -1;
    }

    int of_elements(const GraphNode& node, const AxisRange& range, const Sizes& part, int depth) {
        static const std::set<std::string> by_element = {"Add",     "Sub",  "Mul",  "Div",  "Relu",
                                                         "Sigmoid", "Tanh", "Gelu", "Silu", "Erf",
                                                         "Sqrt",    "Exp",  "Neg",  "Cast"};
        if (by_element.count(node.op) == 0) return -1;
        std::vector<int> inputs;
        for (const int input : node.inputs) {
            if (!shaped(input)) return -1;
            const Sizes own = sizes(input);
            const std::size_t missing = part.size() - own.size();
            const bool spread = range.axis < missing || own[range.axis - missing] == 1;
            inputs.push_back(
                spread ? input : taken({input, range.axis - missing, range.start, range.count}, depth + 1));
            if (inputs.back() < 0) return -1;
        }
        return emit(node, std::move(inputs), range, part);
    }

    TensorGraph& graph_;
    std::vector<int> producers_;  // by tensor: a node of nodes_; -1
    std::vector<GraphNode> nodes_;
    std::map<AxisRange, int> taken_;
    std::map<int, WeightPart> parts_;
};

}  // namespace

std::map<int, WeightPart> push_slices(TensorGraph& graph) {
    return SlicePusher(graph).run();
}

}  // namespace blockscope::model
