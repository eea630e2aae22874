#include "core/circuit/layout/beside.h"

#include <algorithm>

namespace blockscope::circuit {

namespace {

constexpr double kNext = 0.25;  // new strands stand this far from those that they follow

using Kind = SheetEntry::Kind;

// What is beside one frame, or beside the operator, inside the frame around it.
struct Cell {
    std::vector<int> above, below;
    int frame = -1;  // inside this cell; -1: the operator
};

std::vector<Cell> cells_of(const SheetEntries& above, const SheetEntries& below) {
    std::vector<Cell> cells(1);
    for (const SheetEntry& entry : above) {
        if (entry.kind == Kind::Strand) {
            cells.back().above.push_back(entry.index);
        } else {
            cells.back().frame = entry.index;
            cells.emplace_back();
        }
    }
    std::size_t level = cells.size() - 1;
    for (const SheetEntry& entry : below) {
        if (entry.kind == Kind::Strand)
            cells[level].below.push_back(entry.index);
        else
            --level;
    }
    return cells;
}

struct Standing {
    int strand = -1;
    double place = 0;
};

}  // namespace

Positions::Positions(const Sheet& sheet) : sheet_(sheet) {
    double place = 0;
    for (const SheetEntry& entry : sheet.columns.back()) {
        if (entry.kind == Kind::Strand) strands_[entry.index] = place;
        if (entry.kind == Kind::Top) tops_[entry.index] = place;
        ++place;
    }
}

std::optional<double> Positions::place(int strand) const {
    for (; strand >= 0; strand = sheet_.strands[static_cast<std::size_t>(strand)].parent)
        if (const auto found = strands_.find(strand); found != strands_.end()) return found->second;
    return std::nullopt;
}

double Positions::middle(const std::vector<int>& strands) const {
    double sum = 0;
    int count = 0;
    for (const int strand : strands) {
        const std::optional<double> known = place(strand);
        sum += known.value_or(0);
        count += known ? 1 : 0;
    }
    return count == 0 ? -1 : sum / count;
}

std::vector<int> Positions::in_order(const std::vector<int>& strands) const {
    std::vector<Standing> all;
    double before = -1;
    for (const int strand : strands) {
        before = place(strand).value_or(before + kNext);
        all.push_back({strand, before});
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Standing& a, const Standing& b) { return a.place < b.place; });
    std::vector<int> result;
    for (const Standing& one : all) result.push_back(one.strand);
    return result;
}

std::pair<SheetEntries, SheetEntries> Positions::beside(const SheetEntries& above,
                                                        const std::vector<int>& into,
                                                        const SheetEntries& below) const {
    SheetEntries over;
    SheetEntries under;
    const double here = middle(into);
    for (const Cell& cell : cells_of(above, below)) {
        const auto open = tops_.find(cell.frame);
        const bool is_open = cell.frame >= 0 && open != tops_.end();
        const double core = is_open ? open->second : here;
        std::vector<int> upper;
        std::vector<int> lower;
        const auto divide = [&](const std::vector<int>& strands, bool was_above) {
            for (const int strand : strands) {
                const std::optional<double> known = place(strand);
                const bool stays = !known || core < 0 || *known == core;
                ((stays ? was_above : *known < core) ? upper : lower).push_back(strand);
            }
        };
        divide(cell.above, true);
        divide(cell.below, false);
        for (const int strand : in_order(upper)) over.push_back({Kind::Strand, strand});
        if (cell.frame >= 0) over.push_back({Kind::Top, cell.frame});
        SheetEntries bottom;
        if (cell.frame >= 0) bottom.push_back({Kind::Bottom, cell.frame});
        for (const int strand : in_order(lower)) bottom.push_back({Kind::Strand, strand});
        under.insert(under.begin(), bottom.begin(), bottom.end());
    }
    return {std::move(over), std::move(under)};
}

}  // namespace blockscope::circuit
