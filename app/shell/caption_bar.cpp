#include "app/shell/caption_bar.h"

#include <QCursor>
#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QTextLayout>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "app/shell/telling.h"
#include "app/shell/term_help.h"
#include "app/words/words.h"
#include "core/glossary/glossary.h"

namespace blockscope {

namespace {

const QString kTerm = QStringLiteral("term:");
constexpr int kLines = 2;       // of a sentence
constexpr int kMostLines = 4;   // in a narrow window
constexpr int kLastLines = 9;   // where a sentence needs more even in its smallest letters
constexpr int kCaptionAir = 6;  // above and below

// "1 to 6: Line the loops up, 471 MB → 439 MB", a line for each chapter of the run.
QString chapter_list(const std::vector<Chapter>& chapters) {
    QStringList lines;
    for (const Chapter& chapter : chapters)
        lines << CaptionBar::tr("%1 to %2: %3, %4")
                     .arg(chapter.first)
                     .arg(chapter.last)
                     .arg(translated(chapter.title), bytes_change(chapter.bytes_before, chapter.bytes_after));
    return lines.join(QLatin1Char('\n'));
}

// How high the lines are that `text` takes.
int height_of(const QString& text, const QFont& font, int width) {
    QTextLayout layout(text, font);
    layout.setTextOption(QTextOption(Qt::AlignLeft));
    layout.beginLayout();
    double height = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLeadingIncluded(true);
        line.setLineWidth(width);
        height += line.height();  // more where a letter comes from another font
    }
    layout.endLayout();
    return static_cast<int>(std::ceil(height));
}

}  // namespace

QString with_terms(const QString& sentence, const QColor& color) {
    const std::string text = sentence.toStdString();
    QString html;
    std::size_t at = 0;
    const auto plain = [&](std::size_t end) {
        html += QString::fromStdString(text.substr(at, end - at)).toHtmlEscaped();
        at = end;
    };
    for (const Mention& mention : mentions(text)) {
        plain(mention.begin);
        html += QStringLiteral("<a href=\"%1%2\" style=\"color:%3\">")
                    .arg(kTerm, QString::fromStdString(mention.term->name).toHtmlEscaped(), color.name());
        plain(mention.begin + mention.length);
        html += QStringLiteral("</a>");
    }
    plain(text.size());
    return html;
}

QString term_tip(const QString& link) {
    if (!link.startsWith(kTerm)) return {};
    const GlossaryTerm* term = find_term(glossary(), link.mid(kTerm.size()).toStdString());
    return term ? term_html(*term) : QString();
}

CaptionBar::CaptionBar(Document& document, Appearance& appearance, QWidget* parent)
    : QFrame(parent),
      document_(document),
      appearance_(appearance),
      head_(new QLabel(this)),
      back_(new QToolButton(this)),
      bytes_(new QLabel(this)),
      sentence_(new QLabel(this)) {
    setObjectName(QStringLiteral("caption_bar"));
    setAccessibleName(tr("What the step did"));
    head_->setTextFormat(Qt::PlainText);
    head_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    bytes_->setTextFormat(Qt::PlainText);
    bytes_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    bytes_->setToolTip(tr("Bytes between global and local memory, before and after the step"));
    sentence_->setTextFormat(Qt::RichText);
    sentence_->setWordWrap(true);
    sentence_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    sentence_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    for (QLabel* label : {head_, bytes_, sentence_}) label->setProperty("program_data", true);
    back_->setText(tr("Back to the algorithm"));
    back_->setToolTip(tr("To where this branch left the algorithm's; this one stays in the history"));
    back_->setAutoRaise(true);
    back_->setFocusPolicy(Qt::TabFocus);
    connect(back_, &QToolButton::clicked, this, [this] { back_to_algorithm(document_); });
    auto* first = new QHBoxLayout;
    first->addWidget(head_, 1);
    first->addWidget(back_);
    first->addWidget(bytes_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, kCaptionAir, 12, kCaptionAir);
    column->setSpacing(2);
    column->addLayout(first);
    column->addWidget(sentence_, 1);
    connect(sentence_, &QLabel::linkHovered, this, &CaptionBar::explain);
    connect(sentence_, &QLabel::linkActivated, this, [this](const QString& link) {
        explain(link);
        Q_EMIT term_clicked(link.mid(kTerm.size()));
    });
    connect(&document, &Document::content_changed, this, &CaptionBar::refresh);
    connect(&Telling::of(document), &Telling::told_now, this, &CaptionBar::refresh);
    connect(&appearance, &Appearance::changed, this, &CaptionBar::refresh);
    refresh();
}

