// A widget that shows a circuit diagram: zoom and pan like the picture of blocks, tooltips, selection.
//
// Mouse: the wheel zooms about the pointer, with Shift it pans sideways; a trackpad's scrolling pans, with
// Ctrl it zooms; dragging pans. Keyboard: left and right go from operator to operator, Return selects, Escape
// leaves.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "app/circuit/circuit_paint.h"
#include "app/document/work.h"
#include "app/scene/canvas.h"
#include "core/diagram/document.h"

namespace blockscope {

using DrawingPtr = std::shared_ptr<const circuit::Drawing>;

class CircuitView : public QWidget {
    Q_OBJECT

public:
    explicit CircuitView(QWidget* parent = nullptr);

    // Null shows the message. The first drawing is fitted; a fitted view stays so.
    void show_drawing(DrawingPtr drawing);
    const DrawingPtr& drawing() const { return drawing_; }
    void set_message(const QString& title, const QString& text);
    QString message() const { return text_; }
    void set_theme(const Theme& theme);
    const CircuitLook& look() const { return look_; }
    void set_lights(const CircuitLights& lights);
    const CircuitLights& lights() const { return lights_; }

    const Camera& camera() const { return camera_; }
    Rect seen() const;  // of the drawing, in its coordinates
    void show_place(Point place) { set_camera({place, camera_.scale}); }  // in the middle
    // All of the diagram; of one that would be smaller than `least`, its beginning at that scale, as every
    // drawing is shown first.
    void fit();
    // From which scale on its names have 11 pixels.
    static double readable_scale();
    // All of it, however small; that of what is drawn from now on, too.
    void fit_whole();
    void set_least_scale(double least) { least_ = least; }
    void actual_size();
    void zoom(double factor);  // about the middle
    CircuitPart part_under(QPointF place) const;
    // Where a part's middle is, in widget coordinates.
    QPointF place_of(const CircuitPart& part) const;
    CircuitPart focused() const { return focus_; }

    QSize sizeHint() const override { return {640, 420}; }

Q_SIGNALS:
    void moved();  // another drawing, place, scale or look
    void hovered(const CircuitPart& part);
    void clicked(const CircuitPart& part);
    void double_clicked(const CircuitPart& part, QPointF at);  // widget coordinates
    void menu_wanted(const CircuitPart& part, const QPoint& global);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void set_camera(const Camera& camera, bool fitted = false);
    void hover(const CircuitPart& part);
    void move_focus(int by);
    void paint_message(QPainter& painter);
    void paint_row_names(QPainter& painter);
    QString row_under(QPointF place) const;

    DrawingPtr drawing_;
    CircuitLook look_ = circuit_look(Theme::light());
    CircuitLights lights_;
    CircuitPart hovered_, focus_;
    QString title_, text_;
    Camera camera_;
    double least_ = 0;
    bool whole_ = false;
    bool fitted_ = true;
    bool dragging_ = false;
    QPointF pressed_, dragged_;
};

// ---- A circuit document (docs/json.md) in a window of its own: the diagram, and the kernel that it says how
// to run.

class Appearance;
class CircuitView;
class KernelTables;

class CircuitWindow : public QWidget {
    Q_OBJECT

public:
    // Reads `path` (a file or a resource) off the interface thread. `parent` is the window that it belongs
    // to.
    CircuitWindow(const QString& path, Appearance& appearance, QWidget* parent);

    CircuitView& view() { return *view_; }
    KernelTables& tables() { return *tables_; }
    bool busy() const;

Q_SIGNALS:
    // It cannot be read; the window closes itself.
    void refused(const blockscope::Problems& problems);

private:
    void read(const QString& path);

    Appearance& appearance_;
    Work work_;
    CircuitView* view_;
    KernelTables* tables_;
};

// Whether a file begins like a circuit document.
bool is_circuit_file(const QString& path);

// The circuits that are compiled in.
struct CircuitSample {
    QString title;
    QString path;  // of the resource
};
std::vector<CircuitSample> circuit_samples();

}  // namespace blockscope
