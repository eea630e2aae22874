#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "core/program/names.h"
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

    Text run(const ExprPtr& expr) {
        visit(expr, 1);
        return std::move(problem_);
    }

private:
    void visit(const ExprPtr& expr, int depth) {
        if (!problem_.empty()) return;
        if (!expr) return fail(Text("found an operator without an expression; expected one"));
        if (depth > kMaxExprDepth)
            return fail(Text("found an expression of more than 128 levels; expected fewer"));
        if (++size_ > kMaxExprSize)
            return fail(Text("found an expression of more than 10000 operations; expected fewer"));
        std::visit([&](const auto& part) { check(part, depth); }, expr->value);
    }
    void check(const Arg& arg, int) {
        if (arg.index < 0 || arg.index >= operands_) {
            fail(Text("found argument %1 in an expression; expected one of the %2 operands", arg.index,
                      operands_));
        }
    }
    void check(const Number& value, int) {
        if (!std::isfinite(value.value))
            fail(Text("found a number that is not finite; expected a finite one"));
    }
    void check(const SizeOf& size, int) {
        if (size.dim.value >= dims_.size())
            fail(Text("found the size of an unknown dimension; expected a declared one"));
    }
    void check(const Call& call, int depth) {
        if (static_cast<int>(call.args.size()) != arity(call.fn)) {
            return fail(Text("found %1 arguments of %2; expected %3", call.args.size(), to_string(call.fn),
                             arity(call.fn)));
        }
        for (const ExprPtr& child : call.args) visit(child, depth + 1);
    }
    void fail(Text message) {
        if (problem_.empty()) problem_ = std::move(message);
    }

    const DimTable& dims_;
    int operands_;
    int size_ = 0;
    Text problem_;
};

class Check {
public:
    explicit Check(ArrayProgram& program) : program_(program) {}

    Problems run();

private:
    void comments();
    void dims();
    Text dim_problem(const Dim& dim);
    Text op_problem(std::size_t i);
    Text attribute_problem(const ArrayOp& op);
    Text dims_problem(const ArrayOp& op) const;
    void outputs();
    void unused();

    ArrayProgram& program_;
    ProblemList problems_{{}};
    NameTable names_;
    std::vector<bool> right_;  // by operator
};

void Check::comments() {
    if (program_.comment.size() > kMaxCommentLines) {
        problems_.add({{}, 0, 0, "/comment"},
                      Text("found a comment of more than %1 lines; expected fewer", kMaxCommentLines));
        return;
    }
    for (std::size_t i = 0; i < program_.comment.size(); ++i) {
        const std::string& line = program_.comment[i];
        if (line.find('\n') != std::string::npos || text_problem(line, {}) ||
            (!line.empty() && line.back() == '\r')) {
            problems_.add(pointer("comment", i),
                          Text("found a comment that is no line of text; expected one line of UTF-8"));
        }
    }
}

Text Check::dim_problem(const Dim& dim) {
    if (dim.size < 1 || dim.size > kMaxExtent) {
        return Text("found the size %1 of %2; expected 1 to %3", dim.size, dim.name, kMaxExtent);
    }
    if (dim.kind != DimKind::Blocked && dim.block != 1) {
        return Text(
            "found a block size of %1 for the dimension %2; batch and group dimensions have blocks of 1",
            dim.block, dim.name);
    }
    if (dim.block < 1 || dim.block > dim.size) {
        return Text("found the block size %1 of %2; expected 1 to its size, %3", dim.block, dim.name,
                    dim.size);
    }
    return {};
}

void Check::dims() {
    if (program_.dims.size() > 65535) {
        problems_.add(pointer("dims", 65535), Text("found more than 65535 dimensions; expected fewer"));
        return;
    }
    for (std::size_t i = 0; i < program_.dims.size(); ++i) {
        const Dim& dim = program_.dims[i];
        Text problem = dim_problem(dim);
        if (problem.empty()) problem = names_.declare(dim.name, NameUse::Dimension, 0);
        if (!problem.empty()) problems_.add(pointer("dims", i), std::move(problem));
    }
}

