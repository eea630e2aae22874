#include "app/window/start_page.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QSizePolicy>
#include <QStandardPaths>
#include <QTextLayout>
#include <algorithm>

#include "app/document/work.h"
#include "app/lessons/lesson_shelf.h"
#include "app/scene/paint.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/shell/controls.h"
#include "app/window/lesson_cards.h"
#include "app/window/opener.h"
#include "core/cost/models/model.h"
#include "core/state/choose.h"

namespace blockscope {

namespace {

constexpr int kGap = 16;

}  // namespace

CardGrid::CardGrid(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CardGrid::add(QWidget* card) {
    card->setParent(this);
    card->installEventFilter(this);
    cards_.push_back(card);
    updateGeometry();
}

QSize CardGrid::card_size() const {
    return cards_.empty() ? QSize(0, 0) : cards_.front()->sizeHint();
}

int CardGrid::columns(int width) const {
    const int step = card_size().width() + kGap;
    return step <= kGap ? 1 : std::max(1, (width + kGap) / step);
}

int CardGrid::heightForWidth(int width) const {
    if (cards_.empty()) return 0;
    const int count = static_cast<int>(cards_.size());
    const int across = columns(width);
    const int rows = (count + across - 1) / across;
    return rows * (card_size().height() + kGap) - kGap;
}

QSize CardGrid::sizeHint() const {
    return {card_size().width(), heightForWidth(width())};
}
QSize CardGrid::minimumSizeHint() const {
    return {card_size().width(), card_size().height()};
}

void CardGrid::resizeEvent(QResizeEvent* event) {
    const QSize size = card_size();
    const int across = columns(width());
    // Cards grow a little so that the columns fill the width.
    const int wide = std::min(size.width() * 3 / 2, (width() + kGap) / across - kGap);
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i)
        cards_[i]->setGeometry(i % across * (wide + kGap), i / across * (size.height() + kGap), wide,
                               size.height());
    setMinimumHeight(heightForWidth(width()));
    QWidget::resizeEvent(event);
}

bool CardGrid::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto at = std::find(cards_.begin(), cards_.end(), watched);
    if (at == cards_.end()) return QWidget::eventFilter(watched, event);
    const int across = columns(width());
    int step = 0;
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Left:
            step = -1;
            break;
        case Qt::Key_Right:
            step = 1;
            break;
        case Qt::Key_Up:
            step = -across;
            break;
        case Qt::Key_Down:
            step = across;
            break;
        default:
            return QWidget::eventFilter(watched, event);
    }
    const auto target = (at - cards_.begin()) + step;
    if (target < 0 || target >= static_cast<std::ptrdiff_t>(cards_.size())) return false;
    cards_[static_cast<std::size_t>(target)]->setFocus(Qt::TabFocusReason);
    return true;
}

namespace {

constexpr int kMargin = 14;
constexpr int kCardGap = 10;
constexpr int kArrow = 20;  // between the two pictures
constexpr int kTextLines = 4;

void paint_arrow(QPainter& painter, const QRect& area, const QColor& color) {
    painter.setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip(area.center().x() + 6, area.center().y());
    painter.drawLine(tip - QPointF(12, 0), tip);
    painter.drawLine(tip - QPointF(4, 4), tip);
    painter.drawLine(tip - QPointF(4, -4), tip);
}

}  // namespace

QString fitted_lines(const QString& text, const QFont& font, int width, int most) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == most) {
            lines << QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines.join(QLatin1Char('\n'));
}

