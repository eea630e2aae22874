#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QMenu>
#include <cmath>

#include "app/costs/step_cost.h"
#include "app/document/work.h"
#include "app/scene/canvas.h"
#include "app/shell/actions.h"
#include "app/shell/appearance.h"
#include "app/window/picture_view.h"
#include "app/window/text_dialogs.h"

namespace blockscope {

namespace {

Mark mark_of(Glow::Kind kind) {
    switch (kind) {
        case Glow::Kind::None:
            return Mark::None;
        case Glow::Kind::Match:
            return Mark::Match;
        case Glow::Kind::Culprit:
            return Mark::Culprit;
        case Glow::Kind::Made:
            return Mark::Made;
        case Glow::Kind::Search:
            return Mark::Search;
    }
    return Mark::None;
}

void light(Lights& lights, const Picture& picture, NodeId node, Mark mark) {
    const int box = picture.figure.find(node);
    if (box >= 0) lights.boxes[box] = mark;
}

}  // namespace

Lights picture_lights(const Picture& picture, const Document& document, bool edge_labels) {
    Lights lights;
    lights.edge_labels = edge_labels;
    // Later marks win: what is pointed at is weaker than what is selected, which is weaker than a glow.
    const Spot& hover = document.hover();
    for (const NodeId node : hover.nodes) light(lights, picture, node, Mark::Hovered);
    if (hover.value) lights.hovered_edge = edge_of(picture, hover);
    const Spot& selection = document.selection();
    for (const NodeId node : selection.nodes) light(lights, picture, node, Mark::Selected);
    if (const int edge = selection.value ? edge_of(picture, selection) : -1; edge >= 0) {
        const ValuePath path = value_path(picture.figure, edge);
        lights.edges.insert(path.edges.begin(), path.edges.end());
    }
    for (const NodeId node : document.glow().nodes)
        light(lights, picture, node, mark_of(document.glow().kind));
    return lights;
}

Spot spot_at(const Picture& picture, int box, int edge) {
    Spot spot;
    if (edge >= 0) {
        const Edge& hit = picture.figure.edges[edge];
        spot.value = hit.value;
        spot.consumer = hit.consumer;
    } else if (box >= 0) {
        spot.nodes.insert(picture.figure.boxes[box].id());
    }
    return spot;
}

int edge_of(const Picture& picture, const Spot& spot) {
    if (!spot.value) return -1;
    int found = -1;
    const auto& edges = picture.figure.edges;
    for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
        if (!edges[i].value.same_value(*spot.value)) continue;
        if (edges[i].consumer == spot.consumer) return i;
        if (found < 0) found = i;
    }
    return found;
}

std::optional<Rect> bounds_of(const Picture& picture, const Spot& spot) {
    std::optional<Rect> all;
    const auto add = [&](const Rect& rect) {
        if (!all) {
            all = rect;
            return;
        }
        const double left = std::min(all->left(), rect.left());
        const double top = std::min(all->top(), rect.top());
        all = Rect{left, top, std::max(all->right(), rect.right()) - left,
                   std::max(all->bottom(), rect.bottom()) - top};
    };
    for (const NodeId node : spot.nodes)
        if (const int box = picture.figure.find(node); box >= 0) add(picture.geometry.boxes[box]);
    if (const int edge = edge_of(picture, spot); edge >= 0)
        for (const int box : value_path(picture.figure, edge).boxes) add(picture.geometry.boxes[box]);
    return all;
}

namespace {

constexpr double kFirstWithin = 0.6;  // of a view's extent: where the first operator ends at latest

// That stands nearest to where the picture begins.
const Rect* first_operator(const Picture& picture) {
    const Rect* first = nullptr;
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i) {
        const BoxKind kind = picture.figure.boxes[i].kind;
        const Rect& box = picture.geometry.boxes[i];
        if (kind == BoxKind::Frame || kind == BoxKind::Input || kind == BoxKind::Output) continue;
        if (first == nullptr || box.right() + box.bottom() < first->right() + first->bottom()) first = &box;
    }
    return first;
}

}  // namespace

