#include "core/import/shapes.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

#include "core/import/parts.h"
#include "core/import/window_shapes.h"

namespace blockscope::model {
namespace {

std::optional<Sizes> input_sizes(const TensorGraph& graph, const GraphNode& node, std::size_t i) {
    const GraphTensor* tensor = input_tensor(graph, node, i);
    return tensor != nullptr ? sizes_of(*tensor) : std::nullopt;
}

std::optional<Sizes> input_wholes(const TensorGraph& graph, const GraphNode& node, std::size_t i) {
    const GraphTensor* tensor = input_tensor(graph, node, i);
    constexpr std::size_t most = 64;  // what lists axes or extents is short
    if (tensor == nullptr || !tensor->values || tensor->values->count() > most) return std::nullopt;
    return tensor->values->wholes();
}

}  // namespace

std::int64_t product(const Sizes& sizes) {
    std::int64_t result = 1;
    for (const std::int64_t size : sizes) {
        if (size != 0 && result > kMostElements / size) return kMostElements;
        result *= size;
    }
    return result;
}

std::optional<Sizes> sizes_of(const GraphTensor& tensor) {
    if (!tensor.extents) return std::nullopt;
    Sizes sizes;
    for (const TensorExtent& extent : *tensor.extents) {
        if (extent.size < 0) return std::nullopt;
        sizes.push_back(extent.size);
    }
    return sizes;
}

void set_sizes(GraphTensor& tensor, const Sizes& sizes) {
    std::vector<TensorExtent> extents;
    for (const std::int64_t size : sizes) extents.push_back({size, {}});
    tensor.extents = std::move(extents);
}

std::vector<std::string> symbols_of(const TensorGraph& graph) {
    std::vector<std::string> symbols;
    const auto note = [&](const std::string& symbol) {
        const bool known = std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
        if (!symbol.empty() && !known) symbols.push_back(symbol);
    };
    for (const int input : graph.inputs) {
        const GraphTensor& tensor = graph.tensors[static_cast<std::size_t>(input)];
        if (!tensor.extents) continue;
        for (const TensorExtent& extent : *tensor.extents) {
            if (extent.size >= 0) continue;
            const auto formula = graph.formulas.find(extent.symbol);
            if (formula == graph.formulas.end())
                note(extent.symbol);
            else
                for (const std::string& symbol : formula->second.symbols()) note(symbol);
        }
    }
    return symbols;
}

void bind_symbols(TensorGraph& graph, const std::map<std::string, std::int64_t>& sizes) {
    std::map<std::string, std::int64_t> all = sizes;
    for (const auto& [name, formula] : graph.formulas)
        if (const auto value = formula.value(sizes)) all.emplace(name, *value);
    const auto bind = [&](TensorExtent& extent) {
        const auto found = all.find(extent.symbol);
        if (extent.size >= 0 || found == all.end()) return;
        extent.size = found->second;
        if (graph.formulas.count(extent.symbol) > 0) extent.symbol.clear();  // no name of a dimension
    };
    for (GraphTensor& tensor : graph.tensors)
        if (tensor.extents)
            for (TensorExtent& extent : *tensor.extents) bind(extent);
    for (auto& [tensor, numbers] : graph.computed) {
        Sizes values;
        for (TensorExtent& number : numbers) {
            bind(number);
            if (number.size >= 0) values.push_back(number.size);
        }
        if (values.size() == numbers.size())
            graph.tensors[static_cast<std::size_t>(tensor)].values = TensorValues::of_whole(values);
    }
}

std::optional<Sizes> broadcast_sizes(const Sizes& a, const Sizes& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    Sizes result(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t left = i + a.size() >= rank ? a[i + a.size() - rank] : 1;
        const std::int64_t right = i + b.size() >= rank ? b[i + b.size() - rank] : 1;
        if (left != right && left != 1 && right != 1) return std::nullopt;
        result[i] = left == 1 ? right : left;
    }
    return result;
}

std::optional<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
    const auto end = static_cast<std::int64_t>(rank);
    if (axis < -end || axis >= end) return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

std::optional<std::vector<std::size_t>> axes_of(const TensorGraph& graph, const GraphNode& node,
                                                std::size_t input, std::size_t rank, bool all) {
    std::optional<Sizes> named = list_attribute(node, "axes");
    if (!named && input_tensor(graph, node, input) != nullptr) {
        named = input_wholes(graph, node, input);
        if (!named) return std::nullopt;
    }
    std::vector<std::size_t> axes;
    if (!named || named->empty()) {
        for (std::size_t i = 0; all && i < rank; ++i) axes.push_back(i);
        return axes;
    }
    for (const std::int64_t axis : *named) {
        const std::optional<std::size_t> one = axis_of(axis, rank);
        if (!one || std::find(axes.begin(), axes.end(), *one) != axes.end()) return std::nullopt;
        axes.push_back(*one);
    }
    return axes;
}

std::optional<std::vector<TakenRange>> slice_ranges(const TensorGraph& graph, const GraphNode& node,
                                                    const Sizes& sizes) {
    std::optional<Sizes> starts = list_attribute(node, "starts");
    std::optional<Sizes> ends = list_attribute(node, "ends");
    std::optional<Sizes> axes = list_attribute(node, "axes");
    if (!starts) starts = input_wholes(graph, node, 1);
    if (!ends) ends = input_wholes(graph, node, 2);
    if (!axes && input_tensor(graph, node, 3) != nullptr && !(axes = input_wholes(graph, node, 3)))
        return std::nullopt;
    std::optional<Sizes> steps;
    if (input_tensor(graph, node, 4) != nullptr && !(steps = input_wholes(graph, node, 4)))
        return std::nullopt;
    if (!starts || !ends || starts->size() != ends->size()) return std::nullopt;
    if ((axes && axes->size() != starts->size()) || (steps && steps->size() != starts->size()))
        return std::nullopt;
    std::vector<TakenRange> ranges;
    for (const std::int64_t size : sizes) ranges.push_back({0, 1, size});
    for (std::size_t i = 0; i < starts->size(); ++i) {
        const std::optional<std::size_t> axis =
            axis_of(axes ? (*axes)[i] : static_cast<std::int64_t>(i), sizes.size());
        const std::int64_t step = steps ? (*steps)[i] : 1;
        if (!axis || step == 0 || step == INT64_MIN) return std::nullopt;
        const std::int64_t size = sizes[*axis];
        const auto place = [&](std::int64_t at, std::int64_t least, std::int64_t most) {
            return std::clamp(at < 0 ? at + size : at, least, most);
        };
        const std::int64_t start = step > 0 ? place((*starts)[i], 0, size) : place((*starts)[i], 0, size - 1);
        const std::int64_t end = step > 0             ? place((*ends)[i], 0, size)
                                 : (*ends)[i] < -size ? -1
                                                      : place((*ends)[i], -1, size - 1);
        const std::int64_t length = step > 0 ? end - start : start - end;
        const std::int64_t stride = step > 0 ? step : -step;
        const std::int64_t count = length <= 0 || size == 0 ? 0 : (length - 1) / stride + 1;
        ranges[*axis] = {start, step, count};
    }
    return ranges;
}

std::optional<Sizes> split_starts(const TensorGraph& graph, const GraphNode& node, std::int64_t size) {
    std::optional<Sizes> parts = list_attribute(node, "split");
    if (!parts && input_tensor(graph, node, 1) != nullptr && !(parts = input_wholes(graph, node, 1)))
        return std::nullopt;
    if (!parts) {
        const auto count = static_cast<std::int64_t>(node.outputs.size());
        const std::int64_t each = (size + count - 1) / count;
        parts.emplace(node.outputs.size(), each);
        parts->back() = size - each * (count - 1);
    }
    Sizes starts = {0};
    for (const std::int64_t part : *parts) {
        if (part < 0 || part > size - starts.back()) return std::nullopt;
        starts.push_back(starts.back() + part);
    }
    if (starts.back() != size || parts->size() < node.outputs.size()) return std::nullopt;
    return starts;
}

// ---- Shapes.

namespace {

using Inputs = std::vector<std::optional<Sizes>>;

// What one node makes: the shape of each output, as far as it follows.
class ShapeRules {
public:
    ShapeRules(const TensorGraph& graph, const GraphNode& node) : graph_(graph), node_(node) {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) in_.push_back(input_sizes(graph, node, i));
    }

