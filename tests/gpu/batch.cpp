#include "tests/gpu/batch.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "tests/gpu/elements.h"

namespace blockscope::test {

namespace {

constexpr const char* kCallers = R"cpp(
#include <utility>
    template <class... A, std::size_t... I>
    void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
        kernel(static_cast<A>(arguments[I])...);
    }
    template <class... A>
    void call(void (*kernel)(A...), void** arguments) {
        call(kernel, arguments, std::index_sequence_for<A...>());
    }
)cpp";

// What the driver makes on a card.
std::string tensor_map(const std::string& name, const gpu::TensorMap& map, const gpu::KernelSet& set) {
    const auto array = static_cast<std::size_t>(map.array);
    std::string text = "        TensorMap " + name + ";\n        " + name + ".base = (const char*)arrays[" +
                       std::to_string(array) + "], " + name + ".rank = " + std::to_string(map.sizes.size()) +
                       ", " + name +
                       ".element = " + std::to_string(bytes_per_element(set.arrays.at(array).elem)) + ";\n";
    for (std::size_t axis = 0; axis < map.sizes.size(); ++axis) {
        const std::string at = "[" + std::to_string(axis) + "] = ";
        text += "        " + name + ".sizes" + at + std::to_string(map.sizes[axis]) + ", " + name +
                ".strides" + at + std::to_string(map.strides[axis]) + ", " + name + ".box" + at +
                std::to_string(map.box[axis]) + ";\n";
    }
    return text;
}

std::string launches(const gpu::KernelSet& set, const std::string& space) {
    std::string text;
    for (const gpu::Launch& launch : set.launches) {
        std::string arrays;
        for (const int array : launch.arrays) arrays += "arrays[" + std::to_string(array) + "], ";
        text += "    {\n";
        for (std::size_t i = 0; i < launch.maps.size(); ++i) {
            text += tensor_map("map_" + std::to_string(i), launch.maps[i], set);
            arrays += "&map_" + std::to_string(i) + ", ";
        }
        text += "        void* given[] = {" + arrays + "nullptr};\n";
        text += "        if (!emulator::run_launch([](void** a) { call(" + space + "::" + launch.kernel +
                ", a); }, given, " + std::to_string(launch.tiles) + ", " + std::to_string(launch.threads) +
                ", " + std::to_string(launch.shared_bytes) + ", THREADS)) return;\n    }\n";
    }
    return text;
}

std::string whole_file(const std::string& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

using Program = const char* (*)(void** arrays, const long long* bytes, int count);

}  // namespace

bool can_emulate(std::string& why) {
    if (std::system(BLOCKSCOPE_COMPILER " --version >/dev/null 2>&1") == 0) return true;
    why = "the compiler " BLOCKSCOPE_COMPILER " is not there";
    return false;
}

Batch::Batch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "blockscope-emulated-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder: " + pattern);
    folder_ = pattern;
}

Batch::~Batch() {
    if (library_) dlclose(library_);
    std::filesystem::remove_all(folder_);
}

int Batch::add(gpu::KernelSet set) {
    sets_.push_back(std::move(set));
    return size() - 1;
}

std::string Batch::text() const {
    std::string text = "#include \"" BLOCKSCOPE_SOURCE_DIR
                       "/tests/gpu/emulator/emulator.h\"\n"
                       "#include \"" BLOCKSCOPE_SOURCE_DIR "/tests/gpu/emulator/tensor_cores.h\"\n";
    if (sets_.at(0).warp_specialised)
        text += "#include \"" BLOCKSCOPE_SOURCE_DIR
                "/tests/gpu/emulator/bulk.h\"\n"
                "#include \"" BLOCKSCOPE_SOURCE_DIR "/tests/gpu/emulator/wgmma.h\"\n";
    text += gpu::prelude(sets_.at(0)) + kCallers;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
        const std::string space = "program_" + std::to_string(i);
        text += "namespace " + space + " {\n";
        for (const gpu::SourceLine& line : sets_[i].lines) text += line.text + "\n";
        text += "}\nstatic void run_" + space + "(void** arrays) {\n" + launches(sets_[i], space) + "}\n";
        text += "extern \"C\" const char* start_" + space +
                "(void** arrays, const long long* bytes, int count) {\n"
                "    emulator::begin(arrays, bytes, count);\n    run_" +
                space + "(arrays);\n    return emulator::error();\n}\n";
    }
    return text;
}

