// What dialogs and windows have in common: how large they open, links reached by the keyboard, where a file
// is written.
#pragma once

#include <QLabel>
#include <QScreen>
#include <QString>
#include <QWidget>
#include <functional>

namespace blockscope {

// How large a window opens: as it would like, but not larger than its screen.

inline QSize first_size(const QWidget& window, const QSize& liked) {
    constexpr QSize kFrame(40, 60);  // the desktop's, and some air
    return liked.boundedTo(window.screen()->availableSize() - kFrame);
}

// Labels that have links at times.

// Whether the label is a stop of the Tab key, whose links are opened with Enter.
inline void set_reachable_links(QLabel& label, bool reachable) {
    const Qt::TextInteractionFlags keyboard =
        reachable ? Qt::LinksAccessibleByKeyboard : Qt::NoTextInteraction;
    label.setTextInteractionFlags(Qt::LinksAccessibleByMouse | keyboard);
}

}  // namespace blockscope

// The dialog that asks for a file to write.

class QWidget;

namespace blockscope {

// A document's or program's name as that of a file: what paths and file systems give a meaning to becomes
// "-", and it is neither empty nor hidden. "a/b" becomes "a-b", "../x" becomes "x".
QString file_name_of(const QString& name);

// Shows it over `parent` and returns at once; `write` gets the path that is chosen, and is not called
// without one. `name` is suggested; `filter`: "CUDA (*.cu)".
void ask_where_to_write(QWidget& parent, const QString& title, const QString& filter, const QString& name,
                        std::function<void(const QString&)> write);

// The same, and waits for the answer: the path, or nothing. It begins in the folder of `name`, else in that
// of the answer before. A name without a suffix gets that of `name`, before the question whether another file
// is to be replaced.
QString where_to_write(QWidget* parent, const QString& title, const QString& filter, const QString& name);

}  // namespace blockscope
