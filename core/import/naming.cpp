#include "core/import/naming.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "core/program/names.h"

namespace blockscope::model {
namespace {

// Letters, digits and single underscores; without the marks that exporters put around names.
std::string plain_name(std::string name) {
    const std::string suffix = "_output_0";
    if (name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
        name.resize(name.size() - suffix.size());
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) name.erase(0, colons + 2);
    std::string result;
    for (const char c : name) {
        const bool good =
            std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
        if (good)
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    while (!result.empty() && result.back() == '_') result.pop_back();
    if (result.empty()) return "v";
    if (std::isdigit(static_cast<unsigned char>(result[0])) != 0) result.insert(0, "v");
    constexpr std::size_t most = 120;
    if (result.size() > most) result.resize(most);
    return result;
}

// "attention/query" of "/attention/query/MatMul"; "layers.0" of "/layers/layers.0/Gemm".
std::string scope_of(const std::string& node) {
    const std::size_t last = node.rfind('/');
    if (last == std::string::npos || last == 0) return {};
    std::string result;
    std::size_t start = node[0] == '/' ? 1 : 0;
    while (start < last) {
        const std::size_t end = std::min(node.find('/', start), last);
        const std::string part = node.substr(start, end - start);
        const std::size_t before = result.rfind('/') + 1;  // 0 without a slash
        if (part.rfind(result.substr(before) + ".", 0) == 0)
            result.resize(before);
        else if (!result.empty())
            result += '/';
        result += part;
        start = end + 1;
    }
    return result;
}

class Naming {
public:
    Naming(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
           const std::map<int, WeightPart>& parts)
        : emitted_(emitted), program_(emitted.program), graph_(graph), dims_(dims), parts_(parts) {}

    void run() {
        dimensions();
        outputs();
        inputs();
        operators();
    }

private:
    // The name, or with a number behind it if it is taken or none.
    std::string taken_name(const std::string& wanted, NameUse use) {
        std::string base = wanted;
        if (!name_problem(base, use).empty()) base += use == NameUse::Array ? "_" : "x";
        if (!name_problem(base, use).empty()) base = use == NameUse::Array ? "v" : "X";
        if (!name_problem(base + "2", use).empty()) base += "x";  // T2 is a temporary's name
        std::string name = base;
        for (int number = 2; !names_.declare(name, use, 0).empty(); ++number)
            name = base + (use == NameUse::Array ? "_" : "") + std::to_string(number);
        return name;
    }

    // ---- Dimensions.

    void dimensions() {
        guesses_.resize(program_.dims.size());
        for (const ArrayOp& op : program_.ops)
            if (op.kind == ArrayOpKind::Softmax) {
                guess(op.shape.axes[0], "M");
                guess(op.shape.axes[1], "N");
            }
        std::set<int> given(graph_.inputs.begin(), graph_.inputs.end());
        for (const InputNumbers& input : emitted_.inputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(input.op)].shape;
            if (given.count(input.tensor) == 0) continue;
            for (const DimId dim : shape.batch) guess(dim, "B");
            if (!shape.axes.empty()) guess(shape.axes.back(), "E");
            if (shape.axes.size() == 2) guess(shape.axes[0], "M");
        }
        for (const ArrayOutput& output : program_.outputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(output.op)].shape;
            if (!shape.axes.empty()) guess(shape.axes.back(), "E");
        }
        for (const ArrayOp& op : program_.ops) shared_heads(op);
        for (const InputNumbers& input : emitted_.inputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(input.op)].shape;
            for (const DimId dim : shape.batch) guess(dim, "H");
            for (const DimId dim : shape.axes)
                if (!shape.batch.empty()) guess(dim, "D");
        }
        for (std::size_t i = 0; i < program_.dims.size(); ++i) {
            const std::string symbol = dims_.atoms().symbol(emitted_.atoms[i]);
            const std::string plain = symbol.empty() ? "" : plain_name(symbol);
            const bool good = !plain.empty() && name_problem(plain, NameUse::Dimension).empty();
            const std::string other = guesses_[i].empty() ? "F" : guesses_[i];
            program_.dims[i].name = taken_name(good ? plain : other, NameUse::Dimension);
        }
    }
    // A batch dimension that one operand has beside heads that both have.
    void shared_heads(const ArrayOp& op) {
        if (op.kind != ArrayOpKind::Matmul) return;
        const auto& a = program_.ops[static_cast<std::size_t>(op.operands[0])].shape.batch;
        const auto& b = program_.ops[static_cast<std::size_t>(op.operands[1])].shape.batch;
        const auto has = [](const std::vector<DimId>& batch, DimId dim) {
            return std::find(batch.begin(), batch.end(), dim) != batch.end();
        };
        const bool heads = std::any_of(a.begin(), a.end(),
                                       [&](DimId dim) { return guesses_[dim.value].empty() && has(b, dim); });
        for (const DimId dim : op.shape.batch)
            if (heads && has(a, dim) != has(b, dim)) guess(dim, "G");
    }
    void guess(DimId dim, const char* name) {
        if (guesses_[dim.value].empty()) guesses_[dim.value] = name;
    }

