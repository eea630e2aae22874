#include "app/costs/chart_tabs.h"

#include <utility>

#include "app/charts/chart_export.h"
#include "app/costs/measurements.h"
#include "app/document/files.h"
#include "app/window/appearance.h"

namespace blockscope {

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
    add_chart(tr("Predicted and measured"));
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
    const auto index = static_cast<int>(views_.size());
    views_.push_back(view);
    connect(view, &ChartView::chosen, this, [this, index](int key, int part) { choose(index, key, part); });
    connect(view, &ChartView::opened, this, [this, index](int key) { open(index, key); });
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
    if (counted && line >= 0 && line < std::ssize(counted->alive))
        document_.select({{counted->alive[static_cast<std::size_t>(line)].node}, {}, {}});
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
    // What is there stays until all of the new is.
    if (view.chart() && !costs_.counted_rows() && !costs_.cancelled()) return;
    stale_ = false;
    const Content& content = document_.content();
    const auto show = [&](auto chart, auto paint) {
        view.show_chart(
            [chart = std::move(chart), paint](QPainter& p, const QRectF& all, const ChartStyle& style) {
                return paint(p, all, style, chart);
            },
            tabText(currentIndex()));
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
