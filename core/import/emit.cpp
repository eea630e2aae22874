#include "core/import/emit.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/program/functions.h"

namespace blockscope::model {

namespace {

using TensorDims = std::vector<AtomList>;

class RoleChoice {
public:
    RoleChoice(const TensorGraph& graph, const TrackedDimensions& dims,
               const std::map<std::size_t, Text>& opaque)
        : graph_(graph), dims_(dims), opaque_(opaque), roles_(dims.atoms().count(), AtomRole::Open) {}

    std::vector<AtomRole> run() {
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
            if (opaque_.count(n) == 0) {
                demand(n);
            } else {
                stand_alone(n);
            }
        for (const int input : graph_.inputs) add_array(dims_.of_tensor(input));
        settle();
        choose(sums_);
        choose(rows_);
        for (const AtomList& array : arrays_) rest(array);
        return std::move(roles_);
    }

private:
    AtomRole& role(int atom) { return roles_[static_cast<std::size_t>(atom)]; }
    void want(int atom, AtomRole wanted) {
        if (role(atom) == AtomRole::Open) role(atom) = wanted;
    }
    void want_axis(const AtomList& list) {
        if (list.size() == 1) want(list[0], AtomRole::Axis);
        if (list.size() > 1) sums_.push_back(list);
    }

    void demand(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        const NodeForm form = meaning_of(node.op).form;
        if (form == NodeForm::Product) product_demands(n);
        if (is_rope(node))
            if (const TensorDims dims = dims_.of_input(n, 0); !dims.empty()) want_axis(dims.back());
        if (form == NodeForm::Rows) {
            const TensorDims dims = dims_.of_input(n, 0);
            if (const auto axis = axis_of(whole_attribute(node, "axis", -1), dims.size()))
                want_axis(dims[*axis]);
        }
        add_array(dims_.of_tensor(node.outputs[0]));
    }

    void add_array(const TensorDims& dims) {
        AtomList all;
        for (const AtomList& list : dims) all.insert(all.end(), list.begin(), list.end());
        arrays_.push_back(std::move(all));
    }

    // What a custom operator reads and makes only has to be arrays.
    void stand_alone(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            if (node.inputs[i] >= 0) add_array(dims_.of_input(n, i));
        for (const int output : node.outputs)
            if (output >= 0) add_array(dims_.of_tensor(output));
    }

    void product_demands(std::size_t n) {
        TensorDims a = dims_.of_input(n, 0);
        TensorDims b = dims_.of_input(n, 1);
        if (a.size() == 1) a.insert(a.begin(), AtomList());
        if (b.size() == 1) b.emplace_back();
        want_axis(a.back());
        AtomList left;
        AtomList right;
        const std::size_t rank = std::max(a.size(), b.size());
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            const AtomList none;
            const AtomList& x = i + a.size() >= rank ? a[i + a.size() - rank] : none;
            const AtomList& y = i + b.size() >= rank ? b[i + b.size() - rank] : none;
            if (!x.empty() && !y.empty()) {
                for (const int atom : x) want(atom, AtomRole::Batch);
            } else {
                left.insert(left.end(), x.begin(), x.end());
                right.insert(right.end(), y.begin(), y.end());
            }
        }
        left.insert(left.end(), a[a.size() - 2].begin(), a[a.size() - 2].end());
        right.insert(right.end(), b.back().begin(), b.back().end());
        rows_.push_back(std::move(left));
        rows_.push_back(std::move(right));
    }

