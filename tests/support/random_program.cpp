#include "tests/support/random_program.h"

#include <array>

#include "tests/support/array_builder.h"
#include "tests/support/random.h"

namespace blockscope {

namespace {

struct Extent {
    int size;
    int block;
};

// Few blocks of few elements; most of them ragged, some a single block.
constexpr std::array<Extent, 10> kExtents{
    {{2, 1}, {3, 2}, {4, 2}, {3, 1}, {5, 2}, {7, 3}, {5, 1}, {2, 2}, {6, 2}, {1, 1}}};
// Of an axis whose rows are rotated: pairs in one block.
constexpr std::array<Extent, 3> kRotatedExtents{{{4, 4}, {6, 6}, {2, 2}}};

ExprPtr scaled(double factor) {
    return call(Fn::Mul, arg(0), number(factor));
}

ExprPtr sigmoid(const ExprPtr& x) {
    return call(Fn::Div, number(1), call(Fn::Add, number(1), call(Fn::Exp, call(Fn::Neg, x))));
}

class ProgramGenerator {
public:
    // Decided apart, so that all other programs are the same for one seed as ever.
    explicit ProgramGenerator(std::uint64_t seed)
        : random_(seed), rotates_(Random(seed ^ 0x9e3779b97f4a7c15U).chance(25)) {}

    ArrayProgram run() {
        make_dims();
        const int inputs = random_.between(1, 2);
        for (int i = 0; i < inputs; ++i) values_.push_back(fresh_input(random_matrix_shape()));
        const int motifs = random_.between(1, 4);
        constexpr int kMostOperators = 22;
        for (int i = 0; i < motifs && builder_.size() < kMostOperators; ++i) motif();
        outputs();
        return builder_.finish();
    }

private:
    using Motif = void (ProgramGenerator::*)();

    // ---- dimensions and inputs ----

    void make_dims() {
        std::vector<Extent> extents(kExtents.begin(), kExtents.end());
        const auto take = [&](std::size_t most) {
            const std::size_t at = static_cast<std::size_t>(random_.below(static_cast<int>(most)));
            const Extent extent = extents[at];
            extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(at));
            return extent;
        };
        const int count = random_.between(2, 4);
        const std::vector<std::string> names{"M", "K", "N", "L"};
        for (int i = 0; i < count; ++i) {
            const Extent taken = take(extents.size() - (random_.chance(70) ? 3 : 0));
            const Extent extent = rotates_ && i == 1 ? kRotatedExtents[random_.below(3)] : taken;
            axes_.push_back(builder_.dim(names[static_cast<std::size_t>(i)], extent.size, extent.block));
        }
        if (!random_.chance(20)) return;
        batch_.push_back(builder_.dim("B", 2, 1, DimKind::Batch));
        if (!random_.chance(50)) return;
        if (random_.chance(50))
            batch_.push_back(builder_.dim("G", 2, 1, DimKind::Group));
        else
            batch_.push_back(builder_.dim("H", 3, 1, DimKind::Batch));
    }

    // Inputs have all batch dimensions, or none of them as weights do, or lack the group dimension.
    std::vector<DimId> random_batch() {
        if (batch_.empty() || random_.chance(30)) return {};
        const bool grouped = builder_.dims()[batch_.back().value].kind == DimKind::Group;
        if (batch_.size() == 2 && grouped && random_.chance(50)) return {batch_[0]};
        return batch_;
    }

    DimId axis() { return random_.pick(axes_); }
    Shape random_matrix_shape() { return {random_batch(), {axis(), axis()}}; }

    int fresh_input(const Shape& shape) { return builder_.input("X" + std::to_string(++inputs_), shape); }

    // An operand of this shape: an earlier value (shared, used twice) or a new input.
    int operand(const Shape& shape, int percent_old = 45) {
        std::vector<int> fitting;
        for (int op = 0; op < builder_.size(); ++op)
            if (is_f32(op) && builder_.shape(op).axes == shape.axes &&
                builder_.joins(builder_.shape(op).batch, shape.batch))
                fitting.push_back(op);
        if (!fitting.empty() && random_.chance(percent_old)) return random_.pick(fitting);
        Shape fresh = shape;
        if (random_.chance(50)) fresh.batch.clear();
        return fresh_input(fresh);
    }

