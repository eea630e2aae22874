#include "core/measure/reference.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/exec/evaluate.h"
#include "core/exec/prove.h"
#include "core/loops/loop_program.h"

namespace blockscope::measure {
namespace {

constexpr double kMostValues = 0x1p27;  // of all arrays of the reference: 1 GiB of doubles

// Rounds a float32 to one with `kept` bits of fraction.
double round_fraction(float value, unsigned kept) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t dropped = 23 - kept;
    const std::uint32_t half = (std::uint32_t{1} << (dropped - 1)) - 1;
    const std::uint32_t even = (bits >> dropped) & 1U;
    return std::bit_cast<float>((bits + half + even) >> dropped << dropped);
}

// Half precision has 10 bits of fraction, but fewer below 2^-14.
double round_half(double value) {
    const double size = std::abs(value);
    if (size >= 65520) return std::copysign(INFINITY, value);
    const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
    const double unit = std::ldexp(1.0, exponent - 10);
    return std::nearbyint(value / unit) * unit;
}

struct Work {
    double operations = 0;
    double values = 0;
};

double elements(const Shape& shape, const DimTable& dims) {
    double count = 1;
    for (const DimId dim : shape.batch) count *= static_cast<double>(dims[dim.value].size);
    for (const DimId dim : shape.axes) count *= static_cast<double>(dims[dim.value].size);
    return count;
}

Work work_of(const ArrayProgram& program) {
    constexpr double kPerElement = 20;  // what an exp or a normalisation costs in multiply-adds, roughly
    Work work;
    for (const ArrayOp& op : program.ops) {
        const double count = elements(op.shape, program.dims);
        work.values += count;
        double each = kPerElement;
        if (op.kind == ArrayOpKind::Matmul) {
            const Shape& left = program.ops[static_cast<std::size_t>(op.operands[0])].shape;
            each = 2 * static_cast<double>(program.dims[left.axes.back().value].size);
        }
        work.operations += count * each;
    }
    return work;
}

std::string count_of(const Tensors<double>& tensors) {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : tensors) count += tensor.size();
    return std::to_string(count);
}

// First, last and one more row of each block; all rows of small blocks.
std::vector<std::int64_t> sampled_rows(const Dim& dim, std::uint64_t seed) {
    std::vector<std::int64_t> rows;
    for (std::int64_t block = 0; block < dim.blocks(); ++block) {
        const std::int64_t first = block * dim.block;
        const std::int64_t size = dim.block_size(block);
        rows.push_back(first);
        if (size > 2)
            rows.push_back(first + 1 +
                           static_cast<std::int64_t>(mix(seed, static_cast<std::uint64_t>(block)) %
                                                     static_cast<std::uint64_t>(size - 2)));
        if (size > 1) rows.push_back(first + size - 1);
    }
    return rows;
}

// The rows of `tensor`, whose last two axes are [rows, columns] (or the last one [rows]).
Tensor<double> take_rows(const Tensor<double>& tensor, std::size_t axis,
                         const std::vector<std::int64_t>& rows) {
    std::size_t outer = 1;
    std::size_t inner = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= static_cast<std::size_t>(tensor.shape[i]);
    for (std::size_t i = axis + 1; i < tensor.shape.size(); ++i)
        inner *= static_cast<std::size_t>(tensor.shape[i]);
    const auto all = static_cast<std::size_t>(tensor.shape[axis]);
    Tensor<double> taken{tensor.shape, {}};
    taken.shape[axis] = static_cast<std::int64_t>(rows.size());
    taken.data.reserve(outer * rows.size() * inner);
    for (std::size_t o = 0; o < outer; ++o)
        for (const std::int64_t row : rows) {
            const double* from = tensor.data.data() + (o * all + static_cast<std::size_t>(row)) * inner;
            taken.data.insert(taken.data.end(), from, from + inner);
        }
    return taken;
}

// The axis of an array of this shape that runs along `dim` as its rows; -1 if none does.
int row_axis(const Shape& shape, int dim) {
    if (shape.axes.empty() || shape.axes[0].value != dim) return -1;
    return static_cast<int>(shape.batch.size());
}

