// Chains that these tests are about.
#pragma once

#include <string>

#include "core/json/device_files.h"
#include "core/tilings/space.h"
#include "core/tilings/workloads.h"

namespace blockscope::test {

inline ArrayProgram program_of(const std::string& text) {
    return parse_program(text, "test.bp").value();
}
inline tilings::Chain chain_of(const std::string& text) {
    return tilings::read_chain(program_of(text)).value();
}
inline tilings::Chain workload_chain(const std::string& name) {
    return tilings::read_chain(tilings::workload_program(*tilings::find_workload(name))).value();
}
inline tilings::TargetDevice target(const std::string& name) {
    return tilings::target_device(*find_device(builtin_devices(), name), ElemType::F16).value();
}
inline tilings::TargetDevice a100() {
    return target("a100-pcie-40gb");
}

// The example of section III: M = N = 1024, K = H = 512.
inline std::string two_products(int m, int n, int k, int h, const std::string& type = "f16") {
    return "dim M = " + std::to_string(m) + "\ndim N = " + std::to_string(n) +
           "\ndim K = " + std::to_string(k) + "\ndim H = " + std::to_string(h) +
           "\ninput A[M,K], B[K,N], D[N,H] : " + type + "\nC = A @ B\noutput E = C @ D\n";
}
inline const char* const kThreeProducts =
    "dim M = 40\ndim N = 48\ndim K = 32\ndim H = 40\ndim P = 35\ninput A[M,K], B[K,N], D[N,H], F[H,P]\n"
    "C = relu(A @ B)\nE = tanh(C @ D)\noutput G = E @ F\n";
inline const char* const kGated =
    "dim M = 64\ndim N = 48\ndim K = 32\ndim H = 40\ninput A[M,K], B[K,N], B2[K,N], D[N,H], b[N]\n"
    "C = silu(A @ B + b) * (A @ B2)\noutput E = gelu(C @ D)\n";
inline const char* const kLora =
    "dim M = 64\ndim N = 48\ndim K = 32\ndim R = 16\ninput X[M,K], W[K,N], A[K,R], B[R,N]\n"
    "output Y = X @ W + X @ A @ B * 2\n";
inline const char* const kCausal =
    "batch Z = 2\ndim M = 50\ndim N = 48\ndim K = 32\ndim H = 40\ninput Q[Z,M,K], Keys[Z,N,K], V[Z,N,H]\n"
    "mask W[M,N] = causal\nS = Q @ Keys.T * K^-0.5 + W\nP = softmax(S)\noutput O = P @ V\n";

}  // namespace blockscope::test
