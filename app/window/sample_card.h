// A sample as a card: its picture before and after fusion, its title, what it is.
#pragma once

#include <QAbstractButton>

#include "app/window/appearance.h"
#include "app/window/samples.h"
#include "app/window/thumbnails.h"

namespace blockscope {

class SampleCard : public QAbstractButton {
    Q_OBJECT

public:
    SampleCard(const Sample& sample, Thumbnails& thumbnails, Appearance& appearance,
               QWidget* parent = nullptr);

    const Sample& sample() const { return sample_; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void paint_pictures(QPainter& painter, const QRect& area);
    void paint_text(QPainter& painter, const QRect& area);

    const Sample& sample_;
    Thumbnails& thumbnails_;
    Appearance& appearance_;
};

}  // namespace blockscope
