// The array program on whole arrays: the reference that shares nothing with blocks.
#include <algorithm>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

// Evaluates an elementwise expression over `size` elements; operands of size 1 are spread. Shared parts of
// the expression are evaluated once.
template <class S>
class ExprOnArrays {
public:
    ExprOnArrays(const DimTable& dims, std::vector<std::pair<const S*, std::size_t>> operands)
        : dims_(dims), operands_(std::move(operands)) {}

    const std::vector<S>& evaluate(const ExprPtr& expr) {
        const auto known = values_.find(expr.get());
        if (known != values_.end()) return known->second;
        std::vector<S> value =
            std::visit([this](const auto& kind) { return this->compute(kind); }, expr->value);
        return values_.emplace(expr.get(), std::move(value)).first->second;
    }

private:
    std::vector<S> compute(const Arg& arg) const {
        const auto& [data, size] = operands_.at(static_cast<std::size_t>(arg.index));
        return std::vector<S>(data, data + size);
    }
    std::vector<S> compute(const Number& number) const { return {scalar_from<S>(number.value)}; }
    std::vector<S> compute(const SizeOf& size) const {
        return {scalar_from<S>(static_cast<double>(dims_.at(size.dim.value).size))};
    }
    std::vector<S> compute(const Call& call) {
        const std::vector<S>& a = evaluate(call.args[0]);
        const std::vector<S>& b = evaluate(call.args.back());
        std::vector<S> result(std::max(a.size(), b.size()));
        for (std::size_t i = 0; i < result.size(); ++i)
            result[i] = apply(call.fn, a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
        return result;
    }

    const DimTable& dims_;
    std::vector<std::pair<const S*, std::size_t>> operands_;
    std::unordered_map<const Expr*, std::vector<S>> values_;  // references into it stay valid
};

template <class S>
class ArrayEvaluator {
public:
    ArrayEvaluator(const ArrayProgram& program, const Tensors<S>& inputs)
        : program_(program), inputs_(inputs) {}

    Tensors<S> run() {
        for (const ArrayOp& op : program_.ops) values_.push_back(evaluate(op));
        Tensors<S> outputs;
        for (const ArrayOutput& output : program_.outputs)
            outputs[output.name] = values_.at(static_cast<std::size_t>(output.op));
        return outputs;
    }

private:
    std::size_t size_of(DimId dim) const {
        return static_cast<std::size_t>(program_.dims.at(dim.value).size);
    }

    std::size_t product(const std::vector<DimId>& dims) const {
        std::size_t result = 1;
        for (const DimId dim : dims) result *= size_of(dim);
        return result;
    }

    std::vector<std::int64_t> extents(const Shape& shape) const {
        std::vector<std::int64_t> result;
        for (const DimId dim : shape.batch) result.push_back(program_.dims.at(dim.value).size);
        for (const DimId dim : shape.axes) result.push_back(program_.dims.at(dim.value).size);
        return result;
    }

    const ArrayOp& operand(const ArrayOp& op, std::size_t i) const {
        return program_.ops.at(static_cast<std::size_t>(op.operands.at(i)));
    }

    // Where operand `i` of `op` starts for this index into `batch`; a batch dimension that the operand
    // lacks is shared.
    const S* slice(const ArrayOp& op, std::size_t i, const std::vector<DimId>& batch,
                   std::size_t index) const {
        const Shape& shape = operand(op, i).shape;
        std::size_t offset = 0;
        std::size_t step = product(shape.axes);
        for (std::size_t d = shape.batch.size(); d-- > 0;) {
            std::size_t rest = index;
            std::size_t at = batch.size();
            while (at-- > 0 && batch[at] != shape.batch[d]) rest /= size_of(batch[at]);
            if (at == std::size_t(-1))
                throw InternalError("an operand has a batch dimension that its operator lacks");
            offset += rest % size_of(shape.batch[d]) * step;
            step *= size_of(shape.batch[d]);
        }
        return values_[static_cast<std::size_t>(op.operands[i])].data.data() + offset;
    }

    Tensor<S> evaluate(const ArrayOp& op) const {
        if (op.kind == ArrayOpKind::Input) return input(op);
        if (op.kind == ArrayOpKind::Custom) return custom(op);
        if (op.kind == ArrayOpKind::SumOver) return sum_over(op);
        Tensor<S> result{extents(op.shape), {}};
        const std::size_t each = product(op.shape.axes);
        const std::size_t batches = product(op.shape.batch);
        result.data.resize(each * batches);
        for (std::size_t index = 0; index < batches; ++index)
            evaluate_one(op, index, result.data.data() + index * each, each);
        return result;
    }

