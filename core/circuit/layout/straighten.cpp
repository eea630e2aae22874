#include <algorithm>

#include "core/circuit/layout/lines.h"

namespace blockscope::circuit {

namespace {

// A link that could be straight.
struct Candidate {
    int from = 0;
    int to = 0;
    int port = 0;  // entry of a glyph
    int weight = 0;
    RowLink link;
};

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

int weight_of(const Row& from, const Row& to) {
    if (!to.wire() && to.kind != Row::Kind::Glyph) return 1000;  // rims are straight
    if (to.kind == Row::Kind::Glyph) return to.from.size() == 1 ? 5 : 3;
    if (from.kind == Row::Kind::Glyph) return 5;
    return from.strand == to.strand ? 6 : 4;
}

std::vector<Candidate> candidates(const Station& before, const Station& station) {
    std::vector<Candidate> result;
    for (std::size_t j = 0; j < station.rows.size(); ++j) {
        const Row& row = station.rows[j];
        const std::size_t most =
            row.kind == Row::Kind::Glyph ? row.from.size() : std::min<std::size_t>(1, row.from.size());
        for (std::size_t l = 0; l < most; ++l) {
            const RowLink& link = row.from[l];
            result.push_back({link.row, static_cast<int>(j), static_cast<int>(l),
                              weight_of(before.rows[at(link.row)], row), link});
        }
    }
    return result;
}

// The heaviest ones of which no two cross or share an end.
std::vector<Candidate> without_crossing(const std::vector<Candidate>& all) {
    std::vector<int> best(all.size());
    std::vector<int> previous(all.size(), -1);
    for (std::size_t k = 0; k < all.size(); ++k) {
        best[k] = all[k].weight;
        for (std::size_t e = 0; e < k; ++e) {
            if (all[e].to >= all[k].to || all[e].from >= all[k].from) continue;
            if (best[e] + all[k].weight <= best[k]) continue;
            best[k] = best[e] + all[k].weight;
            previous[k] = static_cast<int>(e);
        }
    }
    std::vector<Candidate> chosen;
    const auto heaviest = std::max_element(best.begin(), best.end());
    for (int k = heaviest == best.end() ? -1 : static_cast<int>(heaviest - best.begin()); k >= 0;
         k = previous[at(k)])
        chosen.push_back(all[at(k)]);
    return chosen;
}

}  // namespace

int straighten(Stations& stations) {
    int chains = 0;
    for (std::size_t s = 0; s < stations.list.size(); ++s) {
        Station& station = stations.list[s];
        for (Row& row : station.rows) row.chain = -1, row.offset = 0;
        if (s > 0 && !station.line_start) {
            const Station& before = stations.list[s - 1];
            for (const Candidate& straight : without_crossing(candidates(before, station))) {
                const Row& from = before.rows[at(straight.from)];
                Row& row = station.rows[at(straight.to)];
                row.chain = from.chain;
                row.offset = from.offset;
                if (from.kind == Row::Kind::Glyph)
                    row.offset += stations.glyphs[at(from.index)].exit(straight.link.port);
                if (row.kind == Row::Kind::Glyph)
                    row.offset -= stations.glyphs[at(row.index)].entry(straight.port);
            }
        }
        for (Row& row : station.rows)
            if (row.chain < 0) row.chain = chains++;
    }
    return chains;
}

}  // namespace blockscope::circuit
