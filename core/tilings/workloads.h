// The workloads of MCFuser's evaluation: batch GEMM chains G1 to G12 (Table II) and self-attention modules S1
// to S9 (Table III), and the figures that the paper gives of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program/array_program.h"

namespace blockscope::tilings {

struct Workload {
    std::string name = {};     // "G1"
    std::string network = {};  // "Bert-Small"; of chains empty
    bool attention = false;
    int batch = 1;  // of attention: heads
    int m = 0;
    int n = 0;
    int k = 0;
    int h = 0;
};
const std::vector<Workload>& workloads();
// Null if there is none; upper and lower case are the same.
const Workload* find_workload(const std::string& name);

// Its program in the text language, in f16; each dimension is one block.
std::string workload_text(const Workload& workload);
ArrayProgram workload_program(const Workload& workload);

// What "unfused" adds up: each product alone, in f16, and of attention the softmax between them as a kernel
// of its own, which reads the scores and writes them once.
ArrayProgram product_program(int batch, int rows, int cols, int depth);
ArrayProgram first_product(const Workload& workload);
ArrayProgram second_product(const Workload& workload);
// 0 of chains without a softmax; `bandwidth` in bytes per second.
double softmax_seconds(const Workload& workload, ElemType scores, double bandwidth);

// What the paper reports of a system, as a factor by which MCFuser is faster on the A100 (its text gives
// averages only; the bars of Figs. 8 and 9 are not read off).
struct PublishedSystem {
    std::string name = {};          // "Ansor"
    std::string search_space = {};  // Table I
    std::string exploration = {};
    std::optional<double> gemm_speedup = {};       // MCFuser over it, average over G1 to G12
    std::optional<double> attention_speedup = {};  // over S1 to S9
    std::optional<double> gemm_seconds = {};       // to tune a chain, Table IV
    std::optional<double> attention_seconds = {};
    std::optional<double> gemm_3080 = {};  // the same averages on the RTX 3080
    std::optional<double> attention_3080 = {};
};
const std::vector<PublishedSystem>& published_systems();

}  // namespace blockscope::tilings
