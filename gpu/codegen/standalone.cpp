// The host program around the kernels: a reference in double precision, random inputs, comparison and times.
#include <algorithm>

#include "core/scalar/primitives.h"
#include "gpu/codegen/host_text.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/library.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

// The kernels on the host, in double precision.

namespace {

// What base.cuh takes from a device, for one thread of the host.
constexpr const char* kReferenceHost = R"cpp(
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

    namespace reference {
#undef KERNEL
#undef DEVICE
#undef UNROLL
#undef INFINITY_F
#undef BLOCKSCOPE_NUMBER
#define BLOCKSCOPE_EMULATED
#define BLOCKSCOPE_NUMBER double
#define KERNEL static void
#define DEVICE inline
#define UNROLL
#define INFINITY_F ((float)INFINITY)

    static long long tile = 0;
    inline int thread_index() {
        return 0;
    }
    inline long long tile_index() {
        return tile;
    }
    inline void sync() {}
    inline float bits_to_float(unsigned int bits) {
        float x;
        std::memcpy(&x, &bits, 4);
        return x;
    }
    inline unsigned int float_to_bits(float x) {
        unsigned int bits;
        std::memcpy(&bits, &x, 4);
        return bits;
    }
    template <class T>
    inline T global_read(const T* from) {
        return *from;
    }
    template <class T>
    inline void global_write(T* to, T x) {
        *to = x;
    }
    inline void global_add(float* to, float x) {
        *to += x;
    }
    inline float exp2_fast(float x) {
        return std::exp2(x);
    }
    inline float reciprocal_fast(float x) {
        return 1 / x;
    }
    inline float sqrt_fast(float x) {
        return std::sqrt(x);
    }
    inline float half_to_float(unsigned short bits) {
        const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
        float x = exponent == 0 ? std::ldexp((float)mantissa, -24)
                                : std::ldexp((float)(mantissa + 1024), exponent - 25);
        if (exponent == 31) x = mantissa == 0 ? INFINITY : NAN;
        return bits >> 15 ? -x : x;
    }
    // Rounded to nearest even: the host's rounding of a whole number of the type's steps.
    inline unsigned short float_to_half(float x) {
        const unsigned int sign = float_to_bits(x) >> 16 & 0x8000u;
        const float magnitude = std::fabs(x);
        if (magnitude == 0) return (unsigned short)sign;
        if (!(magnitude < 65520.0f)) return (unsigned short)(sign | (magnitude == magnitude ? 0x7c00u : 0x7e00u));
        int exponent = 0;
        std::frexp(magnitude, &exponent);
        if (exponent < -13) exponent = -13;
        const int steps = (int)std::nearbyint(std::ldexp(magnitude, 11 - exponent));
        return (unsigned short)(sign | (unsigned int)(((exponent + 13) << 10) + steps));
    }

    // Scalar functions of doubles, by the names that the kernels call them.
    inline double square(double x) {
        return x * x;
    }
    inline double exponential(double x) {
        return std::exp(x);
    }
    inline double rescaling(double x, double most) {
        return x == most ? 1 : std::exp(x - most);
    }
    template <class A, class B>
    inline double quotient(A x, B y) {
        return (double)x / (double)y;
    }
    inline double square_root(double x) {
        return std::sqrt(x);
    }
    inline double rsqrtf(double x) {
        return 1 / std::sqrt(x);
    }
)cpp";

constexpr const char* kHostExp = "    inline double expf(double x) {\n        return std::exp(x);\n    }\n";

// A function of CUDA in double precision for each primitive with this many arguments that calls one:
// "logf($a)" is computed by std::log.
std::string scalar_functions(int arguments) {
    std::string text;
    for (const Primitive& function : kPrimitives) {
        if (function.arity != arguments || function.host.empty()) continue;
        const std::string name(function.cuda.substr(0, function.cuda.find('(')));
        const std::string host(function.host);
        text += "    inline double " + name + (arguments == 1 ? "(double x)" : "(double x, double y)");
        text += " {\n        return " + host + (arguments == 1 ? "(x)" : "(x, y)") + ";\n    }\n";
    }
    return text;
}

// Arguments are cast to what the kernel takes them for.
constexpr const char* kCall = R"cpp(
    template <class... A, std::size_t... I>
    void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
        kernel(static_cast<A>(arguments[I])...);
    }
    template <class... A>
    void call(void (*kernel)(A...), void** arguments) {
        call(kernel, arguments, std::index_sequence_for<A...>());
    }
)cpp";

}  // namespace

