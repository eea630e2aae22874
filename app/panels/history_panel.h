// The panel of the history: the tree of all branches, what can be done with a state, its note.
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QWidget>

#include "app/panels/history_tree.h"

class QMenu;

namespace blockscope {

class HistoryPanel : public QWidget {
    Q_OBJECT

public:
    HistoryPanel(Document& document, Proofs& proofs, QWidget* parent = nullptr);
    ~HistoryPanel() override;

    HistoryTree& tree() { return *tree_; }
    QPlainTextEdit& note() { return *note_; }
    // What can be done with a state; the caller shows and deletes it.
    QMenu* make_menu(StateId state);

Q_SIGNALS:
    void run_wanted();      // the algorithm, from the current state on
    void matches_wanted();  // the user wants to go on from here by hand

private:
    QWidget* make_note();
    QWidget* make_buttons();
    void show_note();
    void compare(StateId state);

    Document& document_;
    HistoryTree* tree_;
    QPlainTextEdit* note_;
    QLabel* note_of_;
    StateId noted_ = -1;    // whose note the editor shows
    bool showing_ = false;  // the editor's text comes from the document
};

}  // namespace blockscope
