// Which lines of one text became which lines of another.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace blockscope {

// One line of the two texts together, in reading order: lines that go away stand before those that come in
// their place.
struct LineChange {
    enum class Kind { Same, Removed, Added } kind = Kind::Same;
    int before = -1;  // index of the line in the old text; -1 of an added one
    int after = -1;   // index of the line in the new text; -1 of a removed one
    bool operator==(const LineChange&) const = default;
};

// Whether line `before` of the old text and line `after` of the new one are the same.
using SameLine = std::function<bool(int before, int after)>;

// A shortest way from `before` lines to `after` lines (Myers, "An O(ND) Difference Algorithm"). Texts that
// have more than 2,000 changed lines differ as a whole between what they begin and end with.
std::vector<LineChange> diff_lines(int before, int after, const SameLine& same);

// A line of a listing with all temporaries called t and all intermediates called I, so that renumbering is no
// change: "t3 += dot(t1,t2)" gives "t += dot(t,t)".
std::string without_numbers(std::string_view line);

}  // namespace blockscope
