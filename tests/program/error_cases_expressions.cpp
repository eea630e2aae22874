// Texts whose functions and expressions are wrong, and texts with several errors.
#include "tests/program/error_cases.h"

namespace blockscope {

const std::vector<ErrorCase> expression_errors = {
    {"output O = outer(A, k)\n",
     "t:10:12: found A[M, D]; outer expects a vector (one axis after the batch dimensions)"},
    {"output O = outer(a)\n", "t:10:12: found 1 argument of outer; expected two vectors, as in outer(c, d)"},
    {"output O = sum(S3, M)\n",
     "t:10:12: found S3[H, M, D]; sum over M expects it among the batch dimensions (row_sum sums over the "
     "last axis)"},
    {"output O = sum(S3, H + 1)\n", "t:10:22: found an expression; expected the name of a batch dimension"},
    {"output O = sum(S3)\n",
     "t:10:12: found 1 argument of sum; expected an array and one of its batch dimensions, as in sum(X, H)"},
    {"output O = cast(A, int8)\n", "t:10:20: found the type int8; expected f32, f16, bf16, e4m3 or e5m2"},
    {"output O = cast(A)\n",
     "t:10:12: found 1 argument of cast; expected an array and an element type, as in cast(X, bf16)"},
    {"output O = causal(a)\n", "t:10:12: found causal of a[M]; expected a matrix of scores"},
    {"output O = custom(\"topk\")\n",
     "t:10:12: found custom without a name or without an array; expected custom(\"name\", X, ...)"},
    {"output O = custom(A, A)\n",
     "t:10:12: found custom without a name or without an array; expected custom(\"name\", X, ...)"},
    {"output O = custom(\"top k\", A)\n",
     "t:10:19: found the operator name \"top k\"; expected a letter or '_', then letters, digits and '_', "
     "256 bytes at most"},
    {"output O = custom(\"transpose\", A)\n",
     "t:10:19: found the operator name \"transpose\", which is a word of the language; expected another "
     "name"},
    {"output O = custom(\"add\", A)\n",
     "t:10:19: found the operator name \"add\", which is a word of the language; expected another name"},
    {"output O[M, N, D, H] = custom(\"topk\", A)\n",
     "t:10:10: found M as a batch dimension, declared with blocks of 16; expected no block size (batch M = "
     "64)"},
    {"output O[N, D] = exp(A)\n",
     "t:10:9: found the shape [N, D] for O; expected [M, D], the shape of the expression"},
    {"output O : f16 = exp(A)\n",
     "t:10:12: found the type f16 for O; expected f32, the type of the expression (or cast(..., f16))"},
    {"output O = custom(\"topk, A)\n",
     "t:10:19: found '\"topk, A)', which has no closing quote; expected '\"' on the same line"},
    {"output O = \"topk\"\n", "t:10:12: found the text \"topk\"; expected a name, a number or a function"},
    {"output O = A + column(k)\n", "t:10:14: found k[N] beside A[M, D]; expected a vector along D or M"},
    {"output O = A + column(A)\n", "t:10:16: found column of A[M, D]; expected a vector"},
    {"output O = column(a)\n",
     "t:10:12: found column(...) where there is no matrix; expected it beside a matrix and one of + - * /"},
    {"output O = column(a) + a\n",
     "t:10:22: found column(...) where there is no matrix; expected it beside a matrix and one of + - * /"},
    {"output O = A.t\n", "t:10:14: found 't'; expected 'T' after the dot, the transpose, as in K.T"},
    {"output O = A.\n",
     "t:10:14: found the end of the line; expected 'T' after the dot, the transpose, as in K.T"},
    {"output O = a.T\n", "t:10:13: found a[M]; .T expects a matrix (two axes after the batch dimensions)"},
    {"output O = (A + 1\n",
     "t:11:1: found the end of the file; expected an operator or ')' for the '(' at 10:12"},
    {"output O = exp(A\n"
     "output U = exp(A)\n",
     "t:11:1: found 'output'; expected an operator, ',' or ')' for the '(' at 10:15"},
    {"output O = A + 1)\n", "t:10:17: found ')'; expected an operator or the end of the line"},
    {"output O = A +\n", "t:10:15: found the end of the line; expected a name, a number, a function or '('"},
    {"output O = + A\n", "t:10:12: found '+'; expected a name, a number, a function or '('"},
    {"output O = A ++ A\n", "t:10:15: found '+'; expected a name, a number, a function or '('"},
    {"output O = A 2\n", "t:10:14: found the number 2; expected an operator or the end of the line"},
    {"output O = 2A\n",
     "t:10:12: found '2A', which is not a number; expected digits, as in 128, 0.5 or 1e-6"},
    {"output O = 1e999 * A\n",
     "t:10:12: found '1e999', which is out of range; expected a number between 1e-307 and 1e308"},
    {"output O = A * 1..2\n", "t:10:18: found the number .2; expected an operator or the end of the line"},
    {"output O = A % 2\n",
     "t:10:14: found '%', which is no part of the language; expected a name, a number or one of = + - * / @ "
     "^ . , : ( ) [ ] #"},
    {"output O = A × 2\n",
     "t:10:14: found the character U+00D7, which is no part of the language; expected a name, a number or "
     "one of = + - * / @ ^ . , : ( ) [ ] #"},
    {"output O = A; output U = A\n",
     "t:10:13: found ';', which is no part of the language; expected a name, a number or one of = + - * / @ "
     "^ . , : ( ) [ ] #"},
    {"output = A\n", "t:10:8: found '='; expected the name of an output, as in output O = P @ V"},
    {"output O == A\n", "t:10:11: found '='; expected a name, a number, a function or '('"},
    {"= A\n",
     "t:10:1: found '='; expected a statement: dim, batch, group, input, mask, output or NAME = expression"},
    {"3 = A\n",
     "t:10:1: found the number 3; expected a statement: dim, batch, group, input, mask, output or NAME = "
     "expression"},
    {"tensor Q[M, D]\n",
     "t:10:8: found 'Q'; expected '=' after tensor (a line starts with dim, batch, group, input, mask, "
     "output or with NAME =)"},
    {"softmax = A\n"
     "output softmax\n",
     "t:10:1: found the name softmax, which is a function of the language; expected another name"},
    {"output O = elementwise(x: x)\n", "t:10:12: found 0 arrays for 1 parameters; expected one for each"},
    {"output O = elementwise(x, y: x, A, A)\n",
     "t:10:27: found the parameter y, which the expression does not use; expected its use"},
    {"output O = elementwise(x: x + y, A)\n",
     "t:10:31: found the name y, which is not defined; expected an array that an earlier line defines, or a "
     "dimension"},
    {"output O = elementwise(M: M, A)\n",
     "t:10:24: found the parameter M, whose name is taken; expected a name of its own"},
    {"output O = elementwise(x: softmax(x), A)\n",
     "t:10:27: found softmax inside elementwise(...: ...); expected functions of numbers"},
    {"output O = elementwise(x: A, A)\n",
     "t:10:27: found the array A inside elementwise(...: ...); expected its parameters, dimensions and "
     "numbers"},
    {"output O = elementwise(A)\n",
     "t:10:25: found ')'; expected ',' or ':' after the parameter A, as in elementwise(x, y: x * exp(y), A, "
     "B)"},
    {"output O = elementwise(x: elementwise(y: y, x), A)\n",
     "t:10:27: found elementwise inside elementwise; expected functions of one number"},
    {"output O = leaky_relu(A, A)\n", "t:10:12: found an array as slope of leaky_relu; expected a number"},
    {"output O = leaky_relu(A, alpha=1)\n",
     "t:10:26: found the argument alpha= of leaky_relu; expected one array and slope=, each once"},
    {"output O = Bb + A\n",
     "t:10:12: found the name Bb, which is not defined; expected an array that an earlier line defines, or a "
     "dimension. Did you mean B?"},
    {"input Z[Q1, M, D]\n"
     "output O = Z + A\n",
     "t:10:9: found the name Q1, which is not defined; expected a dimension, as declared by dim, batch or "
     "group"},
    {"dim Bad = 8 / 4\n"
     "input Z[Bad, M, D]\n"
     "output O = Z\n",
     "t:11:9: found Bad as a batch dimension, declared with blocks of 4; expected no block size (batch Bad = "
     "8)"},
    {"output O = A + later\n"
     "later = exp(A)\n"
     "output later\n",
     "t:10:16: found the name later, which is not defined before this line; expected an array that an "
     "earlier line defines, or a dimension"},
    {"output O = P @ A\n"
     "output U = P @ A + R\n"
     "output W = undefined1 + undefined2 + P\n",
     "t:10:12: found the name P, which is not defined; expected an array that an earlier line defines, or a "
     "dimension\n"
     "t:11:20: found the name R, which is not defined; expected an array that an earlier line defines, or a "
     "dimension\n"
     "t:12:12: found the name undefined1, which is not defined; expected an array that an earlier line "
     "defines, or a dimension\n"
     "t:12:25: found the name undefined2, which is not defined; expected an array that an earlier line "
     "defines, or a dimension"},
    {"X1 = A @ nope\n"
     "X2 = X1 * 2\n"
     "output O = X2 + X1\n",
     "t:10:10: found the name nope, which is not defined; expected an array that an earlier line defines, or "
     "a dimension"},
    {"dim Z = 4.5\n"
     "input Q[Z]\n"
     "S = exp(Q)\n"
     "output O = S * Z\n",
     "t:10:9: found the number 4.5; expected the dimension's size in elements, a whole number from 1 to "
     "2147483647"},
    {"input Q[M, D : bf16, R[M, D]\n"
     "output O = Q + R\n",
     "t:10:14: found ':'; expected ',' or ']' after the dimension D, for the '[' at 10:8"},
    {"X1 = (A +\n"
     "  A) * +\n"
     "output O = X1\n",
     "t:11:8: found '+'; expected a name, a number, a function or '('"},
    {"output O = sum(S3,\n"
     "  M)\n",
     "t:10:12: found S3[H, M, D]; sum over M expects it among the batch dimensions (row_sum sums over the "
     "last axis)"},
    {"input Q[M, D, D, D]\n"
     "output O = Q\n",
     "t:10:9: found M as a batch dimension, declared with blocks of 16; expected no block size (batch M = "
     "64)"},
    {"group M2 = 8 / 1\n"
     "dim M3 = 8 / 8\n"
     "output O = A.T @ A @ M3\n",
     "t:12:20: found '@' beside something that is no matrix; expected matrices on both sides (numbers "
     "multiply with *)"},
    {"output O = A * "
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "((((((((((((((((((((((((((((((((((2\n",
     "t:10:144: found an expression nested more than 128 levels deep; expected a flatter one (name a part of "
     "it in a statement of its own)"},
    {"output O = "
     "-------------------------------------------------------------------------------------------------------"
     "-------------------------------A\n",
     "t:10:140: found an expression nested more than 128 levels deep; expected a flatter one (name a part of "
     "it in a statement of its own)"},
    {"output O = "
     "A+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
     "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+"
     "1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1\n",
     "t:10:267: found an expression nested more than 128 levels deep; expected a flatter one (name a part of "
     "it in a statement of its own)"},
};

}  // namespace blockscope
