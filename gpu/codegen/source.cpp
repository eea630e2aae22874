// Whole source texts.
#include <algorithm>
#include <array>

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

// The targets and what a thread block of each may have.

namespace {

struct Facts {
    Target target;
    const char* name;
    int shared_kib;  // CUDA C++ programming guide, table of compute capabilities
};

constexpr std::array<Facts, 8> kTargets{{{Target::F32, "f32", 48},
                                         {Target::Sm80, "sm_80", 163},
                                         {Target::Sm86, "sm_86", 99},
                                         {Target::Sm89, "sm_89", 99},
                                         {Target::Sm90, "sm_90", 227},
                                         {Target::Sm90a, "sm_90a", 227},
                                         {Target::Sm100, "sm_100", 227},
                                         {Target::Sm120, "sm_120", 99}}};

const Facts& facts(Target target) {
    return kTargets.at(static_cast<std::size_t>(target));
}

}  // namespace

std::string to_string(Target target) {
    return facts(target).name;
}

std::vector<Target> all_targets() {
    std::vector<Target> targets;
    for (const Facts& one : kTargets) targets.push_back(one.target);
    return targets;
}

std::optional<Target> target_named(const std::string& name) {
    for (const Facts& one : kTargets)
        if (name == one.name) return one.target;
    return std::nullopt;
}

bool has_tensor_cores(Target target) {
    return target != Target::F32;
}

bool has_warpgroups(Target target) {
    return target == Target::Sm90a;
}

bool has_eight_bits(Target target) {
    return target != Target::F32 && target != Target::Sm80 && target != Target::Sm86;
}

int shared_limit(Target target) {
    return facts(target).shared_kib * 1024;
}

}  // namespace blockscope::gpu
