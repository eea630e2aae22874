#include "app/costs/cost_page.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <map>
#include <utility>

#include "app/charts/chart.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/document/files.h"
#include "app/shell/appearance.h"
#include "core/cost/models/fit.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostSeries = 8;  // arrays with a look of their own, the last for all others

struct CostChartsWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::CostCharts)
};

QString rate_text(double operations, double seconds) {
    return with_unit(operations / seconds, QStringLiteral("FLOP/s"));
}

// Operations for each byte that comes from memory or goes there, as the model has it: the slope of the
// memory's ceiling is about those, and caches serve the rest. For each byte that the listing moves where the
// model says nothing of levels, and where caches hold everything.
double intensity_of(const StateCosts& costs, const StateTimes& times) {
    const double memory = times.levels.empty() ? 0 : times.levels.back().bytes;
    const auto operations = static_cast<double>(costs.state.counts().flops.total());
    return memory > 0 ? operations / memory : costs.state.counts().intensity();
}

QString point_tip(const QString& name, const StateCosts& costs, const StateTimes& times) {
    const auto operations = static_cast<double>(costs.state.counts().flops.total());
    QString tip = name + QLatin1Char('\n') +
                  CostChartsWords::tr("%1 per byte moved")
                      .arg(with_unit(costs.state.counts().intensity(), QStringLiteral("FLOP")));
    if (!times.levels.empty() && times.levels.back().bytes > 0)
        tip += QLatin1Char('\n') + CostChartsWords::tr("%1 per byte from %2")
                                       .arg(with_unit(intensity_of(costs, times), QStringLiteral("FLOP")),
                                            QString::fromStdString(times.levels.back().level));
    if (times.predicted)
        tip += QLatin1Char('\n') +
               CostChartsWords::tr("predicted %1: %2")
                   .arg(time_text(*times.predicted), rate_text(operations, *times.predicted));
    if (!times.binds.isEmpty()) tip += QLatin1Char('\n') + times.binds;
    if (times.measured)
        tip +=
            QLatin1Char('\n') + CostChartsWords::tr("measured %1: %2")
                                    .arg(time_text(*times.measured), rate_text(operations, *times.measured));
    return tip;
}

// Bytes of every array by name, loads and stores together.
struct Moved {
    std::int64_t loads = 0;
    std::int64_t stores = 0;
};
std::map<QString, Moved> moved_by_name(const StateCosts& costs) {
    std::map<QString, Moved> moved;
    for (const BufferTraffic& traffic : costs.state.counts().buffers) {
        const Buffer& buffer = costs.state.loops().buffers.at(static_cast<std::size_t>(traffic.buffer));
        if (buffer.source != InputSource::Array) continue;  // generated masks move nothing
        if (traffic.loads.bytes + traffic.stores.bytes == 0) continue;
        Moved& sum = moved[QString::fromStdString(buffer.name)];
        sum.loads += traffic.loads.bytes;
        sum.stores += traffic.stores.bytes;
    }
    return moved;
}

QString moved_tip(const QString& state, const QString& name, const Moved& moved) {
    const QString bytes = QStringLiteral("B");
    return CostChartsWords::tr("%1, %2: loads %3, stores %4")
        .arg(state, name, with_unit(static_cast<double>(moved.loads), bytes),
             with_unit(static_cast<double>(moved.stores), bytes));
}

