#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/program/convert.h"
#include "core/program/infer.h"
#include "core/program/lexer.h"
#include "core/program/names.h"
#include "core/program/problem_list.h"
#include "core/program/syntax.h"

namespace blockscope {
namespace {

constexpr std::int64_t kMaxExtent = (std::int64_t{1} << 31) - 1;

Place pointer(const std::string& part, std::size_t i) {
    return {{}, 0, 0, "/" + part + "/" + std::to_string(i)};
}

// The first thing wrong with one expression; every child is visited once per use, at most
// kMaxExprSize visits.
class ExprCheck {
public:
    ExprCheck(const DimTable& dims, int operands) : dims_(dims), operands_(operands) {}

    std::string run(const ExprPtr& expr) {
        visit(expr, 1);
        return std::move(problem_);
    }

private:
    void visit(const ExprPtr& expr, int depth) {
        if (!problem_.empty()) return;
        if (!expr) return fail("found an operator without an expression; expected one");
        if (depth > kMaxExprDepth) return fail("found an expression of more than 128 levels; expected fewer");
        if (++size_ > kMaxExprSize)
            return fail("found an expression of more than 10000 operations; expected fewer");
        std::visit([&](const auto& part) { check(part, depth); }, expr->value);
    }
    void check(const Arg& arg, int) {
        if (arg.index < 0 || arg.index >= operands_) {
            fail("found argument " + std::to_string(arg.index) + " in an expression; expected one of the " +
                 std::to_string(operands_) + " operands");
        }
    }
    void check(const Number& value, int) {
        if (!std::isfinite(value.value)) fail("found a number that is not finite; expected a finite one");
    }
    void check(const SizeOf& size, int) {
        if (size.dim.value >= dims_.size())
            fail("found the size of an unknown dimension; expected a declared one");
    }
    void check(const Call& call, int depth) {
        if (static_cast<int>(call.args.size()) != arity(call.fn)) {
            return fail("found " + std::to_string(call.args.size()) + " arguments of " + to_string(call.fn) +
                        "; expected " + std::to_string(arity(call.fn)));
        }
        for (const ExprPtr& child : call.args) visit(child, depth + 1);
    }
    void fail(std::string message) {
        if (problem_.empty()) problem_ = std::move(message);
    }

    const DimTable& dims_;
    int operands_;
    int size_ = 0;
    std::string problem_;
};

class Check {
public:
    explicit Check(ArrayProgram& program) : program_(program) {}

    Problems run();

private:
    void comments();
    void dims();
    std::string dim_problem(const Dim& dim);
    std::string op_problem(std::size_t i);
    std::string attribute_problem(const ArrayOp& op);
    std::string dims_problem(const ArrayOp& op) const;
    void outputs();
    void unused();

