// The panel of the timeline: its buttons, the steps as one row or as large cells, the slider.
#include <QAction>
#include <QHBoxLayout>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <iterator>

#include "app/panels/timeline.h"
#include "app/shell/controls.h"

namespace blockscope {

namespace {

constexpr int kBarGap = 6;  // between the parts of the bar
constexpr int kLeastCells = 3, kLeastLetters = 12;
// The actions whose buttons are always there.
constexpr const char* kStepping[] = {"step.home", "step.back", "step.forward", "step.end"};

}  // namespace

Timeline::Timeline(Document& document, Proofs& proofs, const std::vector<QAction*>& transport,
                   QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(document),
      player_(document),
      cells_(new QWidget(this)),
      strip_(new TimelineStrip(document, model_, proofs, cells_)),
      chapters_(new ChapterRow(
          document, [this](int step) { return strip_->cell_rect(step); }, cells_)),
      ghosts_(new GhostRow(
          document, [this](int step) { return strip_->cell_rect(step); }, cells_)),
      slider_(new RunSlider(document, model_, this)),
      speeds_(make_speeds()),
      where_(new ElidedLabel(this)) {
    setAccessibleName(tr("Timeline"));
    setFocusProxy(strip_);
    where_->setAccessibleName(tr("Where in the run"));
    where_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    where_->setMinimumWidth(fontMetrics().averageCharWidth() * kLeastLetters);
    bar_ = new QHBoxLayout;
    QHBoxLayout* bar = bar_;
    bar->setContentsMargins(8, 2, 10, 0);
    bar->setSpacing(2);
    add_buttons(transport);
    bar->addSpacing(kBarGap);
    bar->addWidget(speeds_);
    bar->addSpacing(kBarGap);
    bar->addWidget(slider_, 1);
    bar->addSpacing(kBarGap);
    bar->addWidget(where_);
    form_ = new QToolButton(this);
    form_->setAutoRaise(true);
    form_->setFocusPolicy(Qt::TabFocus);
    connect(form_, &QToolButton::clicked, this, [this] { Q_EMIT form_chosen(!compact()); });
    bar->addWidget(form_);
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    column_->addLayout(bar);
    auto* rows = new QVBoxLayout(cells_);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(chapters_);
    rows->addWidget(strip_);
    rows->addWidget(ghosts_);
    cells_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(strip_, &TimelineStrip::moved, chapters_, &ChapterRow::arrange);
    connect(&document, &Document::next_hidden_changed, chapters_, &ChapterRow::arrange);
    connect(&document, &Document::next_hidden_changed, ghosts_, &GhostRow::rebuild);
    connect(&document, &Document::next_hidden_changed, slider_, &RunSlider::describe);
    connect(&document, &Document::next_hidden_changed, strip_->viewport(), qOverload<>(&QWidget::update));
    connect(strip_, &TimelineStrip::moved, ghosts_, &GhostRow::arrange);
    column_->addWidget(cells_);
    column_->addStretch(1);
    for (QWidget* row : {static_cast<QWidget*>(chapters_), static_cast<QWidget*>(ghosts_)})
        row->installEventFilter(this);
    set_compact(false);
    connect(&model_, &TimelineModel::cells_changed, this, &Timeline::say_where);
    connect(&model_, &TimelineModel::current_changed, this, &Timeline::say_where);
    connect(&document, &Document::content_changed, this, &Timeline::say_where);  // the branch's name
    set_interval(player_.interval());
    say_where();
}

void Timeline::add_buttons(const std::vector<QAction*>& transport) {
    for (QAction* action : transport) {
        if (!action) {
            bar_->addSpacing(kBarGap);
            continue;
        }
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(action->toolTip());
        bar_->addWidget(button);
        buttons_.push_back(button);
    }
}

void Timeline::set_compact(bool compact) {
    form_->setArrowType(compact ? Qt::UpArrow : Qt::DownArrow);
    form_->setToolTip(compact ? tr("Show the timeline large") : tr("Show the timeline as one row"));
    form_->setAccessibleName(form_->toolTip());
    if (compact == strip_->compact()) return;
    strip_->set_compact(compact);
    slider_->setVisible(!compact);
    speeds_->setVisible(!compact);
    if (compact)
        bar_->insertWidget(bar_->indexOf(slider_), cells_, 3);
    else
        column_->insertWidget(1, cells_);
    bar_->setStretch(bar_->indexOf(slider_), compact ? 0 : 1);
    make_room();
    bound_height();
}

// One row has room for some cells at least: the text "Step 1 of 17" goes first, then all buttons but those
// for the first, previous, next and last step.
void Timeline::make_room() {
    const auto steps = [](const QToolButton* button) {
        const QString action = button->defaultAction()->objectName();
        return std::any_of(std::begin(kStepping), std::end(kStepping),
                           [&](const char* id) { return action == QLatin1String(id); });
    };
    const int gap = bar_->spacing();
    const QMargins around = bar_->contentsMargins();
    int room = width() - around.left() - around.right() - 3 * (kBarGap + gap) -
               strip_->width_of(kLeastCells) - gap - form_->sizeHint().width();
    int others = 0;
    for (const QToolButton* button : buttons_)
        (steps(button) ? room : others) += (steps(button) ? -1 : 1) * (button->sizeHint().width() + gap);
    const bool all = !compact() || room >= others;
    for (QToolButton* button : buttons_) button->setVisible(all || steps(button));
    where_->setVisible(!compact() || room >= others + where_->sizeHint().width() + gap);
}

void Timeline::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    make_room();
}

void Timeline::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    where_->setMinimumWidth(fontMetrics().averageCharWidth() * kLeastLetters);
    make_room();
}

// One row is as high as it must be: with the algorithm's steps beside a branch higher than without.
void Timeline::bound_height() {
    layout()->activate();
    setMaximumHeight(compact() ? std::max(40, sizeHint().height()) : QWIDGETSIZE_MAX);
}

bool Timeline::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        QMetaObject::invokeMethod(this, &Timeline::bound_height, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
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
    const QString step = tr("Step %1 of %2").arg(model_.current()).arg(steps);
    QString text = branch.stopped.empty() && steps > 0
                       ? tr("Step %1 of %2 so far").arg(model_.current()).arg(steps)
                       : step;
    if (cell.after) text += tr(" · %1 buffered edges").arg(*cell.after);
    where_->set_shorter({text, step, tr("%1 of %2").arg(model_.current()).arg(steps)});
    where_->setText(text + QStringLiteral(" · ") + QString::fromStdString(branch.name));
    make_room();
}

}  // namespace blockscope
