// Array programs, and expressions in them, in the syntax of the text language.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <unordered_set>

#include "core/program/array_program.h"
#include "core/program/functions.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope {

namespace {

using Names = std::vector<std::string>;

// How tightly a piece of text binds, loosest first.
enum class Precedence : std::uint8_t { Sum, Product, Negation, Power, Primary };

// A piece of a larger text.
struct PrintedTerm {
    std::string text;
    Precedence precedence = Precedence::Primary;
    int depth = 1;  // levels of the syntax tree
};

PrintedTerm printed_name(std::string name) {
    return {std::move(name), Precedence::Primary, 1};
}

std::string number_text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string enclosed(const PrintedTerm& term, Precedence least) {
    return term.precedence >= least ? term.text : "(" + term.text + ")";
}

// Two terms around the sign of `fn`, with the parentheses that the grammar needs.
std::optional<PrintedTerm> infix(Fn fn, const PrintedTerm& left, const PrintedTerm& right) {
    const int depth = std::max(left.depth, right.depth) + 1;
    const auto join = [&](Precedence first, const char* sign, Precedence second, Precedence whole) {
        return PrintedTerm{enclosed(left, first) + sign + enclosed(right, second), whole, depth};
    };
    if (fn == Fn::Add) return join(Precedence::Sum, " + ", Precedence::Product, Precedence::Sum);
    if (fn == Fn::Sub) return join(Precedence::Sum, " - ", Precedence::Product, Precedence::Sum);
    if (fn == Fn::Mul) return join(Precedence::Product, " * ", Precedence::Negation, Precedence::Product);
    if (fn == Fn::Div) return join(Precedence::Product, " / ", Precedence::Negation, Precedence::Product);
    if (fn == Fn::Pow) return join(Precedence::Primary, "^", Precedence::Negation, Precedence::Power);
    return std::nullopt;
}

PrintedTerm printed_call(std::string_view function, const std::vector<PrintedTerm>& args) {
    PrintedTerm result{std::string(function) + "(", Precedence::Primary, 1};
    for (std::size_t i = 0; i < args.size(); ++i) {
        result.text += (i > 0 ? ", " : "") + args[i].text;
        result.depth = std::max(result.depth, args[i].depth + 1);
    }
    result.text += ")";
    return result;
}

class ExprText {
public:
    ExprText(const Names& names, const DimTable& dims) : names_(names), dims_(dims) {}

    PrintedTerm text(const Expr& expr) const {
        return std::visit([&](const auto& part) { return text(part); }, expr.value);
    }

private:
    PrintedTerm text(const Arg& arg) const {
        return {names_.at(static_cast<std::size_t>(arg.index)), Precedence::Primary, 1};
    }
    PrintedTerm text(const SizeOf& size) const {
        return {dims_[size.dim.value].name, Precedence::Primary, 1};
    }
    PrintedTerm text(const Number& value) const {
        std::string digits = number_text(value.value);
        const Precedence precedence = digits[0] == '-' ? Precedence::Negation : Precedence::Primary;
        return {std::move(digits), precedence, 1};
    }
    // A minus before a number would become part of it.
    PrintedTerm text(const Call& call) const {
        std::vector<PrintedTerm> args;
        for (const ExprPtr& child : call.args) args.push_back(text(*child));
        const bool minus = call.fn == Fn::Neg && !std::holds_alternative<Number>(call.args[0]->value);
        if (minus)
            return {"-" + enclosed(args[0], Precedence::Negation), Precedence::Negation, args[0].depth + 1};
        if (args.size() == 2) {
            if (std::optional<PrintedTerm> term = infix(call.fn, args[0], args[1])) return *std::move(term);
        }
        return printed_call(to_string(call.fn), args);
    }

    const Names& names_;
    const DimTable& dims_;
};

PrintedTerm printed_expr(const Expr& expr, const Names& names, const DimTable& dims) {
    return ExprText(names, dims).text(expr);
}

bool is_arg(const ExprPtr& expr, int index) {
    const Arg* arg = std::get_if<Arg>(&expr->value);
    return arg != nullptr && arg->index == index;
}

// Whether `expr` is `pattern` with Arg{1} standing for one scalar, which is left in `parameter`.
bool matches(const ExprPtr& pattern, const ExprPtr& expr, ExprPtr& parameter) {
    if (is_arg(pattern, 1)) {
        if (argument_count(*expr) > 0) return false;
        if (!parameter) parameter = expr;
        return equal(*parameter, *expr);
    }
    const Call* wanted = std::get_if<Call>(&pattern->value);
    const Call* found = std::get_if<Call>(&expr->value);
    if (wanted == nullptr || found == nullptr) return equal(*pattern, *expr);
    if (wanted->fn != found->fn) return false;
    for (std::size_t i = 0; i < wanted->args.size(); ++i) {
        if (!matches(wanted->args[i], found->args[i], parameter)) return false;
    }
    return true;
}

class ElementwiseText {
public:
    ElementwiseText(const ArrayProgram& program, const ArrayOp& op, const std::vector<PrintedTerm>& operands)
        : dims_(program.dims), expr_(op.expr), operands_(operands) {}

