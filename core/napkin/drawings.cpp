#include "core/napkin/drawings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/diagram/layout/draw.h"
#include "core/json/device_files.h"

namespace blockscope::circuit {

namespace {

constexpr double kTitle = 96;  // width of what stands before the lanes
constexpr double kClockRow = 24, kBetweenRows = 3, kBetweenLanes = 12;
constexpr double kRuler = 20;  // height
constexpr double kClockMargin = 8;
constexpr double kClockInside = 4;      // around the text of a block
constexpr double kLeastBarrier = 1e-6;  // clocks: what is less is rounding

double lane_height() {
    return 2 * kClockRow + kBetweenRows;
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
        scale_ = (options.width - kTitle - 2 * kClockMargin) / until_;
    }

    ClockDrawing run() {
        for (int lane = 0; lane < schedule_.lanes; ++lane) add_lane(lane);
        for (const ScheduledTask& task : schedule_.scheduled)
            if (task.start < until_) add_block(task);
        for (const Barrier& barrier : schedule_.barriers)
            if (barrier.at < until_ && barrier.waited > kLeastBarrier) add_barrier(barrier);
        add_ruler();
        drawing_.bounds = {0, 0, options_.width, drawing_.ruler_y + kRuler + kClockMargin};
        return std::move(drawing_);
    }

private:
    double x_of(double clocks) const { return kClockMargin + kTitle + scale_ * clocks; }
    static double top_of(int lane) { return kClockMargin + lane * (lane_height() + kBetweenLanes); }

    void add_lane(int lane) {
        const double top = top_of(lane);
        drawing_.lanes.push_back({{x_of(0), top, scale_ * until_, lane_height()},
                                  {kClockMargin, top, kTitle - kClockMargin, lane_height()},
                                  lane + 1});
    }

