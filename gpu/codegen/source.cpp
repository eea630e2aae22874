// Whole source texts.
#include <algorithm>

#include "gpu/codegen/check.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/library.h"

namespace blockscope::gpu {

namespace {

// The library's parts stand behind each other in one text.
std::string without_pragma_once(std::string text) {
    const std::string pragma = "#pragma once\n";
    const auto at = text.find(pragma);
    if (at != std::string::npos) text.erase(at, pragma.size());
    return text;
}

}  // namespace

std::string prelude(const KernelSet& set) {
    std::string text = "constexpr int THREADS = " + std::to_string(set.threads) + ";\n";
    text += "constexpr int PANEL_FLOATS = " + std::to_string(kPlainSharedBytes / 4) + ";\n\n";
    return text + without_pragma_once(kBaseLibrary) + "\n" + without_pragma_once(kPlainLibrary) + "\n";
}

std::string source(const KernelSet& set) {
    std::string text = prelude(set);
    for (const SourceLine& line : set.lines) text += line.text + "\n";
    return text;
}

int first_line(const KernelSet& set) {
    const std::string text = prelude(set);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
}

}  // namespace blockscope::gpu
