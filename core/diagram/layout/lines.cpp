#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "core/diagram/layout/draw.h"
#include "core/diagram/layout/stations.h"
#include "core/support/index.h"
#include "core/support/result.h"

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
            result.push_back({.from = link.row,
                              .to = static_cast<int>(j),
                              .port = static_cast<int>(l),
                              .weight = weight_of(before.rows[at(link.row)], row),
                              .link = link});
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

namespace {

constexpr int kSweeps = 16;
constexpr double kFar = 1e6;
constexpr double kTether = 0.25;  // how much rows of one station want to be together, beside a wire's 1
constexpr double kMate = 0.5;     // and a wire that leads nowhere with its array

// The chain wants to be `delta` below another one.
struct Wish {
    int other = 0;
    double delta = 0;
    double weight = 1;
};

struct Bound {
    int other = 0;
    double space = 0;
};

class Heights {
public:
    Heights(const Stations& stations, int chains) : count_(at(chains)) {
        above_.resize(count_), below_.resize(count_), wishes_.resize(count_);
        rims_.resize(count_, Row::Kind::Wire);
        for (std::size_t s = 0; s < stations.list.size(); ++s) {
            stand_apart(stations.list[s]);
            if (s > 0 && !stations.list[s].line_start) bend_little(stations, s);
        }
        for (const auto& [pair, space] : spaces_) {
            below_[at(pair.first)].push_back({pair.second, space});
            above_[at(pair.second)].push_back({pair.first, space});
        }
        std::set<int> lone;
        for (int chain = 0; chain < chains; ++chain)
            if (wishes_[at(chain)].empty()) lone.insert(chain);
        for (const auto& [pair, delta] : tethers_) {
            const bool with_its_array =
                mates_.count(pair) > 0 && lone.count(pair.first) + lone.count(pair.second) > 0;
            wish(pair.first, pair.second, delta, with_its_array ? kMate : kTether);
        }
    }

    std::vector<double> run() {
        sort();
        heights_.assign(count_, 0);
        for (const int chain : order_) heights_[at(chain)] = std::max(0.0, least(chain));
        for (int sweep = 0; sweep < kSweeps; ++sweep) {
            move_rims(sweep % 2 == 1, (sweep / 2) % 2 == 1);
            for (const int chain : order_) settle(chain);
            move_rims(sweep % 2 == 0, (sweep / 2) % 2 == 0);
            for (auto chain = order_.rbegin(); chain != order_.rend(); ++chain) settle(*chain);
        }
        move_rims(true, false);
        return std::move(heights_);
    }

private:
    void stand_apart(const Station& station) {
        for (std::size_t r = 0; r < station.rows.size(); ++r) {
            const Row& lower = station.rows[r];
            rims_[at(lower.chain)] = lower.kind == Row::Kind::Glyph ? Row::Kind::Wire : lower.kind;
            if (r == 0) continue;
            const Row& upper = station.rows[r - 1];
            const double space = space_between(upper, lower) + upper.offset - lower.offset;
            const std::pair<int, int> pair(upper.chain, lower.chain);
            const auto [place, fresh] = spaces_.emplace(pair, space);
            if (!fresh) place->second = std::max(place->second, space);
            const bool rim = upper.kind == Row::Kind::Top || upper.kind == Row::Kind::Bottom ||
                             lower.kind == Row::Kind::Top || lower.kind == Row::Kind::Bottom;
            if (!rim) tethers_[pair] = spaces_.at(pair);
            if (upper.wire() && lower.wire() && upper.strand == lower.strand) mates_.insert(pair);
        }
    }

    void bend_little(const Stations& stations, std::size_t s) {
        const Station& before = stations.list[s - 1];
        for (const Row& row : stations.list[s].rows) {
            for (std::size_t l = 0; l < row.from.size(); ++l) {
                const Row& from = before.rows[at(row.from[l].row)];
                if (from.chain == row.chain) continue;
                double delta = from.offset - row.offset;
                if (from.kind == Row::Kind::Glyph)
                    delta += stations.glyphs[at(from.index)].exit(row.from[l].port);
                if (row.kind == Row::Kind::Glyph)
                    delta -= stations.glyphs[at(row.index)].entry(static_cast<int>(l));
                wish(from.chain, row.chain, delta, 1);
            }
        }
    }