    std::vector<std::optional<Sizes>> run() {
        const auto rule = rules().find(node_.op);
        std::vector<std::optional<Sizes>> out(node_.outputs.size());
        if (rule == rules().end() || out.empty()) return out;
        if (node_.op == "Split") return split();
        out[0] = rule->second(*this);
        return out;
    }
    // Whether the rule alone decides, whatever the file says. Of the others the file is asked where no shape
    // follows.
    bool decides() const {
        static const std::set<std::string> asked = {"Reshape", "Expand",      "Attention", "Conv",
                                                    "MaxPool", "AveragePool", "Pad",       "Tile"};
        return rules().count(node_.op) > 0 && asked.count(node_.op) == 0;
    }

private:
    using Rule = std::function<std::optional<Sizes>(const ShapeRules&)>;

    static const std::map<std::string, Rule>& rules();

    bool known(std::size_t i) const { return i < in_.size() && in_[i].has_value(); }

    std::optional<Sizes> same() const { return known(0) ? in_[0] : std::nullopt; }

    std::optional<Sizes> spread() const {
        std::optional<Sizes> all = same();
        for (std::size_t i = 1; i < in_.size() && all; ++i) {
            if (node_.inputs[i] < 0) continue;
            all = in_[i] ? broadcast_sizes(*all, *in_[i]) : std::nullopt;
        }
        return all;
    }

