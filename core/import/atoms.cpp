#include "core/import/atoms.h"

#include <algorithm>

#include "core/import/recognise.h"

namespace blockscope::model {

int AtomTable::make(std::int64_t size, const std::string& symbol) {
    rows_.push_back({.size = size, .symbol = symbol});
    return static_cast<int>(rows_.size()) - 1;
}

int AtomTable::root(int atom) const {
    while (rows_[static_cast<std::size_t>(atom)].same >= 0) atom = rows_[static_cast<std::size_t>(atom)].same;
    return atom;
}

AtomList AtomTable::expanded(const AtomList& atoms) const {
    AtomList result;
    AtomList left(atoms.rbegin(), atoms.rend());
    while (!left.empty()) {
        const int atom = root(left.back());
        left.pop_back();
        const Row& row = rows_[static_cast<std::size_t>(atom)];
        if (row.outer < 0) {
            result.push_back(atom);
        } else {
            left.push_back(row.inner);
            left.push_back(row.outer);
        }
    }
    return result;
}

void AtomTable::split(int atom, std::int64_t outer) {
    const std::int64_t size = rows_[static_cast<std::size_t>(atom)].size;
    const int first = make(outer);
    const int second = make(size / outer);
    rows_[static_cast<std::size_t>(atom)].outer = first;
    rows_[static_cast<std::size_t>(atom)].inner = second;
}

bool AtomTable::unify(const AtomList& a, const AtomList& b) {
    std::size_t done = 0;
    while (true) {
        const AtomList left = expanded(a);
        const AtomList right = expanded(b);
        while (done < left.size() && done < right.size() && left[done] == right[done]) ++done;
        if (done == left.size() || done == right.size()) return left.size() == right.size();
        const int x = left[done];
        const int y = right[done];
        if (size(x) == size(y)) {
            Row& kept = rows_[static_cast<std::size_t>(x)];
            Row& gone = rows_[static_cast<std::size_t>(y)];
            if (kept.symbol.empty()) kept.symbol = gone.symbol;
            gone.same = x;
        } else {
            const int larger = size(x) > size(y) ? x : y;
            const std::int64_t outer = std::min(size(x), size(y));
            if (size(larger) % outer != 0) return false;
            split(larger, outer);
        }
    }
}

bool AtomTable::cut(const AtomList& atoms, const Sizes& sizes, std::vector<AtomList>& parts) {
    parts.assign(sizes.size(), {});
    std::size_t next = 0;
    AtomList list = expanded(atoms);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        std::int64_t left = sizes[i];
        while (left > 1) {
            if (next == list.size()) return false;
            const std::int64_t here = size(list[next]);
            if (left % here == 0) {
                parts[i].push_back(list[next++]);
                left /= here;
            } else if (here % left == 0) {
                split(list[next], left);
                list = expanded(list);
            } else {
                return false;
            }
        }
    }
    return next == list.size();
}

bool is_stored(const GraphTensor& tensor) {
    return tensor.weight || tensor.values.has_value();
}

NodeMeaning meaning_of(const std::string& op) {
    static const std::map<std::string, NodeMeaning> meanings = [] {
        std::map<std::string, NodeMeaning> rows;
        for (const char* view :
             {"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Expand"})
            rows[view] = {NodeForm::View, ""};
        const std::pair<const char*, const char*> elements[] = {{"Add", "+"},
                                                                {"Sub", "-"},
                                                                {"Mul", "*"},
                                                                {"Div", "/"},
                                                                {"Pow", "^"},
                                                                {"Max", "max"},
                                                                {"Min", "min"},
                                                                {"Relu", "relu"},
                                                                {"Sigmoid", "sigmoid"},
                                                                {"Tanh", "tanh"},
                                                                {"Erf", "erf"},
                                                                {"Exp", "exp"},
                                                                {"Log", "log"},
                                                                {"Sqrt", "sqrt"},
                                                                {"Reciprocal", "reciprocal"},
                                                                {"Neg", "neg"},
                                                                {"Abs", "abs"},
                                                                {"Silu", "silu"},
                                                                {"Softplus", "softplus"},
                                                                {"Selu", "selu"},
                                                                {"Elu", "elu"},
                                                                {"LeakyRelu", "leaky_relu"},
                                                                {"HardSwish", "hardswish"},
                                                                {"Mish", "mish"},
                                                                {"Sin", "sin"},
                                                                {"Cos", "cos"},
                                                                {"Floor", "floor"},
                                                                {"Ceil", "ceil"},
                                                                {"Gelu", "gelu"},
                                                                {kRope, "rope"},
                                                                {kRopeInterleaved, "rope_interleaved"}};
        for (const auto& [name, function] : elements) rows[name] = {NodeForm::Elements, function};
        rows["MatMul"] = {NodeForm::Product, ""};
        for (const char* row : {"Softmax", "LayerNormalization", "RMSNormalization"})
            rows[row] = {NodeForm::Rows, ""};
        for (const char* fold : {"ReduceSum", "ReduceMean", "ReduceMax"})
            rows[fold] = {NodeForm::Reduction, ""};
        return rows;
    }();
    const auto found = meanings.find(op);
    return found != meanings.end() ? found->second : NodeMeaning{};
}

