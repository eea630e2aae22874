// Widths: of columns, of operators, and of what bends between them.
#include <algorithm>
#include <cmath>

#include "core/circuit/layout/lines.h"
#include "core/circuit/layout/names.h"

namespace blockscope::circuit {

namespace {

constexpr double kLeastColumn = 10;
constexpr double kLabelEdge = 6;  // beside a label
constexpr double kNameEdge = 8;
constexpr double kTransfer = 18;
constexpr double kStraight = 5;  // between two stations
constexpr double kRim = 16;      // with the rim of a frame in its middle
constexpr double kMostBends = 96;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

class Spread {
public:
    Spread(const Sheet& sheet, const Axes& axes, Stations& stations, const std::vector<double>& heights,
           const LabelMeasure& measure)
        : sheet_(sheet), axes_(axes), stations_(stations), heights_(heights), measure_(measure) {}

    void run() {
        double x = 0;
        for (std::size_t s = 0; s < stations_.list.size(); ++s) {
            Station& station = stations_.list[s];
            const bool starts = s == 0 || station.line_start;
            x = starts ? 0 : x + between(s);
            station.lead = lead(station);
            station.x0 = x;
            x += width(s);
            station.x1 = x;
            x = room_for_titles(s, x);
        }
    }

private:
    double lead(const Station& station) const {
        double most = 0;
        if (!station.data() || station.line_start) return 0;
        for (const Row& row : station.rows)
            if (row.wire() && row.from.empty() && sheet_.strands[at(row.strand)].source)
                most = std::max(
                    most, measure_(sheet_.strands[at(row.strand)].name, LabelRole::Name).width + kNameEdge);
        return most;
    }

    double width(std::size_t s) const {
        const Station& station = stations_.list[s];
        return station.data() ? column_width(s) : operator_width(station);
    }

    double column_width(std::size_t s) const {
        double most = kLeastColumn;
        const std::vector<Row>& rows = stations_.list[s].rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (!is_labelled(sheet_, axes_, stations_, s, rows[r])) continue;
            double width = measure_(wire_label(sheet_, axes_, rows[r]), LabelRole::Axis).width + kLabelEdge;
            const std::string tag = type_tag(sheet_, axes_, stations_, s, r);
            if (!tag.empty()) width += kTagGap + measure_(tag, LabelRole::Tag).width;
            most = std::max(most, width);
        }
        return stations_.list[s].lead + most;
    }

    double operator_width(const Station& station) const {
        const Apply& apply = *sheet_.events[at(station.event)].apply;
        double most = apply.op.kind == OperatorKind::Transfer ? kTransfer : kLeastColumn;
        for (const Row& row : station.rows)
            if (row.kind == Row::Kind::Glyph) most = std::max(most, stations_.glyphs[at(row.index)].width);
        return most;
    }

    // The way from the station before. A bend is the wider the higher it climbs.
    double between(std::size_t s) const {
        const Station& station = stations_.list[s];
        const Station& before = stations_.list[s - 1];
        const double plain = rims(before) == rims(station) ? kStraight : kRim;
        double climb = -1;
        for (const Row& row : station.rows)
            for (std::size_t l = 0; l < row.from.size(); ++l)
                climb = std::max(climb, climb_of(before, row, l));
        if (climb < 0.5) return plain;
        const double bend = std::clamp(18 + 0.22 * climb, 24.0, kMostBends);
        return plain == kRim ? std::max(bend, kRim) + kRim / 2 : bend;
    }

    double climb_of(const Station& before, const Row& row, std::size_t l) const {
        const Row& from = before.rows[at(row.from[l].row)];
        if (heights_.empty()) return from.chain == row.chain ? 0 : 60;
        double a = height_of(from, heights_);
        double b = height_of(row, heights_);
        if (from.kind == Row::Kind::Glyph) a += stations_.glyphs[at(from.index)].exit(row.from[l].port);
        if (row.kind == Row::Kind::Glyph) b += stations_.glyphs[at(row.index)].entry(static_cast<int>(l));
        return std::abs(a - b);
    }

    static int rims(const Station& station) {
        int count = 0;
        for (const Row& row : station.rows) count += row.kind == Row::Kind::Top;
        return count;
    }

    // A frame that ends after this station is at least as wide as its title.
    double room_for_titles(std::size_t s, double x) {
        Station& station = stations_.list[s];
        for (const Row& row : station.rows) {
            if (row.kind != Row::Kind::Top || goes_on(s, row.index)) continue;
            const double title = measure_(sheet_.frames[at(row.index)].title, LabelRole::Title).width + kRim;
            x = std::max(x, begin_of(s, row.index) + title);
        }
        station.x1 = x;
        return x;
    }

