// The row of controls on top of a panel, and what is below it in a small one.
#pragma once

#include <QHBoxLayout>
#include <QToolButton>

namespace blockscope {

struct PanelBar {
    QWidget* widget = nullptr;
    QHBoxLayout* row = nullptr;
};
PanelBar make_panel_bar(QWidget* panel);

// What it is called aloud, and what it does. (A button of one sign is called by its help.)
QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& name, const QString& help);
// Called what it says.
QToolButton* make_bar_button(QWidget* bar, const QString& text, const QString& help);

// What is laid out in this fills the page as long as it has room, else it scrolls: nothing is cut off.
QWidget* make_scrolled_content(QWidget* page);

}  // namespace blockscope
