// Finds places for labels of points where they cover neither each other nor other points.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace blockscope {

class LabelPlacer {
public:
    explicit LabelPlacer(const QRectF& inside) : inside_(inside) {}

    // Nothing is put here.
    void keep_free(const QRectF& rect) { taken_.push_back(rect); }
    // Whether nothing is there yet; from now on this is.
    bool take(const QRectF& rect);
    bool is_free(const QRectF& rect) const;  // and inside
    // A rectangle of this size beside a point of `radius`, right of it if possible; taken from now on. None
    // if all eight places around are taken.
    std::optional<QRectF> place(QPointF point, double radius, QSizeF size);

private:
    QRectF inside_;
    std::vector<QRectF> taken_;
};

}  // namespace blockscope
