// A line of text that ends with an ellipsis where there is no room for all of it; its tooltip then has it.
#pragma once

#include <QEvent>
#include <QLabel>
#include <QPainter>

namespace blockscope {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::PlainText);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, shown);
    }
    bool event(QEvent* event) override {
        // Where nothing else is said about it.
        if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
            setToolTip(text());
            const bool done = QLabel::event(event);
            setToolTip({});
            return done;
        }
        return QLabel::event(event);
    }
};

}  // namespace blockscope
