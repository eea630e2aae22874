// Calls of PyTorch's operators (aten) as nodes of a tensor graph, whose operators are those of the ONNX
// standard: one becomes one or several of them, or none where it only names its operand anew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/import/tensor_graph.h"

namespace blockscope::model {

// A whole number, or a symbol or formula of the graph.
struct AtenWhole {
    std::int64_t value = 0;
    std::string symbol;
};
struct AtenTensor {
    int index = -1;
};
struct AtenOther {};  // a device, a layout, a graph: nothing that decides what is computed

using AtenArgument =
    std::variant<std::monostate, AtenTensor, std::vector<AtenTensor>, bool, AtenWhole, std::vector<AtenWhole>,
                 double, std::vector<double>, std::string, TensorKind, AtenOther>;

struct AtenCall {
    std::string target;  // "torch.ops.aten.add.Tensor"
    std::string name;    // of the node
    std::map<std::string, AtenArgument> arguments;
    std::vector<int> outputs;  // tensors of the graph
    std::vector<bool> used;    // by output: whether anything reads it
    bool sole_user = false;  // whether nothing else reads the tensor `self`, which is no part of another one
};

struct AtenResult {
    int alias = -1;  // the tensor that the call's output is, where the call does nothing
    bool understood = true;
};

// Adds what the call becomes. What is not understood becomes a node that has the operator's name.
AtenResult add_aten_call(TensorGraph& graph, const AtenCall& call);

// One call while it is taken apart (aten.cpp, aten_operators.cpp).
class AtenLowering {
public:
    AtenLowering(TensorGraph& graph, const AtenCall& call) : graph_(graph), call_(call) {}
    AtenResult run();

private:
    using Rule = bool (AtenLowering::*)();
    using Attributes = std::map<std::string, AttributeValue>;
    static const std::map<std::string, Rule>& rules();
    static const std::map<std::string, const char*>& unary_operators();
    static const std::map<std::string, const char*>& comparisons();

    // ---- Arguments; a missing one is as good as None. One that is there but of another sort, or a symbol
    // where a number is asked for, makes the whole call one that is not understood.
    template <class T>
    const T* read(const char* name);
    const AtenArgument* argument(const char* name) const;
    bool given(const char* name) const;
    int tensor(const char* name);  // -1: none
    std::int64_t whole(const char* name, std::int64_t otherwise);
    double real(const char* name, double otherwise);
    bool flag(const char* name, bool otherwise);
    std::string text(const char* name, const std::string& otherwise);
    std::vector<AtenWhole> wholes(const char* name);
    // Plain numbers; none where a symbol is among them.
    std::optional<std::vector<std::int64_t>> plain_wholes(const char* name);
    std::vector<int> tensors(const char* name);

    // ---- Tensors.
    GraphTensor& at(int tensor) { return graph_.tensors[static_cast<std::size_t>(tensor)]; }
    const GraphTensor& at(int tensor) const { return graph_.tensors[static_cast<std::size_t>(tensor)]; }
    int output() const { return call_.outputs[0]; }
    TensorKind kind() const { return at(output()).kind; }
    std::optional<std::size_t> rank(int tensor) const;
    // An axis from 0 on; none if the tensor has no such one.
    std::optional<std::int64_t> axis(std::int64_t axis, int tensor) const;
    std::optional<std::int64_t> extent(int tensor, std::int64_t axis) const;  // where it is a number
    bool only_first_output() const;

    // ---- What is added.
    int new_tensor(TensorKind kind, std::vector<TensorExtent> extents);
    int number(double value, TensorKind kind = TensorKind::F32);
    int list(const std::vector<AtenWhole>& numbers);  // -1: it mixes symbols and negative numbers
    int list(const std::vector<std::int64_t>& numbers);
    int extents_of(int tensor);  // as a list; -1 where the model does not say them
    int shape_list(const char* name);
    int whole_tensor(const AtenWhole& number);
    int operand(const char* name, TensorKind kind);  // a tensor or a number, of this kind
    int of_kind(int tensor, TensorKind kind);
    int scaled(int tensor, const char* factor);  // times an argument; -1 where that has no form
    bool of_truths() const;
    // The tensor that a new node makes; -1 where an input is -1.
    int emit(const char* op, std::vector<int> inputs, Attributes attributes = {});
    bool finish(const char* op, std::vector<int> inputs, Attributes attributes = {});
    bool same_as(int tensor);
    void custom();
    bool refuse(Text why);

    // ---- Operators.
    bool unary(const char* op);
    bool binary(const char* op);
    bool comparison(const char* op);
    bool add();
    bool subtract();
    bool subtract_from();
    bool multiply();
    bool divide();
    bool power();
    bool maximum();
    bool minimum();
    bool remainder();
    bool both();
    bool either();
    bool neither();
    bool clamp();
    bool square();
    bool inverse_root();
    bool gelu();
    bool elu();
    bool leaky_relu();
    bool softplus();
    bool linear();
    bool product();
    bool added_product();
    bool attention();
    bool softmax();
    bool safe_softmax();
    bool layer_norm();
    bool rms_norm();
    bool reduce(const char* op);
    bool mean();
    bool sum();
    bool largest();
    bool variance();
    bool view();
    bool reshape_to_output();
    bool permute();
    bool transpose();
    bool transpose_matrix();
    bool expand();
    bool expand_to_output();
    bool repeat();
    bool repeat_each();
    bool unsqueeze();
    bool slice();
    bool select();
    bool concatenate();
    bool stack();
    bool split();
    bool unbind();
    bool identity();
    bool cast();
    bool dropout();
    bool where();
    bool masked_fill();
    bool filled();
    bool ones();
    bool zeros();
    bool filled_with(double value);
    bool range();
    bool lower_triangle();
    bool upper_triangle();
    bool triangle(bool upper);
    bool embedding();

    // ---- Parts of them.
    int transposed_last(int tensor);
    int repeated(int tensor, std::int64_t axis, std::int64_t times);
    int causal_mask(int queries, int keys);
    int masked_scores(int scores, int queries, int keys);

    TensorGraph& graph_;
    const AtenCall& call_;
    int alias_ = -1;
    bool unread_ = false;  // whether an argument is there that is not understood
    Text why_;
};

}  // namespace blockscope::model
