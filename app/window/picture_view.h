// "attention > M-map > N-map > dot": where the selection is, each part a button.
#pragma once

#include <QLabel>
#include <QTimer>
#include <QWidget>

#include "app/costs/step_cost.h"
#include "app/document/document.h"
#include "app/layout/layout.h"
#include "app/layout/shape.h"
#include "app/scene/canvas.h"
#include "app/scene/hit.h"
#include "app/scene/legend.h"
#include "app/scene/paint.h"
#include "app/shell/services.h"
#include "app/window/room_hold.h"

class QHBoxLayout;

namespace blockscope {

class Breadcrumb : public QWidget {
    Q_OBJECT

public:
    explicit Breadcrumb(Document& document, QWidget* parent = nullptr);
    // The way to what is selected in `picture`.
    void show_way(const PicturePtr& picture);

Q_SIGNALS:
    void chosen(NodeId node);  // no node: the whole program

protected:
    bool event(QEvent* event) override;

private:
    void add_part(const QString& text, NodeId node, bool last);

    Document& document_;
    QHBoxLayout* row_;
};

// In the presentation: which step is shown, in a corner of the picture.

class Appearance;
class Document;

class StepCaption : public QLabel {
    Q_OBJECT

public:
    // In the corner of `over`, its parent.
    StepCaption(Document& document, Appearance& appearance, QWidget* over);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void place();
    QString words() const;

    Document& document_;
    Appearance& appearance_;
};

// What of a picture is lit: the document's selection, hover and glow, in the indices of the picture.

Lights picture_lights(const Picture& picture, const Document& document, bool edge_labels);

// What a click on a box or an edge means (-1: none of them).
Spot spot_at(const Picture& picture, int box, int edge);

// The edge of `spot.value` on its way into `spot.consumer`, else any edge that carries it; -1 if none does.
int edge_of(const Picture& picture, const Spot& spot);

// The rectangle around all boxes of `spot`; empty if the picture shows none.
std::optional<Rect> bounds_of(const Picture& picture, const Spot& spot);
// Where a view that holds `room` of it begins to read a picture: at its inputs, or later, where the first
// operator would else stand near the view's end.
Rect beginning_of(const Picture& picture, const Size& room);

// The picture of the current state in the middle of the window: what is selected, pointed at and glows,
// stepping with transitions, keys.

class Breadcrumb;
class Canvas;
class ProgressOverlay;
class StepCaption;
class Minimap;

class PictureView : public QWidget {
    Q_OBJECT

public:
    PictureView(Document& document, Services& services, QWidget* parent = nullptr);
    ~PictureView() override;