Rect beginning_of(const Picture& picture, const Size& room) {
    const Rect& all = picture.geometry.bounds;
    const Rect* first = first_operator(picture);
    if (first == nullptr) return {all.x, all.y, 1, 1};
    const double late_x = first->right() - (all.x + kFirstWithin * room.width);
    const double late_y = first->bottom() - (all.y + kFirstWithin * room.height);
    const double x = all.x + std::max(0.0, late_x), y = all.y + std::max(0.0, late_y);
    return {x, y, all.right() - x, all.bottom() - y};
}

// What the mouse and the keys do in the picture.

namespace {

constexpr double kPan = 80;        // pixels of one key
constexpr int kMove = 10;          // of a block by one key, in the picture's units
constexpr double kZoom = 1.25;     // of one key
constexpr int kMostLevels = 64;    // of nested maps
constexpr int kCopyPixels = 4096;  // at most, of a copied picture, in each direction

}  // namespace

void PictureView::connect_canvas() {
    connect(canvas_, &Canvas::hovered, this, [this](int box, int edge) {
        if (picture()) document_.set_hover(spot_at(*picture(), box, edge));
    });
    connect(canvas_, &Canvas::clicked, this, &PictureView::clicked);
    connect(canvas_, &Canvas::number_clicked, this, qOverload<int, int>(&PictureView::ask_for_number));
    connect(canvas_, &Canvas::focus_moved, this, [this](int box) { select_boxes({box}, false); });
    connect(canvas_, &Canvas::boxes_selected, this,
            [this](const std::vector<int>& boxes, Qt::KeyboardModifiers modifiers) {
                select_boxes(boxes, (modifiers & Qt::ControlModifier) != 0);
            });
    connect(canvas_, &Canvas::activated, this, &PictureView::fold_box);
    connect(canvas_, &Canvas::box_dragged, this, [this](int box, QPointF by) {
        move_block(box, {static_cast<int>(std::lround(by.x())), static_cast<int>(std::lround(by.y()))});
    });
    connect(canvas_, &Canvas::menu_requested, this, &PictureView::menu);
    connect(breadcrumb_, &Breadcrumb::chosen, this, [this](NodeId node) {
        if (!picture()) return;
        if (!node) {
            document_.select({});
            return canvas_->fit();
        }
        document_.select({{node}, {}, {}});
        services_.actions.trigger("view.fit_selection");
    });
}

void PictureView::clicked(int box, int edge, Qt::KeyboardModifiers modifiers) {
    if (!picture()) return;
    Spot spot = spot_at(*picture(), box, edge);
    if ((modifiers & (Qt::ShiftModifier | Qt::ControlModifier)) != 0 && box >= 0 && edge < 0) {
        // Adds to the selection, or takes away.
        const NodeId node = *spot.nodes.begin();
        spot = document_.selection();
        spot.value.reset();
        if (spot.nodes.erase(node) == 0) spot.nodes.insert(node);
    }
    document_.select(spot);
}

void PictureView::ask_for_number(int box, int edge) {
    if (!picture() || !shown_.content || shown_.preview || !document_.content().history.has(shown_.state))
        return;
    const Figure& figure = picture()->figure;
    Costs& costs = Costs::of(document_);
    CostPlace place;
    if (box >= 0) place.node = figure.boxes.at(static_cast<std::size_t>(box)).id();
    if (edge >= 0) place.value = figure.edges.at(static_cast<std::size_t>(edge)).value;
    costs.ask_for_derivation(shown_.state, heat_column(costs.heat()), place);
}

