// The figures: estimates against what was measured, and the speed-ups of the paper's workloads.
#pragma once

#include <QWidget>

#include "app/document/work.h"
#include "app/shell/appearance.h"
#include "app/tilings/speedups.h"
#include "app/tilings/tilings_study.h"

class QBoxLayout;
class QLabel;
class QToolButton;

namespace blockscope {

class ChartView;
class ShareBar;

class PlotsView : public QWidget {
    Q_OBJECT

public:
    PlotsView(TilingsStudy& study, Appearance& appearance, QWidget* parent);

    void refresh();
    void choose(int candidate);
    ChartView& dots() { return *dots_; }
    ChartView& bars() { return *bars_; }
    QToolButton& speedups_button() { return *compare_; }
    QString ranking() const;
    const std::vector<tilings::WorkloadTimes>& speedups() const { return rows_; }
    bool busy() const { return work_.busy(); }

Q_SIGNALS:
    void candidate_chosen(int candidate);
    void workload_chosen(const std::string& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* make_dots();
    QWidget* make_bars();
    void show_dots();
    void show_bars();
    void compare();
    void restyle();

    TilingsStudy& study_;
    Appearance& appearance_;
    QBoxLayout* both_ = nullptr;
    ChartView *dots_ = nullptr, *bars_ = nullptr;
    QLabel *ranking_ = nullptr, *compared_ = nullptr;
    QToolButton *compare_ = nullptr, *cancel_ = nullptr;
    ShareBar* progress_ = nullptr;
    int chosen_ = -1;
    std::vector<tilings::WorkloadTimes> rows_;
    QString rows_of_;        // the device
    std::string asked_key_;  // rules, counts and device of rows_
    Work work_;              // last: its job is waited for before the rest goes
};

}  // namespace blockscope
