#include "app/costs/measure_bar.h"

#include <QApplication>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "app/costs/choosers.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "core/cost/counts.h"

namespace blockscope {

namespace {

constexpr double kSlower = 1.02;  // times its time: less is a tie

struct RepeatHintWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::RepeatHint)
};

std::optional<double> measured_seconds(const Measurements& measurements, StateId state) {
    const auto result = measurements.of(state);
    if (!result || !result->stale.isEmpty() || !result->record.warm) return {};
    return result->record.warm->summary.median;
}

struct BothTimes {
    double state = 0, unfused = 0;  // seconds
    bool measured = false;
};

std::optional<BothTimes> times_of(Document& document, StateId state) {
    const Measurements& measurements = Measurements::of(document);
    const auto now = measured_seconds(measurements, state);
    const auto unfused = measured_seconds(measurements, StateId{0});
    if (now && unfused) return BothTimes{*now, *unfused, true};
    const Forecast& forecast = Forecast::of(document);
    const auto predicted = forecast.of(state);
    const auto predicted_unfused = forecast.of(StateId{0});
    if (!predicted || !predicted_unfused) return {};
    return BothTimes{predicted->seconds, predicted_unfused->seconds, false};
}

}  // namespace

QString repeat_hint(Document& document, StateId state) {
    const Costs& costs = Costs::of(document);
    // Times are of what is built, in whatever form the state is listed.
    const History& history = document.content().history;
    const StateCostsPtr now = costs.plain(history.state(state).program);
    const StateCostsPtr unfused = costs.plain(history.state(StateId{0}).program);
    if (!now || !unfused) return {};
    const double repeats = now->state.counts().replication(unfused->state.counts());
    if (repeats <= kRepeatsWork) return {};
    const std::optional<BothTimes> times = times_of(document, state);
    if (!times || times->state <= kSlower * times->unfused) return {};
    const QString text =
        times->measured
            ? RepeatHintWords::tr(
                  "%1 takes longer than the unfused program (%2 against %3, measured), as it does "
                  "%4 times its "
                  "operations at these block sizes. Others repeat less: Tune looks for them.")
            : RepeatHintWords::tr(
                  "%1 takes longer than the unfused program (%2 against %3, predicted), as it "
                  "does %4 times its "
                  "operations at these block sizes. Others repeat less: Tune looks for them.");
    return text.arg(row_name(document.content(), state), time_text(times->state), time_text(times->unfused),
                    QLocale().toString(repeats, 'f', 1));
}

MeasureBar::MeasureBar(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      costs_(Costs::of(document)),
      measurements_(Measurements::of(document)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 0, 10, 6);
    column->setSpacing(4);
    buttons_ = make_buttons();
    column->addWidget(buttons_);
    column->addWidget(make_progress());
    column->addWidget(make_finding());
    column->addWidget(make_hint());
    connect_buttons();
    connect(&measurements_, &Measurements::progressed, this, &MeasureBar::show_progress);
    connect(&measurements_, &Measurements::found, this, &MeasureBar::show_finding);
    connect(&measurements_, &Measurements::measured, this, &MeasureBar::show_hint);
    connect(&Forecast::of(document_), &Forecast::changed, this, &MeasureBar::show_hint);
    connect(&costs_, &Costs::counted, this, &MeasureBar::show_hint);
    connect(&document_, &Document::current_changed, this, &MeasureBar::refresh);
    connect(&document_, &Document::content_changed, this, &MeasureBar::refresh);
    connect(&costs_, &Costs::rows_changed, this, &MeasureBar::refresh);
    refresh();
}

QToolButton* MeasureBar::button(const QString& name) const {
    return findChild<QToolButton*>(name);
}

void MeasureBar::add(QToolButton* button) {
    row_->addWidget(button);
}

QToolButton* MeasureBar::add_button(const QString& name, const QString& text, const QString& help) {
    QToolButton* made = make_bar_button(this, text, help);
    made->setObjectName(name);
    row_->addWidget(made);
    return made;
}

QWidget* MeasureBar::make_buttons() {
    auto* bar = new QWidget(this);
    row_ = new FlowLayout(bar);
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(8);
    row_->addWidget(new PlaceChooser(measurements_, bar));
    add_button(QStringLiteral("measure"), tr("Measure this"),
               tr("Runs the current state on the device: checks it, then times it"));
    add_button(QStringLiteral("measure_all"), tr("Measure all"),
               tr("Measures every state of the table, one after the other"));
    add_button(QStringLiteral("compare"), tr("Compare"),
               tr("Runs the current state and the one that it is compared with (else the baseline) in turn, "
                  "and says how many times as long it takes"));
    add_button(QStringLiteral("tune"), tr("Tune"),
               tr("Measures the current state at the block sizes that the caches are expected to like best"));
    add_button(QStringLiteral("calibrate"), tr("Calibrate"),
               tr("Measures what the device is able to do, about 20 seconds, so that times can be predicted "
                  "for it"));
    QToolButton* wait =
        add_button(QStringLiteral("wait"), tr("Wait for calm"),
                   tr("Measuring begins once other programs leave the machine alone, after 20 seconds at the "
                      "latest; figures of a busy machine are not to be trusted"));
    wait->setCheckable(true);
    wait->setChecked(measurements_.waiting());
    connect(wait, &QToolButton::toggled, &measurements_, &Measurements::set_waiting);
    return bar;
}

