#include "app/circuit/circuit_key.h"

#include <QCoreApplication>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <optional>
#include <set>

#include "app/circuit/row_words.h"

namespace blockscope {

namespace {

constexpr int kKeyMargin = 12;
constexpr int kSample = 26;    // pixels of a line
constexpr int kSampleGap = 6;  // to its text
constexpr int kEntryGap = 18;  // between entries
constexpr int kRowAir = 6;
constexpr std::size_t kMostRowsTold = 4;

// In the order of CircuitSign.
constexpr const char* kMeanings[] = {
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "axis of an array in global memory"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "in local memory"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "in registers"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "at tensor cores"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "in a cache"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "groups: beside each other"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "stream: one part after the other"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "repeated"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "values moved here"),
    QT_TRANSLATE_NOOP("blockscope::CircuitKey", "values held here"),
};

QString meaning_of(CircuitSign sign) {
    return QCoreApplication::translate("blockscope::CircuitKey", kMeanings[static_cast<std::size_t>(sign)]);
}

std::optional<CircuitSign> sign_of_look(int look) {
    constexpr CircuitSign kLooks[] = {CircuitSign::Global, CircuitSign::Level1, CircuitSign::Level2,
                                      CircuitSign::Level3, CircuitSign::Cache};
    if (look < 0 || look >= 5) return std::nullopt;
    return kLooks[look];
}

int look_of_sign(CircuitSign sign) {
    return static_cast<int>(sign) - static_cast<int>(CircuitSign::Global);
}

}  // namespace

std::vector<CircuitSign> circuit_signs(const circuit::Drawing& drawing) {
    std::set<CircuitSign> signs;
    for (const circuit::DrawnWire& wire : drawing.wires)
        if (const auto sign = sign_of_look(drawing.look_of(wire.level))) signs.insert(*sign);
    for (const circuit::DrawnFrame& frame : drawing.frames) {
        if (frame.kind == circuit::FrameKind::Groups) signs.insert(CircuitSign::Groups);
        if (frame.kind == circuit::FrameKind::Stream) signs.insert(CircuitSign::Stream);
        if (frame.kind == circuit::FrameKind::Repeat) signs.insert(CircuitSign::Repeat);
    }
    for (const circuit::DrawnNumber& number : drawing.numbers)
        signs.insert(number.kind == circuit::NumberKind::Transfer ? CircuitSign::Transfer
                                                                  : CircuitSign::Memory);
    return {signs.begin(), signs.end()};
}

QString circuit_sentence(const circuit::Drawing& drawing) {
    const std::vector<CircuitSign> signs = circuit_signs(drawing);
    const bool levels = std::find(signs.begin(), signs.end(), CircuitSign::Level1) != signs.end();
    QString sentence =
        levels ? QCoreApplication::translate("blockscope::CircuitKey",
                                             "Time runs from left to right; where a wire changes its line, "
                                             "the array moves between memories.")
               : QCoreApplication::translate("blockscope::CircuitKey",
                                             "Time runs from left to right; each wire is an axis of an "
                                             "array, each sign on it an operator.");
    if (drawing.lines.size() > 1)
        sentence += QLatin1Char(' ') + QCoreApplication::translate(
                                           "blockscope::CircuitKey",
                                           "The diagram has %1 rows: each goes on at the left of the next.")
                                           .arg(drawing.lines.size());
    return sentence;
}

