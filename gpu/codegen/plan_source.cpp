#include "gpu/codegen/kernel_set.h"

#include <algorithm>
#include <map>
#include <set>

#include "gpu/codegen/host_text.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr const char* kAllocate = R"cuda(
void* allocate(long long bytes) {
    void* data;
    CHECK(cudaMalloc(&data, bytes > 0 ? bytes : 1));
    CHECK(cudaMemset(data, 0, bytes > 0 ? bytes : 1));
    return data;
}
)cuda";

std::string space(std::size_t kernel) {
    return "plan_" + std::to_string(kernel + 1);
}

std::string type_in(std::size_t kernel, ElemType elem) {
    return elem == ElemType::F32 ? "float" : space(kernel) + "::" + c_type(elem);
}

// Names of the file's own: what stands in a comment or in quotes is kept plain.
std::string plain(const std::string& text) {
    std::string kept;
    for (const char c : text) kept += c >= ' ' && c < 127 && c != '"' && c != '\\' && c != '?' ? c : '_';
    return kept;
}

template <class T>
std::string listed(const std::vector<T>& numbers) {
    std::string text;
    for (const T number : numbers) text += (text.empty() ? "{" : ", ") + std::to_string(number);
    return text + "}";
}

class PlanSource {
public:
    explicit PlanSource(const std::vector<KernelSet>& kernels) : kernels_(kernels) {}

    std::string run() {
        const bool maps = std::any_of(kernels_.begin(), kernels_.end(),
                                      [](const KernelSet& set) { return set.warp_specialised; });
        std::string text =
            "// The kernels of a plan, written by blockscope-cli plan. Build: nvcc -std=c++17 -O3 " +
            std::string(maps ? "-gencode arch=compute_90a,code=sm_90a" : "-arch=native") + " FILE\n" +
            kHostStart + kAllocate;
        if (maps) text += kTensorMaps;
        for (std::size_t i = 0; i < kernels_.size(); ++i)
            text += "\nnamespace " + space(i) + " {\n" + with_names_of_their_own(source(kernels_[i])) +
                    kFillAndPrint + "}  // namespace " + space(i) + "\n";
        return text + host();
    }

private:
    // Functions of C have one name in all namespaces.
    static std::string with_names_of_their_own(std::string text) {
        const std::string global = "extern \"C\" __global__";
        for (std::size_t at = text.find(global); at != std::string::npos; at = text.find(global, at))
            text.replace(at, global.size(), "__global__");
        return text;
    }

    static bool is_shared(const DeviceArray& array) {
        return array.kind == DeviceArray::Kind::Input || array.kind == DeviceArray::Kind::Output;
    }

    std::string variable(std::size_t kernel, std::size_t array) {
        const DeviceArray& one = kernels_[kernel].arrays.at(array);
        if (!is_shared(one)) return space(kernel) + "_array_" + std::to_string(array);
        const auto [found, is_new] = number_of_.emplace(one.name, number_of_.size());
        return "array_" + std::to_string(found->second);
    }

