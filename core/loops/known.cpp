#include "core/loops/lowering.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/scalar/primitives.h"
#include "core/support/result.h"

namespace blockscope::lowering {

namespace {

using Kind = Known::Kind;

// Numbers between these are no masks, nor what is left of one by a factor of the size of a head.
constexpr double kOrdinary = 1e9;

// What begins the key of a value; operators and functions follow in it.
enum class Made : std::uint8_t { Before, Load, Function, Functional, Cast, Sum };

std::int64_t code(Made made) {
    return static_cast<std::int64_t>(made);
}
std::int64_t code(const Known& a) {
    return a.is(Kind::Constant) ? std::bit_cast<std::int64_t>(a.value) : a.term;
}

bool infinite(const Known& a) {
    return a.is(Kind::Constant) && !std::isfinite(a.value);
}
bool lowest(const Known& a) {
    return infinite(a) && a.value < 0;
}
bool factor(const Known& a) {
    return a.is(Kind::Constant) && a.value > 1 / kOrdinary && a.value < kOrdinary;
}

// A vector of numbers for rows that is spread along the columns of a block, say: what is then known of one
// row of the block depends on all rows of the vector.
bool mixes_rows(const Known& a, const Known& b) {
    if (a.by_rows && b.by_rows) return a.rank != b.rank;
    if (!a.by_rows && !b.by_rows) return false;
    const Known& one = a.by_rows ? a : b;
    const Known& other = a.by_rows ? b : a;
    const bool anywhere = other.is(Kind::Constant) && other.rank < 0;
    return !anywhere && one.rank < 2 && (other.rank < 0 || other.rank > one.rank);
}

bool mixes_rows(FunctionalOp op, const Known& a, const Known& b) {
    switch (functional_operator(op).form) {
        case FunctionalForm::ByElement:
            return mixes_rows(a, b);
        case FunctionalForm::FoldRows:
        case FunctionalForm::WithRows:
        case FunctionalForm::Rotate:
            return false;
        case FunctionalForm::FoldAll:
            return a.by_rows;
        case FunctionalForm::WithCols:
        case FunctionalForm::Outer:
        case FunctionalForm::Contract:
            return b.by_rows;
    }
    throw InternalError("unknown form of a functional operator");
}

int rank_of(FunctionalOp op, const Known& a, const Known& b) {
    switch (functional_operator(op).form) {
        case FunctionalForm::ByElement:
            return std::max(a.rank, b.rank);
        case FunctionalForm::WithRows:
        case FunctionalForm::WithCols:
        case FunctionalForm::Rotate:
            return a.rank;
        case FunctionalForm::FoldRows:
            return 1;
        case FunctionalForm::FoldAll:
            return 0;
        case FunctionalForm::Outer:
        case FunctionalForm::Contract:
            return 2;
    }
    throw InternalError("unknown form of a functional operator");
}

}  // namespace

bool Known::ordinary() const {
    return kind == Kind::Ordinary || (kind == Kind::Constant && std::abs(value) < kOrdinary);
}

bool Known::same(const Known& other) const {
    if (kind != other.kind) return false;
    if (kind == Kind::Constant) return value == other.value;
    return (kind == Kind::Ordinary || kind == Kind::Partly) && term == other.term;
}

int KnownValues::term(Key key) {
    const int next = static_cast<int>(terms_.size()) + 1;
    return terms_.emplace(std::move(key), next).first->second;
}

Known KnownValues::before(Temp temp) {
    return {.kind = Kind::Ordinary, .term = term({code(Made::Before), temp.id})};
}

Known KnownValues::loaded(const Load& load, int rank, Kind kind) {
    Key key{code(Made::Load), load.buffer};
    for (const Index& index : load.at)
        key.insert(key.end(), {index.zero ? 1 : 0, index.zero ? 0 : index.var.dim.value,
                               index.zero ? 0 : index.var.depth});
    return {.kind = kind, .term = term(std::move(key)), .rank = rank};
}

Known KnownValues::cast(ElemType to, const Known& a) {
    if (!a.is(Kind::Ordinary) && !a.is(Kind::Partly)) return a;
    Known result = a;
    result.term = term({code(Made::Cast), static_cast<std::int64_t>(to), a.term});
    return result;
}

Known KnownValues::summed(NodeId loop, const Known& added) {
    if (added.is(0) || added.is(Kind::VeryLow)) return added;
    if (!added.ordinary()) return kNothing;
    Known result = added;
    result.kind = Kind::Ordinary;
    result.term = term({code(Made::Sum), loop.value, static_cast<std::int64_t>(added.kind), code(added)});
    return result;
}

Known KnownValues::applied(Fn fn, const Known& a, const Known& b) {
    const bool two = primitive(fn).arity == 2;
    Known result = by_element(fn, a, two ? b : a);
    if (two && mixes_rows(a, b)) result = kNothing;
    result.rank = std::max(a.rank, b.rank);
    result.by_rows = a.by_rows || b.by_rows;
    return result;
}

Known KnownValues::applied(FunctionalOp op, const Known& a, const Known& b) {
    Known result = mixes_rows(op, a, b) ? kNothing : functional(op, a, b);
    result.rank = rank_of(op, a, b);
    result.by_rows = a.by_rows || b.by_rows;
    return result;
}

Known KnownValues::made(Key key, const Known& a, const Known& b, Kind kind) {
    for (const Known& one : {a, b}) key.insert(key.end(), {static_cast<std::int64_t>(one.kind), code(one)});
    return {.kind = kind, .term = term(std::move(key))};
}

Known KnownValues::made_if_ordinary(Key key, const Known& a, const Known& b) {
    return a.ordinary() && b.ordinary() ? made(std::move(key), a, b) : kNothing;
}

Known KnownValues::negative(const Known& a) {
    if (a.is(Kind::Constant)) return constant(-a.value);
    if (!a.is(Kind::Ordinary)) return kNothing;
    if (const auto found = negated_.find(a.term); found != negated_.end()) return found->second;
    const Known result = made({code(Made::Function), static_cast<std::int64_t>(Fn::Neg)}, a, a);
    negated_.emplace(result.term, a);
    return result;
}

Known KnownValues::sum(const Known& a, const Known& b) {
    const Key key{code(Made::Function), static_cast<std::int64_t>(Fn::Add)};
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
        if (infinite(one)) return other.ordinary() ? one : kNothing;
        if (one.is(Kind::VeryLow)) return other.is(Kind::VeryLow) || other.ordinary() ? one : kNothing;
        if (one.is(Kind::Partly)) return other.ordinary() ? made(key, a, b, Kind::Partly) : kNothing;
    }
    if (a.is(Kind::Ordinary) && negative(a).same(b)) return constant(0);
    return made_if_ordinary(key, a, b);
}

