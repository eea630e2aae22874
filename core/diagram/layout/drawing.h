// A neural circuit diagram as it is drawn: curves, glyphs, labels and numbers as values, in pixels at scale
// 1, y downwards. lay_out makes it, app/circuit paints it, tikz() writes it for LaTeX.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/diagram/term.h"
#include "core/support/geometry.h"

namespace blockscope::circuit {

// Where a wire begins or ends.
enum class WireEnd : std::uint8_t {
    Edge,   // of the diagram, or of one of its lines
    Glyph,  // on the rim of a glyph
    Dot,    // at a copy, a joint, or where the axis is not used any more
    Frame,  // on the rim of a partition that cuts it away, or that begins to carry it
    Level,  // where the array changes its level: another wire goes on
};

struct DrawnWire {
    Curve points;
    int level = 0;  // its colour: 0 global memory
    AxisId axis;    // none (-1): an array without axes, drawn thick and dotted
    WireEnd from = WireEnd::Edge;
    WireEnd to = WireEnd::Edge;
};

// Between the arrays of a tuple, dashed.
struct DrawnSeparator {
    double x0 = 0, x1 = 0, y = 0;
};

struct DrawnDot {
    Point at;
    int level = 0;
};

// Where a wire at this height meets the left side of a glyph: of a triangle on its slope, of a circle on
// its rim.
double left_rim(GlyphKind kind, const Rect& box, double y);
double right_rim(GlyphKind kind, const Rect& box, double y);

struct DrawnGlyph {
    GlyphKind kind = GlyphKind::Box;
    Rect box;
    std::string text;    // shortened if it is very long
    std::string detail;  // one line: what it is, of which arrays, with which result
    int level = 0;
    int execution = -1;  // index in Resources::columns.executions
    Origin origin;
    std::string array = {};  // of a transfer: what is moved
    OperatorKind op = OperatorKind::Custom;
    std::string label = {};  // of the operator, not shortened
    std::string along = {};  // its own axes: "s_N", "H, D"
    std::string shape = {};  // of its first input: "g_M × D bf16"
    int level_before = 0;    // of its first input
};

enum class LabelRole : std::uint8_t {
    Axis,
    Name,
    Title,
    Glyph,
    Bold,
    Number,
    Tag,  // the type of an array, in a rim of its own
};

// Text with "_" before what is lowered and "^" before what is raised (rich_text).
struct DrawnLabel {
    LabelRole role = LabelRole::Axis;
    Rect box;
    std::string text;
    bool overline = false;  // of sequence axes
    AxisId axis = {};       // that it names; -1: none
    int level = 0;
};

enum class FrameKind : std::uint8_t {
    Named,
    Repeat,
    Kernel,
    Split,  // around a multiply-add that can be split along any axis
    Groups,
    Stream,
};

// A named block, or the extent of a partition. One that goes over several lines is drawn once in each.
struct DrawnFrame {
    FrameKind kind = FrameKind::Named;
    Rect rect;
    bool open_left = false, open_right = false;  // goes on in the line before, after
    int depth = 0;                               // how many frames are around it
    std::string title;
    Rect title_box;            // empty where the title is not repeated
    std::vector<AxisId> axes;  // that a partition splits
    Origin origin;
};

enum class NumberKind : std::uint8_t { Transfer, Memory };

// H or M under a column.
struct DrawnNumber {
    NumberKind kind = NumberKind::Memory;
    Rect box;
    Point column;      // the column's middle, at the foot of its line
    std::string text;  // what is written: a formula or a value
    int level = 1;
    bool widest = false;  // of its level
    std::string formula;
    std::string value;
    std::vector<std::string> sum;  // "Q: g_q·d = 16,384", one line each
    Origin origin;                 // of a transfer
    int execution = -1;
    std::string array = {};  // of a transfer: what is moved
};

constexpr int kCacheLook = 4;

struct Drawing {
    std::vector<DrawnFrame> frames;
    std::vector<DrawnSeparator> separators;
    std::vector<DrawnWire> wires;
    std::vector<DrawnDot> dots;
    std::vector<DrawnGlyph> glyphs;
    std::vector<DrawnLabel> labels;
    std::vector<DrawnNumber> numbers;
    std::vector<Rect> lines;  // of a diagram that is wrapped, top to bottom
    Rect bounds;
    int crossings = 0;
    // By level, which look it has: 0 global memory, then 1 to 3 for those below; kCacheLook for what only
    // caches.
    std::vector<int> looks;
    int look_of(int level) const {
        const auto at = static_cast<std::size_t>(level);
        return level >= 0 && at < looks.size() ? looks[at] : level;
    }
    int lowest_level = 0;
    Axes axes;
};

// Part of a text at one height.
struct TextRun {
    std::string text;
    int shift = 0;  // -1 lowered, 1 raised
    bool operator==(const TextRun&) const = default;
};

// "g_q^(128)" is g, lowered q, raised (128); "x_k·d^-1/2" is x, lowered k, "·d", raised "-1/2".
std::vector<TextRun> rich_text(const std::string& text);

// The extent of a text in its role, at scale 1.
using LabelMeasure = std::function<Size(const std::string& text, LabelRole role)>;
// Without fonts: every character as wide as an average one. For tests, and for output that others typeset.
Size plain_label_size(const std::string& text, LabelRole role);
// The sizes of the letters in pixels, and of what is raised or lowered.
double letter_size(LabelRole role);
constexpr double kShiftedSize = 0.72;

// The layout of neural circuit diagrams: columns from left to right in the order of execution, a straight
// wire for every axis wherever the order of the wires allows it, lines that wrap at the page's width.

enum class NumberStyle : std::uint8_t {
    None,
    Formulas,  // as counts where formulas do not fit
    Counts,
};

struct LayoutOptions {
    double width = 1100;  // of the page; lines that cannot be broken may be longer
    NumberStyle numbers = NumberStyle::Formulas;
    // More wires than this on the left, and every input begins where it is used first.
    int most_input_wires = 9;
    LabelMeasure measure = plain_label_size;
};

// `circuit` must be sound (verify finds nothing). The same circuit gives the same drawing.
Drawing lay_out(const Circuit& circuit, const LayoutOptions& options = {});

// Diagrams for LaTeX.

// A tikzpicture with the drawing's own geometry; one pixel is 0.75pt. It needs \usepackage{tikz},
// \usepackage{amsmath} and \usetikzlibrary{arrows.meta}, and defines its colours and styles itself. `title`
// becomes a comment.
std::string tikz(const Drawing& drawing, const std::string& title);

// `picture` as a document of its own that LaTeX compiles as it is (class standalone, package amsmath, and the
// arrow tips that the pictures have). With \usepackage{standalone} another document can \input it.
std::string tikz_document(const std::string& picture);

}  // namespace blockscope::circuit
