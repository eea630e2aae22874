// All expressions: each in three stages as a tree, with the state of the fusion algorithm that has its loops.
#pragma once

#include <QStandardItemModel>
#include <QTreeView>
#include <QTreeWidget>
#include <QWidget>
#include <vector>

#include "app/shell/services.h"
#include "app/tilings/tilings_study.h"

class QCheckBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace blockscope {

class CodeView;
class FlowBar;
class ListingHighlighter;

class ExpressionsView : public QWidget {
    Q_OBJECT

public:
    enum Column { Expression, Kind, Rule, State, Columns };

    ExpressionsView(Services& services, QWidget* parent);

    void show_space(const RankedSpacePtr& ranked);
    void show_states(const ExpressionStatesPtr& states);
    void choose(int expression);
    int chosen() const;  // -1: none
    QTreeWidget& table() { return *table_; }
    QTreeView& tree() { return *tree_; }
    const QStandardItemModel& tree_model() const { return model_; }
    QToolButton& open_button() { return *open_; }
    const std::vector<QCheckBox*>& ones() const { return ones_; }
    QString listing() const;
    QString state_text() const;

    // The expression as a document: the program with the tiles of its best candidate as blocks, at the state
    // that has its loops, or as the block program that is built of it. Empty where neither is there.
    QString as_document(int expression) const;
    void open();  // that, in a window of its own

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* make_tree();
    QWidget* make_state();
    void fill_table();
    void fill_states();
    void fill_ones();
    void show_expression();
    void show_state();
    QString said_of(int expression) const;
    const tilings::MatchedState* state_of(int expression) const;
    const tilings::BuiltProgram* built_of(int expression) const;  // with a listing or a reason
    std::vector<std::int64_t> best_tiles(int expression) const;   // by loop
    QString state_document(const tilings::MatchedState& state, int expression) const;

    Services& services_;
    RankedSpacePtr ranked_;
    ExpressionStatesPtr states_;
    QSplitter *all_ = nullptr, *parts_ = nullptr;
    QTreeWidget* table_ = nullptr;
    QTreeView* tree_ = nullptr;
    QStandardItemModel model_;
    FlowBar* ones_bar_ = nullptr;
    std::vector<QCheckBox*> ones_;  // by loop
    QLabel* state_ = nullptr;
    QToolButton* open_ = nullptr;
    CodeView* listing_ = nullptr;
};

}  // namespace blockscope
