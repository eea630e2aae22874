// A slider over the run, on a chart of the buffered edges of its states.
#pragma once

#include <QSlider>

#include "app/panels/timeline_model.h"

namespace blockscope {

class RunSlider : public QSlider {
    Q_OBJECT

public:
    RunSlider(Document& document, TimelineModel& model, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void refresh();
    double x_of(int index) const;
    int index_at(double x) const;

    Document& document_;
    TimelineModel& model_;
};

}  // namespace blockscope
