// The lowering's working state; lower() (loop_program.h) is the only user.
//
// A level (one graph) is lowered in two passes. The plan goes backwards through the nodes and
// settles where every list lies in global memory: in the buffers of the outputs that it ends in,
// or in an intermediate of its own. The emission goes forwards and writes statements.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/node.h"
#include "core/loops/loop_program.h"

namespace blockscope::lowering {

// A buffer and the leading indices that select one value in it; the rest run along its lists.
struct Place {
    int buffer = -1;
    std::vector<Index> at;
};

// The statements of one loop (or of the program) while they are made.
struct Body {
    Block block;
    std::vector<LoopVar> vars;                   // of the loops around it, outermost first
    std::vector<std::pair<Place, Temp>> loaded;  // what it has loaded so far
};

using ElementStatements = std::function<void(Body&, const std::vector<Index>&)>;

// One value at one or more levels: a broadcast value is the same slot inside the map.
struct Slot {
    Type type;
    NodeId node;                 // what a load of it shows
    Body* owner = nullptr;       // where it became an item: a load of it goes there
    std::optional<Temp> temp;    // once it is in local memory
    std::optional<Place> place;  // if it is in global memory
};

inline std::size_t index_of(int number) {
    return static_cast<std::size_t>(number);
}

// Where what reaches one output port of a graph goes.
struct Sink {
    PortOut mode = PortOut::Collected;
    std::vector<Place> places;  // Collected
    Temp accumulator;           // any other mode
    bool started = false;       // ReducedSum: starts from a first summand, hence no `+=`
};

struct Level {
    Level(const Graph& graph, Body& its_body, const std::vector<Sink>& its_sinks);

    GraphIndex index;
    Body& body;
    const std::vector<Sink>& sinks;
    std::vector<int> output_port;                          // by position; -1 if no Output
    std::vector<std::vector<Slot*>> slots;                 // by position and port
    std::vector<std::vector<std::vector<Place>>> targets;  // by position and port: where to store
    std::map<ValueRef, Slot*> peeled;                      // element 0 of lists
};

class Lowering {
public:
    explicit Lowering(const BlockProgram& program) : program_(program) {}
    LoopProgram run();

private:
    // Values (values.cpp).
    Slot* new_slot(Slot slot);
    Slot& resolve(Level& level, const ValueRef& ref);
    Temp item(Level& level, const ValueRef& ref);
    Place place_of(Level& level, const ValueRef& ref, NodeId reader);
    Place new_intermediate(const Body& body, const Type& type, NodeId producer);
    Temp fresh() { return Temp{++temps_}; }

    // The plan.
    void plan(Level& level);
    void plan_node(Level& level, int position);
    std::vector<Place> targets_of(const Level& level, int position, int port) const;
    const Place& preferred(const std::vector<Place>& places) const;

    // Emission (emit.cpp).
    void emit(Level& level);
    void emit_functional(Level& level, int position, FunctionalOp op);
    void emit_elementwise(Level& level, int position, const Elementwise& node);
    void emit_reduce(Level& level, int position, const Reduce& node);
    void emit_misc(Level& level, int position, const Misc& node);
    void emit_output(Level& level, int position);
    void finish_item(Level& level, int position, int port, Temp temp);
    void accumulate(Body& body, const Sink& sink, Temp value, NodeId node);
    bool folds_into_sum(const Level& level, int position, FunctionalOp op) const;
    void store_value(Level& level, const ValueRef& ref, const std::vector<Place>& places, NodeId node);
    void copy_list(Body& body, const Place& from, const Type& type, const std::vector<Place>& places,
                   NodeId node, const ValueRef& value);
    void for_each_element(Body& body, const Type& type, NodeId node, const ElementStatements& inner);
    void add_loop(Body& body, Body inner, int start, bool serial, NodeId node);

