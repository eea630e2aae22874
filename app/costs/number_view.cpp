#include "app/costs/number_view.h"

#include <QCoreApplication>
#include <QLocale>

#include "app/charts/range.h"
#include "app/costs/derivation_view.h"
#include "app/costs/forecast.h"
#include "app/costs/heat_time.h"
#include "app/costs/measurements.h"
#include "app/costs/time_numbers.h"
#include "app/words/words.h"
#include "core/cost/derivation.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

struct NumberViewWords {
    Q_DECLARE_TR_FUNCTIONS(blockscope::NumberView)
};

std::set<int> buffers_of(const StateCosts& costs, const CostPlace& place) {
    std::set<int> found;
    for (std::size_t i = 0; i < costs.loops.buffers.size(); ++i) {
        const Buffer& buffer = costs.loops.buffers[i];
        const bool array =
            place.node && buffer.node == *place.node && buffer.kind != Buffer::Kind::Intermediate;
        const bool named =
            std::find(place.arrays.begin(), place.arrays.end(), buffer.name) != place.arrays.end();
        if (array || named) found.insert(static_cast<int>(i));
    }
    return found;
}

bool is_traffic(int column) {
    return column == CostTable::Moved || column == CostTable::Inputs || column == CostTable::Outputs ||
           column == CostTable::Intermediates;
}

std::set<int> lines_of(const std::vector<ListedLine>& listed, int column, const CostPlace& place) {
    std::set<int> lines;
    if (place.line && *place.line >= 0 && *place.line < std::ssize(listed)) {
        // What is alive is known of each line alone.
        const int end =
            column == CostTable::Local ? *place.line + 1 : listed[static_cast<std::size_t>(*place.line)].end;
        for (int line = *place.line; line < end; ++line) lines.insert(line);
    }
    const bool transfers = column == CostTable::Intensity || is_traffic(column);
    if (place.node) lines.merge(lines_showing(listed, {*place.node}, !transfers));
    if (column == CostTable::Intensity || (place.node && transfers))
        lines = with_transfers(listed, std::move(lines));
    return lines;
}

// Nodes that the part's lines compute for.
std::set<NodeId> computing_in(const StateCosts& costs, const CostPart& part) {
    std::set<NodeId> nodes;
    for (const Term& term : costs.terms)
        if (term.buffer < 0 && part.has_line(term.line)) nodes.insert(term.node);
    return nodes;
}

// "n12, n14": of operators, not too many.
QString nodes_text(const std::set<NodeId>& nodes) {
    constexpr int kMost = 12;
    QStringList names;
    for (const NodeId node : nodes) {
        if (names.size() == kMost) {
            names << QStringLiteral("\u2026");
            break;
        }
        names << QString::fromStdString(to_string(node));
    }
    return names.join(QStringLiteral(", "));
}

QString place_text(const StateCosts& costs, const CostPlace& place) {
    if (place.point == CostPlace::Point::Predicted) return NumberViewWords::tr("on the roofline, predicted");
    if (place.point == CostPlace::Point::Measured) return NumberViewWords::tr("on the roofline, measured");
    if (place.point == CostPlace::Point::Both) return NumberViewWords::tr("beside the prediction");
    const auto buffer_name = [&](NodeId node) -> QString {
        for (const Buffer& buffer : costs.loops.buffers)
            if (buffer.node == node && buffer.kind != Buffer::Kind::Intermediate)
                return QString::fromStdString(buffer.name);
        return QString::fromStdString(to_string(node));
    };
    if (place.node) return buffer_name(*place.node);
    if (place.value) return NumberViewWords::tr("the edge from %1").arg(buffer_name(place.value->node));
    if (place.line) return NumberViewWords::tr("line %1").arg(*place.line + 1);
    QStringList names;
    for (const std::string& name : place.arrays) names << QString::fromStdString(name);
    return names.join(QStringLiteral(", "));
}

// What a term of a model is proportional to.
QString amount_text(const TimeShare& share) {
    const QString unit = share.buffer >= 0 ? QStringLiteral("B") : QStringLiteral("FLOP");
    return NumberViewWords::tr("%1 of %2").arg(with_unit(share.amount, unit), with_unit(share.all, unit));
}

bool belongs(const TimeShare& share, const CostPart& part) {
    if (!part.has_line(share.line)) return false;
    if (part.buffers && part.buffers->count(share.buffer) == 0) return false;
    return !part.value || (share.value && share.value->same_value(*part.value));
}

