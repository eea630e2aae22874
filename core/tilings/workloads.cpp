#include "core/tilings/workloads.h"

#include <algorithm>
#include <cctype>

namespace blockscope::tilings {

const std::vector<Workload>& workloads() {
    static const std::vector<Workload> rows = {
        {"G1", "", false, 1, 512, 256, 64, 64},           {"G2", "", false, 1, 512, 256, 64, 128},
        {"G3", "", false, 1, 512, 256, 64, 256},          {"G4", "", false, 1, 512, 512, 256, 256},
        {"G5", "", false, 1, 512, 512, 512, 256},         {"G6", "", false, 1, 512, 512, 1024, 256},
        {"G7", "", false, 1, 512, 512, 128, 128},         {"G8", "", false, 1, 1024, 512, 128, 128},
        {"G9", "", false, 1, 2048, 512, 128, 128},        {"G10", "", false, 1, 1024, 1024, 128, 128},
        {"G11", "", false, 4, 1024, 1024, 128, 128},      {"G12", "", false, 8, 1024, 1024, 128, 128},
        {"S1", "Bert-Small", true, 8, 512, 512, 64, 64},  {"S2", "Bert-Base", true, 12, 512, 512, 64, 64},
        {"S3", "Bert-Large", true, 16, 512, 512, 64, 64}, {"S4", "ViT-Base", true, 12, 256, 256, 64, 64},
        {"S5", "ViT-Large", true, 16, 256, 256, 64, 64},  {"S6", "ViT-Huge", true, 16, 256, 256, 80, 80},
        {"S7", "MLP-Mixer", true, 1, 512, 256, 64, 64},   {"S8", "MLP-Mixer", true, 1, 768, 384, 64, 64},
        {"S9", "MLP-Mixer", true, 1, 1024, 512, 64, 64},
    };
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
        {"PyTorch", "no fusion of products: libraries' kernels", "none", 6.6, 8.1, {}, {}, 3.7, 5.8},
        {"Ansor", "loop transformation and loop optimisation", "learned cost model", 2.7, 2.8, 4895, 2897,
         1.6, 1.45},
        {"BOLT", "templates", "measured performance", 7.1, {}, 88, {}, {}, {}},
        {"FlashAttention", "written by hand", "none", {}, 3.0, {}, {}, {}, 3.3},
        {"Chimera", "orders of nested blocks (deep tilings)", "least data movement", 1.06, 1.1, 29, 32, 1.07,
         1.01},
        {"MCFuser", "all tiling expressions", "analytical model", 1.0, 1.0, 35, 39, 1.0, 1.0},
    };
    return rows;
}

}  // namespace blockscope::tilings
