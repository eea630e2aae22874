#include "app/window/work_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "app/panels/share_bar.h"

namespace blockscope {

WorkBar::WorkBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("work_bar"));
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

void WorkBar::follow(Work& work) {
    connect(this, &WorkBar::cancel_clicked, &work, &Work::cancel);
    connect(&work, &Work::slow, this, &WorkBar::show_work);
    connect(&work, &Work::progressed, this, &WorkBar::show_share);
    connect(&work, &Work::finished, this, &QWidget::hide);
}

void WorkBar::follow(Document& document) {
    connect(this, &WorkBar::cancel_clicked, &document, &Document::cancel);
    connect(&document, &Document::busy, this, &WorkBar::show_work);
    connect(&document, &Document::progressed, this, &WorkBar::show_share);
    connect(&document, &Document::idle, this, &QWidget::hide);
}

void WorkBar::show_work(const QString& title) {
    given_up_ = false;
    title_->setText(title);
    cancel_->setText(tr("Cancel"));
    cancel_->setAccessibleName(tr("Cancel"));
    bar_->show_share(-1);  // until the job says how much is done
    bar_->show();
    show();
}

void WorkBar::show_given_up(const QString& text) {
    given_up_ = true;
    title_->setText(text);
    cancel_->setText(tr("Again"));
    cancel_->setAccessibleName(tr("Again"));
    bar_->hide();
    show();
}

void WorkBar::show_share(int permille) {
    bar_->show_share(permille);
}

}  // namespace blockscope