std::string reference(const KernelSet& set) {
    std::string text = kReferenceHost + scalar_functions(1) + kHostExp + scalar_functions(2);
    text += without_pragma_once(kBaseLibrary) + "\n" + without_pragma_once(kReference) + kCall;
    for (const SourceLine& line : set.reference_lines) text += line.text + "\n";
    for (const Launch& launch : set.reference_launches) {
        text +=
            "inline void run_" + launch.kernel + "(long long which, void** arrays) {\n    tile = which;\n";
        text += "    void* given[] = {";
        for (const int array : launch.arrays) text += "arrays[" + std::to_string(array) + "], ";
        text += "nullptr};\n    call(" + launch.kernel + ", given);\n}\n";
    }
    return text + "}  // namespace reference\n";
}

// A file that nvcc makes a program of: the kernels and a host main().

namespace {

// What the host has beside kHostStart and kFillAndPrint, but for this program's arrays and launches.
constexpr const char* kHost = R"cpp(
    template <class T>
    T* allocate(long long count, unsigned int seed, bool nan) {
        T* data;
        CHECK(cudaMalloc(&data, count * sizeof(T)));
        fill<<<1024, 256>>>(data, count, seed, nan);
        CHECK(cudaGetLastError());
        return data;
    }

    // An array of the device and what the host computes for it.
    struct Checked {
        void* device;
        long long count;
        std::size_t bytes;  // of an element
        float (*number)(const void*, long long);
        std::vector<unsigned char> host;  // what it holds before a launch, then what the host makes of it
    };
    template <class T>
    float number(const void* data, long long i) {
        return reference::to_float(((const T*)data)[i]);
    }
    template <class T>
    Checked checked(void* device, long long count) {
        return Checked{device, count, sizeof(T), number<T>, {}};
    }

    void download(std::vector<Checked>& arrays) {
        for (Checked& array : arrays) {
            array.host.resize(array.count * array.bytes);
            CHECK(cudaMemcpy(array.host.data(), array.device, array.host.size(), cudaMemcpyDeviceToHost));
        }
    }

    // The host computes up to three thread blocks of a launch from what the arrays held before it, each with
    // those that add to the same place: `parts` of them, `tiles` apart. What it changes has to be what the
    // device has now, but for `tolerance` of the largest number of the array.
    bool same(const char* kernel, void (*run)(long long, void**), long long tiles, int parts,
              std::vector<Checked>& arrays, double tolerance) {
        std::vector<std::vector<unsigned char>> before;
        std::vector<void*> host;
        for (Checked& array : arrays) {
            before.push_back(array.host);
            host.push_back(array.host.data());
        }
        for (int part = 0; part < parts; ++part) {
            run(part * tiles, host.data());
            if (tiles > 2) run(part * tiles + tiles / 2, host.data());
            if (tiles > 1) run(part * tiles + tiles - 1, host.data());
        }
        bool fine = true;
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            Checked& array = arrays[i];
            if (array.host == before[i]) continue;
            std::vector<unsigned char> now(array.host.size());
            CHECK(cudaMemcpy(now.data(), array.device, now.size(), cudaMemcpyDeviceToHost));
            double largest = 0, error = 0;
            long long compared = 0;
            for (long long at = 0; at < array.count; ++at) {
                const std::size_t place = at * array.bytes;
                if (std::memcmp(&array.host[place], &before[i][place], array.bytes) == 0) continue;
                const double expected = array.number(array.host.data(), at);
                const double difference = std::fabs(array.number(now.data(), at) - expected);
                ++compared;
                if (!(std::fabs(expected) <= largest)) largest = std::fabs(expected);
                if (!(difference <= error) && error == error) error = difference;  // not a number stays
            }
            const bool good = error <= tolerance * largest;
            std::printf("%s, array %zu: %lld numbers compared, largest difference %.3g of %.3g: %s\n", kernel,
                        i + 1, compared, error, largest, good ? "fine" : "WRONG");
            fine = fine && good;
        }
        return fine;
    }
)cpp";

std::string c_string(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?' ? c : '_';
    return quoted + "\"";
}

}  // namespace

std::string array_name(std::size_t i) {
    return "array_" + std::to_string(i);
}

