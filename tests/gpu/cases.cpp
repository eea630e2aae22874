#include "tests/gpu/cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>

#include "core/loops/loop_program.h"
#include "core/measure/reference.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
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

void add_in_eight_bits(Batched& batch, const std::string& text) {
    const auto initial =
        std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
    const double tolerance = text.find("e5m2") != std::string::npos ? 0.14 : 0.07;
    batch.add(make_case(text, make_safe(*fuse(initial).last()).program, initial->dims, tolerance));
}

Case make_case(std::string name, const BlockProgram& state, const DimTable& dims, double tolerance) {
    BlockProgram program = state;
    program.dims = dims;
    const Tensors<double> inputs = rounded(random_doubles(program, 3), program);
    if (measure::coarsest_cast(program))
        tolerance = std::max(tolerance, measure::tolerance(ElemType::F32, program));
    return {std::move(name), program, inputs, evaluate(program, inputs), tolerance};
}

bool survives_casts(const Case& one) {
    constexpr double kLargestE4M3 = 448;
    const std::optional<ElemType> cast = measure::coarsest_cast(one.program);
    if (!cast || bytes_per_element(*cast) > 1) return true;
    const bool fits = std::all_of(one.expected.begin(), one.expected.end(), [](const auto& output) {
        const std::vector<double>& values = output.second.data;
        return std::all_of(values.begin(), values.end(),
                           [](double value) { return std::abs(value) < kLargestE4M3; });
    });
    return fits && sensitivity(one, *cast) <= one.tolerance;
}

bool LeftOut::takes(const Case& one, const std::function<bool()>& has_result) {
    if (!finite(one.expected)) return ++infinite_, false;
    if (has_result && !has_result()) return ++without_result_, false;
    if (!survives_casts(one)) return ++by_casts_, false;
    return true;
}

void LeftOut::say(const std::string& name, std::size_t taken) const {
    std::printf(
        "%s: %zu states checked; left out: %zu with infinite numbers, %zu without a result, %zu that "
        "8-bit casts leave without one\n",
        name.c_str(), taken, infinite_, without_result_, by_casts_);
    std::fflush(stdout);
    EXPECT_LE(without_result_ + by_casts_, taken / 4) << name;
}

bool everything() {
    return std::getenv("BLOCKSCOPE_GPU_ALL") != nullptr;
}

void say_checked(const std::string& name, std::size_t programs) {
    std::printf("%s: %zu programs\n", name.c_str(), programs);
    std::fflush(stdout);
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

namespace {

// Something is 0 everywhere: a difference of equals, or a norm of one element.
bool cancels(const Tensors<double>& results) {
    return std::any_of(results.begin(), results.end(), [](const auto& result) {
        const std::vector<double>& data = result.second.data;
        return std::all_of(data.begin(), data.end(), [](double x) { return x == 0; });
    });
}

double rounding_error(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return 0x1p-24;
        case ElemType::F16:
            return 0x1p-11;
        case ElemType::BF16:
            return 0x1p-8;
        case ElemType::E4M3:
            return 0x1p-4;
        case ElemType::E5M2:
            return 0x1p-3;
    }
    return 0;
}

}  // namespace

double sensitivity(const Case& one, ElemType elem) {
    const double error = rounding_error(elem);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> part(-error, error);
    double worst = cancels(one.expected) ? 1e9 : 0;
    for (int draw = 0; draw < 4; ++draw) {
        Tensors<double> moved = one.inputs;
        for (auto& [name, tensor] : moved)
            for (double& value : tensor.data) value *= 1 + part(random);
        const Tensors<double> results = evaluate(one.program, moved);
        worst = finite(results) ? std::max(worst, difference(one.expected, results)) : 1e9;
    }
    return worst;
}

bool finite(const Tensors<double>& tensors) {
    for (const auto& [name, tensor] : tensors)
        for (const double value : tensor.data)
            if (!(std::abs(value) < 1e6)) return false;
    return true;
}

}  // namespace blockscope::test
