// The inputs of a measurement, and what its outputs have to be: computed in float64 by the reference
// evaluators (core/exec), which share nothing with what is measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/measure/failure.h"
#include "core/measure/protocol.h"

namespace blockscope::measure {

// The number of type `elem` nearest to `value` (ties to even); beyond the range infinite, but the largest
// number of E4M3 and E5M2, as cards round to these.
double round_to(ElemType elem, double value);
double largest_number(ElemType elem);  // that is finite

// What the largest difference may be, relative to the output's largest reference value. Inputs are exact and
// sums are float32; programs differ in the order of their sums.
double tolerance(ElemType elem);
// Of a card, where all arrays have the type, those between operators too, and each is rounded to it: the
// errors of many add up like the square root of their number. Up to four are in tolerance(elem). Where the
// program casts to a coarser type, as cast(x, bf16) does in float32, that type's holds: the reference does
// not round.
double tolerance(ElemType elem, const BlockProgram& program);
// The coarsest type that the program casts to, if it has fewer bits than float32.
std::optional<ElemType> coarsest_cast(const BlockProgram& program);
// Where products round their operands of float32 to 11 bits: inputs are not exact then, as those of f16 are.
constexpr double kTf32Tolerance = 4e-3;

// Uniform in [-range, range], rounded to `elem`, reproducible from the seed and the arrays' names.
Tensors<double> random_inputs(const BlockProgram& program, ElemType elem, std::uint64_t seed,
                              double range = 1);

// Reference values of all outputs, whole or of sampled rows only.
struct Expected {
    Tensors<double> outputs;
    // Rows that were computed, of the dimension `dim` (an index), in order; empty: all elements.
    std::vector<std::int64_t> rows;
    int dim = -1;
    std::string how;  // "all 262144 elements against the float64 reference"
};

// All elements, where that is at most `limit` operations (default: about two seconds) and 1 GiB of values.
// Else, if the rows of some dimension do not depend on each other, at least three rows of each of its blocks
// (the first, the last and one by chance), so that every block of every output is touched. Refused if neither
// can be done.
constexpr double kReferenceOperations = 4e10;
Outcome<Expected> expected_outputs(const Reference& reference, const Tensors<double>& inputs,
                                   std::uint64_t seed, double limit = kReferenceOperations);

struct Difference {
    double error = 0;    // relative, as tolerance(); infinite if a value is not finite where it should be
    double apart = 0;    // of the output that is furthest off, as kMostApart
    std::string output;  // where the largest difference is
    std::int64_t index = 0;
    double expected = 0;
    double found = 0;
};
// All differences of an output together: the root of their squares' sum over that of the reference values.
// What roundings add up to stays below (0.47 where the unfused decoder block, of 56 arrays, is in e5m2);
// zeros are at 1, and values that have nothing to do with the reference at 1.4. Where a type's tolerance of
// single values is wide, this is what such results fail at.
constexpr double kMostApart = 0.75;
bool agrees(const Difference& difference, double tolerance);
// "The result overflows: ...", if the reference has numbers that arrays of `elem` do not hold and the result
// agrees with the nearest ones that they do.
std::optional<Text> overflow_sentence(const Expected& expected, const Reference& reference,
                                      const Tensors<double>& found, ElemType elem, double tolerance);
// Throws InternalError if outputs have other names or shapes than the reference's.
Difference compare_outputs(const Expected& expected, const Reference& reference,
                           const Tensors<double>& found);
// "Output O differs from the reference: element 17 is 3.1 and should be 2.9 ..."
Text difference_sentence(const Difference& difference, double tolerance);

// The dimension whose rows are independent of each other in every operator: taking some of them away from all
// inputs that have them takes the same rows away from all outputs, and changes nothing else. -1 if there is
// none.
int independent_rows(const ArrayProgram& program);

}  // namespace blockscope::measure