Known KnownValues::product(const Known& a, const Known& b) {
    const Key key{code(Made::Function), static_cast<std::int64_t>(Fn::Mul)};
    for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
        if (one.is(1)) return other;
        if (one.is(0) && !other.is(Kind::Nothing) && !infinite(other)) return constant(0);
        if (one.is(Kind::VeryLow)) return factor(other) ? one : kNothing;
        if (one.is(Kind::Partly)) return factor(other) ? made(key, a, b, Kind::Partly) : kNothing;
    }
    return made_if_ordinary(key, a, b);
}

Known KnownValues::quotient(const Known& a, const Known& b) {
    if (b.is(1) || (a.is(0) && b.ordinary() && !b.is(0))) return a;
    if (b.is(Kind::Constant) && b.value != 0) return product(a, constant(1 / b.value));
    return made_if_ordinary({code(Made::Function), static_cast<std::int64_t>(Fn::Div)}, a, b);
}

// Of a row some of whose columns are very low and of one that is very low in all nothing is known, element by
// element.
Known KnownValues::larger(const Known& a, const Known& b) {
    for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
        if (lowest(one)) return other;
        if (one.is(Kind::VeryLow) && (other.ordinary() || other.is(Kind::VeryLow))) return other;
    }
    if (a.same(b)) return a;
    return made_if_ordinary({code(Made::Function), static_cast<std::int64_t>(Fn::Max)}, a, b);
}

Known KnownValues::by_element(Fn fn, const Known& a, const Known& b) {
    const Key key{code(Made::Function), static_cast<std::int64_t>(fn)};
    if (fn == Fn::Max) return larger(a, b);
    if (fn == Fn::Exp && lowest(a)) return constant(0);
    if (fn != Fn::Add && fn != Fn::Sub && fn != Fn::Neg && (infinite(a) || infinite(b))) return kNothing;
    if (a.is(Kind::Constant) && b.is(Kind::Constant)) return constant(apply(fn, a.value, b.value));
    switch (fn) {
        case Fn::Neg:
            return negative(a);
        case Fn::Add:
            return sum(a, b);
        case Fn::Sub:
            if ((a.is(Kind::VeryLow) || infinite(a)) && b.ordinary()) return a;
            return sum(a, negative(b));
        case Fn::Mul:
            return product(a, b);
        case Fn::Div:
            return quotient(a, b);
        case Fn::Exp:
            if (a.is(Kind::VeryLow)) return constant(0);
            return a.is(Kind::Partly) ? made(key, a, a) : made_if_ordinary(key, a, a);
        default:
            return made_if_ordinary(key, a, b);
    }
}

Known KnownValues::functional(FunctionalOp op, const Known& a, const Known& b) {
    const FunctionalOperator& row = functional_operator(op);
    const Key key{code(Made::Functional), static_cast<std::int64_t>(op)};
    switch (row.form) {
        case FunctionalForm::ByElement:
        case FunctionalForm::WithRows:
        case FunctionalForm::WithCols:
        case FunctionalForm::Outer: {
            Known result = by_element(row.fn, a, b);
            // The numbers are spread otherwise than those of an operator by elements.
            if (row.form != FunctionalForm::ByElement && !result.same(a)) result.term = made(key, a, b).term;
            return result;
        }
        case FunctionalForm::Contract:
            return (a.is(0) && !b.is(Kind::Nothing)) || (b.is(0) && !a.is(Kind::Nothing))
                       ? constant(0)
                       : made_if_ordinary(key, a, b);
        case FunctionalForm::FoldRows:
        case FunctionalForm::FoldAll:
            if (a.is(0) || a.is(Kind::VeryLow)) return a;
            if (row.fn == Fn::Max && a.is(Kind::Constant)) return a;
            // One of its columns at least is ordinary.
            if (row.fn == Fn::Max && a.is(Kind::Partly)) return made(key, a, a);
            return made_if_ordinary(key, a, a);
        case FunctionalForm::Rotate:  // some of the numbers are negated
            return a.is(0) ? a : made_if_ordinary(key, a, a);
    }
    throw InternalError("unknown form of a functional operator");
}

}  // namespace blockscope::lowering
