#include "app/window/recovery_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <algorithm>
#include <iterator>

namespace blockscope {
namespace {

constexpr int kLookAgain = 3000;  // milliseconds; a busy machine takes a second to be rid of a process

QString called(const Recovered& recovered) {
    if (!recovered.path.isEmpty()) return QFileInfo(recovered.path).fileName();
    return recovered.name.isEmpty() ? RecoveryBar::tr("a document without a file") : recovered.name;
}

}  // namespace

RecoveryBar::RecoveryBar(Opener& opener, Leave leave_and, QWidget* parent)
    : QFrame(parent), opener_(opener), leave_and_(std::move(leave_and)) {
    setObjectName(QStringLiteral("recovery_bar"));
    setAccessibleName(tr("Work that was not saved"));
    text_ = new QLabel(this);
    text_->setWordWrap(true);
    all_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    all_->setContentsMargins(14, 8, 14, 8);
    all_->setSpacing(8);
    all_->addWidget(text_, 1);
    auto* row = new QHBoxLayout;
    row->addStretch();
    all_->addLayout(row);
    const auto button = [&](const QString& text, const QString& help, auto action) {
        auto* made = new QPushButton(text, this);
        made->setAccessibleName(text);
        made->setToolTip(help);
        connect(made, &QPushButton::clicked, this, action);
        row->addWidget(made);
    };
    button(tr("Restore"), tr("Opens the document as it was."), [this] { leave_and_([this] { restore(); }); });
    button(tr("Throw away"), tr("Deletes what was not saved."), [this] {
        discard(left_.front());
        left_.erase(left_.begin());
        next();
    });
    button(tr("Later"), tr("Asks again at the next start."), [this] {
        again_.stop();  // it would find them
        left_.clear();
        next();
    });
    again_.setSingleShot(true);
    hide();
}

void RecoveryBar::restore() {
    if (left_.empty()) return;
    const Recovered recovered = left_.front();
    left_.erase(left_.begin());
    opener_.open_recovered(recovered);
    next();
}

void RecoveryBar::look(const QString& folder) {
    left_ = recoverable(folder);
    again_.callOnTimeout(this, [this, folder] { look_again(folder); });
    again_.start(kLookAgain);
    next();
}

// What this process holds back already is not among them.
void RecoveryBar::look_again(const QString& folder) {
    std::vector<Recovered> more = recoverable(folder);
    std::move(more.begin(), more.end(), std::back_inserter(left_));
    if (!more.empty()) next();
}

void RecoveryBar::hold_back(bool on) {
    held_back_ = on;
    next();
}

void RecoveryBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

// In a narrow window the buttons stand below the text; none of both is cut off.
void RecoveryBar::fit() {
    constexpr int kNarrow = 620;
    all_->setDirection(width() < kNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    setMinimumHeight(std::max(0, all_->minimumHeightForWidth(width())));
}

void RecoveryBar::next() {
    setVisible(!left_.empty() && !held_back_);
    if (left_.empty()) return;
    const Recovered& shown = left_.front();
    text_->setText(tr("Blockscope ended before changes of %1 were saved (%2).")
                       .arg(called(shown), QLocale().toString(shown.written, QLocale::ShortFormat)));
    fit();
}

}  // namespace blockscope
