#include "app/scene/legend.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QScrollBar>

#include <cmath>

namespace blockscope {

namespace {

constexpr double kMargin = 12;
constexpr double kRowGap = 4;
constexpr double kTextGap = 9;  // between picture and text
constexpr double kColumnGap = 18;
constexpr double kPictureScale = 0.62;

// What happens in every program, sooner or later.
const Signs kAlways = {Sign::Selected, Sign::Hovered, Sign::Match, Sign::Made};

QFont text_font() {
    QFont font = picture_font(TextRole::Label);
    font.setPixelSize(11);
    return font;
}

Size cell() {
    return {kLegendCell.width * kPictureScale, kLegendCell.height * kPictureScale};
}

int rows(std::size_t entries, int columns) {
    return (static_cast<int>(entries) + columns - 1) / columns;
}

double text_width(const std::vector<LegendEntry>& entries) {
    const QFontMetricsF metrics(text_font());
    double result = 0;
    for (const LegendEntry& entry : entries) result = std::max(result, metrics.horizontalAdvance(entry.text));
    return std::ceil(result);
}

Sign sign_of(BoxKind kind) {
    switch (kind) {
        case BoxKind::Input:
        case BoxKind::Output:
            return Sign::Array;
        case BoxKind::Functional:
            return Sign::Functional;
        case BoxKind::Elementwise:
            return Sign::Elementwise;
        case BoxKind::Reduction:
            return Sign::Reduction;
        case BoxKind::Misc:
            return Sign::Misc;
        case BoxKind::Frame:
            return Sign::Frame;
        case BoxKind::Cloud:
            return Sign::Cloud;
    }
    return Sign::Functional;
}

Sign sign_of(PortIn mode) {
    switch (mode) {
        case PortIn::Iterated:
            return Sign::Iterated;
        case PortIn::Broadcast:
            return Sign::Broadcast;
        case PortIn::Continued:
            return Sign::Continued;
    }
    return Sign::Iterated;
}

Sign sign_of(PortMark mark) {
    switch (mark) {
        case PortMark::Plain:
            return Sign::Collected;
        case PortMark::Sum:
            return Sign::Sum;
        case PortMark::Max:
            return Sign::Max;
        case PortMark::Carried:
            return Sign::Carried;
    }
    return Sign::Collected;
}

std::optional<Sign> sign_of(Mark mark) {
    switch (mark) {
        case Mark::None:
            break;
        case Mark::Selected:
            return Sign::Selected;
        case Mark::Hovered:
            return Sign::Hovered;
        case Mark::Match:
            return Sign::Match;
        case Mark::Culprit:
            return Sign::Culprit;
        case Mark::Made:
            return Sign::Made;
        case Mark::Search:
            return Sign::Search;
        case Mark::Removed:
            return Sign::Removed;
        case Mark::Added:
            return Sign::Added;
        case Mark::Moved:
            return Sign::Moved;
        case Mark::Changed:
            return Sign::Changed;
    }
    return std::nullopt;
}

void add_box(Signs& signs, const Box& box) {
    signs.insert(sign_of(box.kind));
    if (!box.peeled.empty()) signs.insert(Sign::FirstIteration);
    if (box.corner.find('=') != std::string::npos) signs.insert(Sign::OtherIterations);
    for (const Port& port : box.in)
        signs.insert(port.mark == PortMark::Carried ? Sign::Carried : sign_of(port.mode));
    for (const Port& port : box.out) signs.insert(sign_of(port.mark));
}

void paint_entry(QPainter& painter, const Theme& theme, const LegendEntry& entry, QPointF at, double width) {
    painter.save();
    painter.translate(at);
    painter.setClipRect(QRectF(-2, -2, cell().width + 4, cell().height + 4), Qt::IntersectClip);
    painter.scale(kPictureScale, kPictureScale);
    // As at scale 1: a legend has every detail.
    paint(painter, entry.picture, theme, entry.lights,
          {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8}, 1);
    painter.restore();
    painter.setFont(text_font());
    painter.setPen(theme.ink);
    painter.drawText(QRectF(at.x() + cell().width + kTextGap, at.y(), width + 4, cell().height),
                     Qt::AlignLeft | Qt::AlignVCenter, entry.text);
}

}  // namespace

Signs all_signs() {
    Signs all;
    for (int sign = 0; sign <= static_cast<int>(Sign::Changed); ++sign) all.insert(static_cast<Sign>(sign));
    return all;
}

Signs signs_of(const Picture& picture, const Lights& lights) {
    Signs signs = signs_of(picture.figure);
    if (!part_regions(picture).empty()) signs.insert(Sign::Part);
    signs.merge(signs_of(lights));
    return signs;
}

Signs signs_of(const Figure& figure) {
    Signs signs;
    for (const Box& box : figure.boxes) add_box(signs, box);
    for (const Edge& edge : figure.edges) {
        signs.insert(edge.buffered ? Sign::Buffered : Sign::Unbuffered);
        if (edge.bundle >= 0) signs.insert(Sign::Bundle);
    }
    return signs;
}

Signs signs_of(const Lights& lights) {
    Signs signs;
    if (!lights.edges.empty()) signs.insert(Sign::Value);
    if (lights.heated) signs.insert(Sign::Heat);
    for (const auto* marks : {&lights.boxes, &lights.around})
        for (const auto& [box, mark] : *marks)
            if (const auto sign = sign_of(mark)) signs.insert(*sign);
    return signs;
}

Size legend_size(const Signs& signs, int columns) {
    const std::vector<LegendEntry> entries = legend_entries(signs);
    const double column = cell().width + kTextGap + text_width(entries);
    const int count = rows(entries.size(), columns);
    return {2 * kMargin + columns * column + (columns - 1) * kColumnGap,
            2 * kMargin + count * cell().height + (count - 1) * kRowGap};
}

int legend_columns(const Signs& signs, double width) {
    int columns = std::max(1, static_cast<int>(signs.size()));
    while (columns > 1 && legend_size(signs, columns).width > width) --columns;
    return columns;
}

void paint_legend(QPainter& painter, const Theme& theme, const Signs& signs, int columns) {
    const std::vector<LegendEntry> entries = legend_entries(signs);
    const double width = text_width(entries);
    const int count = rows(entries.size(), columns);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int column = static_cast<int>(i) / count;
        const int row = static_cast<int>(i) % count;
        const double x = kMargin + column * (cell().width + kTextGap + width + kColumnGap);
        const double y = kMargin + row * (cell().height + kRowGap);
        paint_entry(painter, theme, entries[i], {x, y}, width);
    }
    painter.restore();
}

