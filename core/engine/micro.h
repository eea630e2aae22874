// What this machine can do, measured by small routines: the terms of a calibrated model, and the scale on
// which the engine is judged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/kernel_work.h"
#include "core/loops/loop_program.h"

namespace blockscope {

// The median of several repetitions and the middle half of them. (Others may use the machine: the best is
// what it can do, the median what it did.)
struct Measured {
    double best = 0;
    double median = 0;
    double low = 0;   // first quartile
    double high = 0;  // third quartile
    int samples = 0;
};

struct MicroOptions {
    double seconds = 0.2;  // per figure
    int threads = 1;       // that do the same at once; rates are those of all together
};

// Bytes per second read from (or read from one and written to another) arrays of `bytes` in all per thread.
Measured measure_read(std::int64_t bytes, const MicroOptions& options = {});
Measured measure_copy(std::int64_t bytes, const MicroOptions& options = {});
// Operations per second of independent multiply-adds in registers, 2 each.
Measured measure_fma(const MicroOptions& options = {});
// Elements per second, from and to the first-level cache.
Measured measure_exp(const MicroOptions& options = {});
// Seconds that one pass over a block of rows x cols takes (opaque ones are not measured: 0), from and to the
// first-level cache where the block is small enough.
Measured measure_pass(PassKind kind, int rows, int cols, const MicroOptions& options = {});
// Operations per second of C[rows,cols] += A[rows,inner] B[cols,inner]^T on blocks in the cache, B packed.
Measured measure_matmul(int rows, int cols, int inner, const MicroOptions& options = {});
// Seconds: a parallel region in which no thread has anything to do.
Measured measure_region(int threads, double seconds = 0.2);
// Seconds per block operation on a single element, run by the engine: what every routine call costs at least.
Measured measure_call(double seconds = 0.2);

}  // namespace blockscope