// ---- Through the graph.

namespace {

// Whether the operands have shapes that do not fit, so that the result has none.
bool is_misfit(const TensorGraph& graph, const GraphNode& node) {
    const auto shaped = [&](int tensor) {
        return tensor < 0 || sizes_of(graph.tensors[static_cast<std::size_t>(tensor)]).has_value();
    };
    if (node.outputs.size() != 1 || node.inputs.size() != 2 || shaped(node.outputs[0])) return false;
    if (!shaped(node.inputs[0]) || !shaped(node.inputs[1]) || node.inputs[0] < 0 || node.inputs[1] < 0)
        return false;
    const auto sizes = [&](std::size_t i) {
        return *sizes_of(graph.tensors[static_cast<std::size_t>(node.inputs[i])]);
    };
    if (node.op == "Gather") return axis_of(whole_attribute(node, "axis", 0), sizes(0).size()).has_value();
    const NodeForm form = meaning_of(node.op).form;
    if (form == NodeForm::Elements) return !broadcast_sizes(sizes(0), sizes(1));
    if (form != NodeForm::Product || sizes(0).empty() || sizes(1).empty()) return false;
    const Sizes right = sizes(1);
    return sizes(0).back() != right[right.size() < 2 ? 0 : right.size() - 2];
}

// Of an operator that nothing more is known of.
Text why_no_form(const TensorGraph& graph, const GraphNode& node) {
    if (node.op == "Gather" && is_misfit(graph, node))
        return Text("it takes elements that its operand does not have");
    for (const int tensor : node.inputs)
        if (tensor >= 0 && !sizes_of(graph.tensors[static_cast<std::size_t>(tensor)])) return shape_unknown();
    return Text("the language has no operator for it yet");
}

}  // namespace

Text shape_unknown() {
    return Text("the shape of an operand does not follow");
}

TrackedDimensions::TrackedDimensions(const TensorGraph& graph, std::map<std::size_t, Text>& opaque)
    : graph_(graph), opaque_(opaque), tensors_(graph.tensors.size()) {
    start();
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        why_ = Text();
        if (opaque_.count(n) == 0 && follow(n)) continue;
        if (opaque_.count(n) == 0) {
            opaque_[n] = why_.empty() ? why_no_form(graph_, graph_.nodes[n]) : why_;
        }
        opaque_outputs(n);
    }
}

TrackedDimensions::Dims TrackedDimensions::fresh(const GraphTensor& tensor) {
    Dims dims;
    const Sizes sizes = sizes_of(tensor).value_or(Sizes());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        dims.push_back(sizes[i] == 1 ? AtomList()
                                     : AtomList{atoms_.make(sizes[i], (*tensor.extents)[i].symbol)});
    return dims;
}

// Inputs have one place each, weights as many as they have uses.
void TrackedDimensions::start() {
    for (const int input : graph_.inputs)
        tensors_[static_cast<std::size_t>(input)] = fresh(graph_.tensors[static_cast<std::size_t>(input)]);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
        const GraphNode& node = graph_.nodes[n];
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i] < 0) continue;
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(node.inputs[i])];
            if (is_stored(tensor)) uses_[{n, i}] = fresh(tensor);
        }
    }
}

const TrackedDimensions::Dims& TrackedDimensions::input(std::size_t n, std::size_t i) const {
    const auto use = uses_.find({n, i});
    return use != uses_.end() ? use->second
                              : tensors_[static_cast<std::size_t>(graph_.nodes[n].inputs.at(i))];
}

