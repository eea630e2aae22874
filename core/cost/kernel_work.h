// What each kernel (top-level operator) of a state does, as a time model needs it: transfers, operations by
// unit, shapes of matrix products, parallel tasks, and the nest of its loops with its accesses, for the
// analysis of reuse (misses() below); and what has to move whatever the schedule is.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/counts.h"
#include "core/scalar/primitives.h"

namespace blockscope {

// Loads or stores of one buffer at one place of the listing.
struct WorkAccess {
    int buffer = 0;  // index in LoopProgram::buffers
    bool store = false;
    double bytes = 0;         // of one item, on average over its blocks
    std::vector<int> varies;  // ids of the loops around it that index it, ascending
};

struct WorkNode {
    int loop = -1;    // index in KernelWork::loops, or
    int access = -1;  // index in KernelWork::accesses
};

struct WorkLoop {
    double trips = 1;
    bool serial = false;
    bool task = false;  // an axis of the grid (core/loops/loop_program.h), whose iterations are the tasks
    // Of a loop over the blocks that rows see under a causal mask: the loop of the rows around it (-1: none),
    // and how many blocks all rows together see. `trips` is the average of a row.
    int rows = -1;
    double reached = 0;
    std::vector<WorkNode> body;
};

// Matrix products of one shape (full blocks): rows x depth times depth x cols.
struct MatrixWork {
    ElemType elem = ElemType::F32;
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    std::int64_t depth = 1;
    double calls = 0;
    double flops = 0;
    bool left_computed = false;  // the left operand is not a load: cards have it in registers
    NodeId node = {};            // the operator
};

// Calls of one kernel on a whole item each.
struct Calls {
    double matrix = 0;
    double vector = 0;  // elementwise, sums, scalings
    double memory = 0;  // loads and stores
};

struct BufferWork {
    int buffer = 0;
    double loaded = 0;  // bytes
    double stored = 0;
    double hoisted = 0;   // bytes, loads and stores moved out of serial loops that do not index them
    double distinct = 0;  // bytes of it that the kernel touches
};

struct PassWork {
    PassKind kind = PassKind::Simple;
    double calls = 0;     // of microkernels
    double rows = 0;      // stretches of elements next to one another
    double elements = 0;  // of the result; of what is folded
    double bytes = 0;     // read from and written to blocks
};

struct KernelWork {
    int index = 0;
    NodeId node;
    double tasks = 1;
    double loaded = 0;  // bytes, generated masks not counted
    double stored = 0;
    double hoisted = 0;
    double matrix = 0;  // operations by unit
    double vector = 0;
    double special = 0;
    ElemType elem = ElemType::F32;  // what the unit rates are for: the type of most loaded bytes
    std::vector<MatrixWork> products;
    Calls calls;
    double local_bytes = 0;     // the largest set of values alive in one task
    double register_bytes = 0;  // on a card: the most that products have made, in float32 (LocalMemory)
    double tile_bytes = 0;      // and the most of tiles of operands, which are in shared memory
    double operand_bytes = 0;   // of all operands of matrix products, each read once per product
    bool misc = false;          // holds a miscellaneous operator, of which nothing is known
    std::vector<BufferWork> buffers;
    std::vector<WorkLoop> loops;
    std::vector<WorkAccess> accesses;
    std::vector<WorkNode> roots;
    // As the CPU engine plans it (core/engine/cpu_program.h); nothing without a plan.
    bool planned = false;
    std::vector<PassWork> passes;  // one of each kind that occurs
    double engine_calls = 0;       // of microkernels, block products included
    double engine_tasks = 1;       // of its largest parallel loop
    double engine_launches = 0;    // parallel loops started

    double bytes() const { return loaded + stored; }
};

struct BufferInfo {
    std::string name;
    NodeId node{};  // an input that is read as two arrays, plain and transposed, is one node
    Buffer::Kind kind = Buffer::Kind::Intermediate;
    bool generated = false;  // a mask, which moves nothing
    double bytes = 0;        // all of it
};

// Bytes that the other parts of the program touch between two runs of this part (core/state/parts.h): they
// push out of a cache what this one left there. A prediction narrows `least` and `most` to the range in which
// its times stay the same.
struct BytesBetween {
    double bytes = 0;
    // Times are the same with as many bytes as are over `least` and not over `most`.
    double least = -1;
    double most = std::numeric_limits<double>::infinity();
};

struct StateWork {
    std::vector<KernelWork> kernels;
    std::vector<BufferInfo> buffers;  // as in LoopProgram::buffers
    // Inputs that the CPU engine brings into the layout of their readers first.
    std::vector<PassWork> packing;
    double packed_bytes = 0;  // of the copies
    double packing_launches = 0;
    // Null: this is the whole program, and nothing runs between.
    std::shared_ptr<BytesBetween> between = nullptr;
};

// Element types in memory other than those of the program: an engine that keeps everything but its inputs in
// float32, say.
struct StoredTypes {
    std::optional<ElemType> inputs;
    std::optional<ElemType> others;
    auto operator<=>(const StoredTypes&) const = default;
};

StateWork state_work(const LoopProgram& program, const StoredTypes& types = {});
StateWork state_work(const LoopProgram& program, const StoredTypes& types, const CostBasis& basis);

// How much of a kernel's transfers a cache of a given size does not hold: reuse distances of its loop nest.

// A cache as one kernel sees it.
struct CacheView {
    double bytes = 0;  // that hold what is loaded and stored; 0: no cache
    double wave = 1;   // tasks that run at once and share it
};

// Bytes of each buffer (in the order of kernel.buffers) that have to come from, or go to, what lies behind
// the cache. Tasks run in order, `wave` of them in step. Where all that one iteration of a loop touches fits,
// what the loop does not index is moved once for all its iterations; what a loop touches in all its
// iterations is moved once if that fits. A cache without bytes misses every load and store; so large a one
// that all fits, each byte that the kernel touches once.
std::vector<double> misses(const StateWork& state, const KernelWork& kernel, const CacheView& cache);

// What has to move whatever the schedule is: bounds from below, for rooflines and to set beside what a
// listing moves.

// Bytes of the program inputs that a state reads and of its outputs, each once.
double compulsory_bytes(const StateWork& state);

// By kernel, the bytes that have to come from, or go to, what lies behind caches of `kept` bytes in all:
//
// - an input where it is first read and an output where it is stored, all of it; where caches are warm, less
//   the share that they can hold of all inputs and outputs from one run to the next;
// - what is read again, or handed on by an intermediate, as far as it does not fit in them.
//
// Example: attention of 4 heads of 64 MB each through an intermediate of 128 MB and caches of 50 MB has to
// store 78 MB of the intermediate and to load as many.
std::vector<double> least_passing(const StateWork& state, double kept, bool warm);

}  // namespace blockscope
