// A widget that shows a picture: wheel and pinch zoom, panning, hover, selection, transitions.
#pragma once

#include <QWidget>
#include <optional>

#include "app/scene/paint.h"

namespace blockscope {

struct Camera {
    Point center;      // picture coordinates
    double scale = 1;  // widget pixels per picture unit
    bool operator==(const Camera&) const = default;
};

class Canvas : public QWidget {
    Q_OBJECT

public:
    explicit Canvas(QWidget* parent = nullptr);
    ~Canvas() override;

    // Shows `picture`. With lineage it moves from what was shown in 300 ms (unless animations are off).
    void show_picture(PicturePtr picture, const std::vector<Lineage>* made = nullptr);
    const PicturePtr& picture() const;
    void set_lights(const Lights& lights);
    void set_theme(const Theme& theme);
    void set_animated(bool animated);
    void set_message(const QString& title,
                     const QString& text);  // in place of a picture: empty and error states

    Camera camera() const;
    void set_camera(const Camera& camera, bool smooth = false);
    void fit(bool smooth = true);  // everything
    void fit(const Rect& part, bool smooth = true);
    void actual_size();              // 1:1
    void zoom(double factor);        // about the middle
    void pan(double dx, double dy);  // widget pixels
    Rect visible() const;            // picture coordinates

Q_SIGNALS:
    void hovered(int box, int edge);  // -1 for none
    void clicked(int box, int edge, Qt::KeyboardModifiers modifiers);
    void activated(int box);  // double click: folds and unfolds maps
    void menu_requested(int box, int edge, const QPoint& global);
    void camera_changed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;  // pinch, tooltips

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace blockscope
