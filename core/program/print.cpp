#include <algorithm>
#include <unordered_set>

#include "core/program/array_program.h"
#include "core/program/formula.h"
#include "core/program/infer.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope {
namespace {

constexpr std::size_t kLineLength = 100;

// Writes one statement per operator that has a name. A nameless operator becomes part of the
// formula that uses it, if it is used once and reading the text makes the operators in the same
// order again; otherwise it gets a name.
class ProgramText {
public:
    explicit ProgramText(const ArrayProgram& program) : program_(program) {}

    std::string run();

private:
    void count_uses();
    void operation(std::size_t i);
    void define(std::size_t i, const Formula& formula);
    void input(std::size_t i);
    void flush_inputs();
    void flush_pending();
    void due_outputs(std::size_t i);
    std::vector<Formula> operands(std::size_t i);
    bool pending_are_operands(std::size_t i) const;
    bool has_default_result(const ArrayOp& op) const;
    std::string fresh_name();
    std::string annotated(const ArrayOp& op, const std::string& name) const;

    // A formula whose operator has no statement yet.
    struct Pending {
        std::size_t op;
        Formula formula;
    };

    const ArrayProgram& program_;
    std::string text_;
    std::vector<std::string> names_;  // by operator; empty: none
    std::vector<int> uses_;           // by operator
    std::vector<Pending> pending_;
    std::vector<std::size_t> inputs_;  // to be declared on one line
    std::size_t next_output_ = 0;
    std::unordered_set<std::string> taken_;
    int fresh_ = 0;
};

std::string dim_line(const Dim& dim) {
    const std::string size = dim.name + " = " + std::to_string(dim.size);
    switch (dim.kind) {
        case DimKind::Blocked:
            return "dim " + size + " / " + std::to_string(dim.block) + "\n";
        case DimKind::Batch:
            return "batch " + size + "\n";
        case DimKind::Group:
            return "group " + size + "\n";
    }
    throw InternalError("unknown kind of dimension");
}

std::string type_suffix(ElemType elem) {
    return elem == ElemType::F32 ? std::string() : " : " + to_string(elem);
}

std::string ProgramText::run() {
    for (const std::string& line : program_.comment) text_ += line.empty() ? "#\n" : "# " + line + "\n";
    if (!program_.comment.empty()) text_ += "\n";
    for (const Dim& dim : program_.dims) {
        text_ += dim_line(dim);
        taken_.insert({dim.name, dim.name + dim.name});
    }
    count_uses();
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        if (program_.ops[i].kind == ArrayOpKind::Input) {
            input(i);
        } else {
            operation(i);
        }
    }
    flush_inputs();
    flush_pending();
    return std::move(text_);
}

void ProgramText::count_uses() {
    uses_.resize(program_.ops.size());
    for (const ArrayOp& op : program_.ops) {
        names_.push_back(op.name);
        for (const int operand : op.operands) ++uses_[static_cast<std::size_t>(operand)];
    }
    for (const ArrayOutput& output : program_.outputs) {
        std::string& name = names_[static_cast<std::size_t>(output.op)];
        if (name.empty()) name = output.name;
        taken_.insert(output.name);
    }
    taken_.insert(names_.begin(), names_.end());
}

std::string ProgramText::fresh_name() {
    for (;;) {
        std::string name = "v" + std::to_string(++fresh_);
        if (taken_.insert(name).second) return name;
    }
}

bool ProgramText::has_default_result(const ArrayOp& op) const {
    const ArrayOp& first = program_.ops[static_cast<std::size_t>(op.operands[0])];
    return op.shape == first.shape && op.elem == first.elem;
}

std::string ProgramText::annotated(const ArrayOp& op, const std::string& name) const {
    if (op.kind != ArrayOpKind::Custom || has_default_result(op)) return name;
    const ArrayOp& first = program_.ops[static_cast<std::size_t>(op.operands[0])];
    const std::string type = op.elem == first.elem ? std::string() : " : " + to_string(op.elem);
    return name + to_string(op.shape, program_.dims) + type;
}

