#include "tests/engine/engine_check.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/state/state.h"

namespace blockscope::test {

namespace {

double round_to(double value, Precision precision) {
    const auto number = static_cast<float>(value);
    if (precision == Precision::F32) return static_cast<double>(number);
    // Half a unit of the last of the 8 bits that stay is added by way of a sum: ties go to even.
    int exponent = 0;
    std::frexp(number, &exponent);
    const double unit = std::ldexp(1.0, exponent - 8);
    return std::nearbyint(static_cast<double>(number) / unit) * unit;
}

std::vector<std::vector<float>> results(const CpuProgram& program) {
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < program.outputs().size(); ++i) {
        const std::span<const float> values = program.output(static_cast<int>(i));
        all.emplace_back(values.begin(), values.end());
    }
    return all;
}

std::string difference(const std::string& name, const std::vector<float>& values,
                       const Tensor<double>& expected, double tolerance) {
    if (values.size() != expected.data.size()) return name + " has the wrong number of elements";
    double largest = 1e-30;
    for (const double value : expected.data) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double error = std::abs(static_cast<double>(values[i]) - expected.data[i]);
        if (!(error <= tolerance * largest))
            return name + "[" + std::to_string(i) + "] is " + std::to_string(values[i]) + ", not " +
                   std::to_string(expected.data[i]) + " (largest " + std::to_string(largest) + ")";
    }
    return "";
}

}  // namespace

BlockProgram sized(const BlockProgram& program, const DimTable& dims) {
    BlockProgram result = program;
    result.dims = dims;
    return result;
}

ArrayProgram sized(const ArrayProgram& program, const DimTable& dims) {
    ArrayProgram result = program;
    result.dims = dims;
    return result;
}

DimTable vector_dims(const DimTable& dims) {
    struct Size {
        std::int64_t size;
        std::int64_t block;
    };
    static constexpr std::array<Size, 6> kSizes = {
        {{59, 24}, {71, 33}, {45, 20}, {37, 37}, {50, 19}, {66, 33}}};
    DimTable result = dims;
    std::size_t next = 0;
    std::int64_t batch = 2;
    for (Dim& dim : result) {
        if (dim.kind != DimKind::Blocked) {
            dim.size = batch++;
            continue;
        }
        dim.size = kSizes[next % kSizes.size()].size;
        dim.block = kSizes[next++ % kSizes.size()].block;
    }
    return result;
}

Tensors<double> rounded(Tensors<double> inputs, Precision precision) {
    for (auto& [name, tensor] : inputs)
        for (double& value : tensor.data) value = round_to(value, precision);
    return inputs;
}

namespace {

std::string check_form(const BlockProgram& state, const Form& form, const Tensors<double>& inputs,
                       const Tensors<double>& expected, const EngineOptions& options, double tolerance) {
    const std::string text = "\n" + listing(state, form);
    const State in_form(state, form);
    Result<CpuProgram> prepared = CpuProgram::prepare(in_form.loops(), options);
    if (!prepared) return to_string(prepared.problems()[0]) + text;
    CpuProgram program = std::move(prepared).value();
    for (std::size_t i = 0; i < program.inputs().size(); ++i) {
        const std::vector<double>& data = inputs.at(program.inputs()[i].name).data;
        program.set_input(static_cast<int>(i), std::vector<float>(data.begin(), data.end()));
    }
    std::vector<std::vector<float>> first;
    for (const bool again : {false, true}) {
        program.fill_with_nan();
        again ? static_cast<void>(program.run_profiled()) : program.run();
        const std::vector<std::vector<float>> values = results(program);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::string& name = program.outputs()[i].name;
            if (again &&
                std::memcmp(values[i].data(), first[i].data(), values[i].size() * sizeof(float)) != 0)
                return name + " differs when run again\n" + program.plan() + text;
            const std::string wrong = difference(name, values[i], expected.at(name), tolerance);
            if (!wrong.empty()) return wrong + "\n" + program.plan() + text;
        }
        first = values;
    }
    return "";
}

}  // namespace

std::string check_engine(const BlockProgram& state, const Tensors<double>& inputs,
                         const Tensors<double>& expected, const EngineOptions& options, double tolerance) {
    std::string problem = check_form(state, {}, inputs, expected, options, tolerance);
    const Form paper = Form{}.as_in_paper();
    if (!problem.empty() || listing(state) == listing(state, paper)) return problem;
    return check_form(state, paper, inputs, expected, options, tolerance);
}

}  // namespace blockscope::test
