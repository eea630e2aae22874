#include "app/scene/icons.h"

#include <QIconEngine>
#include <QPainter>

#include "app/scene/icon_shapes.h"

namespace blockscope {

namespace {

class IconEngine : public QIconEngine {
public:
    IconEngine(IconShape off, IconShape on, const Theme& theme)
        : off_(std::move(off)), on_(std::move(on)), theme_(theme) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        const IconShape& shape = state == QIcon::On ? on_ : off_;
        QColor color = state == QIcon::On ? theme_.selected : theme_.ink;
        if (mode == QIcon::Disabled) color = mixed(theme_.canvas, theme_.faint, 0.55);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const double side = std::min(rect.width(), rect.height());
        painter->translate(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2);
        painter->scale(side / 24, side / 24);
        painter->fillPath(shape.filled, color);
        painter->strokePath(shape.lines, QPen(color, 1.7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        QPen dots(color, 1.7, Qt::CustomDashLine, Qt::RoundCap);
        dots.setDashPattern({0.01, 2.05});
        painter->strokePath(shape.dotted, dots);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap result(size);
        result.fill(Qt::transparent);
        QPainter painter(&result);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return result;
    }

    QIconEngine* clone() const override { return new IconEngine(off_, on_, theme_); }

private:
    IconShape off_, on_;
    Theme theme_;
};

}  // namespace

QIcon icon(const char* name, const Theme& theme) {
    IconShape shape = icon_shape(QString::fromLatin1(name));
    if (shape.lines.isEmpty() && shape.filled.isEmpty()) return {};
    // What plays is stopped by the same button.
    IconShape checked =
        QLatin1String(name) == QLatin1String("play") ? icon_shape(QStringLiteral("pause")) : shape;
    return QIcon(new IconEngine(std::move(shape), std::move(checked), theme));
}

}  // namespace blockscope