void PictureView::ask_for_number() {
    if (document_.empty()) return;
    const Spot& selected = document_.selection();
    Costs& costs = Costs::of(document_);
    CostPlace place;
    if (selected.value)
        place.value = selected.value;
    else if (!selected.nodes.empty())
        place.node = *selected.nodes.rbegin();
    costs.ask_for_derivation(document_.content().current, heat_column(costs.heat()), place);
}

void PictureView::fold_box(int box) {
    if (!picture() || box < 0) return;
    const BoxKind kind = picture()->figure.boxes[box].kind;
    if (kind != BoxKind::Frame && kind != BoxKind::Cloud) box = parent_of(*picture(), box);
    if (box >= 0) document_.toggle_fold(origin(picture()->figure.boxes[box].id()));
}

void PictureView::move_block(int box, Shift by) {
    if (!picture() || box < 0 || shown_.preview) return;
    document_.move_block(origin(picture()->figure.boxes[box].id()), by);
}

void PictureView::pin_note() {
    const int box = document_.empty() ? -1 : selected_box();
    if (box < 0) return services_.say(tr("Select the block that the note is about first."));
    const NodeId node = origin(picture()->figure.boxes[box].id());
    const auto& pinned = document_.content().pinned;
    const auto found = pinned.find(node);
    auto* dialog = new NoteDialog(found == pinned.end() ? PinnedNote() : found->second, this);
    connect(dialog, &NoteDialog::answered, this,
            [this, node](const PinnedNote& note) { document_.pin_note(node, note); });
    dialog->open();
}

int PictureView::selected_box() const {
    if (!picture() || document_.selection().nodes.empty()) return -1;
    return picture()->figure.find(*document_.selection().nodes.rbegin());
}

void PictureView::select_boxes(const std::vector<int>& boxes, bool add) {
    if (!picture()) return;
    Spot spot;
    if (add) spot.nodes = document_.selection().nodes;
    for (const int box : boxes)
        if (box >= 0) spot.nodes.insert(picture()->figure.boxes[box].id());
    document_.select(spot);
}

void PictureView::connect_keys() {
    Actions& actions = services_.actions;
    for (const ActionInfo& info : action_table())
        if (info.scope == KeyScope::Picture) addAction(actions.get(info.id));
    const auto arrow = [&](const char* id, Direction direction) {
        actions.on(
            id, [this, direction] { canvas_->move_focus(direction); }, this);
    };
    arrow("picture.left", Direction::Left);
    arrow("picture.right", Direction::Right);
    arrow("picture.up", Direction::Up);
    arrow("picture.down", Direction::Down);
    const auto nest = [&](const char* id, int (*next)(const Picture&, int)) {
        const auto go = [this, next] {
            const int box = selected_box() < 0 ? -1 : next(*picture(), selected_box());
            if (box < 0) return;
            canvas_->focus_box(box);
            select_boxes({box}, false);
        };
        actions.on(id, go, this);
    };
    nest("picture.outer", parent_of);
    nest("picture.inner", first_child);
    actions.on(
        "picture.open", [this] { fold_box(selected_box()); }, this);
    const auto pan = [&](const char* id, double dx, double dy) {
        actions.on(
            id, [this, dx, dy] { canvas_->set_camera(panned(canvas_->camera(), dx, dy), true); }, this);
    };
    pan("picture.pan_left", kPan, 0);
    pan("picture.pan_right", -kPan, 0);
    pan("picture.pan_up", 0, kPan);
    pan("picture.pan_down", 0, -kPan);
    const auto move = [&](const char* id, int x, int y) {
        actions.on(
            id,
            [this, x, y] {
                move_block(selected_box(), {x, y});
            },
            this);
    };
    actions.on(
        "picture.pin", [this] { pin_note(); }, this);
    move("picture.move_left", -kMove, 0);
    move("picture.move_right", kMove, 0);
    move("picture.move_up", 0, -kMove);
    move("picture.move_down", 0, kMove);
    actions.on(
        "view.fit", [this] { canvas_->fit(); }, this);
    actions.on(
        "view.fit_selection",
        [this] {
            if (!picture()) return;
            if (const auto part = bounds_of(*picture(), document_.selection())) canvas_->fit(part->grown(24));
        },
        this);
    actions.on(
        "view.actual_size", [this] { canvas_->actual_size(); }, this);
    actions.on(
        "view.zoom_in", [this] { canvas_->zoom(kZoom); }, this);
    actions.on(
        "view.zoom_out", [this] { canvas_->zoom(1 / kZoom); }, this);
    actions.on(
        "edit.copy_picture", [this] { copy_picture(); }, this);
}

