#include "core/diagram/layout/draw.h"

#include <algorithm>
#include <cmath>

#include "core/diagram/layout/drawing.h"
#include "core/support/index.h"

namespace blockscope::circuit {

namespace {

constexpr double kBetweenLines = 26;
constexpr double kMargin = 10;

void add(Rect& bounds, const Rect& rect) {
    const double right = std::max(bounds.right(), rect.right());
    const double bottom = std::max(bounds.bottom(), rect.bottom());
    bounds.x = std::min(bounds.x, rect.x);
    bounds.y = std::min(bounds.y, rect.y);
    bounds.width = right - bounds.x;
    bounds.height = bottom - bounds.y;
}

Rect bounds_of(const Drawing& drawing) {
    if (drawing.lines.empty()) return {};
    Rect bounds = drawing.lines.front();
    for (const Rect& line : drawing.lines) add(bounds, line);
    for (const DrawnFrame& frame : drawing.frames) add(bounds, frame.rect);
    for (const DrawnGlyph& glyph : drawing.glyphs) add(bounds, glyph.box);
    for (const DrawnLabel& label : drawing.labels) add(bounds, label.box);
    for (const DrawnNumber& number : drawing.numbers) add(bounds, number.box);
    return bounds.grown(kMargin);
}

// Caches have a look of their own, so that shared memory, registers and tensor cores always look the same.
std::vector<int> looks_of(const Sheet& sheet, int lowest_level) {
    std::vector<int> looks(static_cast<std::size_t>(lowest_level) + 1, 0);
    for (const Strand& strand : sheet.strands)
        if (strand.type.cached) looks.at(static_cast<std::size_t>(strand.type.level)) = kCacheLook;
    int next = 0;
    for (int& look : looks)
        if (look != kCacheLook) look = std::min(next++, kCacheLook - 1);
    return looks;
}

}  // namespace

Drawing lay_out(const Circuit& circuit, const LayoutOptions& options) {
    const Sheet sheet = sheet_of(circuit, options.most_input_wires);
    Stations stations = stations_of(sheet, circuit.axes, options.measure);
    wrap(sheet, circuit.axes, stations, options);
    const int chains = straighten(stations);
    const std::vector<double> heights = chain_heights(stations, chains);
    spread(sheet, circuit.axes, stations, heights, options.measure);

    const Placed placed{
        .circuit = circuit, .sheet = sheet, .stations = stations, .heights = heights, .options = options};
    const Resources costs = resources(circuit);
    std::vector<LineOfStations> lines = lines_of(placed);
    const NumberStyle style = fitting(placed, costs, lines, options.numbers);
    Drawing drawing;
    drawing.axes = circuit.axes;
    drawing.lowest_level = circuit.lowest_level;
    drawing.looks = looks_of(sheet, circuit.lowest_level);
    double y = 0;
    for (LineOfStations& line : lines) {
        line.dy += y;
        line.top += y;
        line.bottom += y;
        draw_wires(placed, line, drawing);
        annotate(placed, line, drawing);
        drawing.lines.push_back({line.left, line.top, line.right - line.left, line.bottom - line.top});
        y = line.bottom + draw_numbers(placed, costs, line, style, drawing) + kBetweenLines;
    }
    drawing.bounds = bounds_of(drawing);
    return drawing;
}

namespace {

class LineDrawer {
public:
    LineDrawer(const Placed& placed, const LineOfStations& line, Drawing& drawing)
        : placed_(placed), line_(line), drawing_(drawing) {}

    void run() {
        for (std::size_t s = line_.first; s <= line_.last; ++s) {
            const std::vector<int> before = std::move(now_);
            now_.assign(station(s).rows.size(), -1);
            used_.assign(before.size(), false);
            for (std::size_t r = 0; r < now_.size(); ++r) row(s, r, before);
            if (s > line_.first) close(s, before);
            if (s > line_.first) drawing_.crossings += crossings_into(station(s));
            if (!station(s).data()) transfer(s);
        }
        std::vector<DrawnWire> wires = std::move(wires_).finished();
        drawing_.wires.insert(drawing_.wires.end(), std::make_move_iterator(wires.begin()),
                              std::make_move_iterator(wires.end()));
    }

private:
    const Station& station(std::size_t s) const { return placed_.stations.list[s]; }
    const Strand& strand(const Row& row) const { return placed_.sheet.strands[at(row.strand)]; }
    const StationGlyph& glyph(const Row& row) const { return placed_.stations.glyphs[at(row.index)]; }

