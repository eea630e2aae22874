// Texts whose operators and norms are wrong.
#include "tests/program/error_cases.h"

namespace blockscope {

const std::vector<ErrorCase> operator_errors = {
    {"output O = X @ V\n",
     "t:10:12: found the name X, which is not defined; expected an array that an earlier line defines, or a "
     "dimension"},
    {"output O = A @ B\n",
     "t:10:14: found '@' beside something that is no matrix; expected matrices on both sides (numbers "
     "multiply with *)"},
    {"output O = A @ A\n",
     "t:10:14: found A[M, D] @ A[M, D], whose inner dimensions are D (32) and M (64); expected the same "
     "dimension (transpose the right operand with .T)"},
    {"output O = A @ V @ A\n",
     "t:10:14: found A[M, D] @ V[N, D], whose inner dimensions are D (32) and N (48); expected the same "
     "dimension (transpose the right operand with .T)"},
    {"output O = a @ A\n", "t:10:14: found a[M]; '@' expects a matrix (two axes after the batch dimensions)"},
    {"output O = A @ 2\n",
     "t:10:14: found '@' beside something that is no matrix; expected matrices on both sides (numbers "
     "multiply with *)"},
    {"output O = 2 @ A\n",
     "t:10:14: found '@' beside something that is no matrix; expected matrices on both sides (numbers "
     "multiply with *)"},
    {"output O = A + A.T\n",
     "t:10:14: found A[M, D] and a right operand [D, M]; an elementwise operator expects equal axes "
     "(transpose one with .T)"},
    {"output O = a + k\n",
     "t:10:14: found a[M] and k[N]; an elementwise operator expects equal axes (outer(c, d) makes a matrix "
     "of two vectors)"},
    {"output O = A + n\n", "t:10:14: found n[N] beside A[M, D]; expected a vector along D or M"},
    {"output O = max(A, k)\n", "t:10:12: found A[M, D] and k[N]; an elementwise operator expects equal axes"},
    {"output O = A^k\n", "t:10:13: found A[M, D] and k[N]; an elementwise operator expects equal axes"},
    {"output O = S3 + S2\n",
     "t:10:15: found S3[H, M, D] without the batch dimension B of the other operand; expected B there too, "
     "or its declaration as a group dimension (group B = ...)"},
    {"output O = S3 + S4\n",
     "t:10:15: found S3[H, M, D] without the batch dimension B of the other operand; expected B there too, "
     "or its declaration as a group dimension (group B = ...)"},
    {"output O = A + F\n",
     "t:10:14: found A[M, D] of type f32 and F[M, D] of type f16; an elementwise operator expects one "
     "element type, as with cast(F, f32)"},
    {"output O = A @ F.T\n",
     "t:10:14: found A[M, D] of type f32 and a right operand [D, M] of type f16; '@' expects one element "
     "type, as with cast(..., f32)"},
    {"output O = D\n",
     "t:10:12: found a number for O; expected an expression with an array (write numbers where they are "
     "used)"},
    {"output O = 2 * 3\n",
     "t:10:14: found a number for O; expected an expression with an array (write numbers where they are "
     "used)"},
    {"P = softmax(A)\n", "t:1:1: found no output; expected at least one, as in output O = P @ V"},
    {"P = softmax(A)\n"
     "P = softmax(P)\n"
     "output P\n",
     "t:11:1: found a second definition of P, which is already an array (line 10); expected a new name"},
    {"A = A + 1\n"
     "output A\n",
     "t:10:1: found a second definition of A, which is already an array (line 9); expected a new name"},
    {"output O = exp(A)\n"
     "output O = exp(A)\n",
     "t:11:8: found a second definition of O, which is already an array (line 10); expected a new name"},
    {"output O = softmax(a)\n",
     "t:10:12: found a[M]; softmax expects a matrix (two axes after the batch dimensions)"},
    {"output O = softmax(3)\n", "t:10:20: found a number; softmax expects an array"},
    {"output O = softmax(A, A)\n", "t:10:12: found 2 arguments of softmax; expected one matrix"},
    {"output O = softmax()\n", "t:10:12: found 0 arguments of softmax; expected one matrix"},
    {"output O = softmx(A)\n",
     "t:10:12: found softmx(...), which is no function; expected a function, or custom(\"softmx\", ...). Did "
     "you mean softmax?"},
    {"output O = Softmax(A)\n",
     "t:10:12: found Softmax(...), which is no function; expected a function, or custom(\"Softmax\", ...). "
     "Did you mean softmax?"},
    {"output O = foo(A)\n",
     "t:10:12: found foo(...), which is no function; expected a function, or custom(\"foo\", ...)"},
    {"output O = A(3)\n",
     "t:10:12: found A(...), which is no function but an array or a dimension; expected an operator before "
     "the '('"},
    {"output O = softmax\n", "t:10:12: found the function softmax without arguments; expected softmax(...)"},
    {"output O = softmax A\n", "t:10:20: found 'A'; expected an operator or the end of the line"},
    {"output O = exp(A, eps=3)\n", "t:10:19: found the argument eps= of exp; expected one array, each once"},
    {"output O = rmsnorm(A, a)\n",
     "t:10:12: found the weight a[M]; rmsnorm expects a vector along the last axis D"},
    {"output O = rmsnorm(A, k, k)\n",
     "t:10:12: found 3 arguments of rmsnorm; expected rmsnorm(X), rmsnorm(X, weight)"},
    {"output O = rmsnorm(A, eps=k)\n",
     "t:10:27: found something else as eps; expected a number that is not negative, as in eps=1e-6"},
    {"output O = rmsnorm(A, eps=-1)\n",
     "t:10:27: found something else as eps; expected a number that is not negative, as in eps=1e-6"},
    {"output O = rmsnorm(A, form=best)\n",
     "t:10:28: found an unknown form; expected form=paper or form=usual"},
    {"output O = rmsnorm(A, form=paper, eps=1e-6)\n",
     "t:10:12: found eps= with form=paper; expected one of them, the paper's form has no epsilon"},
    {"output O = rmsnorm(A, epsilon=1e-6)\n", "t:10:23: found the argument epsilon=; expected eps= or form="},
    {"output O = layernorm(A, weight=k, k)\n",
     "t:10:35: found 'k'; expected no further argument without a name after weight="},
};

}  // namespace blockscope
