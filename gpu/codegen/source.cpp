// Whole source texts.
#include <algorithm>

#include "gpu/codegen/check.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/library.h"
#include "gpu/codegen/tile_plan.h"

namespace blockscope::gpu {

std::string without_pragma_once(std::string text) {
    const std::string pragma = "#pragma once\n";
    const auto at = text.find(pragma);
    if (at != std::string::npos) text.erase(at, pragma.size());
    return text;
}

std::string prelude(const KernelSet& set) {
    std::string text = "constexpr int THREADS = " + std::to_string(set.threads) + ";\n";
    text += "constexpr int PANEL_FLOATS = " + std::to_string(set.panel_bytes / 4) + ";\n";
    text += std::string("constexpr bool FAST_MATH = ") + (set.fast_math ? "true" : "false") + ";\n";
    text +=
        std::string("constexpr bool WARP_SPECIALISED = ") + (set.warp_specialised ? "true" : "false") + ";\n";
    if (set.tensor_cores)
        text += "constexpr int ROW_LINES = " + std::to_string(row_lines(set.warp_specialised)) + ";\n";
    text += "\n";
    std::vector<const char*> parts = {kBaseLibrary, kPlainLibrary, kOperatorLibrary, kPanelLibrary};
    if (set.tensor_cores)
        parts = {kBaseLibrary, kTensorLibrary, kOperatorLibrary, kPanelLibrary, kTileLibrary, kMmaLibrary};
    for (const char* part : parts) text += without_pragma_once(part) + "\n";
    if (!set.warp_specialised) return text;
    text += without_pragma_once(kBulkLibrary) + "\n" + wgmma_functions(set.wgmma);
    return text + without_pragma_once(kWgmmaLibrary) + "\n";
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
