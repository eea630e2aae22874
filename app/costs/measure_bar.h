// Measuring from the window: what can be started, how far it is, how to end it, and what it found.
#pragma once

#include <QWidget>

#include "app/costs/measurements.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace blockscope {

class FlowLayout;

class MeasureBar : public QWidget {
    Q_OBJECT

public:
    MeasureBar(Document& document, QWidget* parent);

    // By what they do, for tests: measure, measure_all, tune, compare, calibrate, cancel, use.
    QToolButton* button(const QString& name) const;
    QLabel& finding() { return *finding_; }

    // Buttons of the page, at the end of the row.
    void add(QToolButton* button);

private:
    QToolButton* add_button(const QString& name, const QString& text, const QString& help);
    QWidget* make_buttons();
    QWidget* make_finding();
    void connect_buttons();
    void show_progress();
    void show_finding();
    StateId other_state() const;

    Document& document_;
    Costs& costs_;
    Measurements& measurements_;
    FlowLayout* row_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel* progress_text_ = nullptr;
    QWidget* finding_row_ = nullptr;
    QLabel* finding_ = nullptr;
};

}  // namespace blockscope
