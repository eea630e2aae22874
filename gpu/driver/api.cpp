#include "gpu/driver/api.h"

#include <dlfcn.h>

#include <utility>

namespace blockscope::gpu {

namespace {

template <class F>
const char* resolve(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function ? nullptr : name;
}

constexpr std::pair<int, const char*> kErrors[] = {
    {1, "INVALID_VALUE"},
    {2, "OUT_OF_MEMORY"},
    {3, "NOT_INITIALIZED"},
    {4, "DEINITIALIZED"},
    {34, "STUB_LIBRARY"},
    {46, "DEVICE_UNAVAILABLE"},
    {100, "NO_DEVICE"},
    {101, "INVALID_DEVICE"},
    {200, "INVALID_IMAGE"},
    {201, "INVALID_CONTEXT"},
    {209, "NO_BINARY_FOR_GPU"},
    {214, "ECC_UNCORRECTABLE"},
    {218, "INVALID_PTX"},
    {222, "UNSUPPORTED_PTX_VERSION"},
    {300, "INVALID_SOURCE"},
    {400, "INVALID_HANDLE"},
    {500, "NOT_FOUND"},
    {700, "ILLEGAL_ADDRESS"},
    {701, "LAUNCH_OUT_OF_RESOURCES"},
    {702, "LAUNCH_TIMEOUT"},
    {710, "ASSERT"},
    {714, "HARDWARE_STACK_ERROR"},
    {715, "ILLEGAL_INSTRUCTION"},
    {716, "MISALIGNED_ADDRESS"},
    {717, "INVALID_ADDRESS_SPACE"},
    {718, "INVALID_PC"},
    {719, "LAUNCH_FAILED"},
    {803, "SYSTEM_DRIVER_MISMATCH"},
    {999, "UNKNOWN"},
};

}  // namespace

// CUDA 13 renames some functions in its headers; the exported names stay.
std::string DriverApi::load(void* library) {
    resolve(library, "cuTensorMapEncodeTiled", encode_tensor_map);
    for (const char* missing : {
             resolve(library, "cuInit", init),
             resolve(library, "cuDriverGetVersion", version),
             resolve(library, "cuDeviceGetCount", device_count),
             resolve(library, "cuDeviceGet", device),
             resolve(library, "cuDeviceGetName", device_name),
             resolve(library, "cuDeviceGetAttribute", device_attribute),
             resolve(library, "cuDeviceTotalMem_v2", device_memory),
             resolve(library, "cuDevicePrimaryCtxRetain", retain_context),
             resolve(library, "cuCtxSetCurrent", use_context),
             resolve(library, "cuModuleLoadDataEx", load_module),
             resolve(library, "cuModuleUnload", unload_module),
             resolve(library, "cuModuleGetFunction", function),
             resolve(library, "cuFuncSetAttribute", set_function_attribute),
             resolve(library, "cuFuncGetAttribute", function_attribute),
             resolve(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", occupancy),
             resolve(library, "cuMemAlloc_v2", allocate),
             resolve(library, "cuMemFree_v2", release),
             resolve(library, "cuMemcpyHtoD_v2", to_device),
             resolve(library, "cuMemcpyDtoH_v2", to_host),
             resolve(library, "cuMemsetD8Async", fill_bytes),
             resolve(library, "cuStreamCreate", create_stream),
             resolve(library, "cuStreamSynchronize", wait_for_stream),
             resolve(library, "cuEventCreate", create_event),
             resolve(library, "cuEventRecord", record_event),
             resolve(library, "cuEventSynchronize", wait_for_event),
             resolve(library, "cuEventElapsedTime", elapsed),
             resolve(library, "cuLaunchKernel", launch),
         })
        if (missing) return missing;
    return "";
}

std::string error_name(int code) {
    for (const auto& [known, name] : kErrors)
        if (known == code) return std::string("CUDA_ERROR_") + name + " (" + std::to_string(code) + ")";
    return "CUDA error " + std::to_string(code);
}

}  // namespace blockscope::gpu