    // Operators want operands of one element type; other types occur inside `conversion` only.
    bool is_f32(int op) const { return builder_.op(op).elem == ElemType::F32; }
    bool is_matrix(int op) const { return builder_.shape(op).axes.size() == 2; }
    DimId rows(int op) const { return builder_.shape(op).axes[0]; }
    DimId cols(int op) const { return builder_.shape(op).axes[1]; }

    // A matrix, likely one of the last.
    int matrix() {
        for (int attempt = 0; attempt < 8; ++attempt) {
            const int count = builder_.size();
            const int op =
                random_.chance(60) ? count - 1 - random_.below(count < 3 ? count : 3) : random_.below(count);
            if (is_matrix(op) && is_f32(op)) return op;
        }
        return fresh_input(random_matrix_shape());
    }

    int vector_along(DimId dim, const std::vector<DimId>& batch) { return operand({batch, {dim}}, 60); }

    // ---- single operators ----

    ExprPtr unary() {
        switch (random_.below(12)) {
            case 0:
                return call(Fn::Exp, arg(0));
            case 1:
                return scaled(0.5);
            case 2:
                return call(Fn::Mul, arg(0), call(Fn::Pow, size_of(axis()), number(-0.5)));
            case 3:
                return call(Fn::Max, arg(0), number(0));
            case 4:
                return call(Fn::Tanh, arg(0));
            case 5:
                return call(Fn::Mul, arg(0), sigmoid(arg(0)));
            case 6:
                return call(Fn::Pow, arg(0), number(2));
            case 7:
                return call(Fn::Add, arg(0), number(1.5));
            case 8:
                return call(Fn::Div, number(1), arg(0));
            case 9:
                return call(Fn::Neg, arg(0));
            case 10:
                return call(Fn::Exp, scaled(0.25));
            default:
                return call(Fn::Sqrt, call(Fn::Abs, arg(0)));
        }
    }

    ExprPtr binary() {
        switch (random_.below(8)) {
            case 0:
            case 1:
            case 2:
                return call(Fn::Add, arg(0), arg(1));
            case 3:
            case 4:
                return call(Fn::Mul, arg(0), arg(1));
            case 5:
                return call(Fn::Sub, arg(0), arg(1));
            case 6:
                return call(Fn::Max, arg(0), arg(1));
            default:
                return call(Fn::Mul, arg(0), sigmoid(arg(1)));
        }
    }

    int push(int op) {
        values_.push_back(op);
        return op;
    }

    int map_one(int a) { return push(builder_.elementwise(unary(), {a})); }

    // Three batches, two of them parts of the third, cannot differ: operands are parts of `a`'s batch.
    int combine(int a, int b) { return push(builder_.elementwise(binary(), {a, b})); }

    // The right operand of a product: new, old, transposed, or the left operand's own transpose.
    int right_operand(int a) {
        const std::vector<DimId>& batch = builder_.shape(a).batch;
        if (random_.chance(12)) return builder_.transpose(a);
        const DimId n = random_.chance(25) ? rows(a) : axis();
        if (random_.chance(50)) return operand({batch, {cols(a), n}});
        return builder_.transpose(operand({batch, {n, cols(a)}}));
    }

    int product(int a) { return push(builder_.matmul(a, right_operand(a))); }

    // Product of `a` with a new weight of `n` columns.
    int project(int a, DimId n) {
        return push(builder_.matmul(a, operand({builder_.shape(a).batch, {cols(a), n}}, 20)));
    }

    int normalised(int a) {
        const bool paper = random_.chance(40);
        const bool weighted = !paper && random_.chance(45);
        const int weight = weighted ? vector_along(cols(a), {}) : -1;
        switch (random_.below(5)) {
            case 0:
                return push(builder_.softmax(a));
            case 1:
                return push(builder_.rms_norm(a, weight, paper));
            case 2: {
                const int bias = weighted && random_.chance(60) ? vector_along(cols(a), {}) : -1;
                return push(builder_.layer_norm(a, weight, bias, paper));
            }
            case 3:
                return by_rows(a, random_.chance(80) ? Fn::Mul : Fn::Div);
            default:
                return by_rows(a, random_.chance(70) ? Fn::Add : Fn::Sub);
        }
    }

    int by_rows(int a, Fn fn) {
        const int c = vector_along(rows(a), builder_.shape(a).batch);
        return push(builder_.broadcast(fn, a, c, VectorAxis::Rows));
    }

    // ---- motifs: what networks are made of, and what the rules look for ----

    void elementwise_chain() {
        int a = matrix();
        const int length = random_.between(1, 3);
        for (int i = 0; i < length; ++i) a = map_one(a);
    }

