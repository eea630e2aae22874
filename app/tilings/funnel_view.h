// The funnel: what each rule leaves of the space, and which candidates it drops and why.
#pragma once

#include <QTreeWidget>
#include <QWidget>

#include "app/tilings/dropped.h"
#include "app/tilings/tilings_study.h"

class QLabel;
class QLineEdit;

namespace blockscope {

class FunnelView : public QWidget {
    Q_OBJECT

public:
    enum Column { Rule, Left, Dropped, Share, Paper, Columns };
    enum DroppedColumn { Tiling, Why, DroppedColumns };
    static constexpr std::size_t kMostListed = 500;

    explicit FunnelView(QWidget* parent);

    void show_space(const RankedSpacePtr& ranked);
    QTreeWidget& funnel() { return *funnel_; }
    QTreeWidget& dropped() { return *dropped_; }
    QLineEdit& filter() { return *filter_; }
    QString listed_text() const;
    QString sizes_text() const;
    void choose_rule(int rule);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void list_dropped();
    void say_of_candidate(const tilings::CandidateFilter& filter);
    void fit();

    RankedSpacePtr ranked_;
    QLabel *whole_ = nullptr, *sizes_ = nullptr, *listed_ = nullptr;
    QTreeWidget *funnel_ = nullptr, *dropped_ = nullptr;
    QLineEdit* filter_ = nullptr;
};

}  // namespace blockscope
