// How the parts of a stack are told apart: a colour of Okabe and Ito's palette and a pattern.
#pragma once

#include <QColor>
#include <QRectF>

#include "app/scene/theme.h"

class QPainter;

namespace blockscope {

constexpr int kSeriesLooks = 8;

QColor series_color(const Theme& theme, int index);
// Fills `rect` with the series' colour and its pattern (none, lines in four directions, dots), drawn as plain
// strokes so that every device and file has it.
void fill_series(QPainter& painter, const QRectF& rect, const Theme& theme, int index);

}  // namespace blockscope
