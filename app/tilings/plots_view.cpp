#include "app/tilings/plots_view.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QString>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/shell/controls.h"
#include "app/shell/progress.h"
#include "app/tilings/speedups.h"
#include "app/tilings/table_look.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"

namespace blockscope {

// The paper's figures as charts of the window: Fig. 11, estimates against measured times, and Fig. 8,
// speed-ups over the products one by one.

// Both logarithmic, each with a range of its own: the model ranks, it does not predict another machine.
struct TilingDot {
    int candidate = -1;   // the key of its spot
    double estimate = 0;  // seconds
    double measured = 0;
    QString tip;
};
struct TilingDots {
    std::vector<TilingDot> dots;
    QString device, machine;  // what estimates and measured times are of
    QString missing;          // instead of a chart
};
std::vector<ChartSpot> paint_tiling_dots(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                         const TilingDots& chart);

// Two bars for each workload: of all expressions, and of deep ones only. The key of a spot is the workload's
// index, its part 1 for deep ones only.
struct SpeedupBars {
    std::vector<tilings::WorkloadTimes> rows;
    QString missing;
};
std::vector<ChartSpot> paint_speedups(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const SpeedupBars& chart);

namespace {

constexpr double kTilingDot = 3;

// The title of an axis says what it is of.
QString axis_title(const QString& what, const QString& of) {
    return of.isEmpty() ? what : QObject::tr("%1: %2").arg(what, of);
}

}  // namespace

std::vector<ChartSpot> paint_tiling_dots(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                         const TilingDots& chart) {
    if (chart.dots.empty()) {
        chart_message(painter, style, all, QObject::tr("Nothing is measured"), chart.missing);
        return {};
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    std::vector<double> estimates, measured;
    for (const TilingDot& dot : chart.dots) {
        estimates.push_back(dot.estimate);
        measured.push_back(dot.measured);
    }
    Plot plot(
        painter, style, all,
        {range_of(estimates, true), axis_title(QObject::tr("Estimated"), chart.device), QStringLiteral("s")},
        {range_of(measured, true), axis_title(QObject::tr("Measured"), chart.machine), QStringLiteral("s")});
    plot.paint_axes();
    std::vector<ChartSpot> spots;
    const TilingDot* last = nullptr;  // the chosen one, over the others
    const auto paint = [&](const TilingDot& dot) {
        const bool chosen = dot.candidate == style.highlighted;
        QColor color = chosen ? style.theme.selected : series_color(style.theme, 0);
        const double radius = chosen ? kTilingDot + 2 : kTilingDot;
        painter.setPen(QPen(color, 1));
        color.setAlphaF(chosen ? 1.0F : 0.45F);
        painter.setBrush(color);
        const QPointF at = plot.at(dot.estimate, dot.measured);
        painter.drawEllipse(at, radius, radius);
        QPainterPath area;
        area.addEllipse(at, radius + 2, radius + 2);
        spots.push_back({area, dot.tip, dot.candidate});
    };
    for (const TilingDot& dot : chart.dots) {
        if (dot.candidate == style.highlighted)
            last = &dot;
        else
            paint(dot);
    }
    if (last) paint(*last);
    painter.restore();
    return spots;
}

namespace {

double speedup_of(const tilings::WorkloadTimes& row, bool deep) {
    const double time = deep ? row.deep : row.fused;
    return std::isfinite(time) && time > 0 && std::isfinite(row.unfused) ? row.unfused / time : 0;
}

QString speedup_tip(const tilings::WorkloadTimes& row, bool deep) {
    const QString name = QString::fromStdString(row.workload.name);
    const double times = speedup_of(row, deep);
    if (times == 0) return QObject::tr("%1: the rules drop every candidate").arg(name);
    return (deep ? QObject::tr("%1: %2 times as fast as its products one by one, with deep expressions only "
                               "(%3 against %4)")
                 : QObject::tr("%1: %2 times as fast as its products one by one (%3 against %4)"))
        .arg(name, QLocale().toString(times, 'f', 2), time_text(deep ? row.deep : row.fused),
             time_text(row.unfused));
}

// What the two looks of bars mean, above them, in as many lines as they need.
double paint_speedup_key(QPainter& painter, const ChartStyle& style, const QRectF& all) {
    const QString texts[] = {QObject::tr("all expressions"), QObject::tr("deep ones only: Chimera's space")};
    const double line = style.text * 1.7, box = style.text;
    double x = all.left(), y = all.top();
    for (int i = 0; i < 2; ++i) {
        const double width = box + 6 + chart_text_width(style, texts[i]) + 2;
        if (x > all.left() && x + width > all.right()) {
            x = all.left();
            y += line;
        }
        fill_series(painter, {x, y + (line - box) / 2, box, box}, style.theme, i);
        chart_text(painter, style, {x + box + 6, y, width, line}, Qt::AlignLeft | Qt::AlignVCenter, texts[i],
                   style.theme.ink);
        x += width + style.text * 1.5;
    }
    return y + line - all.top();
}

}  // namespace

std::vector<ChartSpot> paint_speedups(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const SpeedupBars& chart) {
    if (chart.rows.empty()) {
        chart_message(painter, style, all, QObject::tr("No speed-ups"), chart.missing);
        return {};
    }
    painter.save();
    const double key = paint_speedup_key(painter, style, all);
    double most = 1;
    for (const tilings::WorkloadTimes& row : chart.rows)
        most = std::max({most, speedup_of(row, false), speedup_of(row, true)});
    const Range range{0, most * 1.05, false};
    const double left = chart_text_width(style, QStringLiteral("88.8")) + style.text;
    const QRectF inside = all.adjusted(left, key + style.text, 0, -style.text * 1.8);
    const auto y_of = [&](double value) { return inside.bottom() - range.share(value) * inside.height(); };
    for (const Tick& tick : ticks(range, 6)) {
        if (!tick.major) continue;
        painter.setPen(QPen(style.theme.faint, tick.value == 1 ? 1.4 : 0.5,
                            tick.value == 1 ? Qt::DashLine : Qt::SolidLine));
        painter.drawLine(QPointF(inside.left(), y_of(tick.value)), QPointF(inside.right(), y_of(tick.value)));
        chart_text(painter, style, {all.left(), y_of(tick.value) - style.text, left - 6, style.text * 2},
                   Qt::AlignRight | Qt::AlignVCenter, short_number(tick.value), style.theme.ink);
    }
    painter.setPen(QPen(style.theme.ink, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(inside.left(), y_of(1)), QPointF(inside.right(), y_of(1)));
    const double step = inside.width() / static_cast<double>(chart.rows.size());
    // Names that would cover each other: every second one, every third.
    double widest = 0;
    for (const tilings::WorkloadTimes& row : chart.rows)
        widest = std::max(widest, chart_text_width(style, QString::fromStdString(row.workload.name)));
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((widest + 4) / step)));
    std::vector<ChartSpot> spots;
    for (std::size_t i = 0; i < chart.rows.size(); ++i) {
        const double x = inside.left() + step * static_cast<double>(i);
        for (const bool deep : {false, true}) {
            const double top = y_of(speedup_of(chart.rows[i], deep));
            const QRectF bar(x + step * (deep ? 0.5 : 0.14), top, step * 0.34, inside.bottom() - top);
            fill_series(painter, bar, style.theme, deep ? 1 : 0);
            QPainterPath area;
            area.addRect(bar);
            spots.push_back({area, speedup_tip(chart.rows[i], deep), static_cast<int>(i), deep ? 1 : 0});
        }
        if (i % every == 0)
            chart_text(painter, style, {x - widest, inside.bottom() + 2, step + 2 * widest, style.text * 1.7},
                       Qt::AlignHCenter | Qt::AlignTop, QString::fromStdString(chart.rows[i].workload.name),
                       style.theme.ink);
    }
    painter.restore();
    return spots;
}

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
