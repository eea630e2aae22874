// What is to be said of a fused state that loses against the unfused program for its block sizes alone.
#pragma once

#include <QString>
#include <QWidget>

#include "app/costs/measurements.h"
#include "app/document/document.h"

class QLabel;
class QToolButton;

namespace blockscope {

// Of a state that repeats the unfused program's work (over a tenth more operations at these block sizes) and
// takes longer than it - as measured if both are, else as predicted -: that Tune may find better ones. Empty
// of all others, and while they are counted.
QString repeat_hint(Document& document, StateId state);

// Measuring from the window: what can be started, how far it is, how to end it, and what it found.

class FlowLayout;
class ShareBar;

class MeasureBar : public QWidget {
    Q_OBJECT

public:
    MeasureBar(Document& document, QWidget* parent);

    // By what they do, for tests: measure, measure_all, tune, compare, calibrate, wait, cancel, use,
    // tune_hinted.
    QToolButton* button(const QString& name) const;
    QLabel& finding() { return *finding_; }
    QLabel& hint() { return *hint_; }

    // The row of them; what they lead to stands below it.
    QWidget& buttons() { return *buttons_; }
    // Buttons of the page, at the end of the row.
    void add(QToolButton* button);
    // Who gets the focus of a button that starts a measurement, and cannot be pressed while it runs.
    void hand_focus_to(QWidget* widget) { focus_after_ = widget; }

private:
    QToolButton* add_button(const QString& name, const QString& text, const QString& help);
    QWidget* make_buttons();
    QWidget* make_progress();
    QWidget* make_finding();
    QWidget* make_hint();
    void connect_buttons();
    void refresh();
    void enable_buttons(bool busy);
    void show_progress();
    void show_finding();
    void show_hint();
    StateId other_state() const;

    Document& document_;
    Costs& costs_;
    Measurements& measurements_;
    QWidget* buttons_ = nullptr;
    FlowLayout* row_ = nullptr;
    // Below the buttons: how the measurement goes, or what the last one found; and a hint.
    QWidget* progress_row_ = nullptr;
    ShareBar* progress_ = nullptr;
    QLabel* progress_text_ = nullptr;
    QWidget* finding_row_ = nullptr;
    QLabel* finding_ = nullptr;
    QWidget* hint_row_ = nullptr;
    QLabel* hint_ = nullptr;
    QWidget* focus_after_ = nullptr;
};

}  // namespace blockscope
