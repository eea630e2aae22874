// Executes a block program on this machine's processor: a state, lowered to loops, becomes a plan of
// vectorised routines over preallocated memory (docs/measuring.md). What the plan does, kernel by kernel, is
// what the time model of the processor reads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cost/kernel_work.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope {

// How the input arrays lie in memory. Everything else (accumulators, intermediates, outputs) is float32.
enum class Precision : std::uint8_t {
    F32,
    BF16,  // rounded to nearest even once, by set_input; widened to float32 when a block is loaded
};

struct EngineOptions {
    int threads = 0;  // 0: one per core that this process may use, and each stays on its own
    Precision precision = Precision::F32;
    std::int64_t memory_limit =
        0;  // bytes that the program may take in all; 0: 3/4 of what the machine has left
};

// An input or output as the program declares it: V[N,L], never its transpose.
struct EngineArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;
};

// Where the time of one run went. Thread times are sums over all threads.
struct RunProfile {
    double wall_seconds = 0;
    double matmul_seconds = 0;  // thread time in routines of the block matmul
    double routine_seconds =
        0;  // thread time in all other routines on blocks (elementwise, sums, loads, stores)
    double packing_seconds =
        0;  // thread time in which whole inputs were brought into the layout of their reader
    double overhead_seconds =
        0;  // thread time between routines, the clocks' own taken off: loops, addresses, tasks
    double waiting_seconds = 0;  // threads * wall_seconds less all of the above: at the end of parallel loops
    std::int64_t matmul_flops = 0;
    std::int64_t matmul_calls = 0;
    std::int64_t routine_calls = 0;
};

class CpuProgram {
public:
    // Takes all memory, makes all routines and starts the threads. A program that cannot run (too large, a
    // value whose extents nothing tells) is a problem that says which operator and why.
    static Result<CpuProgram> prepare(const LoopProgram& program, const EngineOptions& options = {});

    // Whether prepare() refused a program for nothing but the memory that it takes.
    static bool lacks_memory(const Problems& problems);

    CpuProgram(CpuProgram&&) noexcept;
    CpuProgram& operator=(CpuProgram&&) noexcept;
    ~CpuProgram();

    // The arrays to be given: the inputs but for generated masks. And the results.
    const std::vector<EngineArray>& inputs() const;
    const std::vector<EngineArray>& outputs() const;

    // Row-major, inputs()[index].elements numbers. Throws InternalError if there are more or fewer.
    void set_input(int index, std::span<const float> values);
    // Inputs are zero until they are set. Outputs and everything in between hold NaN after this, so that what
    // run() leaves out shows.
    void fill_with_nan();

    // Computes all outputs. Nothing is allocated or set up here: this is what is timed. (Miscellaneous
    // operators are the exception: nothing is known of them, so a stand-in of the reference runs in their
    // place.)
    void run();
    // The same with clocks around every routine, which costs some percent.
    RunProfile run_profiled();
    // The same with a clock between the top-level operators: the seconds of each, in the order of
    // LoopProgram::body. Bringing inputs into their readers' layout comes before them and is not among them;
    // operators that run as a part of another take none.
    std::vector<double> run_kernels();

    std::span<const float> output(int index) const;

    // Drops all of the program's memory from the caches, so that the next run is a cold one. False on
    // processors that cannot.
    bool evict();

    int threads() const;
    std::int64_t memory_bytes() const;              // all that was taken
    std::int64_t local_bytes() const;               // of one thread's local memory: the unbuffered values
    const std::string& matmul_microkernel() const;  // "libxsmm (clx)", "own (avx512)"
    const std::string& vector_microkernel() const;  // "avx512", "avx2", "baseline"

    // The plan, line by line: parallel regions, loops, routines with their shapes and layouts.
    std::string plan() const;

private:
    struct State;
    explicit CpuProgram(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

// What the CPU engine does for a state, kernel by kernel, as its time model needs it: passes over blocks,
// copies, calls and parallel loops of its plan.

// state_work() with the passes of the engine's plan, for inputs in bfloat16 or (any other type) float32. A
// program that the engine refuses has none.
StateWork engine_work(const LoopProgram& program, const StoredTypes& types);
StateWork engine_work(const LoopProgram& program, const StoredTypes& types, const CostBasis& basis);
// Passes of one kind are one entry of a kernel's or a packing's list.
void add_pass(std::vector<PassWork>& passes, const PassWork& more);

}  // namespace blockscope