    std::optional<Sizes> matmul() const {
        if (!known(0) || !known(1) || in_[0]->empty() || in_[1]->empty()) return std::nullopt;
        Sizes a = *in_[0];
        Sizes b = *in_[1];
        const bool row = a.size() == 1;
        const bool column = b.size() == 1;
        if (row) a.insert(a.begin(), 1);
        if (column) b.push_back(1);
        if (a.back() != b[b.size() - 2]) return std::nullopt;
        std::optional<Sizes> result =
            broadcast_sizes(Sizes(a.begin(), a.end() - 2), Sizes(b.begin(), b.end() - 2));
        if (!result) return std::nullopt;
        if (!row) result->push_back(a[a.size() - 2]);
        if (!column) result->push_back(b.back());
        return result;
    }

    std::optional<Sizes> gemm() const {
        if (!known(0) || !known(1) || in_[0]->size() != 2 || in_[1]->size() != 2) return std::nullopt;
        const bool left = whole_attribute(node_, "transA", 0) != 0;
        const bool right = whole_attribute(node_, "transB", 0) != 0;
        if ((*in_[0])[left ? 0 : 1] != (*in_[1])[right ? 1 : 0]) return std::nullopt;
        return Sizes{(*in_[0])[left ? 1 : 0], (*in_[1])[right ? 0 : 1]};
    }

    std::optional<Sizes> transpose() const {
        if (!known(0)) return std::nullopt;
        Sizes order = list_attribute(node_, "perm").value_or(Sizes());
        if (order.empty())
            for (std::size_t i = in_[0]->size(); i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
        Sizes sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < sorted.size(); ++i)
            if (sorted[i] != static_cast<std::int64_t>(i)) return std::nullopt;
        if (order.size() != in_[0]->size()) return std::nullopt;
        Sizes result;
        for (const std::int64_t from : order) result.push_back((*in_[0])[static_cast<std::size_t>(from)]);
        return result;
    }