// Inputs and outputs first, in the order of the program; then the largest of those in between.
std::vector<QString> series_of(const std::vector<StateCostsPtr>& all) {
    std::map<QString, std::int64_t> sizes;
    std::vector<QString> names;
    for (const StateCostsPtr& costs : all)
        for (const auto& [name, moved] : moved_by_name(*costs)) sizes[name] += moved.loads + moved.stores;
    const auto add = [&](const QString& name) {
        if (sizes.count(name) > 0 && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    if (!all.empty())
        for (const Buffer& buffer : all.front()->state.loops().buffers)
            if (buffer.kind != Buffer::Kind::Intermediate) add(QString::fromStdString(buffer.name));
    const std::size_t fixed = names.size();
    for (const auto& [name, size] : sizes) add(name);
    std::stable_sort(names.begin() + static_cast<std::ptrdiff_t>(fixed), names.end(),
                     [&](const QString& a, const QString& b) { return sizes[a] > sizes[b]; });
    // Too many arrays: the smallest of all share one look.
    if (names.size() > kMostSeries) {
        std::stable_sort(names.begin(), names.end(),
                         [&](const QString& a, const QString& b) { return sizes[a] > sizes[b]; });
        const std::size_t others = names.size() - (kMostSeries - 1);
        names.resize(kMostSeries - 1);
        names.push_back(CostChartsWords::tr("%1 others").arg(others));
    }
    return names;
}

TrafficBar bar_of(const QString& label, StateId state, const StateCosts& costs,
                  const std::vector<QString>& series) {
    TrafficBar bar{.label = label,
                   .key = state,
                   .parts = std::vector<double>(series.size(), 0),
                   .tips = std::vector<QString>(series.size()),
                   .arrays = std::vector<std::vector<std::string>>(series.size())};
    for (const auto& [name, moved] : moved_by_name(costs)) {
        const auto found = std::find(series.begin(), series.end(), name);
        const auto i =
            static_cast<std::size_t>(found == series.end() ? std::ssize(series) - 1 : found - series.begin());
        bar.parts[i] += static_cast<double>(moved.loads + moved.stores);
        bar.arrays[i].push_back(name.toStdString());
        bar.tips[i] +=
            (bar.tips[i].isEmpty() ? QString() : QStringLiteral("\n")) + moved_tip(label, name, moved);
    }
    return bar;
}

std::vector<QString> agreement_texts(const Agreement& agreement) {
    std::vector<QString> parts;
    const auto add = [&](const QString& name, const std::optional<double>& number, int decimals) {
        if (number) parts.push_back(name.arg(QLocale().toString(*number, 'f', decimals)));
    };
    const auto percent = [](const std::optional<double>& share) {
        return share ? std::optional(*share * 100) : std::nullopt;
    };
    add(CostChartsWords::tr("Pearson of logarithms %1"), agreement.pearson, 3);
    add(CostChartsWords::tr("Spearman %1"), agreement.spearman, 3);
    add(CostChartsWords::tr("mean error %1\u00a0%"), percent(agreement.error), 1);
    add(CostChartsWords::tr("regret of the model's pick %1\u00a0%"), percent(agreement.regret), 1);
    return parts;
}

}  // namespace

Roofline roofline_of(const Content& content, const Costs& costs, const TimesOf& times,
                     std::vector<RooflineCeiling> ceilings) {
    const RowNames names(content.history);
    Roofline chart;
    chart.ceilings = std::move(ceilings);
    chart.missing =
        CostChartsWords::tr("Choose a device and a model to see predictions, or measure a state.");
    for (const StateId id : costs.rows()) {
        const StateCostsPtr counted = costs.of(id);
        if (!counted) continue;
        const StateTimes known = times(id);
        if (!known.predicted && !(known.measured && known.comparable && !known.stale)) continue;
        const auto operations = static_cast<double>(counted->state.counts().flops.total());
        RooflinePoint point;
        point.label = names.label(id);
        point.key = id;
        point.intensity = intensity_of(*counted, known);
        if (known.predicted) point.predicted = operations / *known.predicted;
        // A time at other sizes says nothing about the operations at these.
        if (known.measured && known.comparable && !known.stale) point.measured = operations / *known.measured;
        point.tip = point_tip(names.name(id), *counted, known);
        chart.points.push_back(std::move(point));
    }
    if (!chart.points.empty()) chart.missing.clear();
    return chart;
}

TrafficBars traffic_of(const Content& content, const Costs& costs) {
    const RowNames names(content.history);
    TrafficBars chart;
    std::vector<StateCostsPtr> all;
    for (const StateId id : costs.rows())
        if (const StateCostsPtr counted = costs.of(id)) all.push_back(counted);
    chart.series = series_of(all);
    for (const StateId id : costs.rows())
        if (const StateCostsPtr counted = costs.of(id))
            chart.bars.push_back(bar_of(names.name(id), id, *counted, chart.series));
    if (chart.bars.empty()) chart.missing = costs.missing();
    return chart;
}

MemoryStrip memory_of(const Costs& all, StateId state, const LocalLimit& limit) {
    const StateCostsPtr costs = all.of(state);
    MemoryStrip chart;
    if (!limit.split()) chart.limit = limit.bytes;
    chart.limit_name = limit.name;
    chart.tip = CostChartsWords::tr("A click opens where it comes from.");
    if (!costs) {
        chart.missing = all.missing();
        return chart;
    }
    const std::vector<ListingLine>& lines = costs->state.listing();
    if (limit.split()) chart.places = limit.places(costs->state.alive());
    for (std::size_t i = 0; i < costs->state.alive().size(); ++i) {
        const LocalMemory& set = costs->state.alive()[i];
        QStringList names;
        for (const Temp temp : set.alive) names << QStringLiteral("t%1").arg(temp.id);
        MemoryMoment moment;
        moment.bytes = static_cast<double>(set.bytes);
        moment.over = limit.exceeded_by(set);
        moment.line = static_cast<int>(i);
        moment.tip = QString::fromStdString(lines.at(i).text).trimmed() + QLatin1Char('\n') +
                     (names.isEmpty() ? CostChartsWords::tr("Nothing is alive.")
                                      : CostChartsWords::tr("Alive: %1 (%2)")
                                            .arg(names.join(QStringLiteral(", ")),
                                                 with_unit(moment.bytes, QStringLiteral("B"))));
        chart.moments.push_back(std::move(moment));
    }
    if (chart.moments.empty()) chart.missing = CostChartsWords::tr("The program has no lines.");
    return chart;
}

Scatter scatter_of(const Content& content, const Costs& costs, const TimesOf& times,
                   const QString& not_comparable) {
    const RowNames names(content.history);
    Scatter chart;
    chart.title = not_comparable.isEmpty() ? CostChartsWords::tr("Nothing measured yet")
                                           : CostChartsWords::tr("Nothing to compare");
    chart.missing = not_comparable.isEmpty()
                        ? CostChartsWords::tr("Measure states to see how well the predictions fit.")
                        : not_comparable;
    for (const StateId id : costs.rows()) {
        const StateTimes known = times(id);
        if (!known.predicted || !known.measured || !known.comparable) continue;
        chart.points.push_back(
            {.label = names.label(id),
             .key = id,
             .predicted = *known.predicted,
             .measured = *known.measured,
             .stale = known.stale,
             .tip = CostChartsWords::tr("%1: predicted %2, measured %3")
                        .arg(names.name(id), time_text(*known.predicted), time_text(*known.measured))});
    }
    if (!chart.points.empty()) chart.missing.clear();
    const ComparedTimes compared = compared_times(costs, times);
    chart.statistics_tip =
        CostChartsWords::tr("How well predictions fit: a click opens what these are made of.");
    chart.statistics = agreement_texts(agreement(compared.predicted, compared.measured));
    return chart;
}

namespace {

enum Chart { RooflineChart, TrafficChart, MemoryChart, ScatterChart };

}  // namespace

ChartTabs::ChartTabs(Document& document, Appearance& appearance, TimesOf times, QWidget* parent)
    : QTabWidget(parent),
      document_(document),
      appearance_(appearance),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      times_(std::move(times)) {
    setDocumentMode(true);
    setAccessibleName(tr("Charts"));
    add_chart(tr("Roofline"));
    add_chart(tr("Traffic"));
    add_chart(tr("Local memory"));
    add_chart(tr("Accuracy"));
    connect(this, &QTabWidget::currentChanged, this, [this] {
        stale_ = true;
        if (isVisible()) draw();
    });
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, [this] {
        if (stale_ && isVisible()) draw();
    });
    connect(&document_, &Document::opened, this, [this] {
        for (ChartView* view : views_) view->show_chart({}, {});
    });
    connect(&appearance_, &Appearance::changed, this, &ChartTabs::restyle);
    restyle();
}

