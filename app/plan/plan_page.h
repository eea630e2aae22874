// The page Plan: which kernels to build of the program, each from which operators, what that brings over
// other ways of deciding, and why two operators are, or are not, one kernel.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "app/plan/plan_search.h"
#include "app/shell/services.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QScrollArea;
class QPushButton;
class QToolButton;

namespace blockscope {

class ChartView;
class KernelsTable;
class OperatorPicture;
class ShareBar;
class StepsBar;
class WaysTable;

// Until it is seen for the first time it has no parts and looks at nothing.
class PlanPage : public QWidget {
    Q_OBJECT

public:
    PlanPage(Document& document, Services& services, QWidget* parent = nullptr);

    // Of a page that was seen.
    PlanSearch& search() { return *search_; }
    WaysTable& ways() { return *ways_; }
    KernelsTable& kernels() { return *kernels_; }
    QPushButton& find_button() { return *find_; }
    QToolButton& cancel_button() { return *cancel_; }
    QToolButton& open_button() { return *open_; }
    QToolButton& copy_button() { return *copy_; }
    QToolButton& solve_button() { return *solve_; }
    QToolButton& apart_button() { return *apart_; }
    QToolButton& move_button() { return *move_; }
    QToolButton& forget_button() { return *forget_; }
    StepsBar& steps() { return *steps_; }
    OperatorPicture& picture() { return *picture_; }
    QString sentence() const;
    QString why() const;
    void ask_about(int a, int b);  // nodes
    // A click with Ctrl in the picture: more than two are asked about.
    void add_to_question(int node);
    void open_kernel();  // the chosen one, as a program

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void make_parts();
    QWidget* make_bar();
    QWidget* make_kernels();
    QWidget* make_question();
    QWidget* make_pictures();
    QWidget* make_decisions();
    void connect_parts();
    void look_soon();
    void refresh();
    void hand_focus(bool found, bool here);
    void show_plans(bool other_operators);
    void show_way();
    void show_pictures();
    void fill_operators();
    void explain_choice();
    void answer(const OperatorAnswer& answer);
    void move_operator(int node, int onto);
    void keep_ticked();
    void keep_apart();
    void decide();
    void forget();
    void show_decisions();
    plan::FusionGroup chosen_operators() const;
    void mark_operator(int node);
    void copy();
    void restyle();
    void fit();
    QString state_text() const;
    const PlannedWay* way() const;

    Document& document_;
    Services& services_;
    std::unique_ptr<PlanSearch> search_;
    QTimer soon_;  // after a change: a slider that is dragged does not start a search each time
    FoundPlansPtr shown_;
    QString failure_;
    QLabel *sentence_ = nullptr, *kernels_title_ = nullptr, *why_ = nullptr;
    QPushButton* find_ = nullptr;
    QToolButton *cancel_ = nullptr, *copy_ = nullptr, *open_ = nullptr;
    QToolButton *solve_ = nullptr, *apart_ = nullptr, *move_ = nullptr, *forget_ = nullptr;
    QLabel* decided_ = nullptr;
    StepsBar* steps_ = nullptr;
    plan::Decisions decisions_;      // of the program that is shown
    plan::FusionGroup also_chosen_;  // beside the two
    ShareBar* progress_ = nullptr;
    WaysTable* ways_ = nullptr;
    KernelsTable* kernels_ = nullptr;
    QComboBox *first_ = nullptr, *second_ = nullptr;
    bool second_next_ = false;  // which of the two the next click into the picture chooses
    OperatorPicture* picture_ = nullptr;
    ChartView* timelines_ = nullptr;
    QScrollArea* picture_area_ = nullptr;
    QWidget *answer_ = nullptr, *pictures_ = nullptr;
    QBoxLayout* columns_ = nullptr;
};

}  // namespace blockscope
