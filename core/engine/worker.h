// What one thread of a plan's execution does: calls of routines with their operands on memory of its own, and
// clocks around them.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/plan.h"
#include "core/engine/simd.h"

namespace blockscope::engine {

// The block matmul for fixed shapes: libxsmm's routines, made for the shape when the program is prepared, or
// the engine's own.

// C[rows,cols] = A[rows,inner] Bt[inner,cols], or += with `add`.
class Matmul {
public:
    explicit Matmul(const MatmulShape& shape);

    void run(int rows, int cols, int inner, const float* a, const float* bt, float* c, bool add) const {
        const std::size_t r = rows == shape_.rows[0] ? 0 : 1;
        const std::size_t s = cols == shape_.cols[0] ? 0 : 1;
        const std::size_t t = inner == shape_.inner[0] ? 0 : 1;
        const Made made = made_[4 * r + 2 * s + t][add ? 1 : 0];
        if (made && rows == shape_.rows[r] && cols == shape_.cols[s] && inner == shape_.inner[t])
            return made(bt, a, c);
        table_->matmul(rows, cols, inner, a, shape_.a_step, bt, shape_.bt_step, c, shape_.c_step, add);
    }

private:
    using Made = void (*)(const float* bt, const float* a, float* c, ...);
    MatmulShape shape_;
    const SimdTable* table_;
    std::array<std::array<Made, 2>, 8> made_{};
};

// "libxsmm (clx)" or "own (avx512)"
std::string matmul_name();

// Aligned memory of numbers, in large pages where the system has them. Copies are the same memory.

class Memory {
public:
    Memory() = default;
    // Zeros. Throws std::bad_alloc.
    explicit Memory(std::int64_t bytes);

    float* floats() const { return static_cast<float*>(data_.get()); }
    std::uint16_t* halves() const { return static_cast<std::uint16_t*>(data_.get()); }
    std::int64_t bytes() const { return bytes_; }

private:
    std::shared_ptr<void> data_;
    std::int64_t bytes_ = 0;
};

// Writes what caches hold of this memory back and drops it from all of them, one line after the other. False
// on processors without such an instruction.
bool drop_from_caches(const Memory& memory);

// Bytes that this machine has left, without swapping.
std::int64_t available_memory();

// Clocks. The processor's time stamp is used where there is one, as it costs a few nanoseconds only.

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
    bool zeros = false;  // a mask of zeros, which is not made: sums leave it out
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

    std::vector<std::int64_t> index;   // by slot of a loop variable
    std::vector<std::int64_t> starts;  // of serial loops: the index of the first iteration
    std::vector<View> views;           // by temporary
    Times times;
    bool profiled = false;

    std::int64_t bytes() const { return arena_.bytes() + tiles_.bytes() + wide_.bytes(); }

    // Drops its local memory from the caches.
    bool evict() const;

    // One operation that is no loop.
    void run(const PlanOp& op);
    // An item of an input on its way into its packed form, or some rows of it as it lies in memory.
    struct Piece {
        const Region& from;
        const Region& to;
        std::int64_t from_offset;
        std::int64_t to_offset;
        int rows;  // of the item
        int cols;
        int first;  // row in memory
        int count;  // of them; fewer than all only if both regions have one form
    };
    void pack(const Piece& piece);

    void operator()(const LoadOp& op);
    void operator()(const MaskOp& op);
    void operator()(const StoreOp& op);
    void operator()(const DotOp& op);
    void operator()(const EvalOp& op);
    void operator()(const FoldOp& op);
    void operator()(const FillOp& op);
    void operator()(const RotateOp& op);
    void operator()(const CopyOp& op);
    void operator()(const TransposeOp& op);
    void operator()(const MiscOp& op);
    void operator()(const std::vector<LoopOp>& op);

private:
    View& view(int temp) { return views[static_cast<std::size_t>(temp)]; }
    std::int64_t offset(const Access& access) const;
    int extent(const ExtentRef& ref) const;
    bool first(const Accumulation& add) const;
    bool all_zeros(const MaskOp& op) const;
    int code_of(const EvalOp& op, bool first);
    void set_shape(const EvalOp& op, View& to);
    void evaluate(const ExprCode& code, const EvalOp& op, View& to);
    // Folds the rows of what `op` computes, which is kept nowhere.
    void fold_computed(const EvalOp& op, SimdTable::RowFold fold, View& to, bool add);
    Operand value(const CodeValue& v, const ExprCode& code, const EvalOp& op, int row, int col, int step);
    // One tile: the last line's result goes to `result`, the others into registers of its width.
    void tile(const ExprCode& code, const EvalOp& op, int row, int col, const Target& result, int width);
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
