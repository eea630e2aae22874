#include "app/panels/timeline.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <functional>

#include "app/panels/elided_label.h"

namespace blockscope {

Timeline::Timeline(Document& document, Proofs& proofs, const std::vector<QAction*>& transport,
                   QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(document),
      player_(document),
      strip_(new TimelineStrip(document, model_, proofs, this)),
      slider_(new RunSlider(document, model_, this)),
      speeds_(make_speeds()),
      where_(new ElidedLabel(this)) {
    setAccessibleName(tr("Timeline"));
    where_->setAccessibleName(tr("Where in the run"));
    where_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    where_->setMinimumWidth(fontMetrics().averageCharWidth() * 12);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 10, 0);
    bar->setSpacing(2);
    for (QAction* action : transport) {
        if (!action) {
            bar->addSpacing(8);
            continue;
        }
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(action->toolTip());
        bar->addWidget(button);
    }
    bar->addSpacing(8);
    bar->addWidget(speeds_);
    bar->addSpacing(6);
    bar->addWidget(slider_, 1);
    bar->addSpacing(6);
    bar->addWidget(where_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(strip_);
    column->addStretch(1);
    connect(&model_, &TimelineModel::cells_changed, this, &Timeline::say_where);
    connect(&model_, &TimelineModel::current_changed, this, &Timeline::say_where);
    connect(&document, &Document::content_changed, this, &Timeline::say_where);  // the branch's name
    set_interval(player_.interval());
    say_where();
}

QComboBox* Timeline::make_speeds() {
    auto* speeds = new QComboBox(this);
    speeds->setAccessibleName(tr("Speed of playing"));
    speeds->setToolTip(tr("Speed of playing"));
    connect(speeds, &QComboBox::activated, this, [this] {
        player_.set_interval(speeds_->currentData().toInt());
        Q_EMIT interval_chosen(player_.interval());
    });
    return speeds;
}

void Timeline::set_interval(int milliseconds) {
    player_.set_interval(milliseconds);
    std::vector<int> intervals = {8000, 4000, 2000, 1000, 500, 250};
    if (std::find(intervals.begin(), intervals.end(), milliseconds) == intervals.end())
        intervals.push_back(milliseconds);  // typed in the settings
    std::sort(intervals.begin(), intervals.end(), std::greater());
    const QSignalBlocker blocker(speeds_);
    speeds_->clear();
    for (const int interval : intervals) {
        const QString rate = QLocale().toString(1000.0 / interval, 'g', 3);
        speeds_->addItem(interval == 1000 ? tr("1 step/s") : tr("%1 steps/s").arg(rate), interval);
    }
    speeds_->setCurrentIndex(speeds_->findData(milliseconds));
}

void Timeline::say_where() {
    if (model_.current() < 0) return where_->clear();
    const StepCell& cell = model_.cells()[static_cast<std::size_t>(model_.current())];
    const Branch& branch = document_.content().history.branch(document_.content().branch);
    const int steps = model_.size() - 1;
    // The run goes on where the branch ends: at its last step End runs on.
    QString text = (branch.stopped.empty() && steps > 0 ? tr("Step %1 of %2 so far") : tr("Step %1 of %2"))
                       .arg(model_.current())
                       .arg(steps);
    if (cell.after) text += tr(" · %1 buffered edges").arg(*cell.after);
    text += QStringLiteral(" · ") + QString::fromStdString(branch.name);
    where_->setText(text);
}

}  // namespace blockscope
