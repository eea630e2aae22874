// Colours of a text, a part at a time: colouring all lines of a long one at once would hold up the window.
// However a change comes about (another text, a line, other colours), the first lines are coloured at once
// and the rest soon after.
#pragma once

#include <QSyntaxHighlighter>
#include <QTimer>

namespace blockscope {

class LazyHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    static constexpr int kLinesAtOnce = 400;
    explicit LazyHighlighter(QTextDocument* document);

    // The colours are others now. Unlike rehighlight(), which walks through the whole document, a long one
    // gets them a part at a time, the first lines first, and keeps the old ones so long.
    void recolour();

    // Whether some lines still wait for their colours.
    bool busy() const { return next_ >= 0; }
    // Whether it gives colours just now: that is told as a change of the text, line by line.
    bool colouring() const { return colouring_; }

protected:
    // Sets the formats of one line; its number is currentBlock().blockNumber().
    virtual void colour(const QString& text) = 0;

    void highlightBlock(const QString& text) final;

private:
    void go_on();

    QTimer turn_;   // fires once events have been handled
    int done_ = 0;  // lines of this turn
    bool colouring_ = false;
    int next_ = -1;  // the first line that waits; -1 for none
};

}  // namespace blockscope
