// Arithmetic on constants: shapes, indices and masks that exporters leave to be computed.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/import/shapes.h"

namespace blockscope::model {
namespace {

constexpr std::int64_t kMostFolded = std::int64_t{1} << 24;  // elements of a result
constexpr std::size_t kMostFactors = 4096;                   // of a product, which is that of a shape

// Not by std::abs, which the smallest number of all has no result for.
bool is_small(std::int64_t number) {
    return -kMostFolded < number && number < kMostFolded;
}

// A constant operand with its shape.
struct Operand {
    TensorKind kind = TensorKind::Other;
    Sizes sizes;
    const TensorValues* values = nullptr;

    bool real() const { return is_real(kind); }
};

// Row-major steps.
Sizes steps_of(const Sizes& sizes) {
    Sizes steps(sizes.size(), 1);
    for (std::size_t i = sizes.size(); i-- > 1;)
        steps[i - 1] = steps[i] * std::max<std::int64_t>(sizes[i], 1);
    return steps;
}

// Steps through `sizes` when it is spread over `result`: 0 along axes that it lacks.
Sizes spread_steps(const Sizes& sizes, const Sizes& result) {
    const Sizes own = steps_of(sizes);
    Sizes steps(result.size(), 0);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i] != 1) steps[result.size() - sizes.size() + i] = own[i];
    return steps;
}

// Calls `visit` with the offset of each element of `sizes`, in row-major order.
template <class Visit>
void walk(const Sizes& sizes, std::int64_t start, const Sizes& steps, const Visit& visit) {
    const std::int64_t count = product(sizes);
    Sizes index(sizes.size(), 0);
    std::int64_t offset = start;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(offset);
        for (std::size_t axis = sizes.size(); axis-- > 0;) {
            offset += steps[axis];
            if (++index[axis] < sizes[axis]) break;
            offset -= steps[axis] * sizes[axis];
            index[axis] = 0;
        }
    }
}

class Folding {
public:
    Folding(const TensorGraph& graph, const GraphNode& node) : graph_(graph), node_(node) {}

    std::optional<FoldedTensor> run() {
        if (node_.op == "Shape" || node_.op == "Size") return shape();
        if (node_.outputs.size() != 1 || !operands()) return std::nullopt;
        const auto rule = rules().find(node_.op);
        if (rule == rules().end()) return std::nullopt;
        if (node_.op != "Range") {
            const GraphTensor& made = graph_.tensors[static_cast<std::size_t>(node_.outputs[0])];
            const std::optional<Sizes> sizes = sizes_of(made);
            if (!sizes || product(*sizes) > kMostFolded) return std::nullopt;
            sizes_ = *sizes;
            kind_ = made.kind;
        }
        return rule->second(*this);
    }

private:
    using Rule = std::function<std::optional<FoldedTensor>(const Folding&)>;
    static const std::map<std::string, Rule>& rules();