    // ---- Arrays.

    std::string& name_of(int op) { return program_.ops[static_cast<std::size_t>(op)].name; }

    void outputs() {
        for (ArrayOutput& output : program_.outputs)
            if (name_of(output.op).empty() &&
                program_.ops[static_cast<std::size_t>(output.op)].kind != ArrayOpKind::Input)
                name_of(output.op) = taken_name(plain_name(output.name), NameUse::Array);
    }

    // A weight that an exporter has renamed ("onnx::MatMul_231") is called after the module that uses it.
    std::string input_name(int tensor) const {
        const std::string& name = graph_.tensors[static_cast<std::size_t>(tensor)].name;
        if (name.find("::") == std::string::npos) return plain_name(name);
        const auto part = parts_.find(tensor);
        const int whole = part == parts_.end() ? tensor : part->second.of;
        const std::size_t length = graph_.tensors[static_cast<std::size_t>(whole)].name.size();
        const std::string behind = name.size() > length ? name.substr(length) : "";  // "_q" of a part
        for (const GraphNode& node : graph_.nodes) {
            if (std::find(node.inputs.begin(), node.inputs.end(), tensor) == node.inputs.end()) continue;
            const std::string scope = scope_of(node.name);
            const std::string module = plain_name(scope);
            const bool said = module.size() >= behind.size() &&
                              module.compare(module.size() - behind.size(), behind.size(), behind) == 0;
            return scope.empty() ? "W" + behind : module + "_weight" + (said ? "" : behind);
        }
        return plain_name(name);
    }

    void inputs() {
        std::map<int, int> tensors;  // by operator
        for (const auto& [op, tensor] : emitted_.leaves) tensors[op] = tensor;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            ArrayOp& op = program_.ops[i];
            if (op.kind != ArrayOpKind::Input) continue;
            const auto tensor = tensors.find(static_cast<int>(i));
            const bool mask = op.source == InputSource::CausalMask;
            const std::string wanted = mask || tensor == tensors.end() ? "Mask" : input_name(tensor->second);
            op.name = taken_name(wanted, NameUse::Array);
        }
        for (ArrayOutput& output : program_.outputs) output.name = name_of(output.op);
    }

    void operators() {
        std::vector<int> uses(program_.ops.size(), 0);
        for (const ArrayOp& op : program_.ops)
            for (const int operand : op.operands) ++uses[static_cast<std::size_t>(operand)];
        std::map<std::string, std::size_t> last;  // operator of a scope
        for (std::size_t i = 0; i < program_.ops.size(); ++i)
            if (const std::string scope = scope_of(emitted_.hints[i]); !scope.empty()) last[scope] = i;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            ArrayOp& op = program_.ops[i];
            if (!op.name.empty() || emitted_.hints[i].empty()) continue;
            const std::string scope = scope_of(emitted_.hints[i]);
            const bool closes = !scope.empty() && last[scope] == i;
            const bool landmark = scope.empty() && is_landmark(op);
            const bool apart = uses[i] > 1 || read_later(i);
            if (!closes && !landmark && !apart && op.kind != ArrayOpKind::Custom) continue;
            op.name = taken_name(plain_name(closes ? scope : emitted_.hints[i]), NameUse::Array);
        }
    }
    // Whether operators that have a name, or may get one, stand between this one and what reads it.
    bool read_later(std::size_t i) const {
        for (std::size_t k = i + 1; k < program_.ops.size(); ++k) {
            const ArrayOp& op = program_.ops[k];
            if (std::find(op.operands.begin(), op.operands.end(), static_cast<int>(i)) != op.operands.end())
                return false;
            if (op.kind != ArrayOpKind::Transpose) return true;
        }
        return false;
    }
    static bool is_landmark(const ArrayOp& op) {
        return op.kind == ArrayOpKind::Matmul || op.kind == ArrayOpKind::Softmax ||
               op.kind == ArrayOpKind::LayerNorm || op.kind == ArrayOpKind::RmsNorm ||
               op.kind == ArrayOpKind::SumOver;
    }

    EmittedProgram& emitted_;
    ArrayProgram& program_;
    const TensorGraph& graph_;
    const TrackedDimensions& dims_;
    const std::map<int, WeightPart>& parts_;
    NameTable names_;
    std::vector<std::string> guesses_;  // by dimension
};

}  // namespace

void give_names(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
                const std::map<int, WeightPart>& parts) {
    Naming(emitted, graph, dims, parts).run();
}

}  // namespace blockscope::model