SampleCard::SampleCard(const Sample& sample, Thumbnails& thumbnails, Appearance& appearance, QWidget* parent)
    : QAbstractButton(parent), sample_(sample), thumbnails_(thumbnails), appearance_(appearance) {
    setText(sample.title);
    setProperty("program_data", true);
    setAccessibleName(sample.title);
    setAccessibleDescription(sample.comment.join(QLatin1Char(' ')));
    setToolTip(accessibleDescription());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

QSize SampleCard::sizeHint() const {
    const int line = QFontMetrics(appearance_.font()).height();
    return {2 * Thumbnails::kWidth + kArrow + 2 * kMargin,
            Thumbnails::kHeight + 2 * kMargin + 2 * kCardGap + line + kTextLines * line + 4};
}

void SampleCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

void SampleCard::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = hasFocus() || underMouse();
    painter.setPen(QPen(lit ? c.accent : c.line, hasFocus() ? 2 : 1));
    painter.setBrush(isDown() ? c.tint : c.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
    const QRect inner = rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    paint_pictures(painter, QRect(inner.topLeft(), QSize(inner.width(), Thumbnails::kHeight)));
    paint_text(painter, inner.adjusted(0, Thumbnails::kHeight + kCardGap, 0, 0));
}

void SampleCard::paint_pictures(QPainter& painter, const QRect& area) {
    const Colors& c = appearance_.colors();
    const Thumbnail thumbnail = thumbnails_.of(sample_, devicePixelRatioF());
    const int width = (area.width() - kArrow) / 2;
    const QRect left(area.topLeft(), QSize(width, area.height()));
    const QRect right = left.translated(width + kArrow, 0);
    const auto place = [&](const QRect& frame, const QImage& image) {
        QPainterPath path;
        path.addRoundedRect(frame, 6, 6);
        painter.fillPath(path, appearance_.theme().canvas);
        if (image.isNull()) return;
        const QSizeF size = QSizeF(image.size()) / image.devicePixelRatio();
        const QPointF corner = QRectF(frame).center() - QPointF(size.width() / 2, size.height() / 2);
        painter.drawImage(corner, image);
    };
    place(left, thumbnail.before);
    place(right, thumbnail.after);
    paint_arrow(painter, QRect(left.right(), area.top(), kArrow, area.height()), c.muted);
}

void SampleCard::paint_text(QPainter& painter, const QRect& area) {
    const Colors& c = appearance_.colors();
    QFont bold = appearance_.font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(c.text);
    const int line = QFontMetrics(bold).height();
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, sample_.title);
    const int title = QFontMetrics(bold).horizontalAdvance(sample_.title) + kCardGap;
    painter.setFont(appearance_.font());
    painter.setPen(c.muted);
    // Where there is room for it beside the title.
    const QString saving = thumbnails_.of(sample_, devicePixelRatioF()).gain.words();
    if (QFontMetrics(painter.font()).horizontalAdvance(saving) <= area.width() - title)
        painter.drawText(area, Qt::AlignRight | Qt::AlignTop, saving);
    const QRect rest = area.adjusted(0, line + 4, 0, 0);
    painter.setClipRect(rest);
    painter.drawText(
        rest, Qt::AlignLeft | Qt::AlignTop,
        fitted_lines(sample_.comment.join(QLatin1Char(' ')), painter.font(), rest.width(), kTextLines));
}

namespace {

QString folder() {
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + QStringLiteral("/thumbnails/");
}

// Everything that the images depend on.
QString key_of(const Sample& sample, bool dark, double ratio) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(sample.text.toUtf8());
    // Of the program, too: a new layout makes new pictures.
    const QFileInfo program(QCoreApplication::applicationFilePath());
    hash.addData(program.lastModified().toString(Qt::ISODateWithMs).toUtf8());
    hash.addData(
        QStringLiteral("%1 %2 %3 %4 %5")
            .arg(QStringLiteral(BLOCKSCOPE_VERSION), dark ? QStringLiteral("dark") : QStringLiteral("light"))
            .arg(ratio)
            .arg(Thumbnails::kWidth)
            .arg(Thumbnails::kHeight)
            .toUtf8());
    return QString::fromLatin1(hash.result().toHex());
}

// The key of a text in an image of the cache.
const QString kGain = QStringLiteral("gain");

// Of all steps of the algorithm's run, the state that moves the fewest bytes: what fusion is worth here at
// best.
Gain gain_of(const Content& content) {
    const std::vector<StateId> path = content.history.path(content.history.branch(content.branch).tip);
    const auto kernels = [](const State& state) { return static_cast<int>(state.counts().launches); };
    const State first(content.history.state(path.front()).program);
    Gain gain{.steps = static_cast<int>(path.size()) - 1,
              .before = moved_bytes(first),
              .after = moved_bytes(first),
              .kernels_before = kernels(first),
              .kernels_after = kernels(first)};
    for (const StateId id : path) {
        const State state(content.history.state(id).program);
        const double moved = moved_bytes(state);
        if (moved >= gain.after) continue;
        gain.after = moved;
        gain.kernels_after = kernels(state);
    }
    return gain;
}

