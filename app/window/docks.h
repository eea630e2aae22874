// The panels around the picture: how they stand at first, and how the user left them.
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <map>
#include <string>

#include "app/panels/panel_table.h"
#include "app/panels/services.h"

namespace blockscope {

class DockSizes;

class Docks : public QObject {
    Q_OBJECT

public:
    // Makes a dock for every panel of the table that does not stand in the centre.
    Docks(QMainWindow& window, Document& document, Services& services);

    void reset();
    // Hides all panels, and brings them back as they were. `resized`: the window is about to have the size
    // and the type again that it had, and they are arranged once more when it has.
    void set_shown(bool shown, bool resized = false);
    bool shown() const { return shown_; }
    // Between runs.
    void remember();
    void recall();

    bool has(const std::string& panel) const { return docks_.count(panel) > 0; }
    QDockWidget* dock(const std::string& panel) const { return docks_.at(panel); }
    // In front, with the focus.
    void raise(const std::string& panel);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void add(const PanelInfo& panel, Document& document);
    void restore_later(const QByteArray& state);
    void arrange();
    // Docks behind tabs have no title bar: the tab says the same.
    void trim_titles();
    void follow(const PanelInfo& panel);
    void let_tear(bool on);

    QMainWindow& window_;
    Services& services_;
    DockSizes* sizes_;
    std::map<std::string, QDockWidget*> docks_;
    QByteArray hidden_state_;  // the arrangement while the panels are hidden
    bool shown_ = true;
};

}  // namespace blockscope