    Tensor<S> input(const ArrayOp& op) const {
        const std::vector<std::int64_t> shape = extents(op.shape);
        if (op.source == InputSource::CausalMask) return causal_mask<S>(shape.at(0), shape.at(1), op.window);
        const auto found = inputs_.find(op.name);
        if (found == inputs_.end()) throw InternalError("no array is given for the input " + op.name);
        if (found->second.shape != shape || found->second.size() != element_count(shape))
            throw InternalError("the array given for the input " + op.name + " has the wrong shape");
        return found->second;
    }

    Tensor<S> custom(const ArrayOp& op) const {
        std::vector<const Tensor<S>*> operands;
        for (const int index : op.operands) operands.push_back(&values_[static_cast<std::size_t>(index)]);
        return custom_array(op.custom_name, operands, 0, extents(op.shape));
    }

    Tensor<S> sum_over(const ArrayOp& op) const {
        const std::vector<DimId>& batch = operand(op, 0).shape.batch;
        const auto at = std::find(batch.begin(), batch.end(), op.dim);
        if (at == batch.end()) throw InternalError("a sum over a batch dimension that its operand lacks");
        std::size_t inner = product(op.shape.axes);
        for (auto dim = at + 1; dim != batch.end(); ++dim) inner *= size_of(*dim);
        const std::size_t count = size_of(op.dim);
        const Tensor<S>& a = values_[static_cast<std::size_t>(op.operands[0])];
        Tensor<S> result{extents(op.shape), std::vector<S>(a.data.size() / count)};
        for (std::size_t i = 0; i < a.data.size(); ++i) {
            S& total = result.data[i / (inner * count) * inner + i % inner];
            total = total + a.data[i];
        }
        return result;
    }

    void evaluate_one(const ArrayOp& op, std::size_t index, S* result, std::size_t each) const {
        const auto in = [&](std::size_t i) { return slice(op, i, op.shape.batch, index); };
        const auto optional = [&](std::size_t i) { return i < op.operands.size() ? in(i) : nullptr; };
        const std::vector<DimId>& axes = operand(op, 0).shape.axes;
        const std::size_t n = axes.empty() ? 1 : size_of(axes.back());
        const std::size_t rows = product(axes) / n;
        switch (form_of(op.kind)) {
            case ArrayForm::ByElement:
                if (op.kind == ArrayOpKind::Cast) return void(std::copy_n(in(0), each, result));
                return elementwise(op, index, result, each);
            case ArrayForm::Spread:
                return broadcast(op, index, result, each);
            case ArrayForm::Product:
                return ArrayOps<S>::matmul(in(0), in(1), result, rows, n, each / rows);
            case ArrayForm::Transpose:
                return ArrayOps<S>::transpose(in(0), result, rows, n);
            case ArrayForm::Rotate:
                return rope(op, {in(0), in(1), in(2)}, result, each);
            case ArrayForm::KeepRows:
            case ArrayForm::FoldRows:
                return ArrayOps<S>::by_rows(op, {in(0), optional(1), optional(2)}, result, rows, n);
            case ArrayForm::Outer:
                return ArrayOps<S>::outer(in(0), in(1), result, n, each / n);
            case ArrayForm::Given:
            case ArrayForm::OverBatch:
                break;
        }
        throw InternalError("an array operator that does not work batch by batch");
    }

    void elementwise(const ArrayOp& op, std::size_t index, S* result, std::size_t each) const {
        std::vector<std::pair<const S*, std::size_t>> operands;
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            operands.emplace_back(slice(op, i, op.shape.batch, index), product(operand(op, i).shape.axes));
        ExprOnArrays<S> expression(program_.dims, std::move(operands));
        const std::vector<S>& value = expression.evaluate(op.expr);
        for (std::size_t i = 0; i < each; ++i) result[i] = value[value.size() == 1 ? 0 : i];
    }

    void broadcast(const ArrayOp& op, std::size_t index, S* result, std::size_t each) const {
        const S* a = slice(op, 0, op.shape.batch, index);
        const S* b = slice(op, 1, op.shape.batch, index);
        const bool vector_first = operand(op, 0).shape.axes.size() < operand(op, 1).shape.axes.size();
        const std::size_t n = size_of(op.shape.axes.at(1));
        for (std::size_t i = 0; i < each; ++i) {
            const std::size_t along = op.vector_axis == VectorAxis::Rows ? i / n : i % n;
            result[i] = apply(op.fn, a[vector_first ? along : i], b[vector_first ? i : along]);
        }
    }