    std::optional<Sizes> reshape() const {
        std::optional<Sizes> wanted = list_attribute(node_, "shape");
        if (!wanted) wanted = input_wholes(graph_, node_, 1);
        if (!known(0) || !wanted) return std::nullopt;
        const bool zero_is_zero = whole_attribute(node_, "allowzero", 0) != 0;
        std::int64_t rest = product(*in_[0]);
        std::size_t open = wanted->size();
        for (std::size_t i = 0; i < wanted->size(); ++i) {
            std::int64_t& size = (*wanted)[i];
            if (size == 0 && !zero_is_zero) {
                if (i >= in_[0]->size()) return std::nullopt;
                size = (*in_[0])[i];
            }
            if (size < -1 || (size == -1 && open < wanted->size())) return std::nullopt;
            if (size == -1) open = i;
        }
        std::int64_t others = 1;
        for (std::size_t i = 0; i < wanted->size(); ++i) {
            if (i == open) continue;
            if ((*wanted)[i] != 0 && others > kMostElements / (*wanted)[i]) return std::nullopt;
            others *= (*wanted)[i];
        }
        if (open < wanted->size()) {
            if (others == 0 || rest % others != 0) return std::nullopt;
            (*wanted)[open] = rest / others;
        } else if (others != rest) {
            return std::nullopt;
        }
        return wanted;
    }

    std::optional<Sizes> flatten() const {
        if (!known(0)) return std::nullopt;
        const std::int64_t at = whole_attribute(node_, "axis", 1);
        const auto rank = static_cast<std::int64_t>(in_[0]->size());
        if (at < -rank || at > rank) return std::nullopt;
        const auto middle = in_[0]->begin() + (at < 0 ? at + rank : at);
        return Sizes{product(Sizes(in_[0]->begin(), middle)), product(Sizes(middle, in_[0]->end()))};
    }

    std::optional<Sizes> squeeze() const {
        if (!known(0)) return std::nullopt;
        std::optional<std::vector<std::size_t>> axes = axes_of(graph_, node_, 1, in_[0]->size(), true);
        if (!axes) return std::nullopt;
        const bool all = axes->size() == in_[0]->size();
        Sizes result;
        for (std::size_t i = 0; i < in_[0]->size(); ++i) {
            const bool drop =
                std::find(axes->begin(), axes->end(), i) != axes->end() && (!all || (*in_[0])[i] == 1);
            if (drop && (*in_[0])[i] != 1) return std::nullopt;
            if (!drop) result.push_back((*in_[0])[i]);
        }
        return result;
    }

    std::optional<Sizes> unsqueeze() const {
        if (!known(0)) return std::nullopt;
        std::size_t count = list_attribute(node_, "axes").value_or(Sizes()).size();
        if (count == 0) count = input_wholes(graph_, node_, 1).value_or(Sizes()).size();
        const std::size_t rank = in_[0]->size() + count;
        const std::optional<std::vector<std::size_t>> axes = axes_of(graph_, node_, 1, rank, false);
        if (!axes) return std::nullopt;
        Sizes result;
        auto next = in_[0]->begin();
        for (std::size_t i = 0; i < rank; ++i)
            result.push_back(std::find(axes->begin(), axes->end(), i) != axes->end() ? 1 : *next++);
        return result;
    }

    std::optional<Sizes> expand() const {
        const std::optional<Sizes> wanted = input_wholes(graph_, node_, 1);
        if (!known(0) || !wanted) return std::nullopt;
        for (const std::int64_t size : *wanted)
            if (size < 0) return std::nullopt;
        return broadcast_sizes(*in_[0], *wanted);
    }

