// What part of a picture a view shows. Pure functions; views hold the value.
#pragma once

#include <QPointF>
#include <QSizeF>
#include <QWidget>
#include <functional>
#include <optional>

#include "app/scene/hit.h"
#include "app/scene/paint.h"
#include "core/support/geometry.h"

namespace blockscope {

struct Camera {
    Point center;      // picture coordinates
    double scale = 1;  // widget pixels per picture unit
    bool operator==(const Camera&) const = default;
};

constexpr double kLeastScale = 0.001;  // tens of thousands of nodes beside each other
constexpr double kMostScale = 8;

QPointF to_view(const Camera& camera, QSizeF view, Point p);
Point to_picture(const Camera& camera, QSizeF view, QPointF p);
// What a view of this size shows.
Rect visible(const Camera& camera, QSizeF view);

// Enlarged by `factor`, with what is under `anchor` (view coordinates) staying there.
Camera zoomed(const Camera& camera, QSizeF view, double factor, QPointF anchor);
// Moved by view pixels: the picture follows the hand.
Camera panned(const Camera& camera, double dx, double dy);
// Shows all of `part` with a margin; at most `most` times enlarged.
Camera fitted(const Rect& part, QSizeF view, double most);
// From this scale on all names are 11 pixels high: of boxes, 13 pixels at scale 1, and of dimensions, 12.
constexpr double kReadableScale = 11.0 / 12;
constexpr double kFitMost = 1.25;  // fitting does not enlarge small pictures further
// Everything (`bounds`) if its names can be read then; else `part`, or the beginning of it, at the scale from
// which on they can (`least`), with nothing seen beside the picture that need not be.
Camera reading(const Rect& bounds, const Rect& part, QSizeF view, double least = kReadableScale);
// The way from `a` to `b`: both zoom evenly and a point that they have at the same place stays there.
Camera between(const Camera& a, const Camera& b, double t);

// A widget that shows a picture: wheel and pinch zoom, panning, hover, selection, transitions.
//
// Mouse: the wheel zooms about the pointer, with Shift it pans sideways; a trackpad's scrolling pans, with
// Ctrl it zooms. The left button drags the picture, the middle one too; with Ctrl it drags a box; Shift and
// the left button draw a rectangle around boxes. Keyboard: arrow keys go from box to box (scene/neighbour.h),
// Return selects like a click, Escape leaves.

// "bf16[M,K], through global memory": what an edge carries, and where.
QString edge_words(const Edge& edge);

class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);
    ~Canvas() override;

    // Shows `picture`. With lineage it moves from what was shown in 300 ms (unless animations are off), and
    // what was made glows for a second. The lights go out (their indices are the old figure's). The first
    // picture is fitted.
    void show_picture(PicturePtr picture, const std::vector<Lineage>* made = nullptr);
    const PicturePtr& picture() const;
    void set_lights(const Lights& lights);
    const Lights& lights() const;
    // Where red edges were before the last step, in the picture's coordinates: drawn pale and dashed until
    // the next picture.
    void set_ghosts(std::vector<Curve> ghosts);
    const std::vector<Curve>& ghosts() const;
    // What a tooltip says besides the detail of a box (`edge` -1) or an edge (`box` -1); plain text.
    void set_more_words(std::function<QString(int box, int edge)> words);
    void set_theme(const Theme& theme);
    const Theme& theme() const;
    void set_animated(bool animated);  // initially unless motion_reduced()
    // Whether a transition, a camera's way or a glow is under way, or a large picture is not whole yet.
    bool moving() const;
    void set_message(const QString& title,
                     const QString& text);  // in place of a picture: empty and error states

    Camera camera() const;  // where a camera that moves will come to rest
    void set_camera(const Camera& camera, bool smooth = false);
    bool is_fitted() const;  // fit() was the last to move the camera
    // As it was when camera() and is_fitted() said so.
    void restore(const Camera& camera, bool fitted);
    void fit(bool smooth = true);  // everything
    void fit(const Rect& part, bool smooth = true);
    // Everything if its names can be read then, or it can be shown at the scale `whole` at least; else `part`
    // so that they can. Nothing moves if it is seen so.
    void read(const Rect& part, bool smooth = true, std::optional<double> whole = std::nullopt);
    // The scale from which on names can be read from where the viewers are, and how large a picture is made
    // at most where all of it is shown: larger than usual for a room.
    void set_reading(double least, double most);
    double reading_scale() const;
    // Brings a box into the middle, large enough to be read; nothing moves if it is seen well already.
    void reveal(int box);
    void actual_size();              // 1:1
    void zoom(double factor);        // about the middle
    void pan(double dx, double dy);  // widget pixels
    Rect visible() const;            // picture coordinates

    // The box that the keyboard is at; -1 for none. The view follows it.
    int focused_box() const;
    void focus_box(int box);
    void move_focus(Direction direction);
    // The rectangle of a box in widget coordinates.
    QRectF box_rect(int box) const;
    QRectF edge_rect(int edge) const;  // around it

Q_SIGNALS:
    void hovered(int box, int edge);  // -1 for none
    void clicked(int box, int edge, Qt::KeyboardModifiers modifiers);
    void number_clicked(int box, int edge);  // the heat map's number of one of them, after clicked()
    void activated(int box);                 // double click: folds and unfolds maps
    void menu_requested(int box, int edge, const QPoint& global);
    void boxes_selected(const std::vector<int>& boxes, Qt::KeyboardModifiers modifiers);  // in a rectangle
    void box_dragged(int box, QPointF by);  // with Ctrl; picture units
    void focus_moved(int box);              // by the keyboard
    void camera_changed();
    void picture_changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;  // pinch, tooltips

private:
    struct State;
    struct Spot {
        int box = -1, edge = -1;
        bool operator==(const Spot&) const = default;
    };
    Spot spot_at(QPointF p) const;
    HeatNumber number_at(QPointF p) const;
    void hover(Spot spot);
    void tick();
    static constexpr int kCameraTime = 120;                                         // milliseconds of a zoom
    void go_to(const Camera& camera, bool smooth, int milliseconds = kCameraTime);  // within the picture
    void travel(const Camera& to, bool smooth, int milliseconds);
    void stay_fitted();
    void refresh(const std::vector<int>& boxes, const std::vector<int>& edges);
    Lights shown_lights() const;
    void paint_message(QPainter& painter);
    void paint_overlay(QPainter& painter);
    void zoom_about(double factor, QPointF anchor, bool smooth);

    std::unique_ptr<State> state_;
};

// Screen readers see a canvas as its boxes, named by their details and nested as they are drawn.

class Canvas;

// Makes interfaces for canvases. Does nothing the second time.
void install_canvas_accessibility();
// Tells assistive programs that the keyboard is at `box`.
void announce_focus(Canvas& canvas, int box);

}  // namespace blockscope
