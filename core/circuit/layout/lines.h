// The places of rows: which lie on one straight line, how high, how far to the right. Internal to the layout.
#pragma once

#include <vector>

#include "core/circuit/layout/stations.h"

namespace blockscope::circuit {

// Gives every row a chain: what can be drawn as one straight line without crossing another one. Returns how
// many chains there are.
int straighten(Stations& stations);

// The height of every chain: no two rows of a station closer than space_between, wires that bend as short as
// possible, frames as low as what they hold.
std::vector<double> chain_heights(const Stations& stations, int chains);

// Whether a wire gets its axis written at this station.
bool is_labelled(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t station,
                 const Row& row);

// The type that is tagged beside that label: of what comes in, or is made of something of another type, on
// its uppermost labelled wire. Empty where there is none, and where all arrays have one type.
std::string type_tag(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t station,
                     std::size_t row);
constexpr double kTagGap = 5;  // between a label and the tag beside it

// What it says there: "g_q", "(d)" of what a stream carries.
std::string wire_label(const Sheet& sheet, const Axes& axes, const Row& row);

// Breaks the stations into lines of at most `width` where that is possible: a column of data at the end of a
// line stands at the beginning of the next one, too.
void wrap(const Sheet& sheet, const Axes& axes, Stations& stations, const LayoutOptions& options);

// Sets x0, x1 and lead of all stations. `heights` may be empty: bends are then as wide as most are.
void spread(const Sheet& sheet, const Axes& axes, Stations& stations, const std::vector<double>& heights,
            const LabelMeasure& measure);

inline double height_of(const Row& row, const std::vector<double>& heights) {
    return heights.at(static_cast<std::size_t>(row.chain)) + row.offset;
}

}  // namespace blockscope::circuit