// Every share of the model's terms that the place has.
QString predicted_text(const StateCosts& costs, const Prediction& prediction, const CostPart& part,
                       const CostPlace& place, const QString& head) {
    const std::vector<ListingLine> listing = listing_lines(costs.loops);
    QStringList lines;
    double sum = 0;
    for (const TimeShare& share : time_shares(costs, prediction)) {
        if (!belongs(share, part)) continue;
        // On the picture transfers are the edges', what is computed the operators'.
        if (place.node && !part.buffers && share.buffer >= 0) continue;
        sum += share.seconds;
        const std::string& line = listing.at(static_cast<std::size_t>(share.line)).text;
        const QString text = QString::fromStdString(line).trimmed();
        lines << (share.term.empty() ? NumberViewWords::tr("%1: line %2, the whole kernel")
                                           .arg(time_text(share.seconds))
                                           .arg(share.line + 1)
                                     : NumberViewWords::tr("%1 = %2 (%3) \u00b7 %4: line %5, %6")
                                           .arg(time_text(share.seconds), time_text(share.whole),
                                                in_words(share.term), amount_text(share))
                                           .arg(share.line + 1)
                                           .arg(text));
    }
    const QString what = lines.isEmpty() ? NumberViewWords::tr("No term of the model is caused here.")
                                         : NumberViewWords::tr("%1, the sum of:").arg(time_text(sum));
    return what + QLatin1Char('\n') + lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + head;
}

// The top-level operators that have a line of the part.
QString measured_text(const StateCosts& costs, const std::vector<double>& kernels, const CostPart& part,
                      const StateTimes& times) {
    if (kernels.size() != costs.loops.body.size())
        return times.how + QStringLiteral("\n\n") +
               NumberViewWords::tr(
                   "Times of single operators are measured on processors, when a state is measured.");
    const std::vector<ListedLine> listed = listed_lines(costs.loops);
    QStringList lines;
    double sum = 0;
    std::size_t kernel = 0;
    for (std::size_t line = 0; line < listed.size(); ++line) {
        if (listed[line].outer >= 0) continue;
        const double seconds = kernels[kernel++];
        sum += seconds;
        if (!part.meets(static_cast<int>(line), listed[line].end)) continue;
        lines << NumberViewWords::tr("Kernel %1 (%2): %3")
                     .arg(kernel)
                     .arg(QString::fromStdString(to_string(listed[line].node)), time_text(seconds));
    }
    lines << NumberViewWords::tr(
                 "Medians of warm runs with a clock after each top-level operator. All together: %1")
                 .arg(time_text(sum));
    if (times.measured)
        lines << NumberViewWords::tr(
                     "The whole takes %1: bringing inputs into their readers' layout comes first.")
                     .arg(time_text(*times.measured));
    return lines.join(QLatin1Char('\n')) + QStringLiteral("\n\n") + times.how;
}

// Operations per second of the roofline, below its intensity.
QString rate_text(const StateCosts& costs, const StateTimes& times, CostPlace::Point point) {
    const bool predicted = point == CostPlace::Point::Predicted;
    const std::optional<double> seconds = predicted ? times.predicted : times.measured;
    if (point == CostPlace::Point::None || !seconds || *seconds <= 0) return {};
    const auto operations = static_cast<double>(costs.counts.flops.total());
    return NumberViewWords::tr("%1 = %2 / %3")
               .arg(with_unit(operations / *seconds, QStringLiteral("FLOP/s")),
                    with_unit(operations, QStringLiteral("FLOP")), time_text(*seconds)) +
           QLatin1Char('\n') + (predicted ? times.binds : times.how);
}

}  // namespace

std::optional<CostQuantity> quantity_of(int column) {
    using Counted = CostQuantity::Kind;
    const auto bytes = [](Counted kind) { return CostQuantity{kind, CostQuantity::Measure::Bytes, -1, {}}; };
    switch (column) {
        case CostTable::Inputs:
            return bytes(Counted::Inputs);
        case CostTable::Outputs:
            return bytes(Counted::Outputs);
        case CostTable::Intermediates:
            return bytes(Counted::Intermediates);
        case CostTable::Moved:
            return bytes(Counted::Moved);
        case CostTable::Operations:
            return bytes(Counted::Operations);
        case CostTable::Replication:
            return bytes(Counted::Replication);
        case CostTable::Intensity:
            return bytes(Counted::Intensity);
        case CostTable::Local:
            return bytes(Counted::LocalMemory);
        case CostTable::Launches:
            return bytes(Counted::Launches);
        case CostTable::Tasks:
            return bytes(Counted::Tasks);
        default:
            return {};
    }
}

