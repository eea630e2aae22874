// What every state costs: a table of states, charts, where each number comes from, and sliders for sizes.
#pragma once

#include <QWidget>
#include <vector>

#include "app/charts/chart_view.h"
#include "app/costs/cost_charts.h"
#include "app/costs/forecast.h"
#include "app/costs/measurements.h"
#include "app/panels/services.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QTableView;
class QTabWidget;
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
    QTabWidget& charts() { return *charts_; }
    ChartView& chart(int index) { return *chart_views_.at(static_cast<std::size_t>(index)); }

    // Writes the chart in front to a file: svg, pdf or png by its ending. False if it could not.
    bool export_chart(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* make_bar();
    QWidget* make_measuring();
    void show_progress();
    QWidget* make_choices();
    void fill_devices();
    void make_table();
    QWidget* make_charts();
    void add_chart(const QString& title);
    void connect_parts();
    void choose_cell(const QModelIndex& index);
    void show_prediction(StateId state, const QString& title);
    void refresh_times();
    StateTimes times_of(StateId state) const;
    void go_to(int state);
    void refresh_charts();
    void restyle();
    void select_current();
    void ask_and_export();
    void copy_table();

    Document& document_;
    Services& services_;
    Costs& costs_;
    Forecast& forecast_;
    Measurements& measurements_;
    CostTable table_;
    QComboBox *device_ = nullptr, *model_ = nullptr;
    QTableView* view_;
    QTabWidget* charts_;
    std::vector<ChartView*> chart_views_;
    DerivationView* derivation_;
    SizeSliders* sliders_;
    QToolButton *measure_one_ = nullptr, *measure_all_ = nullptr, *cancel_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel* progress_text_ = nullptr;
    bool stale_charts_ = true;  // made afresh when they are shown
};

}  // namespace blockscope
