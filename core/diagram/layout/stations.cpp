#include "core/diagram/layout/stations.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/diagram/flow.h"
#include "core/diagram/layout/draw.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

constexpr double kLabelRoom = 15;  // above a wire
constexpr double kWireRoom = 5;    // below it
constexpr double kSeparatorRoom = 8;
constexpr double kTitleRoom = 18;  // below the upper rim of a frame
constexpr double kRimRoom = 6;
constexpr double kGlyphRoom = 3;
constexpr double kCaptionRoom = 13;  // above a norm
constexpr double kLeastBox = 26, kBoxMargin = 14;

Row wire_row(int strand, int axis) {
    return {.kind = Row::Kind::Wire,
            .strand = strand,
            .axis = axis,
            .index = -1,
            .from = {},
            .up = kLabelRoom,
            .down = kWireRoom,
            .chain = -1,
            .offset = 0};
}

class Builder {
public:
    Builder(const Sheet& sheet, const Axes& axes, const LabelMeasure& measure)
        : sheet_(sheet), axes_(axes), measure_(measure) {}

    Stations run() {
        for (std::size_t c = 0; c < sheet_.columns.size(); ++c) {
            data(static_cast<int>(c));
            if (c < sheet_.events.size() && sheet_.events[c].apply) operation(static_cast<int>(c));
        }
        return std::move(stations_);
    }

private:
    const Strand& strand(int i) const { return sheet_.strands[at(i)]; }

    // The row of the wire in the last station, or of the wire that it comes from.
    int before(int strand_id, int axis) const {
        const Station& last = stations_.list.back();
        while (strand_id >= 0) {
            if (const int row = last.find(strand_id, axis); row >= 0) return row;
            if (axis >= 0) axis = strand(strand_id).at.empty() ? -1 : strand(strand_id).at.at(at(axis));
            const bool began = axis < 0 && !strand(strand_id).type.axes.empty();
            strand_id = strand(strand_id).parent;
            if (began) return -1;
        }
        return -1;
    }

    int exit_of(const Station& last, std::size_t row, int strand_id, int axis) const {
        if (last.rows[row].kind != Row::Kind::Glyph) return -1;
        const auto& exits = stations_.glyphs[at(last.rows[row].index)].exits;
        for (std::size_t port = 0; port < exits.size(); ++port)
            if (exits[port] == std::pair(strand_id, axis)) return static_cast<int>(port);
        return -1;
    }

    Row wire(int strand_id, int axis) const {
        Row row = wire_row(strand_id, axis);
        if (stations_.list.empty()) return row;
        const Station& last = stations_.list.back();
        if (const int from = before(strand_id, axis); from >= 0) row.from.push_back({from, -1});
        for (std::size_t r = 0; r < last.rows.size() && row.from.empty(); ++r)
            if (const int port = exit_of(last, r, strand_id, axis); port >= 0)
                row.from.push_back({static_cast<int>(r), port});
        if (const int other = strand(strand_id).joined; other >= 0)
            if (const int from = last.find(other, axis); from >= 0) row.from.push_back({from, -1});
        return row;
    }

    void add_wires(Station& station, int strand_id) const {
        const int rank = static_cast<int>(strand(strand_id).type.axes.size());
        for (int axis = 0; axis < rank; ++axis)
            if (is_drawn(axes_, strand(strand_id).type, axis)) station.rows.push_back(wire(strand_id, axis));
        if (rank == 0) station.rows.push_back(wire(strand_id, -1));
    }

    Row rim(const SheetEntry& entry) const {
        const bool top = entry.kind == SheetEntry::Kind::Top;
        Row row{.kind = top ? Row::Kind::Top : Row::Kind::Bottom,
                .strand = -1,
                .axis = -1,
                .index = entry.index,
                .from = {},
                .up = kRimRoom,
                .down = kRimRoom,
                .chain = -1,
                .offset = 0};
        if (top) row.down = sheet_.frames[at(entry.index)].title.empty() ? kRimRoom : kTitleRoom;
        if (!top) row.up = kRimRoom + 4;
        if (stations_.list.empty()) return row;
        const std::vector<Row>& last = stations_.list.back().rows;
        for (std::size_t r = 0; r < last.size(); ++r)
            if (last[r].kind == row.kind && last[r].index == entry.index)
                row.from.push_back({static_cast<int>(r), -1});
        return row;
    }

