// Algorithm 1, round by round: the population, what was measured of it, and the mutations that make the next
// one.
#pragma once

#include <QTreeWidget>
#include <QWidget>

#include "app/tilings/tilings_study.h"

class QBoxLayout;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace blockscope {

class SearchView : public QWidget {
    Q_OBJECT

public:
    enum RoundColumn { Round, Ran, Anew, Best, Time, Difference, RoundColumns };
    enum MeasuredColumn { Candidate, Estimate, Measured, New, MeasuredColumns };
    enum MutationColumn { Parent, Weight, Loop, Child, ChildEstimate, MutationColumns };

    SearchView(TilingsStudy& study, QWidget* parent);

    void refresh();
    QTreeWidget& rounds() { return *rounds_; }
    QTreeWidget& measured() { return *measured_; }
    QTreeWidget& mutations() { return *mutations_; }
    QToolButton& next_button() { return *next_; }
    QToolButton& run_button() { return *run_; }
    QToolButton& anew_button() { return *anew_; }
    QToolButton& use_button() { return *use_; }
    QSpinBox& seed() { return *seed_; }
    QSpinBox& top() { return *top_; }
    QString text() const;
    QString round_said() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* make_choices();
    QWidget* make_buttons();
    void take_choices();
    void use_other();
    void fill_rounds();
    void show_round();

    TilingsStudy& study_;
    QSpinBox *seed_ = nullptr, *population_ = nullptr, *top_ = nullptr;
    QDoubleSpinBox* epsilon_ = nullptr;
    QToolButton *next_ = nullptr, *run_ = nullptr, *anew_ = nullptr, *use_ = nullptr;
    QLabel *text_ = nullptr, *round_ = nullptr;
    QTreeWidget *rounds_ = nullptr, *measured_ = nullptr, *mutations_ = nullptr;
    QBoxLayout* lower_ = nullptr;
};

}  // namespace blockscope
