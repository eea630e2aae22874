// The tree of a history as rows with lanes, like the graph of a version control system: time runs down, a
// branch stands in its own lane, long straight runs are one row.
#pragma once

#include <set>

#include "app/document/content.h"

namespace blockscope {

struct HistoryRow {
    std::vector<StateId> states;  // one, or those of a collapsed run
    int lane = 0;
    int parent = -1;            // row of the state before; -1 of the first row
    std::vector<int> branches;  // ids of the branches that end here
    bool forks = false;         // several rows come after this one

    bool collapsed() const { return states.size() > 1; }
    StateId first() const { return states.front(); }
    StateId last() const { return states.back(); }
};

// Runs of more than `kLongestRun` states without anything remarkable are collapsed unless `expanded` has
// their first state. Remarkable are snapshots, notes, forks, ends of branches, the current state and those
// that are compared.
constexpr int kLongestRun = 3;
std::vector<HistoryRow> history_rows(const Content& content, const std::set<StateId>& expanded);

}  // namespace blockscope