    ArrayProgram& program_;
    ProblemList problems_{{}};
    NameTable names_;
    std::vector<bool> right_;  // by operator
};

void Check::comments() {
    if (program_.comment.size() > kMaxCommentLines) {
        problems_.add(
            {{}, 0, 0, "/comment"},
            "found a comment of more than " + std::to_string(kMaxCommentLines) + " lines; expected fewer");
        return;
    }
    for (std::size_t i = 0; i < program_.comment.size(); ++i) {
        const std::string& line = program_.comment[i];
        if (line.find('\n') != std::string::npos || text_problem(line, {}) ||
            (!line.empty() && line.back() == '\r')) {
            problems_.add(pointer("comment", i),
                          "found a comment that is no line of text; expected one line of UTF-8");
        }
    }
}

std::string Check::dim_problem(const Dim& dim) {
    if (dim.size < 1 || dim.size > kMaxExtent) {
        return "found the size " + std::to_string(dim.size) + " of " + dim.name + "; expected 1 to " +
               std::to_string(kMaxExtent);
    }
    if (dim.kind != DimKind::Blocked && dim.block != 1) {
        return "found a block size of " + std::to_string(dim.block) + " for the dimension " + dim.name +
               "; batch and group dimensions have blocks of 1";
    }
    if (dim.block < 1 || dim.block > dim.size) {
        return "found the block size " + std::to_string(dim.block) + " of " + dim.name +
               "; expected 1 to its size, " + std::to_string(dim.size);
    }
    return {};
}

void Check::dims() {
    if (program_.dims.size() > 65535) {
        problems_.add(pointer("dims", 65535), "found more than 65535 dimensions; expected fewer");
        return;
    }
    for (std::size_t i = 0; i < program_.dims.size(); ++i) {
        const Dim& dim = program_.dims[i];
        std::string problem = dim_problem(dim);
        if (problem.empty()) problem = names_.declare(dim.name, NameUse::Dimension, 0);
        if (!problem.empty()) problems_.add(pointer("dims", i), std::move(problem));
    }
}

std::string Check::dims_problem(const ArrayOp& op) const {
    const auto unknown = [&](DimId dim) { return dim.value >= program_.dims.size(); };
    const bool given = op.kind == ArrayOpKind::Input || op.kind == ArrayOpKind::Custom;
    const bool bad_shape = given && (std::any_of(op.shape.axes.begin(), op.shape.axes.end(), unknown) ||
                                     std::any_of(op.shape.batch.begin(), op.shape.batch.end(), unknown));
    const bool bad_dim = op.kind == ArrayOpKind::SumOver && unknown(op.dim);
    return bad_shape || bad_dim ? "found an unknown dimension; expected a declared one" : std::string();
}

std::string Check::attribute_problem(const ArrayOp& op) {
    if (std::string problem = dims_problem(op); !problem.empty()) return problem;
    const int count = static_cast<int>(op.operands.size());
    switch (op.kind) {
        case ArrayOpKind::Elementwise: {
            if (std::string problem = ExprCheck(program_.dims, count).run(op.expr); !problem.empty())
                return problem;
            const int unused = first_unused_argument(*op.expr, count);
            return unused < 0 ? std::string()
                              : "found operand " + std::to_string(unused) +
                                    ", which the expression does not use; expected its use";
        }
        case ArrayOpKind::Broadcast: {
            const bool known = op.fn == Fn::Add || op.fn == Fn::Sub || op.fn == Fn::Mul || op.fn == Fn::Div;
            return known ? std::string()
                         : "found " + to_string(op.fn) +
                               " of a matrix and a vector; expected add, sub, mul or div";
        }
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            if (!std::isfinite(op.epsilon) || op.epsilon < 0 || (op.paper_form && op.epsilon != 0)) {
                return "found a wrong epsilon; expected a finite number that is not negative, 0 in the "
                       "paper's form";
            }
            return {};
        case ArrayOpKind::Custom:
            return custom_name_problem(op.custom_name);
        case ArrayOpKind::Input:
            return op.name.empty() ? "found an input without a name; expected one" : std::string();
        case ArrayOpKind::Matmul:
        case ArrayOpKind::Transpose:
        case ArrayOpKind::Softmax:
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
        case ArrayOpKind::Outer:
        case ArrayOpKind::SumOver:
        case ArrayOpKind::Cast:
            return {};
    }
    throw InternalError("unknown kind of array operator");
}

// Empty also if an operand is wrong: that is reported there.
std::string Check::op_problem(std::size_t i) {
    ArrayOp& op = program_.ops[i];
    std::string problem;
    if (!op.name.empty()) problem = names_.declare(op.name, NameUse::Array, op.place.line);
    bool operands_right = true;
    for (const int operand : op.operands) {
        if (operand < 0 || operand >= static_cast<int>(i)) {
            return "found operand " + std::to_string(operand) + " of operator " + std::to_string(i) +
                   "; expected an earlier operator";
        }
        operands_right = operands_right && right_[static_cast<std::size_t>(operand)];
    }
    if (problem.empty()) problem = attribute_problem(op);
    if (problem.empty() && operands_right) problem = infer(program_, op);
    right_[i] = problem.empty() && operands_right;
    return problem;
}

void Check::outputs() {
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
        const ArrayOutput& output = program_.outputs[i];
        if (output.op < 0 || output.op >= static_cast<int>(program_.ops.size())) {
            problems_.add(output.place, "found the output " + shortened(output.name) +
                                            " of an unknown operator; expected an operator");
            continue;
        }
        std::string problem;
        if (!seen.insert(output.name).second) {
            problem =
                "found the output " + shortened(output.name) + " a second time; expected each output once";
        } else if (program_.ops[static_cast<std::size_t>(output.op)].name != output.name) {
            problem = names_.declare(output.name, NameUse::Array, output.place.line);
        }
        if (!problem.empty()) problems_.add(output.place, std::move(problem));
    }
    if (program_.outputs.empty()) {
        problems_.add({{}, 0, 0, "/outputs"}, "found no output; expected at least one");
    }
}

void Check::unused() {
    std::vector<bool> used(program_.ops.size());
    for (const ArrayOutput& output : program_.outputs) used[static_cast<std::size_t>(output.op)] = true;
    for (const ArrayOp& op : program_.ops) {
        for (const int operand : op.operands) used[static_cast<std::size_t>(operand)] = true;
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        const ArrayOp& op = program_.ops[i];
        if (used[i] || op.kind == ArrayOpKind::Input) continue;
        const std::string name = op.name.empty() ? "operator " + std::to_string(i) : op.name;
        problems_.add(
            op.place,
            "found " + name + ", which nothing uses; expected its use by a later operator or as an output");
    }
}

Problems Check::run() {
    comments();
    dims();
    if (program_.ops.size() > kMaxArrayOps) {
        problems_.add({{}, 0, 0, "/ops"}, "found " + std::to_string(program_.ops.size()) +
                                              " operators; expected at most " + std::to_string(kMaxArrayOps));
    }
    if (!problems_.empty()) return problems_.sorted();
    right_.resize(program_.ops.size());
    for (std::size_t i = 0; i < program_.ops.size() && !problems_.full(); ++i) {
        if (std::string problem = op_problem(i); !problem.empty())
            problems_.add(program_.ops[i].place, std::move(problem));
    }
    outputs();
    if (problems_.empty()) unused();
    if (problems_.empty()) {
        for (Problem& problem : check_listing_names(program_))
            problems_.add(std::move(problem.place), std::move(problem.message));
    }
    return problems_.sorted();
}

}  // namespace

Problems check_program(ArrayProgram& program) {
    return Check(program).run();
}

}  // namespace blockscope
