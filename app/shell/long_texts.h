// Long texts are filled in and coloured a part at a time, so that the window never waits for them.
#pragma once

#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QTimer>
#include <functional>

namespace blockscope {

// Colours of a text, a part at a time: colouring all lines of a long one at once would hold up the window.
// However a change comes about (another text, a line, other colours), the first lines are coloured at once
// and the rest soon after.

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

// Puts long texts into a view a part at a time: all of their lines at once would hold up the window.

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
