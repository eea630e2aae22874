#include "core/tilings/workloads.h"

#include <algorithm>
#include <cctype>

namespace blockscope::tilings {

const std::vector<Workload>& workloads() {
    // The formatter would break these rows over several lines.
    // clang-format off
    static const std::vector<Workload> rows = {
        {.name = "G1", .m = 512, .n = 256, .k = 64, .h = 64},
        {.name = "G2", .m = 512, .n = 256, .k = 64, .h = 128},
        {.name = "G3", .m = 512, .n = 256, .k = 64, .h = 256},
        {.name = "G4", .m = 512, .n = 512, .k = 256, .h = 256},
        {.name = "G5", .m = 512, .n = 512, .k = 512, .h = 256},
        {.name = "G6", .m = 512, .n = 512, .k = 1024, .h = 256},
        {.name = "G7", .m = 512, .n = 512, .k = 128, .h = 128},
        {.name = "G8", .m = 1024, .n = 512, .k = 128, .h = 128},
        {.name = "G9", .m = 2048, .n = 512, .k = 128, .h = 128},
        {.name = "G10", .m = 1024, .n = 1024, .k = 128, .h = 128},
        {.name = "G11", .batch = 4, .m = 1024, .n = 1024, .k = 128, .h = 128},
        {.name = "G12", .batch = 8, .m = 1024, .n = 1024, .k = 128, .h = 128},
        {.name = "S1", .network = "Bert-Small", .attention = true, .batch = 8, .m = 512, .n = 512, .k = 64, .h = 64},
        {.name = "S2", .network = "Bert-Base", .attention = true, .batch = 12, .m = 512, .n = 512, .k = 64, .h = 64},
        {.name = "S3", .network = "Bert-Large", .attention = true, .batch = 16, .m = 512, .n = 512, .k = 64, .h = 64},
        {.name = "S4", .network = "ViT-Base", .attention = true, .batch = 12, .m = 256, .n = 256, .k = 64, .h = 64},
        {.name = "S5", .network = "ViT-Large", .attention = true, .batch = 16, .m = 256, .n = 256, .k = 64, .h = 64},
        {.name = "S6", .network = "ViT-Huge", .attention = true, .batch = 16, .m = 256, .n = 256, .k = 80, .h = 80},
        {.name = "S7", .network = "MLP-Mixer", .attention = true, .m = 512, .n = 256, .k = 64, .h = 64},
        {.name = "S8", .network = "MLP-Mixer", .attention = true, .m = 768, .n = 384, .k = 64, .h = 64},
        {.name = "S9", .network = "MLP-Mixer", .attention = true, .m = 1024, .n = 512, .k = 64, .h = 64},
    };
    // clang-format on
    return rows;
}

const Workload* find_workload(const std::string& name) {
    std::string upper = name;
    for (char& letter : upper) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    for (const Workload& row : workloads())
        if (row.name == upper) return &row;
    return nullptr;
}

std::string workload_text(const Workload& row) {
    std::string text = "batch Chains = " + std::to_string(row.batch) + "\n";
    const std::pair<const char*, int> dims[] = {{"M", row.m}, {"N", row.n}, {"K", row.k}, {"H", row.h}};
    for (const auto& [name, size] : dims)
        text += "dim " + std::string(name) + " = " + std::to_string(size) + "\n";
    if (row.attention)
        return text +
               "input Q[Chains, M, K], Keys[Chains, N, K], V[Chains, N, H] : f16\n"
               "S = Q @ Keys.T * K^-0.5\n"
               "P = softmax(S)\n"
               "output O = P @ V\n";
    return text +
           "input A[Chains, M, K], B[Chains, K, N], D[Chains, N, H] : f16\n"
           "C = A @ B\n"
           "output E = C @ D\n";
}

ArrayProgram workload_program(const Workload& row) {
    auto program = parse_program(workload_text(row), row.name);
    if (!program) throw InternalError("the workload " + row.name + " is no program");
    return std::move(program).value();
}

ArrayProgram product_program(int batch, int rows, int cols, int depth) {
    const std::string text = "batch Z = " + std::to_string(batch) + "\ndim M = " + std::to_string(rows) +
                             "\ndim N = " + std::to_string(cols) + "\ndim K = " + std::to_string(depth) +
                             "\ninput A[Z,M,K], B[Z,K,N] : f16\noutput C = A @ B\n";
    auto program = parse_program(text, "product");
    if (!program) throw InternalError("a product of a workload is no program");
    return std::move(program).value();
}

ArrayProgram first_product(const Workload& workload) {
    return product_program(workload.batch, workload.m, workload.n, workload.k);
}

ArrayProgram second_product(const Workload& workload) {
    return product_program(workload.batch, workload.m, workload.h, workload.n);
}

double softmax_seconds(const Workload& workload, ElemType scores, double bandwidth) {
    if (!workload.attention) return 0;
    constexpr int kPasses = 2;  // it reads and writes them
    const double count = 1.0 * workload.batch * workload.m * workload.n;
    return kPasses * count * static_cast<double>(bytes_per_element(scores)) / bandwidth;
}

const std::vector<PublishedSystem>& published_systems() {
    static const std::vector<PublishedSystem> rows = {
        {.name = "PyTorch",
         .search_space = "no fusion of products: libraries' kernels",
         .exploration = "none",
         .gemm_speedup = 6.6,
         .attention_speedup = 8.1,
         .gemm_seconds = {},
         .attention_seconds = {},
         .gemm_3080 = 3.7,
         .attention_3080 = 5.8},
        {.name = "Ansor",
         .search_space = "loop transformation and loop optimisation",
         .exploration = "learned cost model",
         .gemm_speedup = 2.7,
         .attention_speedup = 2.8,
         .gemm_seconds = 4895,
         .attention_seconds = 2897,
         .gemm_3080 = 1.6,
         .attention_3080 = 1.45},
        {.name = "BOLT",
         .search_space = "templates",
         .exploration = "measured performance",
         .gemm_speedup = 7.1,
         .attention_speedup = {},
         .gemm_seconds = 88,
         .attention_seconds = {},
         .gemm_3080 = {},
         .attention_3080 = {}},
        {.name = "FlashAttention",
         .search_space = "written by hand",
         .exploration = "none",
         .gemm_speedup = {},
         .attention_speedup = 3.0,
         .gemm_seconds = {},
         .attention_seconds = {},
         .gemm_3080 = {},
         .attention_3080 = 3.3},
        {.name = "MCFuser-Chimera",
         .search_space = "Chimera's: orders of nested blocks (deep tilings)",
         .exploration = "analytical model (Chimera's own: least data movement)",
         .gemm_speedup = 1.06,
         .attention_speedup = 1.1,
         .gemm_seconds = 29,
         .attention_seconds = 32,
         .gemm_3080 = 1.07,
         .attention_3080 = 1.01},
        {.name = "MCFuser",
         .search_space = "all tiling expressions",
         .exploration = "analytical model",
         .gemm_speedup = 1.0,
         .attention_speedup = 1.0,
         .gemm_seconds = 35,
         .attention_seconds = 39,
         .gemm_3080 = 1.0,
         .attention_3080 = 1.0},
    };
    return rows;
}

}  // namespace blockscope::tilings