    std::string host() {
        std::string made, launches, attributes, printed;
        std::set<std::string> there, written, read;
        for (const KernelSet& set : kernels_)
            for (const DeviceArray& array : set.arrays)
                if (array.kind == DeviceArray::Kind::Input) read.insert(array.name);
        for (std::size_t i = 0; i < kernels_.size(); ++i) {
            const KernelSet& set = kernels_[i];
            for (std::size_t j = 0; j < set.arrays.size(); ++j) {
                const DeviceArray& array = set.arrays[j];
                const std::string name = variable(i, j);
                if (there.insert(name).second) made += array_text(i, array, name);
                if (array.kind == DeviceArray::Kind::Output && !read.contains(array.name))
                    printed += "    " + space(i) + "::print(\"" + plain(array.name) + "\", (" +
                               type_in(i, array.elem) + "*)" + name + ", " + std::to_string(array.elements) +
                               "LL);\n";
            }
            for (const Launch& launch : set.launches) {
                made += map_texts(i, launch);
                launches += launch_text(i, launch);
                if (launch.shared_bytes > 48 * 1024)
                    attributes += "    CHECK(cudaFuncSetAttribute(" + space(i) + "::" + launch.kernel +
                                  ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                                  std::to_string(launch.shared_bytes) + "));\n";
            }
        }
        return "\nint main() {\n" + made + attributes +
               "    cudaEvent_t start, stop;\n    CHECK(cudaEventCreate(&start));\n"
               "    CHECK(cudaEventCreate(&stop));\n"
               "    for (int run = 0; run < 5; ++run) {\n        CHECK(cudaEventRecord(start));\n" +
               launches +
               "        CHECK(cudaGetLastError());\n        CHECK(cudaEventRecord(stop));\n"
               "        CHECK(cudaEventSynchronize(stop));\n        float milliseconds = 0;\n"
               "        CHECK(cudaEventElapsedTime(&milliseconds, start, stop));\n"
               "        std::printf(\"run %d: %.3f ms\\n\", run + 1, milliseconds);\n    }\n" +
               printed + "    return 0;\n}\n";
    }

    std::string array_text(std::size_t kernel, const DeviceArray& array, const std::string& name) {
        std::string text = "    void* " + name + " = allocate(" + std::to_string(array.elements) +
                           "LL * sizeof(" + type_in(kernel, array.elem) + "));  // " + plain(array.name) +
                           "\n";
        if (array.kind == DeviceArray::Kind::Input && array.elements > 0)
            text += "    " + space(kernel) + "::fill<<<1024, 256>>>((" + type_in(kernel, array.elem) + "*)" +
                    name + ", " + std::to_string(array.elements) + "LL, " +
                    std::to_string(number_of_.at(array.name) + 1) + "u, false);\n";
        return text;
    }

    std::string map_name(std::size_t kernel, const Launch& launch, std::size_t map) const {
        return space(kernel) + "_" + launch.kernel + "_map_" + std::to_string(map + 1);
    }

    std::string map_texts(std::size_t kernel, const Launch& launch) {
        std::string text;
        for (std::size_t i = 0; i < launch.maps.size(); ++i) {
            const TensorMap& map = launch.maps[i];
            const auto array = static_cast<std::size_t>(map.array);
            text += "    const auto " + map_name(kernel, launch, i) + " = tensor_map<" + space(kernel) +
                    "::TensorMap>(" + variable(kernel, array) + ", " +
                    std::to_string(tensor_map_type(kernels_[kernel].arrays.at(array).elem)) + ", " +
                    listed(map.sizes) + ", " + listed(map.strides) + ", " + listed(map.box) + ");\n";
        }
        return text;
    }

    std::string launch_text(std::size_t kernel, const Launch& launch) {
        std::string arguments;
        for (const int array : launch.arrays) {
            const auto at = static_cast<std::size_t>(array);
            arguments += (arguments.empty() ? "(" : ", (") +
                         type_in(kernel, kernels_[kernel].arrays.at(at).elem) + "*)" + variable(kernel, at);
        }
        for (std::size_t i = 0; i < launch.maps.size(); ++i)
            arguments += (arguments.empty() ? "" : ", ") + map_name(kernel, launch, i);
        return "        " + space(kernel) + "::" + launch.kernel + "<<<" + std::to_string(launch.tiles) +
               ", " + std::to_string(launch.threads) + ", " + std::to_string(launch.shared_bytes) + ">>>(" +
               arguments + ");\n";
    }

    const std::vector<KernelSet>& kernels_;
    std::map<std::string, std::size_t> number_of_;  // of arrays that kernels share
};

}  // namespace

std::string plan_source(const std::vector<KernelSet>& kernels) {
    return PlanSource(kernels).run();
}

}  // namespace blockscope::gpu
