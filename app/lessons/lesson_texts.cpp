// The parts of lesson_panel.h: texts, choices, replies and the row of a lesson's parts.
#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QCursor>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/lessons/lesson_panel.h"
#include "app/shell/caption_bar.h"
#include "core/glossary/glossary.h"
#include "core/lesson/markdown.h"

namespace blockscope {

namespace {

const QString kGlossary = QStringLiteral("glossary:");
// Paragraphs stand a little apart; code wraps where it has no room.
const QString kStyle = QStringLiteral(
    "<style>p, li { margin-top: 0px; margin-bottom: 7px; line-height: 125%; }"
    "ul, ol { margin-top: 0px; margin-bottom: 7px; margin-left: 18px; -qt-list-indent: 0; }"
    "pre { white-space: pre-wrap; margin-top: 0px; margin-bottom: 7px; margin-left: 10px; }"
    "td, th { padding: 2px 8px 2px 0px; }</style>");

QString html_of(const QString& markdown, const QColor& link) {
    QString html = QString::fromStdString(lesson::html_of(markdown.toStdString(), lesson::TermLinks::Links));
    html.replace(QStringLiteral("<a href="), QStringLiteral("<a style=\"color:%1\" href=").arg(link.name()));
    return kStyle + html;
}

// "glossary:block", "glossary:#buffered-edge"
const GlossaryTerm* term_of(const QString& link) {
    if (!link.startsWith(kGlossary)) return nullptr;
    const std::string words = link.mid(kGlossary.size()).toStdString();
    const bool anchor = words.starts_with('#');
    return linked_term(glossary(), anchor ? "" : words, anchor ? "glossary" + words : "glossary");
}

QString plain_of(const QString& markdown) {
    QTextDocument document;
    document.setHtml(QString::fromStdString(lesson::html_of(markdown.toStdString())));
    return document.toPlainText();
}

}  // namespace

LessonText::LessonText(Appearance& appearance, QWidget* parent) : QLabel(parent), appearance_(appearance) {
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setAlignment(Qt::AlignTop | Qt::AlignLeft);
    setProperty("program_data", true);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(this, &QLabel::linkHovered, this, &LessonText::explain);
    connect(this, &QLabel::linkActivated, this, &LessonText::explain);
    connect(&appearance, &Appearance::changed, this, &LessonText::refresh);
}

void LessonText::set_markdown(const QString& markdown) {
    if (markdown == markdown_) return;
    markdown_ = markdown;
    refresh();
}

void LessonText::refresh() {
    setText(markdown_.isEmpty() ? QString() : html_of(markdown_, appearance_.colors().text));
    setAccessibleName(plain_of(markdown_));
}

void LessonText::explain(const QString& link) {
    if (link.startsWith(QStringLiteral("http"))) return;
    const GlossaryTerm* term = term_of(link);
    const QString tip =
        term == nullptr ? QString() : term_tip(QStringLiteral("term:") + QString::fromStdString(term->name));
    const bool pointed = underMouse();
    const QPoint at = pointed ? QCursor::pos() : mapToGlobal(QPoint(0, height()));
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(at, tip, this);
}

// ---- Answers.

namespace {

constexpr int kAir = 8;
constexpr int kSign = 16;  // the circle before an answer
constexpr int kCorner = 7;
constexpr int kNarrowest = 120;

}  // namespace

ChoiceButton::ChoiceButton(const QString& markdown, Appearance& appearance, QWidget* parent)
    : QAbstractButton(parent), appearance_(appearance) {
    text_.setDocumentMargin(0);
    text_.setHtml(QString::fromStdString(lesson::inline_html_of(markdown.toStdString())));
    setText(text_.toPlainText());
    setProperty("program_data", true);
    setAccessibleName(text());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ChoiceButton::set_verdict(Verdict verdict) {
    verdict_ = verdict;
    const QString said = verdict == Verdict::None    ? QString()
                         : verdict == Verdict::Right ? tr("right")
                                                     : tr("not right");
    setAccessibleDescription(said);
    update();
}

void ChoiceButton::lay_out(int width) const {
    text_.setDefaultFont(font());
    text_.setTextWidth(std::max(40, width - 3 * kAir - kSign));
}

int ChoiceButton::heightForWidth(int width) const {
    lay_out(width);
    return static_cast<int>(std::ceil(text_.size().height())) + 2 * kAir;
}

// It wraps: as narrow as it may be, as high as it is then.
QSize ChoiceButton::sizeHint() const {
    return {kNarrowest, heightForWidth(std::max(kNarrowest, width()))};
}
QSize ChoiceButton::minimumSizeHint() const {
    return sizeHint();
}

void ChoiceButton::paint_sign(QPainter& painter, const QRectF& box) const {
    const Colors& c = appearance_.colors();
    const QColor ink = verdict_ == Verdict::None ? c.muted : verdict_ == Verdict::Right ? c.good : c.bad;
    painter.setPen(
        QPen(ink, verdict_ == Verdict::None ? 1.3 : 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    const QPointF middle = box.center();
    if (verdict_ == Verdict::None) {
        painter.drawEllipse(box.adjusted(2, 2, -2, -2));
    } else if (verdict_ == Verdict::Right) {
        painter.drawPolyline(
            QPolygonF{middle + QPointF(-6, 0), middle + QPointF(-2, 4), middle + QPointF(6, -5)});
    } else {
        painter.drawLine(middle + QPointF(-4, -4), middle + QPointF(4, 4));
        painter.drawLine(middle + QPointF(-4, 4), middle + QPointF(4, -4));
    }
}

void ChoiceButton::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = isEnabled() && (hasFocus() || underMouse());
    painter.setPen(QPen(lit ? c.accent : c.line, hasFocus() ? 2 : 1));
    painter.setBrush(isDown() ? c.tint : c.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kCorner, kCorner);
    lay_out(width());
    const double line = QFontMetricsF(font()).height();
    paint_sign(painter, QRectF(kAir, kAir + (line - kSign) / 2, kSign, kSign));
    painter.translate(2 * kAir + kSign, kAir);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, c.text);
    text_.documentLayout()->draw(&painter, context);
}

void ChoiceButton::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) return click();
    if (key != Qt::Key_Up && key != Qt::Key_Down) return QAbstractButton::keyPressEvent(event);
    const QList<ChoiceButton*> all =
        parentWidget()->findChildren<ChoiceButton*>(QString(), Qt::FindDirectChildrenOnly);
    const qsizetype to = all.indexOf(this) + (key == Qt::Key_Up ? -1 : 1);
    if (to >= 0 && to < all.size()) all[to]->setFocus(Qt::TabFocusReason);
}

