#include "tests/proof/shrink.h"

#include <algorithm>

#include "tests/support/array_builder.h"

namespace blockscope {

namespace {

class Shrinker {
public:
    Shrinker(const ArrayProgram& program, const std::function<bool(const ArrayProgram&)>& fails)
        : best_(program), fails_(fails) {}

    ArrayProgram run() {
        while (drop_outputs() || replace_operators() || simplify_dims() || simplify_expressions()) {
        }
        return best_;
    }

private:
    // Takes the candidate over if it is valid, different and still fails.
    bool keep(ArrayProgram candidate) {
        candidate = without_dead_operators(candidate);
        if (!check_program(candidate).empty() || !fails_(candidate)) return false;
        best_ = std::move(candidate);
        return true;
    }

    bool drop_outputs() {
        for (std::size_t i = 0; best_.outputs.size() > 1 && i < best_.outputs.size(); ++i) {
            ArrayProgram candidate = best_;
            candidate.outputs.erase(candidate.outputs.begin() + static_cast<std::ptrdiff_t>(i));
            if (keep(std::move(candidate))) return true;
        }
        return false;
    }

    bool replace_operators() {
        for (std::size_t i = best_.ops.size(); i-- > 0;) {
            if (best_.ops[i].kind == ArrayOpKind::Input) continue;
            for (const int operand : best_.ops[i].operands)
                if (keep(with_replaced(i, operand))) return true;
            if (keep(with_input(i))) return true;
        }
        return false;
    }

    // Uses of operator `i` read `operand` instead.
    ArrayProgram with_replaced(std::size_t i, int operand) const {
        ArrayProgram candidate = best_;
        const int old = static_cast<int>(i);
        for (ArrayOp& op : candidate.ops) std::replace(op.operands.begin(), op.operands.end(), old, operand);
        for (ArrayOutput& output : candidate.outputs)
            if (output.op == old) output.op = operand;
        return candidate;
    }

    ArrayProgram with_input(std::size_t i) const {
        ArrayProgram candidate = best_;
        ArrayOp input;
        input.name = unused_name();
        input.shape = best_.ops[i].shape;
        input.elem = best_.ops[i].elem;
        candidate.ops[i] = input;
        return candidate;
    }

    std::string unused_name() const {
        for (int number = 1;; ++number) {
            std::string name = "Z" + std::to_string(number);
            if (std::none_of(best_.ops.begin(), best_.ops.end(),
                             [&](const ArrayOp& op) { return op.name == name; }))
                return name;
        }
    }

    bool simplify_dims() {
        for (std::size_t i = 0; i < best_.dims.size(); ++i) {
            const Dim& dim = best_.dims[i];
            for (const std::int64_t blocks : {std::int64_t{1}, std::int64_t{2}}) {
                if (dim.size <= blocks) continue;
                ArrayProgram candidate = best_;
                candidate.dims[i].size = blocks;
                candidate.dims[i].block = 1;
                if (keep(std::move(candidate))) return true;
            }
        }
        return false;
    }

    bool simplify_expressions() {
        const ExprPtr simplest = call(Fn::Mul, arg(0), number(0.5));
        for (std::size_t i = 0; i < best_.ops.size(); ++i) {
            const ArrayOp& op = best_.ops[i];
            if (op.kind != ArrayOpKind::Elementwise || op.operands.size() != 1) continue;
            if (equal(*op.expr, *simplest)) continue;
            ArrayProgram candidate = best_;
            candidate.ops[i].expr = simplest;
            if (keep(std::move(candidate))) return true;
        }
        return false;
    }

    ArrayProgram best_;
    const std::function<bool(const ArrayProgram&)>& fails_;
};

}  // namespace

ArrayProgram shrink(const ArrayProgram& program, const std::function<bool(const ArrayProgram&)>& fails) {
    return Shrinker(program, fails).run();
}

int operator_count(const ArrayProgram& program) {
    return static_cast<int>(std::count_if(program.ops.begin(), program.ops.end(),
                                          [](const ArrayOp& op) { return op.kind != ArrayOpKind::Input; }));
}

}  // namespace blockscope