    void rope(const ArrayOp& op, const std::array<const S*, 3>& operands, S* result, std::size_t each) const {
        const auto [a, cosines, sines] = operands;
        const std::size_t n = size_of(op.shape.axes.at(1));
        if (n % 2 != 0) throw InternalError("rope of rows of an odd number of elements");
        for (std::size_t i = 0; i < each; ++i) {
            const std::size_t j = i % n;
            const std::size_t step = op.kind == ArrayOpKind::Rope ? n / 2 : 1;
            const bool first = op.kind == ArrayOpKind::Rope ? j < n / 2 : j % 2 == 0;
            const S rotated = first ? S{} - a[i + step] : a[i - step];
            result[i] = a[i] * cosines[i] + rotated * sines[i];
        }
    }

    const ArrayProgram& program_;
    const Tensors<S>& inputs_;
    std::vector<Tensor<S>> values_;  // of the operators evaluated so far
};

}  // namespace

Tensors<double> evaluate(const ArrayProgram& program, const Tensors<double>& inputs) {
    return ArrayEvaluator<double>(program, inputs).run();
}

Tensors<Exact> evaluate(const ArrayProgram& program, const Tensors<Exact>& inputs) {
    return ArrayEvaluator<Exact>(program, inputs).run();
}

namespace {

constexpr std::size_t kRows = 4;   // of c that are summed at once, in registers
constexpr std::size_t kCols = 32;  // the same for columns
constexpr double kThreaded = 3e7;  // multiply-adds from which threads pay

// The instruction set is chosen when the program starts; sanitizers know nothing of that mechanism (ifunc).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define BLOCKSCOPE_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default"), optimize("O3")))
#else
#define BLOCKSCOPE_CLONES
#endif

// kRows x kCols of c; `b` is packed: kCols numbers for each step of `inner`.
BLOCKSCOPE_CLONES
void tile(const double* a, std::size_t a_step, const double* b, std::size_t inner, double* c) {
    double sums[kRows][kCols] = {};
    for (std::size_t l = 0; l < inner; ++l) {
        const double* row = b + l * kCols;
        for (std::size_t i = 0; i < kRows; ++i) {
            const double x = a[i * a_step + l];
            for (std::size_t j = 0; j < kCols; ++j) sums[i][j] += x * row[j];
        }
    }
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kCols; ++j) c[i * kCols + j] = sums[i][j];
}

struct Product {
    const double* a;
    const double* b;
    double* c;
    std::size_t rows, inner, cols;

    // Columns from `first` on, at most kCols, packed and filled up with zeros.
    void pack(std::size_t first, std::vector<double>& packed) const {
        const std::size_t width = std::min(kCols, cols - first);
        packed.assign(inner * kCols, 0);
        for (std::size_t l = 0; l < inner; ++l)
            std::copy_n(b + l * cols + first, width, packed.data() + l * kCols);
    }

    // The columns from `first` on of rows [from, to).
    void panel(std::size_t first, const std::vector<double>& packed, std::size_t from, std::size_t to) const {
        const std::size_t width = std::min(kCols, cols - first);
        double result[kRows * kCols];
        std::vector<double> last;  // rows of a, filled up with zeros
        for (std::size_t i = from; i < to; i += kRows) {
            const std::size_t height = std::min(kRows, to - i);
            const double* rows_of_a = a + i * inner;
            if (height < kRows) {
                last.assign(kRows * inner, 0);
                std::copy_n(rows_of_a, height * inner, last.data());
                rows_of_a = last.data();
            }
            tile(rows_of_a, inner, packed.data(), inner, result);
            for (std::size_t r = 0; r < height; ++r)
                std::copy_n(result + r * kCols, width, c + (i + r) * cols + first);
        }
    }

    // Every `stride`-th panel from the one with this number on.
    void panels(std::size_t number, std::size_t stride) const {
        std::vector<double> packed;
        for (std::size_t first = number * kCols; first < cols; first += stride * kCols) {
            pack(first, packed);
            panel(first, packed, 0, rows);
        }
    }
};

}  // namespace

void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
              std::size_t cols) {
    const Product product{.a = a, .b = b, .c = c, .rows = rows, .inner = inner, .cols = cols};
    const double work = static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(cols);
    const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t threads =
        work < kThreaded ? 1 : std::min<std::size_t>({most, 16, (cols + kCols - 1) / kCols});
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&, i] { product.panels(i, threads); });
    product.panels(0, threads);
    for (std::thread& other : others) other.join();
}

