#include "gpu/handover/cuda_library.h"

#include "gpu/codegen/host_text.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr const char* kLibraryStart = R"cuda(
#include <cuda_runtime.h>

#include <vector>

#define CHECK(call)                                                       \
    do {                                                                  \
        const cudaError_t error = (call);                                 \
        if (error != cudaSuccess) return cudaGetErrorString(error);       \
    } while (0)
)cuda";

constexpr const char* kMapFailed = R"cuda(
static thread_local bool no_map = false;
inline void map_failed(int) { no_map = true; }
)cuda";

}  // namespace

std::string cuda_library(const KernelSet& set, const std::string& name) {
    std::string text = "// Written by blockscope-cli codegen --pytorch; built by " + name + ".py.\n" +
                       source(set) + kLibraryStart;
    if (set.warp_specialised) text += std::string(kMapFailed) + kTensorMaps;
    text += "\nextern \"C\" const char* " + name + "_cuda(void* const* arrays, void* stream) {\n";
    for (std::size_t i = 0; i < set.arrays.size(); ++i)
        text += "    [[maybe_unused]] auto* const " + array_name(i) + " = (" + c_type(set.arrays[i].elem) +
                "*)arrays[" + std::to_string(i) + "];\n";
    text += shared_memory(set);
    if (set.warp_specialised) {
        text += "    no_map = false;\n" + map_texts(set);
        text += "    if (no_map) return \"the driver cannot describe the arrays for the copy engine\";\n";
    }
    for (const Launch& launch : set.launches)
        text += launch_text(launch, "(cudaStream_t)stream").substr(4) + "    CHECK(cudaGetLastError());\n";
    return text + "    return nullptr;\n}\n";
}

}  // namespace blockscope::gpu