// What the area scrolls.
class Legend::Column : public QWidget {
public:
    explicit Column(Legend* legend) : QWidget(legend), legend_(legend) {}
    Theme theme = Theme::light();

    QSize sizeHint() const override {
        const Size size = legend_size(legend_->signs(), 1);
        return {static_cast<int>(std::ceil(size.width)), static_cast<int>(std::ceil(size.height))};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paint_legend(painter, theme, legend_->signs(), 1);
    }

private:
    Legend* legend_;
};

Legend::Legend(QWidget* parent) : QScrollArea(parent), column_(new Column(this)), signs_(kAlways) {
    setAccessibleName(tr("Legend"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);  // it lies on the picture's ground
    setWidget(column_);
    column_->setAutoFillBackground(false);
    reset();
}

void Legend::set_theme(const Theme& theme) {
    column_->theme = theme;
    column_->update();
}

void Legend::add(const Signs& signs) {
    Signs all = signs_;
    all.insert(signs.begin(), signs.end());
    if (all == signs_ && !accessibleDescription().isEmpty()) return;
    signs_ = std::move(all);
    QStringList meanings;
    for (const LegendEntry& entry : legend_entries(signs_)) meanings << entry.text;
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    column_->resize(column_->sizeHint());
    column_->update();
    updateGeometry();
}

void Legend::reset() {
    signs_ = kAlways;
    setAccessibleDescription({});
    add({});
}

// As wide as all entries need, so that the picture beside it keeps its place when one is added.
QSize Legend::sizeHint() const {
    const int width = static_cast<int>(std::ceil(legend_size(all_signs(), 1).width));
    return {width + verticalScrollBar()->sizeHint().width(), column_->sizeHint().height()};
}

namespace {

constexpr int kStripHeight = 28;
constexpr double kStripScale = 0.42;  // of its pictures
constexpr double kStripTextGap = 5;
constexpr double kStripGap = 12;  // between entries

// Those first without which a picture cannot be read.
const std::vector<Sign> kStripOrder = {Sign::Buffered,
                                       Sign::Unbuffered,
                                       Sign::Match,
                                       Sign::Made,
                                       Sign::Frame,
                                       Sign::Functional,
                                       Sign::Bundle,
                                       Sign::Elementwise,
                                       Sign::Reduction,
                                       Sign::Array,
                                       Sign::Sum,
                                       Sign::Max,
                                       Sign::Cloud,
                                       Sign::Part,
                                       Sign::Carried,
                                       Sign::Misc,
                                       Sign::Heat,
                                       Sign::FirstIteration,
                                       Sign::OtherIterations,
                                       Sign::Collected,
                                       Sign::Iterated,
                                       Sign::Broadcast,
                                       Sign::Continued};

}  // namespace

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Short legend"));
    setToolTip(tr("What the signs in the picture mean. G explains all of them."));
    setFixedHeight(kStripHeight);
    setCursor(Qt::PointingHandCursor);
}

