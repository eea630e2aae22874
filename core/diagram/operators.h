// The table of operators that circuit diagrams know, one row each: what documents call it, which operators of
// array programs it stands for, which arrays it takes, what it costs, how it streams, and how it is drawn and
// told. Another operator is an enumerator and a row; what its row leaves out takes
// one array, has no axes of its own, counts no work, does not stream, and is drawn and told as an opaque box.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/program/array_program.h"
#include "core/support/text.h"

namespace blockscope::circuit {

enum class OperatorKind : std::uint8_t {
    Elementwise,  // on items
    Contraction,  // of two arrays along an axis
    Sum,
    Mean,
    Max,  // along an axis
    Softmax,
    RmsNorm,
    LayerNorm,  // along an axis, which stays
    Rotate,     // rotary embeddings: pairs of numbers along an axis, which stays
    Mask,       // made of positions alone; no inputs
    Cast,       // quantisation
    Transfer,   // to another level
    Reindex,    // crossings, diagonals, broadcasts, slices and joins of axes: the identity on items
    Custom,     // opaque
};
constexpr int kOperatorKinds = static_cast<int>(OperatorKind::Custom) + 1;

struct Operator {
    OperatorKind kind = OperatorKind::Elementwise;
    std::string label;       // what its glyph says
    double vector_work = 0;  // Elementwise, Rotate: operations per item
    double special_work = 0;
    bool operator==(const Operator&) const = default;
};

enum class GlyphKind : std::uint8_t {
    Arrow,     // elementwise: the name on an arrow with barbs
    Hexagon,   // reindexing: slices and joins of an axis
    Learned,   // a learned linear map: a box with a corner cut off
    Bold,      // elementwise: "+", "×", "max" without a box
    Cup,       // contraction: two wires meet
    Triangle,  // softmax
    Norm,      // a circle with a V; its text stands above
    Box,       // anything else
    Mask,
    Tag,       // quantisation
    Transfer,  // the column in which wires change their level: nothing but its wires is drawn
};

constexpr int kMany = 1 << 20;

// How many there have to be, and may be at most.
struct Bounds {
    int least = 0;
    int most = kMany;
    constexpr bool allow(std::size_t count) const {
        return count >= static_cast<std::size_t>(least) && count <= static_cast<std::size_t>(most);
    }
};

// How its wires and its glyph are placed.
enum class Arrangement : std::uint8_t {
    Items,   // the glyph stands where the wires of the items come together
    Wires,   // wires cross or go on; a hexagon stands on axes of its own
    Along,   // the glyph stands on its own axis, which goes on
    Ends,    // its own axes end in the glyph
    Opaque,  // a box that takes all of its arrays
};

// Operations per value that it takes along its own axes.
struct OperatorWork {
    double matrix = 0, vector = 0, special = 0;
    double special_rows = 0;  // once for all values along its own axes
    bool stated = false;      // as the operator says for itself: vector_work, special_work
};

// "The sum" at the beginning of a sentence, "the sum" within.
struct OperatorNoun {
    TextTemplate<0> begins, within;
};

// "sums along %1": its own axes; otherwise %1 is its label.
struct OperatorEvent {
    TextTemplate<1> words;
    bool along = true;
};

// What a normalisation keeps of every row besides its result while it streams (Table 4).
struct KeptNumbers {
    int count = 0;
    const char* first = "";    // their first values
    const char* glyph = "";    // of the step that takes up more of the row
    const char* at_last = "";  // what is done with them in the tail
};

struct DiagramOperator {
    OperatorKind kind;
    const char* name;  // in documents and outlines

    // The operators of array programs that it stands for, and what its glyph says where they do not say it
    // themselves.
    std::array<std::optional<ArrayOpKind>, 3> stands_for = {};
    const char* label = "";

    // Its arrays: one output, and so many inputs. The axes that it acts along are its own: the first `owners`
    // inputs (as far as there are so many) have all of them; the output has them, too, where it `keeps` them.
    Bounds inputs = {1, 1};
    Bounds own = {0, 0};
    int owners = 0;
    bool keeps = false;

    OperatorWork work = {};

    // Why it streams along its own axis, %1, by which part of the paper: as an accumulator, or as a
    // normalisation, whose division waits for the tail, %1, along %2. Without either it does not stream.
    TextTemplate<0> theorem = TextTemplate<0>("Section 2.4");
    std::optional<TextTemplate<1>> accumulates = {};
    std::optional<TextTemplate<2>> normalises = {};
    KeptNumbers kept = {};

    Arrangement arrangement = Arrangement::Opaque;
    GlyphKind glyph = GlyphKind::Box;
    const char* glyph_text = "";

