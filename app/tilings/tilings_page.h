// The page Tilings: MCFuser's space of the program's chain, or of one of the paper's workloads, as a funnel,
// with its expressions, its candidates, Algorithm 1, and what is measured on this processor.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "app/shell/services.h"
#include "app/tilings/tilings_study.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QTabWidget;
class QToolButton;

namespace blockscope {

class CandidatesView;
class ExpressionsView;
class FunnelView;
class ComparisonView;
class PlotsView;
class SearchView;
class ShareBar;

// Until it is seen for the first time it has no parts and looks at nothing.
class TilingsPage : public QWidget {
    Q_OBJECT

public:
    TilingsPage(Document& document, Services& services, QWidget* parent = nullptr);
    ~TilingsPage() override;

    // Of a page that was seen.
    TilingsStudy& study() { return *study_; }
    QTabWidget& tabs() { return *tabs_; }
    FunnelView& funnel() { return *funnel_; }
    ExpressionsView& expressions() { return *expressions_; }
    CandidatesView& candidates() { return *candidates_; }
    SearchView& search() { return *search_; }
    PlotsView& plots() { return *plots_; }
    ComparisonView& comparison() { return *comparison_; }
    QComboBox& workload() { return *workload_; }
    QComboBox& same() { return *same_; }
    QComboBox& padding() { return *padding_; }
    QComboBox& shared() { return *shared_; }
    QComboBox& counts() { return *counts_; }
    QCheckBox& chimera() { return *chimera_; }
    QToolButton& readings_button() { return *readings_; }  // shows those five
    QToolButton& measure_all_button() { return *all_; }
    QToolButton& measure_button() { return *some_; }
    QToolButton& cancel_button() { return *cancel_; }
    QPushButton& find_button() { return *find_; }
    QToolButton& copy_button() { return *copy_; }
    QString sentence() const;
    QString measured_text() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void make_parts();
    QWidget* make_subject();
    QWidget* make_readings();
    QWidget* make_buttons();
    void make_tabs(QWidget* all);
    void connect_parts();
    void look_soon();
    void take_choices();
    void show_choices();
    void refresh();
    void show_measured();
    void measure_chosen();
    void copy();
    QString subject() const;

    Document& document_;
    Services& services_;
    QTimer soon_;  // after a change: a slider that is dragged does not start a search each time
    QString failure_;
    QLabel *sentence_ = nullptr, *measured_ = nullptr;
    QComboBox *workload_ = nullptr, *same_ = nullptr, *padding_ = nullptr, *shared_ = nullptr,
              *counts_ = nullptr;
    QCheckBox* chimera_ = nullptr;
    QPushButton* find_ = nullptr;
    QToolButton *readings_ = nullptr, *all_ = nullptr, *some_ = nullptr, *cancel_ = nullptr, *copy_ = nullptr;
    ShareBar* progress_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    std::unique_ptr<TilingsStudy> study_;  // before the views, which ask it
    FunnelView* funnel_ = nullptr;
    ExpressionsView* expressions_ = nullptr;
    CandidatesView* candidates_ = nullptr;
    SearchView* search_ = nullptr;
    PlotsView* plots_ = nullptr;
    ComparisonView* comparison_ = nullptr;
};

}  // namespace blockscope