    // Maps.
    void emit_map(Level& level, int position, const Map& map);
    std::vector<Sink> open_outputs(Level& level, int position, const Map& map, const Index& index);
    void begin(Level& level, const Node& node, const ValueRef* first, const MapOutput& output, Sink& sink);
    void bind_inputs(Level& outer, const Node& node, const Map& map, Level& inner);
    void assign_carried(Level& inner, const std::vector<Sink>& sinks);

    const BlockProgram& program_;
    std::vector<Buffer> buffers_;
    std::deque<Slot> slots_;
    int temps_ = 0;
};

// Whether the producer itself can store the value where this reference takes it; otherwise the value is
// already somewhere (an input, an element of a list) and has to be copied.
bool stored_by_producer(const Level& level, const ValueRef& ref);

// `places`, each with one more index.
std::vector<Place> at_index(std::vector<Place> places, const Index& index);

// The variable of a loop over `dim` inside loops with `vars`.
LoopVar loop_var(const std::vector<LoopVar>& vars, DimId dim);

void add(Body& body, decltype(Statement::what) what, NodeId node,
         const std::optional<ValueRef>& value = std::nullopt);

// What is known of values without their numbers: enough to see that a block of a causal mask which hides all
// of its columns changes nothing (causal_bounds.cpp).
//
//     t6 = add(t4,t5)       t5 is very low (-1e30), t4 ordinary numbers: very low
//     t7 = row_max(t6)      very low
//     t8 = max(t3,t7)       t3, which is ordinary
//     t9 = exp(t3-t8)       exp(0) = 1
//     t10 = exp(t6-t8)      0

// What is known of one row of a value, or of all of it where its rows are alike.
struct Known {
    enum class Kind : std::uint8_t {
        Nothing,
        Finite,    // numbers of any size
        Ordinary,  // numbers of usual size: the value `term`
        Partly,    // the value `term`, some of whose columns are ordinary numbers and some very low
        VeryLow,   // all of them, as masks are
        Constant,  // `value`, all of them
    };
    Kind kind = Kind::Nothing;
    double value = 0;
    int term = 0;
    int rank = -1;         // 2 of a block, 1 of a vector, 0 of a scalar, -1 if it is not known
    bool by_rows = false;  // what holds of one row need not hold of another one

    bool is(Kind other) const { return kind == other; }
    bool is(double number) const { return kind == Kind::Constant && value == number; }
    bool ordinary() const;
    // Certainly the same numbers.
    bool same(const Known& other) const;
};

// Values by the operators that make them: those of equal operators on the same values are the same.
class KnownValues {
public:
    // What a temporary holds before the iteration, or outside of the loop: ordinary numbers.
    Known before(Temp temp);
    // A block of an array, ordinary numbers unless `kind` says otherwise.
    Known loaded(const Load& load, int rank, Known::Kind kind = Known::Kind::Ordinary);
    Known applied(Fn fn, const Known& a, const Known& b);
    Known applied(FunctionalOp op, const Known& a, const Known& b);
    Known cast(ElemType to, const Known& a);
    // The sum of what iterations of `loop` add.
    Known summed(NodeId loop, const Known& added);

private:
    using Key = std::vector<std::int64_t>;

    int term(Key key);
    Known made(Key key, const Known& a, const Known& b, Known::Kind kind = Known::Kind::Ordinary);
    Known made_if_ordinary(Key key, const Known& a, const Known& b);
    Known by_element(Fn fn, const Known& a, const Known& b);
    Known functional(FunctionalOp op, const Known& a, const Known& b);
    Known negative(const Known& a);
    Known sum(const Known& a, const Known& b);
    Known product(const Known& a, const Known& b);
    Known quotient(const Known& a, const Known& b);
    Known larger(const Known& a, const Known& b);

    std::map<Key, int> terms_;
    std::map<int, Known> negated_;  // by term: what it is the negative of
};

constexpr Known kNothing{};
constexpr Known constant(double value) {
    return {.kind = Known::Kind::Constant, .value = value};
}

}  // namespace blockscope::lowering