    Canvas& canvas() { return *canvas_; }
    // Where the heat map's number of what is selected comes from (bytes moved without a heat map), else that
    // of the state: the costs page opens it.
    void ask_for_number();
    // What is shown, which may lag behind the document by the time of one layout. Null at first.
    PicturePtr picture() const;
    // Of the pictures it asks for: the user's direction, in columns for the canvas as it is now.
    PictureShape shape() const;
    // Makes the extent of the canvas as it is now the one that pictures are shaped for, until the window, the
    // state or what the user wants to see changes: bars that come and go do not move what one looks at. A
    // picture that is shown does so by itself after a moment.
    void hold_room();
    bool holds_room() const { return hold_.holds(frame()); }
    // Leaves room for a card over this widget: to the right of the canvas, and below it, in pixels.
    void leave_room(int right, int below);
    // What stands below the canvas and that room.
    int foot() const;
    // Whether it shows anything of what is selected or glows: that may be of another state.
    bool shows_selection() const;
    // Brings these nodes into sight, once their picture is there, without selecting them; none: what the view
    // would choose by itself.
    void look_at(const std::vector<NodeId>& nodes);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    RoomHold::Frame frame() const;
    QSize room() const { return hold_.room(frame(), canvas_->size()); }
    void settle();
    void check_hold();
    bool has_card() const { return right_ > 0 || below_ > 0; }
    // One picture on its way to the canvas.
    struct Arrival {
        PicturePtr picture;
        ContentPtr content;
        StateId state = -1;
        bool preview = false;
        bool safe = false;  // of the numerically safe form
    };
    void connect_document();
    void connect_canvas();
    void connect_keys();
    void connect_folds();
    void restyle();
    void follow_settings();
    void follow_presentation();
    void request_picture();
    void stop_waiting();
    void arrive(Arrival arrival);
    void show_now();
    void tell_preview();
    std::vector<Lineage> way_from_shown(const Arrival& next) const;
    void reveal();
    void follow_step(const std::vector<Lineage>& made);
    void place_camera(const std::vector<Lineage>& made, const Picture* before, bool jumped, bool other_form);
    void keep_in_sight(const Picture& before);
    Rect part_to_read(const std::vector<Lineage>& made) const;
    std::vector<Lineage> made_by_step() const;
    void read(const std::vector<Lineage>& made, bool smooth);
    void reshape();
    bool moved_by_resizing() const;
    bool own_camera() const;
    void keep_placed();
    void look_as(const std::optional<SavedView::Camera>& camera);
    void relight();
    static std::vector<NodeId> role_nodes(const Match& match);  // of a match
    void mark_steps(Lights& lights) const;
    std::vector<NodeId> next_match() const;
    std::vector<NodeId> next_matched() const;
    std::optional<double> whole_scale() const;
    double room_scale() const;
    int screen_rows() const;  // of the window, in the screen's own pixels
    void show_ghosts();
    QString array_words(int box, int edge) const;
    NodeId origin(NodeId node) const;
    int selected_box() const;
    void select_boxes(const std::vector<int>& boxes, bool add);
    void clicked(int box, int edge, Qt::KeyboardModifiers modifiers);
    void ask_for_number(int box, int edge);
    void fold_box(int box);
    void move_block(int box, Shift by);
    void pin_note();
    void show_notes(Lights& lights) const;
    void menu(int box, int edge, const QPoint& at);
    void ask_depth();
    void copy_picture();
    void place_parts();
    void place_over();

    Document& document_;
    Services& services_;
    Canvas* canvas_;
    Breadcrumb* breadcrumb_;
    Minimap* minimap_;
    Legend* legend_;      // to the left of the canvas
    LegendStrip* strip_;  // or below it
    QLabel* chip_;        // says that a preview is shown
    StepCaption* caption_;
    ProgressOverlay* late_;
    Arrival shown_, next_;       // on the canvas; waiting until what matched has glowed
    std::vector<Lineage> made_;  // by the step, or by undoing it, that led to what is shown
    QTimer glow_before_;         // runs while `next_` waits
    std::vector<NodeId> matched_;
    std::vector<int> previewed_;      // boxes that the match which is previewed would make
    std::vector<NodeId> looked_at_;   // to be brought into sight together, likewise
    std::optional<NodeId> revealed_;  // to be brought into sight as soon as its picture is there
    // How pictures were looked at, as long as nobody but the steps moves the camera: going back shows the
    // very same.
    struct Look {
        std::weak_ptr<const Picture> picture;
        Camera camera;
        bool fitted = false;
    };
    std::map<const Picture*, Look> looks_;
    Camera placed_;               // the camera after the last step
    bool placed_fitted_ = false;  // it showed all of the picture then
    QSize placed_in_;             // and the extent of the canvas
    bool reads_ = true;  // nobody but the steps has moved it: it shows what can be read of the last step
    int right_ = 0, below_ = 0;  // left for a card
    RoomHold hold_;
    QTimer settles_;          // runs until a new extent of the canvas is held
    PictureShape asked_;      // the shape of the picture that was asked for last
    bool presented_ = false;  // the presentation has its own camera
    bool restored_ = false;   // after it the camera is as before already, the picture's shape not yet
    std::optional<SavedView::Camera> unpresented_;  // as it was before it; none: that of the steps
    HeatLights heat_;
    PicturePtr explained_;  // the picture that the legend explains
    Signs picture_signs_;   // the signs in that picture
};

}  // namespace blockscope
