#include "app/circuit/circuit_steps.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/circuit/circuit_file.h"
#include "app/document/document_json.h"
#include "app/words/words.h"
#include "core/diagram/layout/drawing.h"
#include "core/napkin/correspond.h"

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
            const Text problem = made.problems().front().message;
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

namespace {

using circuit::AxisId;
using circuit::CircuitAction;
using circuit::PartitionKind;
using circuit::Reason;

constexpr std::int64_t kLeastPart = 16, kMostPart = 1024;  // of a menu

struct StepTexts {
    Q_DECLARE_TR_FUNCTIONS(CircuitSteps)
};

QString value_text(double value) {
    const bool whole = value < 1e15 && std::abs(value - std::round(value)) < 1e-6;
    return whole ? QLocale().toString(static_cast<qlonglong>(std::llround(value)))
                 : QLocale().toString(value, 'g', 6);
}

QString meaning_of(const std::string& name) {
    if (name == "N_g") return StepTexts::tr("groups");
    if (name == "H_g") return StepTexts::tr("values moved by one group");
    if (name == "H") return StepTexts::tr("values moved in all");
    return StepTexts::tr("values held at most");
}

// One row, or two where the step has changed it.
QString number_html(const circuit::CircuitNumbers::Number& number, const QString& muted) {
    const QString arrow = QStringLiteral(" → ");
    QString formula = formula_html(number.formula), value = value_text(number.value);
    if (!number.formula.same_as(number.formula_before))
        formula = formula_html(number.formula_before) + arrow + formula;
    if (number.value != number.before)
        value = value_text(number.before) + arrow + QStringLiteral("<b>%1</b>").arg(value);
    return QStringLiteral(
               "<p style=\"margin:0 0 4px 0\"><b>%1</b> = %3<br>= %4 <span "
               "style=\"color:%5\">%2</span></p>")
        .arg(rich_text_html(number.name), meaning_of(number.name), formula, value, muted);
}

QString reason_html(const Reason& reason) {
    return QStringLiteral("%1: %2").arg(translated(reason.theorem).toHtmlEscaped(),
                                        translated(reason.sentence).toHtmlEscaped());
}

QString group_html(const circuit::AxisVerdict& verdict) {
    const QString head =
        verdict.group ? StepTexts::tr("Can be grouped.") : StepTexts::tr("Cannot be grouped.");
    QString html = QStringLiteral("<p><b>%1</b> ").arg(head);
    for (const Reason& reason : verdict.group_reasons) html += reason_html(reason) + QLatin1Char(' ');
    return html + QStringLiteral("</p>");
}

QString stream_html(const circuit::AxisVerdict& verdict) {
    if (!verdict.stream) {
        QString html = QStringLiteral("<p><b>%1</b> ").arg(StepTexts::tr("Cannot be streamed."));
        for (const Reason& reason : verdict.stream_reasons) html += reason_html(reason) + QLatin1Char(' ');
        return html + QStringLiteral("</p>");
    }
    QString html = QStringLiteral("<p><b>%1</b> %2</p><ol style=\"margin-left:-18px\">")
                       .arg(StepTexts::tr("Can be streamed."),
                            StepTexts::tr("The theorem, step by step; a click draws what streams after it:"));
    int number = 0;
    for (const Reason& reason : verdict.stream_reasons)
        html +=
            QStringLiteral("<li><a href=\"%1\">%2</a>: %3</li>")
                .arg(number++)
                .arg(translated(reason.theorem).toHtmlEscaped(), translated(reason.sentence).toHtmlEscaped());
    html += QStringLiteral("</ol>");
    if (verdict.auxiliary > 0)
        html += QStringLiteral("<p>%1</p>")
                    .arg(StepTexts::tr("Numbers that it keeps per row besides its results: %1.")
                             .arg(verdict.auxiliary));
    return html;
}

// H and M of both where a state of the blocks is the algorithm that the circuit is, counted alike: loads at
// the heads of loops, sums of accumulators drawn.
std::optional<circuit::HM> same_algorithm(const circuit::Analysis& here, const circuit::Flow& flow,
                                          const BlockProgram& program) {
    const Result<circuit::StateAlgorithm> state = circuit::algorithm_of(program);
    const Result<circuit::PlannedAlgorithm> planned = circuit::algorithm_of(flow, here.plan);
    if (!state || !planned) return {};
    const circuit::HM found = circuit::hm_of(state->circuit, state->resources);
    if (circuit::hm_of(planned->circuit, planned->resources) == found) return found;
    return {};
}

}  // namespace

QString rich_text_html(const std::string& text) {
    QString html;
    for (const circuit::TextRun& run : circuit::rich_text(text)) {
        const QString plain = QString::fromStdString(run.text).toHtmlEscaped();
        const QString tag = run.shift > 0   ? QStringLiteral("<sup>%1</sup>")
                            : run.shift < 0 ? QStringLiteral("<sub>%1</sub>")
                                            : QStringLiteral("%1");
        html += tag.arg(plain);
    }
    return html;
}