    AxisId axis(const Row& row) const {
        return row.axis < 0 ? AxisId{} : strand(row).type.axes.at(at(row.axis));
    }

    bool outcome(const Station& where, const Row& row) const {
        if (where.data()) return false;
        const std::vector<int>& outputs = placed_.sheet.events[at(where.event)].outputs;
        return std::find(outputs.begin(), outputs.end(), row.strand) != outputs.end();
    }

    // The level at which a wire arrives at its row.
    int level_in(const Station& where, const Row& row) const {
        if (!outcome(where, row)) return strand(row).type.level;
        const std::vector<Segment>& inputs = placed_.sheet.events[at(where.event)].apply->inputs;
        return inputs.empty() ? strand(row).type.level : inputs.front().level;
    }

    Rect glyph_box(const Station& where, const Row& row) const {
        const StationGlyph& shape = glyph(row);
        return {(where.x0 + where.x1 - shape.width) / 2, placed_.y(row, line_) - shape.height / 2,
                shape.width, shape.height};
    }

    void dot(Point where, int level) { drawing_.dots.push_back({where, level}); }

    void row(std::size_t s, std::size_t r, const std::vector<int>& before) {
        const Row& what = station(s).rows[r];
        if (what.wire()) wire(s, r, before);
        if (what.kind == Row::Kind::Glyph) sign(s, what, before);
    }

    void wire(std::size_t s, std::size_t r, const std::vector<int>& before) {
        const Station& where = station(s);
        const Row& what = where.rows[r];
        const Point start{where.x0, placed_.y(what, line_)};
        int& mine = now_[r];
        if (s == line_.first && !what.from.empty()) {
            mine = wires_.begin(start, axis(what), level_in(where, what), WireEnd::Edge);
        } else if (what.from.empty()) {
            mine = started(where, what, start);
        } else {
            for (std::size_t l = 0; l < what.from.size(); ++l) arrive(s, what, l, before, start, mine);
        }
        if (outcome(where, what) && level_in(where, what) != strand(what).type.level) {
            const double middle = (where.x0 + where.x1) / 2;
            wires_.line_to(mine, middle);
            wires_.end(mine, WireEnd::Level);
            mine = wires_.begin({middle, start.y}, axis(what), strand(what).type.level, WireEnd::Level);
        }
        wires_.line_to(mine, where.x1);
    }

    // A wire that nothing leads to: an input, an axis that is carried or cut, a broadcast.
    int started(const Station& where, const Row& what, Point start) {
        const bool edge = strand(what).source;
        start.x += edge ? where.lead : 0;
        if (!where.data()) dot(start, strand(what).type.level);
        const WireEnd from = edge ? WireEnd::Edge : where.data() ? WireEnd::Frame : WireEnd::Dot;
        return wires_.begin(start, axis(what), strand(what).type.level, from);
    }

    // Link l of a wire: the first one goes on, the others end here.
    void arrive(std::size_t s, const Row& what, std::size_t l, const std::vector<int>& before, Point start,
                int& mine) {
        const RowLink& link = what.from[l];
        const int run = departure(s, link, before, axis(what));
        wires_.curve_to(run, start);
        if (l == 0) {
            mine = run;
            if (wires_.axis(run) == axis(what)) return;
            wires_.end(run, WireEnd::Frame);
            mine = wires_.begin(start, axis(what), wires_.level(run), WireEnd::Frame);
            return;
        }
        wires_.end(run, WireEnd::Dot);
        dot(start, wires_.level(run));
    }

