// Texts whose declarations and statements are wrong.
#include "tests/program/error_cases.h"

namespace blockscope {

const std::vector<ErrorCase> statement_errors = {
    {"dim = 4\n", "t:10:5: found '='; expected the name of a dimension, as in dim M = 4096 / 128"},
    {"dim Z 4\n",
     "t:10:7: found the number 4; expected '=' and the dimension's size, as in dim M = 4096 / 128"},
    {"dim Z = \n",
     "t:10:9: found the end of the line; expected the dimension's size in elements, a whole number"},
    {"dim Z = 4.5\n",
     "t:10:9: found the number 4.5; expected the dimension's size in elements, a whole number from 1 to "
     "2147483647"},
    {"dim Z = 0\n",
     "t:10:9: found the number 0; expected the dimension's size in elements, a whole number from 1 to "
     "2147483647"},
    {"dim Z = -3\n", "t:10:9: found '-'; expected the dimension's size in elements, a whole number"},
    {"dim Z = 2147483648\n",
     "t:10:9: found the number 2147483648; expected the dimension's size in elements, a whole number from 1 "
     "to 2147483647"},
    {"dim Z = 99999999999999999999999\n",
     "t:10:9: found the number 99999999999999999999999; expected the dimension's size in elements, a whole "
     "number from 1 to 2147483647"},
    {"dim Z = 8 / 0\n",
     "t:10:13: found the number 0; expected the block size in elements, a whole number from 1 to 2147483647"},
    {"dim Z = 8 / 16\n", "t:10:13: found a block size of 16; expected at most the dimension's size, 8"},
    {"dim Z = 8 / 4 / 2\n", "t:10:15: found '/'; expected the end of the line after the block size"},
    {"dim Z = M\n", "t:10:9: found 'M'; expected the dimension's size in elements, a whole number"},
    {"batch Z = 8 / 4\n",
     "t:10:13: found a block size of 4 for the dimension Z; batch and group dimensions have none"},
    {"dim 3 = 4\n", "t:10:5: found the number 3; expected the name of a dimension, as in dim M = 4096 / 128"},
    {"dim M = 4\n",
     "t:10:5: found a second definition of M, which is already a dimension (line 1); expected a new name"},
    {"dim m = 4\n",
     "t:10:5: found the dimension m beside M, which differs only in upper and lower case; their loop "
     "variables would be the same, expected another name"},
    {"dim MM = 4\n",
     "t:10:5: found the name MM beside the dimension M, whose size listings call MM; expected another name"},
    {"dim _z = 4\n", "t:10:5: found the dimension name _z; expected a name that starts with a letter"},
    {"dim T1 = 4\n",
     "t:10:5: found the name T1; a T followed by digits is kept for the temporaries of listings, expected "
     "another name"},
    {"dim Exp = 4\n",
     "t:10:5: found the dimension name Exp, whose loop variable exp is a word of the language; expected "
     "another name"},
    {"dim softmax = 4\n",
     "t:10:5: found the name softmax, which is a function of the language; expected another name"},
    {"dim X = 4\n"
     "input X[M]\n"
     "output X\n",
     "t:11:7: found a second definition of X, which is already a dimension (line 10); expected a new name"},
    {"input Q\n", "t:10:8: found the end of the line; expected '[' and the dimensions, as in Q[M, D]"},
    {"input Q[M, D], K[N, Q] : bf16\n"
     "output Q\n",
     "t:10:21: found the array Q; expected the name of a dimension"},
    {"input Q[M, E]\n"
     "output O = softmax(Q)\n"
     "output U = exp(Q)\n",
     "t:10:12: found the name E, which is not defined; expected a dimension, as declared by dim, batch or "
     "group"},
    {"input Q[M, D : bf16\n",
     "t:10:14: found ':'; expected ',' or ']' after the dimension D, for the '[' at 10:8"},
    {"input Q[M, D\n"
     "output O = softmax(Q)\n",
     "t:11:1: found 'output'; expected ',' or ']' after the dimension D, for the '[' at 10:8"},
    {"input Q[M, D] : bf17\n",
     "t:10:17: found the type bf17; expected f32, f16, bf16, e4m3 or e5m2. Did you mean bf16?"},
    {"input Q[M, D] : 3\n",
     "t:10:17: found the number 3; expected an element type: f32, f16, bf16, e4m3 or e5m2"},
    {"input Q[M D]\n", "t:10:11: found 'D'; expected ',' or ']' after the dimension M, for the '[' at 10:8"},
    {"input Q[M, D] bf16\n",
     "t:10:15: found 'bf16'; expected ',' and another input, ':' and an element type, or the end of the "
     "line"},
    {"input Q[M, M, D, D]\n",
     "t:10:9: found M as a batch dimension, declared with blocks of 16; expected no block size (batch M = "
     "64)"},
    {"input Q[D, B]\n",
     "t:10:8: found the batch dimension B as an axis; expected batch and group dimensions first and only "
     "there, then at most two others"},
    {"input Q[B, B, M, D]\n", "t:10:8: found the batch dimension B twice; expected it once"},
    {"input Q[B, H, G, B, H, G, B, H, M]\n", "t:10:33: found 'M'; expected at most 8 dimensions"},
    {"input exp[M]\n",
     "t:10:7: found the name exp, which is a function of the language; expected another name"},
    {"input t12[M]\n",
     "t:10:7: found the name t12; a T followed by digits is kept for the temporaries of listings, expected "
     "another name"},
    {"input DD[M]\n",
     "t:10:7: found the name DD beside the dimension D, whose size listings call DD; expected another name"},
    {"input Big[Big1, Big2]\n",
     "t:10:10: found an array [Big1, Big2] of more than 2^60 elements; expected fewer"},
    {"mask C[M, N]\n",
     "t:10:13: found the end of the line; expected '= causal', as in mask C[M, N] = causal"},
    {"mask C[M] = causal\n",
     "t:10:6: found a mask [M]; expected two axes and no batch dimensions, as in [M, N] (a mask is shared by "
     "the whole batch)"},
    {"mask C[H, M, N] = causal\n",
     "t:10:6: found a mask [H, M, N]; expected two axes and no batch dimensions, as in [M, N] (a mask is "
     "shared by the whole batch)"},
    {"mask C[M, N] = diagonal\n",
     "t:10:16: found 'diagonal'; expected 'causal', the one kind of mask (any other is an input that is "
     "added)"},
    {"output O\n",
     "t:10:8: found the name O, which is not defined before this line; expected an array that an earlier "
     "line defines"},
};

}  // namespace blockscope