    // `lower` wants to be `delta` below `upper`.
    void wish(int upper, int lower, double delta, double weight) {
        wishes_[at(lower)].push_back({upper, delta, weight});
        wishes_[at(upper)].push_back({lower, -delta, weight});
    }

    // Chains do not cross, so that what is above what is an order (of those that share a station).
    void sort() {
        std::vector<std::size_t> waiting(count_);
        std::set<int> ready;
        for (std::size_t c = 0; c < count_; ++c) {
            waiting[c] = above_[c].size();
            if (waiting[c] == 0) ready.insert(static_cast<int>(c));
        }
        while (!ready.empty()) {
            const int chain = *ready.begin();
            ready.erase(ready.begin());
            order_.push_back(chain);
            for (const Bound& bound : below_[at(chain)])
                if (--waiting[at(bound.other)] == 0) ready.insert(bound.other);
        }
        if (order_.size() != count_) throw InternalError("wires that are above each other");
    }

    double least(int chain) const {
        double result = -kFar;
        for (const Bound& bound : above_[at(chain)])
            result = std::max(result, heights_[at(bound.other)] + bound.space);
        return result;
    }

    double most(int chain) const {
        double result = kFar;
        for (const Bound& bound : below_[at(chain)])
            result = std::min(result, heights_[at(bound.other)] - bound.space);
        return result;
    }

    // Rims give way to one side or the other, so that what is beside them can move.
    void move_rims(bool tops_down, bool bottoms_down) {
        for (const int chain : order_) {
            if (rims_[at(chain)] == Row::Kind::Top && !tops_down)
                heights_[at(chain)] = std::max(least(chain), -kFar / 2);
            if (rims_[at(chain)] == Row::Kind::Bottom && !bottoms_down) heights_[at(chain)] = least(chain);
        }
        for (auto chain = order_.rbegin(); chain != order_.rend(); ++chain) {
            if (rims_[at(*chain)] == Row::Kind::Top && tops_down) heights_[at(*chain)] = most(*chain);
            if (rims_[at(*chain)] == Row::Kind::Bottom && bottoms_down)
                heights_[at(*chain)] = std::min(most(*chain), kFar / 2);
        }
    }

    // To the weighted median of the wishes, as far as there is room.
    void settle(int chain) {
        if (rims_[at(chain)] != Row::Kind::Wire || wishes_[at(chain)].empty()) return;
        std::vector<std::pair<double, double>> wished;
        double all = 0;
        for (const Wish& wish : wishes_[at(chain)]) {
            wished.emplace_back(heights_[at(wish.other)] + wish.delta, wish.weight);
            all += wish.weight;
        }
        std::sort(wished.begin(), wished.end());
        double passed = 0;
        double target = wished.back().first;
        for (const auto& [height, weight] : wished) {
            passed += weight;
            if (passed * 2 < all) continue;
            target = height;
            break;
        }
        heights_[at(chain)] = std::max(least(chain), std::min(target, most(chain)));
    }

    std::size_t count_;
    std::vector<std::vector<Bound>> above_, below_;
    std::vector<std::vector<Wish>> wishes_;
    std::vector<Row::Kind> rims_;  // Top, Bottom, or Wire for everything else
    std::map<std::pair<int, int>, double> spaces_;
    std::map<std::pair<int, int>, double> tethers_;
    std::set<std::pair<int, int>> mates_;  // wires of one array, next to each other
    std::vector<int> order_;
    std::vector<double> heights_;
};

}  // namespace

std::vector<double> chain_heights(const Stations& stations, int chains) {
    return Heights(stations, chains).run();
}

// Widths: of columns, of operators, and of what bends between them.

namespace {

constexpr double kLeastColumn = 10;
constexpr double kLabelEdge = 6;  // beside a label
constexpr double kNameEdge = 8;
constexpr double kTransfer = 18;
constexpr double kStraight = 5;  // between two stations
constexpr double kRim = 16;      // with the rim of a frame in its middle
constexpr double kMostBends = 96;

class Spread {
public:
    Spread(const Sheet& sheet, const Axes& axes, Stations& stations, const std::vector<double>& heights,
           const LabelMeasure& measure)
        : sheet_(sheet), axes_(axes), stations_(stations), heights_(heights), measure_(measure) {}

