// Attention as one would call libraries for it: product, softmax, product. On one thread.
#pragma once

#include <memory>

namespace blockscope::bench {

class LibraryAttention {
public:
    // `length` queries and keys of `head` numbers each.
    LibraryAttention(int length, int head);
    ~LibraryAttention();
    LibraryAttention(const LibraryAttention&) = delete;
    LibraryAttention& operator=(const LibraryAttention&) = delete;

    static bool has_blas();
    static bool has_onednn();
    // OpenBLAS for the products, the engine's vectorised kernels for the softmax.
    void run_blas();
    // Three primitives of oneDNN. (Debian's 2.6 has no fused or graph attention.)
    void run_onednn();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace blockscope::bench
