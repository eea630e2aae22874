// Optimal transfers as power laws, H*(a, M) = Σ α(a) M^-β (Equation 1): as numbers at given sizes, and as
// formulas of the sizes, solved from Equation 4: the least total transfers for a given memory at the lower
// level, and the group sizes that have it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/algebra/formula.h"
#include "core/support/text.h"

namespace blockscope::algebra {

// A power law at given sizes.
struct LawTerm {
    double alpha = 0;
    double beta = 0;  // not negative
    bool operator==(const LawTerm&) const = default;
};
using NumericLaw = std::vector<LawTerm>;

// Equation 1: values moved with `memory` values of local memory.
double transfers(const NumericLaw& law, double memory);

// α(a) M^-β. The memory's symbol is "M" everywhere; an axis of that name has to be called otherwise.
struct PowerTerm {
    Formula alpha;
    Rational beta;
};

// The size of a group where the transfers are least: "g_a = M^1/2", "g_q = M/(2·d)". Of several groups of
// which only the product counts: that of the product.
struct GroupChoice {
    Powers groups;
    Formula above, below = Formula::number(1);  // of sizes: above · M^memory / below
    Rational memory = 0;

    std::string name() const;                  // "g_a", "g_G·g_M"
    std::vector<std::string> symbols() const;  // of the groups, sorted
    std::string text(const std::string& memory_symbol = "M") const;
    double value(const Values& sizes, double memory_values) const;
};

struct PowerLaw {
    std::vector<PowerTerm> terms;
    Formula limit;                     // what M bounds: y·Π g (Appendix A.2)
    std::vector<GroupChoice> choices;  // by group; those that no transfers fall with are 1

    Formula formula(const std::string& memory = "M") const;
    // α and β at these sizes: what the performance models put on levels.
    NumericLaw numbers(const Values& sizes) const;
    // H* for axis sizes and a memory of `memory` values.
    double value(const Values& sizes, double memory) const;
};

// Why there is no closed form, as the end of a sentence, "the widest column has no term with all groups in
// it".
struct NoPowerLaw {
    Text why;
};

// `transfers` over group sizes `groups` (symbols), under the limit `memory` on the widest column. Of `memory`
// count the products that have all groups in them, as in the limit of large M, and of these not those with a
// part of a stream (`streams`, symbols) beside others; group sizes that save no transfers are 1. Empty if
// there is no closed form, with the reason in `why`.
std::optional<PowerLaw> power_law(const Formula& transfers, const Formula& memory,
                                  const std::vector<std::string>& groups,
                                  const std::vector<std::string>& streams = {}, NoPowerLaw* why = nullptr);

// H* where no group is larger than its axis. For example, a matrix product of 4096 x 4096 has
// H* = 2abc M^-1/2 + ac with groups of M^1/2. With 4096² values of memory both groups are their whole axes,
// and every array is moved once. From then on H* is that, ab + bc + ac, where the power law would go on
// falling to ac.
//
// H is a sum of products of powers under a limit, so its least value within the axes has a simple form: the
// groups that would be larger than their axes are whole, and the others solve Equation 4 with those put in.
// Which groups are whole changes with the memory, so H* is a power law from one memory to the next.

// The size of a group where H is least: factor · M^power, at most `whole`. Of several groups of which only
// the product counts, that of the product.
struct GroupSize {
    std::vector<std::string> groups;  // symbols, sorted
    double factor = 1;
    double power = 0;
    double whole = 1;

    double at(double memory) const;
    // The memory with which it is its whole axis; infinite if none is enough.
    double reach() const;
};

struct LawPiece {
    double from = 0;  // values of memory; it holds up to the next piece's
    NumericLaw law;
    std::vector<std::string> whole;  // groups that are their whole axes
    std::vector<GroupSize> sizes;    // of all groups

    // Of a group, or of several of which only the product counts; sorted symbols. Null if it is not known.
    const GroupSize* size_of(const std::vector<std::string>& groups) const;
    // Whether all of them are their whole axes.
    bool has_whole(const std::vector<std::string>& groups) const;
};

struct ClippedLaw {
    ClippedLaw() = default;
    ClippedLaw(NumericLaw law) : pieces{{.from = 0, .law = std::move(law), .whole = {}, .sizes = {}}} {}

    std::vector<LawPiece> pieces;  // by `from`, the first from 0

    const LawPiece& at(double memory) const;
};

double transfers(const ClippedLaw& law, double memory);

// Equation 4 solved with the groups `whole` as their whole axes: a law and the sizes of the others; none if
// it has no solution as a formula.
using SolveClipped = std::function<std::optional<LawPiece>(const std::vector<std::string>& whole)>;
// None if there is no solution with all groups free. Where there is none with some group whole, H* stays from
// there on what it is with the memory with which that group becomes whole: so much is enough.
std::optional<ClippedLaw> clipped_law(const SolveClipped& solve);

// Of algorithms one after the other, each with groups of its own.
ClippedLaw operator+(const ClippedLaw& a, const ClippedLaw& b);

}  // namespace blockscope::algebra
