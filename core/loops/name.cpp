#include <algorithm>

#include "core/loops/loop_program.h"

namespace blockscope {

namespace {

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_temporary(const std::string& name, int temps) {
    if (name.size() < 2 || name.size() > 10 || name[0] != 't' || name[1] == '0') return false;
    if (!std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
    return std::stol(name.substr(1)) <= temps;
}

}  // namespace

std::string name(const LoopVar& var, const LoopProgram& program) {
    const std::string plain = lower_case(program.dims.at(var.dim.value).name);
    const auto free = [&](const std::string& candidate) {
        return !is_temporary(candidate, program.temps) &&
               (candidate == plain ||
                std::none_of(program.dims.begin(), program.dims.end(),
                             [&](const Dim& dim) { return lower_case(dim.name) == candidate; }));
    };
    std::string candidate = plain;
    int number = 1;
    for (int depth = free(plain) ? 1 : 0; depth < var.depth; depth += free(candidate) ? 1 : 0)
        candidate = plain + std::to_string(++number);
    return candidate;
}

}  // namespace blockscope
