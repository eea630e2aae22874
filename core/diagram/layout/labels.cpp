#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>

#include "core/diagram/layout/draw.h"
#include "core/diagram/layout/drawing.h"
#include "core/diagram/layout/sheet.h"
#include "core/diagram/term.h"
#include "core/support/index.h"

namespace blockscope::circuit {

std::string axis_label(const Axes& axes, AxisId id) {
    const Axis& axis = axis_of(axes, id);
    std::string text = axis.name.empty() ? std::to_string(axis.size) : axis.name;
    if (axis.whole && !axis.open && axis_of(axes, *axis.whole).size == axis.size)
        text = axis_label(axes, *axis.whole);
    if (axis.divisor != 1) text += "^(" + std::to_string(axis.divisor) + ")";
    return text;
}

std::string axis_label(const Axes& axes, AxisId id, int level) {
    const std::vector<std::string>& names = axis_of(axes, id).at_levels;
    const auto at = static_cast<std::size_t>(level);
    return at < names.size() && !names[at].empty() ? names[at] : axis_label(axes, id);
}

SheetFrame partition_frame(const Axes& axes, const std::vector<const Partition*>& parts) {
    SheetFrame frame;
    const bool group = parts.front()->kind == PartitionKind::Group;
    frame.kind = group ? FrameKind::Groups : FrameKind::Stream;
    frame.origin = parts.front()->origin;
    for (const Partition* part : parts) {
        const std::string whole = axis_label(axes, part->whole);
        const std::string size = axis_label(axes, part->part);
        if (is_trivial(axes, *part)) continue;
        frame.title += (frame.title.empty() ? (group ? "groups " : "stream ") : ", ") + size + " of " + whole;
        frame.axes.push_back(part->part);
        frame.axes.push_back(part->whole);
    }
    return frame;
}

std::string array_shape(const Axes& axes, const ArrayType& type) {
    std::string text;
    for (const AxisId axis : type.axes)
        text += (text.empty() ? "" : " × ") + axis_label(axes, axis, type.level);
    return text + (text.empty() ? "one " : " ") + to_string(type.elem);
}

std::string array_text(const Axes& axes, const ArrayType& type) {
    const std::string text = array_shape(axes, type);
    return type.level > 0 ? text + " at level " + std::to_string(type.level) : text;
}

std::string apply_detail(const Axes& axes, const Apply& apply, const std::vector<ArrayType>& inputs,
                         const std::vector<ArrayType>& outputs) {
    std::string text = to_string(apply.op.kind);
    if (apply.op.kind == OperatorKind::Transfer || apply.op.kind == OperatorKind::Custom)
        text = apply.op.label;
    if (apply.op.kind == OperatorKind::Elementwise) text += " " + apply.op.label;
    if (apply.op.kind != OperatorKind::Custom)
        for (std::size_t i = 0; i < apply.own.size(); ++i)
            text += (i == 0 ? " along " : ", ") + axis_label(axes, apply.own[i]);
    std::string from;
    std::string to;
    for (const ArrayType& type : inputs) from += (from.empty() ? "" : ", ") + array_text(axes, type);
    for (const ArrayType& type : outputs) to += (to.empty() ? "" : ", ") + array_text(axes, type);
    return text + ": " + from + (from.empty() ? "→ " : " → ") + to;
}

std::string long_count(double value) {
    if (value != std::floor(value) || std::abs(value) > 9e15) return number_text(value);
    std::string digits = std::to_string(static_cast<std::int64_t>(value));
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > (value < 0 ? 1 : 0); i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string short_count(double value) {
    if (std::abs(value) < 1e5) return long_count(value);
    static const char* const units = "kMGTPE";
    std::size_t unit = 0;
    value /= 1000;
    while (std::abs(value) >= 999.5 && unit < 5) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.*f%c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    return text;
}

std::string shortened(const std::string& text, std::size_t most) {
    std::size_t count = 0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;  // inside a code point
        if (++count == most) cut = i;
    }
    return count <= most ? text : text.substr(0, cut) + "…";
}

// Separators, labels, names and frames of a line.

namespace {

constexpr double kAboveWire = 2;       // between a label and its wire
constexpr double kAboveWireMost = 44;  // a separator is at most this far above the wire below it
constexpr double kLeastSeparator = 34;
constexpr double kOpenEnd = 8;  // how far frames that go on reach beyond their line
constexpr double kTitleX = 7, kTitleY = 3;
constexpr double kRimEdge = 8;  // between a rim and what is inside

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
        drawing_.labels.push_back({.role = role,
                                   .box = {corner.x, corner.y, size.width, size.height},
                                   .text = text,
                                   .overline = sequence,
                                   .axis = axis,
                                   .level = level});
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
        DrawnFrame frame{.kind = what.kind,
                         .rect = {left, top, right - left, bottom - top},
                         .open_left = open_left,
                         .open_right = open_right,
                         .depth = what.depth,
                         .title = what.title,
                         .title_box = {},
                         .axes = what.axes,
                         .origin = what.origin};
        const Size size = placed_.options.measure(what.title, LabelRole::Title);
        // Right of what bends on its way through the rim.
        if (!open_left)
            frame.title_box = {std::max(left + kTitleX, station(first).x0), top + kTitleY, size.width,
                               size.height};
        drawing_.frames.push_back(std::move(frame));
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

// H and M under the columns.

namespace {

constexpr double kFoot = 8;           // below the wires
constexpr double kRow = 15;           // of numbers
constexpr double kBetween = 9;        // beside each other
constexpr std::size_t kMostRows = 4;  // of formulas, for each kind and level

// Of one row or more below each other: H, or M of one level.
struct Band {
    NumberKind kind = NumberKind::Memory;
    int level = 1;
    std::vector<DrawnNumber> numbers;
    std::vector<double> ends;  // of its rows so far
};

class Numbers {
public:
    Numbers(const Placed& placed, const Resources& resources, const LineOfStations& line, NumberStyle style)
        : placed_(placed),
          resources_(resources),
          line_(line),
          style_(style),
          values_(sizes(placed.circuit.axes)) {
        const Axes& axes = placed.circuit.axes;
        by_level_ =
            std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return !axis.level_sizes.empty(); });
        if (by_level_)
            for (const LevelMemory& level : resources.memory)
                bands_.push_back({NumberKind::Transfer, level.level, {}, {}});
        else
            bands_.push_back({NumberKind::Transfer, 0, {}, {}});
        memory_ = bands_.size();
        for (const LevelMemory& level : resources.memory)
            bands_.push_back({NumberKind::Memory, level.level, {}, {}});
        std::size_t next = 0;
        for (std::size_t e = 0; e < resources.columns.executions.size(); ++e)
            if (resources.columns.executions[e].apply->op.kind == OperatorKind::Transfer)
                transfer_[static_cast<int>(e)] = next++;
    }

