// The hierarchy of the current state as a tree: maps with what they hold, folded or not.
#pragma once

#include <QStandardItemModel>
#include <QTimer>
#include <QWidget>
#include <map>
#include <set>

#include "app/document/document.h"
#include "app/shell/services.h"

class QTreeView;

namespace blockscope {

class OutlinePanel : public QWidget {
    Q_OBJECT

public:
    OutlinePanel(Document& document, Services& services, QWidget* parent = nullptr);

    QTreeView& tree() { return *tree_; }
    QStandardItem* item(NodeId node) const;

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void rebuild();
    void clear_rows();
    void fill();
    void open_maps();
    void add_next();
    void add_node(const Node& node, QStandardItem* parent);
    void show_folds();
    void show_arrays();
    void follow_selection();
    void take_selection();
    void toggled(QStandardItem* item);

    Document& document_;
    QTreeView* tree_;
    QStandardItemModel model_;
    std::map<NodeId, QStandardItem*> items_;
    std::set<NodeId> closed_;  // maps that the user closed in the tree
    ProgramPtr program_;
    // Levels of which not all nodes are in the tree yet, the innermost last.
    struct OpenLevel {
        GraphPtr graph;
        QStandardItem* parent;
        std::size_t next;
    };
    std::vector<OpenLevel> open_levels_;
    QTimer filling_;         // runs while there are some
    bool quiet_ = false;     // the change comes from the document
    bool old_rows_ = false;  // those of the program before are still there
};

}  // namespace blockscope
