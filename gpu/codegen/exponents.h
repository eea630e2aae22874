// Exponentials of shifted rows, as online softmax has them:
//     t7 = t6*0.125;  t8 = row_max(t7);  t11 = row_shift(t7,t10);  t12 = exp(t11)
// A multiply-add and an exponential of base 2 do all of that for an element, and a row's maximum is
// multiplied in place of its elements.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope::gpu {

class DeviceValues;

// The number that an expression without arguments is.
std::optional<double> constant_value(const Expr& expr, const DimTable& dims);

class Exponents {
public:
    Exponents() = default;  // leaves all lines as they are
    Exponents(const LoopProgram& program, const DeviceValues& values);

    // What is kept in place of a block is to be multiplied by this where it is read.
    double factor(Temp temp) const;
    // Whether the line's product is left to those who read it.
    bool leaves_product(const Statement& line) const { return products_.count(&line) > 0; }
    // Whether the line is part of an exponential further down.
    bool is_shift(const Statement& line) const { return shifts_.count(&line) > 0; }
    // The operands of the row_shift that an exponential's line takes in; null if it is none of these.
    const std::vector<Temp>* shifted(const Statement& line) const;
    // Whether the block is in registers for an exponential or by one, so that chains of its sums and maxima
    // may run side by side: they ask for no more registers.
    bool in_courses(Temp temp) const { return in_courses_.count(temp.id) > 0; }
    // Whether the line scales rows by what a running maximum has moved, by 1 most of the time.
    bool rescales(const Statement& line) const { return rescaled_.count(&line) > 0; }

    // Whether the line's maximum may lag behind: sums relative to it are all that it is for.
    bool may_lag(const Statement& line) const { return lagging_.count(&line) > 0; }

private:
    class Finder;
    std::map<int, double> factors_;  // by temporary
    std::set<int> in_courses_;
    std::set<const Statement*> products_, shifts_, rescaled_, lagging_;
    std::map<const Statement*, const std::vector<Temp>*> exponentials_;
};

}  // namespace blockscope::gpu
