// The order in which Tab goes through the window (by place, as one reads), and the ring around the stop that
// it has reached. Each press looks for the order anew, so that it holds however panels are shown, moved and
// laid over the picture.
#pragma once

#include <QMainWindow>
#include <QPointer>
#include <QRect>
#include <QWidget>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockscope {

// Indices of the places from top to bottom and from left to right: what a line across all of them parts comes
// part after part, and where none does, the higher one comes first.
std::vector<std::size_t> reading_order(const std::vector<QRect>& places);

// The parts of the window, in their order.
enum class TabArea : std::uint8_t { Toolbar, Left, Centre, Right, Bottom, Status };

struct TabStop {
    QWidget* widget = nullptr;
    TabArea area = TabArea::Centre;
    const QWidget* panel = nullptr;  // the dock, the names of panels, or the part of the window
    QRect place;                     // of the widget; in the window's coordinates
};

// All that are seen: toolbar, panels at the left, the page, panels at the right, the timeline, status bar;
// those of a panel stand together.
std::vector<TabStop> tab_stops(const QMainWindow& window);

// Gives the next stop the focus (the one before, if not `next`), and scrolls to it: that stop; null without
// any.
QWidget* go_to_next_stop(QMainWindow& window, bool next);

// Gives the panel the focus; if it has no use for keys itself, its first stop that edits no value, where the
// window's keys go on to work.
void give_keys(QWidget& panel);

// Marks the stop that Tab has reached with a ring above the window's other parts, if that is a picture, a
// chart, a page or a label with links: all other stops draw their own. Hides it when the focus goes
// elsewhere.
class FocusRing : public QWidget {
public:
    explicit FocusRing(QWidget& window);

    void show_at(QWidget& stop);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void leave();
    void place();

    QPointer<QWidget> stop_;
};

}  // namespace blockscope
