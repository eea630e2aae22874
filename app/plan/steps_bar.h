// Below the picture of operators: the decisions of a way one by one, for the ways that the taxonomy of fusion
// tells of, as they are meant or exactly as printed.
#pragma once

#include <QWidget>
#include <string>

#include "app/plan/plan_search.h"

class QCheckBox;
class QLabel;
class QToolButton;

namespace blockscope {

class StepsBar : public QWidget {
    Q_OBJECT

public:
    explicit StepsBar(QWidget* parent);

    // Hidden for a way that has no steps.
    void show_way(FoundPlansPtr plans, const std::string& way);
    // What is decided so far; null while the plan is shown as a whole.
    const plan::DecisionStep* step() const;
    QString text() const;

    QCheckBox& stepping() { return *stepping_; }
    QCheckBox& as_printed() { return *as_printed_; }
    QToolButton& back() { return *back_; }
    QToolButton& forward() { return *forward_; }

Q_SIGNALS:
    void changed();

private:
    const plan::Decided* decided() const;
    void restart();
    void go(int by);
    void refresh();

    FoundPlansPtr plans_;
    std::string way_;
    std::size_t at_ = 0;
    QCheckBox *stepping_ = nullptr, *as_printed_ = nullptr;
    QToolButton *back_ = nullptr, *forward_ = nullptr;
    QLabel* text_ = nullptr;
};

}  // namespace blockscope
