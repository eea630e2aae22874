// Text in lines with a margin: numbers, marks of what changed, guides of indentation, lit lines. The listing
// and the editor of programs are two.
#pragma once

#include <QPlainTextEdit>
#include <QTimer>
#include <map>
#include <vector>

#include "app/shell/appearance.h"

namespace blockscope {

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

}  // namespace blockscope
