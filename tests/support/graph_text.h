// Block programs written down for tests, one node a line (or several, separated by semicolons, inside of
// braces):
//
//   X: MK|MK            input X: a list (M,K) of blocks [M,K]; "M|M" is a list of vectors along M
//   u = map M i:X b:c { a map over M that iterates over X and takes c whole; inside, X and c
//     t = exp X         name the ports (b:X:y names it y); operators are the functional ones by
//     -> t              name, exp, neg, square, inverse, mul2 (x*y), plus2 (x+y),
//                       narrow (a cast to f16), wide (a cast to f32); "->" collects,
//     +> t              "+>" sums, "^>" takes the maximum over the iterations
//   }
//   s = sum K u         reductions: sum, max;  u.1 is the second output of u;  u@1 is element 0 of u
//   w = misc sort X : MK|MK
//   y = map M1 i:X 0:w {...}     iteration 0 is peeled: w is its element of output 0
//   z = map K i:X k:a:|MN {t = plus2 a X; =0> t}    a carries a block [M,N] from 0: the output before
//   O = out s
//
// Dimensions are single letters; blocks and sizes are small primes, some ragged.
#pragma once

#include <map>
#include <string>

#include "core/graph/graph.h"

namespace blockscope::test {

struct NamedProgram {
    ProgramPtr program;
    std::map<std::string, NodeId> ids;  // inner nodes by "u/t"

    NodeId id(const std::string& name) const { return ids.at(name); }
};

// Throws std::runtime_error with the line if the text is wrong.
NamedProgram graph_from_text(const std::string& text);

}  // namespace blockscope::test