    // Of each list one atom is an axis and the others are not.
    void settle() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const std::vector<AtomList>* lists : {&sums_, &rows_})
                for (const AtomList& list : *lists) changed = settle(list) || changed;
        }
    }
    bool settle(const AtomList& list) {
        std::vector<int> open;
        bool has_axis = false;
        for (const int atom : list) {
            has_axis = has_axis || role(atom) == AtomRole::Axis;
            if (role(atom) == AtomRole::Open) open.push_back(atom);
        }
        if (open.empty() || (!has_axis && open.size() > 1)) return false;
        for (const int atom : open) role(atom) = has_axis ? AtomRole::Batch : AtomRole::Axis;
        return true;
    }

    void choose(const std::vector<AtomList>& lists) {
        for (const AtomList& list : lists)
            for (auto atom = list.rbegin(); atom != list.rend(); ++atom) {
                if (role(*atom) != AtomRole::Open) continue;
                role(*atom) = AtomRole::Axis;
                settle();
            }
    }

    void rest(const AtomList& array) {
        auto axes =
            std::count_if(array.begin(), array.end(), [&](int atom) { return role(atom) == AtomRole::Axis; });
        for (auto atom = array.rbegin(); atom != array.rend(); ++atom)
            if (role(*atom) == AtomRole::Open) role(*atom) = axes++ < 2 ? AtomRole::Axis : AtomRole::Batch;
    }

    const TensorGraph& graph_;
    const TrackedDimensions& dims_;
    const std::map<std::size_t, Text>& opaque_;
    std::vector<AtomRole> roles_;
    std::vector<AtomList> sums_;  // exactly one atom of each is an axis
    std::vector<AtomList> rows_;
    std::vector<AtomList> arrays_;
};

}  // namespace

std::vector<AtomRole> roles_of_atoms(const TensorGraph& graph, const TrackedDimensions& dims,
                                     const std::map<std::size_t, Text>& opaque) {
    return RoleChoice(graph, dims, opaque).run();
}

namespace {

const std::set<std::string>& activation_operators() {
    static const std::set<std::string> names = {"Relu",      "Gelu",     "Silu",      "Sigmoid",
                                                "Tanh",      "Softplus", "Elu",       "Selu",
                                                "LeakyRelu", "Mish",     "HardSwish", "HardSigmoid"};
    return names;
}

class Emission {
public:
    Emission(const TensorGraph& graph, const TrackedDimensions& dims, const std::vector<AtomRole>& roles,
             const std::map<int, WeightPart>& parts, std::map<std::size_t, Text>& opaque)
        : graph_(graph),
          dims_(dims),
          opaque_(opaque),
          arrays_(graph, dims, roles, parts),
          index_(graph),
          seen_(graph.tensors.size()) {}

    EmittedProgram run(const std::vector<int>& declared) {
        arrays_.declare(declared);
        for (const int input : graph_.inputs)
            seen_[static_cast<std::size_t>(input)] = arrays_.leaf(input, dims_.of_tensor(input));
        for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
            try {
                node(n);
            } catch (Refusal& refusal) {
                refuse(n, std::move(refusal.why));
            }
        }
        for (const auto& [node, why] : refused_) opaque_[node] = why;
        if (refused_.empty()) outputs();
        result_.inputs = arrays_.inputs();
        result_.leaves = arrays_.leaves();
        result_.atoms = arrays_.atoms_of_dimensions();
        result_.program = arrays_.take_program();
        result_.hints.resize(result_.program.ops.size());
        return std::move(result_);
    }

private:
    // A custom operator that does not fit (an array of more than two axes) makes its users custom, too, so
    // that none of them asks for axes.
    void refuse(std::size_t n, Text why) {
        const bool is_custom = opaque_.count(n) > 0;
        if (!is_custom) refused_[n] = why;
        for (const int output : graph_.nodes[n].outputs) {
            if (output < 0) continue;
            seen_[static_cast<std::size_t>(output)].broken = true;
            for (std::size_t user = 0; is_custom && user < graph_.nodes.size(); ++user) {
                const std::vector<int>& inputs = graph_.nodes[user].inputs;
                const bool uses = std::find(inputs.begin(), inputs.end(), output) != inputs.end();
                if (uses && opaque_.count(user) == 0) refused_.emplace(user, why);
            }
        }
        if (is_custom && refused_.empty()) {
            result_.hopeless =
                Text("the node %1 (%2) does not fit into the language even as a custom operator: %3",
                     graph_.nodes[n].name, graph_.nodes[n].op, std::move(why));
        }
    }

    Seen operand(std::size_t n, std::size_t i) {
        const int tensor = graph_.nodes[n].inputs.at(i);
        const GraphTensor& of = graph_.tensors[static_cast<std::size_t>(tensor)];
        if (!is_stored(of)) return seen_[static_cast<std::size_t>(tensor)];
        if (of.values && of.values->count() == 1) {
            Seen number;
            number.number = of.values->shown(0);
            number.dims.resize(of.extents->size());
            return number;
        }
        return arrays_.leaf(tensor, dims_.of_input(n, i));
    }

