// Where the parts of the picture's page stand: legend and caption beside the canvas, small widgets over it.
#include <QLabel>
#include <QMainWindow>
#include <algorithm>

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

constexpr double kSmallestName = 12;  // pixels at scale 1

}  // namespace

RoomHold::Frame PictureView::frame() const {
    const auto* main = qobject_cast<const QMainWindow*>(window());
    const QWidget* outer = main && main->centralWidget() ? main->centralWidget() : window();
    return {.outer = outer->size(),
            .width = canvas_->width(),
            .below = below_,
            .legend = services_.settings.legend(),
            .presenting = services_.appearance.presenting(),
            .state = document_.empty() ? -1 : document_.content().current};
}

int PictureView::foot() const {
    const int caption = caption_->isVisibleTo(this) ? caption_->height() + kAboveCaption : 0;
    return caption + (strip_->isVisibleTo(this) ? strip_->height() : 0);
}

void PictureView::leave_room(int right, int below) {
    if (right == right_ && below == below_) return;
    right_ = right;
    below_ = below;
    place_parts();
    reshape();
}

// Where a talk begins and what it comes to is shown whole even in letters that can just be read, and so is
// what is asked about, as long as the question stands there: its answer moves nothing.
std::optional<double> PictureView::whole_scale() const {
    if (!services_.appearance.presenting() || !shown_.content || !shown_.content->history.has(shown_.state))
        return std::nullopt;
    const History& history = shown_.content->history;
    const HistoryState& state = history.state(shown_.state);
    const bool end = history.branch(shown_.content->branch).tip == shown_.state;
    const bool shows_all = !state.step || state.snapshot || end || has_card();
    return shows_all ? least_letters(screen_rows(), devicePixelRatioF()) / kSmallestName : room_scale();
}

// From which scale on a room sees all of a picture. What counts for a room is the share of the screen, so
// these are the screen's own pixels.
double PictureView::room_scale() const {
    const double ratio = devicePixelRatioF();
    const double letters =
        std::max(whole_letters(screen_rows()) / ratio, least_letters(screen_rows(), ratio));
    return letters / kSmallestName;
}

int PictureView::screen_rows() const {
    return static_cast<int>(window()->height() * devicePixelRatioF());
}

void PictureView::hold_room() {
    hold_.hold(frame(), canvas_->size());
}

// An extent in which the picture has been for a moment is kept.
void PictureView::settle() {
    if (!hold_.holds(frame())) settles_.start();
}

// A presentation shows all of a picture where that is possible: it gives up what it holds once bars hide a
// part of what was seen whole.
void PictureView::check_hold() {
    if (!services_.appearance.presenting() || !picture() || room() == canvas_->size()) return;
    const double least = canvas_->reading_scale();
    const double enough = std::min(least, whole_scale().value_or(least));
    const auto is_whole = [&](const QSize& view) {
        return fitted(picture()->geometry.bounds, view, least).scale >= enough;
    };
    if (is_whole(room()) && !is_whole(canvas_->size())) hold_.give_up();
}

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
    canvas_->setGeometry(left, 0, width() - left - right_, height() - foot() - below_);
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