namespace {

std::string map_name(const Launch& launch, std::size_t i) {
    return launch.kernel + "_map_" + std::to_string(i + 1);
}

template <class T>
std::string in_braces(const std::vector<T>& numbers) {
    std::string text;
    for (const T number : numbers) text += (text.empty() ? "{" : ", ") + std::to_string(number);
    return text + "}";
}

std::string host_type(ElemType elem) {
    return elem == ElemType::F32 ? "float" : "reference::" + c_type(elem);
}

std::string checks(const KernelSet& set) {
    std::string text = "    std::vector<Checked> all = {";
    for (std::size_t i = 0; i < set.arrays.size(); ++i)
        text += std::string(i == 0 ? "" : ",\n                                ") + "checked<" +
                host_type(set.arrays[i].elem) + ">(" + array_name(i) + ", " +
                std::to_string(set.arrays[i].elements) + "LL)";
    text += "};\n    bool fine = true;\n";
    for (const Launch& launch : set.launches) {
        const int together = launch.adds ? launch.parts : 1;
        text += "    download(all);\n" + launch_text(launch).substr(4) +
                "    CHECK(cudaGetLastError());\n    CHECK(cudaDeviceSynchronize());\n"
                "    fine = same(\"" +
                launch.kernel + "\", reference::run_" + launch.kernel + ", " +
                std::to_string(launch.tiles / together) + "LL, " + std::to_string(together) + ", all, " +
                tolerance(set) + ") && fine;\n";
    }
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
        if (array.zeroed)
            text += "    CHECK(cudaMemset(" + array_name(i) + ", 0, " + std::to_string(array.elements) +
                    "LL * sizeof(float)));\n";
    }
    return text;
}

}  // namespace

const char* tolerance(const KernelSet& set) {
    int bytes = 4;
    for (const DeviceArray& array : set.arrays) bytes = std::min(bytes, bytes_per_element(array.elem));
    if (bytes == 1) return "0.25";
    if (bytes == 2) return "0.02";
    return set.tensor_cores ? "0.005" : "0.0001";
}

std::string map_texts(const KernelSet& set) {
    std::string text;
    for (const Launch& launch : set.launches)
        for (std::size_t i = 0; i < launch.maps.size(); ++i) {
            const TensorMap& map = launch.maps[i];
            const auto array = static_cast<std::size_t>(map.array);
            text += "    const TensorMap " + map_name(launch, i) + " = tensor_map<TensorMap>(" +
                    array_name(array) + ", " + std::to_string(tensor_map_type(set.arrays.at(array).elem)) +
                    ", " + in_braces(map.sizes) + ", " + in_braces(map.strides) + ", " + in_braces(map.box) +
                    ");\n";
        }
    return text;
}

std::string launch_text(const Launch& launch, const std::string& stream) {
    std::string arguments;
    for (const int array : launch.arrays)
        arguments += (arguments.empty() ? "" : ", ") + array_name(static_cast<std::size_t>(array));
    for (std::size_t i = 0; i < launch.maps.size(); ++i)
        arguments += (arguments.empty() ? "" : ", ") + map_name(launch, i);
    return "        " + launch.kernel + "<<<" + std::to_string(launch.tiles) + ", " +
           std::to_string(launch.threads) + ", " + std::to_string(launch.shared_bytes) +
           (stream.empty() ? "" : ", " + stream) + ">>>(" + arguments + ");\n";
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

std::string standalone_source(const KernelSet& set) {
    std::string text =
        "// Written by blockscope-cli codegen. Build: nvcc -std=c++17 -O3 " +
        std::string(set.warp_specialised ? "-gencode arch=compute_90a,code=sm_90a" : "-arch=native") +
        " FILE\n";
    text += source(set) + reference(set) + kHostStart + kFillAndPrint + kHost;
    if (set.warp_specialised) text += kTensorMaps;
    text += "\nint main() {\n" + arrays(set) + map_texts(set) + shared_memory(set) + checks(set);
    text +=
        "    cudaEvent_t start, stop;\n    CHECK(cudaEventCreate(&start));\n    "
        "CHECK(cudaEventCreate(&stop));\n";
    text += "    for (int run = 0; run < 5; ++run) {\n        CHECK(cudaEventRecord(start));\n";
    for (const Launch& launch : set.launches) text += launch_text(launch);
    text +=
        "        CHECK(cudaGetLastError());\n        CHECK(cudaEventRecord(stop));\n"
        "        CHECK(cudaEventSynchronize(stop));\n        float milliseconds = 0;\n"
        "        CHECK(cudaEventElapsedTime(&milliseconds, start, stop));\n"
        "        std::printf(\"run %d: %.3f ms\\n\", run + 1, milliseconds);\n    }\n";
    for (std::size_t i = 0; i < set.arrays.size(); ++i)
        if (set.arrays[i].kind == DeviceArray::Kind::Output)
            text += "    print(" + c_string(set.arrays[i].name) + ", " + array_name(i) + ", " +
                    std::to_string(set.arrays[i].elements) + "LL);\n";
    return text + "    return fine ? 0 : 1;\n}\n";
}

}  // namespace blockscope::gpu
