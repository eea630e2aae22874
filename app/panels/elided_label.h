// A line of text. Where there is no room for all of it, the first of its shorter forms that has room stands
// there; the last one, or the text itself, ends with an ellipsis. The tooltip has all of it.
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
    void set_shorter(const QStringList& forms) {  // the longest first
        shorter_ = forms;
        update();
    }
    // What is seen at this width.
    QString shown() const {
        const int room = contentsRect().width();
        QString form = text();
        for (const QString& shorter : shorter_) {
            if (fontMetrics().horizontalAdvance(form) <= room) break;
            form = shorter;
        }
        return fontMetrics().elidedText(form, Qt::ElideRight, room);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, shown());
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

private:
    QStringList shorter_;
};

}  // namespace blockscope
