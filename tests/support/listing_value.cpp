#include "tests/support/listing_value.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace blockscope::reader {

namespace {

std::int64_t stored(std::int64_t extent) {
    return extent == kLoose ? 1 : extent;
}

Value block(std::int64_t rows, std::int64_t cols) {
    return {2, rows, cols, false, std::vector<double>(static_cast<std::size_t>(stored(rows) * stored(cols)))};
}

double& at(Value& v, std::int64_t i, std::int64_t j) {
    return v.data[static_cast<std::size_t>(v.cols == kLoose ? i : i * v.cols + j)];
}

// The element that lies at (i, j) of a block after spreading `v` over it.
double spread(const Value& v, std::int64_t i, std::int64_t j) {
    if (v.ndim == 0) return v.data[0];
    if (v.ndim == 1) return v.data[static_cast<std::size_t>(j)];
    const std::int64_t row = v.rows == kLoose ? 0 : i;
    const std::int64_t col = v.cols == kLoose ? 0 : j;
    return v.data[static_cast<std::size_t>(row * stored(v.cols) + col)];
}

[[noreturn]] void refuse(const std::string& name, const Operands& args) {
    std::string text = name + " does not take";
    for (const Value* value : args) text += " " + value->shape();
    throw ListingError(text);
}

struct Shape {
    int ndim = 0;
    std::int64_t rows = 1;
    std::int64_t cols = 1;
    bool loose = false;
};

bool join(std::int64_t& extent, std::int64_t other) {
    if (extent == kLoose) extent = other;
    return other == kLoose || extent == other;
}

bool join(Shape& shape, const Value& value) {
    if (value.ndim == 0) {
        shape.loose = shape.loose || value.loose;
        return true;
    }
    shape.loose = false;
    if (shape.ndim == 0) {
        shape = {value.ndim, value.rows, value.cols, false};
        return true;
    }
    if (shape.ndim == value.ndim)
        return join(shape.rows, value.rows) && (value.ndim == 1 || join(shape.cols, value.cols));
    if (value.ndim == 1) return join(shape.cols, value.rows);  // a vector along the rows of a block
    Shape wide{2, value.rows, value.cols, false};
    if (!join(wide.cols, shape.rows)) return false;
    shape = wide;
    return true;
}

// Of one argument the second one is 0.
using ScalarFunction = double (*)(double, double);

double sum_of(double a, double b) {
    return a + b;
}
double product_of(double a, double b) {
    return a * b;
}

Value zip(const std::string& name, const Operands& args, ScalarFunction f) {
    Shape shape;
    for (const Value* value : args)
        if (!join(shape, *value)) refuse(name, args);
    Value result{shape.ndim, shape.rows, shape.cols, shape.ndim == 0 && shape.loose, {}};
    const auto value_at = [&](std::int64_t i, std::int64_t j) {
        return f(spread(*args[0], i, j), args.size() > 1 ? spread(*args[1], i, j) : 0.0);
    };
    result.data.reserve(static_cast<std::size_t>(stored(shape.rows) * stored(shape.cols)));
    if (shape.ndim < 2) {
        for (std::int64_t j = 0; j < stored(shape.rows); ++j) result.data.push_back(value_at(0, j));
        return result;
    }
    for (std::int64_t i = 0; i < stored(shape.rows); ++i)
        for (std::int64_t j = 0; j < stored(shape.cols); ++j) result.data.push_back(value_at(i, j));
    return result;
}

// a + c[:,newaxis] or a * c[:,newaxis]
Value by_row(const std::string& name, const Operands& args, ScalarFunction f) {
    const Value& a = *args[0];
    const Value& c = *args[1];
    const bool fits = c.ndim == 1 && (a.loose || (a.ndim == 2 && (a.rows == c.rows || a.rows == kLoose)));
    if (!fits) refuse(name, args);
    Value result = block(c.rows, a.loose ? kLoose : a.cols);
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < stored(result.cols); ++j)
            at(result, i, j) = f(spread(a, i, j), c.data[static_cast<std::size_t>(i)]);
    return result;
}

Value fold_rows(const std::string& name, const Operands& args, double start, ScalarFunction f) {
    const Value& a = *args[0];
    if (a.ndim != 2 || a.has_loose_extent()) refuse(name, args);
    Value result{1, a.rows, 1, false, {}};
    for (std::int64_t i = 0; i < a.rows; ++i) {
        double sum = start;
        for (std::int64_t j = 0; j < a.cols; ++j) sum = f(sum, spread(a, i, j));
        result.data.push_back(sum);
    }
    return result;
}

Value dot(const Operands& args) {
    const Value& a = *args[0];
    const Value& b = *args[1];
    const bool fits =
        a.ndim == 2 && b.ndim == 2 && !a.has_loose_extent() && !b.has_loose_extent() && a.cols == b.cols;
    if (!fits) refuse("dot", args);
    Value result = block(a.rows, b.rows);
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t j = 0; j < b.rows; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < a.cols; ++k) sum += spread(a, i, k) * spread(b, j, k);
            at(result, i, j) = sum;
        }
    return result;
}

