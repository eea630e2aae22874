// Paints a clock diagram (Figures 34 to 37), and writes it as a file.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <QWidget>
#include <optional>
#include <string>

#include "app/circuit/circuit_file.h"
#include "app/scene/theme.h"
#include "core/napkin/drawings.h"

namespace blockscope {

// Clocks as they are written: two digits.
QString clocks_text(double clocks);

// Does not fill the background.
void paint_clocks(QPainter& painter, const circuit::ClockDrawing& drawing, const Theme& theme);

// A clock diagram in one of clock_formats(). Empty for texts that are written from the schedule itself, and
// for an image that would be too large. Painting needs a QGuiApplication.
QByteArray clock_bytes(const std::string& format, const circuit::ClockDrawing& drawing,
                       const CircuitFile& file);

// Paints a hierarchy (Figures 7 and 25), and writes it as a file.

// Does not fill the background.
void paint_levels(QPainter& painter, const circuit::LevelDrawing& drawing, const Theme& theme);

// A diagram of levels in one of level_formats(); empty for others, and for an image that would be too large.
QByteArray level_bytes(const std::string& format, const circuit::LevelDrawing& drawing,
                       const CircuitFile& file);

// Shows a clock diagram as wide as the widget: blocks by unit, overhead hatched, waits as dotted verticals.

class ClockView : public QWidget {
    Q_OBJECT

public:
    explicit ClockView(QWidget* parent = nullptr);

    void show_schedule(std::optional<circuit::Schedule> schedule);
    const std::optional<circuit::ClockDrawing>& drawing() const { return drawing_; }
    void set_theme(const Theme& theme);
    // The diagram or its schedule as a file in one of clock_formats(); empty without a schedule, and for
    // others.
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