void ChoiceButton::focusInEvent(QFocusEvent* event) {
    QAbstractButton::focusInEvent(event);
    if (event->reason() != Qt::ActiveWindowFocusReason) Q_EMIT looked_at(true);
}
void ChoiceButton::focusOutEvent(QFocusEvent* event) {
    QAbstractButton::focusOutEvent(event);
    Q_EMIT looked_at(false);
}
void ChoiceButton::enterEvent(QEnterEvent* event) {
    QAbstractButton::enterEvent(event);
    Q_EMIT looked_at(true);
}
void ChoiceButton::leaveEvent(QEvent* event) {
    QAbstractButton::leaveEvent(event);
    Q_EMIT looked_at(hasFocus());
}

// ---- Replies.

namespace {

constexpr int kBar = 4;  // at the left of a reply

}  // namespace

ReplyBox::ReplyBox(Appearance& appearance, QWidget* parent)
    : QFrame(parent),
      appearance_(appearance),
      head_(new QLabel(this)),
      text_(new LessonText(appearance, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kBar + kAir + 2, kAir, kAir, kAir - 4);
    column->setSpacing(3);
    head_->setProperty("heading", true);
    head_->setTextFormat(Qt::PlainText);
    column->addWidget(head_);
    column->addWidget(text_);
    hide();
}

void ReplyBox::say(Tone tone, const QString& markdown) {
    tone_ = tone;
    const QString head = tone == Tone::Right   ? tr("✓ Right")
                         : tone == Tone::Wrong ? tr("✗ Not yet")
                         : tone == Tone::Shown ? tr("→ The answer")
                                               : tr("Note");
    head_->setText(head);
    text_->set_markdown(markdown);
    setAccessibleName(head + QStringLiteral(". ") + text_->accessibleName());
    setVisible(!markdown.isEmpty());
    update();
    if (markdown.isEmpty()) return;
    QAccessibleEvent said(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&said);
}

QColor ReplyBox::color() const {
    const Colors& c = appearance_.colors();
    switch (tone_) {
        case Tone::Right:
            return c.good;
        case Tone::Wrong:
            return c.bad;
        case Tone::Shown:
            return c.accent;
        case Tone::Note:
            return c.muted;
    }
    return c.muted;
}

void ReplyBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(appearance_.colors().line, 1));
    painter.setBrush(appearance_.colors().base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.fillRect(0, 0, kBar, height(), color());
}

// ---- The way through the parts.

namespace {

constexpr int kPartHeight = 7, kPartGap = 3, kPartsHigh = 17;

}  // namespace

PartsBar::PartsBar(Appearance& appearance, QWidget* parent) : QWidget(parent), appearance_(appearance) {
    setCursor(Qt::PointingHandCursor);
    setFixedHeight(kPartsHigh);
    setFocusPolicy(Qt::NoFocus);  // the keys of the window go from part to part
}

void PartsBar::show_parts(std::vector<Part> parts, int current) {
    parts_ = std::move(parts);
    current_ = current;
    setAccessibleName(tr("Part %1 of %2").arg(current + 1).arg(parts_.size()));
    update();
}

QSize PartsBar::sizeHint() const {
    return {200, kPartsHigh};
}

QRectF PartsBar::place(int part) const {
    const double step = (width() + kPartGap) / static_cast<double>(std::max<std::size_t>(1, parts_.size()));
    return {part * step, (height() - kPartHeight) / 2.0, step - kPartGap, kPartHeight};
}

int PartsBar::part_at(const QPointF& at) const {
    for (int i = 0; i < static_cast<int>(parts_.size()); ++i)
        if (place(i).adjusted(-kPartGap / 2.0, -kPartsHigh, kPartGap / 2.0, kPartsHigh).contains(at))
            return i;
    return -1;
}

void PartsBar::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; i < static_cast<int>(parts_.size()); ++i) {
        const Part& part = parts_[static_cast<std::size_t>(i)];
        const bool passed = part.task ? part.done : i < current_;
        QRectF box = place(i);
        // The one that is seen is higher: colour alone tells nothing.
        if (i == current_) box.adjust(0, -3, 0, 3);
        painter.setPen(QPen(i == current_ ? c.accent : c.line, i == current_ ? 2 : 1));
        painter.setBrush(passed ? c.accent : c.base);
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2);
    }
}

void PartsBar::mousePressEvent(QMouseEvent* event) {
    if (const int part = part_at(event->position()); part >= 0) Q_EMIT chosen(part);
}

bool PartsBar::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int part = part_at(help->pos());
        if (part >= 0)
            QToolTip::showText(
                help->globalPos(),
                tr("Part %1: %2")
                    .arg(QString::number(part + 1), parts_[static_cast<std::size_t>(part)].heading),
                this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace blockscope
