// The charts of a document's states, from their counts and times.
#pragma once

#include <QTabWidget>
#include <QTimer>
#include <vector>

#include "app/charts/bar_charts.h"
#include "app/charts/chart_view.h"
#include "app/charts/point_charts.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"

namespace blockscope {

// One point per row: its intensity, and its operations per second from its times.
Roofline roofline_of(const Content& content, const Costs& costs, const TimesOf& times,
                     std::vector<RooflineCeiling> ceilings);
// One bar per row, one part per array by name; those beyond the seven largest are added up.
TrafficBars traffic_of(const Content& content, const Costs& costs);
// What is alive while each line of a state's listing runs.
MemoryStrip memory_of(const Costs& all, StateId state, const LocalLimit& limit);
// One point for every row that has both times; the statistics over those that are not stale.
// `not_comparable`: why there is none, if the predictions are for another device than was measured.
Scatter scatter_of(const Content& content, const Costs& costs, const TimesOf& times,
                   const QString& not_comparable = {});

// The charts of the costs page, one in front: roofline, traffic, local memory, predicted and measured.

class Appearance;

class ChartTabs : public QTabWidget {
    Q_OBJECT

public:
    // Numbers of charts that are no state's: the scatter's statistics, a ceiling of the roofline (by its
    // index), the limit of local memory.
    enum class Other : std::uint8_t { Statistics, Ceiling, Limit };

    ChartTabs(Document& document, Appearance& appearance, TimesOf times, QWidget* parent);

    ChartView& chart(int index) { return *views_.at(static_cast<std::size_t>(index)); }
    // The chart in front is made afresh, once, before the next event if it can be seen, else once it is.
    void refresh();
    // Marks the current state.
    void highlight();
    // Writes the chart in front, as large as it is seen, to a file: svg, pdf or png (two pixels a unit) by
    // its ending. False if it could not.
    bool export_chart(const QString& path);
    // A file name for the chart in front.
    QString file_name() const;

Q_SIGNALS:
    void state_chosen(int state);
    // Where a number of the chart comes from is asked for; `column` of CostTable.
    void number_chosen(blockscope::StateId state, int column, const blockscope::CostPlace& place);
    // Where a number is asked for that is of no state alone.
    void other_chosen(blockscope::ChartTabs::Other what, int index);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void add_chart(const QString& title);
    void draw();
    void restyle();
    void choose(int chart, int key, int part);
    void open(int chart, int key);
    void select_line(int line);

    Document& document_;
    Appearance& appearance_;
    Costs& costs_;
    Forecast& forecast_;
    TimesOf times_;
    std::vector<ChartView*> views_;
    TrafficBars traffic_;  // as drawn
    bool stale_ = true;
    QTimer soon_;  // what changed is about to be drawn
};

}  // namespace blockscope
