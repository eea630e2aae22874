// What is known of values without their numbers: enough to see that a block of a causal mask which hides all
// of its columns changes nothing (causal_bounds.cpp).
//
//     t6 = add(t4,t5)       t5 is very low (-1e30), t4 ordinary numbers: very low
//     t7 = row_max(t6)      very low
//     t8 = max(t3,t7)       t3, which is ordinary
//     t9 = exp(t3-t8)       exp(0) = 1
//     t10 = exp(t6-t8)      0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/graph/node.h"
#include "core/loops/loop_program.h"

namespace blockscope::lowering {

// What is known of one row of a value, or of all of it where its rows are alike.
struct Known {
    enum class Kind : std::uint8_t {
        Nothing,
        Finite,    // numbers of any size
        Ordinary,  // numbers of usual size: the value `term`
        Partly,    // the value `term`, some of whose columns are ordinary numbers and some very low
        VeryLow,   // all of them, as masks are
        Constant,  // `value`, all of them
    };
    Kind kind = Kind::Nothing;
    double value = 0;
    int term = 0;
    int rank = -1;         // 2 of a block, 1 of a vector, 0 of a scalar, -1 if it is not known
    bool by_rows = false;  // what holds of one row need not hold of another one

    bool is(Kind other) const { return kind == other; }
    bool is(double number) const { return kind == Kind::Constant && value == number; }
    bool ordinary() const;
    // Certainly the same numbers.
    bool same(const Known& other) const;
};

// Values by the operators that make them: those of equal operators on the same values are the same.
class KnownValues {
public:
    // What a temporary holds before the iteration, or outside of the loop: ordinary numbers.
    Known before(Temp temp);
    // A block of an array, ordinary numbers unless `kind` says otherwise.
    Known loaded(const Load& load, int rank, Known::Kind kind = Known::Kind::Ordinary);
    Known applied(Fn fn, const Known& a, const Known& b);
    Known applied(FunctionalOp op, const Known& a, const Known& b);
    Known cast(ElemType to, const Known& a);
    // The sum of what iterations of `loop` add.
    Known summed(NodeId loop, const Known& added);

private:
    using Key = std::vector<std::int64_t>;

    int term(Key key);
    Known made(Key key, const Known& a, const Known& b, Known::Kind kind = Known::Kind::Ordinary);
    Known made_if_ordinary(Key key, const Known& a, const Known& b);
    Known by_element(Fn fn, const Known& a, const Known& b);
    Known functional(FunctionalOp op, const Known& a, const Known& b);
    Known negative(const Known& a);
    Known sum(const Known& a, const Known& b);
    Known product(const Known& a, const Known& b);
    Known quotient(const Known& a, const Known& b);
    Known larger(const Known& a, const Known& b);

    std::map<Key, int> terms_;
    std::map<int, Known> negated_;  // by term: what it is the negative of
};

constexpr Known kNothing{};
constexpr Known constant(double value) {
    return {.kind = Known::Kind::Constant, .value = value};
}

}  // namespace blockscope::lowering
