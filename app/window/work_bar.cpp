#include "app/window/work_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace blockscope {

WorkBar::WorkBar(Work& work, Document& document, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("work_bar"));
    setAccessibleName(tr("Progress"));
    title_ = new QLabel(this);
    auto* bar = new QProgressBar(this);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setAccessibleName(tr("In progress"));
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAccessibleName(tr("Cancel"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    row->setSpacing(12);
    row->addWidget(title_);
    row->addWidget(bar, 1);
    row->addWidget(cancel);
    setVisible(false);
    connect(cancel, &QPushButton::clicked, &work, &Work::cancel);
    connect(cancel, &QPushButton::clicked, &document, &Document::cancel);
    connect(&work, &Work::slow, this, &WorkBar::show_work);
    connect(&work, &Work::finished, this, &QWidget::hide);
    connect(&document, &Document::busy, this, &WorkBar::show_work);
    connect(&document, &Document::idle, this, &QWidget::hide);
}

void WorkBar::show_work(const QString& title) {
    title_->setText(title);
    show();
}

}  // namespace blockscope
