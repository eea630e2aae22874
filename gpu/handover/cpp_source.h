// A state as C++17 with OpenMP: what a processor runs that has a compiler, without any library of ours but
// resources/pytorch/blocks.h.
//
//     extern "C" void attention_cpu(const bf16* Q, const bf16* K, const bf16* V, bf16* O, int threads)
//
// A kernel becomes a function, its parallel loops iterations that threads share out, a line of the listing a
// call of a block operator. Temporaries and what lies between kernels are float32.
#pragma once

#include <string>
#include <vector>

#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope::gpu {

// An input or an output as it is declared.
struct HandedArray {
    std::string name;
    ElemType elem = ElemType::F32;
    std::vector<std::int64_t> shape;
};

struct CppSource {
    std::string text;
    std::vector<HandedArray> inputs, outputs;  // the function's parameters
};

// `name`: of the function, less "_cpu"; an identifier. What cannot be written is a problem with its line and
// node.
Result<CppSource> cpp_source(const LoopProgram& program, const std::string& name);

}  // namespace blockscope::gpu