void CaptionBar::refresh() {
    const CaptionWords words = caption_words(document_);
    setVisible(!document_.empty());
    back_->setVisible(left_algorithm(document_));
    // In a presentation the step stands in the picture.
    heads_ =
        appearance_.presenting() ? QStringList{words.chapter} : QStringList{words.head} + words.short_heads;
    head_->setAccessibleName(heads_.front());
    head_->setToolTip(heads_.front() + QLatin1Char('\n') + chapter_list(Telling::of(document_).chapters()));
    bytes_->setText(words.bytes);
    told_ = words.called.isEmpty() ? words.sentence : words.called;
    adds_ = words.adds;
    done_ = words.done;
    const StateId current = document_.empty() ? -1 : document_.content().current;
    if (current != priced_) price_ = reason_ = with_cause_ = QString();  // of the step before
    size_up();
}

void CaptionBar::choose_sentence(const QStringList& more, bool with_done) {
    QStringList parts{with_done ? done_ : QString(), told_};
    parts += more;
    parts.removeAll(QString());
    plain_ = told_.isEmpty() ? told_ : parts.join(QLatin1Char(' '));
}

void CaptionBar::show_sentence() {
    QFont fitting = letters();
    if (pixels_ != QFontInfo(fitting).pixelSize()) fitting.setPixelSize(pixels_);
    if (sentence_->font() != fitting) sentence_->setFont(fitting);
    const QString text = with_terms(plain_, appearance_.colors().text);
    if (sentence_->text() != text) sentence_->setText(text);
}

void CaptionBar::set_price(const QString& price, const QString& reason, const QString& with_cause) {
    if (price == price_ && reason == reason_ && with_cause == with_cause_) return;
    price_ = price;
    reason_ = reason;
    with_cause_ = with_cause;
    priced_ = document_.empty() ? -1 : document_.content().current;
    refresh();
}

void CaptionBar::size_up() {
    const QFont large = letters();
    QFont bold = font();
    bold.setBold(true);
    fit_sentence();
    show_sentence();
    if (head_->font() != bold) head_->setFont(bold);
    if (bytes_->font() != bold) bytes_->setFont(bold);
    fit_head();
    constexpr int kSpacing = 6;  // between the lines, and what rich text takes around itself
    const int back = back_->isHidden() ? 0 : back_->sizeHint().height();
    setFixedHeight(std::max(QFontMetrics(bold).lineSpacing(), back) +
                   QFontMetrics(large).lineSpacing() * lines_ + 2 * kCaptionAir + kSpacing);
    QStringList besides{done_, told_, price_, reason_, adds_};
    besides.removeAll(QString());
    const QString all = besides.join(QLatin1Char(' '));
    sentence_->setToolTip(all == plain_ ? QString() : all);
    setAccessibleDescription(heads_.value(0) + QStringLiteral(". ") + plain_ + QLatin1Char(' ') +
                             bytes_->text());
}

// What a sentence has where there is room for it.
QFont CaptionBar::letters() const {
    QFont large = font();
    const int least = least_letters();
    if (QFontInfo(large).pixelSize() < least) large.setPixelSize(least);
    return large;
}

int CaptionBar::least_letters() const {
    constexpr int kLeastLetters = 11;  // pixels
    if (!appearance_.presenting()) return kLeastLetters;
    return static_cast<int>(std::ceil(room_letters(window()->height())));
}

