// What the host programs of generated kernels have in common: of one program (standalone.cpp) and of a plan
// (plan_source.cpp). CUDA C++ as text.
#pragma once

#include <string>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

// Host code of one set (standalone.cpp), whose arrays are called array_0, array_1, ...: descriptions of
// arrays for the copy engine, what kernels with much shared memory ask for, and a launch, on a stream unless
// that is empty.
std::string map_texts(const KernelSet& set);
std::string shared_memory(const KernelSet& set);
std::string launch_text(const Launch& launch, const std::string& stream = {});
std::string array_name(std::size_t i);
// What rounding to the coarsest type of the arrays may cost, relative to the largest number of an array:
// "0.02".
const char* tolerance(const KernelSet& set);

// Headers, and CHECK, which ends the program with the error of a call of the CUDA runtime.
constexpr const char* kHostStart = R"cuda(
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                             \
    do {                                                                        \
        const cudaError_t error = (call);                                       \
        if (error != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            std::exit(1);                                                       \
        }                                                                       \
    } while (0)

inline void map_failed(int code) {
    std::fprintf(stderr, "cuTensorMapEncodeTiled: error %d\n", code);
    std::exit(1);
}
)cuda";

// tensor_map, which asks the driver for the description of an array for the copy engine. The four numbers at
// its end are those of card_program.cpp.
constexpr const char* kTensorMaps = R"cuda(
#include <dlfcn.h>

template <class Map>
Map tensor_map(void* array, int type, std::vector<unsigned long long> sizes,
               std::vector<unsigned long long> strides, std::vector<unsigned int> box) {
    using Encode = int (*)(Map*, int, unsigned int, void*, const unsigned long long*,
                           const unsigned long long*, const unsigned int*, const unsigned int*, int,
                           int, int, int);
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    const Encode encode = driver ? (Encode)dlsym(driver, "cuTensorMapEncodeTiled") : nullptr;
    const std::vector<unsigned int> every(sizes.size(), 1);
    Map map;
    // No interleaving, lines of 128 bytes swizzled, 128 bytes at once to the L2 cache, zeros outside.
    const int code = !encode ? -1
                             : encode(&map, type, (unsigned int)sizes.size(), array, sizes.data(),
                                      strides.data() + 1, box.data(), every.data(), 0, 3, 2, 0);
    if (code != 0) map_failed(code);
    return map;
}
)cuda";

// fill, summarise and print for arrays of the types that generated kernels have: it stands in their
// namespace.
constexpr const char* kFillAndPrint = R"cuda(
// Numbers in [-1, 1), the same on every machine. Outputs are NaN until a kernel has stored them.
template <class T>
__global__ void fill(T* data, long long count, unsigned int seed, bool nan) {
    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < count; i += gridDim.x * 256LL) {
        unsigned int x = (unsigned int)i * 2654435761u ^ seed * 0x9e3779b9u;
        x ^= x >> 16, x *= 0x85ebca6bu, x ^= x >> 13, x *= 0xc2b2ae35u, x ^= x >> 16;
        data[i] = FromFloat<T>::of(nan ? bits_to_float(0x7fc00000u) : (float)(int)x * (1.0f / 2147483648.0f));
    }
}

// Sum and largest magnitude, by one thread block: enough to tell two runs apart.
template <class T>
__global__ void summarise(const T* data, long long count, double* result) {
    __shared__ double sums[256], most[256];
    double sum = 0, largest = 0;
    for (long long i = threadIdx.x; i < count; i += 256) {
        const double x = to_float(data[i]);
        sum += x;
        if (!(fabs(x) <= largest)) largest = fabs(x);
    }
    sums[threadIdx.x] = sum, most[threadIdx.x] = largest;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int i = 1; i < 256; ++i) {
        sum += sums[i];
        if (!(most[i] <= largest)) largest = most[i];
    }
    result[0] = sum, result[1] = largest;
}

template <class T>
void print(const char* name, const T* data, long long count) {
    double *device, host[2];
    CHECK(cudaMalloc(&device, sizeof host));
    summarise<<<1, 256>>>(data, count, device);
    CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    std::printf("%s: %lld numbers, sum %.6g, largest magnitude %.6g\n", name, count, host[0], host[1]);
    CHECK(cudaFree(device));
}
)cuda";

}  // namespace blockscope::gpu
