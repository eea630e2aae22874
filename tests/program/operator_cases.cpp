#include "tests/program/operator_cases.h"

#include <functional>

#include "tests/support/array_maker.h"

namespace blockscope::test {

namespace {

class CaseMaker {
public:
    CaseMaker(const CaseDims& dims, Use use) : use_(use), batch_(dims.batch) {
        shared_ = batch_.empty() ? "" : batch_.substr(0, batch_.size() - 1);
        rows_ = std::string(1, dims.rows);
        cols_ = std::string(1, dims.cols);
        inner_ = std::string(1, dims.inner);
    }

    std::vector<OperatorCase> all() {
        elementwise();
        broadcasts();
        products();
        normalisations();
        row_operators();
        rotations();
        others();
        return std::move(cases_);
    }

private:
    using Build = std::function<int(ArrayMaker&)>;

    std::string full(const std::string& axes) const { return batch_ + "|" + axes; }
    std::string shared(const std::string& axes) const { return shared_ + "|" + axes; }
    std::string matrix() const { return full(rows_ + cols_); }

    // `build` adds the operator and returns its index.
    void add(const std::string& name, int maps, const Build& build) {
        ArrayMaker p;
        const int result = build(p);
        const Shape shape = p.program.ops.at(static_cast<std::size_t>(result)).shape;
        if (use_ != Use::TransposedOnly) p.output("Y", result);
        if (use_ != Use::Plain) {
            if (shape.axes.size() != 2) return;
            p.op(ArrayOpKind::Transpose, {result}, "");
            p.last().shape = {shape.batch, {shape.axes[1], shape.axes[0]}};
            p.output("Z", static_cast<int>(p.program.ops.size()) - 1);
        }
        cases_.push_back({name, p.program, maps});
    }

    void elementwise() {
        const ExprPtr difference = call(Fn::Sub, arg(0), arg(1));
        add("exp", 1, [&](ArrayMaker& p) {
            return p.elementwise(call(Fn::Exp, arg(0)), {p.input("X", matrix())}, matrix());
        });
        add("exp of a vector", 1, [&](ArrayMaker& p) {
            return p.elementwise(call(Fn::Exp, arg(0)), {p.input("X", full(rows_))}, full(rows_));
        });
        add("exp of a scalar", 1, [&](ArrayMaker& p) {
            return p.elementwise(call(Fn::Exp, arg(0)), {p.input("X", full(""))}, full(""));
        });
        for (Fn fn : {Fn::Add, Fn::Mul, Fn::Sub}) {
            add(to_string(fn) + " with a shared operand", 1, [&](ArrayMaker& p) {
                const int y = p.input("Y", shared(rows_ + cols_));
                return p.elementwise(call(fn, arg(0), arg(1)), {p.input("X", matrix()), y}, matrix());
            });
        }
        add("scalar first", 1, [&](ArrayMaker& p) {
            const int s = p.input("s", shared(""));
            return p.elementwise(difference, {s, p.input("X", matrix())}, matrix());
        });
        add("square of one value", 1, [&](ArrayMaker& p) {
            const int x = p.input("X", matrix());
            return p.elementwise(call(Fn::Mul, arg(0), arg(1)), {x, x}, matrix());
        });
    }

    void broadcasts() {
        for (Fn fn : {Fn::Add, Fn::Sub, Fn::Mul, Fn::Div}) {
            for (VectorAxis axis : {VectorAxis::Rows, VectorAxis::Cols}) {
                for (bool matrix_first : {true, false}) broadcast(fn, axis, matrix_first);
            }
        }
        add("matrix shared, vector not", 1, [&](ArrayMaker& p) {
            const int x = p.input("X", shared(rows_ + cols_));
            return p.broadcast(Fn::Mul, VectorAxis::Rows, x, p.input("v", full(rows_)), matrix());
        });
    }

