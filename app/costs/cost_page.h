// What every state costs: a table of states, charts, where each number comes from, and sliders for sizes.
#pragma once

#include <QTabWidget>
#include <QTimer>
#include <QWidget>
#include <map>
#include <optional>
#include <vector>

#include "app/charts/chart.h"
#include "app/costs/baselines.h"
#include "app/costs/best.h"
#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/costs/measure_bar.h"
#include "app/shell/services.h"
#include "core/cost/derivation.h"

class QSplitter;
class QTabWidget;
class QTableView;
class QToolButton;
class QLabel;
class QPlainTextEdit;
class QScrollArea;
class QTreeWidget;
class QTreeWidgetItem;

namespace blockscope {

// ---- Where a number of the costs table comes from: its formula, the values put in, and every line that it
// sums.

class DerivationView : public QWidget {
    Q_OBJECT

public:
    explicit DerivationView(Document& document, QWidget* parent = nullptr);

    // `title` says which number of which state it is, `note` more about it; may be empty.
    void show_derivation(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
                         const QString& note = {});
    // Without a number, or for one that is not a count: a sentence.
    void show_text(const QString& title, const QString& text);

    QTreeWidget& lines() { return *lines_; }
    QString formula() const;
    QString title() const;
    QString note() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill(const QString& title, const CostDerivation& derivation, const LoopProgram& loops,
              const QString& note);
    void fit_columns();
    void fit_formula();
    void add(const Sum& sum, const QString& unit, const std::vector<std::string>& texts,
             const DimTable& dims);
    void choose(QTreeWidgetItem* item);

    Document& document_;
    QLabel *title_, *result_;
    QScrollArea* area_;  // of the formula, which can be longer than the room for it
    QLabel *formula_, *values_, *note_;
    QPlainTextEdit* text_;  // in place of the formula: of any length
    QTreeWidget* lines_;
};

// Where a number of a state comes from, beside the costs table: formula, values, and what it sums.

class DerivationView;

// The count that a column of CostTable shows; none for times and ratios.
std::optional<CostQuantity> quantity_of(int column);

// The lines, arrays or edge of the state that a number of the column is about. Nothing of the state may be
// meant: a node that it has no longer.
CostPart part_of(const StateCosts& costs, int column, const CostPlace& place);

// The same, and what replication compares it with: the operators of the unfused program whose work it does.
DerivedPart derived_part(const StateCosts& costs, const StateCosts& unfused, const Replicated& replicated,
                         int column, const CostPlace& place);

// A number of the table, or the part of it that belongs to a place.
struct ShownNumber {
    StateId state = 0;
    int column = 0;
    CostPlace place = {};
};
void show_number(DerivationView& view, Document& document, const CostTable& table, const TimesOf& times_of,
                 const ShownNumber& number);

// ---- The charts of a document's states, from their counts and times.

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
    QString named(int chart) const;
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
    QStringList titles_;   // of the charts
    TrafficBars traffic_;  // as drawn
    bool stale_ = true;
    QTimer soon_;  // what changed is about to be drawn
};

class DerivationView;
class BlockSizeSearchView;
class SizeSliders;

class CostPage : public QWidget {
    Q_OBJECT

public:
    CostPage(Document& document, Services& services, QWidget* parent = nullptr);

    CostTable& table() { return table_; }
    QTableView& table_view() { return *view_; }
    QLabel& best() { return *best_text_; }
    DerivationView& derivation() { return *derivation_; }
    SizeSliders& sliders() { return *sliders_; }
    BlockSizeSearchView& size_search() { return *size_search_; }
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
    void show_best();
    QWidget* make_parts();
    QWidget* make_lower();
    void fit_parts();
    void fit_columns();
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
    StateTimes baseline_times() const;
    void compare_with_chosen();
    void go_to(int state);
    void select_current();
    void ask_and_export();
    void copy_table();

    Document& document_;
    Services& services_;
    Costs& costs_;
    Forecast& forecast_;
    Measurements& measurements_;
    Baselines& baselines_;
    Best& best_;
    CostTable table_;
    QLabel* best_text_;  // above the table
    QToolButton* bars_;  // of small pages: shows the bars, which would leave the table no room
    QWidget* choices_;
    MeasureBar* measuring_;
    QTableView* view_;
    ChartTabs* charts_;
    QTabWidget* side_;
    DerivationView* derivation_;
    SizeSliders* sliders_;
    BlockSizeSearchView* size_search_;
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
