// What is marked in the picture: the step, the next one, what is selected, notes, and edges that are gone.
#include "app/window/picture_view.h"

#include <map>
#include <set>
#include <utility>

#include "app/costs/costs.h"
#include "app/document/document.h"
#include "app/document/pictures.h"
#include "app/scene/canvas.h"
#include "app/shell/appearance.h"
#include "app/shell/step_look.h"
#include "app/shell/telling.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostArrays = 12;  // that a tooltip of a map names

}  // namespace

std::vector<NodeId> PictureView::role_nodes(const Match& match) {
    std::vector<NodeId> nodes;
    for (const Role& role : match.roles) nodes.push_back(role.node);
    return nodes;
}

void PictureView::relight() {
    if (!picture()) return;
    // They are smaller than what a room can read.
    const bool labels = services_.settings.edge_labels() && !services_.appearance.presenting();
    Lights lights = picture_lights(*picture(), document_, labels);
    mark_steps(lights);
    show_notes(lights);
    for (const NodeId node : matched_)
        if (const int box = picture()->figure.find(node); box >= 0) lights.boxes.emplace(box, Mark::Match);
    if (shown_.picture == picture())
        for (const int box : previewed_) lights.boxes.emplace(box, Mark::Made);
    // What is shown may be of a program that was closed just now.
    if (!document_.empty() && shown_.content && !shown_.preview && shown_.safe == document_.shows_safe() &&
        shown_.picture == picture()) {
        const Costs& costs = Costs::of(document_);
        const ProgramPtr& program = shown_.content->history.state(shown_.state).program;
        const StateCostsPtr counted = costs.of(program);
        if (document_.content().history.has(shown_.state) && counted)
            heat_.add_to(lights, picture(), counted->state.program(), counted, costs.heat(),
                         heat_source(document_, shown_.state));
    }
    if (explained_ != picture()) {
        explained_ = picture();
        picture_signs_ = signs_of(*explained_, {});
        legend_->add(picture_signs_);
    }
    Signs occurring = picture_signs_;
    const Signs lit = signs_of(lights);
    for (const Sign sign : {Sign::Heat, Sign::Match, Sign::Made})
        if (lit.count(sign) > 0) occurring.insert(sign);
    strip_->set_signs(occurring);
    legend_->add(lit);
    canvas_->set_lights(lights);
}

// What the step made stays marked until the next one, and so does what the next step of the branch matches:
// as on an exported strip. What is selected, pointed at or found keeps its own mark.
void PictureView::mark_steps(Lights& lights) const {
    if (shown_.picture != picture() || !shown_.content || shown_.preview || next_.picture) return;
    const History& history = shown_.content->history;
    const HistoryState& state = history.state(shown_.state);
    const Figure& figure = picture()->figure;
    std::map<int, Mark> marks;
    if (state.step)
        for (const Lineage& line : state.step->made)
            if (const int box = figure.find(line.made); box >= 0) marks[box] = Mark::Made;
    for (const NodeId node : next_matched()) {
        const int box = figure.find(node);
        if (box < 0) continue;
        if (marks.count(box) > 0 && lights.boxes.count(box) == 0) lights.around.emplace(box, Mark::Made);
        marks[box] = Mark::Match;
    }
    lights.boxes.insert(marks.begin(), marks.end());
}

// By the next step of the branch.
std::vector<NodeId> PictureView::next_match() const {
    const History& history = shown_.content->history;
    if (!history.has(shown_.state)) return {};
    const std::optional<StateId> next = history.next(shown_.state, shown_.content->branch);
    return next && history.state(*next).step ? role_nodes(history.state(*next).step->match)
                                             : std::vector<NodeId>{};
}

// Nothing while a question about it is open.
std::vector<NodeId> PictureView::next_matched() const {
    return document_.hides_next() ? std::vector<NodeId>{} : next_match();
}

// The first lines of notes pinned to blocks; the tooltip has all of them.
void PictureView::show_notes(Lights& lights) const {
    if (!document_.empty()) lights.notes = notes_in(*picture(), document_.content().pinned);
}

// What went through memory before the step, and is handed on in local memory now: its edges were red.
void PictureView::show_ghosts() {
    const StateTold* told = Telling::of(document_).current();
    if (!shown_.picture || shown_.picture != picture() || !shown_.content || shown_.preview) return;
    if (shown_.safe) return canvas_->set_ghosts({});  // keys are those of the program as it is
    if (!told || !told->step || told->state != shown_.state) return;
    const std::set<ValueKey>& freed = told->step->claims.freed_keys;
    std::vector<Curve> ghosts;
    for (std::size_t i = 0; !freed.empty() && i < shown_.picture->figure.edges.size(); ++i) {
        const Edge& edge = shown_.picture->figure.edges[i];
        const Curve& curve = shown_.picture->geometry.edges[i];
        if (!edge.buffered && !curve.empty() && freed.count(told->names->key(edge.value)) > 0)
            ghosts.push_back(curve);
    }
    canvas_->set_ghosts(std::move(ghosts));
}

// "S", "exp(x) of P": which array of the program a box or an edge is.
QString PictureView::array_words(int box, int edge) const {
    if (document_.empty() || !picture() || document_.preview()) return {};
    const Figure& figure = picture()->figure;
    const NodeId node = box < 0 ? NodeId{} : origin(figure.boxes[static_cast<std::size_t>(box)].id());
    const auto pin = document_.content().pinned.find(node);
    QString note = pin == document_.content().pinned.end()
                       ? QString()
                       : QLatin1Char('\n') + QString::fromStdString(pin->second.text);
    const StateTold* told = Telling::of(document_).current();
    if (!told || !told->names) return note;
    if (box >= 0) {
        const Text result = told->names->result(node), label = told->names->label(node);
        const Text arrays = told->names->arrays(node, kMostArrays);
        if (result == label || arrays.empty()) return translated(label) + note;
        return tr("%1: part of %2").arg(translated(result), translated(arrays)) + note;
    }
    if (edge < 0) return {};
    ValueRef value = figure.edges[static_cast<std::size_t>(edge)].value;
    value.node = origin(value.node);
    return told->names->find(value.node) ? translated(told->names->said(value)) : QString();
}

// The node of the state that a node of its safe form stands for.
NodeId PictureView::origin(NodeId node) const {
    if (!shown_.safe || !shown_.content) return node;
    return State(shown_.content->history.state(shown_.state).program, safe_form()).origin(node);
}

}  // namespace blockscope