void ChartTabs::add_chart(const QString& title) {
    auto* view = new ChartView(this);
    view->setAccessibleName(title);
    addTab(view, title);
    titles_ << title;
    const auto index = static_cast<int>(views_.size());
    views_.push_back(view);
    connect(view, &ChartView::chosen, this, [this, index](int key, int part) { choose(index, key, part); });
    connect(view, &ChartView::opened, this, [this, index](int key) { open(index, key); });
}

// With the form that is counted, where it is not the state's own.
QString ChartTabs::named(int chart) const {
    const QString form = chart == ScatterChart ? QString() : costs_.shown_form();
    return form.isEmpty() ? titles_.at(chart) : tr("%1, %2").arg(titles_.at(chart), form);
}

// The number under a click: where it comes from.
void ChartTabs::choose(int chart, int key, int part) {
    if (document_.empty()) return;
    CostPlace place;
    switch (chart) {
        case RooflineChart:
            if (key == kCeilingKey) {
                Q_EMIT other_chosen(Other::Ceiling, part);
                return;
            }
            place.point = part == 0 ? CostPlace::Point::Predicted : CostPlace::Point::Measured;
            Q_EMIT number_chosen(key, CostTable::Intensity, place);
            return;
        case TrafficChart:
            for (const TrafficBar& bar : traffic_.bars)
                if (bar.key == key && part != kTotalPart && part < std::ssize(bar.arrays))
                    place.arrays = bar.arrays[static_cast<std::size_t>(part)];
            Q_EMIT number_chosen(key, CostTable::Moved, place);
            return;
        case MemoryChart:
            if (key == kLimitKey) {
                Q_EMIT other_chosen(Other::Limit, 0);
                return;
            }
            if (key != kPeakKey) place.line = key;
            Q_EMIT number_chosen(document_.content().current, CostTable::Local, place);
            select_line(key);
            return;
        case ScatterChart:
            if (key == kStatisticsKey) {
                Q_EMIT other_chosen(Other::Statistics, 0);
                return;
            }
            place.point = CostPlace::Point::Both;
            Q_EMIT number_chosen(key, CostTable::Measured, place);
            return;
        default:
            return;
    }
}

