#include "app/circuit/circuit_steps.h"

#include <QRegularExpression>
#include <algorithm>

#include "app/circuit/steps_text.h"
#include "app/document/circuit_steps_json.h"
#include "app/document/document_json.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

using circuit::AxisId;
using circuit::CircuitAction;
using circuit::CircuitSession;
using circuit::StepTree;

constexpr std::int64_t kFirstPart = 64;

// Whether two sessions differ in notes alone.
bool same_but_notes(const SessionPtr& a, const SessionPtr& b) {
    return a && b && a->count() == b->count() && a->tree().current == b->tree().current &&
           a->tree().tip == b->tree().tip && a->shared(a->count() - 1) == b->shared(b->count() - 1);
}

using Verdicts = std::vector<circuit::AxisVerdict>;

std::shared_ptr<const Verdicts> verdicts_of(const CircuitSession& session) {
    return std::make_shared<const Verdicts>(session.verdicts());
}

}  // namespace

AxisId whole_axis(const circuit::Axes& axes, AxisId axis) {
    if (axis.value < 0) return axis;
    return circuit::axis_of(axes, axis).whole.value_or(axis);
}

circuit::Circuit step_circuit(const CircuitSession& session, AxisId axis, int step) {
    const circuit::CircuitState& state = session.current();
    if (step < 0) return state.analysis.circuit;
    for (const circuit::AxisVerdict& verdict : circuit::axis_verdicts(*state.flow)) {
        if (verdict.axis != axis) continue;
        const std::vector<circuit::TheoremStep> steps = circuit::theorem_steps(*state.flow, verdict);
        if (step < static_cast<int>(steps.size())) return steps[static_cast<std::size_t>(step)].diagram;
    }
    return state.analysis.circuit;
}

CircuitSteps::CircuitSteps(Document& document) : QObject(&document), document_(document), work_(this) {
    connect(&document, &Document::content_changed, this, &CircuitSteps::follow);
}

