// Puts long texts into a view a part at a time: all of their lines at once would hold up the window.
#pragma once

#include <QPlainTextEdit>
#include <QTimer>
#include <functional>

namespace blockscope {

class LineFiller : public QObject {
    Q_OBJECT

public:
    // Belongs to the view.
    explicit LineFiller(QPlainTextEdit& view);

    // From now on the view has `count` lines, those that fit it at once and the rest soon after. `line(i)` is
    // asked for each of them, until the next call.
    void fill(std::size_t count, std::function<QString(std::size_t)> line);
    bool busy() const { return turn_.isActive(); }

Q_SIGNALS:
    void filled();  // the rest is there, too

private:
    void go_on();

    QPlainTextEdit& view_;
    std::function<QString(std::size_t)> line_;
    std::size_t count_ = 0, next_ = 0;
    QTimer turn_;  // runs while some lines are missing
};

}  // namespace blockscope
