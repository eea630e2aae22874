// How values of a loop's iteration depend on one of them: as a factor exp(k m), as a summand k m, or not.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope::gpu {

// t = t' * exp(times * m), or t = t' + plus * m, with t' that does not depend on m; along rows where m is a
// vector. Not known: in another way, or on what the loop carries from one iteration to the next.
struct Dependence {
    bool known = true;
    double times = 0;
    double plus = 0;
    bool independent() const { return known && times == 0 && plus == 0; }
};

// An expression over a line's arguments.
struct Term {
    const Expr* expr = nullptr;  // null: the temporary args[0]
    std::vector<Temp> args;
};

// s * factors[0] * ... + added[0] + ...
struct Continued {
    std::vector<Temp> factors;
    std::vector<Term> added;
};

class Relative {
public:
    explicit Relative(const Loop& loop);

    // From now on the temporary is one that iterations hand on.
    void carry(Temp temp) { carried_.insert(temp.id); }

    const std::set<int>& temps() const { return set_; }  // that the loop sets
    int reads(Temp temp) const;
    int sets(Temp temp) const;
    // The one line that sets it; null if there is none or more.
    const Statement* setter(Temp temp) const;

    // `m` without a number: on nothing in particular, hence whether it depends on what is carried.
    Dependence depends_on(Temp temp, Temp m) const;
    Dependence depends_on(const Term& term, Temp m) const;
    Dependence of_statement(const Statement& line, Temp m) const;  // of the value that the line makes or adds

    // The new value of the carried `s` as a sum in which `s` occurs once; nullopt if it is none.
    std::optional<Continued> continued(Temp s, Temp value) const;

private:
    Dependence of_expr(const Expr& expr, const std::vector<Temp>& args, Temp m) const;
    std::optional<Continued> continued(Temp s, const Term& term) const;
    std::optional<Continued> sum(Temp s, const Term& a, const Term& b) const;
    std::optional<Continued> scaled(Temp s, const Term& a, const Term& factor) const;
    bool holds(const Term& term, Temp s) const;
    bool reaches(Temp s, Temp temp) const;

    std::map<int, std::vector<const Statement*>> setters_;
    std::map<int, int> reads_;
    std::set<int> set_, carried_;
    // What was found out, so that values that are used twice are looked at once.
    mutable std::map<std::pair<int, int>, Dependence> known_;  // by temporary and m
    mutable std::map<std::pair<int, int>, bool> reached_;      // by temporary and s
};

}  // namespace blockscope::gpu
