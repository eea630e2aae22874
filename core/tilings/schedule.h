// A tiling expression as a block program, built loop by loop: for the expressions that no state of the fusion
// algorithm is, and for any of them with given tiles.
//
//     mhkn   forall m: forall h:
//                forall k: forall n: list of A[m,k] @ B[k,n]
//                sum of these lists over k
//                for n: E += C[n] @ D[n,h]
//
// The grid's loops stand outermost, as thread blocks have them. What an expression does in the last iteration
// of a reduction only stands after its loop; partial tiles that are alive side by side are a list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/tilings/space.h"

namespace blockscope::tilings {

struct Schedule {
    ProgramPtr program;  // every loop has a dimension of its own, in blocks of its tile
    // Of each dimension after the program's own, which of those it stands for: a loop whose dimension another
    // loop has, too.
    std::vector<DimId> copied = {};
    // Sums of lists, which the fusion algorithm never makes of a map and a reduction: "C along n".
    std::vector<std::string> listed = {};
};

// `tiles` by loop, in elements; one larger than its loop is the whole loop. A chain whose values would have
// to be read in two orders at once is a problem that names the value.
Result<Schedule> schedule_of(const Chain& chain, const JudgedExpression& judged,
                             const std::vector<std::int64_t>& tiles);
// A candidate as a kernel of a card; a problem says why it has none.
Result<Schedule> schedule_on_card(const Space& space, const Candidate& candidate);

// Several blocks in every loop, so that every loop is one: for listings.
std::vector<std::int64_t> few_tiles(const Chain& chain);

// Runs both in exact arithmetic, at small sizes where every loop has another number of blocks: the output
// that differs; nothing if they are equal.
std::optional<std::string> difference(const Chain& chain, const Schedule& schedule, std::uint64_t seed);

// Which rules the fusion algorithm would need besides its own to make it of the program.
Text missing_rules(const Schedule& schedule);

}  // namespace blockscope::tilings