    void run() {
        for (std::size_t s = line_.first; s <= line_.last; ++s) {
            if (station(s).data()) continue;
            const int execution = placed_.sheet.events[at(station(s).event)].execution;
            if (s > line_.first) memory(s - 1, static_cast<std::size_t>(2 * execution));
            if (transfer_.count(execution) > 0) transfer(s, execution);
            if (s < line_.last) memory(s + 1, static_cast<std::size_t>(2 * execution) + 1);
        }
    }

    // How many rows the fullest band has.
    std::size_t rows() const {
        std::size_t most = 0;
        for (const Band& band : bands_) most = std::max(most, band.ends.size());
        return most;
    }

    double draw(Drawing& drawing) {
        double y = line_.bottom + kFoot;
        for (Band& band : bands_) {
            if (band.numbers.empty()) continue;
            const bool several = band.kind == NumberKind::Transfer ? by_level_ : bands_.size() > memory_ + 1;
            const std::string name = (band.kind == NumberKind::Transfer ? "H" : "M") +
                                     (several ? "_" + std::to_string(band.level) : "");
            const Size size = placed_.options.measure(name, LabelRole::Number);
            drawing.labels.push_back({.role = LabelRole::Number,
                                      .box = {line_.left - kBetween - size.width, y, size.width, size.height},
                                      .text = name,
                                      .level = band.level});
            for (DrawnNumber& number : band.numbers) {
                number.box.y += y;
                drawing.numbers.push_back(std::move(number));
            }
            y += kRow * static_cast<double>(band.ends.size()) + 3;
        }
        return y - line_.bottom;
    }

private:
    const Station& station(std::size_t s) const { return placed_.stations.list[s]; }