    std::optional<Sizes> concat() const {
        if (!known(0)) return std::nullopt;
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node_, "axis", 0), in_[0]->size());
        if (!axis) return std::nullopt;
        Sizes result = *in_[0];
        for (std::size_t i = 1; i < in_.size(); ++i) {
            if (!known(i) || in_[i]->size() != result.size()) return std::nullopt;
            for (std::size_t k = 0; k < result.size(); ++k)
                if (k != *axis && (*in_[i])[k] != result[k]) return std::nullopt;
            result[*axis] += (*in_[i])[*axis];
        }
        return result;
    }

    std::vector<std::optional<Sizes>> split() const {
        std::vector<std::optional<Sizes>> out(node_.outputs.size());
        if (!known(0)) return out;
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node_, "axis", 0), in_[0]->size());
        if (!axis) return out;
        const std::optional<Sizes> starts = split_starts(graph_, node_, (*in_[0])[*axis]);
        for (std::size_t i = 0; starts && i < out.size(); ++i) {
            out[i] = *in_[0];
            (*out[i])[*axis] = (*starts)[i + 1] - (*starts)[i];
        }
        return out;
    }

    std::optional<Sizes> slice() const {
        if (!known(0)) return std::nullopt;
        const auto ranges = slice_ranges(graph_, node_, *in_[0]);
        if (!ranges) return std::nullopt;
        Sizes result;
        for (const TakenRange& range : *ranges) result.push_back(range.count);
        return result;
    }

    // Whether constant indices are not all among `size` elements, from the front or from the back. Of many
    // the first and the last are looked at: positions are in order.
    static bool is_out_of(const GraphTensor& indices, std::int64_t size) {
        if (!indices.values || is_real(indices.kind)) return false;
        constexpr std::size_t kMost = 256;
        const std::size_t count = indices.values->count();
        const std::size_t step = count > kMost ? count - 1 : 1;
        for (std::size_t i = 0; i < count; i += step)
            if (const std::int64_t at = indices.values->whole(i); at < -size || at >= size) return true;
        return false;
    }

    std::optional<Sizes> gather() const {
        if (!known(0) || !known(1)) return std::nullopt;
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node_, "axis", 0), in_[0]->size());
        if (!axis || is_out_of(*input_tensor(graph_, node_, 1), (*in_[0])[*axis])) return std::nullopt;
        Sizes result(in_[0]->begin(), in_[0]->begin() + static_cast<std::ptrdiff_t>(*axis));
        result.insert(result.end(), in_[1]->begin(), in_[1]->end());
        result.insert(result.end(), in_[0]->begin() + static_cast<std::ptrdiff_t>(*axis) + 1, in_[0]->end());
        return result;
    }

    std::optional<Sizes> reduce() const {
        if (!known(0)) return std::nullopt;
        const bool keep = whole_attribute(node_, "keepdims", 1) != 0;
        const bool none = whole_attribute(node_, "noop_with_empty_axes", 0) != 0;
        const auto axes = axes_of(graph_, node_, 1, in_[0]->size(), !none);
        if (!axes) return std::nullopt;
        Sizes result;
        for (std::size_t i = 0; i < in_[0]->size(); ++i) {
            const bool gone = std::find(axes->begin(), axes->end(), i) != axes->end();
            if (!gone) result.push_back((*in_[0])[i]);
            if (gone && keep) result.push_back(1);
        }
        return result;
    }

    std::optional<Sizes> filled() const {
        std::optional<Sizes> sizes = input_wholes(graph_, node_, 0);
        for (std::size_t i = 0; sizes && i < sizes->size(); ++i)
            if ((*sizes)[i] < 0) return std::nullopt;
        return sizes;
    }

    std::optional<Sizes> convolution() const {
        return known(0) && known(1) ? convolved_sizes(node_, *in_[0], *in_[1]) : std::nullopt;
    }

    std::optional<Sizes> pooling() const { return known(0) ? pooled_sizes(node_, *in_[0]) : std::nullopt; }

    std::optional<Sizes> attention() const {
        const bool all = known(0) && known(1) && known(2);
        return all ? attention_sizes(node_, *in_[0], *in_[1], *in_[2]) : std::nullopt;
    }

    // One place is left of each spatial axis.
    std::optional<Sizes> global_pooling() const {
        if (!known(0) || in_[0]->size() < 2) return std::nullopt;
        Sizes result(in_[0]->size(), 1);
        std::copy_n(in_[0]->begin(), 2, result.begin());
        return result;
    }

    std::optional<Sizes> pad() const {
        std::optional<Sizes> pads = list_attribute(node_, "pads");
        if (!pads) pads = input_wholes(graph_, node_, 1);
        if (!known(0) || !pads) return std::nullopt;
        Sizes result = *in_[0];
        std::vector<std::size_t> axes(result.size());
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
        if (input_tensor(graph_, node_, 3) != nullptr) {
            const auto named = axes_of(graph_, node_, 3, result.size(), false);
            if (!named) return std::nullopt;
            axes = *named;
        }
        if (pads->size() != 2 * axes.size()) return std::nullopt;
        for (const std::int64_t pad : *pads)
            if (pad < -kMostElements || pad > kMostElements) return std::nullopt;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            std::int64_t& size = result[axes[i]];
            size += (*pads)[i] + (*pads)[i + axes.size()];
            if (size < 0) return std::nullopt;
        }
        return result;
    }

    std::optional<Sizes> tiled() const {
        const std::optional<Sizes> times = input_wholes(graph_, node_, 1);
        if (!known(0) || !times || times->size() != in_[0]->size()) return std::nullopt;
        Sizes result = *in_[0];
        for (std::size_t i = 0; i < result.size(); ++i) {
            if ((*times)[i] < 0 || ((*times)[i] > 0 && result[i] > kMostElements / (*times)[i]))
                return std::nullopt;
            result[i] *= (*times)[i];
        }
        return result;
    }

    // That of the indices.
    std::optional<Sizes> of_indices() const { return known(1) ? in_[1] : std::nullopt; }

    std::optional<Sizes> shape() const {
        return known(0) ? std::optional(Sizes{static_cast<std::int64_t>(in_[0]->size())}) : std::nullopt;
    }

    const TensorGraph& graph_;
    const GraphNode& node_;
    Inputs in_;
};