    bool operands() {
        for (const int input : node_.inputs) {
            if (input < 0) {
                in_.push_back({});
                continue;
            }
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(input)];
            const std::optional<Sizes> sizes = sizes_of(tensor);
            if (!tensor.values || !sizes || product(*sizes) > 4 * kMostFolded) return false;
            in_.push_back({tensor.kind, *sizes, &*tensor.values});
        }
        return true;
    }

    bool there(std::size_t i) const { return i < in_.size() && in_[i].values != nullptr; }

    std::optional<FoldedTensor> shape() const {
        if (node_.inputs.empty() || node_.inputs[0] < 0) return std::nullopt;
        const auto sizes = sizes_of(graph_.tensors[static_cast<std::size_t>(node_.inputs[0])]);
        if (!sizes) return std::nullopt;
        if (node_.op == "Size")
            return FoldedTensor{TensorKind::I64, {}, TensorValues::of_whole({product(*sizes)})};
        const auto rank = static_cast<std::int64_t>(sizes->size());
        const auto place = [&](std::int64_t at) {
            return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
        };
        const std::int64_t start = place(whole_attribute(node_, "start", 0));
        const std::int64_t end = std::max(start, place(whole_attribute(node_, "end", rank)));
        const Sizes part(sizes->begin() + start, sizes->begin() + end);
        return FoldedTensor{TensorKind::I64, {end - start}, TensorValues::of_whole(part)};
    }

    FoldedTensor made(const std::vector<double>& numbers) const {
        return {kind_, sizes_, TensorValues::of_real(numbers)};
    }
    FoldedTensor made(const std::vector<std::int64_t>& numbers, TensorKind kind) const {
        return {kind, sizes_, TensorValues::of_whole(numbers, kind)};
    }

    // The first operand's elements at the offsets that steps give.
    std::optional<FoldedTensor> moved(std::int64_t start, const Sizes& steps) const {
        if (!there(0)) return std::nullopt;
        const TensorValues& from = *in_[0].values;
        if (in_[0].real()) {
            std::vector<double> numbers;
            walk(sizes_, start, steps,
                 [&](std::int64_t at) { numbers.push_back(from.real(std::size_t(at))); });
            return FoldedTensor{in_[0].kind, sizes_, TensorValues::of_real(numbers)};
        }
        std::vector<std::int64_t> numbers;
        walk(sizes_, start, steps, [&](std::int64_t at) { numbers.push_back(from.whole(std::size_t(at))); });
        return FoldedTensor{in_[0].kind, sizes_, TensorValues::of_whole(numbers, in_[0].kind)};
    }
    std::optional<FoldedTensor> same_order() const { return moved(0, steps_of(sizes_)); }

    std::optional<FoldedTensor> transpose() const {
        if (!there(0)) return std::nullopt;
        const Sizes own = steps_of(in_[0].sizes);
        const Sizes order = list_attribute(node_, "perm").value_or(Sizes());
        Sizes steps;
        for (std::size_t i = 0; i < own.size(); ++i)
            steps.push_back(own[order.empty() ? own.size() - 1 - i : static_cast<std::size_t>(order[i])]);
        return moved(0, steps);
    }

    std::optional<FoldedTensor> slice() const {
        const auto ranges = there(0) ? slice_ranges(graph_, node_, in_[0].sizes) : std::nullopt;
        if (!ranges) return std::nullopt;
        const Sizes own = steps_of(in_[0].sizes);
        std::int64_t start = 0;
        Sizes steps;
        for (std::size_t i = 0; i < own.size(); ++i) {
            start += (*ranges)[i].start * own[i];
            steps.push_back((*ranges)[i].step * own[i]);
        }
        return moved(start, steps);
    }

    std::optional<FoldedTensor> expand() const {
        return there(0) ? moved(0, spread_steps(in_[0].sizes, sizes_)) : std::nullopt;
    }

    std::optional<FoldedTensor> gather() const {
        if (!there(0) || !there(1)) return std::nullopt;
        const std::optional<std::size_t> axis =
            axis_of(whole_attribute(node_, "axis", 0), in_[0].sizes.size());
        if (!axis) return std::nullopt;
        const Sizes& sizes = in_[0].sizes;
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(*axis);
        const std::int64_t outer = product(Sizes(sizes.begin(), middle));
        const std::int64_t inner = product(Sizes(middle + 1, sizes.end()));
        std::vector<std::int64_t> from;
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::size_t i = 0; i < in_[1].values->count(); ++i) {
                std::int64_t at = in_[1].values->whole(i);
                if (at < 0) at += *middle;
                if (at < 0 || at >= *middle) return std::nullopt;
                for (std::int64_t k = 0; k < inner; ++k) from.push_back((o * *middle + at) * inner + k);
            }
        return picked(from);
    }

    std::optional<FoldedTensor> picked(const std::vector<std::int64_t>& from) const {
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (const std::int64_t at : from) {
            if (in_[0].real()) {
                reals.push_back(in_[0].values->real(std::size_t(at)));
            } else {
                wholes.push_back(in_[0].values->whole(std::size_t(at)));
            }
        }
        return in_[0].real() ? made(reals) : made(wholes, in_[0].kind);
    }

    std::optional<FoldedTensor> concat() const {
        if (!there(0)) return std::nullopt;
        const std::optional<std::size_t> axis = axis_of(whole_attribute(node_, "axis", 0), sizes_.size());
        if (!axis) return std::nullopt;
        const std::int64_t outer =
            product(Sizes(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(*axis)));
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::size_t i = 0; i < in_.size(); ++i) {
                if (!there(i)) return std::nullopt;
                const std::int64_t each = product(in_[i].sizes) / std::max<std::int64_t>(outer, 1);
                for (std::int64_t k = o * each; k < (o + 1) * each; ++k) {
                    if (in_[0].real())
                        reals.push_back(in_[i].values->real(std::size_t(k)));
                    else
                        wholes.push_back(in_[i].values->whole(std::size_t(k)));
                }
            }
        return in_[0].real() ? made(reals) : made(wholes, in_[0].kind);
    }

    std::optional<FoldedTensor> cast() const {
        if (!there(0) || kind_ == TensorKind::Other) return std::nullopt;
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (std::size_t i = 0; i < in_[0].values->count(); ++i) {
            if (is_real(kind_))
                reals.push_back(in_[0].values->real(i));
            else if (kind_ == TensorKind::Bool)
                wholes.push_back(in_[0].values->real(i) != 0 ? 1 : 0);
            else
                wholes.push_back(in_[0].values->whole(i));
        }
        return is_real(kind_) ? made(reals) : made(wholes, kind_);
    }

    std::optional<FoldedTensor> filled() const {
        const auto value = node_.attributes.find("value");
        const GraphTensor* fill =
            value != node_.attributes.end() ? std::get_if<GraphTensor>(&value->second) : nullptr;
        if (value != node_.attributes.end() &&
            (fill == nullptr || !fill->values || fill->values->count() != 1))
            return std::nullopt;
        const auto count = static_cast<std::size_t>(product(sizes_));
        if (fill != nullptr && !is_real(fill->kind))
            return made(std::vector<std::int64_t>(count, fill->values->whole(0)), fill->kind);
        return made(std::vector<double>(count, fill != nullptr ? fill->values->real(0) : 0));
    }

    std::optional<FoldedTensor> range() const {
        if (!there(0) || !there(1) || !there(2) || in_[0].real()) return std::nullopt;
        for (std::size_t i = 0; i < 3; ++i)
            if (in_[i].values->count() != 1) return std::nullopt;
        const std::int64_t start = in_[0].values->whole(0);
        const std::int64_t end = in_[1].values->whole(0);
        const std::int64_t step = in_[2].values->whole(0);
        if (step == 0 || !is_small(start) || !is_small(end) || !is_small(step)) return std::nullopt;
        std::vector<std::int64_t> numbers;
        for (std::int64_t at = start; step > 0 ? at < end : at > end; at += step) {
            if (static_cast<std::int64_t>(numbers.size()) == kMostFolded) return std::nullopt;
            numbers.push_back(at);
        }
        const auto count = static_cast<std::int64_t>(numbers.size());
        return FoldedTensor{in_[0].kind, {count}, TensorValues::of_whole(numbers)};
    }

    std::optional<FoldedTensor> trilu() const {
        if (!there(0) || sizes_.size() < 2) return std::nullopt;
        const bool upper = whole_attribute(node_, "upper", 1) != 0;
        const std::int64_t shift = there(1) && in_[1].values->count() == 1 ? in_[1].values->whole(0) : 0;
        const std::int64_t rows = sizes_[sizes_.size() - 2];
        const std::int64_t cols = sizes_.back();
        if (shift < -kMostFolded || shift > kMostFolded) return std::nullopt;
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (std::int64_t i = 0; i < product(sizes_); ++i) {
            const std::int64_t row = i / cols % rows;
            const std::int64_t col = i % cols;
            const bool kept = upper ? col >= row + shift : col <= row + shift;
            if (in_[0].real())
                reals.push_back(kept ? in_[0].values->real(std::size_t(i)) : 0);
            else
                wholes.push_back(kept ? in_[0].values->whole(std::size_t(i)) : 0);
        }
        return in_[0].real() ? made(reals) : made(wholes, in_[0].kind);
    }

    // Calls `each` with the offsets of operands 0 and 1 that belong together.
    template <class Each>
    void pairs(const Each& each) const {
        std::vector<std::int64_t> first;
        first.reserve(static_cast<std::size_t>(product(sizes_)));
        walk(sizes_, 0, spread_steps(in_[0].sizes, sizes_), [&](std::int64_t at) { first.push_back(at); });
        std::size_t next = 0;
        walk(sizes_, 0, spread_steps(in_[1].sizes, sizes_),
             [&](std::int64_t at) { each(first[next++], at); });
    }

    template <class Real, class Whole>
    std::optional<FoldedTensor> arithmetic(const Real& real, const Whole& whole) const {
        if (!there(0) || !there(1) || in_.size() != 2) return std::nullopt;
        const TensorValues& a = *in_[0].values;
        const TensorValues& b = *in_[1].values;
        if (in_[0].real()) {
            std::vector<double> numbers;
            pairs([&](std::int64_t i, std::int64_t k) {
                numbers.push_back(real(a.real(std::size_t(i)), b.real(std::size_t(k))));
            });
            return made(numbers);
        }
        std::vector<std::int64_t> numbers;
        bool good = true;
        pairs([&](std::int64_t i, std::int64_t k) {
            const std::optional<std::int64_t> one = whole(a.whole(std::size_t(i)), b.whole(std::size_t(k)));
            good = good && one.has_value();
            numbers.push_back(one.value_or(0));
        });
        if (!good) return std::nullopt;
        return made(numbers, kind_);
    }

    std::optional<FoldedTensor> unary(double (*function)(double)) const {
        if (!there(0)) return std::nullopt;
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (std::size_t i = 0; i < in_[0].values->count(); ++i)
            reals.push_back(function(in_[0].values->real(i)));
        if (is_real(kind_)) return made(reals);
        for (const double number : reals) {
            if (!(std::fabs(number) < 9e18)) return std::nullopt;
            wholes.push_back(static_cast<std::int64_t>(number));
        }
        return made(wholes, kind_);
    }

    std::optional<FoldedTensor> where() const {
        if (!there(0) || !there(1) || !there(2)) return std::nullopt;
        std::vector<std::int64_t> at[3];
        for (std::size_t i = 0; i < 3; ++i)
            walk(sizes_, 0, spread_steps(in_[i].sizes, sizes_), [&](std::int64_t k) { at[i].push_back(k); });
        std::vector<double> reals;
        std::vector<std::int64_t> wholes;
        for (std::size_t i = 0; i < at[0].size(); ++i) {
            const std::size_t from = in_[0].values->whole(std::size_t(at[0][i])) != 0 ? 1 : 2;
            if (in_[1].real())
                reals.push_back(in_[from].values->real(std::size_t(at[from][i])));
            else
                wholes.push_back(in_[from].values->whole(std::size_t(at[from][i])));
        }
        return in_[1].real() ? made(reals) : made(wholes, in_[1].kind);
    }

    // The largest or least along axes, as the bias of an attention is looked at for rows that see nothing.
    std::optional<FoldedTensor> extreme(bool largest) const {
        if (!there(0) || !in_[0].real()) return std::nullopt;
        const Sizes& sizes = in_[0].sizes;
        const auto axes = axes_of(graph_, node_, 1, sizes.size(), true);
        if (!axes || product(sizes) == 0) return std::nullopt;
        // Steps through the result: 0 along what is reduced.
        Sizes kept = sizes;
        for (const std::size_t axis : *axes) kept[axis] = 1;
        std::vector<std::int64_t> to;
        walk(sizes, 0, spread_steps(kept, sizes), [&](std::int64_t at) { to.push_back(at); });
        std::vector<double> numbers(static_cast<std::size_t>(product(kept)));
        for (std::size_t i = 0; i < to.size(); ++i)
            numbers[static_cast<std::size_t>(to[i])] = in_[0].values->real(i);
        for (std::size_t i = 0; i < to.size(); ++i) {
            double& number = numbers[static_cast<std::size_t>(to[i])];
            const double other = in_[0].values->real(i);
            number = largest ? std::max(number, other) : std::min(number, other);
        }
        return static_cast<std::int64_t>(numbers.size()) == product(sizes_) ? std::optional(made(numbers))
                                                                            : std::nullopt;
    }

    std::optional<FoldedTensor> reduced() const {
        if (!there(0) || sizes_.size() > 1 || product(sizes_) != 1 || in_[0].real()) return std::nullopt;
        if (in_[0].values->count() > kMostFactors) return std::nullopt;
        std::int64_t result = 1;
        for (const std::int64_t number : in_[0].values->wholes()) {
            if (number == INT64_MIN) return std::nullopt;
            if (number != 0 && std::abs(result) > (std::int64_t{1} << 60) / std::abs(number))
                return std::nullopt;
            result *= number;
        }
        return made(std::vector{result}, in_[0].kind);
    }

    template <class Compare>
    static Rule comparison(Compare compare) {
        return [compare](const Folding& f) -> std::optional<FoldedTensor> {
            if (!f.there(0) || !f.there(1)) return std::nullopt;
            const Operand& a = f.in_[0];
            const Operand& b = f.in_[1];
            std::vector<std::int64_t> numbers;
            f.pairs([&](std::int64_t i, std::int64_t k) {
                const auto left = std::size_t(i);
                const auto right = std::size_t(k);
                numbers.push_back(a.real() ? compare(a.values->real(left), b.values->real(right))
                                           : compare(a.values->whole(left), b.values->whole(right)));
            });
            return f.made(numbers, TensorKind::Bool);
        };
    }

    const TensorGraph& graph_;
    const GraphNode& node_;
    std::vector<Operand> in_;
    Sizes sizes_;
    TensorKind kind_ = TensorKind::Other;
};