QSize LegendStrip::sizeHint() const {
    return {300, kStripHeight};
}

void LegendStrip::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

void LegendStrip::set_signs(const Signs& signs) {
    if (signs == signs_) return;
    signs_ = signs;
    QStringList meanings;
    for (const LegendEntry& entry : legend_entries(signs_)) meanings << entry.text;
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    update();
}

void LegendStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme_.canvas);
    const QString more = tr("all: G");
    const QFontMetricsF metrics(text_font());
    const double end = width() - kMargin - metrics.horizontalAdvance(more) - kStripGap;
    const double wide = kLegendCell.width * kStripScale, high = kLegendCell.height * kStripScale;
    double x = kMargin;
    for (const Sign sign : kStripOrder) {
        if (signs_.count(sign) == 0) continue;
        const LegendEntry entry = legend_entries({sign}).front();
        const double text = metrics.horizontalAdvance(entry.text);
        if (x + wide + kStripTextGap + text > end) break;
        painter.save();
        painter.translate(x, (height() - high) / 2);
        painter.setClipRect(QRectF(-1, -2, wide + 2, high + 4), Qt::IntersectClip);
        painter.scale(kStripScale, kStripScale);
        paint(painter, entry.picture, theme_, entry.lights,
              {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8}, 1);
        painter.restore();
        painter.setFont(text_font());
        painter.setPen(theme_.ink);
        painter.drawText(QRectF(x + wide + kStripTextGap, 0, text + 2, height()),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        x += wide + kStripTextGap + text + kStripGap;
    }
    painter.setFont(text_font());
    painter.setPen(theme_.faint);
    painter.drawText(QRectF(x, 0, width() - x - kMargin, height()), Qt::AlignRight | Qt::AlignVCenter, more);
}

void LegendStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) Q_EMIT clicked();
}

