// A term as a sequence of columns: which arrays stand where between two events. Internal to the layout.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/layout/drawing.h"
#include "core/diagram/term.h"

namespace blockscope::circuit {

// One array from where it appears (or gets other axes) to where it is taken.
struct Strand {
    ArrayType type;
    std::string name = {};     // of inputs and outputs of the diagram
    int parent = -1;           // the strand that it is a copy of, or that a frame's rim relabels
    std::vector<int> at = {};  // by axis: its index in the parent; -1: it begins here
    int joined = -1;           // a carried strand that ends in this one
    bool carried = false;
    bool source = false;  // an input of the diagram
};

// What stands in a column, top to bottom: strands, and the upper and lower rims of frames.
struct SheetEntry {
    enum class Kind : std::uint8_t { Strand, Top, Bottom } kind = Kind::Strand;
    int index = 0;  // of the strand or the frame
    bool operator==(const SheetEntry&) const = default;
};
using SheetEntries = std::vector<SheetEntry>;

struct SheetFrame {
    FrameKind kind = FrameKind::Named;
    std::string title;
    int depth = 0;
    std::vector<AxisId> axes = {};
    Origin origin = {};
    int enters = -1, leaves = -1;  // events
};

struct SheetEvent {
    const Apply* apply = nullptr;  // null: the rim of a frame, or inputs appear
    int execution = -1;
    std::vector<int> inputs, outputs;          // strands of the operator
    std::vector<std::pair<int, int>> carried;  // output, and the strand that is added to
    SheetEntries above, below;                 // beside the operator
};

// columns[i] stands before events[i]; the last column after all events.
struct Sheet {
    std::vector<Strand> strands;
    std::vector<SheetFrame> frames;
    std::vector<SheetEntries> columns;
    std::vector<SheetEvent> events;
    bool mixed_types = false;  // not all arrays have one type
};

// Inputs that together have more than `most_input_wires` wires begin where they are used first.
Sheet sheet_of(const Circuit& circuit, int most_input_wires);

// Where an output of a term comes from. Internal to the layout.

struct Producer {
    const Term* term = nullptr;  // an operator or a partition; null if an input runs through
    int output = 0;              // of `term`; or the input
    int above = 0, below = 0;    // how many arrays stand beside it
};

// Partitions into one part are seen through.
Producer producer_of(const Axes& axes, const Term& term, int output);

// Whether it has one part only.
bool is_trivial(const Axes& axes, const Partition& what);

// Where strands stand beside an operator or a frame: where they stood before, as far as frames allow it.
// Internal to the layout.

// The places of the last column of a sheet. Terms say which strands are inside which frames; how they stand
// there is free, and every strand that need not move crosses nothing.
class Positions {
public:
    explicit Positions(const Sheet& sheet);

    // `above` and `below` anew, beside something that these strands run into.
    std::pair<SheetEntries, SheetEntries> beside(const SheetEntries& above, const std::vector<int>& into,
                                                 const SheetEntries& below) const;
    // The strands as they stood; new ones after those that they follow here.
    std::vector<int> in_order(const std::vector<int>& strands) const;

private:
    std::optional<double> place(int strand) const;
    double middle(const std::vector<int>& strands) const;

    const Sheet& sheet_;
    std::map<int, double> strands_;
    std::map<int, double> tops_;  // of frames that are open
};

}  // namespace blockscope::circuit
