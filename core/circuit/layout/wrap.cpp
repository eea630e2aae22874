#include <algorithm>
#include <limits>

#include "core/circuit/layout/lines.h"

namespace blockscope::circuit {

namespace {

constexpr double kLineTail = 40;   // what ends a line, and the labels that begin the next one
constexpr double kStretch = 1.18;  // the last line may be this much wider rather than leave a short one
constexpr double kOrphan = 0.45;   // a last line shorter than this looks left over
constexpr double kOrphanCost = 40;
constexpr double kEarly = 0.55;  // lines are at least this full where there is a choice

// How much a break between two lines tears apart here: frames above all, then wires.
double tear(const Station& station) {
    double cost = 0;
    for (const Row& row : station.rows) {
        if (row.kind == Row::Kind::Top) cost += 12;
        if (row.wire()) cost += 1;
    }
    return cost;
}

// The station at which the line that begins at `first` is broken best; 0: it need not be.
std::size_t break_after(const std::vector<Station>& list, std::size_t first, double width) {
    const double start = list[first].x0;
    if (list.back().x1 - start <= width * kStretch) return 0;
    std::size_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = first + 1; s + 1 < list.size(); ++s) {
        const double used = (list[s].x1 - start) / width;
        if (used > 1 && best > 0) break;
        if (!list[s].data()) continue;
        // Short lines cost, too; beyond the width the first chance is taken.
        const double left = (list.back().x1 - list[s].x0) / width;
        const double orphan = left < kOrphan ? kOrphanCost * (1 - left / kOrphan) : 0;
        const double cost = used < kEarly ? 1e3 * (1 - used) : tear(list[s]) + 20 * (1 - used) + orphan;
        if (used <= 1 && cost > least) continue;
        least = cost;
        best = s;
        if (used > 1) break;
    }
    return best;
}

// The same column at the start of the next line.
Station again(const Station& station) {
    Station copy = station;
    copy.line_start = true;
    copy.lead = 0;
    for (std::size_t r = 0; r < copy.rows.size(); ++r) copy.rows[r].from = {{static_cast<int>(r), -1}};
    return copy;
}

}  // namespace

void wrap(const Sheet& sheet, const Axes& axes, Stations& stations, const LayoutOptions& options) {
    straighten(stations);
    spread(sheet, axes, stations, {}, options.measure);
    std::vector<Station> lines;
    std::size_t first = 0;
    std::size_t next = 0;
    while (next < stations.list.size()) {
        const std::size_t last = break_after(stations.list, first, options.width - kLineTail);
        const std::size_t end = last == 0 ? stations.list.size() : last + 1;
        for (; next < end; ++next) lines.push_back(stations.list[next]);
        if (last == 0) break;
        lines.push_back(again(stations.list[last]));
        first = last;
    }
    stations.list = std::move(lines);
}

}  // namespace blockscope::circuit
