#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "core/diagram/layout/drawing.h"

namespace blockscope::circuit {

namespace {

// Levels differ in their dashes, too: 0 solid, 1 solid and wider, 2 dashed, 3 dotted; caches (4) both.
const char* const kHead =
    "\\begin{tikzpicture}[x=0.75pt, y=-0.75pt, line cap=round, font=\\footnotesize,\n"
    "  level0/.style={black, line width=0.6pt},\n"
    "  level1/.style={draw={rgb,255:red,214;green,125;blue,0}, line width=1.1pt},\n"
    "  level2/.style={draw={rgb,255:red,72;green,143;blue,0}, line width=1.1pt, dash pattern=on 5pt off "
    "1.6pt},\n"
    "  level3/.style={draw={rgb,255:red,40;green,110;blue,200}, line width=1.1pt, dash pattern=on 1.8pt off "
    "1.6pt},\n"
    "  level4/.style={draw={rgb,255:red,125;green,74;blue,160}, line width=1.1pt, dash pattern=on 6pt off "
    "1.6pt "
    "on 1.2pt off 1.6pt},\n"
    "  item/.style={line width=1.8pt, dash pattern=on 0pt off 3pt},\n"
    "  separator/.style={dash pattern=on 3.75pt off 3.75pt, line width=0.8pt, black!60},\n"
    "  named/.style={rounded corners=3pt, black!45, fill=black!4},\n"
    "  groups/.style={rounded corners=4pt, black!55, dash pattern=on 2pt off 2pt},\n"
    "  split/.style={line width=1pt, line cap=round, black!60, dash pattern=on 0pt off 2.4pt},\n"
    "  learned/.style={line width=0.6pt, fill={rgb,255:red,232;green,238;blue,235}},\n"
    "  type/.style={draw, rounded corners=2pt, inner xsep=1.5pt, inner ysep=0.5pt, font=\\tiny},\n"
    "  glyph/.style={line width=0.6pt, fill=white},\n"
    "  label/.style={inner sep=0pt, outer sep=0pt}]\n";

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", std::abs(value) < 0.05 ? 0.0 : value);
    std::string result = text;
    if (result.size() > 2 && result.compare(result.size() - 2, 2, ".0") == 0)
        result.resize(result.size() - 2);
    return result;
}

std::string point(double x, double y) {
    return "(" + number(x) + "," + number(y) + ")";
}
std::string point(Point p) {
    return point(p.x, p.y);
}

std::string rectangle(const Rect& rect) {
    return point(rect.left(), rect.top()) + " rectangle " + point(rect.right(), rect.bottom());
}

// Letters that LaTeX reads otherwise, and those of ours that it may not know.
std::string escaped(const std::string& text, bool math) {
    static const std::pair<const char*, const char*> words[] = {
        {"·", "{\\cdot}"}, {"×", "\\times "}, {"Σ", "\\Sigma "}, {"²", "^2"},        {"³", "^3"},
        {"…", "\\dots "},  {"→", "\\to "},    {"−", "-"},        {"⊗", "\\otimes "}, {"∞", "\\infty "},
        {"‖", "\\Vert "},  {"δ", "\\delta "}, {"Δ", "\\Delta "}, {"α", "\\alpha "},  {"μ", "\\mu "},
        {"σ", "\\sigma "}, {"′", "'"},
    };
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        bool found = false;
        for (const auto& [letter, word] : words) {
            if (text.compare(i, std::string(letter).size(), letter) != 0) continue;
            result += math ? std::string(word) : "$" + std::string(word) + "$";
            i += std::string(letter).size();
            found = true;
            break;
        }
        if (found) continue;
        if (std::string("#$%&_{}").find(text[i]) != std::string::npos) result += '\\';
        if (text[i] == '^' || text[i] == '~' || text[i] == '\\')
            result += std::string("\\char`\\") + text[i] + " ";
        else
            result += text[i];
        ++i;
    }
    return result;
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

std::size_t letters_at(const std::string& text, std::size_t at) {
    std::size_t count = 0;
    while (at + count < text.size() && is_letter(text[at + count])) ++count;
    return count;
}

// Names of several letters upright, spaces between them kept.
std::string formula(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t letters = letters_at(text, i);
        if (letters > 1) {
            result += "\\mathrm{" + text.substr(i, letters) + "}";
            i += letters;
            if (i < text.size() && text[i] == ' ' && letters_at(text, i + 1) > 1) result += "\\ ";
            continue;
        }
        std::size_t end = i + 1;
        while (end < text.size() && letters_at(text, end) < 2) ++end;
        result += escaped(text.substr(i, end - i), true);
        i = end;
    }
    return result;
}

