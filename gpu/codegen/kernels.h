// How a loop program is cut into kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gpu/codegen/carried.h"

namespace blockscope::gpu {

// A reduction in parts: a launch whose thread blocks compute a part each, and one that puts parts together.
struct Split {
    const Loop* loop = nullptr;  // a line of the kernel's body
    int parts = 1;
    std::int64_t length = 1;  // iterations of a part; the last one may have fewer
    std::vector<Carried> carried;
    std::map<int, int> workspaces;  // of each carried temporary: the array that parts leave it in
    // Whether parts are added up in one place by atomics, so that there is nothing to put together; the
    // second launch takes the sums from there and leaves zeros. All that is carried are sums then.
    bool adds = false;
    bool combines = false;  // the second of the two launches
};

// One launch. Iterations of `grid` are thread blocks, each of them as many times as a split has parts; they
// run `before` and then `body`.
struct Kernel {
    std::vector<const Loop*> grid;         // outermost first
    std::vector<const Statement*> before;  // loads and cheap operators between the grid's loops
    std::vector<const Statement*> body;
    std::vector<const Statement*> loop_lines;  // the statements that hold the grid's loops
    NodeId node;
    std::optional<Split> split;
};

// Top-level parallel loops are kernels of their own, and so are miscellaneous operators; what stands between
// them is a kernel of one thread block.
std::vector<Kernel> cut_into_kernels(const LoopProgram& program);

}  // namespace blockscope::gpu
