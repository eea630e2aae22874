#include "app/panels/lazy_highlighter.h"

#include <QElapsedTimer>
#include <QTextBlock>
#include <QTextDocument>
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

}  // namespace blockscope