    void node(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        for (const int input : node.inputs) {
            if (input < 0 || !seen_[static_cast<std::size_t>(input)].broken) continue;
            for (const int output : node.outputs)
                if (output >= 0) seen_[static_cast<std::size_t>(output)].broken = true;
            return;
        }
        if (opaque_.count(n) > 0) return custom(n);
        Seen& result = seen_[static_cast<std::size_t>(node.outputs[0])];
        switch (meaning_of(node.op).form) {
            case NodeForm::View:
                result = view(n);
                break;
            case NodeForm::Elements:
                result = is_rope(node) ? rope(n) : elements(n);
                break;
            case NodeForm::Product:
                result = product_of(n);
                break;
            case NodeForm::Rows:
                result = rows(n);
                break;
            case NodeForm::Reduction:
                result = reduction(n);
                break;
            case NodeForm::Opaque:
                throw Refusal{Text("the language has no operator for it yet")};
        }
        hint(result, n);
        if (activation_operators().count(node.op) > 0) ++result_.activations;
    }

    // The last operator of a node has the node's name.
    void hint(const Seen& seen, std::size_t n) {
        const int op = seen.array < 0 ? -1 : arrays_.op_of(seen.array);
        if (op < 0 || meaning_of(graph_.nodes[n].op).form == NodeForm::View) return;
        result_.hints.resize(std::max(result_.hints.size(), static_cast<std::size_t>(op) + 1));
        const GraphNode& node = graph_.nodes[n];
        std::string& called = result_.hints[static_cast<std::size_t>(op)];
        called = node.name.empty() ? node.op : node.name;
        // What is left of a rotary embedding is its last sum.
        if (is_rope(node)) called = called.substr(0, called.rfind('/') + 1) + node.op;
    }

    // ---- The same array, its dimensions grouped or ordered otherwise.

    Seen view(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        Seen from = operand(n, 0);
        if (from.number) throw Refusal{Text("it moves a constant")};
        if (node.op == "Identity") return from;
        if (node.op == "Cast") return cast(from, node);
        Seen to = from;
        if (node.op == "Transpose") {
            const Sizes order = list_attribute(node, "perm").value_or(Sizes());
            for (std::size_t i = 0; i < to.dims.size(); ++i)
                to.dims[i] =
                    from.dims[order.empty() ? to.dims.size() - 1 - i : static_cast<std::size_t>(order[i])];
            return to;
        }
        const std::vector<AtomList> lists = dims_.of_tensor(node.outputs[0]);
        to.dims.clear();
        if (node.op == "Expand") {
            for (std::size_t i = 0; i < lists.size(); ++i) {
                const std::size_t missing = lists.size() - from.dims.size();
                const bool own = i >= missing && !from.dims[i - missing].empty();
                to.dims.push_back(own ? from.dims[i - missing] : Elements());
                for (std::size_t k = 0; !own && k < lists[i].size(); ++k)
                    to.dims.back().push_back({lists[i][k], -1});
            }
            return to;
        }
        Elements all;
        for (const Elements& dim : from.dims) all.insert(all.end(), dim.begin(), dim.end());
        auto next = all.begin();
        for (const AtomList& list : lists) {
            to.dims.emplace_back();
            for (const int atom : list) {
                if (next == all.end() || next->atom != atom) throw Refusal{Text("its dimensions do not fit")};
                to.dims.back().push_back(*next++);
            }
        }
        return to;
    }

    Seen cast(const Seen& from, const GraphNode& node) {
        const GraphTensor& was = graph_.tensors[static_cast<std::size_t>(node.inputs[0])];
        const GraphTensor& is = graph_.tensors[static_cast<std::size_t>(node.outputs[0])];
        if (!is_real(is.kind)) throw Refusal{Text("it makes whole numbers")};
        if (!is_real(was.kind) || element_type(was.kind) == element_type(is.kind)) return from;
        ArrayOp op;
        op.kind = ArrayOpKind::Cast;
        op.elem = element_type(is.kind);
        return arrays_.same_axes(std::move(op), from);
    }