QString axis_name(const CircuitSteps& steps, AxisId axis) {
    if (!steps.session() || !steps.verdict(axis)) return {};
    return QString::fromStdString(circuit::axis_of(steps.session()->current().flow->axes, axis).name);
}

std::vector<std::int64_t> part_sizes(const CircuitSteps& steps, AxisId axis) {
    if (!steps.session() || !steps.verdict(axis)) return {};
    const std::int64_t whole = circuit::axis_of(steps.session()->current().flow->axes, axis).size;
    std::vector<std::int64_t> sizes{steps.part_size(axis)};
    for (std::int64_t size = std::min(kLeastPart, whole); size <= std::min(kMostPart, whole); size *= 2)
        sizes.push_back(size);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

QString state_title(const circuit::CircuitSession& session, int state) {
    const circuit::CircuitState& shown = session.state(state);
    if (!shown.action) return StepTexts::tr("Nothing is split");
    const CircuitAction& action = *shown.action;
    const QString axis =
        QString::fromStdString(circuit::axis_of(session.state(shown.parent).flow->axes, action.axis).name);
    const QString name = QString::fromStdString(action.name);
    switch (action.kind) {
        case CircuitAction::Kind::Relabel:
            return action.size > 0 ? StepTexts::tr("Call %1 %2, of size %L3").arg(axis, name).arg(action.size)
                                   : StepTexts::tr("Call %1 %2").arg(axis, name);
        case CircuitAction::Kind::Group:
            return StepTexts::tr("Group %1 in parts of %L2").arg(axis).arg(action.size);
        case CircuitAction::Kind::Stream:
            return StepTexts::tr("Stream %1 in parts of %L2").arg(axis).arg(action.size);
        case CircuitAction::Kind::Join:
            return StepTexts::tr("Put %1 together").arg(axis);
    }
    return {};
}

QString split_text(const std::optional<circuit::Part>& part) {
    if (!part) return {};
    return (part->kind == PartitionKind::Group ? StepTexts::tr("groups of %L1")
                                               : StepTexts::tr("stream of %L1"))
        .arg(part->size);
}

QString formula_html(const circuit::Formula& formula) {
    return rich_text_html(formula.text());
}

QString numbers_html(const circuit::CircuitSession& session, const QString& muted) {
    QString html;
    for (const circuit::CircuitNumbers::Number& number : session.numbers(session.current().id).numbers)
        html += number_html(number, muted);
    const std::string memory = algebra::memory_symbol(session.current().flow->axes).name;
    const auto& law = session.current().analysis.law;
    if (!law) return html;
    // The least H, then the groups that have it.
    QStringList lines = {formula_html(law->formula(memory))};
    for (const circuit::GroupChoice& choice : law->choices)
        lines << QStringLiteral("%1 = %2").arg(rich_text_html(choice.name()),
                                               rich_text_html(choice.text(memory)));
    html += QStringLiteral("<p style=\"margin:0\"><b>H*</b> <span style=\"color:%3\">%1</span><br>%2</p>")
                .arg(StepTexts::tr("at best, with memory for %1 values").arg(QString::fromStdString(memory)),
                     lines.join(QStringLiteral("<br>")), muted);
    return html;
}

QString picture_text(const circuit::CircuitSession& session, const BlockProgram& program, int step) {
    const Result<circuit::Circuit> diagram = circuit_of_state(program);
    if (!diagram) return {};
    const circuit::Resources costs = circuit::resources(*diagram);
    const circuit::Values values = circuit::sizes(diagram->axes);
    const double moved = costs.transferred.value(values), held = costs.widest(1).value(values);
    const circuit::Analysis& here = session.current().analysis;
    const circuit::Values mine = circuit::sizes(here.circuit.axes);
    const bool same =
        here.resources.transferred.value(mine) == moved && here.resources.widest(1).value(mine) == held;
    if (same)
        return StepTexts::tr("Step %1 of the picture moves and holds the same: H = %2, M = %3.")
            .arg(step)
            .arg(value_text(moved), value_text(held));
    QString listed = StepTexts::tr("Step %1 of the picture: H = %2, M = %3.")
                         .arg(step)
                         .arg(value_text(moved), value_text(held));
    const auto alike = same_algorithm(here, *session.current().flow, program);
    if (!alike) return listed;
    return listed + QLatin1Char('\n') +
           StepTexts::tr(
               "Both are one algorithm. With what a loop does not index loaded before it (Section 2.4) and "
               "the sums that the stream keeps counted (Section 5.1), each moves and holds H = %1, M = %2.")
               .arg(value_text(alike->transferred), value_text(alike->memory));
}

QString short_reason(const std::vector<Reason>& reasons) {
    if (reasons.empty()) return {};
    return QStringLiteral("%1 (%2)").arg(translated(reasons.front().sentence),
                                         translated(reasons.front().theorem));
}

QString verdict_html(const CircuitSteps& steps, AxisId axis) {
    if (!steps.session()) return {};
    const circuit::AxisVerdict* verdict = steps.verdict(axis);
    if (!verdict) return StepTexts::tr("Choose an axis here, or click its wire in the diagram.");
    return group_html(*verdict) + stream_html(*verdict);
}

}  // namespace blockscope
