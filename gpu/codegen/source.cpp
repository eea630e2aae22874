// Whole source texts.
#include <algorithm>
#include <array>
#include <cstdint>

#include "core/support/result.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/codegen/kernel_writer.h"
#include "gpu/codegen/library.h"
#include "gpu/codegen/tile_plan.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

constexpr int kMostColumns = 256;

std::string in_ptx(ElemType elem) {
    return elem == ElemType::F32 ? "tf32" : to_string(elem);
}

// Types of 16 bits may lie transposed in shared memory; the others have no such operand.
bool may_be_transposed(ElemType elem) {
    return elem == ElemType::F16 || elem == ElemType::BF16;
}

std::string list(int from, int to) {
    std::string text = "{";
    for (int i = from; i < to; ++i) text += (i == from ? "%" : ", %") + std::to_string(i);
    return text + "}";
}

// Accumulators in the instruction's order: two neighbours of the upper row, two of the lower one.
std::string accumulators(int columns) {
    std::string text;
    for (int pair = 0; pair < columns / 4; pair += 2)
        for (const char* row : {"upper", "lower"})
            for (int i = pair; i < pair + 2; ++i)
                text += std::string(text.empty() ? "" : ", ") + "\"+f\"(" + row + "[FIRST + " +
                        std::to_string(i) + "])";
    return text;
}

// `left` is "Descriptor" or "const Left<T>&".
std::string function(const WgmmaShape& shape, bool from_registers) {
    const auto& [elem, columns] = shape;
    const int first = columns / 2;  // the operand behind the accumulators
    const int lefts = from_registers ? 4 : 1;
    const int depth = 32 / bytes_per_element(elem);
    const std::string type = c_type(elem);
    std::string operands = list(0, first) + ", ";
    operands += from_registers ? list(first, first + 4) : "%" + std::to_string(first);
    operands += ", %" + std::to_string(first + lefts) + ", on, 1, 1";
    std::string transposed;
    if (may_be_transposed(elem)) {
        int next = first + lefts + 1;
        if (!from_registers) operands += ", %" + std::to_string(next++);
        operands += ", %" + std::to_string(next);
        transposed = from_registers ? ", \"n\"((int)RIGHT_TRANSPOSED)"
                                    : ", \"n\"((int)LEFT_TRANSPOSED), \"n\"((int)RIGHT_TRANSPOSED)";
    }
    const std::string left = from_registers
                                 ? "\"r\"(left.v[0]), \"r\"(left.v[1]), \"r\"(left.v[2]), \"r\"(left.v[3])"
                                 : "\"l\"(left)";
    return "template <bool LEFT_TRANSPOSED, bool RIGHT_TRANSPOSED, int FIRST, int KJ>\nDEVICE void wgmma(" +
           type + ", Size<" + std::to_string(columns) + ">, float (&upper)[KJ], float (&lower)[KJ], " +
           (from_registers ? "const Left<" + type + ">& left" : "Descriptor left") +
           ", Descriptor right) {\n    asm volatile(\"{.reg .pred on; setp.eq.u32 on, 0, 0;\\n\"\n"
           "        \"wgmma.mma_async.sync.aligned.m64n" +
           std::to_string(columns) + "k" + std::to_string(depth) + ".f32." + in_ptx(elem) + "." +
           in_ptx(elem) + " " + operands + ";}\"\n        : " + accumulators(columns) +
           "\n        : " + left + ", \"l\"(right)" + transposed + ");\n}\n";
}

}  // namespace

std::set<WgmmaShape> wgmma_shapes(ElemType elem, std::int64_t columns) {
    std::set<WgmmaShape> shapes;
    for (std::int64_t left = (columns + 7) / 8 * 8; left > 0; left -= kMostColumns)
        shapes.insert({elem, static_cast<int>(std::min<std::int64_t>(left, kMostColumns))});
    return shapes;
}

std::string wgmma_functions(const std::set<WgmmaShape>& shapes) {
    std::string text = "#ifndef BLOCKSCOPE_EMULATED\n";
    // The library calls them as templates, which have to be known by name where all kernels gave way, too.
    if (shapes.empty())
        text += "template <bool LEFT_TRANSPOSED, bool RIGHT_TRANSPOSED, int FIRST>\nDEVICE void wgmma();\n";
    for (const WgmmaShape& shape : shapes)
        for (const bool from_registers : {false, true}) text += function(shape, from_registers);
    return text + "#endif\n\n";
}

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