    void two_values() {
        const int a = matrix();
        const int b = operand(builder_.shape(a), 70);
        combine(a, b);
    }

    void product_and_activation() {
        const int a = product(matrix());
        if (random_.chance(60)) map_one(a);
    }

    // As a learned weight or bias does.
    int by_columns(int a, Fn fn) {
        const int r = vector_along(cols(a), builder_.shape(a).batch);
        return push(builder_.broadcast(fn, a, r, VectorAxis::Cols));
    }

    void scale_then_product() {
        int a = normalised(matrix());
        if (random_.chance(25)) a = by_columns(a, Fn::Mul);
        if (random_.chance(35)) a = by_columns(a, Fn::Add);
        product(a);
    }

    // One normalised value, two or three products, put together or not.
    void fork() {
        const int a = normalised(matrix());
        const DimId n = axis();
        const int left = project(a, n);
        const int right = project(a, random_.chance(80) ? n : axis());
        if (random_.chance(20)) project(a, axis());
        if (random_.chance(15)) combine(a, a);
        if (cols(left) != cols(right)) return;
        const int both = combine(random_.chance(50) ? map_one(left) : left, right);
        if (random_.chance(50)) project(both, axis());
    }

    void residual() {
        const int a = matrix();
        int b = random_.chance(60) ? normalised(a) : a;
        if (random_.chance(40)) b = map_one(project(b, axis()));
        b = project(b, cols(a));
        combine(a, b);
    }

    // A matrix with its pairs rotated, where its columns can be; else as it is.
    int rotated(int a) {
        const Dim& dim = builder_.dims()[cols(a).value];
        const bool whole = meets(dim, BlockNeed::Whole) && random_.chance(70);
        if (!whole && !meets(dim, BlockNeed::Even)) return a;
        const Shape shape = builder_.shape(a);
        const std::vector<DimId> batch = random_.chance(50) ? shape.batch : std::vector<DimId>{};
        const int cosines = fresh_input({batch, shape.axes});
        const int sines = random_.chance(15) ? cosines : fresh_input({{}, shape.axes});
        return push(
            builder_.rope(whole ? ArrayOpKind::Rope : ArrayOpKind::RopeInterleaved, a, cosines, sines));
    }

    void rotation() {
        int a = rotated(matrix());
        if (random_.chance(40)) a = by_rows(a, Fn::Mul);
        if (random_.chance(60)) project(a, axis());
    }

    void attention() {
        int q = matrix();
        if (rotates_ && random_.chance(60)) q = rotated(q);
        const std::vector<DimId> batch = builder_.shape(q).batch;
        const DimId n = random_.chance(40) ? rows(q) : axis();
        int k = operand({batch, {n, cols(q)}});
        if (rotates_ && random_.chance(60)) k = rotated(k);
        int scores = push(builder_.matmul(q, builder_.transpose(k)));
        if (random_.chance(60)) scores = push(builder_.elementwise(scaled(0.125), {scores}));
        if (random_.chance(25)) scores = masked(scores);
        const int weights = push(builder_.softmax(scores));
        project(weights, random_.chance(50) ? cols(q) : axis());
    }

    int masked(int scores) {
        const Shape shape{{}, builder_.shape(scores).axes};
        const bool causal = random_.chance(60);
        const std::string name = "X" + std::to_string(++inputs_);
        const int mask =
            causal ? builder_.causal_mask(name, shape, random_.chance(40) ? random_.between(1, 9) : 0)
                   : builder_.input(name, shape);
        return push(builder_.add(scores, mask));
    }

    void bias() {
        const int a = matrix();
        const bool by_rows = random_.chance(40);
        const int b = vector_along(by_rows ? rows(a) : cols(a), builder_.shape(a).batch);
        const std::vector<Fn> fns{Fn::Add, Fn::Sub, Fn::Mul, Fn::Div};
        const VectorAxis axis = by_rows ? VectorAxis::Rows : VectorAxis::Cols;
        const Fn fn = random_.pick(fns);
        push(random_.chance(80) ? builder_.broadcast(fn, a, b, axis) : builder_.broadcast(fn, b, a, axis));
    }

