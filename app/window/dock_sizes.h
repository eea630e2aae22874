// How large the user left the panels. A window that is made small takes room from them, and a panel that
// needs more gives room to those behind its tab; Qt leaves them so. As soon as there is room for all of them
// again, and the large one is closed, they are as they were.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>
#include <map>
#include <vector>

namespace blockscope {

class DockSizes : public QObject {
public:
    explicit DockSizes(QMainWindow& window);

    // Pixels across the edge of the window that the panel stands at: its width at the sides, else its height.
    void set(QDockWidget* dock, int size) { wanted_[dock] = {size, across(dock)}; }
    // Forgets all; what is seen soon after is what the user wants.
    void learn();
    // Panels were shown.
    void look() { looking_.start(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Wanted {
        int size = 0;
        Qt::Orientation across = Qt::Horizontal;  // a width if horizontal, else a height
    };
    using Line = std::vector<QDockWidget*>;  // one below the other, or side by side: the same size
    Qt::Orientation across(QDockWidget* dock) const;
    std::vector<Line> lines(Qt::Orientation across) const;
    void note(bool all);
    void restore(Qt::Orientation across);

    QMainWindow& window_;
    std::map<const QDockWidget*, Wanted> wanted_;
    QTimer looking_;         // fires once the window's new size has been handed on to the panels
    bool dragging_ = false;  // a line between panels
};

}  // namespace blockscope
