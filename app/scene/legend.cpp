#include "app/scene/legend.h"

#include <QFontMetricsF>
#include <QScrollBar>

#include "app/scene/legend_entries.h"

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
    signs.merge(signs_of(lights));
    return signs;
}

Signs signs_of(const Figure& figure) {
    Signs signs;
    for (const Box& box : figure.boxes) add_box(signs, box);
    for (const Edge& edge : figure.edges) signs.insert(edge.buffered ? Sign::Buffered : Sign::Unbuffered);
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

}  // namespace blockscope
