// Finds nodes of a program by what they are called, do and hold. No widgets.
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/support/result.h"

namespace blockscope {

struct SearchQuery {
    std::string text;
    bool regular = false;  // `text` is one regular expression (PCRE), matched against describe_for_search()
};

// What a regular expression is matched against: "n7 dot block[M,N] bf16".
std::string describe_for_search(const Node& node, const DimTable& dims);

// Nodes at all levels in the order of the listing, ports of maps left out; upper and lower case are the same.
// A node has to match all words of the text:
//   op:dot      what it does, by a part of its name: dot, row_sum, exp, map, sum, input, output
//   type:block  a part of the type of one of its results: block[M,N], f32
//   in:M        it is in a map over M
//   buffered    one of its results goes through global memory
//   exp, n12    anything else: a part of its label, or its id
// The problem of a bad query says what is expected; its column is where.
Result<std::vector<NodeId>> search(const BlockProgram& program, const SearchQuery& query);

}  // namespace blockscope