Value outer(const Operands& args) {
    const Value& a = *args[0];
    const Value& b = *args[1];
    if (a.ndim != 1 || b.ndim != 1) refuse("outer", args);
    Value result = block(a.rows, b.rows);
    for (std::int64_t i = 0; i < result.rows; ++i)
        for (std::int64_t j = 0; j < result.cols; ++j)
            at(result, i, j) = a.data[static_cast<std::size_t>(i)] * b.data[static_cast<std::size_t>(j)];
    return result;
}

// Pairs (x, y) of the numbers of a row become (-y, x).
Value rotated(const std::string& name, const Operands& args) {
    const Value& a = *args[0];
    if (a.ndim != 2 || a.has_loose_extent() || a.cols % 2 != 0) refuse(name, args);
    const std::int64_t half = a.cols / 2;
    Value result = block(a.rows, a.cols);
    for (std::int64_t i = 0; i < a.rows; ++i)
        for (std::int64_t pair = 0; pair < half; ++pair) {
            const std::int64_t x = name == "rotate_half" ? pair : 2 * pair;
            const std::int64_t y = name == "rotate_half" ? pair + half : x + 1;
            at(result, i, x) = -spread(a, i, y);
            at(result, i, y) = spread(a, i, x);
        }
    return result;
}

// add and mul of Table 1 take equal shapes; numpy's broadcasting is not theirs.
Value same_shape(const std::string& name, const Operands& args, ScalarFunction f) {
    if (args[0]->ndim != args[1]->ndim && !args[0]->loose && !args[1]->loose) refuse(name, args);
    return zip(name, args, f);
}

const std::map<std::string, std::size_t> kFunctional = {
    {"add", 2},       {"mul", 2}, {"row_shift", 2}, {"row_scale", 2},   {"row_sum", 1},      {"row_max", 1},
    {"block_max", 1}, {"dot", 2}, {"outer", 2},     {"rotate_half", 1}, {"rotate_pairs", 1},
};

// numpy's maximum and minimum: no number if one of the two is none.
double larger(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
}
double smaller(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
}

struct Scalar {
    std::size_t arity;
    ScalarFunction f;
};

const std::map<std::string, Scalar> kElementwise = {
    {"+", {2, sum_of}},
    {"-", {2, [](double a, double b) { return a - b; }}},
    {"*", {2, product_of}},
    {"/", {2, [](double a, double b) { return a / b; }}},
    {"**", {2, [](double a, double b) { return std::pow(a, b); }}},
    {"max", {2, larger}},
    {"min", {2, smaller}},
    {"neg", {1, [](double a, double) { return -a; }}},
    {"exp", {1, [](double a, double) { return std::exp(a); }}},
    {"log", {1, [](double a, double) { return std::log(a); }}},
    {"sqrt", {1, [](double a, double) { return std::sqrt(a); }}},
    {"tanh", {1, [](double a, double) { return std::tanh(a); }}},
    {"erf", {1, [](double a, double) { return std::erf(a); }}},
    {"abs", {1, [](double a, double) { return std::abs(a); }}},
    {"sin", {1, [](double a, double) { return std::sin(a); }}},
    {"cos", {1, [](double a, double) { return std::cos(a); }}},
    {"floor", {1, [](double a, double) { return std::floor(a); }}},
};

}  // namespace

std::string Value::shape() const {
    const auto text = [](std::int64_t extent) { return extent == kLoose ? "?" : std::to_string(extent); };
    if (ndim == 0) return loose ? "number" : "scalar";
    if (ndim == 1) return "vector[" + text(rows) + "]";
    return "block[" + text(rows) + "," + text(cols) + "]";
}

bool is_functional(const std::string& name) {
    return kFunctional.count(name) > 0;
}

Value functional(const std::string& name, const Operands& args) {
    if (args.size() != kFunctional.at(name)) refuse(name, args);
    constexpr double kLowest = -std::numeric_limits<double>::infinity();
    if (name == "add") return same_shape(name, args, sum_of);
    if (name == "mul") return same_shape(name, args, product_of);
    if (name == "row_shift") return by_row(name, args, sum_of);
    if (name == "row_scale") return by_row(name, args, product_of);
    if (name == "row_sum") return fold_rows(name, args, 0, sum_of);
    if (name == "row_max") return fold_rows(name, args, kLowest, larger);
    if (name == "dot") return dot(args);
    if (name == "outer") return outer(args);
    if (name == "rotate_half" || name == "rotate_pairs") return rotated(name, args);
    const Value& a = *args[0];
    if (a.ndim == 0 || a.has_loose_extent()) refuse(name, args);
    return Value::scalar(std::accumulate(a.data.begin(), a.data.end(), kLowest, larger));
}

bool is_elementwise(const std::string& name) {
    return kElementwise.count(name) > 0;
}

Value elementwise(const std::string& name, const Operands& args) {
    const Scalar& scalar = kElementwise.at(name);
    if (args.size() != scalar.arity) refuse(name, args);
    return zip(name, args, scalar.f);
}

}  // namespace blockscope::reader