    void broadcast(Fn fn, VectorAxis axis, bool matrix_first) {
        const std::string along = axis == VectorAxis::Rows ? rows_ : cols_;
        const bool prepared = fn == Fn::Sub || fn == Fn::Div;
        const std::string name = to_string(fn) + (axis == VectorAxis::Rows ? " rows " : " cols ") +
                                 (matrix_first ? "matrix first" : "vector first");
        add(name, prepared ? 2 : 1, [&](ArrayMaker& p) {
            const int x = p.input("X", matrix());
            const int v = p.input("v", shared(along));
            return p.broadcast(fn, axis, matrix_first ? x : v, matrix_first ? v : x, matrix());
        });
    }

    void products() {
        add("matmul", 1, [&](ArrayMaker& p) {
            const int a = p.input("A", full(rows_ + inner_));
            return p.op(ArrayOpKind::Matmul, {a, p.input("B", full(inner_ + cols_))}, matrix());
        });
        add("matmul with a shared transposed operand", 1, [&](ArrayMaker& p) {
            const int a = p.input("A", full(rows_ + inner_));
            const int b = p.input("B", shared(cols_ + inner_));
            const int bt = p.op(ArrayOpKind::Transpose, {b}, shared(inner_ + cols_));
            return p.op(ArrayOpKind::Matmul, {a, bt}, matrix());
        });
        add("matmul with a shared left operand", 1, [&](ArrayMaker& p) {
            const int a = p.input("A", shared(rows_ + inner_));
            return p.op(ArrayOpKind::Matmul, {a, p.input("B", full(inner_ + cols_))}, matrix());
        });
        add("biased relu of a matmul", 3, [&](ArrayMaker& p) {
            const int a = p.input("A", full(rows_ + inner_));
            const int product =
                p.op(ArrayOpKind::Matmul, {a, p.input("B", shared(inner_ + cols_))}, matrix());
            const int bias = p.input("b", shared(cols_));
            const int sum = p.broadcast(Fn::Add, VectorAxis::Cols, product, bias, matrix());
            return p.elementwise(call(Fn::Max, arg(0), number(0)), {sum}, matrix());
        });
        add("product as a right operand", 2, [&](ArrayMaker& p) {
            const int a = p.input("A", full(rows_ + inner_));
            const int b = p.input("B", full(inner_ + rows_));
            const int c = p.input("C", full(rows_ + cols_));
            const int product = p.op(ArrayOpKind::Matmul, {b, c}, full(inner_ + cols_));
            return p.op(ArrayOpKind::Matmul, {a, product}, matrix());
        });
        add("outer", 1, [&](ArrayMaker& p) {
            const int a = p.input("a", full(rows_));
            return p.op(ArrayOpKind::Outer, {a, p.input("b", shared(cols_))}, matrix());
        });
    }

    void normalisations() {
        add("softmax", 4,
            [&](ArrayMaker& p) { return p.op(ArrayOpKind::Softmax, {p.input("X", matrix())}, matrix()); });
        for (bool paper : {true, false}) {
            const std::string form = paper ? ", the paper's form" : "";
            add("rmsnorm" + form, 4, [&](ArrayMaker& p) {
                return p.norm(ArrayOpKind::RmsNorm, {p.input("X", matrix())}, matrix(), paper);
            });
            add("rmsnorm with weight" + form, 5, [&](ArrayMaker& p) {
                const int x = p.input("X", matrix());
                return p.norm(ArrayOpKind::RmsNorm, {x, p.input("w", shared(cols_))}, matrix(), paper);
            });
            add("layernorm" + form, 7, [&](ArrayMaker& p) {
                return p.norm(ArrayOpKind::LayerNorm, {p.input("X", matrix())}, matrix(), paper);
            });
            add("layernorm with weight" + form, 8, [&](ArrayMaker& p) {
                const int x = p.input("X", matrix());
                return p.norm(ArrayOpKind::LayerNorm, {x, p.input("w", cols_)}, matrix(), paper);
            });
            add("layernorm with weight and bias" + form, 9, [&](ArrayMaker& p) {
                const int x = p.input("X", matrix());
                const int w = p.input("w", full(cols_));
                return p.norm(ArrayOpKind::LayerNorm, {x, w, p.input("b", shared(cols_))}, matrix(), paper);
            });
        }
    }

