// Where the parts of the picture's page stand: legend and caption beside the canvas, small widgets over it.
#include <QLabel>

#include "app/scene/canvas.h"
#include "app/scene/minimap.h"
#include "app/shell/appearance.h"
#include "app/shell/settings.h"
#include "app/window/picture_view.h"

namespace blockscope {

namespace {

constexpr int kNarrowest = 360;    // the canvas beside the legend
constexpr int kLegendTop = 40;     // below the breadcrumb
constexpr int kAboveCaption = 24;  // its margin, and a little air
constexpr int kCrumbAir = 8;       // around the breadcrumb

}  // namespace

// The legend and the caption cover nothing; where the picture would become too narrow, the legend is a row
// below it.
void PictureView::place_parts() {
    const int column = legend_->sizeHint().width();
    const bool legend =
        services_.settings.legend() && !services_.appearance.presenting() && width() >= column + kNarrowest;
    legend_->setVisible(legend);
    legend_->setGeometry(0, kLegendTop, column, height() - kLegendTop);
    const int left = legend ? column : 0;
    const bool strip = !legend && !services_.appearance.presenting();
    strip_->setVisible(strip);
    strip_->setGeometry(0, height() - strip_->height(), width(), strip_->height());
    const int caption = caption_->isVisibleTo(this) ? caption_->height() + kAboveCaption : 0;
    const int foot = caption + (strip ? strip_->height() : 0);
    canvas_->setGeometry(left, 0, width() - left, height() - foot);
    place_over();
}

// The breadcrumb stands above the legend, or in the first corner of the canvas where it covers no block; the
// words on a preview likewise. Neither covers the overview.
void PictureView::place_over() {
    if (!picture()) return;
    std::vector<QRect> taken;
    if (minimap_->isVisibleTo(canvas_)) taken.push_back(minimap_->geometry());
    breadcrumb_->adjustSize();
    breadcrumb_->raise();
    const QPoint above_legend(kCrumbAir, kCrumbAir);
    if (legend_->isVisibleTo(this) && breadcrumb_->width() + 2 * kCrumbAir <= canvas_->x()) {
        breadcrumb_->move(above_legend);
    } else {
        const CornerPlace there = corner_over(canvas_->size(), breadcrumb_->size(),
                                              {Qt::TopLeftCorner, Qt::BottomLeftCorner, Qt::TopRightCorner},
                                              covered_by(*canvas_, taken));
        breadcrumb_->move(canvas_->pos() + there.at);
        if (breadcrumb_->isVisibleTo(this)) taken.emplace_back(there.at, breadcrumb_->size());
    }
    if (!chip_->isVisibleTo(canvas_)) return;
    chip_->move(corner_over(canvas_->size(), chip_->size(),
                            {Qt::TopRightCorner, Qt::BottomRightCorner, Qt::BottomLeftCorner},
                            covered_by(*canvas_, taken))
                    .at);
}

}  // namespace blockscope
