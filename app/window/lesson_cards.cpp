#include "app/window/lesson_cards.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include "app/lessons/lesson_panel.h"
#include "core/cost/models/model.h"

namespace blockscope {

namespace {

constexpr int kCardMargin = 14;
constexpr int kBetween = 34;      // the two pictures
constexpr int kFlashWidth = 400;  // that its texts need beside the pictures
constexpr int kGoalLines = 2;     // of a lesson's card
constexpr double kLargeNumber = 1.5;

QFont sized_font(const QFont& plain, double share, bool bold) {
    QFont font = plain;
    font.setPixelSize(static_cast<int>(font.pixelSize() * share));
    font.setBold(bold);
    return font;
}

void paint_ground(QPainter& painter, const QRectF& area, const QColor& fill, const QColor& rim,
                  double width) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(rim, width));
    painter.setBrush(fill);
    painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 10, 10);
}

}  // namespace

void paint_before_and_after(QPainter& painter, const QRect& area, const Thumbnail& thumbnail,
                            const Appearance& appearance) {
    const int width = (area.width() - kBetween) / 2;
    const QRect left(area.topLeft(), QSize(width, area.height()));
    const QRect right = left.translated(width + kBetween, 0);
    const auto place = [&](const QRect& frame, const QImage& image) {
        QPainterPath path;
        path.addRoundedRect(frame, 6, 6);
        painter.fillPath(path, appearance.theme().canvas);
        if (image.isNull()) return;
        const QSizeF size = QSizeF(image.size()) / image.devicePixelRatio();
        painter.drawImage(QRectF(frame).center() - QPointF(size.width() / 2, size.height() / 2), image);
    };
    place(left, thumbnail.before);
    place(right, thumbnail.after);
    painter.setPen(QPen(appearance.colors().muted, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip(left.right() + kBetween - 9, area.center().y());
    painter.drawLine(tip - QPointF(17, 0), tip);
    painter.drawLine(tip - QPointF(5, 5), tip);
    painter.drawLine(tip - QPointF(5, -5), tip);
}

FlashCard::FlashCard(LessonStore& store, Thumbnails& thumbnails, Appearance& appearance, QWidget* parent)
    : QFrame(parent),
      store_(store),
      thumbnails_(thumbnails),
      appearance_(appearance),
      sample_(find_sample(QStringLiteral("attention"))),
      column_(new QWidget(this)) {
    auto* column = new QVBoxLayout(column_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    title_ = new QLabel(tr("Rediscover Flash Attention (%1 minutes)").arg(first_lesson().lesson->minutes),
                        column_);
    about_ = new QLabel(tr("The kernel behind today's language models follows from plain attention by small "
                           "rewrites. Find them yourself."),
                        column_);
    numbers_ = new QLabel(column_);
    for (QLabel* label : {title_, about_, numbers_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    numbers_->setToolTip(tr("Bytes between global and local memory, and kernels, before and after"));
    auto* row = new QHBoxLayout;
    start_ = new QPushButton(column_);
    start_->setDefault(true);
    open_ = new QPushButton(tr("Just open it"), column_);
    row->addWidget(start_);
    row->addWidget(open_);
    row->addStretch(1);
    column->addSpacing(2);
    column->addLayout(row);
    column->addStretch(1);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(kCardMargin + 4, kCardMargin + 2, kCardMargin, kCardMargin);
    outer->addWidget(column_);
    connect(start_, &QPushButton::clicked, this, [this] { Q_EMIT lesson_chosen(first_lesson()); });
    connect(open_, &QPushButton::clicked, this, [this] { Q_EMIT sample_chosen(*sample_); });
    connect(&store, &LessonStore::changed, this, &FlashCard::refresh);
    connect(&thumbnails, &Thumbnails::ready, this, &FlashCard::refresh);
    connect(&appearance, &Appearance::changed, this, &FlashCard::size_up);
    size_up();
    refresh();
}

void FlashCard::size_up() {
    title_->setFont(sized_font(appearance_.font(), 1.6, true));
    numbers_->setFont(sized_font(appearance_.font(), kLargeNumber, false));
    setMinimumHeight(Thumbnails::kHeight + 2 * kCardMargin);
    update();
}

void FlashCard::refresh() {
    const Thumbnail thumbnail = thumbnails_.of(*sample_, devicePixelRatioF());
    const auto bytes = [](double count) { return QString::fromStdString(bytes_text_of(count)); };
    const Gain& gain = thumbnail.gain;
    // An empty line keeps the place until they are counted.
    numbers_->setText(gain.steps == 0 ? QStringLiteral(" ")
                                      : tr("%1 → %2, %3 → %4 kernels, in %5 steps")
                                            .arg(bytes(gain.before), bytes(gain.after))
                                            .arg(gain.kernels_before)
                                            .arg(gain.kernels_after)
                                            .arg(gain.steps));
    const lesson::LessonProgress* kept = store_.find(first_lesson().name);
    const bool begun = kept != nullptr && (kept->at > 0 || kept->done() > 0);
    const bool done = begun && kept->done() >= first_lesson().tasks();
    start_->setText(done    ? tr("Once more")
                    : begun ? tr("Go on with part %1").arg(kept->at + 1)
                            : tr("Start the lesson"));
    setAccessibleName(title_->text());
    setAccessibleDescription(numbers_->text());
    update();
}

QRect FlashCard::pictures() const {
    const int wide = 2 * Thumbnails::kWidth + kBetween;
    if (width() < kFlashWidth + wide + 2 * kCardMargin) return {};
    return {width() - wide - kCardMargin, (height() - Thumbnails::kHeight) / 2, wide, Thumbnails::kHeight};
}

void FlashCard::resizeEvent(QResizeEvent* event) {
    const QRect right = pictures();
    const int margin = right.isEmpty() ? kCardMargin : width() - right.left() + kCardMargin;
    layout()->setContentsMargins(kCardMargin + 4, kCardMargin + 2, margin, kCardMargin);
    QFrame::resizeEvent(event);
}

void FlashCard::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    paint_ground(painter, QRectF(rect()), c.raised, c.accent, 1.4);
    if (!pictures().isEmpty())
        paint_before_and_after(painter, pictures(), thumbnails_.of(*sample_, devicePixelRatioF()),
                               appearance_);
}

LessonCard::LessonCard(const LessonInfo& lesson, LessonStore& store, Appearance& appearance, QWidget* parent)
    : QAbstractButton(parent), lesson_(lesson), store_(store), appearance_(appearance) {
    setText(lesson.title());
    setProperty("program_data", true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    QStringList goals;
    for (const std::string& goal : lesson.lesson->goals) goals << QString::fromStdString(goal);
    setToolTip(goals.join(QLatin1Char('\n')));
    connect(&store, &LessonStore::changed, this, &LessonCard::refresh);
    refresh();
}

void LessonCard::refresh() {
    standing_ = lesson_standing(lesson_, &store_);
    const lesson::LessonProgress* kept = store_.find(lesson_.name);
    share_ = kept == nullptr ? 0 : static_cast<double>(kept->done()) / std::max(1, lesson_.tasks());
    setAccessibleName(tr("Lesson: %1").arg(lesson_.title()));
    setAccessibleDescription(standing_ + QStringLiteral(". ") + toolTip());
    update();
}

QSize LessonCard::sizeHint() const {
    const int line = QFontMetrics(appearance_.font()).height();
    return {2 * Thumbnails::kWidth + 20 + 2 * kCardMargin, 2 * kCardMargin + (kGoalLines + 2) * line + 20};
}

QString LessonCard::goal() const {
    return fitted_lines(QString::fromStdString(lesson_.lesson->goals.front()), appearance_.font(),
                        width() - 2 * kCardMargin, kGoalLines);
}

void LessonCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

void LessonCard::paint_share(QPainter& painter, const QRectF& area) const {
    const Colors& c = appearance_.colors();
    painter.setPen(Qt::NoPen);
    painter.setBrush(c.line);
    painter.drawRoundedRect(area, 2, 2);
    if (share_ <= 0) return;
    painter.setBrush(c.accent);
    painter.drawRoundedRect(QRectF(area.topLeft(), QSizeF(area.width() * share_, area.height())), 2, 2);
}

void LessonCard::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    const bool lit = hasFocus() || underMouse();
    paint_ground(painter, QRectF(rect()), isDown() ? c.tint : c.raised, lit ? c.accent : c.line,
                 hasFocus() ? 2 : 1);
    const QRect inner = rect().adjusted(kCardMargin, kCardMargin, -kCardMargin, -kCardMargin);
    const int line = QFontMetrics(appearance_.font()).height();
    painter.setFont(sized_font(appearance_.font(), 1, true));
    painter.setPen(c.text);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                     tr("%1  %2").arg(lesson_.name.front()).arg(lesson_.title()));
    painter.setFont(appearance_.font());
    painter.setPen(c.muted);
    painter.drawText(inner.adjusted(0, line + 4, 0, 0), Qt::AlignLeft | Qt::AlignTop, goal());
    const int foot = inner.bottom() - line;
    painter.drawText(QRect(inner.left(), foot, inner.width(), line + 2), Qt::AlignLeft | Qt::AlignBottom,
                     standing_);
    const double room = inner.width() * 0.4;
    paint_share(painter, QRectF(inner.right() - room, foot + line / 2.0, room, 4));
}

}  // namespace blockscope
