// How a loop program is cut into kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

// Where in a kernel each temporary is declared.

// A temporary belongs to the innermost body that holds all statements that name it, and is declared before
// the first of them. (Accumulators are named by the loop that they are zeroed before.)
class Scopes {
public:
    explicit Scopes(const Kernel& kernel);

    // Temporaries to declare before `statement`, in order of their numbers.
    const std::vector<int>& declared_before(const Statement* statement) const;
    // All temporaries of the kernel, and those that it sets.
    const std::set<int>& used() const { return used_; }
    const std::set<int>& set() const { return set_; }
    // Taken from or left to other kernels: these are declared before everything else.
    void declare_first(const std::set<int>& temps);

private:
    using Path = std::vector<const Statement*>;  // the loops around a statement, then itself
    void visit(const Statement* statement, Path& path);
    void named(int temp, const Path& path);
    void settle();

    std::map<int, std::vector<Path>> places_;
    std::map<const Statement*, std::vector<int>> before_;
    std::set<int> used_;
    std::set<int> set_;
};

// The accumulators that the body of `loop` adds to itself: zero on entry.
std::vector<Temp> accumulators(const Loop& loop);

}  // namespace blockscope::gpu