    bool shows(const Station& station, int frame) const {
        return std::any_of(station.rows.begin(), station.rows.end(),
                           [&](const Row& row) { return row.kind == Row::Kind::Top && row.index == frame; });
    }

    bool goes_on(std::size_t s, int frame) const {
        return s + 1 < stations_.list.size() && !stations_.list[s + 1].line_start &&
               shows(stations_.list[s + 1], frame);
    }

    double begin_of(std::size_t s, int frame) const {
        while (s > 0 && !stations_.list[s].line_start && shows(stations_.list[s - 1], frame)) --s;
        return stations_.list[s].x0;
    }

    const Sheet& sheet_;
    const Axes& axes_;
    Stations& stations_;
    const std::vector<double>& heights_;
    const LabelMeasure& measure_;
};

// What a wire is called; empty if it is none with an axis.
std::string name_of(const Sheet& sheet, const Axes& axes, const Row& row) {
    if (!row.wire() || row.axis < 0) return {};
    const ArrayType& type = sheet.strands[at(row.strand)].type;
    return axis_label(axes, type.axes.at(at(row.axis)), type.level);
}

// The wire before an operator that this row leaves; null if there is none.
const Row* before_operator(const Stations& stations, std::size_t s, const Row& from) {
    if (s < 2 || stations.list[s - 1].data() || from.from.empty()) return nullptr;
    const Row& row = stations.list[s - 2].rows[at(from.from.front().row)];
    return row.wire() && row.axis >= 0 ? &row : nullptr;
}

// Whether an array comes in here, or was made just before of what has other types.
bool is_new_type(const Sheet& sheet, const Station& station, const Row& row) {
    const Strand& what = sheet.strands[at(row.strand)];
    if (station.line_start) return false;
    if (what.source) return row.from.empty();
    if (station.column < 1) return false;
    const SheetEvent& event = sheet.events[at(station.column - 1)];
    if (std::find(event.outputs.begin(), event.outputs.end(), row.strand) == event.outputs.end())
        return false;
    return std::none_of(event.inputs.begin(), event.inputs.end(),
                        [&](int input) { return sheet.strands[at(input)].type.elem == what.type.elem; });
}

// Whether the operator in between takes it to a level that calls it otherwise.
bool renamed_by_level(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                      const Row& from, const Row& row) {
    const Row* earlier = before_operator(stations, s, from);
    if (!earlier) return false;
    const ArrayType& before = sheet.strands[at(earlier->strand)].type;
    const ArrayType& now = sheet.strands[at(row.strand)].type;
    if (before.level == now.level) return false;
    // Asterisks stand where a cache begins (Figure 24).
    return (now.cached && !before.cached) || name_of(sheet, axes, *earlier) != name_of(sheet, axes, row);
}

}  // namespace

bool is_labelled(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                 const Row& row) {
    const Station& station = stations.list[s];
    if (!station.data() || !row.wire() || row.axis < 0) return false;
    if (s == 0 || station.line_start || row.from.empty()) return true;
    const Row& from = stations.list[s - 1].rows[at(row.from.front().row)];
    if (from.kind == Row::Kind::Glyph) {
        const GlyphKind kind = stations.glyphs[at(from.index)].kind;
        return kind != GlyphKind::Triangle && kind != GlyphKind::Norm;
    }
    const std::string before = name_of(sheet, axes, from);
    return before.empty() || before != name_of(sheet, axes, row) ||
           renamed_by_level(sheet, axes, stations, s, from, row);
}

std::string type_tag(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                     std::size_t r) {
    const std::vector<Row>& rows = stations.list[s].rows;
    const int id = rows[r].strand;
    if (!sheet.mixed_types || !rows[r].wire() || !is_new_type(sheet, stations.list[s], rows[r])) return {};
    for (std::size_t above = 0; above < r; ++above)
        if (rows[above].strand == id && is_labelled(sheet, axes, stations, s, rows[above])) return {};
    return is_labelled(sheet, axes, stations, s, rows[r]) ? to_string(sheet.strands[at(id)].type.elem) : "";
}

std::string wire_label(const Sheet& sheet, const Axes& axes, const Row& row) {
    const Strand& strand = sheet.strands[at(row.strand)];
    const std::string text = axis_label(axes, strand.type.axes.at(at(row.axis)), strand.type.level);
    const std::string star = strand.type.cached ? "*" : "";
    return strand.carried ? "(" + text + star + ")" : text + star;
}

void spread(const Sheet& sheet, const Axes& axes, Stations& stations, const std::vector<double>& heights,
            const LabelMeasure& measure) {
    Spread(sheet, axes, stations, heights, measure).run();
}

}  // namespace blockscope::circuit
