// Cross-sections of a diagram: every column of data, and every operator between two of them, as rows from top
// to bottom with the rows before that lead there. Internal to the layout.
#pragma once

#include <algorithm>
#include <vector>

#include "core/diagram/layout/drawing.h"
#include "core/diagram/layout/sheet.h"

namespace blockscope::circuit {

// A row of the station before; of a glyph there the exit `port`, counted from its uppermost.
struct RowLink {
    int row = 0;
    int port = -1;
};

struct Row {
    enum class Kind : std::uint8_t { Wire, Glyph, Top, Bottom } kind = Kind::Wire;
    int strand = -1;            // of wires
    int axis = -1;              // of wires: index in the strand's type; -1: an array without axes
    int index = -1;             // of glyphs (Stations::glyphs), and the frame of rims
    std::vector<RowLink> from;  // the first one goes straight on; more than one meet here, or end in a glyph
    double up = 0, down = 0;    // what it needs for itself
    int chain = -1;             // rows that lie on one straight line; set by straighten()
    double offset = 0;          // from the chain's height

    bool wire() const { return kind == Kind::Wire; }
};

struct StationGlyph {
    GlyphKind kind = GlyphKind::Box;
    std::string text = {};
    double width = 0, height = 0;
    double pitch = 0;                             // between its ports
    int entries = 0;                              // wires that end there
    std::vector<std::pair<int, int>> exits = {};  // strand and axis of the wires that begin there

    // A circle's first wire goes straight on, the others arrive below it on its rim.
    double entry(int port) const {
        if (kind == GlyphKind::Norm && pitch == 0) return std::min(port * 6.0, height / 2 - 1);
        return (port - (entries - 1) / 2.0) * pitch;
    }
    double exit(int port) const { return (port - (static_cast<double>(exits.size()) - 1) / 2.0) * pitch; }
};

struct Station {
    int column = -1;  // of data: index in Sheet::columns
    int event = -1;   // of an operator: index in Sheet::events
    std::vector<Row> rows;
    bool line_start = false;
    double x0 = 0, x1 = 0;  // what runs in between is horizontal
    double lead = 0;        // room for the names of what begins here

    bool data() const { return column >= 0; }
    // The wire of this axis; -1 if it is not here.
    int find(int strand, int axis) const;
};

struct Stations {
    std::vector<Station> list;
    std::vector<StationGlyph> glyphs;
};

Stations stations_of(const Sheet& sheet, const Axes& axes, const LabelMeasure& measure);

// Axes of size 1 and their parts have no wire beside others: nothing runs along them.
bool is_drawn(const Axes& axes, const ArrayType& type, int axis);

// Space between two rows of a station, the upper one first.
double space_between(const Row& upper, const Row& lower);

// How many pairs of links into this station cross.
int crossings_into(const Station& station);

// ---- operators ----

// One row of an operator's station, with the wires before it as strands and axes.
struct OperatorRow {
    int output_axis = -1;  // of wires: an axis of the output
    bool glyph = false;
    StationGlyph shape = {};
    std::vector<std::pair<int, int>> from = {};  // strand and axis
    int output = 0;                              // of wires: the output
};

// The rows between the arrays above and below. `place` says where a wire comes from, top to bottom.
using WirePlace = std::function<int(int strand, int axis)>;
std::vector<OperatorRow> operator_rows(const SheetEvent& event, const WirePlace& place,
                                       const LabelMeasure& measure);

// The places of rows: which lie on one straight line, how high, how far to the right. Internal to the layout.

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
