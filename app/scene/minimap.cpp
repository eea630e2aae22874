#include "app/scene/minimap.h"

#include <QApplication>
#include <QEvent>
#include <QLineF>
#include <QPainter>
#include <QPointer>
#include <QThreadPool>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

namespace blockscope {

namespace {

constexpr double kNearlyAll = 0.8;  // of a picture: when so much is seen, an overview covers no block
constexpr int kRestMillis = 150;    // without a move of the camera
constexpr double kOfFrames = 0.05;  // what covering the ground of a map counts, of covering a block
constexpr double kOut = 1;          // picture units of a block that may be out of sight

// Everything that an overview is painted from.
struct Drawing {
    PicturePtr picture;
    Theme theme;
    QColor ground;
    Camera camera;
    QSize size;
    double ratio;
};

QImage image_of(const Drawing& drawing) {
    QImage image(drawing.size * drawing.ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(drawing.ratio);
    image.fill(drawing.ground);
    QPainter painter(&image);
    painter.translate(to_view(drawing.camera, drawing.size, {0, 0}));
    painter.scale(drawing.camera.scale, drawing.camera.scale);
    paint(painter, *drawing.picture, drawing.theme, {}, drawing.picture->geometry.bounds,
          drawing.camera.scale);
    return image;
}

// How much of `all` is within `view`.
double share_seen(const Rect& view, const Rect& all) {
    const double width = std::min(view.right(), all.right()) - std::max(view.left(), all.left());
    const double height = std::min(view.bottom(), all.bottom()) - std::max(view.top(), all.top());
    return std::max(0.0, width) * std::max(0.0, height) / std::max(1.0, all.width * all.height);
}

// Whether a block, an input or an output is out of sight, or a part of one.
bool hides_some(const Canvas& canvas) {
    const Rect view = canvas.visible().grown(kOut);
    const Picture& picture = *canvas.picture();
    for (const Rect& box : picture.geometry.boxes)
        if (!view.contains({box.left(), box.top()}) || !view.contains({box.right(), box.bottom()}))
            return true;
    return false;
}

}  // namespace

std::vector<Covered> covered_by(const Canvas& canvas, const std::vector<QRect>& taken) {
    std::vector<Covered> covered;
    for (const QRect& other : taken) covered.push_back({.place = QRectF(other)});
    if (!canvas.picture()) return covered;
    const Picture& picture = *canvas.picture();
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i) {
        const bool frame = picture.figure.boxes[i].kind == BoxKind::Frame;
        covered.push_back({canvas.box_rect(static_cast<int>(i)), frame ? kOfFrames : 1, frame});
    }
    for (const Curve& edge : picture.geometry.edges) {
        if (edge.empty()) continue;
        for (const Point end : {edge.front(), edge.back()})
            covered.push_back(covered_end(to_view(canvas.camera(), canvas.size(), end)));
    }
    return covered;
}

namespace {

QPointF on_piece(const QPointF* p, double t) {
    const double s = 1 - t;
    return s * s * s * p[0] + 3 * s * s * t * p[1] + 3 * s * t * t * p[2] + t * t * t * p[3];
}

// What edges run through on their way, bends and all.
void cover_ways(const Canvas& canvas, std::vector<Covered>& covered) {
    constexpr double kApart = 16;  // pixels: no overview stands between two of the points
    for (const Curve& edge : canvas.picture()->geometry.edges) {
        std::vector<QPointF> way;
        for (const Point& point : edge) way.push_back(to_view(canvas.camera(), canvas.size(), point));
        for (std::size_t i = 0; i + 3 < way.size(); i += 3) {
            double length = 0;
            for (std::size_t k = i; k < i + 3; ++k) length += QLineF(way[k], way[k + 1]).length();
            const int steps = std::max(1, static_cast<int>(length / kApart));
            for (int step = 0; step <= steps; ++step)
                covered.push_back(covered_end(on_piece(&way[i], static_cast<double>(step) / steps)));
        }
    }
}

}  // namespace

Minimap::Minimap(Canvas* canvas)
    : Overview(canvas, tr("Overview"), tr("The whole picture. A click moves the view there.")),
      canvas_(canvas) {
    rests_.setSingleShot(true);
    rests_.setInterval(kRestMillis);
    connect(&rests_, &QTimer::timeout, this, &Minimap::place);
    canvas->installEventFilter(this);
    connect(canvas, &Canvas::picture_changed, this, [this] { renew(); });
    connect(canvas, &Canvas::camera_changed, this, [this] {
        look();
        rests_.start();
    });
    renew();
}

bool Minimap::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

// It does not move away under the pointer that drags in it.
void Minimap::place() {
    if (!canvas_->picture()) return look();
    if (QApplication::mouseButtons() & Qt::LeftButton) return rests_.start();
    std::vector<Covered> covered = covered_by(*canvas_, {});
    if (discreet_) {
        for (Covered& each : covered) each.ground = false;
        cover_ways(*canvas_, covered);
    }
    const CornerPlace there = corner_over(canvas_->size(), size(), overview_corners(), covered);
    in_free_corner_ = there.free;
    move(there.at);
    look();
    Q_EMIT placed();
}

void Minimap::set_wanted(bool wanted) {
    wanted_ = wanted;
    look();
}

void Minimap::set_discreet(bool discreet) {
    if (discreet == std::exchange(discreet_, discreet)) return;
    place();
}

void Minimap::renew() {
    stale_ = true;
    ++generation_;
    if (bounds().width > 0) resize(extent());
    place();
    update();
}

void Minimap::look() {
    const PicturePtr& picture = canvas_->picture();
    const auto much_hidden = [&] {
        return !discreet_ && share_seen(canvas_->visible(), picture->geometry.bounds) < kNearlyAll;
    };
    setVisible(wanted_ && picture && hides_some(*canvas_) && (in_free_corner_ || much_hidden()));
    update();
}

void Minimap::draw_pixels(double ratio) {
    stale_ = false;
    const Drawing drawing{.picture = canvas_->picture(),
                          .theme = canvas_->theme(),
                          .ground = ground(),
                          .camera = camera(),
                          .size = size(),
                          .ratio = ratio};
    if (!has_many_parts(*drawing.picture)) {
        pixels_ = QPixmap::fromImage(image_of(drawing));
        return;
    }
    QThreadPool::globalInstance()->start([self = QPointer<Minimap>(this), generation = generation_, drawing] {
        const QImage image = image_of(drawing);
        const auto hand_over = [self, generation, image] {
            if (!self || self->generation_ != generation) return;
            self->pixels_ = QPixmap::fromImage(image);
            self->update();
        };
        QMetaObject::invokeMethod(qApp, hand_over, Qt::QueuedConnection);
    });
}

Rect Minimap::bounds() const {
    return canvas_->picture() ? canvas_->picture()->geometry.bounds : Rect{};
}

void Minimap::paintEvent(QPaintEvent*) {
    if (!canvas_->picture()) return;
    const double ratio = devicePixelRatioF();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (stale_ || pixels_.devicePixelRatio() != ratio) draw_pixels(ratio);
    painter.fillRect(rect(), ground());
    painter.drawPixmap(0, 0, pixels_);
    paint_window(painter);
}

void Minimap::wheelEvent(QWheelEvent* event) {
    event->accept();
    canvas_->zoom(event->angleDelta().y() > 0 ? 1.2 : 1 / 1.2);
}

}  // namespace blockscope
