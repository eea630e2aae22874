#include "app/window/work_strip.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <utility>

#include "app/panels/elided_label.h"
#include "app/panels/share_bar.h"

namespace blockscope {

namespace {

constexpr int kBarWidth = 70, kBarHeight = 6, kLeastTitle = 20;

}  // namespace

WorkStrip::WorkStrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("work_strip"));
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

void WorkStrip::follow(Work& work, std::function<void()> cancel) {
    connect(&work, &Work::slow, this, [this, job = Job{&work, std::move(cancel)}] {
        std::erase_if(slow_, [&](const Job& old) { return old.work == job.work; });
        slow_.push_back(job);
        refresh();
    });
    connect(&work, &Work::progressed, this, &WorkStrip::refresh);
    connect(&work, &Work::finished, this, [this, ended = &work] {
        std::erase_if(slow_, [&](const Job& job) { return job.work == ended; });
        refresh();
    });
}

void WorkStrip::refresh() {
    setVisible(!slow_.empty());
    if (slow_.empty()) return;
    const Work& work = *slow_.back().work;
    title_->setText(work.title());
    bar_->show_share(work.permille());
}

}  // namespace blockscope
