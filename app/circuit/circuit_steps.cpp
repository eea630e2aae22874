#include "app/circuit/circuit_steps.h"

#include <QRegularExpression>
#include <algorithm>

#include "app/words/words.h"
#include "core/circuit/from_block.h"

namespace blockscope {

namespace {

using circuit::AxisId;
using circuit::CircuitAction;
using circuit::CircuitSession;

constexpr std::int64_t kFirstPart = 64;

Result<circuit::Flow> flow_for(const Content& content) {
    if (content.array) return circuit::separated(circuit::flow_of(*content.array));
    const Result<circuit::Circuit> drawn = circuit::circuit_of(*content.history.state(0).program);
    if (!drawn) return drawn.problems();
    const Result<circuit::Flow> flow = circuit::flow_of(*drawn);
    if (!flow) return flow.problems();
    return circuit::separated(*flow);
}

// The same program with other sizes.
bool same_but_sizes(const circuit::Flow& a, const circuit::Flow& b) {
    const auto same_axis = [](const circuit::Axis& x, const circuit::Axis& y) { return x.name == y.name; };
    const auto same_array = [](const circuit::FlowArray& x, const circuit::FlowArray& y) {
        return x.name == y.name && x.type == y.type;
    };
    const auto same_op = [](const circuit::FlowOp& x, const circuit::FlowOp& y) {
        return x.apply.op == y.apply.op && x.inputs == y.inputs && x.outputs == y.outputs;
    };
    return std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), same_axis) &&
           std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(), same_array) &&
           std::equal(a.ops.begin(), a.ops.end(), b.ops.begin(), b.ops.end(), same_op);
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

void CircuitSteps::follow() {
    if (!wanted_) return;
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().history.state(0).program;
    if (program == of_) return;
    of_ = program;
    if (program) return begin();
    work_.cancel();
    why_not_.clear();
    take(nullptr, {});
}

void CircuitSteps::begin() {
    const ContentPtr content = document_.snapshot();
    work_.start(tr("Reading the circuit's axes"), [=, this, old = session_](const Stop&) -> Work::Finish {
        Result<circuit::Flow> flow = flow_for(*content);
        if (!flow) {
            const std::string problem = flow.problems().front().message;
            return [this, problem] {
                why_not_ = as_sentence(problem);
                take(nullptr, {});
            };
        }
        const bool again = old && same_but_sizes(*old->state(0).flow, *flow);
        auto made = std::make_shared<const CircuitSession>(again ? circuit::replayed(*old, *std::move(flow))
                                                                 : CircuitSession(*std::move(flow)));
        return [=, this, verdicts = made->verdicts()] { take(made, verdicts); };
    });
}

void CircuitSteps::take(SessionPtr session, Verdicts verdicts) {
    session_ = std::move(session);
    verdicts_ = std::move(verdicts);
    if (session_) why_not_.clear();
    if (!verdict(axis_)) axis_ = AxisId{-1};
    shown_step_ = -1;
    Q_EMIT changed();
}

// On a copy, so that whoever shows the session may read it on.
void CircuitSteps::change(const std::function<void(CircuitSession&)>& how) {
    if (!session_ || busy()) return;
    const auto flow = session_->current().flow;
    auto made = std::make_shared<CircuitSession>(*session_);
    how(*made);
    const bool same_flow = made->current().flow == flow;
    take(made, same_flow ? verdicts_ : made->verdicts());
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
        return [=, this, verdicts = made->verdicts()] { take(made, verdicts); };
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

void CircuitSteps::undo() {
    change([](CircuitSession& session) { session.undo(); });
}

void CircuitSteps::redo() {
    change([](CircuitSession& session) { session.redo(); });
}

void CircuitSteps::go_to(int state) {
    change([state](CircuitSession& session) { session.go_to(state); });
}

void CircuitSteps::set_note(int state, const QString& note) {
    if (!session_ || session_->state(state).note == note.toStdString()) return;
    auto made = std::make_shared<CircuitSession>(*session_);
    made->set_note(state, note.toStdString());
    session_ = std::move(made);
    Q_EMIT noted();
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
    const auto found = std::find_if(verdicts_.begin(), verdicts_.end(),
                                    [axis](const circuit::AxisVerdict& one) { return one.axis == axis; });
    return found == verdicts_.end() ? nullptr : &*found;
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