    // The wire that leaves a row of the station before; another one from a dot if that is taken already.
    int departure(std::size_t s, const RowLink& link, const std::vector<int>& before, AxisId axis_here) {
        const Station& last = station(s - 1);
        const Row& from = last.rows[at(link.row)];
        if (from.kind == Row::Kind::Glyph) {
            const Rect box = glyph_box(last, from);
            const double y = placed_.y(from, line_) + glyph(from).exit(link.port);
            const Point rim{right_rim(glyph(from).kind, box, y), y};
            const auto& exit = glyph(from).exits.at(at(link.port));
            const Strand& made = placed_.sheet.strands[at(exit.first)];
            return wires_.begin(rim, axis_here, made.type.level, WireEnd::Glyph);
        }
        const int run = before[at(link.row)];
        if (!used_[at(link.row)]) {
            used_[at(link.row)] = true;
            return run;
        }
        const Point tip{last.x1, placed_.y(from, line_)};
        dot(tip, wires_.level(run));
        return wires_.begin(tip, wires_.axis(run), wires_.level(run), WireEnd::Dot);
    }

    void sign(std::size_t s, const Row& what, const std::vector<int>& before) {
        const Station& where = station(s);
        const Rect box = glyph_box(where, what);
        if (s > line_.first) {
            for (std::size_t l = 0; l < what.from.size(); ++l) {
                const int run = departure(s, what.from[l], before, {});
                const double y = placed_.y(what, line_) + glyph(what).entry(static_cast<int>(l));
                wires_.curve_to(run, {box.left(), y});
                wires_.line_to(run, left_rim(glyph(what).kind, box, y));
                wires_.end(run, WireEnd::Glyph);
            }
        }
        add_glyph(where, glyph(what).kind, box, glyph(what).text);
        if (glyph(what).kind != GlyphKind::Norm) return;
        const Size size = placed_.options.measure(glyph(what).text, LabelRole::Title);
        drawing_.labels.push_back(
            {.role = LabelRole::Title,
             .box = {box.center().x - size.width / 2, box.top() - size.height, size.width, size.height},
             .text = glyph(what).text});
    }

    void add_glyph(const Station& where, GlyphKind kind, const Rect& box, const std::string& text) {
        const SheetEvent& event = placed_.sheet.events[at(where.event)];
        std::vector<ArrayType> inputs;
        std::vector<ArrayType> outputs;
        for (const int input : event.inputs) inputs.push_back(placed_.sheet.strands[at(input)].type);
        for (const int output : event.outputs) outputs.push_back(placed_.sheet.strands[at(output)].type);
        const int level = outputs.empty() ? 0 : outputs.front().level;
        const Axes& axes = placed_.circuit.axes;
        const Apply& apply = *event.apply;
        DrawnGlyph glyph{.kind = kind,
                         .box = box,
                         .text = text,
                         .detail = apply_detail(axes, apply, inputs, outputs),
                         .level = level,
                         .execution = event.execution,
                         .origin = apply.origin};
        if (kind == GlyphKind::Transfer && !apply.inputs.empty()) glyph.array = apply.inputs.front().name;
        glyph.op = apply.op.kind;
        glyph.label = apply.op.label;
        for (const AxisId axis : apply.own)
            glyph.along += (glyph.along.empty() ? "" : ", ") + axis_label(axes, axis);
        if (!inputs.empty()) glyph.shape = array_shape(axes, inputs.front());
        if (!inputs.empty()) glyph.level_before = inputs.front().level;
        drawing_.glyphs.push_back(std::move(glyph));
    }

    // What changes its level or its order has no glyph, but a place.
    void transfer(std::size_t s) {
        const Station& where = station(s);
        double top = 1e9;
        double bottom = -1e9;
        for (const Row& row : where.rows) {
            if (!row.wire() || !outcome(where, row)) continue;
            top = std::min(top, placed_.y(row, line_) - 6);
            bottom = std::max(bottom, placed_.y(row, line_) + 6);
        }
        const Apply& apply = *placed_.sheet.events[at(where.event)].apply;
        const bool crossing = apply.op.kind == OperatorKind::Reindex && apply.own.empty();
        if (apply.op.kind != OperatorKind::Transfer && !crossing) return;
        add_glyph(where, GlyphKind::Transfer, {where.x0, top, where.x1 - where.x0, bottom - top}, "");
    }

