// What shapes, lines and colours mean, painted by the functions that paint pictures.
#pragma once

#include <QWidget>

#include "app/scene/paint.h"

namespace blockscope {

// The extent of a legend at scale 1, with a margin.
Size legend_size(int columns);
// Paints it with its top left corner at the origin, on a plate in the theme's background.
void paint_legend(QPainter& painter, const Theme& theme, int columns);

// As a widget: a floating card in the bottom-left corner of its parent.
class Legend : public QWidget {
    Q_OBJECT

public:
    explicit Legend(QWidget* parent, int columns = 2);
    void set_theme(const Theme& theme);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    Theme theme_ = Theme::light();
    int columns_;
};

}  // namespace blockscope
