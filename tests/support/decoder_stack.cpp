#include "tests/support/decoder_stack.h"

#include "tests/support/array_builder.h"

namespace blockscope {

namespace {

ExprPtr silu() {
    return call(Fn::Div, arg(0), call(Fn::Add, number(1), call(Fn::Exp, call(Fn::Neg, arg(0)))));
}

ExprPtr capped(double most) {
    return call(Fn::Mul, call(Fn::Tanh, call(Fn::Div, arg(0), number(most))), number(most));
}

class Stack {
public:
    ArrayProgram build(int blocks) {
        mask_ = builder_.causal_mask("Mask", {{}, {m_, m_}});
        int x = builder_.input("X", {{}, {m_, d_}});
        for (int block = 1; block <= blocks; ++block) {
            suffix_ = std::to_string(block);
            x = feed_forward(attention(x));
        }
        builder_.output("Y", x);
        return builder_.finish();
    }

private:
    int weight(const std::string& name, const Shape& shape) {
        return builder_.input(name + "_" + suffix_, shape);
    }

    int norm(int a, const std::string& name) {
        return builder_.rms_norm(a, weight(name, {{}, {builder_.shape(a).axes[1]}}));
    }

    int project(int a, const std::string& name, const Shape& shape) {
        return builder_.matmul(a, weight(name, shape));
    }

    int attention(int x) {
        const int normed = norm(x, "N1");
        const int q = norm(project(normed, "Wq", {{h_}, {d_, e_}}), "Nq");
        const int k = norm(project(normed, "Wk", {{h_}, {d_, e_}}), "Nk");
        const int v = project(normed, "Wv", {{h_}, {d_, e_}});
        const int products = builder_.matmul(q, builder_.transpose(k));
        const ExprPtr scale = call(Fn::Mul, arg(0), call(Fn::Pow, size_of(e_), number(-0.5)));
        const int scores = builder_.elementwise(capped(50), {builder_.elementwise(scale, {products})});
        const int weights = builder_.softmax(builder_.add(scores, mask_));
        const int heads = project(builder_.matmul(weights, v), "Wo", {{h_}, {e_, d_}});
        return builder_.add(x, norm(builder_.sum_over(heads, h_), "N2"));
    }

    int feed_forward(int x) {
        const int normed = norm(x, "N3");
        const int gate = builder_.elementwise(silu(), {project(normed, "Wg", {{}, {d_, f_}})});
        const int product = builder_.mul(gate, project(normed, "Wu", {{}, {d_, f_}}));
        return builder_.add(x, norm(project(product, "Wd", {{}, {f_, d_}}), "N4"));
    }

    ArrayBuilder builder_;
    DimId m_ = builder_.dim("M", 4096, 128);
    DimId d_ = builder_.dim("D", 4096, 128);
    DimId e_ = builder_.dim("E", 128, 128);
    DimId f_ = builder_.dim("F", 14336, 128);
    DimId h_ = builder_.dim("H", 32, 1, DimKind::Batch);
    int mask_ = 0;
    std::string suffix_;
};

}  // namespace

ArrayProgram decoder_stack(int blocks) {
    return Stack().build(blocks);
}

}  // namespace blockscope