void ProgramText::input(std::size_t i) {
    flush_pending();
    const ArrayOp& op = program_.ops[i];
    if (op.source == InputSource::Array) {
        if (!inputs_.empty() && program_.ops[inputs_.back()].elem != op.elem) flush_inputs();
        inputs_.push_back(i);
    } else {
        flush_inputs();
        text_ +=
            "mask " + names_[i] + to_string(op.shape, program_.dims) + type_suffix(op.elem) + " = causal\n";
    }
    due_outputs(i);
}

void ProgramText::flush_inputs() {
    if (inputs_.empty()) return;
    const std::string suffix = type_suffix(program_.ops[inputs_[0]].elem);
    std::string line;
    for (const std::size_t i : inputs_) {
        const std::string item = names_[i] + to_string(program_.ops[i].shape, program_.dims);
        if (!line.empty() && line.size() + item.size() + suffix.size() > kLineLength) {
            text_ += line + suffix + "\n";
            line.clear();
        }
        line += (line.empty() ? "input " : ", ") + item;
    }
    text_ += line + suffix + "\n";
    inputs_.clear();
}

// Names everything that waits for its use.
void ProgramText::flush_pending() {
    std::vector<Pending> pending;
    pending.swap(pending_);
    for (const Pending& p : pending) {
        names_[p.op] = fresh_name();
        define(p.op, p.formula);
    }
}

bool ProgramText::pending_are_operands(std::size_t i) const {
    std::vector<std::size_t> nameless;
    for (const int operand : program_.ops[i].operands) {
        if (names_[static_cast<std::size_t>(operand)].empty())
            nameless.push_back(static_cast<std::size_t>(operand));
    }
    if (nameless.size() > pending_.size()) return false;
    const bool statement = !names_[i].empty() || uses_[i] != 1;
    if (statement && nameless.size() < pending_.size()) return false;
    return std::equal(nameless.begin(), nameless.end(),
                      pending_.end() - static_cast<std::ptrdiff_t>(nameless.size()),
                      [](std::size_t op, const Pending& p) { return op == p.op; });
}

std::vector<Formula> ProgramText::operands(std::size_t i) {
    std::vector<Formula> formulas;
    auto next = pending_.end();
    for (const int operand : program_.ops[i].operands) {
        if (names_[static_cast<std::size_t>(operand)].empty()) --next;
    }
    for (const int operand : program_.ops[i].operands) {
        const std::string& name = names_[static_cast<std::size_t>(operand)];
        formulas.push_back(name.empty() ? (next++)->formula : name_formula(name));
    }
    return formulas;
}

void ProgramText::operation(std::size_t i) {
    flush_inputs();
    const ArrayOp& op = program_.ops[i];
    if (!pending_are_operands(i)) flush_pending();
    Formula formula = op_formula(program_, op, operands(i));
    if (formula.depth > kMaxSyntaxDepth) {
        flush_pending();
        formula = op_formula(program_, op, operands(i));
    }
    for (const int operand : op.operands) {
        if (names_[static_cast<std::size_t>(operand)].empty()) pending_.pop_back();
    }
    const bool plain = op.kind != ArrayOpKind::Custom || has_default_result(op);
    if (names_[i].empty() && uses_[i] == 1 && plain) {
        pending_.push_back({i, std::move(formula)});
        return;
    }
    flush_pending();
    if (names_[i].empty()) names_[i] = fresh_name();
    define(i, formula);
}

void ProgramText::define(std::size_t i, const Formula& formula) {
    const bool output = next_output_ < program_.outputs.size() &&
                        program_.outputs[next_output_].op == static_cast<int>(i) &&
                        program_.outputs[next_output_].name == names_[i];
    if (output) ++next_output_;
    text_ += (output ? "output " : "") + annotated(program_.ops[i], names_[i]) + " = " + formula.text + "\n";
    due_outputs(i);
}

// Outputs that an operator up to i gives, in their order.
void ProgramText::due_outputs(std::size_t i) {
    while (next_output_ < program_.outputs.size() &&
           program_.outputs[next_output_].op <= static_cast<int>(i)) {
        const ArrayOutput& output = program_.outputs[next_output_++];
        const std::string& name = names_[static_cast<std::size_t>(output.op)];
        flush_inputs();
        text_ += "output " + output.name + (name == output.name ? std::string() : " = " + name) + "\n";
    }
}

}  // namespace

std::string print_program(const ArrayProgram& program) {
    return ProgramText(program).run();
}

}  // namespace blockscope