    PrintedTerm text() const {
        if (std::optional<PrintedTerm> term = as_call()) return *std::move(term);
        if (operands_.size() == 1) {
            if (std::optional<PrintedTerm> term = as_function()) return *std::move(term);
        }
        return as_expression();
    }

private:
    // The side of a top-level call that is operand `index` or, with one operand, a scalar.
    std::optional<PrintedTerm> side(const ExprPtr& part, int index) const {
        if (is_arg(part, index)) return operands_[static_cast<std::size_t>(index)];
        if (operands_.size() == 1 && argument_count(*part) == 0) return printed_expr(*part, {}, dims_);
        return std::nullopt;
    }

    // X * 2, -X, exp(X), X + Y, max(X, Y)
    std::optional<PrintedTerm> as_call() const {
        const Call* call = std::get_if<Call>(&expr_->value);
        if (call == nullptr || operands_.size() > call->args.size()) return std::nullopt;
        const std::optional<PrintedTerm> left = side(call->args[0], 0);
        if (!left) return std::nullopt;
        if (call->fn == Fn::Neg) {
            return PrintedTerm{"-" + enclosed(*left, Precedence::Negation), Precedence::Negation,
                               left->depth + 1};
        }
        if (call->args.size() == 1) return printed_call(to_string(call->fn), {*left});
        const std::optional<PrintedTerm> right = side(call->args[1], operands_.size() == 1 ? 0 : 1);
        const bool one_array = operands_.size() == 2 || is_arg(call->args[0], 0) != is_arg(call->args[1], 0);
        if (!right || !one_array) return std::nullopt;
        if (std::optional<PrintedTerm> term = infix(call->fn, *left, *right)) return term;
        const bool relu = call->fn == Fn::Max && operands_.size() == 1;
        if (relu) {
            if (std::optional<PrintedTerm> term = as_function()) return term;
        }
        return printed_call(to_string(call->fn), {*left, *right});
    }

    // silu(X), leaky_relu(X, 0.2)
    std::optional<PrintedTerm> as_function() const {
        for (const ElementwiseFunction& function : elementwise_functions()) {
            if (function.operands != 1 || function.alias) continue;
            ExprPtr parameter;
            if (!matches(function.build({arg(0), arg(1)}), expr_, parameter)) continue;
            std::vector<PrintedTerm> args = {operands_[0]};
            if (parameter && !equal(*parameter, *number(function.parameter_default))) {
                args.push_back(printed_expr(*parameter, {}, dims_));
            }
            return printed_call(function.name, args);
        }
        return std::nullopt;
    }

    // elementwise(x, y: x * exp(y), X, Y)
    PrintedTerm as_expression() const {
        const Names names = parameter_names();
        PrintedTerm result{"elementwise(", Precedence::Primary, 1};
        for (std::size_t i = 0; i < names.size(); ++i) result.text += (i > 0 ? ", " : "") + names[i];
        const PrintedTerm body = printed_expr(*expr_, names, dims_);
        result.text += ": " + body.text;
        result.depth = body.depth + 1;
        for (const PrintedTerm& operand : operands_) {
            result.text += ", " + operand.text;
            result.depth = std::max(result.depth, operand.depth + 1);
        }
        result.text += ")";
        return result;
    }

    Names parameter_names() const {
        static const Names letters = {"x", "y", "z", "w"};
        Names names;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            std::string name = operands_.size() <= letters.size() ? letters[i] : "x" + std::to_string(i + 1);
            const auto taken = [&](const Dim& dim) { return dim.name == name; };
            while (std::any_of(dims_.begin(), dims_.end(), taken)) name += "_";
            names.push_back(std::move(name));
        }
        return names;
    }

    const DimTable& dims_;
    const ExprPtr& expr_;
    const std::vector<PrintedTerm>& operands_;
};

PrintedTerm printed_broadcast(const ArrayProgram& program, const ArrayOp& op,
                              std::vector<PrintedTerm> operands) {
    const auto axes = [&](std::size_t i) {
        return program.ops[static_cast<std::size_t>(op.operands[i])].shape.axes;
    };
    const std::size_t matrix = axes(0).size() == 2 ? 0 : 1;
    const bool square = axes(matrix)[0] == axes(matrix)[1];
    if (square && op.vector_axis == VectorAxis::Rows) {
        operands[1 - matrix] = printed_call("column", {operands[1 - matrix]});
    }
    if (std::optional<PrintedTerm> term = infix(op.fn, operands[0], operands[1])) return *std::move(term);
    throw InternalError("a broadcast adds, subtracts, multiplies or divides");
}

PrintedTerm printed_matmul(const PrintedTerm& left, const PrintedTerm& right) {
    return {enclosed(left, Precedence::Product) + " @ " + enclosed(right, Precedence::Negation),
            Precedence::Product, std::max(left.depth, right.depth) + 1};
}