namespace {

constexpr double kMiddleX = kLegendCell.width / 2;
constexpr double kMiddleY = kLegendCell.height / 2;

QString text(const char* source) {
    return QCoreApplication::translate("Legend", source);
}

int add(Picture& picture, BoxKind kind, const char* label, Rect rect) {
    Box box;
    box.kind = kind;
    box.nodes = {NodeId{static_cast<std::uint32_t>(picture.figure.boxes.size() + 1)}};
    box.label = label;
    box.size = {rect.width, rect.height};
    const int index = static_cast<int>(picture.figure.boxes.size());
    picture.figure.boxes.push_back(box);
    picture.figure.roots.push_back(index);
    picture.geometry.boxes.push_back(rect);
    picture.geometry.in.emplace_back();
    picture.geometry.out.emplace_back();
    return index;
}

void add_edge(Picture& picture, int box, bool buffered, Point from, Point to, int port = -1) {
    Edge edge;
    edge.from = {box, -1};
    edge.to = {box, port};
    edge.container = port < 0 ? -1 : box;
    edge.buffered = buffered;
    picture.figure.edges.push_back(edge);
    const double bend = (to.y - from.y) / 2;
    picture.geometry.edges.push_back({from, {from.x, from.y + bend}, {to.x, to.y - bend}, to});
    picture.geometry.labels.push_back({});
}

LegendEntry leaf(BoxKind kind, const char* label, double width, const char* meaning) {
    LegendEntry entry;
    const double height = kind == BoxKind::Reduction ? 26 : 28;
    add(entry.picture, kind, label, {kMiddleX - width / 2, kMiddleY - height / 2, width, height});
    entry.text = text(meaning);
    return entry;
}

LegendEntry marked(Mark mark, const char* meaning) {
    LegendEntry entry = leaf(BoxKind::Functional, "", 46, meaning);
    entry.picture.geometry.boxes[0] = {kMiddleX - 23, kMiddleY - 9, 46, 18};
    entry.lights.boxes[0] = mark;
    return entry;
}

// A node of a peeled iteration, with what its plate says.
LegendEntry first_iteration(const char* meaning) {
    LegendEntry entry = leaf(BoxKind::Functional, "dot", 50, meaning);
    entry.picture.geometry.boxes[0] = {kMiddleX - 25, kMiddleY - 8, 50, 26};
    entry.picture.figure.boxes[0].peeled = "x=0";
    return entry;
}

LegendEntry heated() {
    LegendEntry entry = marked(Mark::None, QT_TRANSLATE_NOOP("Legend", "heat map: share of the largest"));
    entry.lights.heated = true;
    entry.lights.heat[0] = {0.6, "2 MB"};
    return entry;
}

LegendEntry frame(BoxKind kind, const char* label, const char* corner, const char* meaning) {
    LegendEntry entry;
    const int box = add(entry.picture, kind, label, {4, 1, kLegendCell.width - 8, kLegendCell.height - 2});
    entry.picture.figure.boxes[static_cast<std::size_t>(box)].corner = corner;
    entry.text = text(meaning);
    return entry;
}

// A part of a map's upper rim with one port.
LegendEntry entry_port(PortIn mode, const char* meaning) {
    LegendEntry entry;
    const int box = add(entry.picture, BoxKind::Frame, "", {-40, kMiddleY, kLegendCell.width + 80, 80});
    entry.picture.figure.boxes[0].in.push_back({PortMark::Plain, mode, 0});
    entry.picture.geometry.in[0].push_back({kMiddleX, kMiddleY});
    add_edge(entry.picture, box, mode == PortIn::Iterated, {kMiddleX, -14}, {kMiddleX, kMiddleY - 4});
    entry.text = text(meaning);
    return entry;
}

// A part of a map's lower rim with one port.
LegendEntry exit_port(PortMark mark, const char* meaning) {
    LegendEntry entry;
    const double rim = kLegendCell.height - 7;
    const int box = add(entry.picture, BoxKind::Frame, "", {-40, rim - 80, kLegendCell.width + 80, 80});
    entry.picture.figure.boxes[0].out.push_back({mark, PortIn::Broadcast, 0});
    entry.picture.geometry.out[0].push_back({kMiddleX, rim});
    add_edge(entry.picture, box, false, {kMiddleX, -16}, {kMiddleX, rim}, 0);
    entry.text = text(meaning);
    return entry;
}

LegendEntry edge_entry(bool buffered, bool value, const char* meaning) {
    LegendEntry entry;
    add(entry.picture, BoxKind::Frame, "", {-500, -500, 1, 1});
    add_edge(entry.picture, 0, buffered, {kMiddleX - 30, 4}, {kMiddleX + 30, kLegendCell.height - 4});
    if (value) entry.lights.edges = {0};
    entry.text = text(meaning);
    return entry;
}

LegendEntry bundle_entry(const char* meaning) {
    LegendEntry entry = edge_entry(true, false, meaning);
    entry.picture.figure.edges[0].bundle = 0;
    entry.picture.figure.edges[0].bundled = 3;
    entry.picture.geometry.labels[0] = {kMiddleX, kMiddleY};
    return entry;
}

// Two maps of one array.
LegendEntry part_entry(const char* meaning) {
    LegendEntry entry;
    for (const double left : {18.0, 52.0}) {
        const int box = add(entry.picture, BoxKind::Frame, "", {left, 15, 22, 14});
        entry.picture.figure.boxes[static_cast<std::size_t>(box)].name = "S";
    }
    entry.picture.geometry.flow = Flow::Right;
    entry.text = text(meaning);
    return entry;
}

LegendEntry of_operator(Sign sign) {
    switch (sign) {
        case Sign::Array:
            return leaf(BoxKind::Input, "Q(M,D)", 66, QT_TRANSLATE_NOOP("Legend", "input, output"));
        case Sign::Functional:
            return leaf(BoxKind::Functional, "dot", 50, QT_TRANSLATE_NOOP("Legend", "functional operator"));
        case Sign::Elementwise:
            return leaf(BoxKind::Elementwise, "exp(x)", 66,
                        QT_TRANSLATE_NOOP("Legend", "elementwise operator"));
        case Sign::Reduction:
            return leaf(BoxKind::Reduction, "+", 26, QT_TRANSLATE_NOOP("Legend", "reduction of a list"));
        case Sign::Misc:
            return leaf(BoxKind::Misc, "sort", 66, QT_TRANSLATE_NOOP("Legend", "opaque: nothing fuses"));
        case Sign::Frame:
            return frame(BoxKind::Frame, "", "M,N", QT_TRANSLATE_NOOP("Legend", "map over M and N"));
        case Sign::Part:
            return part_entry(QT_TRANSLATE_NOOP("Legend", "maps of one array"));
        case Sign::Cloud:
            return frame(BoxKind::Cloud, "dot", "N", QT_TRANSLATE_NOOP("Legend", "folded map"));
        case Sign::FirstIteration:
            return first_iteration(QT_TRANSLATE_NOOP("Legend", "peeled: iteration 0"));
        default:
            return frame(BoxKind::Frame, "", "x=1:X", QT_TRANSLATE_NOOP("Legend", "the other iterations"));
    }
}

LegendEntry of_line(Sign sign) {
    switch (sign) {
        case Sign::Buffered:
            return edge_entry(true, false, QT_TRANSLATE_NOOP("Legend", "through global memory"));
        case Sign::Unbuffered:
            return edge_entry(false, false, QT_TRANSLATE_NOOP("Legend", "in local memory"));
        case Sign::Bundle:
            return bundle_entry(QT_TRANSLATE_NOOP("Legend", "so many values beside each other"));
        case Sign::Value:
            return edge_entry(false, true, QT_TRANSLATE_NOOP("Legend", "way of the selected value"));
        case Sign::Iterated:
            return entry_port(PortIn::Iterated, QT_TRANSLATE_NOOP("Legend", "one element at a time"));
        case Sign::Broadcast:
            return entry_port(PortIn::Broadcast, QT_TRANSLATE_NOOP("Legend", "the whole value each time"));
        case Sign::Continued:
            return entry_port(PortIn::Continued, QT_TRANSLATE_NOOP("Legend", "continues iteration 0"));
        case Sign::Collected:
            return exit_port(PortMark::Plain, QT_TRANSLATE_NOOP("Legend", "collected into a list"));
        case Sign::Sum:
            return exit_port(PortMark::Sum, QT_TRANSLATE_NOOP("Legend", "summed over iterations"));
        case Sign::Max:
            return exit_port(PortMark::Max, QT_TRANSLATE_NOOP("Legend", "maximum over iterations"));
        default:
            return exit_port(PortMark::Carried, QT_TRANSLATE_NOOP("Legend", "carried to the next iteration"));
    }
}

LegendEntry of_mark(Sign sign) {
    switch (sign) {
        case Sign::Selected:
            return marked(Mark::Selected, QT_TRANSLATE_NOOP("Legend", "selected"));
        case Sign::Hovered:
            return marked(Mark::Hovered, QT_TRANSLATE_NOOP("Legend", "under the pointer"));
        case Sign::Match:
            return marked(Mark::Match, QT_TRANSLATE_NOOP("Legend", "a rule matches"));
        case Sign::Made:
            return marked(Mark::Made, QT_TRANSLATE_NOOP("Legend", "made by the step"));
        case Sign::Culprit:
            return marked(Mark::Culprit, QT_TRANSLATE_NOOP("Legend", "why a rule does not apply"));
        case Sign::Search:
            return marked(Mark::Search, QT_TRANSLATE_NOOP("Legend", "found"));
        case Sign::Heat:
            return heated();
        case Sign::Removed:
            return marked(Mark::Removed, QT_TRANSLATE_NOOP("Legend", "only in the other state"));
        case Sign::Added:
            return marked(Mark::Added, QT_TRANSLATE_NOOP("Legend", "only in this state"));
        case Sign::Moved:
            return marked(Mark::Moved, QT_TRANSLATE_NOOP("Legend", "in another map than before"));
        default:
            return marked(Mark::Changed, QT_TRANSLATE_NOOP("Legend", "changed"));
    }
}

}  // namespace

std::vector<LegendEntry> legend_entries(const Signs& signs) {
    std::vector<LegendEntry> entries;
    for (const Sign sign : signs)
        entries.push_back(sign < Sign::Buffered   ? of_operator(sign)
                          : sign < Sign::Selected ? of_line(sign)
                                                  : of_mark(sign));
    return entries;
}

}  // namespace blockscope
