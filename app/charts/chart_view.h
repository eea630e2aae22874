// Shows a chart: tips where the pointer is, a click chooses the number under it and a double click goes to
// its state; the arrow keys go from spot to spot, Space and Return do the same as the clicks.
#pragma once

#include <QWidget>

#include "app/charts/chart.h"

namespace blockscope {

class ChartView : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);

    // `summary` is what a screen reader says of the whole chart.
    void show_chart(PaintChart paint, const QString& summary);
    void set_style(const ChartStyle& style);
    const ChartStyle& style_now() const { return style_; }
    const PaintChart& chart() const { return paint_; }
    const std::vector<ChartSpot>& spots() const { return spots_; }

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

Q_SIGNALS:
    void chosen(int key, int part);  // of the clicked spot
    void opened(int key);            // of the spot that was clicked twice
    void pointed(int key);           // of the spot under the pointer; -1: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int spot_at(QPointF point) const;
    void point_at(int spot);
    void choose(int spot);

    PaintChart paint_;
    ChartStyle style_;
    std::vector<ChartSpot> spots_;  // of the last painting
    int pointed_ = -1;              // index of the spot
};

}  // namespace blockscope