namespace {

template <class S>
S sum(const S* a, std::size_t n) {
    S total{};
    for (std::size_t i = 0; i < n; ++i) total = total + a[i];
    return total;
}

template <class S>
S largest(const S* a, std::size_t n) {
    S result = a[0];
    for (std::size_t i = 1; i < n; ++i) result = apply(Fn::Max, result, a[i]);
    return result;
}

template <class S>
S divide(S a, S b) {
    return apply(Fn::Div, a, b);
}

template <class S>
S count(std::size_t n) {
    return scalar_from<S>(static_cast<double>(n));
}

// Doubles subtract the row's maximum first, so that this is the reference for numerically safe programs
// too; in exact arithmetic that changes nothing and would only cost.
template <class S>
void softmax(const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        S shift{};
        if constexpr (std::is_same_v<S, double>) shift = largest(a + i * n, n);
        S* row = result + i * n;
        for (std::size_t j = 0; j < n; ++j) row[j] = apply(Fn::Exp, a[i * n + j] - shift);
        const S total = sum(row, n);
        for (std::size_t j = 0; j < n; ++j) row[j] = divide(row[j], total);
    }
}

template <class S>
void rmsnorm(const ArrayOp& op, const S* a, const S* weight, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        S squares{};
        for (std::size_t j = 0; j < n; ++j) squares = squares + row[j] * row[j];
        if (!op.paper_form) squares = divide(squares, count<S>(n)) + scalar_from<S>(op.epsilon);
        const S root = apply(Fn::Sqrt, squares);
        for (std::size_t j = 0; j < n; ++j) {
            const S value = divide(row[j], root);
            result[i * n + j] = weight ? value * weight[j] : value;
        }
    }
}

// The variance as the mean of (x - mean)^2, which equals the paper's E[x^2] - mean^2 and cancels less.
template <class S>
void layernorm(const ArrayOp& op, const S* a, const S* weight, const S* bias, S* result, std::size_t rows,
               std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        const S mean = divide(sum(row, n), count<S>(n));
        S variance{};
        for (std::size_t j = 0; j < n; ++j) variance = variance + (row[j] - mean) * (row[j] - mean);
        variance = divide(variance, count<S>(n));
        if (!op.paper_form) variance = variance + scalar_from<S>(op.epsilon);
        const S root = apply(Fn::Sqrt, variance);
        for (std::size_t j = 0; j < n; ++j) {
            S value = divide(row[j] - mean, root);
            if (weight) value = value * weight[j];
            result[i * n + j] = bias ? value + bias[j] : value;
        }
    }
}

template <class S>
void row_reduce(ArrayOpKind kind, const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        result[i] = kind == ArrayOpKind::RowMax ? largest(row, n) : sum(row, n);
        if (kind == ArrayOpKind::RowMean) result[i] = divide(result[i], count<S>(n));
    }
}

}  // namespace

template <class S>
void ArrayOps<S>::matmul(const S* a, const S* b, S* result, std::size_t rows, std::size_t k, std::size_t n) {
    if constexpr (std::is_same_v<S, double>) return multiply(a, b, result, rows, k, n);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            S total{};
            for (std::size_t l = 0; l < k; ++l) total = total + a[i * k + l] * b[l * n + j];
            result[i * n + j] = total;
        }
}

template <class S>
void ArrayOps<S>::transpose(const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) result[j * rows + i] = a[i * n + j];
}

template <class S>
void ArrayOps<S>::outer(const S* a, const S* b, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) result[i * n + j] = a[i] * b[j];
}

template <class S>
void ArrayOps<S>::by_rows(const ArrayOp& op, const std::array<const S*, 3>& operands, S* result,
                          std::size_t rows, std::size_t n) {
    const auto [a, weight, bias] = operands;
    switch (op.kind) {
        case ArrayOpKind::Softmax:
            return softmax(a, result, rows, n);
        case ArrayOpKind::RmsNorm:
            return rmsnorm(op, a, weight, result, rows, n);
        case ArrayOpKind::LayerNorm:
            return layernorm(op, a, weight, bias, result, rows, n);
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
            return row_reduce(op.kind, a, result, rows, n);
        default:
            throw InternalError(describe(op.kind) + " does not work row by row");
    }
}

template struct ArrayOps<double>;
template struct ArrayOps<Exact>;

}  // namespace blockscope