std::vector<AtomList> TrackedDimensions::of_input(std::size_t node, std::size_t i) const {
    Dims dims = input(node, i);
    for (AtomList& list : dims) list = atoms_.expanded(list);
    return dims;
}

std::vector<AtomList> TrackedDimensions::of_tensor(int tensor) const {
    Dims dims = tensors_[static_cast<std::size_t>(tensor)];
    for (AtomList& list : dims) list = atoms_.expanded(list);
    return dims;
}

Sizes TrackedDimensions::output_sizes(std::size_t n) const {
    return sizes_of(graph_.tensors[static_cast<std::size_t>(graph_.nodes[n].outputs[0])]).value_or(Sizes());
}

namespace {

// "1 x 128 x 8"
std::string extents_text(const Sizes& sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "one number" : text;
}

// Why the result of a node has no shape although its operands have.
Text misfit(const TensorGraph& graph, const GraphNode& node) {
    if (!is_misfit(graph, node)) return Text("its shape does not follow from those of its operands");
    const auto shape = [&](std::size_t i) {
        return extents_text(*sizes_of(graph.tensors[static_cast<std::size_t>(node.inputs[i])]));
    };
    return Text("its operands, %1 and %2, do not fit", shape(0), shape(1));
}

}  // namespace

int misfits(const TensorGraph& graph) {
    return static_cast<int>(std::count_if(graph.nodes.begin(), graph.nodes.end(),
                                          [&](const GraphNode& node) { return is_misfit(graph, node); }));
}

bool TrackedDimensions::follow(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    const NodeForm form = meaning_of(node.op).form;
    if (form == NodeForm::Opaque) return node.why.empty() ? false : fail(node.why);
    if (node.outputs.size() != 1 || node.inputs.empty() || node.inputs[0] < 0)
        return fail(Text("only its form with one result is known"));
    if (form == NodeForm::Product && (node.inputs.size() != 2 || node.inputs[1] < 0))
        return fail(Text("a product has two operands"));
    for (const int tensor : node.inputs) {
        const bool shaped =
            tensor < 0 || sizes_of(graph_.tensors[static_cast<std::size_t>(tensor)]).has_value();
        if (!shaped) return fail(shape_unknown());
    }
    const auto sizes = sizes_of(graph_.tensors[static_cast<std::size_t>(node.outputs[0])]);
    if (!sizes) return fail(misfit(graph_, node));
    if (std::find(sizes->begin(), sizes->end(), 0) != sizes->end())
        return fail(Text("its result has no elements"));
    switch (form) {
        case NodeForm::View:
            return view(n);
        case NodeForm::Elements:
            return elements(n);
        case NodeForm::Product:
            return product_of(n);
        case NodeForm::Rows:
            return rows(n);
        case NodeForm::Reduction:
            return reduction(n);
        case NodeForm::Opaque:
            break;
    }
    return false;
}

bool TrackedDimensions::regroup(const Dims& from, const Sizes& sizes, Dims& to) {
    AtomList all;
    for (const AtomList& list : from) all.insert(all.end(), list.begin(), list.end());
    return atoms_.cut(all, sizes, to);
}

bool TrackedDimensions::view(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    const Dims from = input(n, 0);
    const Sizes sizes = output_sizes(n);
    Dims& to = tensors_[static_cast<std::size_t>(node.outputs[0])];
    if (node.op == "Transpose") {
        const Sizes order = list_attribute(node, "perm").value_or(Sizes());
        for (std::size_t i = 0; i < from.size(); ++i)
            to.push_back(from[order.empty() ? from.size() - 1 - i : static_cast<std::size_t>(order[i])]);
        return true;
    }
    if (node.op == "Expand") {
        if (sizes.size() < from.size()) return fail(Text("it is no expansion"));
        const std::size_t missing = sizes.size() - from.size();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const bool new_one = sizes[i] > 1 && (i < missing || atoms_.expanded(from[i - missing]).empty());
            to.push_back(new_one       ? AtomList{atoms_.make(sizes[i])}
                         : i < missing ? AtomList()
                                       : from[i - missing]);
        }
        return true;
    }
    if (regroup(from, sizes, to)) return true;
    to.clear();
    return fail(Text("it regroups elements across dimensions that have no common factors"));
}

