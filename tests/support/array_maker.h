// Array programs made by hand, one call an operator: tests of the conversion need no parser.
#pragma once

#include <string>
#include <vector>

#include "core/program/array_program.h"

namespace blockscope::test {

class ArrayMaker {
public:
    // Dimensions have names of one letter: M N K D L are blocked and ragged, B H batch, G a group.
    ArrayMaker();

    DimId dim(char name) const;
    // "BH|MN" is batch dimensions B, H and axes M, N; "MN" has no batch.
    Shape shape(const std::string& text) const;

    int input(const std::string& name, const std::string& shape, ElemType elem = ElemType::F32);
    int elementwise(ExprPtr expr, std::vector<int> operands, const std::string& shape);
    int broadcast(Fn fn, VectorAxis axis, int first, int second, const std::string& shape);
    int op(ArrayOpKind kind, std::vector<int> operands, const std::string& shape);
    int norm(ArrayOpKind kind, std::vector<int> operands, const std::string& shape, bool paper_form);
    int sum_over(char dim, int operand, const std::string& shape);
    int cast(ElemType elem, int operand, const std::string& shape);
    int custom(const std::string& name, std::vector<int> operands, const std::string& shape);
    ArrayMaker& output(const std::string& name, int op);

    ArrayOp& last() { return program.ops.back(); }

    ArrayProgram program;

private:
    int push(ArrayOp op);
};

}  // namespace blockscope::test
