// The `?` sheet: all actions with their keys, by menu, with a search field.
#pragma once

#include <QDialog>

class QTreeWidget;

namespace blockscope {

class Appearance;

class ShortcutSheet : public QDialog {
    Q_OBJECT

public:
    explicit ShortcutSheet(Appearance& appearance, QWidget* parent = nullptr);

    void filter(const QString& text);
    int shown_rows() const;  // without headings

private:
    QTreeWidget* tree_;
};

}  // namespace blockscope