bool TrackedDimensions::spread(const std::vector<Dims>& operands, Dims& result) {
    std::size_t rank = 0;
    for (const Dims& dims : operands) rank = std::max(rank, dims.size());
    result.assign(rank, {});
    for (const Dims& dims : operands)
        for (std::size_t i = 0; i < dims.size(); ++i) {
            AtomList& all = result[rank - dims.size() + i];
            if (all.empty()) {
                all = dims[i];
            } else if (!dims[i].empty() && !atoms_.unify(all, dims[i])) {
                return fail(Text("its operands are divided into dimensions that do not fit"));
            }
        }
    return true;
}

bool TrackedDimensions::elements(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    std::vector<Dims> operands;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (node.inputs[i] >= 0) operands.push_back(input(n, i));
    return spread(operands, tensors_[static_cast<std::size_t>(node.outputs[0])]);
}

bool TrackedDimensions::product_of(std::size_t n) {
    Dims a = input(n, 0);
    Dims b = input(n, 1);
    const bool row = a.size() == 1;
    const bool column = b.size() == 1;
    if (row) a.insert(a.begin(), AtomList());
    if (column) b.emplace_back();
    if (!atoms_.unify(a.back(), b[b.size() - 2]))
        return fail(Text("its operands are divided into dimensions that do not fit"));
    Dims batch;
    if (!spread({Dims(a.begin(), a.end() - 2), Dims(b.begin(), b.end() - 2)}, batch)) return false;
    if (!row) batch.push_back(a[a.size() - 2]);
    if (!column) batch.push_back(b.back());
    tensors_[static_cast<std::size_t>(graph_.nodes[n].outputs[0])] = std::move(batch);
    return true;
}

bool TrackedDimensions::rows(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    const Dims dims = input(n, 0);
    const std::optional<std::size_t> axis = axis_of(whole_attribute(node, "axis", -1), dims.size());
    if (!axis) return fail(Text("its axis is none of its operand's"));
    const bool norm = node.op != "Softmax";
    if (norm && *axis + 1 != dims.size()) return fail(Text("it normalises more than the last axis"));
    if (!norm && whole_attribute(node, "flattens", 0) != 0 && *axis + 1 != dims.size())
        return fail(Text("before opset 13 it flattens all axes from its own on"));
    for (std::size_t i = 1; i < node.inputs.size(); ++i) {
        if (node.inputs[i] < 0) continue;
        const Dims weight = input(n, i);
        if (weight.size() != 1 || !atoms_.unify(dims.back(), weight[0]))
            return fail(Text("its weight is not a vector along the last axis"));
    }
    tensors_[static_cast<std::size_t>(node.outputs[0])] = dims;
    return true;
}

bool TrackedDimensions::reduction(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    const Dims dims = input(n, 0);
    const bool none = whole_attribute(node, "noop_with_empty_axes", 0) != 0;
    const auto axes = axes_of(graph_, node, 1, dims.size(), !none);
    if (!axes) return fail(Text("its axes are not known"));
    const bool keep = whole_attribute(node, "keepdims", 1) != 0;
    Dims& to = tensors_[static_cast<std::size_t>(node.outputs[0])];
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const bool gone = std::find(axes->begin(), axes->end(), i) != axes->end();
        if (!gone) to.push_back(dims[i]);
        if (gone && keep) to.emplace_back();
    }
    return true;
}

// What works on each element for itself keeps its operand's dimensions; of anything else the result's are
// new.
void TrackedDimensions::opaque_outputs(std::size_t n) {
    const GraphNode& node = graph_.nodes[n];
    for (const int output : node.outputs) {
        if (output < 0) continue;
        const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(output)];
        Dims& to = tensors_[static_cast<std::size_t>(output)];
        to = fresh(tensor);
        const NodeForm form = meaning_of(node.op).form;
        const bool kept = form == NodeForm::Elements || form == NodeForm::Rows || node.op == "Where";
        for (std::size_t i = 0; kept && i < node.inputs.size(); ++i) {
            if (node.inputs[i] < 0 || uses_.count({n, i}) > 0) continue;
            const auto sizes = sizes_of(graph_.tensors[static_cast<std::size_t>(node.inputs[i])]);
            if (sizes && sizes == sizes_of(tensor)) {
                to = input(n, i);
                break;
            }
        }
    }
}

}  // namespace blockscope::model
