// Finds texts that the user sees and that do not go through a translation.
#pragma once

#include <QModelIndex>
#include <QString>
#include <set>
#include <string>

class QAbstractItemView;
class QWidget;

namespace blockscope::test {

// With the made-up language installed: whatever is not in its brackets. Words of less than three letters are
// taken for names of dimensions, arrays and nodes.
class Texts {
public:
    // Words of programs and proper names, which are no texts.
    void allow(const QString& words);
    // The widget, everything in it, its actions with their menus, all rows of its models.
    void look(const QWidget& widget);
    void check(const std::string& where, const char* what, const QString& text);

    const std::set<std::string>& bare() const { return bare_; }
    // All that was looked at, a line each, without the marks of keys in menus.
    const std::set<QString>& lines() const { return lines_; }

private:
    void look_inside(const QWidget& widget, const std::string& where);
    void look_at_rows(const QAbstractItemView& view, const std::string& where, const QModelIndex& parent);

    std::set<QString> allowed_;
    std::set<std::string> bare_;
    std::set<QString> lines_;
};

}  // namespace blockscope::test