void Batch::compile(const std::string& text, const std::string& flags) {
    // A name of its own: the dynamic linker takes a file that it knows for the same library.
    const std::string library = folder_ + "/batch" + std::to_string(++compiled_) + ".so";
    std::ofstream(folder_ + "/batch.cpp") << text;
    // Compiled by a name without folders and linked on its own: so ccache finds what it has compiled before.
    const std::string command = "cd " + folder_ +
                                " && { " BLOCKSCOPE_COMPILER_LAUNCHER " " BLOCKSCOPE_COMPILER
                                " -std=c++20 -w -fPIC " +
                                flags + " -c -o batch.o batch.cpp && " BLOCKSCOPE_COMPILER " -shared -o " +
                                library + " batch.o " BLOCKSCOPE_EMULATOR "; } 2> log";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("generated code does not compile:\n" +
                                 whole_file(folder_ + "/log").substr(0, 4000));
    if (library_) dlclose(library_);
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw std::runtime_error(dlerror());
}

Batch::Outcome Batch::run(int program, const Tensors<double>& inputs) const {
    const gpu::KernelSet& which = set(program);
    std::vector<std::vector<unsigned char>> memory;
    std::vector<void*> pointers;
    std::vector<long long> sizes;
    for (const gpu::DeviceArray& array : which.arrays) {
        const auto given = inputs.find(array.name);
        const bool input = array.kind == gpu::DeviceArray::Kind::Input && given != inputs.end();
        memory.push_back(input ? encode(array.elem, given->second.data)
                               : nan_bytes(array.elem, array.elements));
        if (array.zeroed) memory.back().assign(memory.back().size(), 0);
    }
    for (std::vector<unsigned char>& bytes : memory) {
        pointers.push_back(bytes.data());
        sizes.push_back(static_cast<long long>(bytes.size()));
    }
    const auto function =
        reinterpret_cast<Program>(dlsym(library_, ("start_program_" + std::to_string(program)).c_str()));
    if (!function) throw std::runtime_error("the batch does not hold its programs");
    Outcome outcome{function(pointers.data(), sizes.data(), static_cast<int>(sizes.size())), {}};
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const gpu::DeviceArray& array = which.arrays[i];
        const bool zeros =
            std::all_of(memory[i].begin(), memory[i].end(), [](unsigned char byte) { return byte == 0; });
        if (array.zeroed && !zeros && outcome.error.empty())
            outcome.error = array.name + " is not zero for the next run";
        if (array.kind == gpu::DeviceArray::Kind::Output)
            outcome.outputs[array.name] = {array.shape, decode(array.elem, memory[i])};
    }
    return outcome;
}

Tensors<double> rounded(Tensors<double> inputs, const BlockProgram& program) {
    for (const NodePtr& input : program.graph->inputs()) {
        const auto found = inputs.find(input->as<Input>()->name);
        if (found == inputs.end()) continue;
        for (double& value : found->second.data) value = round_to(input->outputs[0].elem(), value);
    }
    return inputs;
}

double difference(const Tensors<double>& expected, const Tensors<double>& found) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double worst = 0;
    for (const auto& [name, reference] : expected) {
        const auto other = found.find(name);
        if (other == found.end() || other->second.shape != reference.shape) return kInfinite;
        double largest = 0;
        double error = 0;
        for (std::size_t i = 0; i < reference.data.size(); ++i) {
            if (!std::isfinite(other->second.data[i])) return kInfinite;
            largest = std::max(largest, std::abs(reference.data[i]));
            error = std::max(error, std::abs(reference.data[i] - other->second.data[i]));
        }
        if (error > 0) worst = std::max(worst, largest == 0 ? kInfinite : error / largest);
    }
    return worst;
}

}  // namespace blockscope::test
