#include "app/plan/plan_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/cost/models/baseline.h"
#include "core/cost/models/model.h"
#include "core/plan/kinds.h"

namespace blockscope {

namespace {

QString bytes_text(double bytes) {
    return with_unit(bytes, QStringLiteral("B"));
}

QString ratio_text(double ratio) {
    return QLocale().toString(ratio, 'f', ratio < 9.95 ? 1 : 0);
}

}  // namespace

QString capital(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

QString way_title(const std::string& name) {
    return capital(translated(plan::way_title(name)));
}

int way_place(const std::string& name) {
    const auto& titles = plan::way_titles();
    const auto row = std::find_if(titles.begin(), titles.end(),
                                  [&name](const plan::WayTitle& one) { return name == one.name; });
    return static_cast<int>(row - titles.begin());
}

QString kernel_letter(std::size_t kernel) {
    constexpr std::size_t kLetters = 26;
    const QString last(QChar(static_cast<char16_t>(u'A' + kernel % kLetters)));
    return kernel < kLetters ? last : kernel_letter(kernel / kLetters - 1) + last;
}

std::size_t kernel_of(const PlannedWay& way, int node) {
    const auto found = std::find_if(way.kernels.begin(), way.kernels.end(), [node](const PlannedGroup& one) {
        return std::binary_search(one.nodes.begin(), one.nodes.end(), node);
    });
    return static_cast<std::size_t>(found - way.kernels.begin());
}

QString operator_text(const FoundPlans& plans, int node) {
    const auto at = static_cast<std::size_t>(node);
    return QStringLiteral("%1 = %2").arg(QString::fromStdString(plans.graph.names[at]),
                                         QString::fromStdString(plans.does[at]));
}

QString operators_text(const FoundPlans& plans, const plan::FusionGroup& kernel) {
    QStringList parts;
    for (const int node : kernel) parts << operator_text(plans, node);
    return parts.join(QStringLiteral(", "));
}

QString fusion_text(const FoundPlans& plans, const plan::FusionGroup& kernel) {
    if (kernel.size() < 2) return {};
    const plan::FusionKind kind = plan::fusion_kind(plans.program, plans.graph, kernel);
    const double saves = plan::kind_saving(plans.program, plans.graph, kernel).share();
    return PlanSearch::tr("%1, saves %2")
        .arg(translated(plan::fusion_kind_row(kind).title), share_text(saves));
}

QString blocks_text(const ArrayProgram& program) {
    QStringList parts;
    for (const Dim& dim : program.dims)
        if (dim.kind == DimKind::Blocked)
            parts << QStringLiteral("%1\u00a0%2").arg(QString::fromStdString(dim.name)).arg(dim.block);
    return parts.join(QStringLiteral(", "));
}

QString binding_text(const worker::GroupCost& cost) {
    return translated(term_text(cost.binding));
}

QString state_text(const worker::GroupCost& cost) {
    return recorded_name_in_words(cost.state);
}

QString launches_text(const PlannedWay& way) {
    QStringList said;
    for (std::size_t i = 0; i < way.kernels.size(); ++i)
        if (const worker::GroupCost& cost = way.kernels[i].cost; cost.least_launches > 1)
            said << PlanSearch::tr("No state of %1 is one launch: %2 has %3.")
                        .arg(kernel_letter(i), state_text(cost))
                        .arg(cost.launches);
    return said.join(QLatin1Char(' '));
}

QString multiple_text(double times) {
    return QLocale().toString(times, 'f', 2) + QStringLiteral("\u00a0\u00d7");
}

QString share_text(double share) {
    return QLocale().toString(share * 100, 'f', share < 0.0995 ? 1 : 0) + QStringLiteral("\u00a0%");
}

// ---- The answer.

namespace {

// "1.6 times faster than library kernels (5.54 ms)"; `what` has the way as the sentence has it.
QString against(const PlannedWay* other, double seconds, const QString& what) {
    if (!other || other->none()) return {};
    const double ratio = other->plan.value / seconds;
    const QString time = time_text(other->plan.value);
    if (ratio < 1.05) return PlanSearch::tr("as fast as %1 (%2)").arg(what, time);
    return PlanSearch::tr("%1 times faster than %2 (%3)").arg(ratio_text(ratio), what, time);
}

QString proof_text(const plan::Plan& exact) {
    if (exact.optimal) return PlanSearch::tr("No plan costs less, by the costs of its kernels.");
    if (exact.bound <= 0) return PlanSearch::tr("It is not proven that no plan costs less.");
    return PlanSearch::tr("It is not proven that no plan costs less: this one is at most %1 above the least.")
        .arg(share_text(exact.value / exact.bound - 1));
}

// What people have without this program: the same figure as on the page of costs.
QString libraries_text(const FoundPlans& plans, double seconds) {
    const ArrayProgram program = in_types(plans.program, worker::built_form(plans.device).stored);
    const Baseline library = baseline(program, BaselineKind::Library);
    const BaselineSeconds theirs{BaselineKind::Library, predict_baseline(library, plans.device).seconds};
    return PlanSearch::tr("Libraries' own kernels take %1 by published figures: the plan is %2.")
        .arg(time_text(theirs.seconds), translated(compared_with(seconds, theirs)));
}

}  // namespace

QString best_plan_text(const FoundPlans& plans) {
    const PlannedWay& best = plans.ways.front();
    const QString device = QString::fromStdString(plans.device.title);
    if (best.none())
        return PlanSearch::tr("There is no plan on %1. %2").arg(device, no_plan_text(plans, best));
    QStringList compared;
    for (const auto& [name, what] :
         {std::pair("library", PlanSearch::tr("kernels grouped as libraries do, built here")),
          std::pair("each", PlanSearch::tr("each operator for itself")),
          std::pair("one", PlanSearch::tr("the last state of the whole program"))}) {
        const QString part = against(plans.way(name), best.plan.value, what);
        if (!part.isEmpty()) compared << part;
    }
    const std::size_t count = best.kernels.size();
    const QString kernels =
        count == 1 ? PlanSearch::tr("one kernel") : PlanSearch::tr("%1 kernels").arg(count);
    const QString stopped =
        plans.partial
            ? PlanSearch::tr("The search was cancelled; this is what it had found.") + QLatin1Char(' ')
            : QString();
    QString text =
        stopped + PlanSearch::tr("Best plan on %1: %2, %3.").arg(device, kernels, time_text(best.plan.value));
    if (!compared.isEmpty())
        text += QLatin1Char(' ') + capital(compared.join(QStringLiteral(", "))) + QLatin1Char('.');
    text +=
        QLatin1Char(' ') + libraries_text(plans, best.plan.value) + QLatin1Char(' ') + proof_text(best.plan);
    if (plans.most_operators > 0)
        text += QLatin1Char(' ') +
                PlanSearch::tr("Kernels of more than %1 operators were left out: there are too many.")
                    .arg(plans.most_operators);
    return text + QLatin1Char(' ') +
           PlanSearch::tr("Each kernel has the block sizes that are best for it, not those of the program.");
}

QString so_far_text(const FoundPlans& plans) {
    const PlannedWay& best = plans.ways.front();
    QString text = PlanSearch::tr("Best so far: %1 kernels, %2.")
                       .arg(best.kernels.size())
                       .arg(time_text(best.plan.value));
    if (best.plan.bound > 0)
        text +=
            QLatin1Char(' ') + PlanSearch::tr("No plan takes less than %1.").arg(time_text(best.plan.bound));
    return text;
}

QString no_plan_text(const FoundPlans& plans, const PlannedWay& way) {
    if (way.not_built.empty()) return PlanSearch::tr("No plan: one of its kernels cannot be built.");
    const QString reason = translated(way.why_not);
    if (way.not_built.size() == plans.graph.op.size() && plans.graph.op.size() > 1)
        return PlanSearch::tr("No plan: all operators as one kernel cannot be built: %1.").arg(reason);
    return PlanSearch::tr("No plan: %1 cannot be built: %2.")
        .arg(operators_text(plans, way.not_built), reason);
}

// ---- Why operators are together.

namespace {

QString other_time(const worker::PlanWhy& why) {
    const double more = why.other_seconds / why.seconds - 1;
    const QString time = time_text(why.other_seconds);
    if (std::abs(more) < 0.0005) return PlanSearch::tr("%1, which is the same,").arg(time);
    return more > 0 ? PlanSearch::tr("%1 (%2 longer)").arg(time, share_text(more))
                    : PlanSearch::tr("%1 (%2 less)").arg(time, share_text(-more));
}

QString names_of(const FoundPlans& plans, const plan::FusionGroup& kernel) {
    QStringList names;
    for (const int node : kernel)
        names << QString::fromStdString(plans.graph.names[static_cast<std::size_t>(node)]);
    return names.join(QStringLiteral(", "));
}

QString name_of_array(const FoundPlans& plans, int op) {
    const std::string& name = plans.program.ops[static_cast<std::size_t>(op)].name;
    return QString::fromStdString(name);
}

// " As two kernels both read X, which is 2.1 MB."; nothing of what is generated.
QString read_twice_text(const FoundPlans& plans, const worker::PlanWhy& why) {
    if (why.both_read < 0) return {};
    const QString array = name_of_array(plans, why.both_read);
    const double bytes = plans.graph.bytes[static_cast<std::size_t>(why.both_read)];
    if (array.isEmpty() || bytes <= 0) return {};
    return QLatin1Char(' ') +
           PlanSearch::tr("As two kernels both read %1, which is %2.").arg(array, bytes_text(bytes));
}

QString nothing_shared_text(const FoundPlans& plans, const worker::PlanWhy& why) {
    QString said =
        PlanSearch::tr("They cannot be one kernel alone: neither kernel reads a result of the other.");
    const QString array = why.both_read < 0 ? QString() : name_of_array(plans, why.both_read);
    if (array.isEmpty()) return said;
    return said + QLatin1Char(' ') +
           PlanSearch::tr("Both read %1, which is read once where what uses both is in the kernel, too.")
               .arg(array);
}

QString together_text(const FoundPlans& plans, const worker::PlanWhy& why) {
    if (why.kind == worker::PlanWhy::Kind::Split)
        return PlanSearch::tr("Cut where that costs least, into %1 and %2, they would take %3 and move %4.")
                   .arg(QStringLiteral("{%1}").arg(names_of(plans, why.others[0])),
                        QStringLiteral("{%1}").arg(names_of(plans, why.others[1])), other_time(why),
                        bytes_text(why.other_bytes)) +
               read_twice_text(plans, why);
    if (why.why_not.empty()) return PlanSearch::tr("No cut between them leaves two kernels.");
    return PlanSearch::tr("No cut between them leaves two kernels that can be built: %1.")
        .arg(translated(why.why_not));
}

QString apart_text(const FoundPlans& plans, const worker::PlanWhy& why) {
    using Kind = worker::PlanWhy::Kind;
    if (why.kind == Kind::Union) {
        QString said = PlanSearch::tr("As one kernel they would take %1 and move %2.")
                           .arg(other_time(why), bytes_text(why.other_bytes)) +
                       read_twice_text(plans, why);
        if (why.other_launches < 2) return said;
        const QString launches =
            why.other_least_launches > 1
                ? PlanSearch::tr("No state of that is one launch: the best has %1.")
                : PlanSearch::tr("Its best state has %1 launches, though another one is a single launch.");
        return said + QLatin1Char(' ') + launches.arg(why.other_launches);
    }
    if (why.kind == Kind::NoUnion)
        return PlanSearch::tr("As one kernel they cannot be built: %1.").arg(translated(why.why_not));
    if (why.kind == Kind::NothingShared) return nothing_shared_text(plans, why);
    return PlanSearch::tr(
               "They cannot be one kernel: that closes a cycle through %1, which needs what they give and "
               "gives what they need.")
        .arg(names_of(plans, {why.node_between}));
}

}  // namespace

QString why_text(const FoundPlans& plans, const PlannedWay& way, int a, int b, const worker::PlanWhy& why) {
    const QString one = names_of(plans, {a}), other = names_of(plans, {b});
    const QString now = time_text(why.seconds), moved = bytes_text(why.bytes);
    const QString first = kernel_letter(kernel_of(way, a)), second = kernel_letter(kernel_of(way, b));
    if (why.kernels.size() == 1)
        return PlanSearch::tr("%1 and %2 are both in kernel %3, which takes %4 and moves %5.")
                   .arg(one, other, first, now, moved) +
               QLatin1Char(' ') + together_text(plans, why);
    return PlanSearch::tr("%1 is in kernel %2, %3 in kernel %4; the two take %5 and move %6.")
               .arg(one, first, other, second, now, moved) +
           QLatin1Char(' ') + apart_text(plans, why);
}

// ---- What the taxonomy of fusion and the PTO guide say.

QString rules_text(const OperatorAnswer& answer) {
    if (answer.operators.size() != 2) return {};
    QStringList said;
    for (const plan::Verdict& rule : answer.rules)
        said << PlanSearch::tr("rule %1: %2").arg(rule.rule).arg(translated(rule.why));
    QString text = said.isEmpty()
                       ? PlanSearch::tr("The five rules of the taxonomy of fusion allow one kernel.")
                       : PlanSearch::tr("Against one kernel, by the taxonomy of fusion: %1.")
                             .arg(said.join(QStringLiteral("; ")));
    for (const Text& warning : answer.warnings) text += QLatin1Char(' ') + capital(translated(warning)) + '.';
    said.clear();
    for (const plan::Verdict& check : answer.checks)
        said << PlanSearch::tr("%1: %2").arg(check.rule).arg(translated(check.why));
    return text + QLatin1Char(' ') +
           (said.isEmpty()
                ? PlanSearch::tr("Nothing of the PTO guide's checklist stands against it.")
                : PlanSearch::tr("Of the PTO guide's checklist, %1.").arg(said.join(QStringLiteral("; "))));
}

QString benefit_text(const OperatorAnswer& answer) {
    const plan::Benefit& guide = answer.benefit.guide;
    const QString worth = guide.worth_it() ? PlanSearch::tr("worth it")
                                           : PlanSearch::tr("not worth it, which begins above 1.2");
    QString text =
        PlanSearch::tr("By the guide's estimate fusing %1 operators brings %2 to %3, %4 times: %5.")
            .arg(answer.operators.size())
            .arg(time_text(guide.unfused), time_text(guide.fused),
                 QLocale().toString(guide.speedup(), 'f', 2), worth);
    if (answer.benefit.together < plan::kNever)
        return text + QLatin1Char(' ') +
               PlanSearch::tr("Predicted, they take %1 as a kernel each and %2 as one (%3, launches: %4).")
                   .arg(time_text(answer.benefit.separate), time_text(answer.benefit.together),
                        recorded_name_in_words(answer.benefit.state))
                   .arg(answer.benefit.launches);
    return text + QLatin1Char(' ') +
           PlanSearch::tr("They cannot be one kernel: %1.").arg(translated(answer.benefit.why_not));
}

QString step_text(const plan::Decided& decided, std::size_t step) {
    QString text = PlanSearch::tr("%1 of %2: %3.")
                       .arg(step + 1)
                       .arg(decided.steps.size())
                       .arg(translated(decided.steps[step].why));
    if (step + 1 == decided.steps.size() && !decided.note.empty())
        text += QLatin1Char(' ') + capital(translated(decided.note)) + QLatin1Char('.');
    return text;
}

// ---- Plain text.

namespace {

// Columns as wide as their longest cell that something follows, two spaces between them.
QString aligned(const std::vector<QStringList>& rows) {
    std::vector<qsizetype> widths;
    for (const QStringList& row : rows)
        for (qsizetype i = 0; i < row.size(); ++i) {
            if (i >= std::ssize(widths)) widths.push_back(0);
            auto& width = widths[static_cast<std::size_t>(i)];
            if (i + 1 < row.size()) width = std::max(width, row[i].size());
        }
    QString text;
    for (const QStringList& row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i].leftJustified(widths[static_cast<std::size_t>(i)] + 2);
        text += line.trimmed() + QLatin1Char('\n');
    }
    return text;
}

}  // namespace

QString plain_text(const FoundPlans& plans, const PlannedWay& way) {
    std::vector<QStringList> rows{{PlanSearch::tr("Way"), PlanSearch::tr("Time"), PlanSearch::tr("Traffic"),
                                   PlanSearch::tr("Kernels"), PlanSearch::tr("Launches"),
                                   PlanSearch::tr("Local memory")}};
    for (const PlannedWay& one : plans.ways) {
        if (one.none())
            rows.push_back({way_title(one.name), no_plan_text(plans, one)});
        else
            rows.push_back({way_title(one.name), time_text(one.plan.value), bytes_text(one.bytes()),
                            QString::number(one.kernels.size()), QString::number(one.launches()),
                            bytes_text(one.local_bytes())});
    }
    QString text = best_plan_text(plans) + QStringLiteral("\n\n") + aligned(rows);
    if (way.none()) return text;
    text += QLatin1Char('\n') + way_title(way.name) + QStringLiteral(":\n");
    rows.clear();
    for (std::size_t i = 0; i < way.kernels.size(); ++i) {
        const PlannedGroup& kernel = way.kernels[i];
        rows.push_back({kernel_letter(i), time_text(kernel.cost.seconds),
                        kernel.cost.launches == 1 ? PlanSearch::tr("1 launch")
                                                  : PlanSearch::tr("%1 launches").arg(kernel.cost.launches),
                        bytes_text(kernel.cost.bytes), bytes_text(kernel.cost.local_bytes),
                        state_text(kernel.cost), blocks_text(kernel.program), binding_text(kernel.cost),
                        operators_text(plans, kernel.nodes), fusion_text(plans, kernel.nodes)});
    }
    return text + aligned(rows);
}

}  // namespace blockscope
