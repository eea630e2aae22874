// What was computed against what was expected.
#include <cmath>
#include <cstdio>

#include "core/measure/reference.h"

namespace blockscope::measure {
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
        if (error > worst.error) worst = {error, worst.apart, name, at, want, have};
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

std::string difference_sentence(const Difference& difference, double tolerance) {
    char numbers[200];
    std::snprintf(numbers, sizeof numbers,
                  " is %.6g and should be %.6g; the largest difference is %.2g of the "
                  "largest value, and %.2g is allowed.",
                  difference.found, difference.expected, difference.error, tolerance);
    std::string sentence = "The result differs from the reference: element " +
                           std::to_string(difference.index) + " of " + difference.output + numbers;
    if (difference.apart <= kMostApart) return sentence;
    std::snprintf(
        numbers, sizeof numbers,
        " All differences together are %.2g of all values together (roots of the sums of squares), and "
        "%.2g is allowed.",
        difference.apart, kMostApart);
    return sentence + numbers;
}

}  // namespace blockscope::measure
