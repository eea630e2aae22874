// Exact static counts of a state for given sizes: what it moves between global and local memory, what
// it computes, what is alive in local memory, how much of it runs in parallel. Ragged blocks count with
// their real sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/terms.h"

namespace blockscope {

// Transfers between global and local memory: loads or stores of blocks, vectors and scalars.
struct Transfers {
    std::int64_t items = 0;   // load or store instructions executed
    std::int64_t values = 0;  // elements
    std::int64_t bytes = 0;
    bool operator==(const Transfers&) const = default;
};

struct BufferTraffic {
    int buffer = 0;  // index in LoopProgram::buffers
    Transfers loads;
    Transfers stores;
};

// Arithmetic by the unit that does it (Quantity).
struct Flops {
    std::int64_t matrix = 0;
    std::int64_t vector = 0;
    std::int64_t special = 0;
    std::int64_t total() const;
    bool operator==(const Flops&) const = default;
};

struct NodeFlops {
    NodeId node;
    Flops flops;
};

// The largest set of values alive at once in one processor's local memory, for full blocks.
struct LocalMemory {
    std::int64_t values = 0;
    std::int64_t bytes = 0;   // with the element types of the values
    std::vector<Temp> alive;  // in order
    NodeId node;              // what runs when it is reached
    int line = -1;            // of the listing, from 0
    // Where cards keep what is alive as the line begins, in bytes: what products have made, and what follows
    // from that, in registers as float32; the rest, tiles of operands, in shared memory in its own types.
    std::int64_t registers = 0;
    std::int64_t tiles = 0;
    std::vector<Temp> before = {};  // of those that are alive, when the line begins
};

struct Counts {
    std::vector<BufferTraffic> buffers;  // one per buffer, in their order
    Transfers inputs;                    // loads from program inputs (generated masks not counted)
    Transfers outputs;                   // stores to program outputs, and loads from them
    Transfers intermediates;             // loads and stores of everything in between
    Flops flops;
    std::vector<NodeFlops> operators;  // by node, in order of the listing
    LocalMemory local;
    // Bytes that have to move whatever the schedule: every program input that is read and every output once.
    std::int64_t compulsory = 0;
    std::int64_t launches = 0;  // top-level operators: one kernel each
    std::int64_t tasks = 0;     // the fewest parallel tasks of a launch: product of its outer forall extents

    std::int64_t bytes() const { return inputs.bytes + outputs.bytes + intermediates.bytes; }
    // Operations per byte moved; 0 if nothing moves.
    double intensity() const;
    // All operations as a multiple of the unfused program's: the work that is done again. 1 if it has none.
    double replication(const Counts& unfused) const;
};

// The size of an array in global memory.
std::int64_t bytes_of(const Buffer& buffer, const DimTable& dims);

// Of a top-level statement: the thread blocks of its grid (core/loops/loop_program.h), which are its parallel
// tasks.
std::int64_t tasks(const Statement& launch, const DimTable& dims);

// Counts `program` at its own dimensions: the values of its cost_terms added up.
Counts count(const LoopProgram& program);
// The same, of its terms and what is alive by line (local_memory) for those who have them already.
Counts count(const LoopProgram& program, const std::vector<Term>& terms,
             const std::vector<LocalMemory>& alive);

// What the counts of a state and the work of its kernels (kernel_work.h) are both made of, so that whoever
// wants both works it out once.

struct CostBasis {
    explicit CostBasis(const LoopProgram& program);

    // For the same loops at other sizes, where each dimension has one block, two, or more, as it had: which
    // values are alive when is then the same, and how large they are is not. Takes a fraction of the time.
    void resize(const LoopProgram& program);

    TempExtents extents;
    std::vector<Term> terms;         // as listed
    std::vector<LocalMemory> alive;  // by line of the listing
};

// A state's loops with their basis. A view: both have to outlive it.
struct CountedLoops {
    const LoopProgram& loops;
    const CostBasis& basis;
};

// Counts compared figure by figure: the static ones (count()) with those of a run (execute()).

// The first figure in which counts of `program` differ: "loads of K: 12 and 13". Empty if none does. Of local
// memory the values are compared.
std::string counts_difference(const LoopProgram& program, const Counts& a, const Counts& b);

// From when on a state counts as one that repeats work.

// Times the unfused program's operations (Counts::replication): a state that does more may lose for its block
// sizes alone, and others are worth a look.
constexpr double kRepeatsWork = 1.1;

}  // namespace blockscope
