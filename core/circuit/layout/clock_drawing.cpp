#include "core/circuit/layout/clock_drawing.h"

#include <algorithm>
#include <cstdio>

#include "core/json/device_names.h"

namespace blockscope::circuit {

namespace {

constexpr double kTitle = 96;  // width of what stands before the lanes
constexpr double kRow = 24, kBetweenRows = 3, kBetweenLanes = 12;
constexpr double kRuler = 20;  // height
constexpr double kMargin = 8;
constexpr double kInside = 4;           // around the text of a block
constexpr double kLeastBarrier = 1e-6;  // clocks: what is less is rounding

double lane_height() {
    return 2 * kRow + kBetweenRows;
}

// "· that makes S" is S; what makes nothing new keeps its name.
std::string short_name(const std::string& task) {
    const std::string makes = " that makes ";
    const std::size_t at = task.find(makes);
    return at == std::string::npos ? task : task.substr(at + makes.size());
}

class Drawer {
public:
    Drawer(const Schedule& schedule, const ClockOptions& options) : schedule_(schedule), options_(options) {
        const double last = schedule.scheduled.empty() ? 1 : schedule.scheduled.back().end;
        const double wanted = (options.iterations + 0.5) * schedule.period;
        until_ = wanted > 0 ? std::min(wanted, last) : last;
        scale_ = (options.width - kTitle - 2 * kMargin) / until_;
    }

    ClockDrawing run() {
        for (int lane = 0; lane < schedule_.lanes; ++lane) add_lane(lane);
        for (const ScheduledTask& task : schedule_.scheduled)
            if (task.start < until_) add_block(task);
        for (const Barrier& barrier : schedule_.barriers)
            if (barrier.at < until_ && barrier.waited > kLeastBarrier) add_barrier(barrier);
        add_ruler();
        drawing_.bounds = {0, 0, options_.width, drawing_.ruler_y + kRuler + kMargin};
        return std::move(drawing_);
    }

private:
    double x_of(double clocks) const { return kMargin + kTitle + scale_ * clocks; }
    static double top_of(int lane) { return kMargin + lane * (lane_height() + kBetweenLanes); }

    void add_lane(int lane) {
        const double top = top_of(lane);
        drawing_.lanes.push_back({{x_of(0), top, scale_ * until_, lane_height()},
                                  {kMargin, top, kTitle - kMargin, lane_height()},
                                  lane + 1});
    }

    void add_block(const ScheduledTask& scheduled) {
        const LaneTask& task = schedule_.tasks.at(static_cast<std::size_t>(scheduled.task));
        const double y = top_of(scheduled.lane) + (task.unit == Unit::Matrix ? 0 : kRow + kBetweenRows);
        const auto span = [&](double from, double to) {
            const double left = x_of(std::min(from, until_)), right = x_of(std::min(to, until_));
            return Rect{left, y, right - left, kRow};
        };
        ClockBlock block{span(scheduled.start, scheduled.worked),
                         span(scheduled.worked, scheduled.end),
                         task.unit,
                         scheduled.iteration,
                         short_name(task.name),
                         task.name,
                         task.clocks,
                         scheduled.start};
        if (options_.measure(block.text, LabelRole::Glyph).width + 2 * kInside > block.work.width)
            block.text.clear();
        drawing_.blocks.push_back(std::move(block));
    }

    void add_barrier(const Barrier& barrier) {
        const double top = top_of(barrier.lane);
        drawing_.barriers.push_back({x_of(barrier.at), top - 3, top + lane_height() + 3, barrier.waited});
    }

    void add_ruler() {
        drawing_.ruler_y = top_of(schedule_.lanes - 1) + lane_height() + kBetweenLanes;
        for (const LaneTask& task : schedule_.tasks)
            if (task.unit == Unit::Matrix && drawing_.product == 0) drawing_.product = task.clocks;
        if (drawing_.product <= 0) return;
        const auto products = static_cast<int>(until_ * (1 + 1e-9) / drawing_.product);
        for (int i = 0; i <= products; ++i) drawing_.ruler.push_back(x_of(i * drawing_.product));
    }

    const Schedule& schedule_;
    const ClockOptions& options_;
    double until_ = 1;  // clocks that are seen
    double scale_ = 1;  // pixels per clock
    ClockDrawing drawing_;
};

std::string place(double x, double y) {
    char text[64];
    std::snprintf(text, sizeof text, "(%.1f,%.1f)", x, y);
    return text;
}

std::string box(const Rect& rect) {
    return place(rect.left(), rect.top()) + " rectangle " + place(rect.right(), rect.bottom());
}

}  // namespace

ClockDrawing draw_clocks(const Schedule& schedule, const ClockOptions& options) {
    return Drawer(schedule, options).run();
}

std::string tikz(const ClockDrawing& drawing, const std::string& title) {
    std::string text = "% " + title +
                       "\n\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, font=\\footnotesize,\n"
                       "  matrix/.style={draw, fill={rgb,255:red,201;green,220;blue,245}},\n"
                       "  vector/.style={draw, fill={rgb,255:red,250;green,224;blue,190}},\n"
                       "  special/.style={draw, fill={rgb,255:red,212;green,236;blue,196}},\n"
                       "  overhead/.style={draw, pattern=north east lines},\n"
                       "  barrier/.style={line width=1.4pt, dash pattern=on 1.4pt off 1.8pt}]\n";
    for (const ClockLane& lane : drawing.lanes)
        text += "\\node[anchor=west] at " + place(lane.title_box.left(), lane.title_box.center().y) +
                " {warpgroup " + std::to_string(lane.number) + "};\n";
    for (const ClockBlock& block : drawing.blocks) {
        text += "\\draw[" + json::unit_names().at(static_cast<std::size_t>(block.unit)) + "] " +
                box(block.work) + ";\n";
        if (block.overhead.width > 0) text += "\\draw[overhead] " + box(block.overhead) + ";\n";
        if (!block.text.empty())
            text += "\\node at " + place(block.work.center().x, block.work.center().y) + " {$" + block.text +
                    "$};\n";
    }
    for (const ClockBarrier& barrier : drawing.barriers)
        text += "\\draw[barrier] " + place(barrier.x, barrier.top) + " -- " +
                place(barrier.x, barrier.bottom) + ";\n";
    if (!drawing.ruler.empty())
        text += "\\draw " + place(drawing.ruler.front(), drawing.ruler_y) + " -- " +
                place(drawing.ruler.back(), drawing.ruler_y) + ";\n";
    for (const double x : drawing.ruler)
        text += "\\draw " + place(x, drawing.ruler_y) + " -- " + place(x, drawing.ruler_y + 5) + ";\n";
    return text + "\\end{tikzpicture}\n";
}

}  // namespace blockscope::circuit