std::string math(const std::string& text, bool overline) {
    std::string result;
    const std::vector<TextRun> runs = rich_text(text);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::string run = formula(runs[i].text);
        const bool named =
            overline && (runs[i].shift < 0 || (i == 0 && (runs.size() == 1 || runs[1].shift > 0)));
        if (named) run = "\\overline{" + run + "}";
        result += runs[i].shift < 0 ? "_{" + run + "}" : runs[i].shift > 0 ? "^{" + run + "}" : run;
    }
    return "$" + result + "$";
}

class Writer {
public:
    explicit Writer(const Drawing& drawing) : drawing_(drawing) {}

    std::string run(const std::string& title) {
        const Drawing& drawing = drawing_;
        std::string comment = "% " + title + "\n";
        for (std::size_t i = 2; i + 1 < comment.size(); ++i)
            if (comment[i] == '\n' || comment[i] == '\r') comment[i] = ' ';
        text_ = comment + kHead;
        for (const DrawnFrame& frame : drawing.frames) write(frame);
        for (const DrawnSeparator& line : drawing.separators)
            draw("separator", point(line.x0, line.y) + " -- " + point(line.x1, line.y));
        for (const DrawnWire& wire : drawing.wires) write(wire);
        for (const DrawnDot& dot : drawing.dots)
            text_ += "  \\fill" + level(dot.level, true) + " " + point(dot.at) + " circle[radius=2.2];\n";
        for (const DrawnGlyph& glyph : drawing.glyphs) write(glyph);
        for (const DrawnLabel& label : drawing.labels) write(label);
        for (const DrawnNumber& one : drawing.numbers) write(one);
        return text_ + "\\end{tikzpicture}\n";
    }

private:
    void draw(const std::string& style, const std::string& path) {
        text_ += "  \\draw[" + style + "] " + path + ";\n";
    }

    void node(const Rect& box, const std::string& style, const std::string& content) {
        text_ += "  \\node[label" + (style.empty() ? "" : ", " + style) + "] at " + point(box.center()) +
                 " {" + content + "};\n";
    }

    std::string level(int level, bool fill) const {
        const std::string name = "level" + std::to_string(std::min(drawing_.look_of(level), kCacheLook));
        return fill ? "[" + name + ", fill=" + (level == 0 ? "black" : "black!70") + "]" : name;
    }

    void write(const DrawnWire& wire) {
        std::string path = point(wire.points.front());
        for (std::size_t i = 1; i + 2 < wire.points.size(); i += 3) {
            const Point& from = wire.points[i - 1];
            const Point& to = wire.points[i + 2];
            if (from.y == to.y && wire.points[i].y == to.y)
                path += " -- " + point(to);
            else
                path += " .. controls " + point(wire.points[i]) + " and " + point(wire.points[i + 1]) +
                        " .. " + point(to);
        }
        draw(level(wire.level, false) + (wire.axis.value < 0 ? ", item" : ""), path);
    }

    void write(const DrawnFrame& frame) {
        const Rect& r = frame.rect;
        if (frame.kind == FrameKind::Stream || frame.kind == FrameKind::Repeat) {
            if (!frame.open_left) bracket(frame, r.left(), 1);
            if (!frame.open_right) bracket(frame, r.right(), -1);
        } else {
            draw(frame.kind == FrameKind::Groups  ? "groups"
                 : frame.kind == FrameKind::Split ? "split"
                                                  : "named",
                 rectangle(r));
        }
        if (frame.title_box.width > 0)
            node(frame.title_box, "font=\\scriptsize, black!70", escaped_title(frame.title));
    }

    // Round around a stream, square around what is repeated.
    void bracket(const DrawnFrame& frame, double x, int inwards) {
        const double top = frame.rect.top();
        const double bottom = frame.rect.bottom();
        const double reach = 5.0 * inwards;
        if (frame.kind == FrameKind::Repeat)
            return draw("line width=1.4pt", point(x + reach, top) + " -- " + point(x, top) + " -- " +
                                                point(x, bottom) + " -- " + point(x + reach, bottom));
        draw("line width=0.9pt", point(x + reach, top) + " .. controls " + point(x - reach / 2, top + 18) +
                                     " and " + point(x - reach / 2, bottom - 18) + " .. " +
                                     point(x + reach, bottom));
    }

