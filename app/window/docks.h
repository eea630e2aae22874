// How large the user left the panels. A window that is made small takes room from them, and a panel that
// needs more gives room to those behind its tab; Qt leaves them so. As soon as there is room for all of them
// again, and the large one is closed, they are as they were.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QObject>
#include <QTimer>
#include <map>
#include <string>
#include <vector>

#include "app/shell/services.h"
#include "app/window/panel_strip.h"
#include "app/window/panel_table.h"

class QHBoxLayout;
class QTabWidget;
class QWidget;

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

// The panels around the picture: how they stand at first, and how the user left them.

class DockSizes;

class Docks : public QObject {
    Q_OBJECT

public:
    // Makes a dock for every panel of the table that does not stand in the centre.
    Docks(QMainWindow& window, Document& document, Services& services);

    // Takes the strips of names into the row, beside the pages that panels lie over.
    void put_strips(QHBoxLayout& row, QTabWidget& pages);
    void reset();
    // Hides all panels, and brings them back as they were. `resized`: the window is about to have the size
    // and the type again that it had, and they are arranged once more when it has.
    void set_shown(bool shown, bool resized = false);
    bool shown() const { return shown_; }
    // Between runs.
    void remember();
    void recall();

    // Arrangements by name, kept in the settings.
    QStringList arrangements() const;
    void keep(const QString& name);
    void use(const QString& name);
    void forget(const QString& name);

    bool has(const std::string& panel) const { return docks_.count(panel) > 0; }
    QDockWidget* dock(const std::string& panel) const { return docks_.at(panel); }
    // The timeline as one row, or with large cells.
    void set_compact(bool compact);
    // In front, with the focus.
    void raise(const std::string& panel);
    // The side panels as names at the edges, each over the picture while it is open. It does not
    // begin while a panel floats, and waits while they are hidden or a lesson has the window.
    void set_overlaid(bool on);
    bool overlaid() const { return overlaid_; }
    // Closes those that lie over the picture; whether any did.
    bool clear_overlay();
    // For a lesson: its panel and the timeline, and nothing else. Then as it was before.
    void set_calm(bool calm);
    bool calm() const { return calm_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void add(const PanelInfo& panel, Document& document);
    void restore(const QByteArray& state);
    void restore_later(const QByteArray& state);
    void rest_if_unseen(QDockWidget& dock);
    bool floats() const;  // whether any panel does
    void lay_over();
    void lay_beside(bool still_open = false);
    bool is_over(const QDockWidget& dock) const;
    void place_over();
    void place_shades();
    void close_over(QDockWidget& dock);
    bool filter_over(QObject* watched, QEvent* event);
    void put_beside(const std::vector<QDockWidget*>& docks);
    void put_below(QDockWidget* dock);
    void give_keys_to_page();
    QByteArray state();
    void show_again();
    void hide_all();
    int liked_width(PanelArea area) const;
    PanelStrip* strip_of(const QDockWidget& dock) const;
    void arrange();
    // Docks behind tabs have no title bar: the tab says the same.
    void trim_titles();
    void close(QDockWidget& dock);
    void follow(const PanelInfo& panel);
    void let_tear(bool on);

    QMainWindow& window_;
    Services& services_;
    DockSizes* sizes_;
    std::map<std::string, QDockWidget*> docks_;
    QTabWidget* pages_ = nullptr;
    PanelStrip* left_strip_;
    PanelStrip* right_strip_;
    PanelShade* left_shade_;
    PanelShade* right_shade_;
    static int version();      // of arrangements: one of other panels is forgotten
    QByteArray hidden_state_;  // the arrangement while the panels are hidden
    QByteArray beside_state_;  // the arrangement while the side panels lie over the picture
    bool overlay_wanted_ = false;
    bool overlaid_ = false;
    bool shown_ = true;
    bool calm_ = false;
    bool restoring_ = false;  // an arrangement
};

}  // namespace blockscope
