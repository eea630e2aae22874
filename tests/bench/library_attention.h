// Attention as one would call libraries for it: product, softmax, product. On one thread.
#pragma once

#include <memory>

#include "core/exec/evaluate.h"

namespace blockscope::bench {

class LibraryAttention {
public:
    // On the inputs Q, K and V of the sample, as many numbers per key as per value.
    explicit LibraryAttention(const Tensors<double>& inputs);
    ~LibraryAttention();
    LibraryAttention(const LibraryAttention&) = delete;
    LibraryAttention& operator=(const LibraryAttention&) = delete;

    static bool has_blas();
    static bool has_onednn();
    // OpenBLAS for the products, the engine's vectorised kernels for the softmax.
    void run_blas();
    // Three primitives of oneDNN. (Debian's 2.6 has no fused or graph attention.)
    void run_onednn();

    // O of what ran last. forget_output() puts NaN into it, so that what is not computed shows.
    Tensors<double> output() const;
    void forget_output();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace blockscope::bench
