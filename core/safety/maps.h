// A map while the pass rewrites it: the level inside, and what its ports will be.
#pragma once

#include <optional>

#include "core/safety/level.h"

namespace blockscope::safety {

class MapRewrite {
public:
    MapRewrite(Level& outer, Map map)
        : outer_(outer), inner_(outer.run(), &outer), map_(std::move(map)), first_(map_.outputs.size()) {}

    Level& inner() { return inner_; }

    // The body's input ports, one call each in their order: an input's, or the one of a carried output.
    void bind(const NodePtr& port, PortIn mode, const Value& value);
    void bind_carried(std::size_t output, const NodePtr& port);
    // The map's input `input` has the value that `output` continues (rule 7).
    void continue_from(std::size_t output, std::size_t input, const Value& value) {
        first_[output] = First{input, value};
    }

    // Makes the map, in place of `old`. `outputs`: the body's output nodes; `results`: their values;
    // `inputs`: the map's. Returns the values of the map's outputs.
    std::vector<Value> finish(const NodePtr& old, const std::vector<NodePtr>& outputs,
                              std::vector<ValueRef> inputs, std::vector<Value> results);

private:
    struct First {
        std::size_t input;
        Value value;
    };
    // The running maximum of one exponent over the iterations, and what rescales to it.
    struct Running {
        Exponent exponent;            // per iteration
        Exponent start;               // of the value that the sum continues; empty if there is none
        int output;                   // the map's output that carries the maximum
        ValueRef before;              // exp(maximum before - maximum now)
        std::optional<ValueRef> now;  // exp(exponent - maximum now); absent where it is 1
    };

    // The outputs' exponents outside the map. A symbol below 0 is the output -1 - symbol of the map.
    std::vector<Exponent> leave(std::vector<Value>& results);
    Exponent leave_sum(std::size_t output, Value& result);
    Exponent leave_list(std::size_t output, Value& result);
    Exponent leave_continued_list(std::size_t output, Value& result);
    void leave_plain(std::size_t output, Value& result);
    const Running& running(const Exponent& exponent, const Exponent& start);
    void carry_sum(std::size_t output, const Running& maximum);
    std::vector<Value> assemble(const NodePtr& old, const std::vector<NodePtr>& outputs,
                                const std::vector<Exponent>& exponents);
    int export_collected(int symbol);
    int add_output(MapOutput output, ValueRef result, NodePtr port);
    void add_first(int output, ValueRef value);

    Level& outer_;
    Level inner_;
    Map map_;
    std::vector<std::optional<First>> first_;  // by output of the old map
    std::vector<ValueRef> inputs_;
    std::vector<ValueRef> results_;  // by output
    std::vector<NodePtr> ports_;     // by output: the port that carries it, or null
    std::vector<Running> running_;
    std::map<int, int> exported_;
};

// Maps and reductions over significand-exponent pairs: sums become running sums that are rescaled to
// a running maximum of the exponents (online softmax, where the sum is attention's).

// Rewrites a graph level. `plain_outputs`: which outputs must be plain. Returns the outputs' values.
std::vector<Value> rewrite_level(Level& level, const Graph& graph, const std::vector<bool>& plain_outputs);

// Each rewrites one node and sets its values. `plain_outputs`: collected outputs that nothing needs
// as pairs; they are made plain inside the map, so that no second map is needed.
void rewrite_map(Level& level, const NodePtr& node, const std::vector<bool>& plain_outputs);
void rewrite_reduce(Level& level, const NodePtr& node);

}  // namespace blockscope::safety
