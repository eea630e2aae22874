#include "app/compare/marks_legend.h"

#include <QPaintEvent>
#include <QPainter>
#include <cmath>

#include "app/scene/legend_entries.h"

namespace blockscope {

MarksLegend::MarksLegend(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("What the marks mean"));
    hide();
}

void MarksLegend::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

void MarksLegend::show_signs(const Signs& signs) {
    signs_ = signs;
    QStringList meanings;
    for (const LegendEntry& entry : legend_entries(signs_)) meanings << entry.text;
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    setVisible(!signs_.empty());
    resizeEvent(nullptr);
    update();
}

int MarksLegend::columns() const {
    return legend_columns(signs_, width());
}

// As many rows as the width makes it.
void MarksLegend::resizeEvent(QResizeEvent*) {
    if (!signs_.empty()) setFixedHeight(static_cast<int>(std::ceil(legend_size(signs_, columns()).height)));
}

void MarksLegend::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(event->rect(), theme_.canvas);
    paint_legend(painter, theme_, signs_, columns());
}

}  // namespace blockscope
