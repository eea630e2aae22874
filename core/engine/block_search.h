// Block sizes that a processor's caches like, best first: what `tune` measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope {

// A machine as the search sees it. Rates as measured (micro.h) or from a description.
struct CacheModel {
    std::int64_t local_bytes = 1 << 20;  // what a thread's local memory may take: a share of its L2
    int vector_elements = 16;            // float32 numbers in a register
    int threads = 1;
    double matmul_flops = 1e11;      // per second and thread, large blocks
    double vector_ops = 1e10;        // element operations per second and thread
    double special_ops = 3e9;        // exp and its like
    double bytes_per_second = 1e10;  // memory, all threads together
    double call_seconds = 5e-8;      // per block operation
};

struct BlockChoice {
    std::vector<std::int64_t> blocks;  // per dimension of the program, batch dimensions 1
    double predicted_seconds = 0;
    std::int64_t local_bytes = 0;  // the largest live set, float32
    std::string binding;           // "matmul", "vector", "memory" or "calls": the largest term
};

// Candidates per dimension are powers of two between a vector and 512, and the whole dimension (every second
// or fourth power where there were more than 20,000 combinations); `snapshot` (a lowered state) is counted at
// each. Those that fit local memory, at most `limit`, the fastest predicted first: max(matmul + vector
// operations, memory) + calls.
std::vector<BlockChoice> suggest_blocks(const LoopProgram& snapshot, const CacheModel& model, int limit = 8);

}  // namespace blockscope
