#include "app/circuit/circuit_key.h"

#include <QCoreApplication>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "app/words/words.h"
#include "core/diagram/operators.h"

namespace blockscope {

namespace {

using circuit::DrawnFrame;
using circuit::DrawnGlyph;
using circuit::FrameKind;
using circuit::GlyphKind;
using circuit::OperatorKind;

struct RowWords {
    Q_DECLARE_TR_FUNCTIONS(RowWords)
};

QString text_of(const std::string& text) {
    return QString::fromStdString(text);
}

QString transfer_words(const DrawnGlyph& glyph) {
    const QString what = text_of(glyph.array.empty() ? glyph.shape : glyph.array);
    return glyph.level >= glyph.level_before ? RowWords::tr("loads %1").arg(what)
                                             : RowWords::tr("stores %1").arg(what);
}

// Without own axes an operator says its label alone.
QString glyph_words(const DrawnGlyph& glyph) {
    if (glyph.kind == GlyphKind::Learned)
        return RowWords::tr("maps by learned weights along %1").arg(text_of(glyph.along));
    if (glyph.op == OperatorKind::Transfer) return transfer_words(glyph);
    if (glyph.op == OperatorKind::Mask) return RowWords::tr("makes a mask");
    if (glyph.kind == GlyphKind::Transfer) return {};  // crossings move nothing
    const auto& event = circuit::diagram_operator(glyph.op).event;
    if (!event) return RowWords::tr("applies %1").arg(text_of(glyph.label));
    return translated(Text(event->words, event->along ? glyph.along : glyph.label));
}

// "groups g_M of M" is titled so already.
QString frame_words(const DrawnFrame& frame, bool begins) {
    const QString title = text_of(frame.title);
    const QString parts = title.section(QLatin1Char(' '), 1);
    switch (frame.kind) {
        case FrameKind::Groups:
            return begins ? RowWords::tr("splits into groups %1").arg(parts)
                          : RowWords::tr("joins the groups %1").arg(parts);
        case FrameKind::Stream:
            return begins ? RowWords::tr("begins the stream %1").arg(parts)
                          : RowWords::tr("ends the stream %1").arg(parts);
        case FrameKind::Repeat:
            return begins ? RowWords::tr("begins what is repeated") : RowWords::tr("ends what is repeated");
        case FrameKind::Named:
            return begins && !title.isEmpty() ? RowWords::tr("begins %1").arg(title) : QString();
        case FrameKind::Kernel:
        case FrameKind::Split:
            break;
    }
    return {};
}

struct Happening {
    double x = 0;
    int order = 0;  // at the same place: ends, then begins, then operators
    double y = 0;
    QString words;
};

QStringList counted(const std::vector<Happening>& all) {
    QStringList events;
    for (std::size_t i = 0; i < all.size();) {
        std::size_t end = i + 1;
        while (end < all.size() && all[end].words == all[i].words) ++end;
        const auto times = static_cast<int>(end - i);
        events << (times == 1 ? all[i].words : RowWords::tr("%1 (%2 times)").arg(all[i].words).arg(times));
        i = end;
    }
    return events;
}

}  // namespace

QStringList row_events(const circuit::Drawing& drawing, std::size_t row) {
    const Rect& line = drawing.lines.at(row);
    std::vector<Happening> all;
    const auto add = [&](double x, int order, double y, QString words) {
        if (!words.isEmpty()) all.push_back({x, order, y, std::move(words)});
    };
    const auto here = [&](const Rect& box) {
        return box.center().y >= line.top() - 1 && box.center().y <= line.bottom() + 1;
    };
    for (const DrawnFrame& frame : drawing.frames) {
        if (!here(frame.rect)) continue;
        if (!frame.open_left) add(frame.rect.left(), 1, -frame.rect.height, frame_words(frame, true));
        if (!frame.open_right) add(frame.rect.right(), 0, frame.rect.height, frame_words(frame, false));
    }
    for (const DrawnGlyph& glyph : drawing.glyphs)
        if (here(glyph.box)) add(glyph.box.center().x, 2, glyph.box.center().y, glyph_words(glyph));
    std::stable_sort(all.begin(), all.end(), [](const Happening& a, const Happening& b) {
        return std::tie(a.x, a.order, a.y) < std::tie(b.x, b.order, b.y);
    });
    return counted(all);
}

std::vector<QString> row_sentences(const circuit::Drawing& drawing) {
    std::vector<QString> sentences;
    const std::size_t rows = drawing.lines.size();
    for (std::size_t row = 0; row < rows; ++row) {
        const QStringList events = row_events(drawing, row);
        const QString said = events.isEmpty() ? RowWords::tr("hands its arrays on")
                                              : events.join(RowWords::tr(", ", "between events"));
        sentences.push_back(rows == 1 ? RowWords::tr("The diagram %1.").arg(said)
                                      : RowWords::tr("Row %1 of %2: %3.").arg(row + 1).arg(rows).arg(said));
    }
    return sentences;
}

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