CircuitKey::CircuitKey(QWidget* parent) : QWidget(parent), look_(circuit_look(Theme::light())) {
    setObjectName(QStringLiteral("circuit_key"));
    setAccessibleName(tr("What the circuit's signs mean"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    hide();
}

void CircuitKey::set_theme(const Theme& theme) {
    look_ = circuit_look(theme);
    update();
}

void CircuitKey::show_drawing(const circuit::Drawing* drawing) {
    setVisible(drawing != nullptr);
    signs_ = drawing ? circuit_signs(*drawing) : std::vector<CircuitSign>();
    brief_ = drawing ? circuit_sentence(*drawing) : QString();
    full_ = brief_;
    const std::vector<QString> rows = drawing ? row_sentences(*drawing) : std::vector<QString>();
    QStringList meanings{brief_};
    for (const QString& row : rows) {
        meanings << row;
        if (rows.size() <= kMostRowsTold) full_ += QLatin1Char('\n') + row;
    }
    for (const CircuitSign sign : signs_) meanings << meaning_of(sign);
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    choose_sentence();
}

void CircuitKey::set_room(int pixels) {
    if (pixels == room_) return;
    room_ = pixels;
    choose_sentence();
}

// Each row of the diagram has what it does above it, too, in fewer words.
void CircuitKey::choose_sentence() {
    const int wide = std::max(width(), 1);
    sentence_ = height_of(full_, wide) <= room_ ? full_ : brief_;
    setMinimumHeight(heightForWidth(wide));
    updateGeometry();
    update();
}

int CircuitKey::row_height() const {
    return fontMetrics().height() + 4;
}

std::vector<CircuitKey::Place> CircuitKey::places(int width) const {
    std::vector<Place> found;
    int x = kKeyMargin, y = kRowAir;
    for (const CircuitSign sign : signs_) {
        const int needed = kSample + kSampleGap + fontMetrics().horizontalAdvance(meaning_of(sign)) + 2;
        if (x > kKeyMargin && x + needed > width - kKeyMargin) x = kKeyMargin, y += row_height();
        found.push_back({sign, QRect(x, y, needed, row_height())});
        x += needed + kEntryGap;
    }
    return found;
}

int CircuitKey::heightForWidth(int width) const {
    return height_of(sentence_, width);
}

int CircuitKey::height_of(const QString& sentence, int width) const {
    const std::vector<Place> all = places(width);
    const int top = all.empty() ? kRowAir : all.back().rect.bottom() + 1;
    const QRect text = fontMetrics().boundingRect(QRect(0, 0, std::max(1, width - 2 * kKeyMargin), 1000),
                                                  Qt::TextWordWrap, sentence);
    return top + text.height() + 2 * kRowAir;
}

void CircuitKey::paint_sign(QPainter& painter, CircuitSign sign, const QRect& rect) const {
    const int middle = rect.center().y();
    const QRectF sample(rect.left() + 0.5, middle - 7, kSample, 14);
    painter.setBrush(Qt::NoBrush);
    switch (sign) {
        case CircuitSign::Global:
        case CircuitSign::Level1:
        case CircuitSign::Level2:
        case CircuitSign::Level3:
        case CircuitSign::Cache:
            painter.setPen(look_.level_pen(look_of_sign(sign)));
            painter.drawLine(QPointF(sample.left(), middle), QPointF(sample.right(), middle));
            break;
        case CircuitSign::Groups:
            painter.setPen(QPen(look_.theme.ink, 1, Qt::DashLine));
            painter.drawRoundedRect(sample, 3, 3);
            break;
        case CircuitSign::Stream:
        case CircuitSign::Repeat:
        case CircuitSign::Transfer:
        case CircuitSign::Memory:
            painter.setPen(look_.theme.ink);
            painter.drawText(sample, Qt::AlignCenter,
                             sign == CircuitSign::Stream     ? QStringLiteral("(   )")
                             : sign == CircuitSign::Repeat   ? QStringLiteral("[   ]")
                             : sign == CircuitSign::Transfer ? QStringLiteral("H")
                                                             : QStringLiteral("M"));
            break;
    }
}

void CircuitKey::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), look_.theme.canvas);
    int top = kRowAir;
    for (const Place& place : places(width())) {
        paint_sign(painter, place.sign, place.rect);
        painter.setPen(look_.theme.ink);
        painter.drawText(place.rect.adjusted(kSample + kSampleGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         meaning_of(place.sign));
        top = place.rect.bottom() + 1;
    }
    painter.setPen(look_.theme.ink);
    painter.drawText(QRect(kKeyMargin, top + kRowAir / 2, width() - 2 * kKeyMargin, height() - top),
                     Qt::TextWordWrap, sentence_);
}

void CircuitKey::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) choose_sentence();
}

}  // namespace blockscope
