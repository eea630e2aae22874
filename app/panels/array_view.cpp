#include "app/panels/array_view.h"

#include <QVBoxLayout>
#include <utility>

#include "app/document/history.h"
#include "app/document/pictures.h"
#include "app/figure/figure.h"
#include "app/scene/canvas.h"
#include "app/shell/appearance.h"
#include "app/shell/progress.h"

namespace blockscope {

namespace {

constexpr int kQuickLinks = 1000;  // links of fewer nodes take a few milliseconds

using OpsOf = std::map<NodeId, std::set<int>>;

void add_inside(const Node& node, int op, OpsOf& ops) {
    ops[node.id].insert(op);
    if (const Map* map = node.as<Map>())
        for (const NodePtr& inner : map->body->nodes()) add_inside(*inner, op, ops);
}

void add_level(const Graph& graph, bool top_level, const Ancestry& ancestry, const OpsOf& initial,
               const StopSign& stop, ArrayLinks& links) {
    for (const NodePtr& node : graph.nodes()) {
        stop.check();
        const bool port = !top_level && (node->is<Input>() || node->is<Output>());
        for (const NodeId origin : ancestry.origins(node->id)) {
            const auto it = initial.find(origin);
            if (it == initial.end() || port) continue;
            links.ops[node->id].insert(it->second.begin(), it->second.end());
            if (node->is<Map>()) continue;
            for (const int op : it->second) links.nodes[op].insert(node->id);
        }
        if (const Map* map = node->as<Map>()) add_level(*map->body, false, ancestry, initial, stop, links);
    }
}

}  // namespace

ArrayLinks array_links(const Content& content, const StopSign& stop) {
    ArrayLinks links;
    if (!content.array) return links;
    const BlockProgram& initial = *content.history.state(0).program;
    OpsOf ops;
    for (const Origin& origin : content.origins)
        if (const Node* node = initial.graph->find(origin.node)) add_inside(*node, origin.op, ops);
    const Ancestry ancestry(content.history, 0, content.current, stop);
    add_level(*content.program()->graph, true, ancestry, ops, stop, links);
    if (content.current != 0) return links;
    links.nodes.clear();
    for (const Origin& origin : content.origins) links.nodes[origin.op].insert(origin.node);
    return links;
}

CurrentLinks::CurrentLinks(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::opened, this, &CurrentLinks::forget);
}

void CurrentLinks::forget() {
    background_.cancel();
    asked_ = nullptr;
    links_ = {};
    given_up_ = false;
}