    static std::string escaped_title(const std::string& title) {
        std::string text;
        for (const TextRun& run : rich_text(title)) {
            const std::string plain = escaped(run.text, false);
            text += run.shift < 0   ? "$_{\\mathrm{" + plain + "}}$"
                    : run.shift > 0 ? "$^{" + plain + "}$"
                                    : plain;
        }
        return text;
    }

    void write(const DrawnGlyph& glyph) {
        const Rect& b = glyph.box;
        const Point middle = b.center();
        switch (glyph.kind) {
            case GlyphKind::Transfer:
                return;
            case GlyphKind::Cup:
                return draw(level(glyph.level, false),
                            point(b.left(), b.top()) +
                                " arc[start angle=-90, end angle=90, radius=" + number(b.height / 2) + "]");
            case GlyphKind::Triangle:
                return draw("glyph", point(b.left(), middle.y) + " -- " + point(b.right(), b.top()) + " -- " +
                                         point(b.right(), b.bottom()) + " -- cycle");
            case GlyphKind::Norm:
                draw("glyph", point(middle) + " circle[radius=" + number(b.width / 2) + "]");
                return node(b, "", "$V$");
            case GlyphKind::Mask:
                draw("glyph, fill=pink!60", rectangle(b));
                text_ += "  \\fill[black!35] " + point(b.left(), b.top()) + " -- " +
                         point(b.right(), b.top()) + " -- " + point(b.right(), b.bottom()) + " -- cycle;\n";
                return;
            case GlyphKind::Box:
                draw("glyph", rectangle(b));
                return node(b, "", escaped(glyph.text, false));
            case GlyphKind::Tag:
                draw("glyph, rounded corners=3pt", rectangle(b));
                return node(b, "font=\\scriptsize", escaped(glyph.text, false));
            case GlyphKind::Bold:
                return node(b, "font=\\bfseries", math(glyph.text, false));
            case GlyphKind::Arrow:
                draw("line width=0.6pt, -{Straight Barb[length=2pt]}",
                     point(b.left() + 1, middle.y) + " -- " + point(b.left() + 13, middle.y));
                draw("line width=0.6pt, -{Straight Barb[length=2pt]}",
                     point(b.right() - 13, middle.y) + " -- " + point(b.right() - 1, middle.y));
                return node(b, "", math(glyph.text, false));
            case GlyphKind::Hexagon:
                draw("glyph", hexagon(b));
                return node(b, "font=\\scriptsize", escaped(glyph.text, false));
            case GlyphKind::Learned:
                draw("learned", point(b.left(), b.top()) + " -- " + point(b.right(), b.top()) + " -- " +
                                    point(b.right(), b.bottom()) + " -- " + point(b.left() + 7, b.bottom()) +
                                    " -- " + point(b.left(), b.bottom() - 7) + " -- cycle");
                return node(b, "font=\\bfseries", escaped(glyph.text, false));
        }
    }

    static std::string hexagon(const Rect& b) {
        const double slope = std::min(7.0, b.height / 2);
        const double y = b.center().y;
        return point(b.left(), y) + " -- " + point(b.left() + slope, b.top()) + " -- " +
               point(b.right() - slope, b.top()) + " -- " + point(b.right(), y) + " -- " +
               point(b.right() - slope, b.bottom()) + " -- " + point(b.left() + slope, b.bottom()) +
               " -- cycle";
    }

    void write(const DrawnLabel& label) {
        if (label.role == LabelRole::Tag) {
            text_ +=
                "  \\node[type] at " + point(label.box.center()) + " {" + escaped(label.text, false) + "};\n";
            return;
        }
        const bool title = label.role == LabelRole::Title;
        node(label.box, title ? "font=\\scriptsize" : "",
             title ? escaped_title(label.text) : math(label.text, label.overline));
    }

    void write(const DrawnNumber& one) {
        const std::string style = "font=\\scriptsize";
        node(one.box, one.widest ? style + ", draw, inner sep=1.5pt" : style, math(one.text, false));
    }

    const Drawing& drawing_;
    std::string text_;
};

}  // namespace

std::string tikz(const Drawing& drawing, const std::string& title) {
    return Writer(drawing).run(title);
}

std::string tikz_document(const std::string& picture) {
    return "\\documentclass[tikz, border=4pt]{standalone}\n"
           "\\usepackage{amsmath}\n"
           "\\usetikzlibrary{arrows.meta}\n"
           "\\begin{document}\n" +
           picture + "\\end{document}\n";
}

}  // namespace blockscope::circuit