    std::optional<OperatorNoun> noun = {};    // none: "the operator %1", its label
    std::optional<OperatorEvent> event = {};  // in the story of a row; none: "applies %1", its label
};

inline constexpr std::array<DiagramOperator, kOperatorKinds> kOperators = {{
    {.kind = OperatorKind::Elementwise,
     .name = "elementwise",
     .stands_for = {ArrayOpKind::Elementwise, ArrayOpKind::Broadcast, ArrayOpKind::Outer},
     .inputs = {1, kMany},
     .work = {.stated = true},
     .arrangement = Arrangement::Items,
     .glyph = GlyphKind::Arrow,
     .event = OperatorEvent{TextTemplate<1>("computes %1"), false}},
    {.kind = OperatorKind::Contraction,
     .name = "contraction",
     .stands_for = {ArrayOpKind::Matmul},
     .label = "·",
     .inputs = {2, 2},
     .own = {1, 1},
     .owners = 2,
     .work = {.matrix = 2},
     .theorem = TextTemplate<0>("Appendix A.3.1"),
     .accumulates = TextTemplate<1>("Contraction along %1 has an accumulator: the sum over the first part "
                                    "plus the sum over the rest."),
     .arrangement = Arrangement::Ends,
     .glyph = GlyphKind::Cup,
     .noun = OperatorNoun{TextTemplate<0>("The contraction"), TextTemplate<0>("the contraction")},
     .event = OperatorEvent{TextTemplate<1>("multiplies and adds along %1")}},
    {.kind = OperatorKind::Sum,
     .name = "sum",
     .stands_for = {ArrayOpKind::RowSum, ArrayOpKind::SumOver},
     .label = "Σ",
     .own = {1, 1},
     .owners = 1,
     .work = {.vector = 1},
     .accumulates = TextTemplate<1>("A sum along %1 is the sum of the parts' sums."),
     .arrangement = Arrangement::Ends,
     .noun = OperatorNoun{TextTemplate<0>("The sum"), TextTemplate<0>("the sum")},
     .event = OperatorEvent{TextTemplate<1>("sums along %1")}},
    {.kind = OperatorKind::Mean,
     .name = "mean",
     .stands_for = {ArrayOpKind::RowMean},
     .label = "mean",
     .own = {1, 1},
     .owners = 1,
     .work = {.vector = 1},
     .accumulates = TextTemplate<1>("A sum along %1 is the sum of the parts' sums."),
     .arrangement = Arrangement::Ends,
     .noun = OperatorNoun{TextTemplate<0>("The mean"), TextTemplate<0>("the mean")},
     .event = OperatorEvent{TextTemplate<1>("takes the mean along %1")}},
    {.kind = OperatorKind::Max,
     .name = "max",
     .stands_for = {ArrayOpKind::RowMax},
     .label = "max",
     .own = {1, kMany},
     .owners = 1,
     .work = {.vector = 1},
     .accumulates = TextTemplate<1>("A maximum along %1 is the larger of the parts' maxima."),
     .arrangement = Arrangement::Ends,
     .noun = OperatorNoun{TextTemplate<0>("The max"), TextTemplate<0>("the max")},
     .event = OperatorEvent{TextTemplate<1>("takes the maximum along %1")}},
    {.kind = OperatorKind::Softmax,
     .name = "softmax",
     .stands_for = {ArrayOpKind::Softmax},
     .label = "softmax",
     .own = {1, 1},
     .owners = 1,
     .keeps = true,
     .work = {.vector = 4, .special = 1},
     .theorem = TextTemplate<0>("Appendix A.3.2"),
     .normalises = TextTemplate<2>("SoftMax followed by %1 along %2 is streamable: a running maximum and sum "
                                   "are kept, the result so far is scaled when the maximum moves, and the "
                                   "division by the sum is its tail."),
     .kept = {.count = 3, .first = "−∞, 0, 0", .glyph = "softmax", .at_last = "/ z"},
     .arrangement = Arrangement::Along,
     .glyph = GlyphKind::Triangle,
     .noun = OperatorNoun{TextTemplate<0>("The softmax"), TextTemplate<0>("the softmax")},
     .event = OperatorEvent{TextTemplate<1>("takes the softmax along %1")}},
    {.kind = OperatorKind::RmsNorm,
     .name = "rmsnorm",
     .stands_for = {ArrayOpKind::RmsNorm},
     .label = "rmsnorm",
     .inputs = {1, kMany},
     .own = {1, 1},
     .owners = 1,
     .keeps = true,
     .work = {.vector = 3, .special_rows = 1},
     .theorem = TextTemplate<0>("Appendix A.3.2, by the same argument"),
     .normalises =
         TextTemplate<2>("RMSNorm followed by %1 along %2 is streamable: the sum of squares is kept, and the "
                         "division, one number per row, is the tail of a linear operator."),
     .kept = {.count = 1, .first = "0", .glyph = "rms", .at_last = "/ rms"},
     .arrangement = Arrangement::Along,
     .glyph = GlyphKind::Norm,
     .glyph_text = "rms",
     .noun = OperatorNoun{TextTemplate<0>("The rmsnorm"), TextTemplate<0>("the rmsnorm")},
     .event = OperatorEvent{TextTemplate<1>("normalises along %1")}},
    {.kind = OperatorKind::LayerNorm,
     .name = "layernorm",
     .stands_for = {ArrayOpKind::LayerNorm},
     .label = "layernorm",
     .inputs = {1, kMany},
     .own = {1, 1},
     .owners = 1,
     .keeps = true,
     .work = {.vector = 6, .special_rows = 1},
     .theorem = TextTemplate<0>("Appendix A.3.2, by the same argument"),
     .normalises = TextTemplate<2>("LayerNorm followed by %1 along %2 is streamable: sums of values and "
                                   "squares are kept; shift and division, one number each per row, are the "
                                   "tail of a linear operator."),
     .kept = {.count = 2, .first = "0, 0", .glyph = "layer", .at_last = "μ, σ"},
     .arrangement = Arrangement::Along,
     .glyph = GlyphKind::Norm,
     .glyph_text = "layer",
     .noun = OperatorNoun{TextTemplate<0>("The layernorm"), TextTemplate<0>("the layernorm")},
     .event = OperatorEvent{TextTemplate<1>("normalises along %1")}},
    {.kind = OperatorKind::Rotate,
     .name = "rotate",
     .stands_for = {ArrayOpKind::Rope, ArrayOpKind::RopeInterleaved},
     .label = "rope",
     .inputs = {1, 3},
     .own = {1, 1},
     .owners = 3,
     .keeps = true,
     .work = {.stated = true},
     .noun = OperatorNoun{TextTemplate<0>("The rotation"), TextTemplate<0>("the rotation")},
     .event = OperatorEvent{TextTemplate<1>("rotates pairs along %1")}},
    {.kind = OperatorKind::Mask,
     .name = "mask",
     .stands_for = {ArrayOpKind::Input},
     .label = "causal",
     .inputs = {0, 0},
     .glyph = GlyphKind::Mask,
     .noun = OperatorNoun{TextTemplate<0>("The mask"), TextTemplate<0>("the mask")}},
    {.kind = OperatorKind::Cast,
     .name = "cast",
     .stands_for = {ArrayOpKind::Cast},
     .arrangement = Arrangement::Items,
     .glyph = GlyphKind::Tag,
     .noun = OperatorNoun{TextTemplate<0>("The cast"), TextTemplate<0>("the cast")},
     .event = OperatorEvent{TextTemplate<1>("rounds to %1"), false}},
    {.kind = OperatorKind::Transfer,
     .name = "transfer",
     .arrangement = Arrangement::Wires,
     .glyph = GlyphKind::Transfer,
     .noun = OperatorNoun{TextTemplate<0>("The transfer"), TextTemplate<0>("the transfer")}},
    {.kind = OperatorKind::Reindex,
     .name = "reindex",
     .inputs = {1, kMany},
     .own = {0, kMany},
     .arrangement = Arrangement::Wires,
     .glyph = GlyphKind::Hexagon,
     .noun = OperatorNoun{TextTemplate<0>("The reindex"), TextTemplate<0>("the reindex")},
     .event = OperatorEvent{TextTemplate<1>("takes %1"), false}},
    {.kind = OperatorKind::Custom, .name = "custom", .inputs = {}, .own = {}},
}};

constexpr bool operators_in_order() {
    for (int i = 0; i < kOperatorKinds; ++i)
        if (static_cast<int>(kOperators[static_cast<std::size_t>(i)].kind) != i) return false;
    return true;
}
static_assert(operators_in_order(), "the rows stand in the order of OperatorKind");

constexpr const DiagramOperator& diagram_operator(OperatorKind kind) {
    return kOperators[static_cast<std::size_t>(kind)];
}

// "contraction", "softmax", ...
inline std::string to_string(OperatorKind kind) {
    return diagram_operator(kind).name;
}

// What an operator of an array program is in a diagram. One that no row stands for is opaque: a diagram knows
// nothing of what is inside.
constexpr OperatorKind kind_of(ArrayOpKind what) {
    for (const DiagramOperator& row : kOperators)
        for (const std::optional<ArrayOpKind>& kind : row.stands_for)
            if (kind == what) return row.kind;
    return OperatorKind::Custom;
}

}  // namespace blockscope::circuit
