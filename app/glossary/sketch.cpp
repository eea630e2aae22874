#include "app/glossary/term_pictures.h"

#include <QEventLoop>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_paint.h"
#include "app/document/content.h"
#include "app/document/pictures.h"
#include "core/diagram/layout/drawing.h"
#include "core/rules/examples.h"

namespace blockscope {

namespace {

constexpr double kWidth = kTermPicture.width, kHeight = kTermPicture.height;

QFont sketch_font(double pixels, bool bold = false, bool fixed = false) {
    QFont font = picture_font(TextRole::Label);
    if (fixed) font.setFamily(QStringLiteral("DejaVu Sans Mono"));
    font.setPixelSize(static_cast<int>(pixels));
    font.setBold(bold);
    return font;
}

QString words(const char* text) {
    return QString::fromUtf8(text);
}

Content sketch_content(const std::string& program) {
    return content_of_source(program, "term.bp").value();
}

// One for all pictures: it has the only layouter.
Pictures& sketch_pictures() {
    static Pictures pictures(qt_measure());
    return pictures;
}

PicturePtr picture_of(Content content, StateId state) {
    return sketch_pictures().now(std::make_shared<const Content>(std::move(content)), state,
                                 {std::nullopt, {kWidth, kHeight}});
}

}  // namespace

TermSketch::TermSketch(QPainter& painter) : painter_(painter) {
    painter_.setRenderHint(QPainter::Antialiasing);
}

void TermSketch::box(const QRectF& rect, const QString& label, Look look) {
    const bool lit = look == Look::Lit;
    painter_.setPen(QPen(lit                   ? theme_.made
                         : look == Look::Faint ? mixed(theme_.canvas, theme_.faint, 0.5)
                                               : theme_.box_rim,
                         lit ? 2.4 : 1.2));
    painter_.setBrush(lit                   ? mixed(theme_.canvas, theme_.made, 0.18)
                      : look == Look::Faint ? theme_.canvas
                                            : theme_.box);
    painter_.drawRoundedRect(rect, 5, 5);
    if (!label.isEmpty()) text(rect, label, lit);
}

void TermSketch::arrow(QPointF from, QPointF to, bool red) {
    const QColor colour = red ? theme_.buffered : theme_.ink;
    const double width = red ? 3 : 1.4, head = red ? 9 : 7;
    const QPointF along = to - from;
    const double length = std::max(1.0, std::hypot(along.x(), along.y()));
    const QPointF unit = along / length, across(-unit.y(), unit.x());
    painter_.setPen(QPen(colour, width));
    painter_.drawLine(from, to - unit * head * 0.8);
    painter_.setPen(Qt::NoPen);
    painter_.setBrush(colour);
    painter_.drawPolygon(
        QPolygonF({to, to - unit * head + across * head * 0.45, to - unit * head - across * head * 0.45}));
}

void TermSketch::text(const QRectF& rect, const QString& label, bool strong, Qt::Alignment alignment) {
    double pixels = 13;
    while (pixels > 8 &&
           QFontMetricsF(sketch_font(pixels, strong)).horizontalAdvance(label) > rect.width() - 4)
        --pixels;
    painter_.setFont(sketch_font(pixels, strong));
    painter_.setPen(theme_.ink);
    painter_.drawText(rect, static_cast<int>(alignment), label);
}

void TermSketch::picture(const Picture& shown, const Lights& lights, const QRectF& room) {
    const Rect& bounds = shown.geometry.bounds;
    const double scale = std::min({room.width() / bounds.width, room.height() / bounds.height, 1.7});
    painter_.save();
    painter_.translate(room.center().x() - bounds.width * scale / 2,
                       room.center().y() - bounds.height * scale / 2);
    painter_.scale(scale, scale);
    painter_.translate(-bounds.x, -bounds.y);
    paint(painter_, shown, theme_, lights, bounds, 1);
    painter_.restore();
}

void TermSketch::sign(Sign sign) {
    const LegendEntry entry = legend_entries({sign}).front();
    Picture shown = entry.picture;
    shown.geometry.bounds = {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8};
    Lights lights = entry.lights;
    picture(shown, lights, QRectF(0, 0, kWidth, kHeight));
}

void TermSketch::blocks(const std::string& program, int step) {
    Content content = run_algorithm(sketch_content(program), 0);
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    const StateId state = step < 0 ? way.back() : way.at(static_cast<std::size_t>(step));
    Lights lights;
    lights.edge_labels = false;
    picture(*picture_of(std::move(content), state), lights, QRectF(4, 4, kWidth - 8, kHeight - 8));
}

void TermSketch::arrays(const std::string& program) {
    const Content content = sketch_content(program);
    PicturePtr figure;
    QEventLoop loop;
    sketch_pictures().request_figure(this, make_array_figure(*content.array, qt_measure()),
                                     [&](const PicturePtr& made) {
                                         figure = made;
                                         loop.quit();
                                     });
    if (!figure) loop.exec();
    Lights lights;
    lights.edge_labels = false;
    picture(*figure, lights, QRectF(4, 4, kWidth - 8, kHeight - 8));
}

void TermSketch::rule(RuleId id) {
    const RuleExample& example = rule_example(id);
    Content content = content_of_blocks(*example.program, to_string(id));
    content.folds = example.folded;
    content = apply_match(std::move(content), example.match);
    const StateId after = content.current;
    const std::vector<Lineage> made = content.state().step->made;
    const auto lights_for = [](const Picture& shown, const std::vector<NodeId>& nodes, Mark mark) {
        Lights lights;
        lights.edge_labels = false;
        for (const NodeId node : nodes)
            if (const int box = shown.figure.find(node); box >= 0) lights.boxes[box] = mark;
        return lights;
    };
    std::vector<NodeId> matched, new_ones;
    for (const Role& role : example.match.roles) matched.push_back(role.node);
    for (const Lineage& line : made) new_ones.push_back(line.made);
    const PicturePtr left = picture_of(content, 0), right = picture_of(std::move(content), after);
    picture(*left, lights_for(*left, matched, Mark::Match), QRectF(2, 1, kWidth - 4, 57));
    picture(*right, lights_for(*right, new_ones, Mark::Made), QRectF(2, 73, kWidth - 4, 56));
    arrow({kWidth / 2, 59}, {kWidth / 2, 72});
}

void TermSketch::circuit(const std::string& program) {
    const Result<circuit::Circuit> made = circuit_for(sketch_content(program), 0, CircuitKind::Program);
    circuit::LayoutOptions options;
    options.measure = circuit_measure();
    const circuit::Drawing drawing = circuit::lay_out(*made, options);
    const Rect& bounds = drawing.bounds;
    const double scale = std::min({(kWidth - 8) / bounds.width, (kHeight - 8) / bounds.height, 1.3});
    painter_.save();
    painter_.translate((kWidth - bounds.width * scale) / 2, (kHeight - bounds.height * scale) / 2);
    painter_.scale(scale, scale);
    painter_.translate(-bounds.x, -bounds.y);
    paint_circuit(painter_, drawing, circuit_look(theme_));
    painter_.restore();
}

void TermSketch::code(const std::vector<const char*>& lines, int lit) {
    std::size_t longest = 1;
    for (const char* line : lines) longest = std::max(longest, static_cast<std::size_t>(words(line).size()));
    const double pixels = std::min(14.0, std::floor((kWidth - 24) / (0.61 * static_cast<double>(longest))));
    const double high = pixels * 1.55;
    double y = (kHeight - high * static_cast<double>(lines.size())) / 2;
    for (std::size_t i = 0; i < lines.size(); ++i, y += high) {
        const bool on = static_cast<int>(i) == lit;
        if (on) box(QRectF(6, y, kWidth - 12, high), {}, Look::Lit);
        painter_.setFont(sketch_font(pixels, on, true));
        painter_.setPen(theme_.ink);
        painter_.drawText(QRectF(12, y, kWidth - 16, high), Qt::AlignLeft | Qt::AlignVCenter,
                          words(lines[i]));
    }
}

void TermSketch::memory(const std::string& lit) {
    const auto look = [&](const char* part) { return lit == part || lit == "all" ? Look::Lit : Look::Plain; };
    const bool cache = lit == "cache";
    box(QRectF(188, 8, 66, 114), QStringLiteral("global"), look("global"));
    if (cache) box(QRectF(132, 8, 34, 114), QStringLiteral("L2"), Look::Lit);
    for (int i = 0; i < 3; ++i) {
        const double y = 8 + i * 39;
        box(QRectF(6, y, 100, 36), {}, look("processor"));
        if (lit == "threads")
            for (int j = 0; j < 16; ++j) {
                const int row = j / 8;
                box(QRectF(12 + (j % 8) * 11, y + 6 + row * 13, 8, 10), {}, j < 8 ? Look::Lit : Look::Plain);
            }
        else if (lit == "tasks")
            box(QRectF(14, y + 6, 84, 24), QStringLiteral("m = %1").arg(i), Look::Lit);
        else
            box(QRectF(48, y + 6, 52, 24), QStringLiteral("local"), look("local"));
        const double right = cache ? 130 : 186;
        arrow({108, y + 18}, {right, y + 18}, lit == "traffic" || lit == "all" || lit == "global");
        if (cache) arrow({168, y + 18}, {186, y + 18});
        if (lit == "links" && i < 2) arrow({74, y + 30}, {74, y + 45}, true);
    }
}

void TermSketch::grid(const std::string& lit) {
    constexpr double kCell = 26, kLeft = 78, kTop = 13;
    constexpr int kCount = 4;
    const bool batch = lit == "batch";
    if (batch)
        for (int i = 2; i >= 1; --i)
            box(QRectF(kLeft + 8 * i, kTop - 5 * i + 4, kCell * kCount, kCell * kCount - 4), {}, Look::Lit);
    for (int r = 0; r < kCount; ++r)
        for (int c = 0; c < kCount; ++c) {
            const bool last = lit == "ragged" && c == kCount - 1;
            const bool on = (lit == "block" && r == 1 && c == 2) || (lit == "item" && r == 0 && c == 1) ||
                            (lit == "list" && r == 1) || (lit == "dimension" && r == 0) || last ||
                            (lit == "mask" && c > r) || (lit == "group" && r / 2 == 0) ||
                            (lit == "stream" && c == 1) || (lit == "transposed" && r == c) ||
                            (lit == "size" && r == 0 && c == 0);
            box(QRectF(kLeft + c * kCell, kTop + r * kCell, (last ? 0.5 : 1) * kCell - 3, kCell - 3),
                lit == "mask" ? (c > r ? QStringLiteral("−∞") : QStringLiteral("0")) : QString(),
                on ? Look::Lit : Look::Plain);
            if (lit == "threads")
                text(QRectF(kLeft + c * kCell, kTop + r * kCell, kCell - 3, kCell - 3),
                     QStringLiteral("t%1").arg((r * 4 + c) % 8));
        }
    if (lit == "dimension") text(QRectF(kLeft, 0, kCell * kCount, 13), QStringLiteral("N"), true);
    if (lit == "size") text(QRectF(6, kTop, 68, kCell), QStringLiteral("128 × 128"), true);
    if (lit == "group")
        for (int i = 0; i < 2; ++i)
            text(QRectF(6, kTop + i * 2 * kCell, 68, 2 * kCell), QStringLiteral("group %1").arg(i));
    if (lit == "stream") arrow({kLeft + 4, 122}, {kLeft + kCell * kCount, 122});
    if (lit == "transposed") {
        text(QRectF(6, kTop, 66, 40), QStringLiteral("V → VT"), true);
        arrow({kLeft + 110, 30}, {kLeft + 150, 90});
    }
}

void TermSketch::cells(const std::string& lit) {
    constexpr double kCell = 34, kTop = 46, kHigh = 38;
    for (int i = 0; i < 7; ++i) {
        const QRectF rect(11 + i * kCell, kTop, kCell - 4, kHigh);
        const bool on = (lit == "step" && i == 3) || (lit == "state" && i == 3) ||
                        (lit == "snapshot" && i == 4) || (lit == "best" && i == 5) ||
                        (lit == "base" && i == 0) || (lit == "chapter" && i >= 1 && i <= 3) || lit == "all";
        box(rect, QString::number(i), on ? Look::Lit : Look::Plain);
        const QRectF above(rect.left() - 6, kTop - 24, kCell + 8, 20);
        if (lit == "best" && i == 5) text(above, QStringLiteral("\u2605"), true);
        if (lit == "snapshot" && i == 4) text(above, QStringLiteral("\u2691"), true);
        if (lit == "base" && i == 0) text(above, QStringLiteral("= 1"), true);
    }
    if (lit == "chapter") text(QRectF(45, 14, 102, 22), QStringLiteral("line the loops up"), true);
    if (lit == "step") arrow({11 + 3 * kCell - 12, kTop - 12}, {11 + 3 * kCell + 12, kTop - 12});
    if (lit != "branch") return;
    for (int i = 3; i < 6; ++i)
        box(QRectF(11 + i * kCell, kTop + 50, kCell - 4, 26), QString::number(i), Look::Lit);
    arrow({11 + 2.4 * kCell, kTop + kHigh}, {11 + 3 * kCell, kTop + 60});
}

void TermSketch::lanes(const std::vector<Lane>& rows) {
    const double high = std::min(30.0, (kHeight - 12) / static_cast<double>(rows.size()));
    double y = (kHeight - high * static_cast<double>(rows.size())) / 2;
    for (const Lane& lane : rows) {
        text(QRectF(4, y, 78, high), words(lane.name), lane.lit, Qt::AlignRight | Qt::AlignVCenter);
        for (const auto& [start, length] : lane.bars)
            box(QRectF(88 + start * 1.66, y + 4, std::max(2.0, length * 1.66 - 2), high - 8), {},
                lane.lit ? Look::Lit : Look::Plain);
        y += high;
    }
}

void TermSketch::curve(const std::string& kind) {
    const QPointF origin(40, 108);
    arrow(origin, {248, 108});
    arrow(origin, {40, 8});
    QPolygonF line;
    const bool roof = kind == "roofline" || kind == "intensity";
    for (int i = 0; i <= 40; ++i) {
        const double x = i / 40.0;
        const double y = roof                ? std::min(x * 1.7, 0.85)
                         : kind == "optimum" ? 0.12 + 2.4 * (x - 0.55) * (x - 0.55)
                                             : 0.12 / (x + 0.13);
        line << QPointF(46 + x * 190, 104 - std::min(y, 0.95) * 92);
    }
    painter_.setPen(QPen(theme_.buffered, 2.4));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPolyline(line);
    const char* across = roof ? "operations per byte" : kind == "optimum" ? "tile size" : "local memory M";
    const char* up = roof ? "speed" : "H";
    text(QRectF(60, 110, 180, 18), words(across), kind == "intensity" || kind == "memory");
    text(QRectF(0, 8, 38, 18), words(up), kind == "roofline" || kind == "law");
    if (kind == "memory" || kind == "intensity") return;
    const QPointF dot = roof ? line[20] : kind == "optimum" ? line[22] : line[14];
    painter_.setPen(QPen(theme_.made, 2));
    painter_.setBrush(theme_.made);
    painter_.drawEllipse(dot, 5, 5);
    if (kind == "optimum") text(QRectF(dot.x() - 20, dot.y() - 26, 44, 20), QStringLiteral("H*"), true);
}

void TermSketch::flow(const std::vector<const char*>& parts, int lit) {
    const auto count = static_cast<double>(parts.size());
    const double high = std::min(30.0, (kHeight - 10 - (count - 1) * 14) / count);
    double y = (kHeight - count * high - (count - 1) * 14) / 2;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        box(QRectF(30, y, kWidth - 60, high), words(parts[i]),
            static_cast<int>(i) == lit ? Look::Lit : Look::Plain);
        y += high;
        if (i + 1 < parts.size()) arrow({kWidth / 2, y + 1}, {kWidth / 2, y + 13});
        y += 14;
    }
}

}  // namespace blockscope
