// Separators, labels, names and frames of a line.
#include <algorithm>
#include <cmath>

#include "core/circuit/layout/draw.h"
#include "core/circuit/layout/names.h"

namespace blockscope::circuit {

namespace {

constexpr double kAboveWire = 2;       // between a label and its wire
constexpr double kAboveWireMost = 44;  // a separator is at most this far above the wire below it
constexpr double kLeastSeparator = 34;
constexpr double kOpenEnd = 8;  // how far frames that go on reach beyond their line
constexpr double kTitleX = 7, kTitleY = 3;
constexpr double kRimEdge = 8;  // between a rim and what is inside

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

class Annotator {
public:
    Annotator(const Placed& placed, const LineOfStations& line, Drawing& drawing)
        : placed_(placed), line_(line), drawing_(drawing) {}

    void run() {
        for (std::size_t s = line_.first; s <= line_.last; ++s) {
            separators(s);
            if (!station(s).data()) continue;
            labels(s);
            names(s);
        }
        finish_separators();
        for (std::size_t f = 0; f < placed_.sheet.frames.size(); ++f) frame(static_cast<int>(f));
    }

private:
    const Station& station(std::size_t s) const { return placed_.stations.list[s]; }
    const Strand& strand(const Row& row) const { return placed_.sheet.strands[at(row.strand)]; }
    double y(const Row& row) const { return placed_.y(row, line_); }

    // ---- separators ----

    // Between two arrays that stand beside each other, above the labels of the lower one.
    std::vector<double> heights(const Station& where) const {
        std::vector<double> result;
        for (std::size_t r = 1; r < where.rows.size(); ++r) {
            const Row& upper = where.rows[r - 1];
            const Row& lower = where.rows[r];
            if (!upper.wire() || !lower.wire() || upper.strand == lower.strand) continue;
            result.push_back(std::max((y(upper) + y(lower)) / 2 - 5, y(lower) - kAboveWireMost));
        }
        return result;
    }

    // One line as long as there is one at its height.
    void separators(std::size_t s) {
        const Station& where = station(s);
        std::vector<DrawnSeparator> here;
        for (const double height : heights(where)) {
            const auto same = std::find_if(open_.begin(), open_.end(), [&](const DrawnSeparator& other) {
                return std::abs(other.y - height) < 0.5;
            });
            const bool goes_on = same != open_.end();
            here.push_back({goes_on ? same->x0 : where.x0 + where.lead, where.x1, height});
            if (goes_on) open_.erase(same);
        }
        finish_separators();
        open_ = std::move(here);
    }

    void finish_separators() {
        for (const DrawnSeparator& line : open_)
            if (line.x1 - line.x0 >= kLeastSeparator) drawing_.separators.push_back(line);
        open_.clear();
    }

    // ---- labels ----

    void label(LabelRole role, const std::string& text, Point corner, AxisId axis, int level) {
        const Size size = placed_.options.measure(text, role);
        const bool sequence = axis.value >= 0 && has_overline(axis);
        drawing_.labels.push_back(
            {role, {corner.x, corner.y, size.width, size.height}, text, sequence, axis, level});
    }

    bool has_overline(AxisId id) const { return axis_of(placed_.circuit.axes, id).sequence; }

    void labels(std::size_t s) {
        const Station& where = station(s);
        for (std::size_t r = 0; r < where.rows.size(); ++r) {
            const Row& row = where.rows[r];
            if (!is_labelled(placed_.sheet, placed_.circuit.axes, placed_.stations, s, row)) continue;
            const std::string text = wire_label(placed_.sheet, placed_.circuit.axes, row);
            const Size size = placed_.options.measure(text, LabelRole::Axis);
            const double left = where.x0 + where.lead + 2;
            label(LabelRole::Axis, text, {left, y(row) - kAboveWire - size.height},
                  strand(row).type.axes.at(at(row.axis)), strand(row).type.level);
            const std::string tag = type_tag(placed_.sheet, placed_.circuit.axes, placed_.stations, s, r);
            const double tag_height = placed_.options.measure(tag, LabelRole::Tag).height;
            if (!tag.empty())
                label(LabelRole::Tag, tag,
                      {left + size.width + kTagGap, y(row) - kAboveWire - tag_height - 1}, {},
                      strand(row).type.level);
        }
    }

    // Inputs on the left of what begins here, outputs on the right of the last column.
    void names(std::size_t s) {
        const Station& where = station(s);
        const bool last = s + 1 == placed_.stations.list.size();
        for (std::size_t r = 0; r < where.rows.size();) {
            std::size_t end = r + 1;
            const Row& first = where.rows[r];
            while (end < where.rows.size() && first.wire() && where.rows[end].wire() &&
                   where.rows[end].strand == first.strand)
                ++end;
            const double middle = (y(first) + y(where.rows[end - 1])) / 2;
            if (first.wire() && strand(first).source && first.from.empty() && !where.line_start)
                name(first, where.x0 + where.lead - 5, middle, true);
            if (first.wire() && last && !strand(first).name.empty()) name(first, where.x1 + 6, middle, false);
            r = end;
        }
    }

    void name(const Row& row, double x, double middle, bool left) {
        const std::string& text = strand(row).name;
        if (text.empty()) return;
        const Size size = placed_.options.measure(text, LabelRole::Name);
        label(LabelRole::Name, text, {left ? x - size.width : x, middle - size.height / 2}, {},
              strand(row).type.level);
    }

    // ---- frames ----

    const Row* rim(std::size_t s, Row::Kind kind, int frame) const {
        for (const Row& row : station(s).rows)
            if (row.kind == kind && row.index == frame) return &row;
        return nullptr;
    }

    void frame(int f) {
        std::size_t first = line_.last + 1;
        std::size_t last = 0;
        for (std::size_t s = line_.first; s <= line_.last; ++s) {
            if (!rim(s, Row::Kind::Top, f)) continue;
            first = std::min(first, s);
            last = s;
        }
        if (first > line_.last) return;
        const SheetFrame& what = placed_.sheet.frames[at(f)];
        const bool open_left = first == line_.first;
        const bool open_right = last == line_.last;
        // What bends on its way past a frame, or into it, does so before the rim.
        const double left = open_left ? line_.left - kOpenEnd
                                      : std::max((station(first - 1).x1 + station(first).x0) / 2,
                                                 station(first).x0 - kRimEdge);
        const double right =
            open_right ? line_.right + kOpenEnd
                       : std::min((station(last).x1 + station(last + 1).x0) / 2, station(last).x1 + kRimEdge);
        const double top = y(*rim(first, Row::Kind::Top, f));
        const double bottom = y(*rim(first, Row::Kind::Bottom, f));
        DrawnFrame drawn{what.kind,  {left, top, right - left, bottom - top},
                         open_left,  open_right,
                         what.depth, what.title,
                         {},         what.axes,
                         what.origin};
        const Size size = placed_.options.measure(what.title, LabelRole::Title);
        // Right of what bends on its way through the rim.
        if (!open_left)
            drawn.title_box = {std::max(left + kTitleX, station(first).x0), top + kTitleY, size.width,
                               size.height};
        drawing_.frames.push_back(std::move(drawn));
    }

    const Placed& placed_;
    const LineOfStations& line_;
    Drawing& drawing_;
    std::vector<DrawnSeparator> open_;  // that reach the station before
};

}  // namespace

void annotate(const Placed& placed, const LineOfStations& line, Drawing& drawing) {
    Annotator(placed, line, drawing).run();
}

}  // namespace blockscope::circuit
