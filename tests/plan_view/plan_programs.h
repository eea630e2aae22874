// Small programs whose plans are found in no time.
#pragma once

namespace blockscope::test {

// Two products that read X, a gate, a third product.
inline constexpr const char* kSmallGatedMlp = R"(dim M = 128 / 64
dim D = 64 / 64
dim F = 128 / 64
input X[M, D], Wg[D, F], Wu[D, F], Wd[F, D] : bf16
A = X @ Wg
B = silu(A)
C = X @ Wu
H = B * C
output Y = H @ Wd
)";

}  // namespace blockscope::test
