// The values and operators of one state, called after the arrays of the program: for tooltips, outlines,
// matches and sentences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/fusion/trace.h"
#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "core/support/text.h"

namespace blockscope {

// Which statement of the array program a value of a block program computes, through all rewrites.
//
//     S = Q @ K.T * D^-0.5       the unfused program has nodes for Q @ K.T (part of S) and for the factor (S)
//     P = softmax(S)             exp, row_sum, 1/x, row_scale: all part of P, the last one is P
//
// A step that fuses loops keeps every value. One that moves a scaling behind a product makes other values: P
// is then nowhere, and the scaled product is O.

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

class ProgramNames {
public:
    // Keeps the program; `names` are those of this state.
    ProgramNames(ProgramPtr program, ArrayNames names);

    const BlockProgram& program() const { return *program_; }
    const ProgramPtr& program_pointer() const { return program_; }
    // "S", "Q"; empty for a value that is no array of the program. `value` may be of any level.
    std::string value(const ValueRef& value) const;
    ValueKey key(const ValueRef& value) const;
    // "row_scale of P": an operator, or a map by its first and last one, and the arrays that it works on.
    Text label(NodeId node) const;
    // "row_scale", "dot ... exp(x)": the same without the arrays.
    Text operators(NodeId node) const;
    // "exp(x)": the operator that makes the node's first result.
    Text last_operator(NodeId node) const;
    // "S and P": the arrays that a node, or what is in a map, is part of; empty if none is known.
    // Of more than `most`, the first and the last.
    Text arrays(NodeId node, std::size_t most = 3) const;
    // What a node computes: an array that is one of its results, else the operator that makes the first one.
    Text result(NodeId node) const;
    // "S", or "exp(x) of P": the array that a value is, else the operator that makes it.
    Text result_of(const ValueRef& value) const;
    // "exp(x) of P": the operator that makes a value, whether the value is an array or not; an input's name.
    Text maker_of(const ValueRef& value) const;
    // A value in a sentence: "S", or "the exp(x) of P" where it is no array of its own. What a reduction adds
    // up and what it makes of that come from one operator: "the partial dot of S" and "the summed dot of S".
    Text said(const ValueRef& value) const { return said_of(key(value)); }
    Text said_of(const ValueKey& key) const;
    // Whether reductions of the operator's values take the greatest of them, instead of adding them up.
    bool is_maximum(NodeId leaf) const;
    const Node* find(NodeId node) const;
    // What maps are called in a picture, "P" or "S, P, O": the arrays that they take part in. Inside of a map
    // those alone that are called otherwise.
    std::map<NodeId, std::string> map_names() const;
    // The values whose edges are buffered: drawn red.
    std::set<ValueKey> buffered() const;

private:
    struct Place {
        const Node* node = nullptr;
        const Graph* level = nullptr;
    };
    void enter(const Graph& level);
    std::string name_of(const ValueKey& key) const;
    Text said_of_operator(const ValueKey& key) const;
    bool is_reduced(const ValueKey& key) const;
    std::vector<int> statements(const Node& node) const;
    std::string map_name(const Node& map) const;
    void name_maps(const Graph& level, const std::string& around, std::map<NodeId, std::string>& found) const;

    ProgramPtr program_;
    ArrayNames names_;
    std::unordered_map<std::uint32_t, Place> places_;      // by NodeId
    std::unordered_map<std::uint32_t, ValueRef> outside_;  // by the id of an inner port: what it stands for
};

}  // namespace blockscope