    // What was there before this station and does not go on.
    void close(std::size_t s, const std::vector<int>& before) {
        const Station& last = station(s - 1);
        const bool frame = last.data() && station(s).data();
        for (std::size_t r = 0; r < before.size(); ++r) {
            if (before[r] < 0 || used_[r]) continue;
            wires_.end(before[r], frame && rims(last) != rims(station(s)) ? WireEnd::Frame : WireEnd::Dot);
            dot(wires_.tip(before[r]), wires_.level(before[r]));
        }
    }

    static std::ptrdiff_t rims(const Station& station) {
        return std::count_if(station.rows.begin(), station.rows.end(),
                             [](const Row& row) { return row.kind == Row::Kind::Top; });
    }

    const Placed& placed_;
    const LineOfStations& line_;
    Drawing& drawing_;
    Wires wires_;
    std::vector<int> now_;    // by row of this station: its wire
    std::vector<bool> used_;  // by row of the station before: its wire goes on
};

}  // namespace

std::vector<LineOfStations> lines_of(const Placed& placed) {
    std::vector<LineOfStations> lines;
    const std::vector<Station>& list = placed.stations.list;
    for (std::size_t s = 0; s < list.size(); ++s) {
        if (s == 0 || list[s].line_start)
            lines.push_back({.first = s, .last = s, .top = 1e9, .bottom = -1e9, .left = 1e9, .right = -1e9});
        LineOfStations& line = lines.back();
        line.last = s;
        line.left = std::min(line.left, list[s].x0);
        line.right = std::max(line.right, list[s].x1);
        for (const Row& row : list[s].rows) {
            line.top = std::min(line.top, height_of(row, placed.heights) - row.up);
            line.bottom = std::max(line.bottom, height_of(row, placed.heights) + row.down);
        }
    }
    for (LineOfStations& line : lines) {
        if (line.top > line.bottom) line.top = line.bottom = 0;
        line.dy = -line.top;
        line.bottom -= line.top;
        line.top = 0;
    }
    return lines;
}

void draw_wires(const Placed& placed, const LineOfStations& line, Drawing& drawing) {
    LineDrawer(placed, line, drawing).run();
}

namespace {

constexpr double kLevel = 0.01;    // heights closer than this are one
constexpr double kControl = 0.45;  // of a curve's width

// Whether the last piece is a horizontal line, which can be made longer.
bool ends_level(const Curve& points) {
    const std::size_t n = points.size();
    return n >= 4 && points[n - 4].y == points[n - 1].y && points[n - 3].y == points[n - 1].y;
}

}  // namespace

int Wires::begin(Point at, AxisId axis, int level, WireEnd from) {
    wires_.push_back({.points = {at}, .level = level, .axis = axis, .from = from});
    return static_cast<int>(wires_.size()) - 1;
}

void Wires::line_to(int wire, double x) {
    Curve& points = wires_.at(static_cast<std::size_t>(wire)).points;
    const double y = points.back().y;
    if (x <= points.back().x) return;
    if (ends_level(points)) points.resize(points.size() - 3);
    const double x0 = points.back().x;
    points.push_back({x0 + (x - x0) / 3, y});
    points.push_back({x0 + (x - x0) * 2 / 3, y});
    points.push_back({x, y});
}

void Wires::curve_to(int wire, Point to) {
    Curve& points = wires_.at(static_cast<std::size_t>(wire)).points;
    const Point from = points.back();
    if (std::abs(to.y - from.y) < kLevel) return line_to(wire, to.x);
    const double reach = (to.x - from.x) * kControl;
    points.push_back({from.x + reach, from.y});
    points.push_back({to.x - reach, to.y});
    points.push_back(to);
}

std::vector<DrawnWire> Wires::finished() && {
    std::vector<DrawnWire> result;
    for (DrawnWire& wire : wires_)
        if (wire.points.size() > 1) result.push_back(std::move(wire));
    return result;
}

}  // namespace blockscope::circuit