Text Check::dims_problem(const ArrayOp& op) const {
    const auto unknown = [&](DimId dim) { return dim.value >= program_.dims.size(); };
    const bool given = op.kind == ArrayOpKind::Input || op.kind == ArrayOpKind::Custom;
    const bool bad_shape = given && (std::any_of(op.shape.axes.begin(), op.shape.axes.end(), unknown) ||
                                     std::any_of(op.shape.batch.begin(), op.shape.batch.end(), unknown));
    const bool bad_dim = op.kind == ArrayOpKind::SumOver && unknown(op.dim);
    return bad_shape || bad_dim ? Text("found an unknown dimension; expected a declared one") : Text();
}

Text Check::attribute_problem(const ArrayOp& op) {
    if (Text problem = dims_problem(op); !problem.empty()) return problem;
    const int count = static_cast<int>(op.operands.size());
    switch (op.kind) {
        case ArrayOpKind::Elementwise: {
            if (Text problem = ExprCheck(program_.dims, count).run(op.expr); !problem.empty()) return problem;
            const int unused = first_unused_argument(*op.expr, count);
            return unused < 0 ? Text()
                              : Text("found operand %1, which the expression does not use; expected its use",
                                     unused);
        }
        case ArrayOpKind::Broadcast: {
            const bool known = op.fn == Fn::Add || op.fn == Fn::Sub || op.fn == Fn::Mul || op.fn == Fn::Div;
            return known ? Text()
                         : Text("found %1 of a matrix and a vector; expected add, sub, mul or div",
                                to_string(op.fn));
        }
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            if (!std::isfinite(op.epsilon) || op.epsilon < 0 || (op.paper_form && op.epsilon != 0)) {
                return Text(
                    "found a wrong epsilon; expected a finite number that is not negative, 0 in the paper's "
                    "form");
            }
            return {};
        case ArrayOpKind::Custom:
            return custom_name_problem(op.custom_name);
        case ArrayOpKind::Input:
            return op.name.empty() ? Text("found an input without a name; expected one") : Text();
        default:  // no attributes
            return {};
    }
}

// Empty also if an operand is wrong: that is reported there.
Text Check::op_problem(std::size_t i) {
    ArrayOp& op = program_.ops[i];
    Text problem;
    if (!op.name.empty()) problem = names_.declare(op.name, NameUse::Array, op.place.line);
    bool operands_right = true;
    for (const int operand : op.operands) {
        if (operand < 0 || operand >= static_cast<int>(i)) {
            return Text("found operand %1 of operator %2; expected an earlier operator", operand, i);
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
            problems_.add(output.place,
                          Text("found the output %1 of an unknown operator; expected an operator",
                               shortened(output.name)));
            continue;
        }
        Text problem;
        if (!seen.insert(output.name).second) {
            problem =
                Text("found the output %1 a second time; expected each output once", shortened(output.name));
        } else if (program_.ops[static_cast<std::size_t>(output.op)].name != output.name) {
            problem = names_.declare(output.name, NameUse::Array, output.place.line);
        }
        if (!problem.empty()) problems_.add(output.place, std::move(problem));
    }
    if (program_.outputs.empty()) {
        problems_.add({{}, 0, 0, "/outputs"}, Text("found no output; expected at least one"));
    }
}

void Check::unused() {
    for (const std::size_t i : unused_operators(program_)) {
        const ArrayOp& op = program_.ops[i];
        const Text name = op.name.empty() ? Text("operator %1", i) : op.name;
        problems_.add(
            op.place,
            Text("found %1, which nothing uses; expected its use by a later operator or as an output", name));
    }
}

Problems Check::run() {
    comments();
    dims();
    if (program_.ops.size() > kMaxArrayOps) {
        problems_.add({{}, 0, 0, "/ops"},
                      Text("found %1 operators; expected at most %2", program_.ops.size(), kMaxArrayOps));
    }
    if (!problems_.empty()) return problems_.sorted();
    right_.resize(program_.ops.size());
    for (std::size_t i = 0; i < program_.ops.size() && !problems_.full(); ++i) {
        if (Text problem = op_problem(i); !problem.empty())
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
