// Clocks around routines: the processor's time stamp where there is one, as it costs a few nanoseconds only.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "core/engine/matmul.h"
#include "core/engine/memory.h"
#include "core/engine/plan.h"
#include "core/engine/simd.h"

namespace blockscope::engine {

inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Ticks that one thread spent, by what it did.
struct Times {
    std::uint64_t matmul = 0;
    std::uint64_t routine = 0;
    std::uint64_t packing = 0;
    std::uint64_t busy = 0;     // in parallel loops, all of the above included
    std::uint64_t waiting = 0;  // for other threads to leave a parallel loop
    std::int64_t matmul_flops = 0;
    std::int64_t matmul_calls = 0;
    std::int64_t routine_calls = 0;
};

// Adds the time until it is destroyed to `sum`.
class Clock {
public:
    Clock(bool on, std::uint64_t& sum) : sum_(on ? &sum : nullptr), start_(on ? ticks() : 0) {}
    ~Clock() {
        if (sum_) *sum_ += ticks() - start_;
    }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

private:
    std::uint64_t* sum_;
    std::uint64_t start_;
};

// One thread's state while a plan runs, and the operations on it.

// Where a temporary's value is now.
struct View {
    std::array<float*, 2> data{};
    std::array<std::int64_t, 2> step{};
    int rows = 1;
    int cols = 1;
};

// What all threads share.
struct Shared {
    const Plan* plan = nullptr;
    const SimdTable* simd = nullptr;
    std::vector<Matmul> matmuls;
    std::vector<Memory> regions;  // by region
};

// Of the registers of elementwise code.
std::int64_t tile_bytes(const Plan& plan);

class Worker {
public:
    explicit Worker(const Shared& shared);

    std::vector<std::int64_t> index;  // by slot of a loop variable
    std::vector<View> views;          // by temporary
    Times times;
    bool profiled = false;

    std::int64_t bytes() const { return arena_.bytes() + tiles_.bytes() + wide_.bytes(); }

    // Drops its local memory from the caches.
    bool evict() const;

    // One operation that is no loop.
    void run(const PlanOp& op);
    // One item of an input into its packed form.
    void pack(const Region& from, const Region& to, std::int64_t from_offset, std::int64_t to_offset,
              int rows, int cols);

    void operator()(const LoadOp& op);
    void operator()(const MaskOp& op);
    void operator()(const StoreOp& op);
    void operator()(const DotOp& op);
    void operator()(const EvalOp& op);
    void operator()(const FoldOp& op);
    void operator()(const FillOp& op);
    void operator()(const CopyOp& op);
    void operator()(const TransposeOp& op);
    void operator()(const MiscOp& op);
    void operator()(const std::vector<LoopOp>& op);

private:
    View& view(int temp) { return views[static_cast<std::size_t>(temp)]; }
    std::int64_t offset(const Access& access) const;
    int extent(const ExtentRef& ref) const;
    bool first(const Accumulation& add) const;
    void evaluate(const ExprCode& code, const EvalOp& op, View& to);
    // Block by block; false if it is something without blocks, of which nothing is done.
    bool transpose_array(const MiscOp& op);
    void move(const Region& from, const Memory& memory, std::int64_t from_offset, bool transpose,
              const Target& to);

    const Shared& shared_;
    Memory arena_;
    Memory tiles_;  // registers of elementwise code
    Memory wide_;   // an item of bfloat16 numbers widened, on its way to being transposed
};

// The stand-in for a miscellaneous operator, in float64.
void run_misc(const MiscOp& op, const Shared& shared, const std::vector<std::int64_t>& index);

}  // namespace blockscope::engine
