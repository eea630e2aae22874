// A term as a sequence of columns: which arrays stand where between two events. Internal to the layout.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

// One array from where it appears (or gets other axes) to where it is taken.
struct Strand {
    ArrayType type;
    std::string name;     // of inputs and outputs of the diagram
    int parent = -1;      // the strand that it is a copy of, or that a frame's rim relabels
    std::vector<int> at;  // by axis: its index in the parent; -1: it begins here
    int joined = -1;      // a carried strand that ends in this one
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
    std::vector<AxisId> axes;
    Origin origin;
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

}  // namespace blockscope::circuit
