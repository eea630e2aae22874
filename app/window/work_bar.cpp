#include "app/window/work_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace blockscope {

WorkBar::WorkBar(Work& work, QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("work_bar"));
    setAccessibleName(tr("Progress"));
    auto* title = new QLabel(this);
    auto* bar = new QProgressBar(this);
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setAccessibleName(tr("In progress"));
    auto* cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAccessibleName(tr("Cancel"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 6, 14, 6);
    row->setSpacing(12);
    row->addWidget(title);
    row->addWidget(bar, 1);
    row->addWidget(cancel);
    setVisible(false);
    connect(cancel, &QPushButton::clicked, &work, &Work::cancel);
    connect(&work, &Work::slow, this, [this, title](const QString& what) {
        title->setText(what);
        show();
    });
    connect(&work, &Work::finished, this, &QWidget::hide);
}

}  // namespace blockscope