    void run() {
        double x = 0;
        for (std::size_t s = 0; s < stations_.list.size(); ++s) {
            Station& station = stations_.list[s];
            const bool starts = s == 0 || station.line_start;
            x = starts ? 0 : x + between(s);
            station.lead = lead(station);
            station.x0 = x;
            x += width(s);
            station.x1 = x;
            x = room_for_titles(s, x);
        }
    }

private:
    double lead(const Station& station) const {
        double most = 0;
        if (!station.data() || station.line_start) return 0;
        for (const Row& row : station.rows)
            if (row.wire() && row.from.empty() && sheet_.strands[at(row.strand)].source)
                most = std::max(
                    most, measure_(sheet_.strands[at(row.strand)].name, LabelRole::Name).width + kNameEdge);
        return most;
    }

    double width(std::size_t s) const {
        const Station& station = stations_.list[s];
        return station.data() ? column_width(s) : operator_width(station);
    }

    double column_width(std::size_t s) const {
        double most = kLeastColumn;
        const std::vector<Row>& rows = stations_.list[s].rows;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (!is_labelled(sheet_, axes_, stations_, s, rows[r])) continue;
            double width = measure_(wire_label(sheet_, axes_, rows[r]), LabelRole::Axis).width + kLabelEdge;
            const std::string tag = type_tag(sheet_, axes_, stations_, s, r);
            if (!tag.empty()) width += kTagGap + measure_(tag, LabelRole::Tag).width;
            most = std::max(most, width);
        }
        return stations_.list[s].lead + most;
    }

    double operator_width(const Station& station) const {
        const Apply& apply = *sheet_.events[at(station.event)].apply;
        double most = apply.op.kind == OperatorKind::Transfer ? kTransfer : kLeastColumn;
        for (const Row& row : station.rows)
            if (row.kind == Row::Kind::Glyph) most = std::max(most, stations_.glyphs[at(row.index)].width);
        return most;
    }

    // The way from the station before. A bend is the wider the higher it climbs.
    double between(std::size_t s) const {
        const Station& station = stations_.list[s];
        const Station& before = stations_.list[s - 1];
        const double plain = rims(before) == rims(station) ? kStraight : kRim;
        double climb = -1;
        for (const Row& row : station.rows)
            for (std::size_t l = 0; l < row.from.size(); ++l)
                climb = std::max(climb, climb_of(before, row, l));
        if (climb < 0.5) return plain;
        const double bend = std::clamp(18 + 0.22 * climb, 24.0, kMostBends);
        return plain == kRim ? std::max(bend, kRim) + kRim / 2 : bend;
    }

    double climb_of(const Station& before, const Row& row, std::size_t l) const {
        const Row& from = before.rows[at(row.from[l].row)];
        if (heights_.empty()) return from.chain == row.chain ? 0 : 60;
        double a = height_of(from, heights_);
        double b = height_of(row, heights_);
        if (from.kind == Row::Kind::Glyph) a += stations_.glyphs[at(from.index)].exit(row.from[l].port);
        if (row.kind == Row::Kind::Glyph) b += stations_.glyphs[at(row.index)].entry(static_cast<int>(l));
        return std::abs(a - b);
    }

    static int rims(const Station& station) {
        int count = 0;
        for (const Row& row : station.rows) count += row.kind == Row::Kind::Top;
        return count;
    }

    // A frame that ends after this station is at least as wide as its title.
    double room_for_titles(std::size_t s, double x) {
        Station& station = stations_.list[s];
        for (const Row& row : station.rows) {
            if (row.kind != Row::Kind::Top || goes_on(s, row.index)) continue;
            const double title = measure_(sheet_.frames[at(row.index)].title, LabelRole::Title).width + kRim;
            x = std::max(x, begin_of(s, row.index) + title);
        }
        station.x1 = x;
        return x;
    }

    bool shows(const Station& station, int frame) const {
        return std::any_of(station.rows.begin(), station.rows.end(),
                           [&](const Row& row) { return row.kind == Row::Kind::Top && row.index == frame; });
    }

    bool goes_on(std::size_t s, int frame) const {
        return s + 1 < stations_.list.size() && !stations_.list[s + 1].line_start &&
               shows(stations_.list[s + 1], frame);
    }

