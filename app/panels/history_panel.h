// The tree of a history as rows with lanes, like the graph of a version control system: time runs down, a
// branch stands in its own lane, long straight runs are one row.
#pragma once

#include <QAbstractScrollArea>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QWidget>
#include <set>

#include "app/costs/best.h"
#include "app/document/content.h"
#include "app/document/proofs.h"
#include "app/shell/controls.h"
#include "app/shell/timeline_model.h"

class QMenu;

namespace blockscope {

struct HistoryRow {
    std::vector<StateId> states;  // one, or those of a collapsed run
    int lane = 0;
    int parent = -1;            // row of the state before; -1 of the first row
    std::vector<int> branches;  // ids of the branches that end here
    bool forks = false;         // several rows come after this one

    bool collapsed() const { return states.size() > 1; }
    StateId first() const { return states.front(); }
    StateId last() const { return states.back(); }
};

// Runs of more than `kLongestRun` states without anything remarkable are collapsed unless `expanded` has
// their first state. Remarkable are snapshots, notes, forks, ends of branches, the current state, those that
// are compared, and the best one.
constexpr int kLongestRun = 3;
std::vector<HistoryRow> history_rows(const Content& content, const std::set<StateId>& expanded,
                                     std::optional<StateId> best = std::nullopt);

// Paints the history's tree and takes the mouse and the keyboard.
class HistoryTree : public QAbstractScrollArea, public AccessibleCells {
    Q_OBJECT

public:
    HistoryTree(Document& document, Proofs& proofs, QWidget* parent = nullptr);

    const std::vector<HistoryRow>& rows() const { return rows_; }
    QRect row_rect(int row) const;  // viewport coordinates
    int row_at(const QPoint& point) const;
    QString row_text(int row) const;  // what the row says in words
    QString row_name(int row) const;  // of these the step's name, without its place
    // What is seen of them, as long as they are not to share their line with a number.
    QString shown_words(int row) const;
    void expand(int row);     // shows the states of a collapsed run
    void rename(int branch);  // opens an editor on its name
    QLineEdit* editor() { return editor_; }
    int accessible_cells() const override { return static_cast<int>(rows_.size()); }
    QString accessible_cell(int index) const override;
    QRect cell_place(int index) const override { return row_rect(index); }
    int current_cell() const override { return current_row(); }
    QSize sizeHint() const override { return {260, 240}; }

Q_SIGNALS:
    void menu_requested(StateId state, const QPoint& global);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int unit() const;
    int row_height() const;
    int current_row() const;
    double lane_x(int lane) const;
    double text_x(int row) const;
    QString row_place(int row) const;
    double words_x(int row) const;
    double marks_width(const HistoryState& state) const;
    QString pill_text(int row, int branch) const;  // the branch's name
    QString words_in(int row, double width) const;
    QRectF pill_rect(int row, int which) const;  // of the name of the row's `which`-th branch
    int pill_at(const QPoint& point) const;      // branch; -1 for none
    void refresh();
    void show_current();
    void set_hovered(int row);
    bool place_editor();
    void finish_rename(bool keep);
    void paint_lines(QPainter& painter, const QRect& visible) const;
    void paint_row(QPainter& painter, int row) const;
    void paint_dot(QPainter& painter, int row) const;
    double paint_marks(QPainter& painter, const HistoryState& state, double right, double middle) const;

    Document& document_;
    Proofs& proofs_;
    EdgeCounts& edges_;
    Best& best_;
    std::vector<HistoryRow> rows_;
    std::set<StateId> expanded_;
    int lanes_ = 1;
    int hovered_ = -1;
    QLineEdit* editor_;
    int renamed_ = -1;  // the branch that the editor is open for
};

// The panel of the history: the tree of all branches, what can be done with a state, its note.
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