    std::string written(const Formula& formula) const {
        return style_ == NumberStyle::Counts ? short_count(formula.value(values_)) : formula.text();
    }

    std::string summand(const std::string& what, const Formula& formula) const {
        return what + ": " + formula.text() + " = " + long_count(formula.value(values_));
    }

    void transfer(std::size_t s, int execution) {
        const TransferCost& cost = resources_.transfers.at(transfer_.at(execution));
        const std::string name = cost.name.empty() ? cost.apply->op.label : cost.name;
        DrawnNumber number = made(NumberKind::Transfer, s, cost.size, cost.to > 0 ? cost.to : cost.from);
        number.execution = execution;
        number.origin = cost.apply->origin;
        number.array = cost.name;
        number.sum = {summand(name, cost.size), summand("runs", cost.runs), summand("in all", cost.total)};
        const int lower = std::max(cost.from, cost.to);
        if (by_level_) number.level = lower;
        put(bands_[by_level_ ? at(lower - 1) : 0], std::move(number));
    }

    void memory(std::size_t s, std::size_t column) {
        for (std::size_t l = 0; l < resources_.memory.size(); ++l) {
            const LevelMemory& level = resources_.memory[l];
            Band& band = bands_[memory_ + l];
            for (std::size_t c = 0; c < level.columns.size(); ++c) {
                if (level.columns[c].column != column) continue;
                DrawnNumber number = made(NumberKind::Memory, s, level.columns[c].size, level.level);
                number.widest = c == level.widest;
                const bool known = !band.numbers.empty() && band.numbers.back().formula == number.formula;
                if (known && !number.widest) continue;
                if (known) band.numbers.back().widest = true;
                number.sum = summands(column, level.level);
                if (!known) put(band, std::move(number));
            }
        }
    }

    std::vector<std::string> summands(std::size_t column, int level) const {
        std::vector<std::string> lines;
        for (const ColumnArray& array : resources_.columns.columns[column].data) {
            if (array.type.level != level || array.type.cached) continue;
            const std::string text = array_shape(placed_.circuit.axes, array.type);
            lines.push_back(summand(array.carried ? "(" + text + ")" : text,
                                    size_of_array(placed_.circuit.axes, array.type)));
        }
        return lines;
    }

    DrawnNumber made(NumberKind kind, std::size_t s, const Formula& formula, int level) const {
        DrawnNumber number;
        number.kind = kind;
        number.level = level;
        number.column = {(station(s).x0 + station(s).lead + station(s).x1) / 2, line_.bottom};
        number.formula = formula.text();
        number.value = long_count(formula.value(values_));
        number.text = written(formula);
        return number;
    }

    // In the first row where it touches no other.
    void put(Band& band, DrawnNumber number) {
        const Size size = placed_.options.measure(number.text, LabelRole::Number);
        const double x = std::max(number.column.x - size.width / 2, line_.left);
        std::size_t row = 0;
        while (row < band.ends.size() && band.ends[row] + kBetween > x) ++row;
        if (row == band.ends.size()) band.ends.push_back(0);
        band.ends[row] = x + size.width;
        number.box = {x, kRow * static_cast<double>(row), size.width, size.height};
        band.numbers.push_back(std::move(number));
    }

