#include "app/circuit/steps_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/circuit/circuit_choice.h"
#include "app/words/words.h"
#include "core/circuit/correspond.h"
#include "core/circuit/layout/drawing.h"

namespace blockscope {

namespace {

using circuit::AxisId;
using circuit::CircuitAction;
using circuit::PartitionKind;
using circuit::Reason;

constexpr std::int64_t kLeastPart = 16, kMostPart = 1024;  // of a menu

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(CircuitSteps)
};

QString value_text(double value) {
    const bool whole = value < 1e15 && std::abs(value - std::round(value)) < 1e-6;
    return whole ? QLocale().toString(static_cast<qlonglong>(std::llround(value)))
                 : QLocale().toString(value, 'g', 6);
}

QString meaning_of(const std::string& name) {
    if (name == "N_g") return Texts::tr("groups");
    if (name == "H_g") return Texts::tr("values moved by one group");
    if (name == "H") return Texts::tr("values moved in all");
    return Texts::tr("values held at most");
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
    return QStringLiteral("%1: %2").arg(in_words(reason.theorem).toHtmlEscaped(),
                                        in_words(reason.sentence).toHtmlEscaped());
}

QString group_html(const circuit::AxisVerdict& verdict) {
    const QString head = verdict.group ? Texts::tr("Can be grouped.") : Texts::tr("Cannot be grouped.");
    QString html = QStringLiteral("<p><b>%1</b> ").arg(head);
    for (const Reason& reason : verdict.group_reasons) html += reason_html(reason) + QLatin1Char(' ');
    return html + QStringLiteral("</p>");
}

QString stream_html(const circuit::AxisVerdict& verdict) {
    if (!verdict.stream) {
        QString html = QStringLiteral("<p><b>%1</b> ").arg(Texts::tr("Cannot be streamed."));
        for (const Reason& reason : verdict.stream_reasons) html += reason_html(reason) + QLatin1Char(' ');
        return html + QStringLiteral("</p>");
    }
    QString html = QStringLiteral("<p><b>%1</b> %2</p><ol style=\"margin-left:-18px\">")
                       .arg(Texts::tr("Can be streamed."),
                            Texts::tr("The theorem, step by step; a click draws what streams after it:"));
    int number = 0;
    for (const Reason& reason : verdict.stream_reasons)
        html += QStringLiteral("<li><a href=\"%1\">%2</a>: %3</li>")
                    .arg(number++)
                    .arg(in_words(reason.theorem).toHtmlEscaped(), in_words(reason.sentence).toHtmlEscaped());
    html += QStringLiteral("</ol>");
    if (verdict.auxiliary > 0)
        html += QStringLiteral("<p>%1</p>")
                    .arg(Texts::tr("Numbers that it keeps per row besides its results: %1.")
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
    if (!shown.action) return Texts::tr("Nothing is split");
    const CircuitAction& action = *shown.action;
    const QString axis =
        QString::fromStdString(circuit::axis_of(session.state(shown.parent).flow->axes, action.axis).name);
    const QString name = QString::fromStdString(action.name);
    switch (action.kind) {
        case CircuitAction::Kind::Relabel:
            return action.size > 0 ? Texts::tr("Call %1 %2, of size %L3").arg(axis, name).arg(action.size)
                                   : Texts::tr("Call %1 %2").arg(axis, name);
        case CircuitAction::Kind::Group:
            return Texts::tr("Group %1 in parts of %L2").arg(axis).arg(action.size);
        case CircuitAction::Kind::Stream:
            return Texts::tr("Stream %1 in parts of %L2").arg(axis).arg(action.size);
        case CircuitAction::Kind::Join:
            return Texts::tr("Put %1 together").arg(axis);
    }
    return {};
}

QString split_text(const std::optional<circuit::Part>& part) {
    if (!part) return {};
    return (part->kind == PartitionKind::Group ? Texts::tr("groups of %L1") : Texts::tr("stream of %L1"))
        .arg(part->size);
}

QString formula_html(const circuit::Formula& formula) {
    return rich_text_html(formula.text());
}

QString numbers_html(const circuit::CircuitSession& session, const QString& muted) {
    QString html;
    for (const circuit::CircuitNumbers::Number& number : session.numbers(session.current().id).numbers)
        html += number_html(number, muted);
    const std::string memory = circuit::memory_symbol(session.current().flow->axes);
    const auto& law = session.current().analysis.law;
    if (!law) return html;
    // The least H, then the groups that have it.
    QStringList lines = {formula_html(law->formula(memory))};
    for (const circuit::GroupChoice& choice : law->choices)
        lines << QStringLiteral("%1 = %2").arg(rich_text_html(choice.name()),
                                               rich_text_html(choice.text(memory)));
    html += QStringLiteral("<p style=\"margin:0\"><b>H*</b> <span style=\"color:%3\">%1</span><br>%2</p>")
                .arg(Texts::tr("at best, with memory for %1 values").arg(QString::fromStdString(memory)),
                     lines.join(QStringLiteral("<br>")), muted);
    return html;
}

QString picture_text(const circuit::CircuitSession& session, const BlockProgram& program, int step) {
    const Result<circuit::Circuit> drawn = circuit_of_state(program);
    if (!drawn) return {};
    const circuit::Resources costs = circuit::resources(*drawn);
    const circuit::Values values = circuit::sizes(drawn->axes);
    const double moved = costs.transferred.value(values), held = costs.widest(1).value(values);
    const circuit::Analysis& here = session.current().analysis;
    const circuit::Values mine = circuit::sizes(here.circuit.axes);
    const bool same =
        here.resources.transferred.value(mine) == moved && here.resources.widest(1).value(mine) == held;
    if (same)
        return Texts::tr("Step %1 of the picture moves and holds the same: H = %2, M = %3.")
            .arg(step)
            .arg(value_text(moved), value_text(held));
    const QString listed = Texts::tr("Step %1 of the picture: H = %2, M = %3.")
                               .arg(step)
                               .arg(value_text(moved), value_text(held));
    const auto alike = same_algorithm(here, *session.current().flow, program);
    if (!alike) return listed;
    return listed + QLatin1Char('\n') +
           Texts::tr(
               "Both are one algorithm. With what a loop does not index loaded before it (Section 2.4) and "
               "the sums that the stream keeps counted (Section 5.1), each moves and holds H = %1, M = %2.")
               .arg(value_text(alike->transferred), value_text(alike->memory));
}

QString short_reason(const std::vector<Reason>& reasons) {
    if (reasons.empty()) return {};
    return QStringLiteral("%1 (%2)").arg(in_words(reasons.front().sentence),
                                         in_words(reasons.front().theorem));
}

QString verdict_html(const CircuitSteps& steps, AxisId axis) {
    if (!steps.session()) return {};
    const circuit::AxisVerdict* verdict = steps.verdict(axis);
    if (!verdict) return Texts::tr("Choose an axis here, or click its wire in the diagram.");
    return group_html(*verdict) + stream_html(*verdict);
}

}  // namespace blockscope
