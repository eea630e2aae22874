#include "tests/support/paper_examples.h"

#include "core/program/convert.h"
#include "tests/support/array_maker.h"

namespace blockscope::test {

ArrayProgram paper_attention() {
    ArrayMaker p;
    const int q = p.input("Q", "MD");
    const int k = p.input("K", "ND");
    const int v = p.input("V", "NL");
    const int kt = p.op(ArrayOpKind::Transpose, {k}, "DN");
    const int s = p.op(ArrayOpKind::Matmul, {q, kt}, "MN");
    const ExprPtr scale = call(Fn::Mul, arg(0), call(Fn::Pow, size_of(p.dim('D')), number(-0.5)));
    const int soft = p.op(ArrayOpKind::Softmax, {p.elementwise(scale, {s}, "MN")}, "MN");
    return p.output("O", p.op(ArrayOpKind::Matmul, {soft, v}, "ML")).program;
}

ArrayProgram paper_layernorm_matmul() {
    ArrayMaker p;
    const int x = p.input("X", "MK");
    const int y = p.input("Y", "KN");
    const int norm = p.norm(ArrayOpKind::LayerNorm, {x}, "MK", true);
    return p.output("Z", p.op(ArrayOpKind::Matmul, {norm, y}, "MN")).program;
}

ArrayProgram paper_rmsnorm_swiglu() {
    ArrayMaker p;
    const int x = p.input("X", "MD");
    const int w = p.input("W", "DK");
    const int v = p.input("V", "DK");
    const int u = p.input("U", "KN");
    const int norm = p.norm(ArrayOpKind::RmsNorm, {x}, "MD", true);
    const int gate = p.op(ArrayOpKind::Matmul, {norm, w}, "MK");
    const ExprPtr swish =
        call(Fn::Div, arg(0), call(Fn::Add, number(1), call(Fn::Exp, call(Fn::Neg, arg(0)))));
    const int swished = p.elementwise(swish, {gate}, "MK");
    const int up = p.op(ArrayOpKind::Matmul, {norm, v}, "MK");
    const int product = p.elementwise(call(Fn::Mul, arg(0), arg(1)), {swished, up}, "MK");
    return p.output("O", p.op(ArrayOpKind::Matmul, {product, u}, "MN")).program;
}

Trace fused_trace(const ArrayProgram& program) {
    return fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
}

}  // namespace blockscope::test