    void add_entries(Station& station, const SheetEntries& entries) const {
        for (const SheetEntry& entry : entries) {
            if (entry.kind == SheetEntry::Kind::Strand)
                add_wires(station, entry.index);
            else
                station.rows.push_back(rim(entry));
        }
    }

    void data(int column) {
        Station station;
        station.column = column;
        add_entries(station, sheet_.columns[at(column)]);
        stations_.list.push_back(std::move(station));
    }

    void operation(int e) {
        const SheetEvent& event = sheet_.events[at(e)];
        Station station;
        station.event = e;
        add_entries(station, event.above);
        const WirePlace place = [&](int strand_id, int axis) { return before(strand_id, axis); };
        for (OperatorRow& row : operator_rows(event, place, measure_)) {
            const bool wire = !row.glyph && row.output_axis >= 0;
            if (wire && !is_drawn(axes_, strand(event.outputs.at(at(row.output))).type, row.output_axis))
                continue;
            station.rows.push_back(operator_row(event, std::move(row)));
        }
        add_entries(station, event.below);
        stations_.list.push_back(std::move(station));
    }

    Row operator_row(const SheetEvent& event, OperatorRow made) {
        Row row = wire_row(-1, made.output_axis);
        for (const auto& [strand_id, axis] : made.from)
            if (const int from = before(strand_id, axis); from >= 0) row.from.push_back({from, -1});
        if (!made.glyph) {
            row.strand = event.outputs.at(at(made.output));
            return row;
        }
        StationGlyph& glyph = made.shape;
        glyph.entries = static_cast<int>(row.from.size());
        leave_out_undrawn(glyph);
        row.kind = Row::Kind::Glyph;
        row.up = row.down = glyph.height / 2 + kGlyphRoom;
        if (glyph.kind == GlyphKind::Norm) row.up += kCaptionRoom;
        row.index = static_cast<int>(stations_.glyphs.size());
        stations_.glyphs.push_back(std::move(glyph));
        return row;
    }

    // No wire of an axis of size 1 begins at a glyph beside others, and it is not as high as if one did.
    void leave_out_undrawn(StationGlyph& glyph) const {
        auto& exits = glyph.exits;
        const std::size_t all = exits.size();
        std::erase_if(exits, [&](const std::pair<int, int>& exit) {
            return exit.second >= 0 && !is_drawn(axes_, strand(exit.first).type, exit.second);
        });
        if (exits.size() == all) return;
        const auto ports =
            static_cast<double>(std::max(exits.size(), static_cast<std::size_t>(glyph.entries)));
        glyph.height = std::min(glyph.height, std::max(kLeastBox, (ports - 1) * glyph.pitch + kBoxMargin));
        if (glyph.kind == GlyphKind::Mask) glyph.width = glyph.height;
    }

    const Sheet& sheet_;
    const Axes& axes_;
    const LabelMeasure& measure_;
    Stations stations_;
};

}  // namespace

bool is_drawn(const Axes& axes, const ArrayType& type, int axis) {
    const Axis* what = &axis_of(axes, type.axes.at(at(axis)));
    while (what->size == 1 && what->whole) what = &axis_of(axes, *what->whole);
    return what->size != 1 || type.axes.size() == 1;
}

int Station::find(int strand, int axis) const {
    for (std::size_t r = 0; r < rows.size(); ++r)
        if (rows[r].wire() && rows[r].strand == strand && rows[r].axis == axis) return static_cast<int>(r);
    return -1;
}

Stations stations_of(const Sheet& sheet, const Axes& axes, const LabelMeasure& measure) {
    return Builder(sheet, axes, measure).run();
}

double space_between(const Row& upper, const Row& lower) {
    const bool arrays = upper.wire() && lower.wire() && upper.strand != lower.strand;
    return upper.down + lower.up + (arrays ? kSeparatorRoom : 0);
}

int crossings_into(const Station& station) {
    std::vector<int> from;  // of all links, top to bottom where they arrive
    for (const Row& row : station.rows)
        for (const RowLink& link : row.from) from.push_back(link.row);
    int crossings = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = i + 1; j < from.size(); ++j) crossings += from[i] > from[j];
    return crossings;
}