const std::map<std::string, ShapeRules::Rule>& ShapeRules::rules() {
    static const std::map<std::string, Rule> table = [] {
        std::map<std::string, Rule> rows;
        for (const char* op : {"Identity",
                               "Cast",
                               "Dropout",
                               "Softmax",
                               "LogSoftmax",
                               "LayerNormalization",
                               "RMSNormalization",
                               "Relu",
                               "Sigmoid",
                               "Tanh",
                               "Erf",
                               "Exp",
                               "Log",
                               "Sqrt",
                               "Reciprocal",
                               "Neg",
                               "Abs",
                               "Gelu",
                               "Silu",
                               "Softplus",
                               "Elu",
                               "Selu",
                               "LeakyRelu",
                               "HardSigmoid",
                               "HardSwish",
                               "Mish",
                               "Sin",
                               "Cos",
                               "Floor",
                               "Ceil",
                               "Not",
                               "IsNaN",
                               "IsInf",
                               "Clip",
                               "Trilu",
                               "CumSum",
                               "Round",
                               "Sign",
                               "Celu",
                               "ThresholdedRelu",
                               "InstanceNormalization",
                               "GroupNormalization",
                               "BatchNormalization",
                               "LpNormalization",
                               "LRN",
                               "Hardmax",
                               "ScatterND",
                               "ScatterElements",
                               "RotaryEmbedding"})
            rows[op] = &ShapeRules::same;
        for (const char* op : {"Add",         "Sub",   "Mul",     "Div",  "Pow",
                               "Max",         "Min",   "Mean",    "Sum",  "Mod",
                               "Where",       "Equal", "Greater", "Less", "GreaterOrEqual",
                               "LessOrEqual", "And",   "Or",      "Xor",  "PRelu"})
            rows[op] = &ShapeRules::spread;
        for (const char* op : {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL2",
                               "ReduceL1", "ReduceSumSquare", "ReduceLogSumExp"})
            rows[op] = &ShapeRules::reduce;
        rows["MatMul"] = &ShapeRules::matmul;
        rows["Gemm"] = &ShapeRules::gemm;
        rows["Transpose"] = &ShapeRules::transpose;
        rows["Reshape"] = &ShapeRules::reshape;
        rows["Flatten"] = &ShapeRules::flatten;
        rows["Squeeze"] = &ShapeRules::squeeze;
        rows["Unsqueeze"] = &ShapeRules::unsqueeze;
        rows["Expand"] = &ShapeRules::expand;
        rows["Concat"] = &ShapeRules::concat;
        rows["Split"] = &ShapeRules::same;
        rows["Slice"] = &ShapeRules::slice;
        rows["Gather"] = &ShapeRules::gather;
        rows["GatherElements"] = &ShapeRules::of_indices;
        rows["Conv"] = &ShapeRules::convolution;
        rows["MaxPool"] = &ShapeRules::pooling;
        rows["AveragePool"] = &ShapeRules::pooling;
        rows["GlobalAveragePool"] = &ShapeRules::global_pooling;
        rows["GlobalMaxPool"] = &ShapeRules::global_pooling;
        rows["Attention"] = &ShapeRules::attention;
        rows["Pad"] = &ShapeRules::pad;
        rows["Tile"] = &ShapeRules::tiled;
        rows["ConstantOfShape"] = &ShapeRules::filled;
        rows["Shape"] = &ShapeRules::shape;
        return rows;
    }();
    return table;
}

