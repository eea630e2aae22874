#include "tests/gpu/cases.h"

#include <cmath>

#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {

ProgramPtr sample_of(ElemType elem, const std::string& name) {
    std::string text = sample_text(name);
    for (const std::string type : {": bf16", ": f16"}) {
        const std::string other = ": " + to_string(elem);
        for (auto at = text.find(type); at != std::string::npos; at = text.find(type, at + other.size()))
            text.replace(at, type.size(), other);
    }
    Result<ArrayProgram> program = parse_program(text, name);
    return std::make_shared<const BlockProgram>(to_block_program(*program).program);
}

bool everything() {
    return std::getenv("BLOCKSCOPE_GPU_ALL") != nullptr;
}

std::vector<std::string> chosen_samples() {
    std::vector<std::string> names;
    for (const std::string& name : sample_names()) {
        const bool alike = name.rfind("mcfuser", 0) == 0 && name != "mcfuser-g1" && name != "mcfuser-s1";
        if (!alike || everything()) names.push_back(name);
    }
    return names;
}

std::vector<int> chosen_steps(const Trace& trace) {
    std::vector<int> steps = trace.snapshots;
    steps.push_back(0);
    if (!everything()) return steps;
    steps.clear();
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) steps.push_back(step);
    return steps;
}

bool finite(const Tensors<double>& tensors) {
    for (const auto& [name, tensor] : tensors)
        for (const double value : tensor.data)
            if (!(std::abs(value) < 1e6)) return false;
    return true;
}

}  // namespace blockscope::test
