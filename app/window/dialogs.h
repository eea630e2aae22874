// Dialogs of the window: its settings, and all actions with their keys.
#pragma once

#include <QDialog>

#include "app/shell/settings.h"

namespace blockscope {

// Theme, animations, speed of playing, journal. Every change holds at once.

class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);
};

}  // namespace blockscope

// The `?` sheet: all actions with their keys, by menu, with a search field.

class QLabel;
class QTreeWidget;

namespace blockscope {

class Appearance;

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(Appearance& appearance, QWidget* parent = nullptr);

    void filter(const QString& text);
    int shown_rows() const;  // without headings
    // At which nothing is cut; a small screen has no room for it.
    int liked_width() const;

private:
    QTreeWidget* tree_;
    QLabel* none_;  // instead of rows
};

}  // namespace blockscope
