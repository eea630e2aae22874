#include "app/tilings/plots_view.h"

#include <QBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_pictures.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr int kChartsBesideFrom = 900;  // pixels

std::string comparison_key(const RankedSpace& ranked) {
    const tilings::Rules& rules = ranked.space.rules;
    return ranked.device.name + std::to_string(static_cast<int>(rules.same)) +
           std::to_string(static_cast<int>(rules.padding)) + std::to_string(static_cast<int>(rules.tiles)) +
           std::to_string(static_cast<int>(ranked.counts));
}

}  // namespace

PlotsView::PlotsView(TilingsStudy& study, Appearance& appearance, QWidget* parent)
    : QWidget(parent), study_(study), appearance_(appearance) {
    both_ = new QBoxLayout(QBoxLayout::TopToBottom, this);  // until there is room beside each other
    both_->setContentsMargins(0, 8, 0, 0);
    both_->setSpacing(12);
    both_->addWidget(make_dots(), 1);
    both_->addWidget(make_bars(), 1);
    setFocusProxy(dots_);
    connect(&work_, &Work::progressed, progress_, &ShareBar::show_share);
    connect(&work_, &Work::finished, this, &PlotsView::refresh);
    connect(&work_, &Work::failed, this, [this](const QString& what) { compared_->setText(what); });
    connect(compare_, &QToolButton::clicked, this, &PlotsView::compare);
    connect(cancel_, &QToolButton::clicked, &work_, &Work::cancel);
    connect(dots_, &ChartView::chosen, this, [this](int key, int) { Q_EMIT candidate_chosen(key); });
    connect(bars_, &ChartView::opened, this, [this](int key) {
        if (key >= 0 && key < static_cast<int>(rows_.size()))
            Q_EMIT workload_chosen(rows_[static_cast<std::size_t>(key)].workload.name);
    });
    connect(&appearance_, &Appearance::changed, this, &PlotsView::restyle);
    restyle();
}

QWidget* PlotsView::make_dots() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    ranking_ = make_tilings_text(part, tr("How well estimates rank what was measured"));
    column->addWidget(ranking_);
    dots_ = new ChartView(part);
    dots_->setAccessibleName(tr("Estimated against measured times"));
    dots_->setMinimumHeight(20 * fontMetrics().height());
    column->addWidget(dots_, 1);
    return part;
}

QWidget* PlotsView::make_bars() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    compared_ = make_tilings_text(part, tr("What is compared"));
    column->addWidget(compared_);
    auto* bar = new QWidget(part);
    auto* row = new FlowLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    compare_ = make_bar_button(bar, tr("Estimate all 21 workloads"),
                               tr("Finds the best candidate of each workload, and the best tilings of its "
                                  "products alone, on the window's device"));
    cancel_ = make_bar_button(bar, tr("Cancel"), tr("Ends the comparison"));
    progress_ = new ShareBar(tr("Estimating workloads"), bar);
    progress_->setFixedWidth(140);
    for (QWidget* one : std::initializer_list<QWidget*>{compare_, cancel_, progress_}) row->addWidget(one);
    column->addWidget(bar);
    bars_ = new ChartView(part);
    bars_->setAccessibleName(tr("Estimated speed-ups over the products one by one"));
    bars_->setMinimumHeight(14 * fontMetrics().height());
    column->addWidget(bars_, 1);
    return part;
}

void PlotsView::refresh() {
    const RankedSpacePtr ranked = study_.found();
    if (ranked && comparison_key(*ranked) != asked_key_) {
        rows_.clear();
        work_.cancel();
    }
    compare_->setVisible(!work_.busy());
    compare_->setEnabled(ranked && rows_.empty());
    cancel_->setVisible(work_.busy());
    progress_->setVisible(work_.busy());
    show_dots();
    show_bars();
}

void PlotsView::choose(int candidate) {
    if (candidate == chosen_) return;
    chosen_ = candidate;
    ChartStyle style = dots_->style_now();
    style.highlighted = chosen_;
    dots_->set_style(style);
}

void PlotsView::show_dots() {
    auto chart = std::make_shared<TilingDots>();
    const RankedSpacePtr ranked = study_.found();
    chart->missing =
        tr("Measure candidates on this processor: all of them, or those that the search asks for.");
    std::vector<double> estimates, seconds;
    if (ranked) {
        const std::vector<std::optional<double>> times = study_.times();
        chart->device = QString::fromStdString(ranked->space.device.title);
        if (const TilingsRun* run = study_.run()) chart->machine = QString::fromStdString(run->machine);
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (!times[i]) continue;
            estimates.push_back(ranked->estimates()[i]);
            seconds.push_back(*times[i]);
            chart->dots.push_back({static_cast<int>(i), estimates.back(), seconds.back(),
                                   tr("%1: estimated %2, measured %3")
                                       .arg(candidate_title(*ranked, static_cast<int>(i)),
                                            time_text(estimates.back()), time_text(seconds.back()))});
        }
    }
    QString said = ranking_text(tilings::compare_ranking(estimates, seconds));
    if (ranked && ranked->device.kind != DeviceKind::Cpu && !seconds.empty())
        said +=
            tr("\nEstimates are of %1, times of a processor: choose a processor as the window's device to "
               "see how well the model ranks them.")
                .arg(chart->device);
    ranking_->setText(said);
    dots_->show_chart(
        [chart](QPainter& painter, const QRectF& all, const ChartStyle& style) {
            return paint_tiling_dots(painter, all, style, *chart);
        },
        said);
}

void PlotsView::show_bars() {
    auto chart = std::make_shared<SpeedupBars>();
    chart->rows = rows_;
    chart->missing = tr("Estimate all 21 workloads to see which of them gain by fusing.");
    QString said = tr("Estimated speed-up of the best candidate over the products one by one.");
    if (!rows_.empty()) {
        const auto gains = std::count_if(rows_.begin(), rows_.end(), [](const tilings::WorkloadTimes& row) {
            return row.fused < row.unfused;
        });
        said = tr("Estimated speed-up of the best candidate over the products one by one, on %1: %2 of %3 "
                  "workloads gain.")
                   .arg(rows_of_, whole_text(gains), whole_text(static_cast<std::int64_t>(rows_.size())));
    }
    compared_->setText(said);
    bars_->show_chart(
        [chart](QPainter& painter, const QRectF& all, const ChartStyle& style) {
            return paint_speedups(painter, all, style, *chart);
        },
        said);
}

void PlotsView::compare() {
    const RankedSpacePtr ranked = study_.found();
    if (!ranked || work_.busy()) return;
    asked_key_ = comparison_key(*ranked);
    work_.start(tr("Estimating workloads"), [this, ranked](const Stop& stop) -> Work::Finish {
        const auto made = tilings::workload_times(
            ranked->device, ranked->space.rules, ranked->counts,
            [&](std::size_t done) { stop.done(done, tilings::workloads().size()); }, stop.sign());
        return [this, made, device = QString::fromStdString(ranked->space.device.title)] {
            if (!made) return compared_->setText(as_sentence(made.problems().front().message));
            rows_ = *made;
            rows_of_ = device;
            refresh();
        };
    });
    refresh();
}

void PlotsView::restyle() {
    ChartStyle style{.theme = appearance_.theme(),
                     .text = static_cast<double>(appearance_.pixels()),
                     .highlighted = chosen_};
    dots_->set_style(style);
    style.highlighted = -1;
    bars_->set_style(style);
}

QString PlotsView::ranking() const {
    return ranking_->text();
}

void PlotsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    both_->setDirection(width() >= kChartsBesideFrom ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

}  // namespace blockscope
