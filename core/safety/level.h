// The working state of the numerical-safety pass (Blockbuster, appendix): exponents of significand-exponent
// pairs, one level and one map of the graph while they are rewritten. safety.cpp and maps.cpp are its users.
//
// Exponents are linear combinations of symbols, so that what cancels in the algebra (t - t) is 0.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/graph/expr.h"
#include "core/graph/graph.h"
#include "core/safety/safety.h"

namespace blockscope::safety {

// `factor` times a symbol. A symbol stands for a vector along rows or a scalar, or for a list of
// them; a scalar is spread over rows where it meets a vector. A value with leading list dimensions 0, 1, ...
// varies its exponent only along those whose bit is set in `dims`; along the others one exponent serves all
// elements.
struct Term {
    int symbol = 0;
    std::uint8_t dims = 0;
    double factor = 1;
    bool operator==(const Term&) const = default;
};

// A sum of terms, sorted by symbol and dims, no factor zero. Empty: the value is plain.
using Exponent = std::vector<Term>;

Exponent operator+(const Exponent& a, const Exponent& b);
Exponent operator*(const Exponent& a, double factor);

// The sum as an expression over its terms' values; term i is Arg{first + i}. 0 for the empty sum.
ExprPtr linear(const Exponent& exponent, int first = 0);

// One graph level while the numerical-safety pass rewrites it: the new graph so far, and what every
// value of the old graph has become.

// What the whole run shares.
struct Run {
    const DimTable& dims;
    SharedExponent sharing;
    IdSource ids;
    std::vector<Lineage> made = {};
    int exponentials = 0;
    NodeId origin = {};  // the old node that new nodes stand for
};

// A value of the old graph, in the new one: `ref` is its significand s and `exponent` its t in
// s * e^t. Plain if the exponent is empty.
struct Value {
    ValueRef ref;
    Exponent exponent = {};
    bool plain() const { return exponent.empty(); }
};

class Level {
public:
    Level(Run& run, Level* outer) : run_(run), outer_(outer) {}

    Run& run() { return run_; }
    // Whether the new graph differs from the old one so far.
    bool changed() const { return changed_; }

    // Nodes, in the order of execution.
    ValueRef add(Kind kind, std::vector<ValueRef> inputs);
    ValueRef elementwise(ExprPtr expr, std::vector<ValueRef> inputs);
    // An old node with new inputs; the node itself if they are the old ones.
    void keep(const NodePtr& old, std::vector<ValueRef> inputs);
    // A map with another body, under its old id or a fresh one.
    NodeId put_map(NodeId id, Map map, std::vector<ValueRef> inputs);
    NodeId fresh();
    NodePtr find(NodeId id) const;
    Type type(ValueRef ref) const;
    // Inserts `kind` right after the node of `from` and lets everything else read it in place of `from`.
    ValueRef insert_after(ValueRef from, Kind kind, std::vector<ValueRef> inputs);

    // Input ports. Ports of the old graph keep their places; new ones follow, carried ones come last.
    void bind(const NodePtr& old_port, Exponent exponent);
    NodePtr new_port(const Type& type);          // not yet placed
    ValueRef place(const NodePtr& port);         // among the new ports
    ValueRef hold(const NodePtr& carried_port);  // placed by body(), readable now

    // What old values have become.
    void set(ValueRef old, Value value) { values_[old] = std::move(value); }
    Value value(ValueRef old);

    // Symbols of exponents.
    int symbol(ValueRef made_here);
    int outer_symbol(int outer, bool iterated);
    ValueRef ref(int symbol);
    // For a symbol of the level around: which one it is there, and whether this map iterates over it.
    bool is_outer(int symbol) const { return find_symbol(symbol).outer >= 0; }
    int outer_of(int symbol) const { return find_symbol(symbol).outer; }
    bool iterated(int symbol) const { return find_symbol(symbol).iterated; }

    // A symbol whose value is the row (or block) maximum of an exponential of this very level: any
    // greater value would serve as well, because nothing but the pair refers to it.
    void set_maximum(int symbol) { symbols_[static_cast<std::size_t>(symbol)].maximum = true; }
    bool is_maximum(int symbol) const { return find_symbol(symbol).maximum; }
    // Takes a greater value once and for all.
    void replace_maximum(int symbol, ValueRef greater) {
        symbols_[static_cast<std::size_t>(symbol)].ref = greater;
        symbols_[static_cast<std::size_t>(symbol)].maximum = false;
    }

    // Values of an exponent's terms, for linear().
    std::vector<ValueRef> refs(const Exponent& exponent);
    // An item's exponent as one value.
    ValueRef materialise(const Exponent& exponent);
    // The exponent of each item of a list (or of an item), as one value.
    ValueRef exponents(const Value& value);
    // s * factor, where factor is an exponential of an exponent of s.
    ValueRef scaled(ValueRef s, ValueRef factor);
    // The value itself: s * e^t.
    ValueRef plain(const Value& value);

    // Inputs that new ports need, parallel to them: outer symbol and whether iterated.
    struct Port {
        int outer;
        bool iterated;
    };
    const std::vector<Port>& ports() const { return ports_; }
    GraphPtr body(const std::vector<NodePtr>& carried, const std::vector<NodePtr>& outputs) const;

    // A value that code below spreads over a list: `dims` as in Term.
    struct Spread {
        ValueRef ref;
        std::uint8_t dims;
    };
    using ItemCode = std::function<ValueRef(Level&, const std::vector<ValueRef>&)>;
    // Runs `code` on the items of all indices of `list`, in maps around it.
    ValueRef for_items(const Type& list, const std::vector<Spread>& inputs, const ItemCode& code);
    std::vector<Spread> spread(const Exponent& exponent);

private:
    struct Symbol {
        ValueRef ref;  // no node: an input port that nothing needed yet
        int outer = -1;
        bool iterated = false;
        bool maximum = false;
    };
    void put(NodePtr node);
    NodePtr make(NodeId id, Kind kind, std::vector<ValueRef> inputs) const;
    const Symbol& find_symbol(int symbol) const { return symbols_[static_cast<std::size_t>(symbol)]; }

    Run& run_;
    Level* outer_;
    bool changed_ = false;
    std::vector<NodePtr> old_ports_;
    std::vector<NodePtr> new_ports_;
    std::vector<Port> ports_;
    std::vector<NodePtr> nodes_;
    std::unordered_map<std::uint32_t, NodePtr> by_id_;
    std::map<ValueRef, Value> values_;
    std::vector<Symbol> symbols_;
    std::map<ValueRef, int> symbol_of_;
    std::map<std::pair<int, bool>, int> symbol_of_outer_;
    std::map<ValueRef, ValueRef> plain_;
};

// All set: the value varies along each of `rank` list dimensions.
std::uint8_t all_dims(int rank);

// A map while the pass rewrites it: the level inside, and what its ports will be.

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