CurrentLinks& CurrentLinks::of(Document& document) {
    if (auto* found = document.findChild<CurrentLinks*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new CurrentLinks(document);
}

const ArrayLinks& CurrentLinks::links() {
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
    if (program == asked_) return links_;
    forget();
    asked_ = program;
    if (!program || !document_.content().array) return links_;
    if (node_count(*program) < kQuickLinks) {
        links_ = array_links(document_.content());
        return links_;
    }
    background_.start(tr("Finding what belongs to which operator"),
                      [this, content = document_.snapshot()](const Stop& stop) -> Background::Finish {
                          return [this, links = array_links(*content, stop.sign())]() mutable {
                              links_ = std::move(links);
                              Q_EMIT found();
                          };
                      });
    return links_;
}

void CurrentLinks::cancel() {
    background_.cancel();
    given_up_ = true;
    Q_EMIT found();
}

void CurrentLinks::find_again() {
    forget();
    links();
    Q_EMIT found();
}

namespace {

constexpr int kPictureOverlayTop = 16;  // of what says that the picture is late
constexpr int kPictureLinksTop = 70;    // below it: that the links are

}  // namespace

ArrayView::ArrayView(Document& document, Services& services, QWidget* parent)
    : QWidget(parent),
      document_(document),
      services_(services),
      canvas_(new Canvas(this)),
      late_(new ProgressOverlay(tr("Laying out the array program"), kPictureOverlayTop, canvas_)),
      links_(CurrentLinks::of(document)),
      late_links_(new ProgressOverlay(links_.work(), kPictureLinksTop, canvas_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(canvas_);
    canvas_->setAccessibleName(tr("Array program"));
    setFocusProxy(canvas_);
    const auto restyle = [this] {
        canvas_->set_theme(services_.appearance.theme());
        canvas_->set_animated(services_.appearance.animated());
    };
    restyle();
    connect(&services_.appearance, &Appearance::changed, this, restyle);
    connect(canvas_, &Canvas::clicked, this, [this](int box, int) { select_op(op_of(box)); });
    connect(canvas_, &Canvas::focus_moved, this, [this](int box) { select_op(op_of(box)); });
    connect(canvas_, &Canvas::hovered, this, [this](int box) {
        const auto it = links_.links().nodes.find(op_of(box));
        document_.set_hover(it == links_.links().nodes.end() ? Spot{} : Spot{it->second, {}, {}});
    });
    connect(late_, &ProgressOverlay::cancelled, this, &ArrayView::stop_waiting);
    connect(&services_.pictures, &Pictures::failed, late_, &ProgressOverlay::end);
    connect(late_links_, &ProgressOverlay::cancelled, this, [this] {
        canvas_->setFocus();
        links_.cancel();
    });
    connect(late_links_, &ProgressOverlay::again_clicked, this, [this] {
        canvas_->setFocus();
        links_.find_again();
    });
    connect(&document_, &Document::content_changed, this, &ArrayView::refresh);
    connect(&document_, &Document::selection_changed, this, &ArrayView::relight);
    connect(&document_, &Document::hover_changed, this, &ArrayView::relight);
    connect(&links_, &CurrentLinks::found, this, &ArrayView::relight);
    refresh();
}

ArrayView::~ArrayView() {
    services_.pictures.cancel(this);
}

// A hidden view costs nothing until it is shown.
void ArrayView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void ArrayView::refresh() {
    if (!isVisible()) return;
    if (document_.empty() || !document_.content().array) {
        services_.pictures.cancel(this);
        late_->end();
        array_.reset();
        source_.clear();
        canvas_->show_picture(nullptr);
        if (document_.empty())
            canvas_->set_message(tr("No program"), tr("Open a program or a sample to see its arrays."));
        else
            canvas_->set_message(tr("No array program"),
                                 tr("This document was opened as a block program: it has no operators on "
                                    "whole arrays."));
        return;
    }
    if (!array_ || source_ != document_.content().source) show_array();
    relight();
}

void ArrayView::show_array() {
    const Content& content = document_.content();
    array_ = content.array;
    source_ = content.source;
    late_->wait();
    services_.pictures.request_figure(this, make_array_figure(*array_, qt_measure()),
                                      [this](const PicturePtr& picture) {
                                          late_->end();
                                          canvas_->set_message({}, {});
                                          canvas_->show_picture(picture);
                                          relight();
                                      });
}

void ArrayView::stop_waiting() {
    services_.pictures.cancel(this);
    canvas_->setFocus();  // the button that had it is gone
    array_.reset();
    source_.clear();
    canvas_->show_picture(nullptr);
    canvas_->set_message(tr("No picture"), tr("Laying it out was cancelled. Any step asks for it again."));
}

int ArrayView::op_of(int box) const {
    const PicturePtr& picture = canvas_->picture();
    if (!picture || box < 0 || !array_) return -1;
    return array_op(*array_, picture->figure.boxes.at(static_cast<std::size_t>(box)).id());
}

void ArrayView::select_op(int op) {
    const auto it = links_.links().nodes.find(op);
    document_.select(it == links_.links().nodes.end() ? Spot{} : Spot{it->second, {}, {}});
}

void ArrayView::relight() {
    const PicturePtr& picture = canvas_->picture();
    if (!picture || !array_ || !isVisible()) return;
    Lights lights;
    const auto light = [&](const Spot& spot, Mark mark) {
        std::set<int> ops;
        for (const NodeId node : spot.nodes) {
            const auto it = links_.links().ops.find(node);
            if (it != links_.links().ops.end()) ops.insert(it->second.begin(), it->second.end());
        }
        for (std::size_t box = 0; box < picture->figure.boxes.size(); ++box)
            if (ops.count(array_op(*array_, picture->figure.boxes[box].id())) > 0)
                lights.boxes[static_cast<int>(box)] = mark;
    };
    light(document_.hover(), Mark::Hovered);
    light(document_.selection(), Mark::Selected);
    canvas_->set_lights(lights);
    late_links_->say_given_up(links_.given_up() ? tr("Cancelled: no links to the blocks.") : QString());
}

}  // namespace blockscope
