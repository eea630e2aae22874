// Text in lines with a margin: numbers, marks of what changed, guides of indentation, lit lines. The listing
// and the editor of programs are two of them. Lines are linked with the nodes of the program that they come
// from.
#pragma once

#include <QObject>
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QTimer>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/document/document.h"
#include "app/shell/appearance.h"

namespace blockscope {

// ---- Long texts are filled in and coloured a part at a time, so that the window never waits for them.

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
    // The same, but the first and the last lines stay that are there already, with their formats: what
    // changes is laid out alone.
    void change(std::size_t count, std::function<QString(std::size_t)> line);
    bool busy() const { return turn_.isActive(); }

Q_SIGNALS:
    void filled();  // the rest is there, too

private:
    struct Kept {
        std::size_t first = 0, last = 0;  // so many lines
    };
    Kept kept_lines(std::size_t count, const std::function<QString(std::size_t)>& line) const;
    void replace_lines(const Kept& kept, std::size_t before);
    void go_on();

    QPlainTextEdit& view_;
    std::function<QString(std::size_t)> line_;
    std::size_t count_ = 0, next_ = 0;
    QTimer turn_;  // runs while some lines are missing
};

// What the margin says of a line. Each has a sign beside its colour.
enum class LineMark : std::uint8_t {
    None,
    Added,    // +
    Removed,  // -
    Changed,  // ~
    Error,    // !
};

struct LineLook {
    int number = 0;  // in the margin; 0: none
    LineMark mark = LineMark::None;
    bool gap = false;        // a thin wedge above the line: something is gone there
    double heat = 0;         // 0 .. 1: a bar behind the line's number, as long as this share of the margin
    QString heat_text = {};  // "12.3 MB", of the bar
    QString note = {};       // pale, behind the line's text where there is room; no part of it
};

class CodeView : public QPlainTextEdit {
    Q_OBJECT

public:
    CodeView(Appearance& appearance, QWidget* parent = nullptr);

    // Looks of all lines; lines behind the last one are counted on without marks.
    void set_looks(std::vector<LineLook> looks);
    const std::vector<LineLook>& looks() const { return looks_; }

    enum class Light : std::uint8_t { Hovered, Selected, Glow };
    void set_lights(std::map<int, Light> lights);
    const std::map<int, Light>& lights() const { return lights_; }

    // Further decorations of parts of the text, over the lights.
    void set_decorations(QList<QTextEdit::ExtraSelection> decorations);

    // Scrolls as little as possible so that lines `first` to `last` show; the first has precedence.
    void show_lines(int first, int last);
    void go_to(int line, int column);
    int line_at(const QPoint& viewport_position) const;  // -1 beside the text
    int current_line() const { return textCursor().blockNumber(); }

    // For the margin beside the text.
    int margin_width() const;
    void paint_margin(QPaintEvent* event);
    QString margin_tip(const QPoint& at) const;
    void click_margin(const QPoint& at);

Q_SIGNALS:
    void line_hovered(int line);  // -1: none
    void line_chosen(int line);   // clicked, or reached by keys
    void heat_clicked(int line);  // the bar in the margin
    void restyled();              // the theme or the size of the text is another

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    Appearance& appearance_;

private:
    void restyle();
    void place_margin();
    void decorate();
    void paint_guides(const QRect& area);
    void paint_notes(const QRect& area);
    LineLook look(int line) const;
    int heated_line_at(const QPoint& margin_position) const;
    QColor mark_color(LineMark mark) const;
    QTextEdit::ExtraSelection whole_line(int line, const QColor& color) const;

    QWidget* margin_;
    std::vector<LineLook> looks_;
    std::map<int, Light> lights_;
    QList<QTextEdit::ExtraSelection> decorations_;
    QTimer decorating_;
    int hovered_ = -1;
    bool stale_ = false;  // it has not the colours and the font of now
};

// Where each node of a program is, and which names at different levels mean one value.

class ProgramLinks {
public:
    ProgramLinks() = default;
    explicit ProgramLinks(ProgramPtr program);

    const BlockProgram* program() const { return program_.get(); }
    const Node* find(NodeId id) const;
    // The map whose body holds the node; none at the top level.
    NodeId parent(NodeId id) const;
    // The maps around the node, outermost first.
    std::vector<NodeId> path(NodeId id) const;

    // The output of the operator or program input that makes the value, through all ports of maps.
    ValueRef origin(const ValueRef& value) const;
    // Some consumer of the value at its own level.
    NodeId user(const ValueRef& value) const;

    // What to light for a line that shows `node` and, if it is a load or store, moves `value`.
    Spot spot(NodeId node, const std::optional<ValueRef>& value) const;
    // The values that `spot` means: its edge's, and those of program inputs, outputs and ports among its
    // nodes.
    std::vector<ValueRef> origins(const Spot& spot) const;

private:
    void add_level(const Graph& graph, const Node* map);

    ProgramPtr program_;
    struct Where {
        NodePtr node;
        NodeId parent;
    };
    std::unordered_map<std::uint32_t, Where> nodes_;
    std::map<ValueRef, ValueRef> source_;  // from a port to what it passes on
    std::map<ValueRef, NodeId> users_;
};

// Lines of code and the nodes that they are of light each other: of the listing, of CUDA.

class CodeLinks : public QObject {
    Q_OBJECT

public:
    struct Line {
        NodeId node;                    // none: the line is of no node
        std::optional<ValueRef> value;  // that the line moves
        bool gone = false;              // of another state: points at its node, but is not lit
    };
    // Belongs to the view.
    CodeLinks(Document& document, CodeView& view);

    // The view shows these lines of that program from now on, or is about to: refresh() once it does.
    void show(ProgramLinks program, std::vector<Line> lines);
    const ProgramLinks& program() const { return program_; }
    // Lights what is pointed at, selected and glowing, and brings what is selected into sight.
    void refresh();
    void relight();

private:
    Spot spot_of(int line) const;
    void light(const Spot& spot, CodeView::Light how, std::map<int, CodeView::Light>& lights) const;
    void scroll_to_selection();

    Document& document_;
    CodeView& view_;
    ProgramLinks program_;
    std::vector<Line> lines_;
    bool selecting_ = false;  // the selection comes from here
};

}  // namespace blockscope