QImage stored(const QString& key, const char* which, double ratio) {
    QImage image(folder() + key + QLatin1String(which));
    image.setDevicePixelRatio(ratio);
    return image;
}

}  // namespace

QString Gain::text() const {
    return QStringLiteral("%1 %2 %3 %4 %5")
        .arg(steps)
        .arg(before, 0, 'f', 0)
        .arg(after, 0, 'f', 0)
        .arg(kernels_before)
        .arg(kernels_after);
}

Gain Gain::of(const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '));
    if (words.size() != 5) return {};
    return {.steps = words[0].toInt(),
            .before = words[1].toDouble(),
            .after = words[2].toDouble(),
            .kernels_before = words[3].toInt(),
            .kernels_after = words[4].toInt()};
}

QString Gain::words() const {
    if (steps == 0) return {};
    return StartPage::tr("Steps: %1, %2 to %3")
        .arg(steps)
        .arg(QString::fromStdString(bytes_text_of(before)), QString::fromStdString(bytes_text_of(after)));
}

Thumbnails::Thumbnails(Pictures& pictures, Appearance& appearance, QObject* parent)
    : QObject(parent), pictures_(pictures), appearance_(appearance) {
    pool_.setMaxThreadCount(1);
}

Thumbnails::~Thumbnails() {
    pictures_.cancel(this);
    pool_.waitForDone();
}

Thumbnail Thumbnails::of(const Sample& sample, double ratio) {
    const QString key = key_of(sample, appearance_.dark(), ratio);
    if (const auto it = known_.find(key); it != known_.end()) return it->second;
    Thumbnail thumbnail{stored(key, "-before.png", ratio), stored(key, "-after.png", ratio), {}};
    thumbnail.gain = Gain::of(thumbnail.before.text(kGain));
    if (thumbnail.empty()) queue_.push_back({sample.name, key, ratio});
    known_[key] = thumbnail;
    next();
    return thumbnail;
}

void Thumbnails::pause(bool paused) {
    paused_ = paused;
    next();
}

void Thumbnails::next() {
    if (busy_ || paused_ || queue_.empty()) return;
    busy_ = true;
    const Wanted wanted = queue_.front();
    queue_.pop_front();
    const Sample* sample = find_sample(wanted.sample);
    pool_.start([this, wanted, text = sample->text.toStdString()] {
        lower_priority(Priority::Panel);
        const Stop never;
        Result<Content> content = load_text(text, wanted.sample.toStdString(), never);
        const auto shared = content ? std::make_shared<const Content>(std::move(content).value()) : nullptr;
        const Gain gain = shared ? gain_of(*shared) : Gain();
        QMetaObject::invokeMethod(this, [this, wanted, shared, gain] {
            if (shared) return lay_out(wanted, shared, gain);
            busy_ = false;
            next();
        });
    });
}

void Thumbnails::lay_out(const Wanted& wanted, const ContentPtr& content, const Gain& gain) {
    pictures_.request(this, content, 0, [=, this](const PicturePtr& first) {
        const StateId last = content->history.branch(content->branch).tip;
        pictures_.request(this, content, last, [=, this](const PicturePtr& picture) {
            const auto image = [&](const Picture& shown) {
                return thumbnail(shown, appearance_.theme(), kWidth, kHeight, wanted.ratio);
            };
            Thumbnail made{image(*first), image(*picture), gain};
            made.before.setText(kGain, gain.text());
            finish(wanted, std::move(made));
        });
    });
}

void Thumbnails::finish(const Wanted& wanted, Thumbnail thumbnail) {
    QDir().mkpath(folder());
    // A cache that cannot be written costs time, nothing else.
    thumbnail.before.save(folder() + wanted.key + QStringLiteral("-before.png"));
    thumbnail.after.save(folder() + wanted.key + QStringLiteral("-after.png"));
    known_[wanted.key] = std::move(thumbnail);
    busy_ = false;
    Q_EMIT ready(wanted.sample);
    next();
}