void ChartTabs::open(int chart, int key) {
    if (chart == MemoryChart)
        select_line(key);
    else if (key >= 0)
        Q_EMIT state_chosen(key);
}

void ChartTabs::select_line(int line) {
    const StateCostsPtr counted = document_.empty() ? nullptr : costs_.of(document_.content().current);
    if (counted && line >= 0 && line < std::ssize(counted->state.alive()))
        document_.select({{counted->state.alive()[static_cast<std::size_t>(line)].node}, {}, {}});
}

void ChartTabs::showEvent(QShowEvent* event) {
    QTabWidget::showEvent(event);
    if (stale_) refresh();
}

void ChartTabs::refresh() {
    stale_ = true;
    if (isVisible()) soon_.start();
}

void ChartTabs::draw() {
    if (document_.empty()) {
        for (ChartView* view : views_) view->show_chart({}, {});
        return;
    }
    ChartView& view = chart(currentIndex());
    for (int i = 0; i < count(); ++i) setTabText(i, i == currentIndex() ? named(i) : titles_.at(i));
    // What is there stays until all of the new is.
    if (view.chart() && !costs_.counted_rows() && !costs_.cancelled()) return;
    stale_ = false;
    const Content& content = document_.content();
    const auto show = [&](auto chart, auto paint) {
        view.show_chart(
            [chart = std::move(chart), paint](QPainter& p, const QRectF& all, const ChartStyle& style) {
                return paint(p, all, style, chart);
            },
            named(currentIndex()));
    };
    switch (currentIndex()) {
        case RooflineChart:
            return show(roofline_of(content, costs_, times_, forecast_.ceilings()), paint_roofline);
        case TrafficChart:
            traffic_ = traffic_of(content, costs_);
            return show(traffic_, paint_traffic_bars);
        case MemoryChart:
            return show(memory_of(costs_, content.current, forecast_.local_limit()), paint_memory_strip);
        case ScatterChart:
            return show(scatter_of(content, costs_, times_, Measurements::of(document_).not_comparable()),
                        paint_scatter);
        default:
            return;
    }
}

void ChartTabs::highlight() {
    for (ChartView* view : views_) {
        ChartStyle style = view->style_now();
        if (view != views_[MemoryChart]) style.highlighted = document_.content().current;
        view->set_style(style);
    }
}

void ChartTabs::restyle() {
    for (ChartView* view : views_) {
        ChartStyle style = view->style_now();
        style.theme = appearance_.theme();
        style.text = appearance_.pixels() * 12.0 / 13;
        view->set_style(style);
    }
}

bool ChartTabs::export_chart(const QString& path) {
    if (stale_) draw();
    const ChartView& view = *views_.at(static_cast<std::size_t>(currentIndex()));
    if (!view.chart()) return false;
    // As it is seen, so that a larger file needs a larger window alone.
    const ChartFile file{tabText(currentIndex()).toStdString(), view.accessibleDescription().toStdString(),
                         view.size().expandedTo(view.minimumSizeHint()), 2};
    const std::string format = path.mid(path.lastIndexOf(QLatin1Char('.')) + 1).toLower().toStdString();
    const QByteArray bytes = chart_bytes(format, view.chart(), view.style_now(), file);
    return !bytes.isEmpty() && !write_file(path, bytes);
}

QString ChartTabs::file_name() const {
    return tabText(currentIndex()).toLower().replace(QLatin1Char(' '), QLatin1Char('-')) +
           QStringLiteral(".svg");
}

}  // namespace blockscope