    const Placed& placed_;
    const Resources& resources_;
    const LineOfStations& line_;
    NumberStyle style_;
    Values values_;
    bool by_level_ = false;                // levels have parts of their own, and so H of their own
    std::vector<Band> bands_;              // H, or H of each level, then M of each level
    std::size_t memory_ = 1;               // the first of those of M
    std::map<int, std::size_t> transfer_;  // by execution: index in Resources::transfers
};

}  // namespace

NumberStyle fitting(const Placed& placed, const Resources& resources,
                    const std::vector<LineOfStations>& lines, NumberStyle wanted) {
    if (wanted != NumberStyle::Formulas) return wanted;
    for (const LineOfStations& line : lines) {
        Numbers numbers(placed, resources, line, wanted);
        numbers.run();
        if (numbers.rows() > kMostRows) return NumberStyle::Counts;
    }
    return wanted;
}

double draw_numbers(const Placed& placed, const Resources& resources, const LineOfStations& line,
                    NumberStyle style, Drawing& drawing) {
    if (style == NumberStyle::None) return 0;
    Numbers numbers(placed, resources, line, style);
    numbers.run();
    return numbers.draw(drawing);
}

namespace {

constexpr double kAverageWidth = 0.6;  // of a character, as a share of its size
constexpr double kLineHeight = 1.16;

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\'';
}

bool in_exponent(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '/' || c == '.';
}

// Where what is lowered or raised from `start` on ends.
std::size_t end_of_shifted(const std::string& text, std::size_t start, bool raised) {
    if (start < text.size() && text[start] == '(') {
        const std::size_t close = text.find(')', start);
        return close == std::string::npos ? text.size() : close + 1;
    }
    std::size_t end = start;
    while (end < text.size() && (raised ? in_exponent(text[end]) : in_name(text[end]))) ++end;
    return end;
}

std::size_t letters(const std::string& text) {
    std::size_t count = 0;
    for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return count;
}

}  // namespace

double right_rim(GlyphKind kind, const Rect& box, double y) {
    const bool circle = kind == GlyphKind::Norm && box.width == box.height;
    return circle ? 2 * box.center().x - left_rim(kind, box, y) : box.right();
}

double left_rim(GlyphKind kind, const Rect& box, double y) {
    const double away = std::abs(y - box.center().y);
    const double radius = box.width / 2;
    if (kind == GlyphKind::Norm && box.width == box.height)
        return box.center().x - std::sqrt(std::max(0.0, radius * radius - away * away));
    if (kind != GlyphKind::Triangle || box.height <= 0) return box.left();
    return box.left() + box.width * away / (box.height / 2);
}

std::vector<TextRun> rich_text(const std::string& text) {
    std::vector<TextRun> runs;
    std::string plain;
    const auto flush = [&] {
        if (!plain.empty()) runs.push_back({plain, 0});
        plain.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
        const bool raised = text[i] == '^';
        const std::size_t end = raised || text[i] == '_' ? end_of_shifted(text, i + 1, raised) : i;
        if (end <= i + 1) {
            plain += text[i++];
            continue;
        }
        flush();
        runs.push_back({text.substr(i + 1, end - i - 1), raised ? 1 : -1});
        i = end;
    }
    flush();
    return runs;
}

double letter_size(LabelRole role) {
    switch (role) {
        case LabelRole::Axis:
            return 11;
        case LabelRole::Name:
            return 12;
        case LabelRole::Title:
            return 10;
        case LabelRole::Tag:
            return 9;
        case LabelRole::Glyph:
            return 11;
        case LabelRole::Bold:
            return 15;
        case LabelRole::Number:
            return 10;
    }
    return 11;
}

Size plain_label_size(const std::string& text, LabelRole role) {
    double width = 0;
    for (const TextRun& run : rich_text(text))
        width += static_cast<double>(letters(run.text)) * (run.shift == 0 ? 1 : kShiftedSize);
    return {width * letter_size(role) * kAverageWidth, letter_size(role) * kLineHeight};
}

}  // namespace blockscope::circuit
