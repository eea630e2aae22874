#include "app/shell/progress.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <exception>
#include <utility>

#include "app/shell/controls.h"

namespace blockscope {

ShareBar::ShareBar(const QString& name, QWidget* parent) : QProgressBar(parent) {
    setAccessibleName(name);
    setTextVisible(false);
    setRange(0, 0);
}

void ShareBar::show_share(int permille) {
    permille_ = permille;
    if (waiting_) return;
    waiting_ = true;
    QTimer::singleShot(0, this, &ShareBar::apply);
}

void ShareBar::apply() {
    waiting_ = false;
    setRange(0, permille_ < 0 ? 0 : 1000);
    setValue(permille_);
}

ProgressFrame::ProgressFrame(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("progress_frame"));
    setAccessibleName(tr("Progress"));
    title_ = new QLabel(this);
    bar_ = new ShareBar(tr("In progress"), this);
    cancel_ = new QPushButton(tr("Cancel"), this);
    cancel_->setAccessibleName(tr("Cancel"));
    connect(cancel_, &QPushButton::clicked, this, [this] {
        if (given_up_) return again_clicked();
        cancel_clicked();
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    row->setSpacing(12);
    row->addWidget(title_);
    row->addWidget(bar_, 1);
    row->addWidget(cancel_);
    setVisible(false);
}

void ProgressFrame::follow(Work& work) {
    connect(this, &ProgressFrame::cancel_clicked, &work, &Work::cancel);
    connect(&work, &Work::slow, this, &ProgressFrame::show_work);
    connect(&work, &Work::progressed, this, &ProgressFrame::show_share);
    connect(&work, &Work::finished, this, &QWidget::hide);
}

void ProgressFrame::follow(Document& document) {
    connect(this, &ProgressFrame::cancel_clicked, &document, &Document::cancel);
    connect(&document, &Document::busy, this, &ProgressFrame::show_work);
    connect(&document, &Document::progressed, this, &ProgressFrame::show_share);
    connect(&document, &Document::idle, this, &QWidget::hide);
}

void ProgressFrame::show_work(const QString& title) {
    given_up_ = false;
    title_->setText(title);
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel"));
    bar_->show_share(-1);  // until the job says how much is done
    bar_->show();
    show();
}

void ProgressFrame::show_given_up(const QString& text) {
    given_up_ = true;
    title_->setText(text);
    cancel_->setText(tr("Again"));
    cancel_->setAccessibleName(tr("Again"));
    bar_->hide();
    show();
}

void ProgressFrame::show_share(int permille) {
    bar_->show_share(permille);
}

namespace {

constexpr int kBarWidth = 70, kBarHeight = 6, kLeastTitle = 20;

}  // namespace

StatusProgress::StatusProgress(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("status_progress"));
    setAccessibleName(tr("In the background"));
    title_ = new ElidedLabel(this);
    title_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    title_->setMinimumWidth(kLeastTitle);
    bar_ = new ShareBar(tr("In progress"), this);
    bar_->setFixedSize(kBarWidth, kBarHeight);
    cancel_ = new QToolButton(this);
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel"));
    cancel_->setAutoRaise(true);
    cancel_->setFocusPolicy(Qt::TabFocus);
    connect(cancel_, &QToolButton::clicked, this, [this] {
        if (!slow_.empty()) std::exchange(slow_.back().cancel, {})();
    });
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(title_);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    hide();
}

void StatusProgress::follow(Work& work, std::function<void()> cancel) {
    connect(&work, &Work::slow, this, [this, job = Job{&work, std::move(cancel)}] {
        std::erase_if(slow_, [&](const Job& old) { return old.work == job.work; });
        slow_.push_back(job);
        refresh();
    });
    connect(&work, &Work::progressed, this, &StatusProgress::refresh);
    connect(&work, &Work::finished, this, [this, ended = &work] {
        std::erase_if(slow_, [&](const Job& job) { return job.work == ended; });
        refresh();
    });
}

void StatusProgress::refresh() {
    setVisible(!slow_.empty());
    if (slow_.empty()) return;
    const Work& work = *slow_.back().work;
    title_->setText(work.title());
    bar_->show_share(work.permille());
}

namespace {

constexpr int kOverlayDelay = 100;  // milliseconds
constexpr int kMostWidth = 460, kAir = 10;

}  // namespace

ProgressOverlay::ProgressOverlay(const QString& title, int top, QWidget* over)
    : ProgressFrame(over), title_(title), top_(top) {
    setObjectName(QStringLiteral("progress_overlay"));
    delay_.setSingleShot(true);
    delay_.setInterval(kOverlayDelay);
    connect(&delay_, &QTimer::timeout, this, [this] { show_work(title_); });
    connect(this, &ProgressFrame::cancel_clicked, this, [this] {
        end();
        Q_EMIT cancelled();
    });
    over->installEventFilter(this);
}

ProgressOverlay::ProgressOverlay(Work& work, int top, QWidget* over) : ProgressOverlay(QString(), top, over) {
    follow(work);
}

void ProgressOverlay::wait() {
    if (!waiting()) delay_.start();
}

void ProgressOverlay::show_share(int permille) {
    if (isVisibleTo(parentWidget())) ProgressFrame::show_share(permille);
}

void ProgressOverlay::end() {
    delay_.stop();
    hide();
}

void ProgressOverlay::say_given_up(const QString& text) {
    if (text.isEmpty()) {
        if (is_given_up()) hide();
        return;
    }
    show_given_up(text);
    place();
}

void ProgressOverlay::showEvent(QShowEvent* event) {
    setFont(QApplication::font());  // not the one of the code that it may lie over
    place();
    raise();
    ProgressFrame::showEvent(event);
}

// In a narrow panel its parts stand below each other, and the title may need several lines.
void ProgressOverlay::place() {
    const int room = parentWidget()->width();
    const int width = std::min(kMostWidth, room - 2 * kAir);
    auto* parts = static_cast<QBoxLayout*>(layout());
    parts->setDirection(QBoxLayout::LeftToRight);
    auto* title = findChild<QLabel*>();
    title->setWordWrap(false);
    const bool narrow = parts->minimumSize().width() > width;
    title->setWordWrap(narrow);
    if (narrow) parts->setDirection(QBoxLayout::TopToBottom);
    const int height = narrow ? parts->totalHeightForWidth(width) : sizeHint().height();
    setGeometry((room - width) / 2, top_, width, height);
}

bool ProgressOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget()) place();
    return ProgressFrame::eventFilter(watched, event);
}

void Background::run_now(const Job& job) {
    cancel();
    Finish finish;
    try {
        finish = job(Stop());
    } catch (const std::exception& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
    if (finish) finish();
}

}  // namespace blockscope
