#include "app/panels/cost_summary.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "app/costs/cost_table.h"
#include "core/cost/counts.h"

namespace blockscope {

namespace {

struct CostWords {
    Q_DECLARE_TR_FUNCTIONS(CostSummary)
};

QString exact(std::int64_t number) {
    return QLocale().toString(static_cast<qlonglong>(number));
}

// "Q: loads M·D·N/n elements" for each array that is loaded or stored.
QString traffic_formulas(const LoopProgram& loops, const std::vector<Term>& terms) {
    constexpr int kMost = 16;  // lines of a tooltip
    QStringList lines;
    for (std::size_t i = 0; i < loops.buffers.size(); ++i) {
        const auto buffer = static_cast<int>(i);
        const QString name = QString::fromStdString(loops.buffers[i].name);
        const auto add = [&](Quantity quantity, const QString& what) {
            const QString text = QString::fromStdString(formula(terms, quantity, buffer, loops.dims));
            if (text != QLatin1String("0")) lines << what.arg(name, text);
        };
        add(Quantity::LoadValues, CostWords::tr("%1: loads %2 elements"));
        add(Quantity::StoreValues, CostWords::tr("%1: stores %2 elements"));
    }
    if (lines.size() > kMost) {
        const auto more = lines.size() - kMost;
        lines = lines.mid(0, kMost);
        lines << CostWords::tr("and %1 more").arg(more);
    }
    return lines.join(QLatin1Char('\n'));
}

QString flop_formulas(const LoopProgram& loops, const std::vector<Term>& terms) {
    QStringList lines;
    const auto add = [&](Quantity quantity, const QString& what) {
        const QString text = QString::fromStdString(formula(terms, quantity, -1, loops.dims));
        if (text != QLatin1String("0")) lines << what.arg(text);
    };
    add(Quantity::Matrix, CostWords::tr("Matrix products: %1"));
    add(Quantity::Vector, CostWords::tr("Other arithmetic: %1"));
    add(Quantity::Special, CostWords::tr("exp, sqrt and the like: %1"));
    return lines.join(QLatin1Char('\n'));
}

QString alive_text(const LocalMemory& local) {
    constexpr std::size_t kMost = 24;
    QStringList names;
    for (std::size_t i = 0; i < std::min(kMost, local.alive.size()); ++i)
        names << QStringLiteral("t%1").arg(local.alive[i].id);
    if (local.alive.size() > kMost) names << QStringLiteral("...");
    return CostWords::tr("Alive at once: %1").arg(names.join(QStringLiteral(", ")));
}

CostRow row(CostTable::Column column, const QString& name, std::int64_t number, const QString& unit,
            const QString& formulas) {
    CostRow made;
    made.column = column;
    made.name = name;
    made.number = static_cast<double>(number);
    made.value = unit.isEmpty() ? exact(number) : quantity_text(number, unit);
    made.detail =
        unit.isEmpty() ? formulas : exact(number) + QLatin1Char(' ') + unit + QLatin1Char('\n') + formulas;
    return made;
}

}  // namespace

QString quantity_text(std::int64_t number, const QString& unit) {
    static const char* const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    auto value = static_cast<double>(number);
    std::size_t prefix = 0;
    while (value >= 999.5 && prefix + 1 < std::size(prefixes)) {
        value /= 1000;
        ++prefix;
    }
    const int digits = prefix == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return QLocale().toString(value, 'f', digits) + QLatin1Char(' ') + QLatin1String(prefixes[prefix]) + unit;
}

std::vector<CostRow> cost_rows(const LoopProgram& loops) {
    const Counts counts = count(loops);
    const std::vector<Term> terms = cost_terms(loops);
    return {
        row(CostTable::Moved, CostWords::tr("Traffic"), counts.bytes(), QStringLiteral("B"),
            traffic_formulas(loops, terms)),
        row(CostTable::Operations, CostWords::tr("Arithmetic"), counts.flops.total(), QStringLiteral("FLOP"),
            flop_formulas(loops, terms)),
        row(CostTable::Local, CostWords::tr("Local memory"), counts.local.bytes, QStringLiteral("B"),
            alive_text(counts.local)),
        row(CostTable::Launches, CostWords::tr("Launches"), counts.launches, {},
            CostWords::tr("One kernel for each operator at the top level.")),
        row(CostTable::Tasks, CostWords::tr("Parallel tasks"), counts.tasks, {},
            CostWords::tr("The fewest of any launch.")),
    };
}

QString compared_text(double number, double before) {
    if (number == before) return CostWords::tr("same");
    if (number <= 0 || before <= 0) return {};
    const bool less = number < before;
    const double ratio = less ? before / number : number / before;
    if (ratio < 1.005) return CostWords::tr("≈ same");
    const QString text = QLocale().toString(ratio, 'f', ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
    return less ? CostWords::tr("%1\u00d7 less").arg(text) : CostWords::tr("%1\u00d7 more").arg(text);
}

}  // namespace blockscope
