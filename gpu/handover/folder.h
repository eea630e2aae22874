// A state as a folder that runs beside PyTorch code: kernels for processors (C++) and for cards (CUDA), a
// Python function that calls them, the program in plain PyTorch, and scripts that compare the two
// (docs/your-model.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/program/array_program.h"
#include "core/state/state.h"
#include "core/support/result.h"
#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

struct HandedFile {
    std::string name;  // in the folder
    std::string text;
};

struct Handover {
    std::string file;             // of the program: "samples/causal-attention.bp"
    std::string state;            // as it is called: "step 14"
    const ArrayProgram* program;  // of the sizes that the state has
    State kernels;
    Result<KernelSet> cuda;  // or why there is none
};

// An identifier: "causal_attention" of "samples/causal-attention.bp".
std::string handed_name(const std::string& file);

// All files. What cannot be written for a processor, or in PyTorch, is a problem; a folder without CUDA says
// why.
Result<std::vector<HandedFile>> handover_files(const Handover& handover);

// Why the files are not written to the folder: it has one of these names that no handing over has written.
// None where it has not, or does not exist.
std::optional<Problem> not_to_overwrite(const std::filesystem::path& folder,
                                        const std::vector<HandedFile>& files);

}  // namespace blockscope::gpu
