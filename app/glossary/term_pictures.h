// The small pictures of the glossary, drawn by the program itself: signs of the legend, small programs and
// their circuits, rules' examples, listings, and sketches of memories, blocks and time.
//
// docs/glossary.md names them; the files that it shows are written by a test, and compiled in.
#pragma once

#include <QPainter>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/legend.h"
#include "core/rules/rule.h"

namespace blockscope {

// "buffered-edge", "roofline": names of pictures, each once.
std::vector<std::string> term_picture_names();
// The picture as SVG, on paper; always the same bytes. Needs a QGuiApplication. Throws InternalError if there
// is none of this name.
std::string term_picture_svg(const std::string& name);

// The pen of the glossary's pictures: boxes, arrows, texts, and the few scenes that many terms share.
// Internal to app/glossary.

inline constexpr Size kTermPicture{260, 130};

class TermSketch {
public:
    // How a part looks: what the term means is lit.
    enum class Look : std::uint8_t { Plain, Lit, Faint };

    explicit TermSketch(QPainter& painter);

    void box(const QRectF& rect, const QString& text = {}, Look look = Look::Plain);
    void arrow(QPointF from, QPointF to, bool red = false);
    void text(const QRectF& rect, const QString& text, bool strong = false,
              Qt::Alignment alignment = Qt::AlignCenter);

    // A sign of the legend, as pictures have it.
    void sign(Sign sign);
    // A small program in the text language, in blocks, after so many steps (-1: all).
    void blocks(const std::string& program, int step = 0);
    // The same before there are blocks.
    void arrays(const std::string& program);
    // The smallest program that a rule applies to, and what it makes of it.
    void rule(RuleId id);
    // The program's circuit diagram.
    void circuit(const std::string& program);
    // Lines of a listing, one of them lit (-1: none).
    void code(const std::vector<const char*>& lines, int lit = -1);
    // A memory of three processors: "global", "local", "processor", "traffic", "cache", "tasks", "links",
    // "threads" or "all" is lit.
    void memory(const std::string& lit);
    // A matrix of blocks: "block", "size", "dimension", "ragged", "list", "item", "batch", "group", "mask",
    // "stream", "transposed" or "threads" is lit.
    void grid(const std::string& lit);
    // The timeline's cells: "step", "state", "snapshot", "best", "branch", "chapter", "base" or "all".
    void cells(const std::string& lit);
    // Bars over time, a row each: name, and its bars as start and length in percent.
    struct Lane {
        const char* name;
        std::vector<std::pair<double, double>> bars;
        bool lit = false;
    };
    void lanes(const std::vector<Lane>& lanes);
    // "roofline", "intensity", "law", "memory" or "optimum".
    void curve(const std::string& kind);
    // Boxes one after the other, one of them lit (-1: none).
    void flow(const std::vector<const char*>& parts, int lit = -1);

private:
    void picture(const Picture& picture, const Lights& lights, const QRectF& room);

    QPainter& painter_;
    Theme theme_ = Theme::light();
};

}  // namespace blockscope
