#include "app/panels/line_filler.h"

#include <algorithm>
#include <utility>

namespace blockscope {

namespace {

constexpr std::size_t kLinesAtOnce = 200;

}  // namespace

LineFiller::LineFiller(QPlainTextEdit& view) : QObject(&view), view_(view) {
    connect(&turn_, &QTimer::timeout, this, [this] {
        go_on();
        if (next_ < count_) return;
        turn_.stop();
        Q_EMIT filled();
    });
}

void LineFiller::fill(std::size_t count, std::function<QString(std::size_t)> line) {
    line_ = std::move(line);
    count_ = count;
    next_ = 0;
    turn_.stop();
    view_.clear();
    go_on();
    if (next_ < count_) turn_.start(0);
}

void LineFiller::go_on() {
    const bool first = next_ == 0;
    QString text;
    const std::size_t end = std::min(count_, next_ + kLinesAtOnce);
    for (; next_ < end; ++next_) {
        if (next_ > 0) text += QLatin1Char('\n');
        text += line_(next_);
    }
    if (first) return view_.setPlainText(text);
    QTextCursor cursor(view_.document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text);
}

}  // namespace blockscope