    void row_vectors() {
        const int a = matrix();
        const std::vector<ArrayOpKind> kinds{ArrayOpKind::RowSum, ArrayOpKind::RowMean, ArrayOpKind::RowMax};
        int v = push(builder_.row(random_.pick(kinds), a));
        if (random_.chance(50)) v = map_one(v);
        if (random_.chance(40)) v = combine(v, operand(builder_.shape(v), 60));
        if (random_.chance(50)) {
            push(builder_.broadcast(random_.chance(50) ? Fn::Mul : Fn::Add, a, v, VectorAxis::Rows));
        } else if (random_.chance(50)) {
            push(builder_.outer(v, vector_along(axis(), builder_.shape(v).batch)));
        }
    }

    void transposition() {
        const int a = push(builder_.transpose(matrix()));
        if (random_.chance(70)) map_one(a);
    }

    void miscellaneous() {
        const int a = matrix();
        std::vector<int> operands{a};
        if (random_.chance(30)) operands.push_back(random_.pick(values_));
        const Shape shape{builder_.shape(a).batch,
                          random_.chance(80) ? builder_.shape(a).axes : std::vector<DimId>{rows(a)}};
        push(builder_.custom("mystery", operands, shape));
    }

    void batch_sum() {
        if (batch_.empty()) return elementwise_chain();
        const int a = random_.chance(50) ? fresh_input({batch_, {axis(), axis()}}) : matrix();
        const std::vector<DimId> batch = builder_.shape(a).batch;
        if (!batch.empty()) push(builder_.sum_over(a, random_.pick(batch)));
    }

    void conversion() {
        const std::vector<ElemType> types{ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2};
        const int a = push(builder_.cast(matrix(), random_.pick(types)));
        push(builder_.cast(map_one(a), ElemType::F32));
        if (random_.chance(90)) map_one(values_.back());
    }

    // A normalised value and a weight in a narrow type, and their product in the wide one.
    void narrow_product() {
        const int a = normalised(matrix());
        const int b = right_operand(a);
        const ElemType narrow = random_.chance(50) ? ElemType::BF16 : ElemType::E4M3;
        const int product = builder_.matmul(builder_.cast(a, narrow), builder_.cast(b, narrow));
        push(builder_.cast(product, ElemType::F32));
        if (random_.chance(70)) map_one(values_.back());
    }

    void motif() {
        const std::vector<Motif> motifs{&ProgramGenerator::elementwise_chain,
                                        &ProgramGenerator::two_values,
                                        &ProgramGenerator::product_and_activation,
                                        &ProgramGenerator::scale_then_product,
                                        &ProgramGenerator::fork,
                                        &ProgramGenerator::residual,
                                        &ProgramGenerator::attention,
                                        &ProgramGenerator::bias,
                                        &ProgramGenerator::row_vectors,
                                        &ProgramGenerator::transposition,
                                        &ProgramGenerator::miscellaneous,
                                        &ProgramGenerator::batch_sum,
                                        &ProgramGenerator::conversion,
                                        &ProgramGenerator::narrow_product,
                                        &ProgramGenerator::rotation};
        const std::vector<int> weights{8, 8, 12, 14, 16, 14, 10, 8, 8, 5, 3, 6, 3, 10, rotates_ ? 40 : 0};
        (this->*motifs[static_cast<std::size_t>(random_.weighted(weights))])();
    }

    // Unused results are outputs, but for the last often only that one; some used values are outputs too.
    void outputs() {
        std::vector<char> used(static_cast<std::size_t>(builder_.size()), 0);
        for (int op = 0; op < builder_.size(); ++op)
            for (const int operand : builder_.op(op).operands) used[static_cast<std::size_t>(operand)] = 1;
        const int last = values_.back();
        const bool all = random_.chance(50);
        int count = 0;
        for (const int op : values_) {
            const bool computed = builder_.op(op).kind != ArrayOpKind::Input;
            const bool sink = all && !used[static_cast<std::size_t>(op)];
            if (op != last && !(computed && (sink || random_.chance(6)))) continue;
            if (!computed || count >= 4) continue;
            builder_.output("Y" + std::to_string(++count), op);
            if (random_.chance(3)) builder_.output("Y" + std::to_string(++count), op);
        }
        if (count == 0) builder_.output("Y1", map_one(values_.back()));
    }

    Random random_;
    bool rotates_;
    ArrayBuilder builder_;
    std::vector<DimId> axes_;
    std::vector<DimId> batch_;
    std::vector<int> values_;
    int inputs_ = 0;
};

}  // namespace

ArrayProgram random_array_program(std::uint64_t seed) {
    return ProgramGenerator(seed).run();
}

}  // namespace blockscope