    void add_block(const ScheduledTask& scheduled) {
        const LaneTask& task = schedule_.tasks.at(static_cast<std::size_t>(scheduled.task));
        const double y = top_of(scheduled.lane) + (task.unit == Unit::Matrix ? 0 : kClockRow + kBetweenRows);
        const auto span = [&](double from, double to) {
            const double left = x_of(std::min(from, until_)), right = x_of(std::min(to, until_));
            return Rect{left, y, right - left, kClockRow};
        };
        ClockBlock block{.work = span(scheduled.start, scheduled.worked),
                         .overhead = span(scheduled.worked, scheduled.end),
                         .unit = task.unit,
                         .iteration = scheduled.iteration,
                         .text = short_name(task.name),
                         .name = task.name,
                         .clocks = task.clocks,
                         .begins = scheduled.start};
        if (options_.measure(block.text, LabelRole::Glyph).width + 2 * kClockInside > block.work.width)
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

std::string place_clocks(double x, double y) {
    char text[64];
    std::snprintf(text, sizeof text, "(%.1f,%.1f)", x, y);
    return text;
}

std::string box(const Rect& rect) {
    return place_clocks(rect.left(), rect.top()) + " rectangle " + place_clocks(rect.right(), rect.bottom());
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
        text += "\\node[anchor=west] at " + place_clocks(lane.title_box.left(), lane.title_box.center().y) +
                " {warpgroup " + std::to_string(lane.number) + "};\n";
    for (const ClockBlock& block : drawing.blocks) {
        text += "\\draw[" + json::unit_names().at(static_cast<std::size_t>(block.unit)) + "] " +
                box(block.work) + ";\n";
        if (block.overhead.width > 0) text += "\\draw[overhead] " + box(block.overhead) + ";\n";
        if (!block.text.empty())
            text += "\\node at " + place_clocks(block.work.center().x, block.work.center().y) + " {$" +
                    block.text + "$};\n";
    }
    for (const ClockBarrier& barrier : drawing.barriers)
        text += "\\draw[barrier] " + place_clocks(barrier.x, barrier.top) + " -- " +
                place_clocks(barrier.x, barrier.bottom) + ";\n";
    if (!drawing.ruler.empty())
        text += "\\draw " + place_clocks(drawing.ruler.front(), drawing.ruler_y) + " -- " +
                place_clocks(drawing.ruler.back(), drawing.ruler_y) + ";\n";
    for (const double x : drawing.ruler)
        text += "\\draw " + place_clocks(x, drawing.ruler_y) + " -- " + place_clocks(x, drawing.ruler_y + 5) +
                ";\n";
    return text + "\\end{tikzpicture}\n";
}

namespace {

constexpr double kLevelMargin = 12;
constexpr double kLevelInside = 8;  // around the text of a box
constexpr double kLevelRow = 15;    // a line of text
constexpr double kBelow = 46;       // between a level and the next one
constexpr double kBeside = 120;     // between two children, with room for what their link says
constexpr double kSibling = 96;     // width of a child that stands for the others

std::string seconds_text(double seconds) {
    char text[32];
    const double scale = seconds < 1e-6 ? 1e9 : seconds < 1e-3 ? 1e6 : seconds < 1 ? 1e3 : 1;
    const char* const unit = seconds < 1e-6 ? "ns" : seconds < 1e-3 ? "µs" : seconds < 1 ? "ms" : "s";
    std::snprintf(text, sizeof text, "%.3g %s", seconds * scale, unit);
    return text;
}

// "holds 116k, H* 10.5M, 2.14 µs"
std::vector<std::string> lines_of(const LevelModels& models, const LevelCost& level) {
    std::vector<std::string> lines = {"M = " + short_count(std::floor(level.level.memory)),
                                      "H* = " + short_count(level.transfers), seconds_text(level.seconds)};
    for (const CacheCost& cache : models.caches)
        if (cache.name == level.level.name)
            lines.push_back("as a cache of M = " + short_count(std::floor(cache.together)) +
                            "*: H* = " + short_count(cache.transfers_cached));
    return lines;
}

class LevelDrawer {
public:
    LevelDrawer(const LevelModels& models, const LabelMeasure& measure)
        : models_(models), measure_(measure) {}

    LevelDrawing run(const std::string& outermost) {
        double before = 1;
        int level = 0;
        add(outermost, {}, level);
        for (const LevelCost& cost : models_.levels) {
            const double children = cost.instances / before;
            before = cost.instances;
            const Rect above = first_;
            add(cost.level.name, lines_of(models_, cost), ++level);
            pipe(above, first_, level);
            if (children > 1) siblings(cost, above, children, level);
        }
        bound();
        return std::move(made_);
    }

private:
    double width(const std::string& text, LabelRole role) const { return measure_(text, role).width; }

    void add(const std::string& name, std::vector<std::string> lines, int level) {
        double widest = width(name, LabelRole::Name);
        for (const std::string& line : lines) widest = std::max(widest, width(line, LabelRole::Number));
        const double height = kLevelRow * static_cast<double>(lines.size() + 1) + 2 * kLevelInside;
        first_ = {kLevelMargin, next_, widest + 2 * kLevelInside, height};
        next_ += height + kBelow;
        made_.boxes.push_back(
            {.box = first_, .level = level, .name = name, .lines = std::move(lines), .first = true});
    }

    void pipe(const Rect& above, const Rect& below, int level) {
        const double x = std::min(above.center().x, below.center().x);
        made_.pipes.push_back({{x, above.bottom()}, {x, below.top()}, level, false});
    }

    // The other children, as one box, with a pipe of their own and the link that the level may have.
    void siblings(const LevelCost& cost, const Rect& above, double children, int level) {
        const Rect other{first_.right() + kBeside, first_.y, kSibling, first_.height};
        made_.boxes.push_back({.box = other,
                               .level = level,
                               .name = cost.level.name + " ×" + short_count(children - 1),
                               .first = false});
        made_.pipes.push_back({{above.center().x + kLevelInside, above.bottom()},
                               {other.center().x, other.top()},
                               level,
                               false});
        if (cost.level.name != models_.linked) return;
        const double y = first_.center().y;
        made_.pipes.push_back({{first_.right(), y}, {other.left(), y}, level, true});
        double top = y - 4;
        for (auto link = models_.cross.rbegin(); link != models_.cross.rend(); ++link) {
            top -= kLevelRow;
            note(short_count(link->children) + " linked: −" + seconds_text(link->saved),
                 {first_.right() + kLevelInside, top}, level);
        }
    }

    void note(const std::string& text, Point at, int level) {
        const Size size = measure_(text, LabelRole::Number);
        made_.notes.push_back({{at.x, at.y, size.width, size.height}, text, level});
    }

    void bound() {
        Rect all{0, 0, 0, next_ - kBelow + kLevelMargin};
        double top = 0;
        for (const LevelBox& box : made_.boxes)
            all.width = std::max(all.width, box.box.right() + kLevelMargin);
        for (const LevelNote& one : made_.notes) {
            all.width = std::max(all.width, one.box.right() + kLevelMargin);
            top = std::min(top, one.box.top() - kLevelMargin);
        }
        all.y = top, all.height -= top;
        made_.bounds = all;
    }

    const LevelModels& models_;
    const LabelMeasure& measure_;
    LevelDrawing made_;
    Rect first_;
    double next_ = kLevelMargin;
};

std::string place_levels(double x, double y) {
    char text[64];
    std::snprintf(text, sizeof text, "(%.1f,%.1f)", x, y);
    return text;
}

std::string in_latex(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto is = [&](const char* letter) {
            return text.compare(i, std::string(letter).size(), letter) == 0;
        };
        if (is("µ"))
            result += "$\\mu$", i += 1;
        else if (is("×"))
            result += "$\\times$", i += 1;
        else if (is("−"))
            result += "$-$", i += 2;
        else if (text[i] == '*')
            result += "$^*$";
        else if (text[i] == '_' || text[i] == '%' || text[i] == '&' || text[i] == '#')
            result += std::string("\\") + text[i];
        else
            result += text[i];
    }
    return result;
}

}  // namespace

LevelDrawing draw_levels(const LevelModels& models, const std::string& outermost,
                         const LabelMeasure& measure) {
    return LevelDrawer(models, measure).run(outermost);
}

std::string tikz(const LevelDrawing& drawing, const std::string& title) {
    std::string text = "% " + title +
                       "\n\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, font=\\footnotesize,\n"
                       "  level0/.style={draw=black},\n"
                       "  level1/.style={draw={rgb,255:red,214;green,125;blue,0}, line width=1.1pt},\n"
                       "  level2/.style={draw={rgb,255:red,72;green,143;blue,0}, line width=1.1pt},\n"
                       "  level3/.style={draw={rgb,255:red,40;green,110;blue,200}, line width=1.1pt},\n"
                       "  linked/.style={<->, dash pattern=on 4pt off 2pt}]\n";
    const auto style = [](int level) { return "level" + std::to_string(std::min(level, 3)); };
    for (const LevelPipe& pipe : drawing.pipes)
        text += "\\draw[" + style(pipe.level) + (pipe.linked ? ", linked" : ", ->") + "] " +
                place_levels(pipe.from.x, pipe.from.y) + " -- " + place_levels(pipe.to.x, pipe.to.y) + ";\n";
    for (const LevelBox& box : drawing.boxes) {
        text += "\\draw[" + style(box.level) + (box.first ? "" : ", densely dotted") + "] " +
                place_levels(box.box.left(), box.box.top()) + " rectangle " +
                place_levels(box.box.right(), box.box.bottom()) + ";\n";
        double y = box.box.top() + kLevelInside + kLevelRow / 2;
        text += "\\node at " + place_levels(box.box.center().x, y) + " {" + in_latex(box.name) + "};\n";
        for (const std::string& line : box.lines)
            text += "\\node[font=\\scriptsize] at " + place_levels(box.box.center().x, y += kLevelRow) +
                    " {" + in_latex(line) + "};\n";
    }
    for (const LevelNote& note : drawing.notes)
        text += "\\node[anchor=west, inner sep=0pt, font=\\scriptsize] at " +
                place_levels(note.box.left(), note.box.center().y) + " {" + in_latex(note.text) + "};\n";
    return text + "\\end{tikzpicture}\n";
}

}  // namespace blockscope::circuit
