// The array program on whole arrays: the reference that shares nothing with blocks.
#include <algorithm>
#include <unordered_map>

#include "core/exec/array_ops.h"
#include "core/exec/evaluate.h"
#include "core/exec/scalar.h"
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
        std::vector<S> value = std::visit([this](const auto& kind) { return compute(kind); }, expr->value);
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
        if (op.source == InputSource::CausalMask) return causal_mask<S>(shape.at(0), shape.at(1));
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

}  // namespace blockscope
