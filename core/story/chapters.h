// The chapters of a run: steps in a row that achieve one thing.
//
//     1 to 6    Line the loops up                              538 MB → 538 MB
//     7         Move the division behind the product
//     8 to 15   Fuse the inner loops
//     16 to 17  One kernel, nothing stored in between          169 MB → 102 MB
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "core/support/text.h"

namespace blockscope {

enum class ChapterKind : std::uint8_t {
    LineUp,  // loops of the top level that hold loops themselves become one: rules 1 and 2
    Swap,    // scalings, shifts and transposes move past products: rules 4, 5, 8, 10, 11, 12, 14
    Fuse,    // loops, sums and operators become one: rules 1, 2, 3, 9, 13
    Extend,  // a loop takes in its surroundings, and what that allows: rules 6 and 7 to the next of them
    Own,     // steps that the user has grouped
};

struct Chapter {
    ChapterKind kind = ChapterKind::Fuse;
    Text title;
    Text short_title;     // where there is little room: "line up", "move division", "fuse", "one kernel"
    Text shortest_title;  // where there is hardly any room: "division"; otherwise like short_title
    int first = 1;        // step; 1 is the first
    int last = 1;
    std::int64_t bytes_before = 0;  // between global and local memory
    std::int64_t bytes_after = 0;
};

// The chapters of a run in order. Each step is in exactly one.
std::vector<Chapter> chapters_of(const Trace& trace, const Form& form = {});

// Merges successive chapters that have the same title. The user's own stay as they are.
std::vector<Chapter> joined(const std::vector<Chapter>& chapters);

// Steps that somebody has grouped under a name.
struct StepGroup {
    int first = 1, last = 1;
    std::string name;
};
// Makes each group a chapter of the kind Own. It takes its steps out of the other chapters; what remains of
// one before and after the group keeps its title. `groups` do not overlap and lie within the run.
std::vector<Chapter> with_groups(const std::vector<Chapter>& chapters, const std::vector<StepGroup>& groups,
                                 const Trace& trace, const Form& form = {});

// The chapter of a step; null for step 0 and for steps that do not exist.
const Chapter* chapter_at(const std::vector<Chapter>& chapters, int step);

}  // namespace blockscope
