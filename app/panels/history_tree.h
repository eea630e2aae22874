// Paints the history's tree and takes the mouse and the keyboard.
#pragma once

#include <QAbstractScrollArea>
#include <QLineEdit>

#include "app/document/proofs.h"
#include "app/panels/cells_accessible.h"
#include "app/panels/edge_counts.h"
#include "app/panels/history_rows.h"

namespace blockscope {

class HistoryTree : public QAbstractScrollArea, public AccessibleCells {
    Q_OBJECT

public:
    HistoryTree(Document& document, Proofs& proofs, QWidget* parent = nullptr);

    const std::vector<HistoryRow>& rows() const { return rows_; }
    QRect row_rect(int row) const;  // viewport coordinates
    int row_at(const QPoint& point) const;
    QString row_text(int row) const;  // what the row says in words
    void expand(int row);             // shows the states of a collapsed run
    void rename(int branch);          // opens an editor on its name
    QLineEdit* editor() { return editor_; }
    int accessible_cells() const override { return static_cast<int>(rows_.size()); }
    QString accessible_cell(int index) const override { return row_text(index); }
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
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int unit() const;
    int row_height() const;
    int current_row() const;
    double lane_x(int lane) const;
    double text_x(int row) const;
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
    std::vector<HistoryRow> rows_;
    std::set<StateId> expanded_;
    int lanes_ = 1;
    int hovered_ = -1;
    QLineEdit* editor_;
    int renamed_ = -1;  // the branch that the editor is open for
};

}  // namespace blockscope