PrintedTerm printed_norm(const ArrayOp& op, std::vector<PrintedTerm> args) {
    const bool rms = op.kind == ArrayOpKind::RmsNorm;
    const double usual = rms ? kRmsNormEpsilon : kLayerNormEpsilon;
    if (op.paper_form) {
        args.push_back({"form=paper", Precedence::Sum, 1});
    } else if (op.epsilon != usual) {
        args.push_back({"eps=" + number_text(op.epsilon), Precedence::Sum, 1});
    }
    return printed_call(array_operator(op.kind).function, args);
}

// `op` applied to its operands.
PrintedTerm printed_op(const ArrayProgram& program, const ArrayOp& op,
                       const std::vector<PrintedTerm>& operands) {
    switch (op.kind) {
        case ArrayOpKind::Elementwise:
            return ElementwiseText(program, op, operands).text();
        case ArrayOpKind::Broadcast:
            return printed_broadcast(program, op, operands);
        case ArrayOpKind::Matmul:
            return printed_matmul(operands[0], operands[1]);
        case ArrayOpKind::Transpose:
            return {enclosed(operands[0], Precedence::Primary) + ".T", Precedence::Primary,
                    operands[0].depth + 1};
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            return printed_norm(op, operands);
        case ArrayOpKind::SumOver:
            return printed_call("sum", {operands[0], printed_name(program.dims[op.dim.value].name)});
        case ArrayOpKind::Cast:
            return printed_call("cast", {operands[0], printed_name(to_string(op.elem))});
        case ArrayOpKind::Custom: {
            std::vector<PrintedTerm> args = {printed_name("\"" + op.custom_name + "\"")};
            args.insert(args.end(), operands.begin(), operands.end());
            return printed_call("custom", args);
        }
        default:
            break;
    }
    const std::string_view function = array_operator(op.kind).function;
    if (function.empty()) throw InternalError("an input is no operator of the text language");
    return printed_call(function, operands);
}

constexpr std::size_t kLineLength = 100;

// Writes one statement per operator that has a name. A nameless operator becomes part of the
// term that uses it, if it is used once and reading the text makes the operators in the same
// order again; otherwise it gets a name.
class ProgramText {
public:
    explicit ProgramText(const ArrayProgram& program) : program_(program) {}

    std::string run();

private:
    void count_uses();
    void operation(std::size_t i);
    void define(std::size_t i, const PrintedTerm& term);
    void input(std::size_t i);
    void flush_inputs();
    void flush_pending();
    void due_outputs(std::size_t i);
    std::vector<PrintedTerm> operands(std::size_t i);
    bool pending_are_operands(std::size_t i) const;
    bool has_default_result(const ArrayOp& op) const;
    std::string fresh_name();
    std::string annotated(const ArrayOp& op, const std::string& name) const;

    // A term whose operator has no statement yet.
    struct Pending {
        std::size_t op;
        PrintedTerm term;
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
        const std::string window =
            op.window > 0 ? "(window=" + std::to_string(op.window) + ")" : std::string();
        text_ += "mask " + names_[i] + to_string(op.shape, program_.dims) + type_suffix(op.elem) +
                 " = causal" + window + "\n";
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
        define(p.op, p.term);
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

std::vector<PrintedTerm> ProgramText::operands(std::size_t i) {
    std::vector<PrintedTerm> terms;
    auto next = pending_.end();
    for (const int operand : program_.ops[i].operands) {
        if (names_[static_cast<std::size_t>(operand)].empty()) --next;
    }
    for (const int operand : program_.ops[i].operands) {
        const std::string& name = names_[static_cast<std::size_t>(operand)];
        terms.push_back(name.empty() ? (next++)->term : printed_name(name));
    }
    return terms;
}

void ProgramText::operation(std::size_t i) {
    flush_inputs();
    const ArrayOp& op = program_.ops[i];
    if (!pending_are_operands(i)) flush_pending();
    PrintedTerm term = printed_op(program_, op, operands(i));
    if (term.depth > kMaxSyntaxDepth) {
        flush_pending();
        term = printed_op(program_, op, operands(i));
    }
    for (const int operand : op.operands) {
        if (names_[static_cast<std::size_t>(operand)].empty()) pending_.pop_back();
    }
    const bool plain = op.kind != ArrayOpKind::Custom || has_default_result(op);
    if (names_[i].empty() && uses_[i] == 1 && plain) {
        pending_.push_back({i, std::move(term)});
        return;
    }
    flush_pending();
    if (names_[i].empty()) names_[i] = fresh_name();
    define(i, term);
}

void ProgramText::define(std::size_t i, const PrintedTerm& term) {
    const bool output = next_output_ < program_.outputs.size() &&
                        program_.outputs[next_output_].op == static_cast<int>(i) &&
                        program_.outputs[next_output_].name == names_[i];
    if (output) ++next_output_;
    text_ += (output ? "output " : "") + annotated(program_.ops[i], names_[i]) + " = " + term.text + "\n";
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

std::string expr_text(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims) {
    return printed_expr(expr, names, dims).text;
}

std::string print_program(const ArrayProgram& program) {
    return ProgramText(program).run();
}

}  // namespace blockscope
