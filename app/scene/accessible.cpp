#include "app/scene/canvas.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <map>

#include "app/words/words.h"

namespace blockscope {

namespace {

class CanvasAccessible;

// One box of a canvas. Invalid as soon as the canvas shows another picture.
class BoxAccessible : public QAccessibleInterface {
public:
    BoxAccessible(Canvas* canvas, int box) : canvas_(canvas), picture_(canvas->picture()), box_(box) {}

    bool isValid() const override { return canvas_ && canvas_->picture() == picture_; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return canvas_ ? canvas_->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int index) const override;
    int childCount() const override { return static_cast<int>(box().children.size()); }
    int indexOfChild(const QAccessibleInterface* child) const override;

    QString text(QAccessible::Text what) const override {
        if (what == QAccessible::Description && isValid()) {
            const auto heat = canvas_->lights().heat.find(box_);  // the number on the heat map
            return heat == canvas_->lights().heat.end() ? QString()
                                                        : QString::fromStdString(heat->second.text);
        }
        if (what != QAccessible::Name) return {};
        return box().detail.empty() ? QString::fromStdString(box().label) : translated(box().detail);
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect inside = canvas_->box_rect(box_).toAlignedRect();
        return {canvas_->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override {
        return box().children.empty() ? QAccessible::Graphic : QAccessible::Grouping;
    }
    QAccessible::State state() const override {
        QAccessible::State result;
        result.focusable = result.selectable = true;
        if (!isValid()) {
            result.invalid = true;
            return result;
        }
        result.focused = canvas_->focused_box() == box_ && canvas_->hasFocus();
        const auto mark = canvas_->lights().boxes.find(box_);
        result.selected = mark != canvas_->lights().boxes.end() && mark->second == Mark::Selected;
        result.offscreen = !canvas_->rect().intersects(canvas_->box_rect(box_).toAlignedRect());
        return result;
    }
    int index() const { return box_; }

private:
    const Box& box() const { return picture_->figure.boxes[static_cast<std::size_t>(box_)]; }
    CanvasAccessible* canvas_interface() const;

    QPointer<Canvas> canvas_;
    PicturePtr picture_;
    int box_;
};

// One edge of a canvas, named by its ends, its type and its memory.
class EdgeAccessible : public QAccessibleInterface {
public:
    EdgeAccessible(Canvas* canvas, int edge) : canvas_(canvas), picture_(canvas->picture()), edge_(edge) {}

    bool isValid() const override { return canvas_ && canvas_->picture() == picture_; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return canvas_ ? canvas_->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override {
        return isValid() ? QAccessible::queryAccessibleInterface(canvas_) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }

    QString text(QAccessible::Text what) const override {
        if (what != QAccessible::Name) return {};
        const Edge& edge = picture_->figure.edges[static_cast<std::size_t>(edge_)];
        return Canvas::tr("edge from %1 to %2: %3")
            .arg(name(edge.from.box), name(edge.to.box), edge_words(edge));
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        if (!isValid()) return {};
        const QRect inside = canvas_->edge_rect(edge_).toAlignedRect();
        return {canvas_->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override { return QAccessible::Graphic; }
    QAccessible::State state() const override {
        QAccessible::State result;
        result.selectable = true;
        result.invalid = !isValid();
        result.selected = isValid() && canvas_->lights().edges.count(edge_) > 0;
        return result;
    }

private:
    QString name(int box) const {
        const Box& end = picture_->figure.boxes[static_cast<std::size_t>(box)];
        return QString::fromStdString(end.label.empty() ? end.corner : end.label);
    }

    QPointer<Canvas> canvas_;
    PicturePtr picture_;
    int edge_;
};

// Its children: the boxes that are in no other, then all edges.
class CanvasAccessible : public QAccessibleWidget {
public:
    explicit CanvasAccessible(Canvas* canvas) : QAccessibleWidget(canvas, QAccessible::Canvas) {}
    ~CanvasAccessible() override { forget(); }

    int childCount() const override { return root_count() + edge_count(); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        if (index >= root_count()) return of_edge(index - root_count());
        return of_box(roots()[static_cast<std::size_t>(index)]);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (int i = 0; i < childCount(); ++i)
            if (this->child(i) == child) return i;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < root_count(); ++i)
            if (child(i)->rect().contains(x, y)) return child(i);
        return nullptr;
    }

    QAccessibleInterface* of_box(int box) const { return made<BoxAccessible>(boxes_, box); }
    QAccessibleInterface* of_edge(int edge) const { return made<EdgeAccessible>(edges_, edge); }

private:
    Canvas* canvas() const { return static_cast<Canvas*>(object()); }
    using Ids = std::map<int, QAccessible::Id>;

    template <class Item>
    QAccessibleInterface* made(Ids& ids, int index) const {
        if (canvas()->picture() != picture_) {
            forget();
            picture_ = canvas()->picture();
        }
        const auto found = ids.find(index);
        if (found != ids.end()) return QAccessible::accessibleInterface(found->second);
        auto* item = new Item(canvas(), index);
        ids[index] = QAccessible::registerAccessibleInterface(item);  // owns it
        return item;
    }
    std::vector<int> roots() const {
        return canvas() && canvas()->picture() ? canvas()->picture()->figure.roots : std::vector<int>{};
    }
    int root_count() const { return static_cast<int>(roots().size()); }
    int edge_count() const {
        return canvas() && canvas()->picture() ? static_cast<int>(canvas()->picture()->figure.edges.size())
                                               : 0;
    }
    void forget() const {
        for (Ids* ids : {&boxes_, &edges_}) {
            for (const auto& [index, id] : *ids) QAccessible::deleteAccessibleInterface(id);
            ids->clear();
        }
    }

    mutable PicturePtr picture_;
    mutable Ids boxes_, edges_;
};

CanvasAccessible* BoxAccessible::canvas_interface() const {
    return isValid() ? static_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(canvas_))
                     : nullptr;
}

QAccessibleInterface* BoxAccessible::parent() const {
    CanvasAccessible* canvas = canvas_interface();
    if (!canvas) return nullptr;
    if (box().parent < 0) return canvas;
    return canvas->of_box(box().parent);
}

QAccessibleInterface* BoxAccessible::child(int index) const {
    CanvasAccessible* canvas = canvas_interface();
    if (!canvas || index < 0 || index >= childCount()) return nullptr;
    return canvas->of_box(box().children[static_cast<std::size_t>(index)]);
}

int BoxAccessible::indexOfChild(const QAccessibleInterface* child) const {
    for (int i = 0; i < childCount(); ++i)
        if (this->child(i) == child) return i;
    return -1;
}

QAccessibleInterface* BoxAccessible::childAt(int x, int y) const {
    for (int i = 0; i < childCount(); ++i)
        if (QAccessibleInterface* inner = child(i); inner && inner->rect().contains(x, y)) return inner;
    return nullptr;
}

QAccessibleInterface* make_interface(const QString&, QObject* object) {
    auto* canvas = qobject_cast<Canvas*>(object);
    return canvas ? new CanvasAccessible(canvas) : nullptr;
}

}  // namespace

void install_canvas_accessibility() {
    static const bool kInstalled = [] {
        QAccessible::installFactory(make_interface);
        return true;
    }();
    static_cast<void>(kInstalled);
}

void announce_focus(Canvas& canvas, int box) {
    if (!QAccessible::isActive()) return;
    auto* interface = dynamic_cast<CanvasAccessible*>(QAccessible::queryAccessibleInterface(&canvas));
    if (!interface || box < 0) return;
    QAccessibleEvent event(interface->of_box(box), QAccessible::Focus);
    QAccessible::updateAccessibility(&event);
}

}  // namespace blockscope