Outcome<Expected> sampled(const ArrayProgram& program, const Tensors<double>& inputs, std::uint64_t seed,
                          double limit) {
    Expected expected;
    expected.dim = independent_rows(program);
    if (expected.dim < 0)
        return Failure{
            FailureClass::Refused,
            "The program is too large to be checked against the float64 reference, and its rows depend on "
            "each other, so that no part of it can be checked alone. Choose smaller sizes.",
            {}};
    ArrayProgram part = program;
    Dim& dim = part.dims[static_cast<std::size_t>(expected.dim)];
    const Dim whole = dim;
    expected.rows = sampled_rows(whole, seed);
    dim.size = static_cast<std::int64_t>(expected.rows.size());
    dim.block = std::min(dim.block, dim.size);
    const Work work = work_of(part);
    // Samples may take longer than a whole reference would: there is nothing smaller.
    if (work.operations > 10 * limit || work.values > 4 * kMostValues)
        return Failure{
            FailureClass::Refused,
            "The program is too large to be checked against the float64 reference. Choose smaller sizes.",
            {}};
    Tensors<double> taken = inputs;
    for (const ArrayOp& op : program.ops) {
        const int axis = op.kind == ArrayOpKind::Input ? row_axis(op.shape, expected.dim) : -1;
        if (axis >= 0)
            taken[op.name] = take_rows(inputs.at(op.name), static_cast<std::size_t>(axis), expected.rows);
    }
    expected.outputs = evaluate(part, taken);
    expected.how = std::to_string(expected.rows.size()) + " of " + std::to_string(whole.size) +
                   " rows along " + whole.name + " (" + count_of(expected.outputs) +
                   " elements, in every block of every output) against the float64 reference";
    return expected;
}

// `least` is the exponent of the smallest normal number.
double round_small(double value, int fraction_bits, int least, double largest) {
    if (value == 0 || std::isnan(value)) return value;
    const double size = std::min(std::abs(value), 2 * largest);
    const double step = std::ldexp(1, std::max(std::ilogb(size), least) - fraction_bits);
    return std::copysign(std::min(std::nearbyint(size / step) * step, largest), value);
}

Outcome<Expected> whole(const Reference& reference, const Tensors<double>& inputs) {
    Expected expected;
    if (const auto* array = std::get_if<ArrayProgram>(&reference))
        expected.outputs = evaluate(*array, inputs);
    else
        expected.outputs = evaluate(*std::get<ProgramPtr>(reference), inputs);
    expected.how = "all " + count_of(expected.outputs) + " elements against the float64 reference";
    return expected;
}

}  // namespace

double round_to(ElemType elem, double value) {
    switch (elem) {
        case ElemType::F32:
            return static_cast<float>(value);
        case ElemType::F16:
            return round_half(value);
        case ElemType::BF16:
            return round_fraction(static_cast<float>(value), 7);
        case ElemType::E4M3:
            return round_small(value, 3, -6, 448);
        case ElemType::E5M2:
            return round_small(value, 2, -14, 57344);
    }
    throw InternalError("unknown element type");
}

double tolerance(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return 1e-4;
        case ElemType::F16:
            return 2e-3;
        case ElemType::BF16:
            return 1.6e-2;
        case ElemType::E4M3:
            return 0.125;
        case ElemType::E5M2:
            return 0.25;
    }
    throw InternalError("unknown element type");
}

double tolerance(ElemType elem, const BlockProgram& program) {
    constexpr double kWithin = 4;  // arrays
    if (elem == ElemType::F32) return tolerance(elem);
    const LoopProgram loops = lower(program);
    const auto between = std::count_if(loops.buffers.begin(), loops.buffers.end(), [](const Buffer& buffer) {
        return buffer.kind == Buffer::Kind::Intermediate;
    });
    return tolerance(elem) * std::sqrt(std::max(1.0, static_cast<double>(between) / kWithin));
}

Tensors<double> random_inputs(const BlockProgram& program, ElemType elem, std::uint64_t seed, double range) {
    Tensors<double> inputs = random_doubles(program, seed, range);
    for (auto& [name, tensor] : inputs)
        for (double& value : tensor.data) value = round_to(elem, value);
    return inputs;
}

Outcome<Expected> expected_outputs(const Reference& reference, const Tensors<double>& inputs,
                                   std::uint64_t seed, double limit) {
    if (const auto* array = std::get_if<ArrayProgram>(&reference)) {
        const Work work = work_of(*array);
        if (work.operations <= limit && work.values <= kMostValues) return whole(reference, inputs);
        return sampled(*array, inputs, seed, limit);
    }
    const BlockProgram& program = *std::get<ProgramPtr>(reference);
    // The block interpreter does about a tenth of what the array evaluator does in the same time.
    if (proof_work(program, program.dims) <= limit / 4) return whole(reference, inputs);
    return Failure{
        FailureClass::Refused,
        "The block program is too large to be interpreted in float64, and there is no array program to "
        "check against. Choose smaller sizes.",
        {}};
}

}  // namespace blockscope::measure
