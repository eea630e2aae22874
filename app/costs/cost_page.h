// What every state costs: a table of states, charts, where each number comes from, and sliders for sizes.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>

#include "app/costs/cost_charts.h"
#include "app/costs/forecast.h"
#include "app/costs/measure_bar.h"
#include "app/shell/services.h"

class QSplitter;
class QTabWidget;
class QTableView;
class QToolButton;

namespace blockscope {

class DerivationView;
class SizeSliders;

class CostPage : public QWidget {
    Q_OBJECT

public:
    CostPage(Document& document, Services& services, QWidget* parent = nullptr);

    CostTable& table() { return table_; }
    QTableView& table_view() { return *view_; }
    DerivationView& derivation() { return *derivation_; }
    SizeSliders& sliders() { return *sliders_; }
    MeasureBar& measuring() { return *measuring_; }
    ChartTabs& charts() { return *charts_; }
    ChartView& chart(int index) { return charts_->chart(index); }

    // Writes the chart in front to a file: svg, pdf or png by its ending. False if it could not.
    bool export_chart(const QString& path) { return charts_->export_chart(path); }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void add_buttons();
    void make_table();
    QWidget* make_parts();
    QWidget* make_lower();
    void fit_parts();
    void fit_bars();
    void connect_parts();
    void choose_cell(const QModelIndex& index);
    void choose_row(int row);
    void open_derivation(StateId state, int column, const CostPlace& place);
    void follow_chosen();
    void show_chosen();
    void show_other(ChartTabs::Other what, int index);
    bool explain_other();
    void refresh_times();
    StateTimes times_of(StateId state) const;
    StateTimes work_out_times(StateId state) const;
    void go_to(int state);
    void select_current();
    void ask_and_export();
    void copy_table();

    Document& document_;
    Services& services_;
    Costs& costs_;
    Forecast& forecast_;
    Measurements& measurements_;
    CostTable table_;
    QToolButton* bars_;  // of short pages: shows the bars, which would leave the table no room
    QWidget* choices_;
    MeasureBar* measuring_;
    QTableView* view_;
    ChartTabs* charts_;
    QTabWidget* side_;
    DerivationView* derivation_;
    SizeSliders* sliders_;
    // What times_of() said of a state as it was counted then: cells ask for it again and again.
    struct KnownTimes {
        StateCostsPtr counted;
        StateTimes times;
    };
    mutable std::map<StateId, KnownTimes> times_;
    bool following_ = false;   // the document's current state, not what was chosen by hand
    bool unfollowed_ = false;  // what the formula says may be others' by now
    QTimer formula_;           // it is about to follow
    // The formula is about a number of no state, not about a cell: which one, and its index.
    std::optional<std::pair<ChartTabs::Other, int>> other_;
    CostPlace place_;             // which part of the chosen cell's number the formula is about
    QSplitter* parts_ = nullptr;  // the table, and below it `lower_`
    QSplitter* lower_ = nullptr;  // charts and formulas
};

}  // namespace blockscope