// A long sentence in a narrow window has smaller letters. Where that is not enough there is another line,
// which stays as long as the window is so narrow: the picture would jump with every sentence. What is said
// besides never adds one, but in a presentation; it is left out where there is no room for it.
void CaptionBar::fit_sentence() {
    constexpr int kLeastBesides = 12;  // pixels
    const int least = least_letters(), most = QFontInfo(letters()).pixelSize();
    if (fitted_width_ != width() || fitted_letters_ != least) lines_ = kLines;
    fitted_width_ = width();
    fitted_letters_ = least;
    QStringList more{price_, reason_, adds_};
    more.removeAll(QString());
    choose_sentence(more, true);
    if (appearance_.presenting() && fit_lines(most, kMostLines)) return;
    choose_sentence({}, false);
    fit_lines(least, kMostLines);
    const auto fits = [&](const QStringList& besides, int letters) {
        for (const bool with_done : {true, false}) {
            choose_sentence(besides, with_done);
            if (fit_letters(letters)) return true;
        }
        return false;
    };
    for (;; more.removeLast()) {
        const bool price_alone = more == QStringList{price_};
        if (price_alone && !with_cause_.isEmpty() && fits({with_cause_}, least)) return;
        if (fits(more, std::max(least, kLeastBesides))) return;
        if (more.isEmpty()) break;
    }
    fit_lines(least, kLastLines);
}

// Adds lines, at most so many; whether the sentence fits then with letters of at least so many pixels.
bool CaptionBar::fit_lines(int least, int most) {
    while (!fit_letters(least)) {
        if (lines_ >= most) return false;
        ++lines_;
    }
    return true;
}

// Makes the letters smaller, at least so many pixels; whether that is enough. The sentence is measured
// without its links, which take no room: to lay out rich text takes ten times as long, and many sentences and
// sizes are tried.
bool CaptionBar::fit_letters(int least) {
    constexpr int kSides = 28;  // beside the sentence
    QFont fitting = letters();
    const int room_wide = std::max(1, width() - kSides);
    const int room_high = QFontMetrics(fitting).lineSpacing() * lines_ + 2;
    pixels_ = QFontInfo(fitting).pixelSize();
    while (height_of(plain_, fitting, room_wide) > room_high) {
        if (pixels_ <= least) return false;
        fitting.setPixelSize(--pixels_);
    }
    return true;
}

// Nothing of a heading is cut: a shorter one takes its place.
void CaptionBar::fit_head() {
    constexpr int kSides = 24, kGap = 12;
    const QString way_back = tr("Back to the algorithm"), brief = tr("Algorithm");
    const auto taken = [this](const QWidget& widget) {
        return widget.isVisibleTo(this) ? widget.sizeHint().width() + kGap : 0;
    };
    const QFontMetrics metrics(head_->font());
    const int all = width() - kSides - taken(*bytes_);
    back_->setText(way_back);
    if (all - taken(*back_) < all / 2) back_->setText(brief);
    const int room = all - taken(*back_);
    const auto fits = [&](const QString& head) { return metrics.horizontalAdvance(head) <= room; };
    const auto found = std::find_if(heads_.begin(), heads_.end(), fits);
    head_->setText(found != heads_.end() ? *found : heads_.isEmpty() ? QString() : heads_.back());
}

void CaptionBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) size_up();
}

// It stands at the lower end of a window whose height says how large letters have to be for a room.
void CaptionBar::moveEvent(QMoveEvent* event) {
    QFrame::moveEvent(event);
    if (fitted_letters_ != least_letters()) size_up();
}

void CaptionBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) size_up();
}

void CaptionBar::explain(const QString& link) {
    const QString tip = term_tip(link);
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(QCursor::pos(), tip, sentence_);
}

CaptionedPage with_caption(QWidget* picture, Document& document, Appearance& appearance) {
    auto* page = new QWidget(picture->parentWidget());
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(picture, 1);
    auto* caption = new CaptionBar(document, appearance, page);
    column->addWidget(caption);
    page->setFocusProxy(picture);
    return {page, caption};
}

}  // namespace blockscope