CostPart part_of(const StateCosts& costs, int column, const CostPlace& place) {
    CostPart part;
    if (place.whole()) return part;
    if (place.value) {
        part.value = place.value;
        return part;
    }
    const bool moves = is_traffic(column) || column == CostTable::Predicted;
    std::set<int> buffers = buffers_of(costs, place);
    if (!place.arrays.empty() || (moves && !buffers.empty())) {
        part.buffers = std::move(buffers);
        return part;
    }
    part.lines = lines_of(listed_lines(costs.loops), column, place);
    return part;
}

DerivedPart derived_part(const StateCosts& costs, const StateCosts& unfused, const Replicated& replicated,
                         int column, const CostPlace& place) {
    DerivedPart of{part_of(costs, column, place), {}};
    if (column != CostTable::Replication || !of.part.lines) return of;
    const WorkGroup group = replicated.group_of(computing_in(costs, of.part));
    of.part.lines = lines_showing(listed_lines(costs.loops), group.now);
    of.unfused_part.lines = lines_showing(listed_lines(unfused.loops), group.unfused);
    return of;
}

void show_number(DerivationView& view, Document& document, const CostTable& table, const TimesOf& times_of,
                 const ShownNumber& number) {
    const StateTimes times = times_of(number.state);
    Costs& all = Costs::of(document);
    const StateCostsPtr counted = all.of(number.state);
    const StateCostsPtr unfused = all.of(StateId{0});
    QString title = NumberViewWords::tr("%1: %2").arg(
        row_name(document.content(), number.state),
        table.headerData(number.column, Qt::Horizontal, Qt::DisplayRole).toString());
    if (!counted || !unfused) return view.show_text(title, all.missing());
    const bool part_only = !number.place.whole() || number.place.point != CostPlace::Point::None;
    if (part_only) title = NumberViewWords::tr("%1, %2").arg(title, place_text(*counted, number.place));
    // Only of the column that needs it: following the lineage of all steps takes a while.
    const DerivedPart of =
        number.column == CostTable::Replication
            ? derived_part(*counted, *unfused, *all.replicated(number.state), number.column, number.place)
            : DerivedPart{part_of(*counted, number.column, number.place), {}};
    const Forecast& forecast = Forecast::of(document);
    const auto prediction = [&] {
        const PredictionPtr known = forecast.of(counted);
        return known ? prediction_details(*known, forecast.device(), forecast.model()) : forecast.missing();
    };
    if (number.column == CostTable::Predicted) {
        const PredictionPtr known = forecast.of(counted);
        if (number.place.whole() || !known) return view.show_text(title, prediction());
        return view.show_text(title, predicted_text(*counted, *known, of.part, number.place, prediction()));
    }
    if (number.column == CostTable::Measured && times.measured) {
        const std::vector<double> kernels = Measurements::of(document).kernels_of(number.state);
        QString text = measured_text(*counted, kernels, of.part, times);
        if (number.place.point == CostPlace::Point::Both) text += QStringLiteral("\n\n") + prediction();
        return view.show_text(title, text);
    }
    if (number.column == CostTable::Ratio && table.ratio_times(number.state))
        return view.show_text(title, ratio_derivation(document, table, times_of, number.state));
    const std::optional<CostQuantity> quantity = quantity_of(number.column);
    if (!quantity)
        return view.show_text(
            title, table.index(table.row_of(number.state), number.column).data(Qt::ToolTipRole).toString());
    QString note = rate_text(*counted, times, number.place.point);
    if (number.column == CostTable::Replication && of.part.lines)
        note = NumberViewWords::tr("%1 for the work of %2 of the unfused program.")
                   .arg(nodes_text(computing_in(*counted, of.part)),
                        nodes_text(computing_in(*unfused, of.unfused_part)));
    view.show_derivation(title, derive(counted->loops, *quantity, of, &unfused->loops), counted->loops, note);
}

}  // namespace blockscope