using Whole = std::int64_t;
using MaybeWhole = std::optional<std::int64_t>;

MaybeWhole sum_of(Whole a, Whole b) {
    Whole result = 0;
    return __builtin_add_overflow(a, b, &result) ? MaybeWhole() : result;
}
MaybeWhole difference_of(Whole a, Whole b) {
    Whole result = 0;
    return __builtin_sub_overflow(a, b, &result) ? MaybeWhole() : result;
}
MaybeWhole product_of(Whole a, Whole b) {
    Whole result = 0;
    return __builtin_mul_overflow(a, b, &result) ? MaybeWhole() : result;
}
bool divides(Whole a, Whole b) {
    return b != 0 && !(b == -1 && a == INT64_MIN);
}

// With the sign of the divisor.
Whole remainder_of(Whole a, Whole b) {
    const Whole rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

const std::map<std::string, Folding::Rule>& Folding::rules() {
    static const std::map<std::string, Rule> table = [] {
        std::map<std::string, Rule> rows;
        for (const char* op : {"Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"})
            rows[op] = &Folding::same_order;
        rows["Transpose"] = &Folding::transpose;
        rows["Slice"] = &Folding::slice;
        rows["Expand"] = &Folding::expand;
        rows["Gather"] = &Folding::gather;
        rows["Concat"] = &Folding::concat;
        rows["Cast"] = &Folding::cast;
        rows["ConstantOfShape"] = &Folding::filled;
        rows["Range"] = &Folding::range;
        rows["Trilu"] = &Folding::trilu;
        rows["Where"] = &Folding::where;
        rows["ReduceProd"] = &Folding::reduced;
        rows["ReduceMax"] = [](const Folding& f) { return f.extreme(true); };
        rows["ReduceMin"] = [](const Folding& f) { return f.extreme(false); };
        const auto no_whole = [](Whole, Whole) { return MaybeWhole(); };
        rows["Add"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return a + b; }, sum_of);
        };
        rows["Sub"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return a - b; }, difference_of);
        };
        rows["Mul"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return a * b; }, product_of);
        };
        rows["Div"] = [](const Folding& f) {
            return f.arithmetic(
                [](double a, double b) { return a / b; },
                [](Whole a, Whole b) { return divides(a, b) ? MaybeWhole(a / b) : MaybeWhole(); });
        };
        rows["Mod"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return std::fmod(a, b); },
                                [](Whole a, Whole b) {
                                    return divides(a, b) ? MaybeWhole(remainder_of(a, b)) : MaybeWhole();
                                });
        };
        rows["Pow"] = [no_whole](const Folding& f) {
            return f.arithmetic([](double a, double b) { return std::pow(a, b); }, no_whole);
        };
        rows["Max"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return std::max(a, b); },
                                [](Whole a, Whole b) { return MaybeWhole(std::max(a, b)); });
        };
        rows["Min"] = [](const Folding& f) {
            return f.arithmetic([](double a, double b) { return std::min(a, b); },
                                [](Whole a, Whole b) { return MaybeWhole(std::min(a, b)); });
        };
        const std::pair<const char*, double (*)(double)> unary_rows[] = {
            {"Sqrt", std::sqrt},
            {"Exp", std::exp},
            {"Log", std::log},
            {"Neg", [](double x) { return -x; }},
            {"Abs", std::fabs},
            {"Cos", std::cos},
            {"Sin", std::sin},
            {"Reciprocal", [](double x) { return 1 / x; }},
            {"Ceil", std::ceil},
            {"Floor", std::floor},
            {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }}};
        for (const auto& [op, function] : unary_rows)
            rows[op] = [function = function](const Folding& f) { return f.unary(function); };
        rows["Equal"] = comparison([](auto a, auto b) { return a == b; });
        rows["Less"] = comparison([](auto a, auto b) { return a < b; });
        rows["Greater"] = comparison([](auto a, auto b) { return a > b; });
        rows["LessOrEqual"] = comparison([](auto a, auto b) { return a <= b; });
        rows["GreaterOrEqual"] = comparison([](auto a, auto b) { return a >= b; });
        rows["And"] = comparison([](auto a, auto b) { return a != 0 && b != 0; });
        rows["Or"] = comparison([](auto a, auto b) { return a != 0 || b != 0; });
        return rows;
    }();
    return table;
}

}  // namespace

std::optional<FoldedTensor> folded(const TensorGraph& graph, const GraphNode& node) {
    return Folding(graph, node).run();
}

}  // namespace blockscope::model