CircuitSteps& CircuitSteps::of(Document& document) {
    if (auto* found = document.findChild<CircuitSteps*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new CircuitSteps(document);
}

void CircuitSteps::want() {
    wanted_ = true;
    follow();
}

// The document has other steps, or is another one: undone, redone, opened, its sizes changed.
void CircuitSteps::follow() {
    if (!wanted_) return;
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().history.state(0).program;
    const Tree tree = document_.empty() ? nullptr : document_.content().circuit;
    if (program == of_ && tree == tree_) return;
    const bool same_program = program == of_;
    of_ = program;
    tree_ = tree;
    if (program) return begin(same_program);
    work_.cancel();
    why_not_.clear();
    show(nullptr, std::make_shared<const std::vector<circuit::AxisVerdict>>());
}

void CircuitSteps::begin(bool same_program) {
    const CircuitSession* known = same_program && session_ ? session_.get() : nullptr;
    const StepTree tree = tree_ ? *tree_ : StepTree{};
    if (known && known->has_all(tree)) {  // a step back in the document
        work_.cancel();
        const auto flow = known->current().flow;
        auto made = std::make_shared<const CircuitSession>(known->shown_as(tree));
        const bool same_flow = made->current().flow == flow;
        return show(made, same_flow ? verdicts_ : verdicts_of(*made));
    }
    const ContentPtr content = document_.snapshot();
    const SessionPtr old = known ? session_ : nullptr;
    work_.start(tr("Reading the circuit's axes"), [=, this](const Stop&) -> Work::Finish {
        Result<circuit::Flow> flow = old ? *old->state(0).flow : circuit_flow(*content);
        Result<CircuitSession> made = flow ? CircuitSession::of(std::move(flow).value(), tree, old.get())
                                           : Result<CircuitSession>(flow.problems());
        if (!made) {
            const std::string problem = made.problems().front().message;
            return [this, problem, of_blocks = !content->array] {
                why_not_ = of_blocks
                               ? tr("This document was opened as a block program: its axes are split into "
                                    "blocks already, and no program on whole axes can be read from it. Open "
                                    "the text of the program to group and stream its axes.")
                               : as_sentence(problem);
                show(nullptr, std::make_shared<const std::vector<circuit::AxisVerdict>>());
            };
        }
        auto session = std::make_shared<const CircuitSession>(std::move(made).value());
        return [=, this, verdicts = verdicts_of(*session)] { show(session, verdicts); };
    });
}

void CircuitSteps::show(SessionPtr session, Verdicts verdicts) {
    const bool only_notes = same_but_notes(session_, session);
    session_ = std::move(session);
    if (only_notes) return Q_EMIT noted();
    verdicts_ = std::move(verdicts);
    if (session_) why_not_.clear();
    if (!verdict(axis_)) axis_ = AxisId{-1};
    shown_step_ = -1;
    Q_EMIT changed();
}

// `made` comes from `base`; the document gets its steps, as an entry of its undo.
void CircuitSteps::keep(const QString& label, const QString& merge, const SessionPtr& base,
                        const SessionPtr& made, Verdicts verdicts) {
    if (session_ != base || document_.empty())
        return Q_EMIT refused(tr("The circuit has changed meanwhile, so that nothing was done."));
    if (made->tree() == base->tree()) return;
    Content content = document_.content();
    content.circuit = tree_ = std::make_shared<const StepTree>(made->tree());
    show(made, std::move(verdicts));
    document_.change(label, std::move(content), merge);
}

// To another state. On a copy, so that whoever shows the session may read it on.
void CircuitSteps::move(const std::function<void(CircuitSession&)>& how) {
    if (!session_ || busy()) return;
    auto made = std::make_shared<CircuitSession>(*session_);
    how(*made);
    const bool same_flow = made->current().flow == session_->current().flow;
    keep(tr("Go to a state of the circuit"), QStringLiteral("circuit go"), session_, made,
         same_flow ? verdicts_ : verdicts_of(*made));
}

void CircuitSteps::act(const CircuitAction& action) {
    if (!session_ || busy()) return;
    work_.start(tr("Analysing the circuit"), [=, this, old = session_](const Stop&) -> Work::Finish {
        auto made = std::make_shared<CircuitSession>(*old);
        const Result<int> done = made->act(action);
        if (!done) {
            const QString why = as_sentence(done.problems().front().message);
            return [this, why] { Q_EMIT refused(why); };
        }
        return [=, this, verdicts = verdicts_of(*made)] {
            keep(tr("Circuit: %1").arg(state_title(*made, made->current().id)), {}, old, made, verdicts);
        };
    });
}

void CircuitSteps::rename(AxisId axis, const QString& text) {
    static const QRegularExpression form(QStringLiteral("^\\s*([^\\s=]+)\\s*(?:=\\s*(\\d{1,9}))?\\s*$"));
    const auto match = form.match(text);
    if (!match.hasMatch())
        return Q_EMIT refused(
            tr("\"%1\" is no name of an axis; expected one such as q, or q = 4096.").arg(text.trimmed()));
    act({CircuitAction::Kind::Relabel, axis, match.captured(2).toLongLong(),
         match.captured(1).toStdString()});
}

void CircuitSteps::back() {
    move([](CircuitSession& session) { session.back(); });
}

void CircuitSteps::on() {
    move([](CircuitSession& session) { session.on(); });
}

void CircuitSteps::go_to(int state) {
    if (session_ && state >= 0 && state < session_->count())
        move([state](CircuitSession& session) { session.go_to(state); });
}

void CircuitSteps::set_note(int state, const QString& note) {
    const std::string text = note.toStdString();
    if (!session_ || state >= session_->count() || session_->note(state) == text) return;
    if (text.size() > kMaxNoteBytes)
        return Q_EMIT refused(tr("The note is too long. A note may have %1 bytes.").arg(kMaxNoteBytes));
    auto made = std::make_shared<CircuitSession>(*session_);
    made->set_note(state, text);
    keep(tr("Edit a note of the circuit"), QStringLiteral("circuit note %1").arg(state), session_, made,
         verdicts_);
}

void CircuitSteps::choose(AxisId axis) {
    if (!verdict(axis)) axis = AxisId{-1};
    if (axis == axis_) return;
    axis_ = axis;
    shown_step_ = -1;
    Q_EMIT axis_changed();
}

void CircuitSteps::show_step(int step) {
    if (step == shown_step_) return;
    shown_step_ = step;
    Q_EMIT axis_changed();
}

const circuit::AxisVerdict* CircuitSteps::verdict(AxisId axis) const {
    const auto found = std::find_if(verdicts_->begin(), verdicts_->end(),
                                    [axis](const circuit::AxisVerdict& one) { return one.axis == axis; });
    return found == verdicts_->end() ? nullptr : &*found;
}

std::optional<circuit::Part> CircuitSteps::part(AxisId axis) const {
    if (!session_) return {};
    for (const circuit::Part& part : session_->current().analysis.plan)
        if (part.axis == axis) return part;
    return {};
}

std::int64_t CircuitSteps::part_size(AxisId axis) const {
    if (const auto split = part(axis)) return split->size;
    if (!session_ || !verdict(axis)) return 1;
    const circuit::Axis& whole = circuit::axis_of(session_->current().flow->axes, axis);
    std::int64_t size = kFirstPart;
    if (of_)
        for (const Dim& dim : of_->dims)
            if (dim.name == whole.name && dim.block > 1) size = dim.block;
    return std::clamp<std::int64_t>(size, 1, whole.size);
}

}  // namespace blockscope
