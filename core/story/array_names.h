// Which statement of the array program a value of a block program computes, through all rewrites.
//
//     S = Q @ K.T * D^-0.5       the unfused program has nodes for Q @ K.T (part of S) and for the factor (S)
//     P = softmax(S)             exp, row_sum, 1/x, row_scale: all part of P, the last one is P
//
// A step that fuses loops keeps every value. One that moves a scaling behind a product makes other values: P
// is then nowhere, and the scaled product is O.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"

namespace blockscope {

// Where a value is made in the end: one output of an operator, perhaps summed up by the loops and reductions
// around it. Lists are the value of the operator that makes their items.
struct ValueKey {
    NodeId leaf;
    std::uint16_t port = 0;
    std::uint8_t sums = 0;  // reductions over its values
    auto operator<=>(const ValueKey&) const = default;
};

// The key of a value of `level`. A value that a map passes through is its port's.
ValueKey value_key(const Graph& level, const ValueRef& value);

class ArrayNames {
public:
    ArrayNames() = default;  // of a program without an array program: no value has a name
    // Of the initial block program of a conversion.
    ArrayNames(const ArrayProgram& array, const std::vector<Origin>& origins, const BlockProgram& initial);

    // Takes the names over to the program after `step`; before, they are those of the program before it.
    void advance(const Step& step);

    // The name of the array that a value is; empty if it is none.
    std::string name(const ValueKey& key) const;
    // The statements that an operator is part of: more than one after operators were composed.
    const std::vector<int>& statements(NodeId leaf) const;
    // What a statement is called: "S", or "softmax" where the program does not name it.
    const std::string& statement(int index) const { return statements_[static_cast<std::size_t>(index)]; }
    bool empty() const { return statements_.empty(); }

private:
    std::vector<std::string> statements_;
    std::map<ValueKey, int> values_;            // the statement that a value is the result of
    std::map<NodeId, std::vector<int>> parts_;  // by operator
};

// The names in the state after `step` steps; `array` null: there are none.
ArrayNames names_after(const Trace& trace, int step, const ArrayProgram* array);

}  // namespace blockscope
