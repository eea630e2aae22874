// A file that nvcc makes a program of: the kernels and a host main().

#include "gpu/codegen/arrays.h"
#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

namespace {

// Everything of the host but what this program's arrays and launches are.
constexpr const char* kHost = R"cpp(
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
    T* allocate(long long count, unsigned int seed, bool nan) {
        T* data;
        CHECK(cudaMalloc(&data, count * sizeof(T)));
        fill<<<1024, 256>>>(data, count, seed, nan);
        CHECK(cudaGetLastError());
        return data;
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
)cpp";

std::string c_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?' ? c : '_';
    return quoted + "\"";
}

std::string array_name(std::size_t i) {
    return "array_" + std::to_string(i);
}

std::string launches(const KernelSet& set) {
    std::string text;
    for (const Launch& launch : set.launches) {
        text += "        " + launch.kernel + "<<<" + std::to_string(launch.tiles) + ", THREADS, " +
                std::to_string(launch.shared_bytes) + ">>>(";
        for (std::size_t i = 0; i < launch.arrays.size(); ++i)
            text += (i == 0 ? "" : ", ") + array_name(static_cast<std::size_t>(launch.arrays[i]));
        text += ");\n";
    }
    return text;
}

std::string shared_memory(const KernelSet& set) {
    std::string text;
    for (const Launch& launch : set.launches)
        if (launch.shared_bytes > 48 * 1024)
            text += "    CHECK(cudaFuncSetAttribute(" + launch.kernel +
                    ", cudaFuncAttributeMaxDynamicSharedMemorySize, " + std::to_string(launch.shared_bytes) +
                    "));\n";
    return text;
}

std::string arrays(const KernelSet& set) {
    std::string text;
    for (std::size_t i = 0; i < set.arrays.size(); ++i) {
        const DeviceArray& array = set.arrays[i];
        const bool input = array.kind == DeviceArray::Kind::Input;
        text += "    auto* " + array_name(i) + " = allocate<" + c_type(array.elem) + ">(" +
                std::to_string(array.elements) + "LL, " + std::to_string(i + 1) + "u, " +
                (input ? "false" : "true") + ");\n";
    }
    return text;
}

}  // namespace

std::string standalone_source(const KernelSet& set) {
    std::string text = "// Written by blockscope-cli codegen. Build: nvcc -O3 -arch=native FILE\n";
    text += source(set) + kHost;
    text += "\nint main() {\n" + arrays(set) + shared_memory(set);
    text +=
        "    cudaEvent_t start, stop;\n    CHECK(cudaEventCreate(&start));\n    "
        "CHECK(cudaEventCreate(&stop));\n";
    text += "    for (int run = 0; run < 5; ++run) {\n        CHECK(cudaEventRecord(start));\n";
    text += launches(set);
    text +=
        "        CHECK(cudaGetLastError());\n        CHECK(cudaEventRecord(stop));\n"
        "        CHECK(cudaEventSynchronize(stop));\n        float milliseconds = 0;\n"
        "        CHECK(cudaEventElapsedTime(&milliseconds, start, stop));\n"
        "        std::printf(\"run %d: %.3f ms\\n\", run + 1, milliseconds);\n    }\n";
    for (std::size_t i = 0; i < set.arrays.size(); ++i)
        if (set.arrays[i].kind == DeviceArray::Kind::Output)
            text += "    print(" + c_string(set.arrays[i].name) + ", " + array_name(i) + ", " +
                    std::to_string(set.arrays[i].elements) + "LL);\n";
    return text + "    return 0;\n}\n";
}

}  // namespace blockscope::gpu