// In a row of its own, so that every button keeps its place: the second click of a double click on "Measure
// all" hits the same one, which does nothing while it runs.
QWidget* MeasureBar::make_progress() {
    progress_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(progress_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* cancel =
        make_bar_button(progress_row_, tr("Cancel"), tr("Ends the measuring; results that are there stay"));
    cancel->setObjectName(QStringLiteral("cancel"));
    row->addWidget(cancel);
    progress_ = new ShareBar(tr("Measuring"), progress_row_);
    progress_->setFixedWidth(180);
    row->addWidget(progress_);
    progress_text_ = new ElidedLabel(progress_row_);
    row->addWidget(progress_text_, 1);
    return progress_row_;
}

QWidget* MeasureBar::make_finding() {
    finding_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(finding_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    finding_ = new QLabel(finding_row_);
    finding_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    finding_->setWordWrap(true);
    row->addWidget(finding_, 1);
    auto* use = make_bar_button(finding_row_, tr("Use these block sizes"),
                                tr("Gives the program the block sizes that were measured to be fastest"));
    use->setObjectName(QStringLiteral("use"));
    connect(use, &QToolButton::clicked, this, [this] {
        const auto found = measurements_.finding();
        if (!found || document_.empty()) return;
        document_.set_dims(found->dims);
        measurements_.forget_finding();
    });
    row->addWidget(use);
    auto* close =
        make_bar_button(finding_row_, tr("Dismiss"), tr("Hides what was found; it stays in the results"));
    connect(close, &QToolButton::clicked, &measurements_, &Measurements::forget_finding);
    row->addWidget(close);
    return finding_row_;
}

// Where a fused state loses for its block sizes alone, whoever looks at the times would blame the fusion.
QWidget* MeasureBar::make_hint() {
    hint_row_ = new QWidget(this);
    auto* row = new QHBoxLayout(hint_row_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    hint_ = new QLabel(hint_row_);
    hint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    hint_->setWordWrap(true);
    row->addWidget(hint_, 1);
    auto* tune = make_bar_button(hint_row_, tr("Tune"), button(QStringLiteral("tune"))->toolTip());
    tune->setObjectName(QStringLiteral("tune_hinted"));
    row->addWidget(tune);
    return hint_row_;
}

void MeasureBar::connect_buttons() {
    const auto on = [this](const char* name, auto action) {
        connect(button(QLatin1String(name)), &QToolButton::clicked, this, action);
    };
    on("measure", [this] { measurements_.measure({document_.content().current}); });
    on("measure_all", [this] { measurements_.measure(costs_.rows()); });
    on("compare", [this] { measurements_.compare(document_.content().current, other_state()); });
    for (const char* tune : {"tune", "tune_hinted"})
        on(tune, [this] { measurements_.tune(document_.content().current); });
    on("calibrate", [this] { measurements_.calibrate(); });
    on("cancel", [this] { measurements_.cancel(); });
}

// What the current state is compared with: the first state beside it, else the baseline.
StateId MeasureBar::other_state() const {
    const Content& content = document_.content();
    for (const StateId state : content.compared)
        if (state != content.current && content.history.has(state)) return state;
    return costs_.baseline();
}

void MeasureBar::refresh() {
    show_progress();
    show_finding();
    show_hint();
}

void MeasureBar::enable_buttons(bool busy) {
    // A button that cannot be pressed gives the focus away: not to whichever is next.
    const QWidget* focused = QApplication::focusWidget();
    if (busy && focused && focus_after_ && isAncestorOf(focused) &&
        focused != button(QStringLiteral("cancel")))
        focus_after_->setFocus();
    const bool open = !document_.empty();
    for (const char* name : {"measure", "measure_all", "tune", "tune_hinted"})
        button(QLatin1String(name))->setEnabled(!busy && open);
    button(QStringLiteral("compare"))
        ->setEnabled(!busy && open && other_state() != document_.content().current);
    button(QStringLiteral("calibrate"))->setEnabled(!busy);
}

void MeasureBar::show_progress() {
    const bool busy = measurements_.busy();
    enable_buttons(busy);
    progress_row_->setVisible(busy);
    if (!busy) return progress_text_->clear();
    const Measurements::Progress& now = measurements_.progress();
    progress_->show_share(now.share > 0 ? static_cast<int>(now.share * 1000) : -1);
    QString text =
        tr("%1 of %2 \u00b7 %3").arg(std::min(now.done + 1, now.total)).arg(now.total).arg(now.what);
    if (now.seconds_left) text += tr(" \u00b7 about %1\u00a0s left").arg(std::ceil(*now.seconds_left));
    progress_text_->setText(text);
    for (QWidget* part : {static_cast<QWidget*>(progress_text_), static_cast<QWidget*>(progress_)})
        part->setToolTip(text);  // where the row is too narrow for it
}

void MeasureBar::show_finding() {
    const std::optional<Measurements::Finding>& found = measurements_.finding();
    finding_row_->setVisible(found.has_value());
    if (!found) return;
    finding_->setText(found->text);
    finding_->setToolTip(found->how);
    finding_->setAccessibleDescription(found->how);
    button(QStringLiteral("use"))->setVisible(!found->dims.empty());
}

void MeasureBar::show_hint() {
    const QString hint = document_.empty() ? QString() : repeat_hint(document_, document_.content().current);
    hint_->setText(hint);
    hint_row_->setVisible(!hint.isEmpty());
}

}  // namespace blockscope