bool only_moves(const std::string& op) {
    static const std::set<std::string> moves = {"Transpose", "Reshape",  "Squeeze", "Unsqueeze",
                                                "Flatten",   "Identity", "Slice",   "Gather",
                                                "Split",     "Expand",   "Cast",    "Dropout"};
    return moves.count(op) > 0;
}

// Weights stay what the model calls them.
bool keeps_weight(const TensorGraph& graph, const GraphNode& node) {
    const GraphTensor* from = input_tensor(graph, node, 0);
    return from != nullptr && from->weight && is_real(from->kind) && only_moves(node.op) &&
           product(sizes_of(*from).value_or(Sizes())) > 1;
}

// Shapes and sizes take next to nothing, and the rest of a model hangs on them.
constexpr std::uint64_t kAlwaysFolded = 512;

std::uint64_t bytes_taken(const FoldedTensor& value) {
    return value.values.count() * bytes_of(value.values.kind());
}

// Whether what the node makes takes no more than is left for constants, as far as its shape is known.
bool is_affordable(const TensorGraph& graph, const GraphNode& node, std::uint64_t left) {
    const std::optional<Sizes> sizes = sizes_of(graph.tensors[static_cast<std::size_t>(node.outputs[0])]);
    if (!sizes) return left > 0;
    const std::uint64_t bytes = static_cast<std::uint64_t>(product(*sizes)) * sizeof(double);
    return bytes <= kAlwaysFolded || bytes <= left;
}

}  // namespace

void infer_outputs(TensorGraph& graph, const GraphNode& node) {
    ShapeRules rules(graph, node);
    const std::vector<std::optional<Sizes>> shapes = rules.run();
    const TensorKind kind = kind_made(graph, node);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] < 0) continue;
        GraphTensor& tensor = graph.tensors[static_cast<std::size_t>(node.outputs[i])];
        if (tensor.kind == TensorKind::Other) tensor.kind = kind;
        if (i < shapes.size() && shapes[i])
            set_sizes(tensor, *shapes[i]);
        else if (rules.decides())
            tensor.extents.reset();
        // Larger ones are no tensors, and what counts their elements shall not overflow.
        if (const std::optional<Sizes> sizes = sizes_of(tensor); sizes && product(*sizes) >= kMostElements)
            tensor.extents.reset();
    }
}

void settle(TensorGraph& graph, std::uint64_t most_bytes) {
    std::vector<GraphNode> left;
    for (GraphNode& node : graph.nodes) {
        cast_to_type(graph, node);
        infer_outputs(graph, node);
        if (node.outputs[0] >= 0 && !keeps_weight(graph, node) && is_affordable(graph, node, most_bytes)) {
            if (std::optional<FoldedTensor> value = folded(graph, node)) {
                GraphTensor& tensor = graph.tensors[static_cast<std::size_t>(node.outputs[0])];
                const std::uint64_t taken = bytes_taken(*value);
                most_bytes -= taken <= kAlwaysFolded ? 0 : std::min(taken, most_bytes);
                tensor.kind = value->kind;
                set_sizes(tensor, value->sizes);
                tensor.values = std::move(value->values);
                if (node.outputs.size() == 1) continue;
            }
        }
        left.push_back(std::move(node));
    }
    graph.nodes = std::move(left);
}

}  // namespace blockscope::model
