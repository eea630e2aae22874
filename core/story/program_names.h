// The values and operators of one state, called after the arrays of the program: for tooltips, outlines,
// matches and sentences.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/story/array_names.h"
#include "core/support/text.h"

namespace blockscope {

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
    // A value in a sentence: "S", or "the exp(x) of P" where it is no array of its own.
    Text said(const ValueRef& value) const;
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
    std::vector<int> statements(const Node& node) const;
    std::string map_name(const Node& map) const;
    void name_maps(const Graph& level, const std::string& around, std::map<NodeId, std::string>& found) const;

    ProgramPtr program_;
    ArrayNames names_;
    std::unordered_map<std::uint32_t, Place> places_;      // by NodeId
    std::unordered_map<std::uint32_t, ValueRef> outside_;  // by the id of an inner port: what it stands for
};

}  // namespace blockscope