namespace {

const QString kTourOffered = QStringLiteral("lessons/tour_offered");
constexpr int kSideWidth = 268;
constexpr int kSpace = 24;

QString shelf_title(Shelf shelf) {
    switch (shelf) {
        case Shelf::Attention:
            return StartPage::tr("Attention");
        case Shelf::FirstFusions:
            return StartPage::tr("First fusions");
        case Shelf::Parts:
            return StartPage::tr("Parts of a transformer");
        case Shelf::Blocks:
            return StartPage::tr("Whole blocks");
        case Shelf::Benchmarks:
            break;
    }
    return StartPage::tr("Benchmark programs of the MCFuser paper");
}

}  // namespace

StartPage::StartPage(Settings& settings, Actions& actions, Appearance& appearance, Thumbnails& thumbnails,
                     LessonStore& store, QWidget* parent)
    : QWidget(parent),
      settings_(settings),
      actions_(actions),
      appearance_(appearance),
      thumbnails_(thumbnails),
      store_(store) {
    setAccessibleName(tr("Start page"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(make_side());
    row->addWidget(make_gallery(), 1);
    connect(&settings_, &Settings::recent_changed, this, &StartPage::list_recent);
    connect(&thumbnails_, &Thumbnails::ready, this, [this](const QString& name) {
        for (QWidget* card : cards_)
            if (static_cast<SampleCard*>(card)->sample().name == name) card->update();
    });
    list_recent();
    setFocusProxy(&flash_->start());
}

QLabel* StartPage::heading(const QString& text, QWidget* parent, double size) {
    auto* label = new QLabel(text, parent);
    QFont font = appearance_.font();
    font.setPixelSize(static_cast<int>(font.pixelSize() * size));
    font.setBold(true);
    label->setFont(font);
    return label;
}

QWidget* StartPage::make_side() {
    side_ = new QWidget(this);
    side_->setObjectName(QStringLiteral("start_side"));
    side_->setFixedWidth(kSideWidth);
    auto* column = new QVBoxLayout(make_scrolled_content(side_));
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(8);
    column->addWidget(heading(tr("Blockscope"), side_, 1.8));
    auto* about =
        new QLabel(tr("See AI operator fusion: open a program, then press Space for the next step."), side_);
    about->setWordWrap(true);
    about->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(about);
    column->addSpacing(12);
    back_ = new QPushButton(side_);
    back_->setProperty("program_data", true);
    back_->hide();
    connect(back_, &QPushButton::clicked, this, &StartPage::back_chosen);
    column->addWidget(back_);
    column->addWidget(heading(tr("Open your own"), side_, 1.0));
    for (const char* id : {"file.open", "file.new"}) {
        QAction* action = actions_.get(id);
        auto* button = new QPushButton(action_plain_text(actions_.info(id)), side_);
        button->setAccessibleName(button->text());
        button->setToolTip(action->toolTip());
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        column->addWidget(button);
    }
    column->addSpacing(16);
    column->addWidget(heading(tr("Recent files"), side_, 1.0));
    recent_ = new QVBoxLayout;
    recent_->setSpacing(2);
    column->addLayout(recent_);
    column->addStretch();
    drop_ = new QLabel(tr("Drop a file anywhere in this window to open it."), side_);
    drop_->setObjectName(QStringLiteral("drop_area"));
    drop_->setAlignment(Qt::AlignCenter);
    drop_->setWordWrap(true);
    drop_->setMinimumHeight(84);
    column->addWidget(drop_);
    return side_;
}

void StartPage::offer_way_back(const QString& name) {
    const QString text = tr("Back to %1").arg(name);
    back_->setText(back_->fontMetrics().elidedText(text, Qt::ElideRight, kSideWidth - 2 * kSpace - 24));
    back_->setAccessibleName(text);
    back_->setToolTip(text);
    back_->setVisible(!name.isEmpty());
}

QWidget* StartPage::make_gallery() {
    auto* scroll = gallery_ = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Samples"));
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    column->setSpacing(12);
    tour_ = make_tour_offer();
    column->addWidget(tour_);
    flash_ = new FlashCard(store_, thumbnails_, appearance_, page);
    connect(flash_, &FlashCard::lesson_chosen, this, &StartPage::lesson_chosen);
    connect(flash_, &FlashCard::sample_chosen, this, &StartPage::sample_chosen);
    column->addWidget(flash_);
    column->addSpacing(12);
    column->addWidget(heading(tr("Lessons"), page, 1.3));
    column->addWidget(make_lessons());
    for (int i = 0; i < kShelves; ++i) {
        CardGrid* grid = make_grid(static_cast<Shelf>(i));
        column->addSpacing(12);
        column->addWidget(heading(shelf_title(static_cast<Shelf>(i)), page, 1.3));
        column->addWidget(grid);
        cards_.insert(cards_.end(), grid->cards().begin(), grid->cards().end());
    }
    column->addStretch();
    scroll->setWidget(page);
    return scroll;
}

CardGrid* StartPage::make_lessons() {
    auto* grid = new CardGrid(this);
    for (const LessonInfo& lesson : lesson_shelf()) {
        auto* card = new LessonCard(lesson, store_, appearance_, grid);
        connect(card, &LessonCard::clicked, this, [this, &lesson] { Q_EMIT lesson_chosen(lesson); });
        grid->add(card);
    }
    lesson_cards_ = grid->cards();
    return grid;
}

// Once, and in a line that nobody has to answer.
QWidget* StartPage::make_tour_offer() {
    auto* offer = new QWidget(this);
    auto* row = new QHBoxLayout(offer);
    row->setContentsMargins(2, 0, 0, 0);
    auto* label = new QLabel(tr("New here?"), offer);
    auto* take = new QPushButton(tr("Take the tour (90 seconds)"), offer);
    auto* no = new QPushButton(tr("Not now"), offer);
    no->setToolTip(tr("The tour stays in the menu Learn"));
    for (QPushButton* button : {take, no}) button->setFlat(true);
    row->addWidget(label);
    row->addWidget(take);
    row->addWidget(no);
    row->addStretch(1);
    connect(take, &QPushButton::clicked, offer, &QWidget::hide);
    connect(take, &QPushButton::clicked, this, [this] { Q_EMIT lesson_chosen(tour_lesson()); });
    connect(no, &QPushButton::clicked, offer, &QWidget::hide);
    offer->setVisible(!settings_.value(kTourOffered).toBool());
    settings_.set_value(kTourOffered, true);
    return offer;
}

void StartPage::show_lessons() {
    if (lesson_cards_.empty()) return;
    QWidget* first = lesson_cards_.front();
    gallery_->ensureWidgetVisible(first, 0, first->height() * 2);
    first->setFocus(Qt::TabFocusReason);
}

CardGrid* StartPage::make_grid(Shelf shelf) {
    auto* grid = new CardGrid(this);
    for (const Sample& sample : samples()) {
        if (sample.shelf != shelf) continue;
        auto* card = new SampleCard(sample, thumbnails_, appearance_, grid);
        connect(card, &SampleCard::clicked, this, [this, card] { Q_EMIT sample_chosen(card->sample()); });
        grid->add(card);
    }
    return grid;
}

void StartPage::list_recent() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    const QStringList files = settings_.recent_files();
    if (files.isEmpty()) {
        auto* none = new QLabel(tr("Files that you open or save appear here."), side_);
        none->setWordWrap(true);
        none->setForegroundRole(QPalette::PlaceholderText);
        recent_->addWidget(none);
    }
    for (const QString& path : files) {
        const QFileInfo info(path);
        auto* button = new QPushButton(side_);
        const int width = kSideWidth - 2 * kSpace - 16;
        button->setText(button->fontMetrics().elidedText(info.fileName(), Qt::ElideMiddle, width));
        button->setProperty("program_data", true);
        button->setFlat(true);
        button->setProperty("recent", true);  // see appearance.cpp
        button->setToolTip(path);
        button->setAccessibleName(info.fileName());
        button->setAccessibleDescription(path);
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT file_chosen(path); });
        recent_->addWidget(button);
    }
}

}  // namespace blockscope
