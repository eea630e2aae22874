// Two products in a chain, or attention, as one would call a library for them: operator by operator, one
// chain of the batch after the other. On one thread.
#pragma once

#include <string>
#include <vector>

#include "core/tilings/workloads.h"

namespace blockscope::bench {

class LibraryChain {
public:
    explicit LibraryChain(const tilings::Workload& workload);

    // Names of the libraries that are linked: "OpenBLAS", "oneDNN".
    static std::vector<std::string> libraries();
    // Softmax, where there is one, by the engine's vectorised routines.
    void run(const std::string& library);
    const std::vector<float>& output() const { return out_; }
    // By the arrays' names in workload_text().
    const std::vector<float>& left() const { return a_; }
    const std::vector<float>& middle() const { return b_; }
    const std::vector<float>& right() const { return d_; }

private:
    tilings::Workload workload_;
    std::vector<float> a_, b_, d_, scores_, out_, sums_;
};

}  // namespace blockscope::bench
