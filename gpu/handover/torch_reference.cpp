#include "gpu/handover/torch_reference.h"

#include <algorithm>
#include <set>
#include <vector>

#include "core/graph/expr.h"
#include "core/scalar/primitives.h"

namespace blockscope::gpu {

namespace {

void collect(const Expr& expr, std::set<std::string>& functions, std::set<std::uint16_t>& sizes) {
    if (const auto* size = std::get_if<SizeOf>(&expr.value)) sizes.insert(size->dim.value);
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return;
    if (primitive(call->fn).form == FnForm::Function) functions.insert(to_string(call->fn));
    for (const ExprPtr& part : call->args) collect(*part, functions, sizes);
}

// An axis of what is computed: one of the operand's own, or one along which it is spread.
enum class Axis { Own, New };
using Axes = std::vector<Axis>;

class TorchText {
public:
    explicit TorchText(const ArrayProgram& program) : program_(program) {}

    Result<std::string> run() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            const ArrayOp& op = program_.ops[i];
            if (op.kind == ArrayOpKind::Custom)
                return Problem{op.place,
                               Text("no PyTorch for custom(\"%1\"): the operator is not one of Blockscope's, "
                                    "so that nobody knows what it computes",
                                    op.custom_name)};
            names_.push_back(new_name(op));
            if (op.kind == ArrayOpKind::Input && op.source == InputSource::Array) {
                parameters_ += (parameters_.empty() ? "" : ", ") + names_.back();
                continue;
            }
            lines_ += "    " + names_.back() + " = " + expression(op) + "\n";
        }
        return whole();
    }

private:
    const ArrayOp& operand(const ArrayOp& op, std::size_t i) const {
        return program_.ops.at(static_cast<std::size_t>(op.operands.at(i)));
    }
    std::int64_t size(DimId dim) const { return program_.dims.at(dim.value).size; }

    std::string new_name(const ArrayOp& op) {
        std::string name = op.name.empty() ? "v1" : python_name(op.name);
        for (int number = 2; !taken_.insert(name).second || (op.name.empty() && is_declared(name)); ++number)
            name = (op.name.empty() ? "v" : python_name(op.name) + "_") + std::to_string(number);
        return name;
    }
    bool is_declared(const std::string& name) const {
        return std::any_of(program_.ops.begin(), program_.ops.end(),
                           [&](const ArrayOp& op) { return op.name == name; });
    }

    // The operand with its batch dimensions in the order of the result's, and axes as they are wanted.
    std::string aligned(const ArrayOp& op, std::size_t i, const Axes& axes) const {
        const Shape& shape = operand(op, i).shape;
        std::string name = names_.at(static_cast<std::size_t>(op.operands[i]));
        std::vector<std::string> index;
        std::vector<std::size_t> order;
        for (const DimId dim : op.shape.batch) {
            const auto at = std::find(shape.batch.begin(), shape.batch.end(), dim);
            index.emplace_back(at == shape.batch.end() ? "None" : ":");
            if (at != shape.batch.end()) order.push_back(static_cast<std::size_t>(at - shape.batch.begin()));
        }
        if (!std::is_sorted(order.begin(), order.end())) name += permuted(order, shape.axes.size());
        for (const Axis axis : axes) index.emplace_back(axis == Axis::Own ? ":" : "None");
        // What stands in front broadcasts by itself, what stands behind is all of it.
        const auto first = std::find(index.begin(), index.end(), ":");
        index.erase(index.begin(), first);
        while (!index.empty() && index.back() == ":") index.pop_back();
        if (index.empty()) return name;
        std::string text;
        for (const std::string& one : index) text += (text.empty() ? "" : ", ") + one;
        return name + "[" + text + "]";
    }

    static std::string permuted(const std::vector<std::size_t>& order, std::size_t axes) {
        std::string text;
        for (const std::size_t one : order) text += std::to_string(one) + ", ";
        for (std::size_t axis = 0; axis < axes; ++axis) text += std::to_string(order.size() + axis) + ", ";
        return ".permute(" + text.substr(0, text.size() - 2) + ")";
    }

    // How the operand's axes lie in a matrix [M, N]: a vector along its columns unless it is said otherwise.
    static Axes axes_of(const ArrayOp& operand, std::size_t wanted, bool along_rows = false) {
        if (operand.shape.axes.size() == wanted) return Axes(wanted, Axis::Own);
        if (operand.shape.axes.empty()) return Axes(wanted, Axis::New);
        return along_rows ? Axes{Axis::Own, Axis::New} : Axes{Axis::New, Axis::Own};
    }

    std::string expression(const ArrayOp& op) {
        switch (op.kind) {
            case ArrayOpKind::Input:
                return mask(op);
            case ArrayOpKind::Matmul:
                return all_operands(op, " @ ");
            case ArrayOpKind::Transpose:
                return all_operands(op, "") + ".transpose(-1, -2)";
            case ArrayOpKind::Elementwise:
                return elementwise(op);
            case ArrayOpKind::Broadcast:
                return broadcast(op);
            case ArrayOpKind::SumOver: {
                const std::vector<DimId>& batch = operand(op, 0).shape.batch;
                const auto at = std::find(batch.begin(), batch.end(), op.dim) - batch.begin();
                return names_.at(static_cast<std::size_t>(op.operands.at(0))) + ".sum(" + std::to_string(at) +
                       ")";
            }
            default:
                return function(op);
        }
    }