    // ---- Element by element.

    Seen elements(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        const std::string function = function_of(node);
        std::vector<Seen> operands;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i] < 0) throw Refusal{Text("an operand is left out")};
            operands.push_back(operand(n, i));
        }
        static const std::map<std::string, Fn> signs = {
            {"+", Fn::Add}, {"-", Fn::Sub}, {"*", Fn::Mul}, {"/", Fn::Div}, {"^", Fn::Pow}};
        if (const auto sign = signs.find(function); sign != signs.end()) {
            if (operands.size() != 2) throw Refusal{Text("it has not two operands")};
            const Fn fn = sign->second;
            // Exporters write bias + product; what is computed comes first.
            const bool stored = is_stored(graph_.tensors[static_cast<std::size_t>(node.inputs[0])]) &&
                                !is_stored(graph_.tensors[static_cast<std::size_t>(node.inputs[1])]);
            if (stored && !operands[0].number && (fn == Fn::Add || fn == Fn::Mul))
                std::swap(operands[0], operands[1]);
            return arrays_.combined(operands, fn,
                                    [fn](const std::vector<ExprPtr>& a) { return call(fn, a[0], a[1]); });
        }
        const ElementwiseFunction* known = find_elementwise_function(function);
        if (known == nullptr || static_cast<int>(operands.size()) != known->operands)
            throw Refusal{Text("it has not the operands of %1", function)};
        const double parameter = real_attribute(node, "alpha", known->parameter == "alpha" ? 1 : 0.01);
        return arrays_.combined(operands, std::nullopt, [&](std::vector<ExprPtr> a) {
            if (!known->parameter.empty()) a.push_back(number(parameter));
            return known->build(a);
        });
    }

    static std::string function_of(const GraphNode& node) {
        if (node.op == "Gelu" && text_attribute(node, "approximate", "none") == "tanh") return "gelu_tanh";
        return meaning_of(node.op).function;
    }

    // ---- Products.

    Seen product_of(std::size_t n) {
        Seen a = operand(n, 0);
        Seen b = operand(n, 1);
        if (a.number || b.number) throw Refusal{Text("it multiplies with a number")};
        return ProductEmission(arrays_, std::move(a), std::move(b)).run();
    }

    // ---- Along rows.

    Seen rows(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        const Seen x = operand(n, 0);
        if (x.number) throw Refusal{Text("it normalises a number")};
        const auto axis = axis_of(whole_attribute(node, "axis", -1), x.dims.size());
        ArrayOp op;
        op.kind = node.op == "Softmax"              ? ArrayOpKind::Softmax
                  : node.op == "LayerNormalization" ? ArrayOpKind::LayerNorm
                                                    : ArrayOpKind::RmsNorm;
        if (node.op != "Softmax") op.epsilon = real_attribute(node, "epsilon", 1e-5);
        std::vector<int> vectors;
        for (std::size_t i = 1; i < node.inputs.size(); ++i) {
            if (node.inputs[i] < 0) throw Refusal{Text("it has a bias without a weight")};
            const Seen vector = operand(n, i);
            if (vector.number) throw Refusal{Text("its weight is a number")};
            vectors.push_back(arrays_.fetch_all(vector));
        }
        return arrays_.by_rows(std::move(op), x, x.dims.at(*axis), vectors);
    }

    Seen rope(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        if (node.inputs.size() != 3) throw Refusal{Text("it has not three operands")};
        std::vector<Seen> operands;
        for (std::size_t i = 0; i < 3; ++i) {
            if (node.inputs[i] < 0) throw Refusal{Text("an operand is left out")};
            operands.push_back(operand(n, i));
            if (operands.back().number) throw Refusal{Text("it rotates a number, or by one")};
        }
        const ArrayOpKind kind = node.op == kRope ? ArrayOpKind::Rope : ArrayOpKind::RopeInterleaved;
        return arrays_.rope(kind, operands[0], operands[1], operands[2]);
    }

    Seen reduction(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        const Seen x = operand(n, 0);
        if (x.number) throw Refusal{Text("it reduces a number")};
        const bool none = whole_attribute(node, "noop_with_empty_axes", 0) != 0;
        const auto axes = axes_of(graph_, node, 1, x.dims.size(), !none);
        const bool keep = whole_attribute(node, "keepdims", 1) != 0;
        Elements gone;
        std::vector<Elements> left;
        for (std::size_t i = 0; i < x.dims.size(); ++i) {
            const bool reduced = axes && std::find(axes->begin(), axes->end(), i) != axes->end();
            if (reduced) gone.insert(gone.end(), x.dims[i].begin(), x.dims[i].end());
            if (!reduced) left.push_back(x.dims[i]);
            if (reduced && keep) left.emplace_back();
        }
        const ArrayOpKind kind = node.op == "ReduceMax"    ? ArrayOpKind::RowMax
                                 : node.op == "ReduceMean" ? ArrayOpKind::RowMean
                                                           : ArrayOpKind::RowSum;
        return arrays_.reduced(kind, x, gone, left);
    }

    // ---- What has no form.

    void custom(std::size_t n) {
        const GraphNode& node = graph_.nodes[n];
        std::vector<int> operands;
        Seen first;
        for (std::size_t i = 0; i < node.inputs.size() && operands.size() < kMaxArguments; ++i) {
            if (node.inputs[i] < 0 || is_setting(node.inputs[i])) continue;
            const Seen seen = operand(n, i);
            if (seen.number || seen.array < 0) continue;
            const int op = arrays_.fetch_all(seen);
            if (std::find(operands.begin(), operands.end(), op) != operands.end()) continue;
            operands.push_back(op);
            if (first.array < 0) first = seen;
        }
        CustomNode made{n, {}};
        for (std::size_t k = 0; k < node.outputs.size(); ++k) {
            const int output = node.outputs[k];
            if (output < 0 || index_.uses(output) == 0) continue;
            Seen& seen = seen_[static_cast<std::size_t>(output)];
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(output)];
            if (operands.empty()) {
                seen = arrays_.leaf(output, dims_.of_tensor(output));
                continue;
            }
            ArrayOp op;
            op.kind = ArrayOpKind::Custom;
            op.custom_name = custom_name(node.op, node.outputs.size() > 1 ? static_cast<int>(k) : -1);
            op.operands = operands;
            op.elem = is_real(tensor.kind) ? element_type(tensor.kind) : arrays_.elem_of(operands[0]);
            seen = sizes_of(tensor) ? arrays_.given(std::move(op), dims_.of_tensor(output))
                                    : arrays_.given_like(std::move(op), first);
            made.ops.push_back(arrays_.op_of(seen.array));
            hint(seen, n);
        }
        result_.customs.push_back(std::move(made));
    }

    // Whole numbers that say how, not what: shapes, axes, indices.
    bool is_setting(int tensor) const {
        const GraphTensor& of = graph_.tensors[static_cast<std::size_t>(tensor)];
        return is_stored(of) && !is_real(of.kind);
    }

    static std::string custom_name(const std::string& op, int output) {
        std::string name;
        for (const char c : op) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
        if (output >= 0) name += "_" + std::to_string(output);
        if (!custom_name_problem(name).empty()) name = "op_" + name.substr(0, 200);
        return name;
    }

    void outputs() {
        for (const int output : graph_.outputs) {
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(output)];
            const Seen& seen = seen_[static_cast<std::size_t>(output)];
            if (is_stored(tensor) || seen.array < 0) {
                result_.remarks.push_back(Text("the output %1 is a constant and left out", tensor.name));
                continue;
            }
            result_.outputs.push_back(arrays_.output(seen, output));
        }
    }

    const TensorGraph& graph_;
    const TrackedDimensions& dims_;
    std::map<std::size_t, Text>& opaque_;
    EmittedArrays arrays_;
    GraphIndex index_;
    std::vector<Seen> seen_;  // by tensor
    std::map<std::size_t, Text> refused_;
    EmittedProgram result_;
};

}  // namespace

EmittedProgram emit_program(const TensorGraph& graph, const TrackedDimensions& dims,
                            const std::vector<AtomRole>& roles, const std::map<int, WeightPart>& parts,
                            const std::vector<int>& declared, std::map<std::size_t, Text>& opaque) {
    return Emission(graph, dims, roles, parts, opaque).run(declared);
}

}  // namespace blockscope::model