    double begin_of(std::size_t s, int frame) const {
        while (s > 0 && !stations_.list[s].line_start && shows(stations_.list[s - 1], frame)) --s;
        return stations_.list[s].x0;
    }

    const Sheet& sheet_;
    const Axes& axes_;
    Stations& stations_;
    const std::vector<double>& heights_;
    const LabelMeasure& measure_;
};

// What a wire is called; empty if it is none with an axis.
std::string name_of(const Sheet& sheet, const Axes& axes, const Row& row) {
    if (!row.wire() || row.axis < 0) return {};
    const ArrayType& type = sheet.strands[at(row.strand)].type;
    return axis_label(axes, type.axes.at(at(row.axis)), type.level);
}

// The wire before an operator that this row leaves; null if there is none.
const Row* before_operator(const Stations& stations, std::size_t s, const Row& from) {
    if (s < 2 || stations.list[s - 1].data() || from.from.empty()) return nullptr;
    const Row& row = stations.list[s - 2].rows[at(from.from.front().row)];
    return row.wire() && row.axis >= 0 ? &row : nullptr;
}

// Whether an array comes in here, or was made just before of what has other types.
bool is_new_type(const Sheet& sheet, const Station& station, const Row& row) {
    const Strand& what = sheet.strands[at(row.strand)];
    if (station.line_start) return false;
    if (what.source) return row.from.empty();
    if (station.column < 1) return false;
    const SheetEvent& event = sheet.events[at(station.column - 1)];
    if (std::find(event.outputs.begin(), event.outputs.end(), row.strand) == event.outputs.end())
        return false;
    return std::none_of(event.inputs.begin(), event.inputs.end(),
                        [&](int input) { return sheet.strands[at(input)].type.elem == what.type.elem; });
}

// Whether the operator in between takes it to a level that calls it otherwise.
bool renamed_by_level(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                      const Row& from, const Row& row) {
    const Row* earlier = before_operator(stations, s, from);
    if (!earlier) return false;
    const ArrayType& before = sheet.strands[at(earlier->strand)].type;
    const ArrayType& now = sheet.strands[at(row.strand)].type;
    if (before.level == now.level) return false;
    // Asterisks stand where a cache begins (Figure 24).
    return (now.cached && !before.cached) || name_of(sheet, axes, *earlier) != name_of(sheet, axes, row);
}

}  // namespace

bool is_labelled(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                 const Row& row) {
    const Station& station = stations.list[s];
    if (!station.data() || !row.wire() || row.axis < 0) return false;
    if (s == 0 || station.line_start || row.from.empty()) return true;
    const Row& from = stations.list[s - 1].rows[at(row.from.front().row)];
    if (from.kind == Row::Kind::Glyph) {
        const GlyphKind kind = stations.glyphs[at(from.index)].kind;
        return kind != GlyphKind::Triangle && kind != GlyphKind::Norm;
    }
    const std::string before = name_of(sheet, axes, from);
    return before.empty() || before != name_of(sheet, axes, row) ||
           renamed_by_level(sheet, axes, stations, s, from, row);
}

std::string type_tag(const Sheet& sheet, const Axes& axes, const Stations& stations, std::size_t s,
                     std::size_t r) {
    const std::vector<Row>& rows = stations.list[s].rows;
    const int id = rows[r].strand;
    if (!sheet.mixed_types || !rows[r].wire() || !is_new_type(sheet, stations.list[s], rows[r])) return {};
    for (std::size_t above = 0; above < r; ++above)
        if (rows[above].strand == id && is_labelled(sheet, axes, stations, s, rows[above])) return {};
    return is_labelled(sheet, axes, stations, s, rows[r]) ? to_string(sheet.strands[at(id)].type.elem) : "";
}

std::string wire_label(const Sheet& sheet, const Axes& axes, const Row& row) {
    const Strand& strand = sheet.strands[at(row.strand)];
    const std::string text = axis_label(axes, strand.type.axes.at(at(row.axis)), strand.type.level);
    const std::string star = strand.type.cached ? "*" : "";
    return strand.carried ? "(" + text + star + ")" : text + star;
}

void spread(const Sheet& sheet, const Axes& axes, Stations& stations, const std::vector<double>& heights,
            const LabelMeasure& measure) {
    Spread(sheet, axes, stations, heights, measure).run();
}

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
