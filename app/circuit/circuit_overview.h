// The overview of a circuit, in the corner of its view where it covers least, while some of it is out of
// sight.
#pragma once

#include <QPixmap>

#include "app/circuit/circuit_view.h"
#include "app/scene/overview.h"

namespace blockscope {

class CircuitOverview : public Overview {
    Q_OBJECT

public:
    // A child of the view.
    explicit CircuitOverview(CircuitView* view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow_view();
    std::vector<Covered> covered() const;
    Rect bounds() const override { return view_->drawing() ? view_->drawing()->bounds : Rect{}; }
    Rect seen() const override { return view_->seen(); }
    const Theme& theme() const override { return view_->look().theme; }
    void show_place(Point place) override { view_->show_place(place); }
    QPixmap pixels_of(const circuit::Drawing& drawing) const;

    CircuitView* view_;
    DrawingPtr placed_for_;  // and `placed_in_`: what its corner was chosen for
    QSize placed_in_;
    DrawingPtr shown_;  // what `pixels_` are of
    QPixmap pixels_;
    QColor ground_;  // of the theme that they are painted in
};

}  // namespace blockscope
