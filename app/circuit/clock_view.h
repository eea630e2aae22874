// Shows a clock diagram as wide as the widget: blocks by unit, overhead hatched, waits as dotted verticals.
#pragma once

#include <QByteArray>
#include <QWidget>
#include <optional>

#include "app/scene/theme.h"
#include "core/circuit/layout/clock_drawing.h"

namespace blockscope {

class ClockView : public QWidget {
    Q_OBJECT

public:
    explicit ClockView(QWidget* parent = nullptr);

    void show_schedule(std::optional<circuit::Schedule> schedule);
    const std::optional<circuit::ClockDrawing>& drawing() const { return drawing_; }
    void set_theme(const Theme& theme);
    // The diagram as a file: "svg", "pdf", "png" or "tex" (TikZ); empty without a diagram, and for others.
    QByteArray file(const std::string& format, const std::string& title) const;
    // What is under the mouse there, in a line; empty for nothing.
    QString text_at(QPointF place) const;
    QSize sizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void draw_again();

    Theme theme_ = Theme::light();
    std::optional<circuit::Schedule> schedule_;
    std::optional<circuit::ClockDrawing> drawing_;
};

}  // namespace blockscope