    void row_operators() {
        row_operator(ArrayOpKind::RowSum, 1, "row_sum");
        row_operator(ArrayOpKind::RowMean, 2, "row_mean");
        row_operator(ArrayOpKind::RowMax, 1, "row_max");
    }

    void row_operator(ArrayOpKind kind, int maps, const std::string& name) {
        add(name, maps, [&](ArrayMaker& p) { return p.op(kind, {p.input("X", matrix())}, full(rows_)); });
        add(name + " of a transpose", maps, [&](ArrayMaker& p) {
            const int x = p.input("X", full(cols_ + rows_));
            return p.op(kind, {p.op(ArrayOpKind::Transpose, {x}, matrix())}, full(rows_));
        });
    }

    // Halves of the one block of W, and pairs of the blocks of N.
    void rotations() {
        rotation("rope", ArrayOpKind::Rope, rows_ + "W");
        rotation("rope of a square", ArrayOpKind::Rope, "WW");
        rotation("rope of pairs", ArrayOpKind::RopeInterleaved, rows_ + "N");
    }

    void rotation(const std::string& name, ArrayOpKind kind, const std::string& axes) {
        add(name, 4, [&](ArrayMaker& p) {
            const int x = p.input("X", full(axes));
            const int cosines = p.input("C", axes);
            return p.op(kind, {x, cosines, p.input("S", shared(axes))}, full(axes));
        });
    }

    void others() {
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const std::string rest = batch_.substr(0, i) + batch_.substr(i + 1) + "|";
            for (const std::string& axes : {std::string(), rows_, rows_ + cols_}) {
                const std::string shape = rest + axes;
                add("sum over " + batch_.substr(i, 1) + " of rank " + std::to_string(axes.size()), 1,
                    [&](ArrayMaker& p) { return p.sum_over(batch_[i], p.input("X", full(axes)), shape); });
            }
        }
        add("cast", 1, [&](ArrayMaker& p) {
            return p.cast(ElemType::BF16, p.input("X", matrix(), ElemType::F32), matrix());
        });
        add("custom", 1, [&](ArrayMaker& p) {
            const int x = p.input("X", matrix());
            return p.custom("sort", {x, p.input("v", shared(rows_))}, matrix());
        });
        add("input", 1, [&](ArrayMaker& p) { return p.input("X", matrix()); });
        add("transpose", 1, [&](ArrayMaker& p) {
            return p.op(ArrayOpKind::Transpose, {p.input("X", full(cols_ + rows_))}, matrix());
        });
    }

    Use use_;
    std::string batch_;
    std::string shared_;
    std::string rows_;
    std::string cols_;
    std::string inner_;
    std::vector<OperatorCase> cases_;
};

}  // namespace

std::vector<OperatorCase> operator_cases(const CaseDims& dims, Use use) {
    return CaseMaker(dims, use).all();
}

std::vector<CaseDims> all_case_dims() {
    std::vector<CaseDims> all;
    for (const char* batch : {"", "B", "BH", "BHG"}) {
        for (const char* axes : {"MNK", "MMK", "MNM", "MNN", "MMM"}) {
            all.push_back({batch, axes[0], axes[1], axes[2]});
        }
    }
    return all;
}

std::vector<OperatorCase> every_operator_case() {
    std::vector<OperatorCase> all;
    for (const CaseDims& dims : all_case_dims())
        for (const Use use : {Use::Plain, Use::TransposedOnly, Use::BothWays})
            for (OperatorCase one : operator_cases(dims, use)) {
                one.name += ", batch '" + dims.batch + "', axes " + dims.rows + dims.cols + dims.inner;
                all.push_back(std::move(one));
            }
    return all;
}

}  // namespace blockscope::test
