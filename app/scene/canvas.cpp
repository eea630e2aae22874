#include "app/scene/canvas.h"

#include <QPaintEvent>
#include <cmath>
#include <utility>

#include "app/scene/canvas_state.h"
#include "app/scene/transition.h"

namespace blockscope {

namespace {

constexpr int kFrame = 16;           // milliseconds between moments of a movement
constexpr int kStepTime = 300;       // of a transition
constexpr int kGlowTime = 1000;      // of what was made
constexpr double kMuchCloser = 1.5;  // a picture that could be shown this much larger is fitted again
constexpr double kFarthest = 0.02;   // zooming out, of pictures that are not larger

Rect common(const Rect& a, const Rect& b) {
    const double left = std::max(a.left(), b.left()), top = std::max(a.top(), b.top());
    return {left, top, std::max(0.0, std::min(a.right(), b.right()) - left),
            std::max(0.0, std::min(a.bottom(), b.bottom()) - top)};
}

double slowing(double t) {
    return 1 - (1 - t) * (1 - t);
}

}  // namespace

Canvas::Canvas(QWidget* parent) : QWidget(parent), state_(std::make_unique<State>()) {
    install_canvas_accessibility();
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    grabGesture(Qt::PinchGesture);
    setMinimumSize(120, 90);
    setAccessibleName(tr("Block program"));
    state_->animated = !motion_reduced();
    state_->ticker.setInterval(kFrame);
    state_->ticker.setTimerType(Qt::PreciseTimer);
    connect(&state_->ticker, &QTimer::timeout, this, [this] { tick(); });
}

Canvas::~Canvas() = default;

const PicturePtr& Canvas::picture() const {
    return state_->picture;
}
const Lights& Canvas::lights() const {
    return state_->lights;
}
const Theme& Canvas::theme() const {
    return state_->theme;
}
bool Canvas::moving() const {
    return state_->moving() || state_->unfinished;
}
Camera Canvas::camera() const {
    return state_->goal();
}
bool Canvas::is_fitted() const {
    return state_->fitted;
}
int Canvas::focused_box() const {
    return state_->focus;
}

void Canvas::show_picture(PicturePtr picture, const std::vector<Lineage>* made) {
    State& s = *state_;
    s.title.clear();
    s.text.clear();
    const bool moves = made && s.animated && isVisible() && s.picture && picture &&
                       !has_many_parts(*s.picture) && !has_many_parts(*picture);
    const bool first = !s.picture;
    std::vector<NodeId> focus;
    if (s.focus >= 0 && s.picture) focus = s.picture->figure.boxes[static_cast<std::size_t>(s.focus)].nodes;
    if (moves) {
        const Blend now = s.transition ? s.transition_now() : at_rest(*s.picture);
        s.transition.emplace(now, *picture, *made);
        s.transition_span.start(kStepTime);
    } else {
        s.transition.reset();
    }
    s.picture = std::move(picture);
    s.hits = s.picture ? HitIndex(s.picture) : HitIndex();
    s.lights = {};
    s.ghosts.clear();
    const bool pointed = std::exchange(s.hover, {}) != Spot();
    s.focus = focus.empty() || !s.picture ? -1 : s.picture->figure.find(focus.front());
    s.made.clear();
    s.glow_span.stop();
    if (moves)
        for (const Lineage& lineage : *made)
            if (const int box = s.picture->figure.find(lineage.made); box >= 0) s.made.push_back(box);
    s.unfinished = false;
    if (first)
        s.backing.forget();
    else
        s.backing.invalidate();
    if (first)
        fit(false);
    else if (s.fitted)
        stay_fitted();
    if (s.moving()) s.ticker.start();
    update();
    if (pointed) Q_EMIT hovered(-1, -1);  // until the pointer moves again
    Q_EMIT picture_changed();
}

void Canvas::set_ghosts(std::vector<Curve> ghosts) {
    if (ghosts.empty() && state_->ghosts.empty()) return;
    state_->ghosts = std::move(ghosts);
    state_->backing.invalidate();
    update();
}

const std::vector<Curve>& Canvas::ghosts() const {
    return state_->ghosts;
}

void Canvas::set_more_words(std::function<QString(int box, int edge)> words) {
    state_->more_words = std::move(words);
}

void Canvas::set_lights(const Lights& lights) {
    State& s = *state_;
    if (lights == s.lights) return;
    const Lights before = std::exchange(s.lights, lights);
    const bool heat =
        before.heated != lights.heated || before.heat != lights.heat || before.edge_heat != lights.edge_heat;
    if (heat || before.strength != lights.strength || before.edge_labels != lights.edge_labels) {
        s.backing.invalidate();
        update();
        return;
    }
    std::vector<int> boxes;
    std::vector<int> edges;
    const auto other = [](const auto& a, const auto& b, auto& result, auto index) {
        for (const auto& item : a) {
            const auto found = b.find(index(item));
            if (found == b.end() || *found != item) result.push_back(index(item));
        }
    };
    const auto first = [](const auto& item) { return item.first; };
    const auto self = [](int item) { return item; };
    other(before.boxes, lights.boxes, boxes, first);
    other(lights.boxes, before.boxes, boxes, first);
    other(before.around, lights.around, boxes, first);
    other(lights.around, before.around, boxes, first);
    other(before.edges, lights.edges, edges, self);
    other(lights.edges, before.edges, edges, self);
    edges.push_back(before.hovered_edge);
    edges.push_back(lights.hovered_edge);
    refresh(boxes, edges);
}

void Canvas::set_theme(const Theme& theme) {
    state_->theme = theme;
    state_->backing.invalidate();
    update();
    Q_EMIT picture_changed();
}

void Canvas::set_animated(bool animated) {
    State& s = *state_;
    s.animated = animated;
    if (animated) return;
    if (s.camera_span.running()) s.camera = s.camera_to;
    s.camera_span.stop();
    s.transition.reset();
    s.glow_span.stop();
    s.made.clear();
    s.ticker.stop();
    s.backing.invalidate();
    update();
}

void Canvas::set_message(const QString& title, const QString& text) {
    state_->title = title;
    state_->text = text;
    setAccessibleDescription(title.isEmpty() ? text : title + QStringLiteral(". ") + text);
    update();
}

// Paints what shows these boxes and edges again. Negative indices are none.
void Canvas::refresh(const std::vector<int>& boxes, const std::vector<int>& edges) {
    constexpr double kReach = 24;        // of marks, in picture units
    constexpr double kLabelReach = 130;  // of an edge's label
    State& s = *state_;
    update();
    if (!s.picture) return;
    const double ratio = devicePixelRatioF();
    const auto stale = [&](const Rect& rect) {
        const QPointF a = to_view(s.camera, size(), {rect.left(), rect.top()}) * ratio;
        const QPointF b = to_view(s.camera, size(), {rect.right(), rect.bottom()}) * ratio;
        s.backing.invalidate(QRectF(a, b).toAlignedRect().adjusted(-20, -20, 20, 20));
    };
    const Geometry& geometry = s.picture->geometry;
    for (const int i : boxes)
        if (i >= 0 && i < static_cast<int>(geometry.boxes.size()))
            stale(geometry.boxes[static_cast<std::size_t>(i)].grown(kReach));
    for (const int i : edges) {
        if (i < 0 || i >= static_cast<int>(geometry.edges.size())) continue;
        const Curve& curve = geometry.edges[static_cast<std::size_t>(i)];
        if (curve.empty()) continue;
        const auto [left, right] =
            std::minmax_element(curve.begin(), curve.end(), [](Point a, Point b) { return a.x < b.x; });
        const auto [top, bottom] =
            std::minmax_element(curve.begin(), curve.end(), [](Point a, Point b) { return a.y < b.y; });
        stale(Rect{left->x, top->y, right->x - left->x, bottom->y - top->y}.grown(kReach));
        const Point label = geometry.labels[static_cast<std::size_t>(i)];
        stale(Rect{label.x, label.y, 0, 0}.grown(kLabelReach));
    }
}

void Canvas::tick() {
    State& s = *state_;
    if (s.camera_span.running()) {
        const double t = s.camera_span.share();
        s.camera = between(s.camera_from, s.camera_to, slowing(t));
        if (t >= 1) s.camera_span.stop();
        Q_EMIT camera_changed();
    }
    if (s.transition && s.transition_span.share() >= 1) {
        s.transition.reset();
        s.transition_span.stop();
        s.backing.invalidate();
        if (!s.made.empty()) s.glow_span.start(kGlowTime);
    }
    if (s.glow_span.running()) {
        if (s.glow_span.share() >= 1) s.glow_span.stop();
        refresh(s.made, {});
        if (!s.glow_span.running()) s.made.clear();
    }
    if (!s.moving()) s.ticker.stop();
    update();
}

void Canvas::go_to(const Camera& camera, bool smooth, int milliseconds) {
    const State& s = *state_;
    Camera to = camera;
    if (s.picture) {
        const Rect& bounds = s.picture->geometry.bounds;
        to.center.x = std::clamp(to.center.x, bounds.left(), std::max(bounds.left(), bounds.right()));
        to.center.y = std::clamp(to.center.y, bounds.top(), std::max(bounds.top(), bounds.bottom()));
    }
    travel(to, smooth, milliseconds);
}

void Canvas::travel(const Camera& to, bool smooth, int milliseconds) {
    State& s = *state_;
    if (to == s.goal()) return;
    if (smooth && s.animated && isVisible()) {
        s.camera_from = s.camera;
        s.camera_to = to;
        s.camera_span.start(milliseconds);
        s.ticker.start();
    } else {
        s.camera_span.stop();
        s.camera = to;
    }
    update();
    Q_EMIT camera_changed();
}

void Canvas::set_camera(const Camera& camera, bool smooth) {
    state_->fitted = false;
    go_to(camera, smooth);
}

void Canvas::restore(const Camera& camera, bool fitted) {
    state_->fitted = fitted;
    travel(camera, true, kStepTime);
}

void Canvas::fit(bool smooth) {
    if (!state_->picture) return;
    state_->fitted = true;
    go_to(fitted(state_->picture->geometry.bounds, size(), state_->most), smooth);
}

// Moves the camera only if the picture has outgrown the view or has become much smaller than it: a camera
// that moves with every step would move all that the layout keeps still.
void Canvas::stay_fitted() {
    State& s = *state_;
    if (!s.picture) return;
    const Rect& bounds = s.picture->geometry.bounds;
    const Rect view = blockscope::visible(s.goal(), size());
    const bool inside =
        view.contains({bounds.left(), bounds.top()}) && view.contains({bounds.right(), bounds.bottom()});
    const Camera best = fitted(bounds, size(), s.most);
    if (inside && best.scale < kMuchCloser * s.goal().scale) return;
    go_to(best, true, kStepTime);
}

void Canvas::fit(const Rect& part, bool smooth) {
    set_camera(fitted(part, size(), 2 * kFitMost), smooth);
}

void Canvas::read(const Rect& part, bool smooth, std::optional<double> whole_from) {
    State& s = *state_;
    if (!s.picture) return;
    const Rect& bounds = s.picture->geometry.bounds;
    const Camera whole = fitted(bounds, size(), s.most);
    const double enough = std::min(whole_from.value_or(s.least), s.least);
    if (whole.scale >= enough) {
        if (s.fitted && s.goal().scale >= enough) return stay_fitted();
        s.fitted = true;
        return go_to(whole, smooth, kStepTime);
    }
    const Camera best = reading(bounds, part, size(), s.least);
    const Rect view = blockscope::visible(s.goal(), size());
    const Rect wanted = common(part, blockscope::visible(best, size()));
    const bool seen = view.contains({wanted.left(), wanted.top()}) &&
                      view.contains({wanted.right(), wanted.bottom()}) && s.goal().scale >= s.least;
    // Nobody looks at an empty half because the corner of the picture is in sight.
    const auto used = [&](const Rect& view_then) {
        const Rect shown = common(bounds, view_then);
        return shown.width * shown.height;
    };
    constexpr double kWellUsed = 0.8;
    const bool full = used(view) >= kWellUsed * used(blockscope::visible(best, size()));
    const bool had_all = std::exchange(s.fitted, false);
    if (seen && full && !had_all) return;
    go_to(best, smooth, kStepTime);
}

void Canvas::set_reading(double least, double most) {
    state_->least = least;
    state_->most = std::max(least, most);
}

double Canvas::reading_scale() const {
    return state_->least;
}

void Canvas::reveal(int box) {
    const State& s = *state_;
    if (!s.picture || box < 0 || box >= static_cast<int>(s.picture->geometry.boxes.size())) return;
    const Rect& rect = s.picture->geometry.boxes[static_cast<std::size_t>(box)];
    const Rect view = blockscope::visible(s.goal(), size());
    const bool inside =
        view.contains({rect.left(), rect.top()}) && view.contains({rect.right(), rect.bottom()});
    const double fits = fitted(rect.grown(24), size(), s.least).scale;
    if (inside && s.goal().scale >= fits) return;
    set_camera({rect.center(), std::max(fits, std::min(s.goal().scale, std::max(1.0, s.least)))}, true);
}

void Canvas::actual_size() {
    set_camera({camera().center, 1}, true);
}

void Canvas::zoom(double factor) {
    zoom_about(factor, QRectF(rect()).center(), true);
}

void Canvas::zoom_about(double factor, QPointF anchor, bool smooth) {
    // Farther than from where all of it is seen there is nothing to see.
    double least = kFarthest;
    if (state_->picture) least = std::min(least, fitted(state_->picture->geometry.bounds, size(), 1).scale);
    set_camera(zoomed(camera(), size(), std::max(factor, least / camera().scale), anchor), smooth);
}

void Canvas::pan(double dx, double dy) {
    set_camera(panned(camera(), dx, dy), false);
}

Rect Canvas::visible() const {
    return blockscope::visible(state_->camera, size());
}

QRectF Canvas::box_rect(int box) const {
    const Rect& rect = state_->picture->geometry.boxes[static_cast<std::size_t>(box)];
    const QPointF corner = to_view(state_->camera, size(), {rect.left(), rect.top()});
    return {corner, QSizeF(rect.width * state_->camera.scale, rect.height * state_->camera.scale)};
}

QRectF Canvas::edge_rect(int edge) const {
    QPolygonF way;
    for (const Point& p : state_->picture->geometry.edges[static_cast<std::size_t>(edge)])
        way << to_view(state_->camera, size(), p);
    return way.boundingRect();
}

void Canvas::focus_box(int box) {
    State& s = *state_;
    if (box == s.focus || !s.picture || box >= static_cast<int>(s.picture->geometry.boxes.size())) return;
    s.focus = box;
    update();
    if (box < 0) return;
    const Rect view = blockscope::visible(s.goal(), size());
    const Rect& rect = s.picture->geometry.boxes[static_cast<std::size_t>(box)];
    const bool inside =
        view.contains({rect.left(), rect.top()}) && view.contains({rect.right(), rect.bottom()});
    if (!inside) set_camera({rect.center(), s.goal().scale}, true);
    announce_focus(*this, box);
}

void Canvas::move_focus(Direction direction) {
    if (!state_->picture) return;
    const int next = neighbour(*state_->picture, state_->focus, direction);
    if (next < 0) return;
    focus_box(next);
    Q_EMIT focus_moved(next);
}

namespace {

constexpr double kFitMargin = 12;  // view pixels

double limited(double scale) {
    return std::clamp(scale, kLeastScale, kMostScale);
}

}  // namespace

QPointF to_view(const Camera& camera, QSizeF view, Point p) {
    return {view.width() / 2 + (p.x - camera.center.x) * camera.scale,
            view.height() / 2 + (p.y - camera.center.y) * camera.scale};
}

Point to_picture(const Camera& camera, QSizeF view, QPointF p) {
    return {camera.center.x + (p.x() - view.width() / 2) / camera.scale,
            camera.center.y + (p.y() - view.height() / 2) / camera.scale};
}

Rect visible(const Camera& camera, QSizeF view) {
    const Point corner = to_picture(camera, view, {0, 0});
    return {corner.x, corner.y, view.width() / camera.scale, view.height() / camera.scale};
}

Camera zoomed(const Camera& camera, QSizeF view, double factor, QPointF anchor) {
    const Point held = to_picture(camera, view, anchor);
    const double scale = limited(camera.scale * factor);
    return {
        {held.x - (anchor.x() - view.width() / 2) / scale, held.y - (anchor.y() - view.height() / 2) / scale},
        scale};
}

Camera panned(const Camera& camera, double dx, double dy) {
    return {{camera.center.x - dx / camera.scale, camera.center.y - dy / camera.scale}, camera.scale};
}

Camera fitted(const Rect& part, QSizeF view, double most) {
    const double width = std::max(view.width() - 2 * kFitMargin, 1.0);
    const double height = std::max(view.height() - 2 * kFitMargin, 1.0);
    const double scale =
        std::min({width / std::max(part.width, 1.0), height / std::max(part.height, 1.0), most});
    return {part.center(), limited(scale)};
}

namespace {

constexpr double kReadMargin = 20;  // picture units around the part that is read
constexpr double kFirst = 0.25;     // of the view: what stands before a part that is seen with it

// The middle of a view that shows `room` of low .. high, of which part_low .. part_high is wanted. Of a part
// that is too long one sees the beginning, and what leads into it if that is short: the inputs.
double middle_of(double low, double high, double part_low, double part_high, double room) {
    if (high - low <= room) return (low + high) / 2;
    const bool whole = part_high - part_low + 2 * kReadMargin <= room;
    if (!whole && part_low - low <= kFirst * room) return low + room / 2;
    const double wanted = whole ? (part_low + part_high) / 2 : part_low - kReadMargin + room / 2;
    return std::clamp(wanted, low + room / 2, high - room / 2);
}

}  // namespace

Camera reading(const Rect& bounds, const Rect& part, QSizeF view, double least) {
    const Camera whole = fitted(bounds, view, std::max(kFitMost, least));
    if (whole.scale >= least) return whole;
    const double width = view.width() / least, height = view.height() / least;
    return {{middle_of(bounds.left(), bounds.right(), part.left(), part.right(), width),
             middle_of(bounds.top(), bounds.bottom(), part.top(), part.bottom(), height)},
            least};
}

Camera between(const Camera& a, const Camera& b, double t) {
    if (t <= 0) return a;
    if (t >= 1) return b;
    const double scale = std::exp(std::lerp(std::log(a.scale), std::log(b.scale), t));
    // The middle moves with the extent that is seen, which is the inverse of the scale.
    const double zoom = 1 / a.scale - 1 / b.scale;
    const double share = std::abs(zoom) < 1e-9 ? t : (1 / a.scale - 1 / scale) / zoom;
    return {{std::lerp(a.center.x, b.center.x, share), std::lerp(a.center.y, b.center.y, share)}, scale};
}

}  // namespace blockscope
