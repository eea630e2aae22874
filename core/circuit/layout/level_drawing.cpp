#include "core/circuit/layout/level_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/circuit/layout/names.h"

namespace blockscope::circuit {

namespace {

constexpr double kMargin = 12;
constexpr double kInside = 8;    // around the text of a box
constexpr double kRow = 15;      // a line of text
constexpr double kBelow = 46;    // between a level and the next one
constexpr double kBeside = 120;  // between two children, with room for what their link says
constexpr double kSibling = 96;  // width of a child that stands for the others

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
        const double height = kRow * static_cast<double>(lines.size() + 1) + 2 * kInside;
        first_ = {kMargin, next_, widest + 2 * kInside, height};
        next_ += height + kBelow;
        made_.boxes.push_back({first_, level, name, std::move(lines), true});
    }

    void pipe(const Rect& above, const Rect& below, int level) {
        const double x = std::min(above.center().x, below.center().x);
        made_.pipes.push_back({{x, above.bottom()}, {x, below.top()}, level, false});
    }

    // The other children, as one box, with a pipe of their own and the link that the level may have.
    void siblings(const LevelCost& cost, const Rect& above, double children, int level) {
        const Rect other{first_.right() + kBeside, first_.y, kSibling, first_.height};
        made_.boxes.push_back({other, level, cost.level.name + " ×" + short_count(children - 1), {}, false});
        made_.pipes.push_back(
            {{above.center().x + kInside, above.bottom()}, {other.center().x, other.top()}, level, false});
        if (cost.level.name != models_.linked) return;
        const double y = first_.center().y;
        made_.pipes.push_back({{first_.right(), y}, {other.left(), y}, level, true});
        double top = y - 4;
        for (auto link = models_.cross.rbegin(); link != models_.cross.rend(); ++link) {
            top -= kRow;
            note(short_count(link->children) + " linked: −" + seconds_text(link->saved),
                 {first_.right() + kInside, top}, level);
        }
    }

    void note(const std::string& text, Point at, int level) {
        const Size size = measure_(text, LabelRole::Number);
        made_.notes.push_back({{at.x, at.y, size.width, size.height}, text, level});
    }

    void bound() {
        Rect all{0, 0, 0, next_ - kBelow + kMargin};
        double top = 0;
        for (const LevelBox& box : made_.boxes) all.width = std::max(all.width, box.box.right() + kMargin);
        for (const LevelNote& one : made_.notes) {
            all.width = std::max(all.width, one.box.right() + kMargin);
            top = std::min(top, one.box.top() - kMargin);
        }
        all.y = top, all.height -= top;
        made_.bounds = all;
    }

    const LevelModels& models_;
    const LabelMeasure& measure_;
    LevelDrawing made_;
    Rect first_;
    double next_ = kMargin;
};

std::string place(double x, double y) {
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
                place(pipe.from.x, pipe.from.y) + " -- " + place(pipe.to.x, pipe.to.y) + ";\n";
    for (const LevelBox& box : drawing.boxes) {
        text += "\\draw[" + style(box.level) + (box.first ? "" : ", densely dotted") + "] " +
                place(box.box.left(), box.box.top()) + " rectangle " +
                place(box.box.right(), box.box.bottom()) + ";\n";
        double y = box.box.top() + kInside + kRow / 2;
        text += "\\node at " + place(box.box.center().x, y) + " {" + in_latex(box.name) + "};\n";
        for (const std::string& line : box.lines)
            text += "\\node[font=\\scriptsize] at " + place(box.box.center().x, y += kRow) + " {" +
                    in_latex(line) + "};\n";
    }
    for (const LevelNote& note : drawing.notes)
        text += "\\node[anchor=west, inner sep=0pt, font=\\scriptsize] at " +
                place(note.box.left(), note.box.center().y) + " {" + in_latex(note.text) + "};\n";
    return text + "\\end{tikzpicture}\n";
}

}  // namespace blockscope::circuit
