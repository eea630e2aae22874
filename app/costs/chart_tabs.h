// The charts of the costs page, one in front: roofline, traffic, local memory, predicted and measured.
#pragma once

#include <QTabWidget>
#include <QTimer>
#include <vector>

#include "app/charts/chart_view.h"
#include "app/costs/cost_charts.h"
#include "app/costs/forecast.h"

namespace blockscope {

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
