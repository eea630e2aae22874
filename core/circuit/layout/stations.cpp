#include "core/circuit/layout/stations.h"

#include <algorithm>
#include <utility>

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

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
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
        Row row{Row::Kind::Wire, strand_id, axis, -1, {}, kLabelRoom, kWireRoom, -1, 0};
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
        Row row{top ? Row::Kind::Top : Row::Kind::Bottom, -1, -1, entry.index, {}, kRimRoom, kRimRoom, -1, 0};
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
        Row row{Row::Kind::Wire, -1, made.output_axis, -1, {}, kLabelRoom, kWireRoom, -1, 0};
        for (const auto& [strand_id, axis] : made.from)
            if (const int from = before(strand_id, axis); from >= 0) row.from.push_back({from, -1});
        if (!made.glyph) {
            row.strand = event.outputs.at(at(made.output));
            return row;
        }
        StationGlyph& glyph = made.drawn;
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

}  // namespace blockscope::circuit