// The rows of one operator: wires that are weaved past it, and its glyph among them.

namespace {

constexpr double kArrayGap = 28;  // between the wires of two arrays that lie beside each other
constexpr double kCupGap = 14;    // between the arms of a cup whose wires come from farther away
constexpr double kBox = 26;
constexpr double kPortGap = 20;
constexpr double kSlicePitch = 12;  // between the wires of a hexagon, or of a named operator
constexpr double kPortMargin = 14;
constexpr double kStep = 34;  // width of the triangle that takes auxiliary numbers, too
constexpr std::size_t kMostLetters = 34;

using Ends = std::vector<std::pair<int, int>>;

class OperatorRows {
public:
    OperatorRows(const SheetEvent& event, const WirePlace& place, const LabelMeasure& measure)
        : event_(event), apply_(*event.apply), place_(place), measure_(measure) {}

    std::vector<OperatorRow> run() {
        const DiagramOperator& row = diagram_operator(apply_.op.kind);
        switch (row.arrangement) {
            case Arrangement::Items:
                return elementwise(row.glyph);
            case Arrangement::Wires:
                return apply_.own.empty() ? outputs() : weaved(hexagon());
            case Arrangement::Along:
                return along({.kind = row.glyph, .text = row.glyph_text, .width = kBox, .height = kBox});
            case Arrangement::Ends:
                if (row.glyph == GlyphKind::Box) return with_end(box(apply_.op.label));
                return with_end(
                    {.kind = row.glyph, .width = kCupGap / 2, .height = kCupGap, .pitch = kCupGap});
            case Arrangement::Opaque:
                if (row.glyph != GlyphKind::Box)
                    return opaque({.kind = row.glyph, .width = kBox, .height = kBox, .pitch = kPortGap});
                if (apply_.weave.empty() || apply_.inputs.empty()) return opaque(box(apply_.op.label));
                return weaved(named());
        }
        return {};
    }

private:
    StationGlyph box(const std::string& label) const {
        const std::string text = shortened(label, kMostLetters);
        const double width = std::max(kBox, measure_(text, LabelRole::Glyph).width + 12);
        return {.kind = GlyphKind::Box, .text = text, .width = width, .height = kBox, .pitch = kPortGap};
    }

    // What slices or joins an axis.
    StationGlyph hexagon() const {
        const double width = measure_(apply_.op.label, LabelRole::Glyph).width;
        return {.kind = GlyphKind::Hexagon,
                .text = apply_.op.label,
                .width = std::max(kBox, width + 18),
                .height = 18,
                .pitch = kSlicePitch};
    }

    // An operator that is only named. The steps of norms look like norms, learned maps have a glyph.
    StationGlyph named() const {
        const std::string& label = apply_.op.label;
        if (label == kLearned)
            return {
                .kind = GlyphKind::Learned, .text = "L", .width = kBox, .height = kBox, .pitch = kPortGap};
        for (const DiagramOperator& row : kOperators)
            if (apply_.outputs.size() == 2 && row.normalises && label == row.kept.glyph)
                return {.kind = row.glyph,
                        .text = row.glyph_text,
                        .width = kStep,
                        .height = row.glyph == GlyphKind::Norm ? kStep : kBox,
                        .pitch = kPortGap};
        StationGlyph made = box(label);
        made.pitch = kSlicePitch;
        return made;
    }

    // Names of operators are words; in formulas "_" lowers.
    static std::string in_letters(std::string name) {
        const bool word = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
        if (word) std::replace(name.begin(), name.end(), '_', ' ');
        return name;
    }

    StationGlyph sign(GlyphKind kind) const {
        const std::string text = shortened(in_letters(apply_.op.label), kMostLetters);
        const double bold = measure_(text, LabelRole::Bold).width;
        const double plain = measure_(text, LabelRole::Glyph).width;
        if (kind == GlyphKind::Tag)
            return {.kind = GlyphKind::Tag, .text = text, .width = plain + 12, .height = 16};
        if (bare(text)) return {.kind = GlyphKind::Bold, .text = text, .width = bold + 4, .height = 16};
        return {.kind = GlyphKind::Arrow, .text = text, .width = plain + 36, .height = 16};
    }