void PictureView::connect_folds() {
    Actions& actions = services_.actions;
    actions.on(
        "view.toggle_fold", [this] { fold_box(selected_box()); }, this);
    const auto depth = [&](const char* id, int levels, const QString& label) {
        actions.on(
            id,
            [this, levels, label] {
                if (!document_.empty())
                    document_.set_folds(folds_at_depth(*document_.content().program(), levels), label);
            },
            this);
    };
    depth("view.fold_all", 0, tr("Fold all maps"));
    depth("view.fold_depth_1", 1, tr("Show one level"));
    depth("view.fold_depth_2", 2, tr("Show two levels"));
    depth("view.fold_depth_3", 3, tr("Show three levels"));
    actions.on(
        "view.fold_depth", [this] { ask_depth(); }, this);
    actions.on(
        "view.unfold_all", [this] { document_.set_folds({}, tr("Unfold all maps")); }, this);
    actions.on(
        "view.tidy", [this] { document_.tidy(); }, this);
}

void PictureView::ask_depth() {
    if (document_.empty()) return;
    const ProgramPtr program = document_.content().program();
    int deepest = 0;
    while (deepest < kMostLevels && !folds_at_depth(*program, deepest).empty()) ++deepest;
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Fold to depth"));
    dialog->setLabelText(tr("Levels of maps to show (this state has %1)").arg(deepest));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(0, std::max(1, deepest));
    dialog->setIntValue(std::min(1, deepest));
    connect(dialog, &QInputDialog::intValueSelected, this, [this](int levels) {
        if (document_.empty()) return;
        document_.set_folds(folds_at_depth(*document_.content().program(), levels),
                            tr("Show %1 levels").arg(levels));
    });
    dialog->open();
}

void PictureView::menu(int box, int edge, const QPoint& at) {
    if (!picture()) return;
    if (box >= 0 || edge >= 0) document_.select(spot_at(*picture(), box, edge));
    QMenu menu(this);
    const auto add = [&](std::initializer_list<const char*> ids) {
        for (const char* id : ids) menu.addAction(services_.actions.get(id));
        menu.addSeparator();
    };
    if (box >= 0) add({"view.toggle_fold", "picture.outer", "view.fit_selection", "picture.pin"});
    if (box >= 0 || edge >= 0) add({"heat.derive"});
    add({"view.fold_all", "view.unfold_all"});
    add({"view.fit", "view.tidy", "edit.copy_picture"});
    menu.exec(at);
}

void PictureView::copy_picture() {
    if (!picture()) return;
    const Rect& bounds = picture()->geometry.bounds;
    const double ratio = 2;  // sharp where it is pasted
    const int width = std::min(kCopyPixels, static_cast<int>(bounds.width * ratio));
    const int height = std::min(kCopyPixels, static_cast<int>(bounds.height * ratio));
    // A large picture takes more than a moment to draw.
    services_.work.start(tr("Copying the picture"),
                         [this, shown = picture(), theme = services_.appearance.theme(), width,
                          height](const Stop&) -> Work::Finish {
                             QImage image = thumbnail(*shown, theme, width, height, 1);
                             return [this, image = std::move(image)] {
                                 QGuiApplication::clipboard()->setImage(image);
                                 services_.say(tr("The picture is on the clipboard."));
                             };
                         });
}

}  // namespace blockscope
