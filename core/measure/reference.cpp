#include "core/measure/reference.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdio>

#include "core/exec/evaluate.h"
#include "core/exec/prove.h"
#include "core/state/state.h"

namespace blockscope::measure {

namespace {

constexpr double kLargestE4M3 = 448;
constexpr double kLargestE5M2 = 57344;

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
            Text("The program is too large to be checked against the float64 reference, and its rows depend "
                 "on each other, so that no part of it can be checked alone. Choose smaller sizes."),
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
        return Failure{FailureClass::Refused,
                       Text("The program is too large to be checked against the float64 reference. Choose "
                            "smaller sizes."),
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

Outcome<Expected> whole_outputs(const Reference& reference, const Tensors<double>& inputs) {
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
            return round_small(value, 3, -6, kLargestE4M3);
        case ElemType::E5M2:
            return round_small(value, 2, -14, kLargestE5M2);
    }
    throw InternalError("unknown element type");
}

double largest_number(ElemType elem) {
    switch (elem) {
        case ElemType::F32:
            return FLT_MAX;
        case ElemType::F16:
            return 65504;
        case ElemType::BF16:
            return 0x1.fep127;
        case ElemType::E4M3:
            return kLargestE4M3;
        case ElemType::E5M2:
            return kLargestE5M2;
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

std::optional<ElemType> coarsest_cast(const BlockProgram& program) {
    std::optional<ElemType> coarsest;
    const State state(program, Form{}.as_in_paper());
    for_each_statement(state.loops().body, [&](const Statement& statement) {
        const auto* made = std::get_if<Evaluate>(&statement.what);
        if (!made || !made->cast || made->cast == ElemType::F32) return;
        if (!coarsest || tolerance(*made->cast) > tolerance(*coarsest)) coarsest = *made->cast;
    });
    return coarsest;
}

double tolerance(ElemType elem, const BlockProgram& program) {
    constexpr double kWithin = 4;  // arrays
    const std::optional<ElemType> cast = coarsest_cast(program);
    if (cast && tolerance(*cast) > tolerance(elem)) elem = *cast;
    if (elem == ElemType::F32) return tolerance(elem);
    const State state(program);
    const std::vector<Buffer>& buffers = state.loops().buffers;
    const auto between = std::count_if(buffers.begin(), buffers.end(), [](const Buffer& buffer) {
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
        if (work.operations <= limit && work.values <= kMostValues) return whole_outputs(reference, inputs);
        return sampled(*array, inputs, seed, limit);
    }
    const BlockProgram& program = *std::get<ProgramPtr>(reference);
    // The block interpreter does about a tenth of what the array evaluator does in the same time.
    if (proof_work(program, program.dims) <= limit / 4) return whole_outputs(reference, inputs);
    return Failure{FailureClass::Refused,
                   Text("The block program is too large to be interpreted in float64, and there is no array "
                        "program to check against. Choose smaller sizes."),
                   {}};
}

// What was computed against what was expected.

namespace {

// Where elements of a reference that has sampled rows lie in the whole output.
class Positions {
public:
    Positions(const std::vector<std::int64_t>& shape, int axis, const std::vector<std::int64_t>& rows)
        : rows_(axis < 0 ? nullptr : &rows) {
        if (!rows_) return;
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i) inner_ *= shape[i];
        all_ = shape[static_cast<std::size_t>(axis)];
    }
    std::int64_t operator()(std::int64_t index) const {
        if (!rows_) return index;
        const auto count = static_cast<std::int64_t>(rows_->size());
        const std::int64_t row = index / inner_ % count;
        const std::int64_t outer = index / inner_ / count;
        return (outer * all_ + (*rows_)[static_cast<std::size_t>(row)]) * inner_ + index % inner_;
    }

private:
    const std::vector<std::int64_t>* rows_;
    std::int64_t inner_ = 1;
    std::int64_t all_ = 1;
};

// The axis of the output `name` that was sampled; -1 if all of it is there.
int sampled_axis(const Expected& expected, const Reference& reference, const std::string& name) {
    const auto* program = std::get_if<ArrayProgram>(&reference);
    if (expected.dim < 0 || !program) return -1;
    for (const ArrayOutput& output : program->outputs) {
        const Shape& shape = program->ops.at(static_cast<std::size_t>(output.op)).shape;
        if (output.name == name && !shape.axes.empty() && shape.axes[0].value == expected.dim)
            return static_cast<int>(shape.batch.size());
    }
    return -1;
}

void compare(const std::string& name, const Tensor<double>& expected, const Tensor<double>& found,
             const Positions& positions, Difference& worst) {
    double largest = 0;
    double of_errors = 0, of_values = 0;  // sums of squares
    for (const double value : expected.data)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    for (std::int64_t i = 0; i < expected.size(); ++i) {
        const double want = expected.data[static_cast<std::size_t>(i)];
        const std::int64_t at = positions(i);
        const double have = found.data[static_cast<std::size_t>(at)];
        if (want == have || (std::isnan(want) && std::isnan(have))) continue;
        double error = std::abs(want - have) / (largest > 0 ? largest : 1);
        if (!std::isfinite(error)) error = INFINITY;
        of_errors += (want - have) * (want - have);
        if (error > worst.error)
            worst = {.error = error,
                     .apart = worst.apart,
                     .output = name,
                     .index = at,
                     .expected = want,
                     .found = have};
    }
    for (const double value : expected.data)
        if (std::isfinite(value)) of_values += value * value;
    if (of_values <= 0) of_values = static_cast<double>(expected.size());  // of zeros, as `largest`
    const double apart = of_errors > 0 || std::isnan(of_errors) ? std::sqrt(of_errors / of_values) : 0;
    if (!(apart <= worst.apart)) worst.apart = apart;
}

}  // namespace

Difference compare_outputs(const Expected& expected, const Reference& reference,
                           const Tensors<double>& found) {
    Difference worst;
    for (const auto& [name, tensor] : expected.outputs) {
        const auto other = found.find(name);
        if (other == found.end()) throw InternalError("the output " + name + " was not computed");
        const int axis = sampled_axis(expected, reference, name);
        std::vector<std::int64_t> shape = tensor.shape;
        if (axis >= 0)
            shape[static_cast<std::size_t>(axis)] = other->second.shape.at(static_cast<std::size_t>(axis));
        if (shape != other->second.shape) throw InternalError("the output " + name + " has another shape");
        compare(name, tensor, other->second, Positions(shape, axis, expected.rows), worst);
    }
    return worst;
}

bool agrees(const Difference& difference, double tolerance) {
    return difference.error <= tolerance && difference.apart <= kMostApart;
}

std::optional<Text> overflow_sentence(const Expected& expected, const Reference& reference,
                                      const Tensors<double>& found, ElemType elem, double tolerance) {
    Expected held = expected;
    std::int64_t beyond = 0, all = 0;
    double furthest = 0;
    for (auto& [name, tensor] : held.outputs)
        for (double& value : tensor.data) {
            ++all;
            if (!std::isfinite(value) || std::abs(value) <= largest_number(elem)) continue;
            ++beyond;
            furthest = std::max(furthest, std::abs(value));
            value = round_to(elem, value);
        }
    if (beyond == 0 || !agrees(compare_outputs(held, reference, found), tolerance)) return std::nullopt;
    const auto number = [](double value) {
        char digits[64];
        std::snprintf(digits, sizeof digits, "%.6g", value);
        return std::string(digits);
    };
    return Text(
        "The result overflows: %1 of %2 elements of the reference are beyond %3, the largest number of %4, "
        "up "
        "to %5. All others are right; a smaller range of the inputs or a wider type holds the result.",
        beyond, all, number(largest_number(elem)), to_string(elem), number(furthest));
}

Text difference_sentence(const Difference& difference, double tolerance) {
    const auto number = [](const char* format, double value) {
        char digits[64];
        std::snprintf(digits, sizeof digits, format, value);
        return std::string(digits);
    };
    Text differs(
        "The result differs from the reference: element %1 of %2 is %3 and should be %4; the largest "
        "difference is %5 of the largest value, and %6 is allowed.",
        difference.index, difference.output, number("%.6g", difference.found),
        number("%.6g", difference.expected), number("%.2g", difference.error), number("%.2g", tolerance));
    if (difference.apart <= kMostApart) return differs;
    return Text(
        "%1 All differences together are %2 of all values together (roots of the sums of squares), and %3 is "
        "allowed.",
        differs, number("%.2g", difference.apart), number("%.2g", kMostApart));
}

// Which rows of a program can be computed without the others.

namespace {

// Whether rows along one dimension stay apart in every operator.
class Independence {
public:
    Independence(const ArrayProgram& program, DimId dim) : program_(program), dim_(dim) {}

    bool holds() const {
        return std::all_of(program_.ops.begin(), program_.ops.end(),
                           [this](const ArrayOp& op) { return holds(op); });
    }

private:
    static bool among(const std::vector<DimId>& dims, DimId dim) {
        return std::find(dims.begin(), dims.end(), dim) != dims.end();
    }
    bool has(const Shape& shape) const { return among(shape.batch, dim_) || among(shape.axes, dim_); }
    bool has(const ArrayOp& op, std::size_t operand) const {
        return operand < op.operands.size() &&
               has(program_.ops[static_cast<std::size_t>(op.operands[operand])].shape);
    }
    bool any_operand(const ArrayOp& op) const {
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            if (has(op, i)) return true;
        return false;
    }
    bool as_rows(const Shape& shape) const {
        if (among(shape.batch, dim_)) return false;
        return shape.axes.size() == 2 ? shape.axes[0] == dim_ && shape.axes[1] != dim_ : true;
    }
    std::size_t axes(const ArrayOp& op, std::size_t operand) const {
        return program_.ops[static_cast<std::size_t>(op.operands[operand])].shape.axes.size();
    }

    bool mentions_size(const ExprPtr& expr) const {
        if (!expr) return false;
        if (const auto* size = std::get_if<SizeOf>(&expr->value)) return size->dim == dim_;
        const auto* call = std::get_if<Call>(&expr->value);
        return call && std::any_of(call->args.begin(), call->args.end(),
                                   [this](const ExprPtr& arg) { return mentions_size(arg); });
    }

    bool holds(const ArrayOp& op) const {
        if (mentions_size(op.expr)) return false;
        if (!has(op.shape) && !any_operand(op)) return true;
        if (!as_rows(op.shape)) return false;
        switch (form_of(op.kind)) {
            case ArrayForm::Given:
                return op.kind == ArrayOpKind::Input && op.source == InputSource::Array;
            case ArrayForm::ByElement:
            case ArrayForm::Rotate:
            case ArrayForm::OverBatch:
                return true;
            case ArrayForm::Spread:  // a vector along the rows, or one that has nothing to do with them
                return has(op.shape);
            case ArrayForm::Product:
            case ArrayForm::Outer:
                return !has(op, 1);
            case ArrayForm::KeepRows:
            case ArrayForm::FoldRows:
                return axes(op, 0) == 2 && !has(op, 1) && !has(op, 2);
            case ArrayForm::Transpose:
                return false;
        }
        throw InternalError("unknown form of an array operator");
    }

    const ArrayProgram& program_;
    DimId dim_;
};

}  // namespace

int independent_rows(const ArrayProgram& program) {
    for (const ArrayOutput& output : program.outputs) {
        const Shape& shape = program.ops.at(static_cast<std::size_t>(output.op)).shape;
        if (shape.axes.size() != 2) continue;
        if (Independence(program, shape.axes[0]).holds()) return shape.axes[0].value;
    }
    return -1;
}

}  // namespace blockscope::measure
