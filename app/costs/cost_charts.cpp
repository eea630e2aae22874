#include "app/costs/cost_charts.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <map>

#include "app/charts/range.h"
#include "app/costs/time_numbers.h"
#include "core/cost/agreement.h"
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

QString point_tip(const QString& name, const StateCosts& costs, const StateTimes& times) {
    const auto operations = static_cast<double>(costs.counts.flops.total());
    QString tip = name + QLatin1Char('\n') +
                  CostChartsWords::tr("%1 per byte moved")
                      .arg(with_unit(costs.counts.intensity(), QStringLiteral("FLOP")));
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
    for (const BufferTraffic& traffic : costs.counts.buffers) {
        const Buffer& buffer = costs.loops.buffers.at(static_cast<std::size_t>(traffic.buffer));
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
        for (const Buffer& buffer : all.front()->loops.buffers)
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
    TrafficBar bar{label, state, std::vector<double>(series.size(), 0), std::vector<QString>(series.size()),
                   std::vector<std::vector<std::string>>(series.size())};
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
        const auto operations = static_cast<double>(counted->counts.flops.total());
        RooflinePoint point;
        point.label = names.label(id);
        point.key = id;
        point.intensity = counted->counts.intensity();
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
    chart.limit = limit.bytes;
    chart.limit_name = limit.name;
    chart.tip = CostChartsWords::tr("A click opens where it comes from.");
    if (!costs) {
        chart.missing = all.missing();
        return chart;
    }
    const std::vector<ListingLine> lines = listing_lines(costs->loops);
    for (std::size_t i = 0; i < costs->alive.size(); ++i) {
        const LocalMemory& set = costs->alive[i];
        QStringList names;
        for (const Temp temp : set.alive) names << QStringLiteral("t%1").arg(temp.id);
        MemoryMoment moment;
        moment.bytes = static_cast<double>(set.bytes);
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
            {names.label(id), id, *known.predicted, *known.measured, known.stale,
             CostChartsWords::tr("%1: predicted %2, measured %3")
                 .arg(names.name(id), time_text(*known.predicted), time_text(*known.measured))});
    }
    if (!chart.points.empty()) chart.missing.clear();
    const ComparedTimes compared = compared_times(costs, times);
    chart.statistics_tip =
        CostChartsWords::tr("How well predictions fit: a click opens what these are made of.");
    chart.statistics = agreement_texts(agreement(compared.predicted, compared.measured));
    return chart;
}

}  // namespace blockscope
