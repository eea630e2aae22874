#include "app/tilings/tilings_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/words/words.h"
#include "core/tilings/workloads.h"

namespace blockscope {

namespace {

struct TilingsWords {
    Q_DECLARE_TR_FUNCTIONS(Tilings)
};

QString loop_title(const tilings::Space& space, int loop) {
    return QString::fromStdString(space.chain.loops[static_cast<std::size_t>(loop)].name);
}

QString decimal(double number, int digits = 2) {
    return QLocale().toString(number, 'f', digits);
}

QString flops_text(double flops) {
    return with_unit(flops, QStringLiteral("FLOP"));
}

}  // namespace

QString whole_text(std::int64_t number) {
    return QLocale().toString(static_cast<qlonglong>(number));
}

QString dropped_share_text(double share) {
    return TilingsWords::tr("%1%").arg(decimal(share * 100, 1));
}

QString tilings_bytes_text(double bytes) {
    return with_unit(bytes, QStringLiteral("B"));
}

QString no_chain_text(const QString& why) {
    QString sentence = why;
    if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    if (!sentence.endsWith(QLatin1Char('.'))) sentence += QLatin1Char('.');
    return TilingsWords::
        tr("%1 Tilings are made of one to four matrix products in a chain, with softmax, activations, "
           "scales and masks between them, as in the samples attention, causal-attention, gated-mlp, lora "
           "and matmul. The list above has the 21 workloads of MCFuser's paper, too.")
            .arg(sentence);
}

QString workload_title(const std::string& name) {
    const tilings::Workload* known = tilings::find_workload(name);
    if (!known) return TilingsWords::tr("The program");
    QString sizes =
        QStringLiteral("M=%1 N=%2 K=%3 H=%4").arg(known->m).arg(known->n).arg(known->k).arg(known->h);
    if (known->batch > 1) sizes += TilingsWords::tr(" \u00d7 %1").arg(known->batch);
    return QStringLiteral("%1: %2").arg(QString::fromStdString(known->name), sizes);
}

QString expression_title(const tilings::Space& space, int expression) {
    return QString::fromStdString(tilings::to_string(
        space.expressions[static_cast<std::size_t>(expression)].expression.roots, space.chain));
}

QString tiles_text(const tilings::Space& space, const std::vector<std::int64_t>& tiles) {
    QStringList parts;
    for (std::size_t loop = 0; loop < tiles.size(); ++loop)
        parts << QStringLiteral("%1=%2").arg(loop_title(space, static_cast<int>(loop))).arg(tiles[loop]);
    return parts.join(QLatin1Char(' '));
}

QString candidate_title(const RankedSpace& ranked, int candidate) {
    return QString::fromStdString(ranked.text_of(candidate));
}

QString space_text(const RankedSpace& ranked, const QString& name) {
    const tilings::Space& space = ranked.space;
    const auto flat = std::count_if(space.expressions.begin(), space.expressions.end(),
                                    [](const tilings::JudgedExpression& one) { return one.expression.flat; });
    QStringList products, sizes;
    for (const tilings::Product& product : space.chain.products) {
        const QString result = QStringLiteral("%1[%2,%3]")
                                   .arg(QString::fromStdString(product.name), loop_title(space, product.row),
                                        loop_title(space, product.col));
        products << (product.softmax ? TilingsWords::tr("%1 sums over %2 of a softmax")
                                     : TilingsWords::tr("%1 sums over %2"))
                        .arg(result, loop_title(space, product.depth));
    }
    for (const tilings::Loop& loop : space.chain.loops)
        sizes << QStringLiteral("%1 = %2").arg(QString::fromStdString(loop.name), whole_text(loop.size));
    if (space.chain.batch > 1) sizes << TilingsWords::tr("batch %1").arg(whole_text(space.chain.batch));
    return TilingsWords::tr(
               "%1 on %2 (%3 processors, %4, %5, %6 for a thread block): %7; %8. "
               "%9 expressions")
               .arg(name, QString::fromStdString(space.device.title),
                    whole_text(std::llround(space.device.processors)),
                    with_unit(space.device.bandwidth, QStringLiteral("B/s")),
                    with_unit(space.device.peak, QStringLiteral("FLOP/s")),
                    tilings_bytes_text(static_cast<double>(space.device.shared)),
                    products.join(QStringLiteral(", ")), sizes.join(QStringLiteral(", ")),
                    whole_text(static_cast<std::int64_t>(space.expressions.size()))) +
           TilingsWords::tr(": %1 deep, %2 flat.")
               .arg(whole_text(static_cast<std::int64_t>(space.expressions.size()) - flat), whole_text(flat));
}

QString whole_space_text(const tilings::Space& space) {
    QString text = TilingsWords::tr("Whole space, expressions and tile sizes of %1: %2")
                       .arg([&] {
                           QStringList names;
                           for (const tilings::Loop& loop : space.chain.loops)
                               names << QString::fromStdString(loop.name);
                           return names.join(QStringLiteral(", "));
                       }())
                       .arg(whole_text(static_cast<std::int64_t>(space.expressions.size())));
    for (const std::vector<tilings::TileSize>& sizes : space.sizes)
        text += QStringLiteral(" \u00b7 ") + whole_text(static_cast<std::int64_t>(sizes.size()));
    return text + QStringLiteral(" = ") + whole_text(space.funnel.front().left);
}

QString funnel_rule_title(int rule) {
    switch (rule) {
        case 1:
            return TilingsWords::tr("1: same thread block");
        case 2:
            return TilingsWords::tr("2: no partial tiles kept");
        case 3:
            return TilingsWords::tr("3: padding");
        case 4:
            return TilingsWords::tr("4: shared memory");
        default:
            return TilingsWords::tr("Whole space");
    }
}

QStringList tile_sizes_text(const tilings::Space& space) {
    constexpr std::size_t kMostShown = 24;
    QStringList lines;
    for (std::size_t loop = 0; loop < space.sizes.size(); ++loop) {
        QStringList kept;
        bool fallback = false;
        std::size_t count = 0;
        for (const tilings::TileSize& size : space.sizes[loop]) {
            if (!size.kept) continue;
            fallback = fallback || size.fallback;
            if (++count <= kMostShown) kept << whole_text(size.size);
        }
        if (count > kMostShown)
            kept << TilingsWords::tr("and %1 more")
                        .arg(whole_text(static_cast<std::int64_t>(count - kMostShown)));
        QString line =
            TilingsWords::tr("%1: rule 3 keeps %2 of %3 tiles: %4")
                .arg(loop_title(space, static_cast<int>(loop)), whole_text(static_cast<std::int64_t>(count)),
                     whole_text(static_cast<std::int64_t>(space.sizes[loop].size())),
                     kept.join(QStringLiteral(", ")));
        if (fallback) line += TilingsWords::tr(" (none pads less than 5%: those that pad least)");
        lines << line;
    }
    return lines;
}

QString paper_text(int rule) {
    return QString::fromUtf8(tilings::paper_says(static_cast<std::size_t>(rule)));
}

QString paper_help(int rule) {
    switch (rule) {
        case 3:
            return TilingsWords::tr("With M = N = 1,024 and K = H = 512 we count 99.96%");
        case 4:
            return TilingsWords::tr(
                "With M = N = 1,024 and K = H = 512 on an A100 we count 57%, with loaded tiles only "
                "39%; 10\u2074 candidates are said to be left, we count 2,253");
        default:
            return TilingsWords::tr("As we count it with M = N = 1,024 and K = H = 512");
    }
}

QString rule_of_expression(const tilings::Space& space, int expression) {
    const tilings::JudgedExpression& judged = space.expressions[static_cast<std::size_t>(expression)];
    if (judged.same_as >= 0) return TilingsWords::tr("1: as %1").arg(expression_title(space, judged.same_as));
    if (!judged.kept_partial.empty())
        return TilingsWords::tr("2: partial %1").arg(QString::fromStdString(judged.kept_partial));
    return {};
}

QString stage_title(tilings::Stage stage) {
    switch (stage) {
        case tilings::Stage::Default:
            return TilingsWords::tr("As written");
        case tilings::Stage::Hoisted:
            return TilingsWords::tr("Hoisted");
        default:
            return TilingsWords::tr("Reduced");
    }
}

QString matched_state_text(const tilings::MatchedState& state) {
    QString text = TilingsWords::tr("step %1").arg(state.step);
    if (!state.same_order) text += TilingsWords::tr(", grid in another order");
    return text + (state.proven ? TilingsWords::tr(", proven") : TilingsWords::tr(", differs"));
}

QString built_program_text(const tilings::BuiltProgram& built) {
    if (!built.why_not.empty()) return TilingsWords::tr("none");
    return TilingsWords::tr("built") +
           (built.proven ? TilingsWords::tr(", proven") : TilingsWords::tr(", differs"));
}

QString candidate_details(const RankedSpace& ranked, int candidate) {
    const tilings::Candidate& chosen = ranked.space.candidates[static_cast<std::size_t>(candidate)];
    const tilings::Estimate made = tilings::estimate(ranked.space, chosen, ranked.counts);
    QStringList lines;
    for (const tilings::StatementCost& row : made.statements)
        lines << (row.flops > 0 ? TilingsWords::tr("%1: tile of %2 elements, runs %3 times: %4")
                                : TilingsWords::tr("%1: tile of %2 elements, moved %3 times: %4"))
                     .arg(QString::fromStdString(row.text), whole_text(row.tile), whole_text(row.trips),
                          row.flops > 0 ? flops_text(row.flops) : tilings_bytes_text(row.bytes));
    lines << TilingsWords::tr(
                 "(%1 memory + %2 compute) \u00b7 %3 (%4 thread blocks) = %5; shared memory %6 of "
                 "at most %7")
                 .arg(time_text(made.memory), time_text(made.compute), decimal(made.alpha),
                      whole_text(std::llround(made.blocks)), time_text(made.seconds),
                      tilings_bytes_text(static_cast<double>(chosen.shared)),
                      tilings_bytes_text(static_cast<double>(ranked.space.limit)));
    return lines.join(QLatin1Char('\n'));
}

QString round_text(const RankedSpace& ranked, const tilings::Search& search, std::size_t round) {
    const tilings::SearchRound& one = search.rounds[round];
    const auto anew = std::count_if(one.measured.begin(), one.measured.end(),
                                    [](const tilings::MeasuredOne& row) { return row.anew; });
    QString text = TilingsWords::tr(
                       "Round %1: of %2 candidates the %3 with the least estimates were run, %4 "
                       "of them for the first time.")
                       .arg(whole_text(static_cast<std::int64_t>(round) + 1),
                            whole_text(static_cast<std::int64_t>(one.population.size())),
                            whole_text(static_cast<std::int64_t>(one.measured.size())), whole_text(anew));
    if (one.best)
        text += TilingsWords::tr(" Best: %1, %2.")
                    .arg(candidate_title(ranked, *one.best), time_text(one.best_seconds));
    if (one.best && round > 0)
        text +=
            TilingsWords::tr(" It differs from the best before by %1%.").arg(decimal(one.difference * 100));
    return text;
}

QString search_text(const RankedSpace& ranked, const tilings::Search& search) {
    if (search.rounds.empty())
        return TilingsWords::tr(
            "No round was run yet. A round estimates the population, measures those with "
            "the least estimates, and mutates parents drawn with weight 1 / estimate.");
    QString text = TilingsWords::tr("%1 rounds, %2 candidates measured, seed %3: ")
                       .arg(whole_text(static_cast<std::int64_t>(search.rounds.size())),
                            whole_text(search.measurements()),
                            whole_text(static_cast<std::int64_t>(search.options.seed)));
    text += search.end == tilings::SearchEnd::GoesOn
                ? TilingsWords::tr("it goes on.")
                : TilingsWords::tr("it ended, as %1.").arg(translated(tilings::why_ended(search.end)));
    if (search.best)
        text += TilingsWords::tr(
                    "\nBest ever seen: %1, %2.\nReturned by the printed algorithm, the last round's: "
                    "%3, %4.")
                    .arg(candidate_title(ranked, *search.best), time_text(search.best_seconds),
                         candidate_title(ranked, *search.returned), time_text(search.returned_seconds));
    return text;
}

QString ranking_text(const tilings::Ranking& ranking) {
    if (ranking.count < 2) return TilingsWords::tr("Two measured candidates at least can be compared.");
    QString text = TilingsWords::tr("%1 measured: Pearson %2, Spearman %3; the fastest has rank %4.")
                       .arg(whole_text(ranking.count), decimal(ranking.pearson), decimal(ranking.spearman),
                            whole_text(ranking.best_rank));
    QStringList tops;
    for (std::size_t i = 0; i < ranking.tops.size(); ++i)
        tops << TilingsWords::tr("the top %1 lose %2%")
                    .arg(whole_text(ranking.tops[i]), decimal(ranking.regret[i] * 100, 1));
    return text + TilingsWords::tr(" Of the model's best, %1.").arg(tops.join(QStringLiteral(", ")));
}

}  // namespace blockscope
