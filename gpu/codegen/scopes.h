// Where in a kernel each temporary is declared.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "gpu/codegen/kernels.h"

namespace blockscope::gpu {

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
