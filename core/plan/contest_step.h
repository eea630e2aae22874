// One step of a schedule of the MLSys 2026 graph scheduling contest: what its operators read and write for
// each tile, what has to fit the fast memory, and how long it takes.
#pragma once

#include <compare>
#include <set>

#include "core/plan/contest.h"

namespace blockscope::plan {

// Which part of a tensor's side a tile needs.
enum class Extent { Tile, Reduction, Whole };

struct ContestSlice {
    int tensor = 0;
    Extent rows = Extent::Tile, columns = Extent::Tile;

    auto operator<=>(const ContestSlice&) const = default;
};

// A slice that an operator of the step computes for each tile.
struct ContestWork {
    int node = 0;
    ContestSlice result;
    bool last = false;  // its result leaves the step
};

// What stays from the step before, and for the next one.
struct Residents {
    std::set<int> before, after;
};

class ContestGroup {
public:
    ContestGroup(const ContestProblem& problem, const std::vector<int>& operators);

    const std::set<int>& results() const { return results_; }      // that leave the step
    const std::set<int>& ephemeral() const { return ephemeral_; }  // that the step makes and reads itself
    const std::set<int>& sources() const { return sources_; }      // that it reads and does not make
    // The longest that an operator reduces over, 1 if none does; whether all results are products.
    std::int64_t longest_reduction() const;
    bool only_products() const;

    // Why it cannot be cut so, if it cannot.
    std::optional<Text> why_not(const Granularity& granularity) const;
    std::int64_t tiles(const Granularity& granularity) const;

    // Of a granularity that nothing speaks against.
    double working_set(const Granularity& granularity, const Residents& residents) const;
    double latency(const Granularity& granularity, const Residents& residents,
                   const std::optional<std::vector<int>>& order) const;
    // No order takes less: all slices compute, and everything is loaded and written once.
    double least_latency(const Granularity& granularity, const Residents& residents) const;
    // So many are followed one by one to find the latency; 0: all tiles are alike.
    double slices_followed(const Granularity& granularity, const Residents& residents, bool ordered) const;

    // Slices along the reduction that each tile takes.
    std::int64_t reduction_steps(const Granularity& granularity) const;

private:
    struct Times;
    void require(const ContestSlice& slice, bool last);
    double elements(const ContestSlice& slice, const Granularity& granularity) const;
    double compute(const Granularity& granularity) const;
    bool overwritten(int source) const;
    bool has(int node) const { return nodes_.count(node) > 0; }
    std::int64_t reduction_of(const ContestOperator& one) const;
    const ContestTensor& tensor(int index) const { return problem_.tensors[static_cast<std::size_t>(index)]; }
    const ContestOperator& node(int index) const {
        return problem_.operators[static_cast<std::size_t>(index)];
    }

    const ContestProblem& problem_;
    std::set<int> nodes_, results_, ephemeral_, sources_;
    std::set<ContestSlice> needed_;     // of what the step makes and reads itself
    std::vector<ContestSlice> loaded_;  // of sources
    std::set<int> in_place_;            // sources whose place a result takes
    std::vector<ContestWork> work_;
};

}  // namespace blockscope::plan
