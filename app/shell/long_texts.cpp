#include "app/shell/long_texts.h"

#include <QElapsedTimer>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>
#include <utility>

namespace blockscope {

namespace {

constexpr int kTurn = 12;  // milliseconds of colouring in one turn of the event loop

}  // namespace

LazyHighlighter::LazyHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &LazyHighlighter::go_on);
}

void LazyHighlighter::highlightBlock(const QString& text) {
    if (!turn_.isActive()) turn_.start();
    if (done_ < kLinesAtOnce) {
        ++done_;
        return colour(text);
    }
    const int line = currentBlock().blockNumber();
    if (next_ < 0 || line < next_) next_ = line;
}

void LazyHighlighter::recolour() {
    if (document()->blockCount() <= kLinesAtOnce) return rehighlight();
    next_ = 0;
    turn_.start();
}

void LazyHighlighter::go_on() {
    done_ = 0;
    if (next_ < 0) return;
    QTextBlock block = document()->findBlockByNumber(std::exchange(next_, -1));
    QElapsedTimer clock;
    clock.start();
    colouring_ = true;
    for (int i = 0; i < kLinesAtOnce && clock.elapsed() < kTurn && block.isValid(); ++i, block = block.next())
        rehighlightBlock(block);
    colouring_ = false;
    // All lines behind the first that waits, as others of them may wait, too.
    if (block.isValid()) next_ = block.blockNumber();
    turn_.start();
}

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