    static bool bare(const std::string& text) {
        return text == "+" || text == "×" || text == "+=" || text == "max=" || text == "max";
    }

    int output() const { return event_.outputs.at(0); }
    std::size_t rank() const { return apply_.outputs.at(0).slots.size(); }

    // The wires that run in an axis of the output.
    Ends sources(const Slot& slot) const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            for (std::size_t a = 0; a < apply_.inputs[i].slots.size(); ++a)
                if (apply_.inputs[i].slots[a] == slot)
                    ends.emplace_back(event_.inputs[i], static_cast<int>(a));
        return ends;
    }

    Ends own_wires() const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            for (std::size_t a = 0; a < apply_.inputs[i].slots.size(); ++a)
                if (apply_.inputs[i].slots[a].own) ends.emplace_back(event_.inputs[i], static_cast<int>(a));
        return ends;
    }

    // Inputs without axes.
    Ends items() const {
        Ends ends;
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i)
            if (apply_.inputs[i].slots.empty()) ends.emplace_back(event_.inputs[i], -1);
        return ends;
    }

    std::vector<OperatorRow> outputs() const {
        std::vector<OperatorRow> rows;
        for (std::size_t k = 0; k < rank(); ++k) {
            OperatorRow row{.output_axis = static_cast<int>(k), .from = sources(apply_.outputs[0].slots[k])};
            for (const auto& [out, strand] : event_.carried)
                if (out == 0) row.from.emplace_back(strand, static_cast<int>(k));
            rows.push_back(std::move(row));
        }
        if (rank() == 0) {
            OperatorRow row{.from = items()};
            for (const auto& [out, strand] : event_.carried)
                if (out == 0) row.from.emplace_back(strand, -1);
            rows.push_back(std::move(row));
        }
        return rows;
    }

    // Below the wires of the array, where the wire of one item would be.
    std::vector<OperatorRow> elementwise(GlyphKind kind) const {
        std::vector<OperatorRow> rows = outputs();
        OperatorRow glyph{.glyph = true, .shape = sign(kind)};
        if (rank() == 0) {
            glyph.from = std::move(rows.back().from);
            glyph.shape.exits = {{output(), -1}};
            rows.clear();
        } else {
            glyph.from = items();
        }
        glyph.shape.pitch = 8;
        rows.push_back(std::move(glyph));
        return rows;
    }

    // The weaved wires that an output's axis goes on from: those of the only output from all, of several each
    // from its own.
    Ends weave_sources(std::size_t output, const Slot& slot) const {
        Ends all = sources(slot);
        const std::size_t outputs = apply_.outputs.size();
        if (outputs == 1 || all.empty()) return all;
        if (output >= all.size()) return {all.back()};
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(output);
        return output + 1 < outputs ? Ends{*first} : Ends(first, all.end());
    }

    // Weaved axes run past, the operator's own end in its glyph and begin there.
    std::vector<OperatorRow> weaved(StationGlyph shape) const {
        std::vector<OperatorRow> rows;
        std::ptrdiff_t where = -1;
        for (std::size_t o = 0; o < apply_.outputs.size(); ++o) {
            const std::vector<Slot>& slots = apply_.outputs[o].slots;
            for (std::size_t k = 0; k < slots.size(); ++k) {
                if (!slots[k].own) {
                    rows.push_back({.output_axis = static_cast<int>(k),
                                    .from = weave_sources(o, slots[k]),
                                    .output = static_cast<int>(o)});
                    continue;
                }
                shape.exits.emplace_back(event_.outputs[o], static_cast<int>(k));
                if (where < 0) where = static_cast<std::ptrdiff_t>(rows.size());
            }
        }
        if (rows.empty() && shape.exits.empty()) shape.exits = {{output(), -1}};
        OperatorRow glyph{.glyph = true, .shape = std::move(shape), .from = own_wires()};
        std::stable_sort(glyph.from.begin(), glyph.from.end(), [&](const auto& a, const auto& b) {
            return place_(a.first, a.second) < place_(b.first, b.second);
        });
        const std::size_t ports = std::max(glyph.from.size(), glyph.shape.exits.size());
        glyph.shape.height =
            std::max(glyph.shape.height,
                     (static_cast<double>(ports) - 1) * glyph.shape.pitch + (ports > 1 ? kPortMargin : 0));
        if (where < 0) where = static_cast<std::ptrdiff_t>(best_place(rows, glyph));
        rows.insert(rows.begin() + where, std::move(glyph));
        return rows;
    }

    // On the wire of the operator's own axis, which goes on.
    std::vector<OperatorRow> along(const StationGlyph& shape) const {
        std::vector<OperatorRow> rows = outputs();
        for (std::size_t k = 0; k < rank(); ++k) {
            if (!apply_.outputs[0].slots[k].own) continue;
            rows[k].glyph = true;
            rows[k].shape = shape;
            rows[k].shape.exits = {{output(), static_cast<int>(k)}};
        }
        return rows;
    }

    // The operator's own wires end in a glyph, which stands where they cross the fewest others.
    std::vector<OperatorRow> with_end(StationGlyph shape) const {
        std::vector<OperatorRow> rows = outputs();
        if (rank() == 0) {
            shape.exits = {{output(), -1}};
            rows.clear();
        }
        OperatorRow glyph{.glyph = true, .shape = std::move(shape), .from = own_wires()};
        const Ends& own = glyph.from;
        std::sort(glyph.from.begin(), glyph.from.end(), [&](const auto& a, const auto& b) {
            return place_(a.first, a.second) < place_(b.first, b.second);
        });
        const bool side_by_side =
            own.size() == 2 && place_(own[1].first, own[1].second) == place_(own[0].first, own[0].second) + 1;
        if (glyph.shape.kind == GlyphKind::Cup && side_by_side)
            glyph.shape = {.kind = GlyphKind::Cup,
                           .width = kArrayGap / 2,
                           .height = kArrayGap,
                           .pitch = kArrayGap,
                           .exits = glyph.shape.exits};
        const std::size_t where = best_place(rows, glyph);
        rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(where), std::move(glyph));
        return rows;
    }

    std::size_t best_place(const std::vector<OperatorRow>& rows, const OperatorRow& glyph) const {
        std::size_t best = 0;
        int least = -1;
        for (std::size_t p = 0; p <= rows.size(); ++p) {
            int crossed = 0;
            for (std::size_t r = 0; r < rows.size(); ++r)
                for (std::size_t w = 0; w < rows[r].from.size(); ++w)
                    for (const auto& own : glyph.from)
                        if ((r < p) != (place_(rows[r].from[w].first, rows[r].from[w].second) <
                                        place_(own.first, own.second)))
                            crossed +=
                                w == 0 ? 101 : 100;  // of two places rather where straight wires stay so
            if (least >= 0 && crossed >= least) continue;
            least = crossed;
            best = p;
        }
        return best;
    }

    // All wires end in it and begin there.
    std::vector<OperatorRow> opaque(StationGlyph shape) const {
        OperatorRow row{.glyph = true, .shape = std::move(shape)};
        for (std::size_t i = 0; i < apply_.inputs.size(); ++i) {
            const int count = static_cast<int>(apply_.inputs[i].slots.size());
            for (int a = 0; a < count; ++a) row.from.emplace_back(event_.inputs[i], a);
            if (count == 0) row.from.emplace_back(event_.inputs[i], -1);
        }
        for (std::size_t o = 0; o < apply_.outputs.size(); ++o) {
            const int count = static_cast<int>(apply_.outputs[o].slots.size());
            for (int a = 0; a < count; ++a) row.shape.exits.emplace_back(event_.outputs[o], a);
            if (count == 0) row.shape.exits.emplace_back(event_.outputs[o], -1);
        }
        const double ports = static_cast<double>(std::max(row.from.size(), row.shape.exits.size()));
        row.shape.height = std::max(kBox, (ports - 1) * kPortGap + 12);
        if (row.shape.kind == GlyphKind::Mask) row.shape.width = row.shape.height;
        return {std::move(row)};
    }

    const SheetEvent& event_;
    const Apply& apply_;
    const WirePlace& place_;
    const LabelMeasure& measure_;
};

}  // namespace

std::vector<OperatorRow> operator_rows(const SheetEvent& event, const WirePlace& place,
                                       const LabelMeasure& measure) {
    return OperatorRows(event, place, measure).run();
}

}  // namespace blockscope::circuit