    // Operators whose operands are matrices but for vectors along their columns.
    std::string all_operands(const ArrayOp& op, const std::string& between) const {
        std::string text;
        for (std::size_t i = 0; i < op.operands.size(); ++i) {
            const std::size_t axes = op.kind == ArrayOpKind::Outer ? 1 : operand(op, 0).shape.axes.size();
            text += (i == 0 ? "" : between) + aligned(op, i, axes_of(operand(op, i), axes));
        }
        return text;
    }

    // By the name that the language has for it; resources/pytorch/operators.py defines them.
    std::string function(const ArrayOp& op) {
        const std::string name(array_operator(op.kind).function);
        imports_.insert(name);
        std::string options;
        if (op.kind == ArrayOpKind::RmsNorm || op.kind == ArrayOpKind::LayerNorm)
            options = op.paper_form ? ", paper=True" : ", eps=" + to_string(*number(op.epsilon), {}, {});
        if (op.kind == ArrayOpKind::Cast) options = ", \"" + torch_type(op.elem) + "\"";
        return name + "(" + all_operands(op, ", ") + options + ")";
    }

    std::string mask(const ArrayOp& op) {
        imports_.insert("causal");
        return "causal(" + std::to_string(size(op.shape.axes.at(0))) + ", " +
               std::to_string(size(op.shape.axes.at(1))) + ", window=" + std::to_string(op.window) +
               ", like=" + first_input() + ")";
    }

    std::string elementwise(const ArrayOp& op) {
        collect(*op.expr, imports_, sizes_);
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            arguments.push_back(aligned(op, i, axes_of(operand(op, i), op.shape.axes.size())));
        return to_string(*op.expr, arguments, program_.dims);
    }

    std::string broadcast(const ArrayOp& op) {
        std::vector<std::string> arguments;
        for (std::size_t i = 0; i < 2; ++i)
            arguments.push_back(
                aligned(op, i, axes_of(operand(op, i), 2, op.vector_axis == VectorAxis::Rows)));
        return to_string(*call(op.fn, arg(0), arg(1)), arguments, program_.dims);
    }

    std::string first_input() const {
        for (std::size_t i = 0; i < program_.ops.size(); ++i)
            if (program_.ops[i].kind == ArrayOpKind::Input && program_.ops[i].source == InputSource::Array)
                return i < names_.size() ? names_[i] : python_name(program_.ops[i].name);
        return "None";
    }

    std::string whole() const {
        std::string text =
            "\"\"\"The program in plain PyTorch, operator by operator: what the kernels are compared "
            "with.\"\"\"\n"
            "import torch  # noqa: F401\n";
        std::string imports;
        for (const std::string& name : imports_) imports += (imports.empty() ? "" : ", ") + name;
        if (!imports.empty()) text += "\nfrom operators import " + imports + "\n";
        if (!sizes_.empty()) text += "\n";
        for (const std::uint16_t dim : sizes_) {
            const Dim& about = program_.dims.at(dim);
            text += about.name + about.name + " = " + std::to_string(about.size) + "\n";
        }
        std::string results;
        for (const ArrayOutput& output : program_.outputs)
            results += (results.empty() ? "" : ", ") + names_.at(static_cast<std::size_t>(output.op));
        return text + "\n\ndef reference(" + parameters_ + "):\n" + lines_ + "    return " + results + "\n";
    }

    const ArrayProgram& program_;
    std::vector<std::string> names_;  // by operator
    std::set<std::string> taken_;
    std::string parameters_, lines_;
    std::set<std::string> imports_;  // functions of operators.py
    std::set<std::uint16_t> sizes_;  // dimensions whose size an expression names
};

}  // namespace

std::string torch_type(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return "float32";
        case ElemType::F16:
            return "float16";
        case ElemType::BF16:
            return "bfloat16";
        case ElemType::E4M3:
            return "float8_e4m3fn";
        case ElemType::E5M2:
            return "float8_e5m2";
    }
    throw InternalError("unknown element type");
}

std::string python_name(const std::string& name) {
    static const std::set<std::string> words = {
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
        "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
        "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
        "torch", "F", "reference", "check", "bench", "ctypes", "hashlib", "os", "platform", "subprocess",
        "match", "case", "type", "len", "list", "tuple", "zip", "str", "print",
        // Names of the module itself (resources/pytorch/module.py.in).
        "INPUTS", "OUTPUTS", "TOLERANCE", "CPU_ARRAYS", "CUDA_ARRAYS", "CUDA_MEMORY", "CUDA_TARGET", "CXX",
        "HERE", "_functions", "_compiling", "_dtype", "_checked", "_run", "_pointers", "_run_on_card",
        "_function", "_nvcc", "_processor", "build", "tempfile", "threading", "operators"};
    return words.count(name) > 0 ? name + "_" : name;
}

Result<std::string> torch_reference(const ArrayProgram& program) {
    return TorchText(program).run();
}

}  // namespace blockscope::gpu
