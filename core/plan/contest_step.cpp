#include "core/plan/contest_step.h"

#include <algorithm>

namespace blockscope::plan {

namespace {

std::int64_t pieces(std::int64_t side, std::int64_t piece) {
    return (side + piece - 1) / piece;
}

// Native tiles that one side of a result takes. Slices along a reduction share those of the whole side.
double native_tiles(Extent extent, std::int64_t side, std::int64_t tile, std::int64_t depth,
                    std::int64_t native) {
    if (extent == Extent::Tile) return static_cast<double>(pieces(tile, native));
    const auto whole = static_cast<double>(pieces(side, native));
    if (extent == Extent::Whole) return whole;
    return whole * static_cast<double>(std::min(depth, side)) / static_cast<double>(side);
}

std::int64_t length(Extent extent, std::int64_t side, std::int64_t tile, std::int64_t depth) {
    if (extent == Extent::Whole) return side;
    return extent == Extent::Tile ? tile : std::min(depth, side);
}

std::int64_t number(Extent extent, std::int64_t tile, std::int64_t step) {
    if (extent == Extent::Whole) return 0;
    return extent == Extent::Tile ? tile : step;
}

}  // namespace

ContestGroup::ContestGroup(const ContestProblem& problem, const std::vector<int>& operators)
    : problem_(problem), nodes_(operators.begin(), operators.end()) {
    std::set<int> read;
    for (const int one : nodes_) read.insert(node(one).inputs.begin(), node(one).inputs.end());
    for (const int one : nodes_)
        (read.count(node(one).output) > 0 ? ephemeral_ : results_).insert(node(one).output);
    for (const int one : results_) require({.tensor = one}, true);
    for (const int one : sources_)
        if (overwritten(one)) in_place_.insert(one);
}

// Whoever makes the slice, and what that reads in turn.
void ContestGroup::require(const ContestSlice& slice, bool last) {
    if (!needed_.insert(slice).second) return;
    const int maker = problem_.maker[static_cast<std::size_t>(slice.tensor)];
    if (maker < 0 || !has(maker)) {
        sources_.insert(slice.tensor);
        loaded_.push_back(slice);
        return;
    }
    work_.push_back({.node = maker, .result = slice, .last = last});
    const ContestOperator& made = node(maker);
    if (!made.matmul) {
        for (const int input : made.inputs)
            require({.tensor = input, .rows = slice.rows, .columns = slice.columns}, false);
        return;
    }
    const Extent reduction = last ? Extent::Reduction : Extent::Whole;
    require({.tensor = made.inputs[0], .rows = slice.rows, .columns = reduction}, false);
    require({.tensor = made.inputs[1], .rows = reduction, .columns = slice.columns}, false);
}

std::int64_t ContestGroup::reduction_of(const ContestOperator& one) const {
    return one.matmul ? tensor(one.inputs[0]).width : 1;
}

std::int64_t ContestGroup::longest_reduction() const {
    std::int64_t longest = 1;
    for (const int one : nodes_) longest = std::max(longest, reduction_of(node(one)));
    return longest;
}

bool ContestGroup::only_products() const {
    return std::all_of(work_.begin(), work_.end(),
                       [&](const ContestWork& one) { return !one.last || node(one.node).matmul; });
}

std::int64_t ContestGroup::reduction_steps(const Granularity& granularity) const {
    std::int64_t steps = 1;
    for (const ContestWork& one : work_)
        if (one.last) steps = std::max(steps, pieces(reduction_of(node(one.node)), granularity.depth));
    return steps;
}

std::optional<Text> ContestGroup::why_not(const Granularity& granularity) const {
    const ContestTensor& first = tensor(*results_.begin());
    for (const int one : results_)
        if (tensor(one).width != first.width || tensor(one).height != first.height)
            return Text("its results %1 and %2 differ in size, and all tiles of a step lie on one grid",
                        static_cast<std::int64_t>(*results_.begin()), static_cast<std::int64_t>(one));
    if (first.width % granularity.width != 0 || first.height % granularity.height != 0)
        return Text("tiles of %1 x %2 do not divide results of %3 x %4", granularity.width,
                    granularity.height, first.width, first.height);
    for (const ContestWork& one : work_) {
        const std::int64_t reduction = reduction_of(node(one.node));
        if (one.last && node(one.node).matmul && granularity.depth < reduction &&
            reduction % granularity.depth != 0)
            return Text("slices of %1 do not divide the reduction of %2 of operator %3", granularity.depth,
                        reduction, static_cast<std::int64_t>(one.node));
        const auto& readers = problem_.readers[static_cast<std::size_t>(one.result.tensor)];
        const bool read_pointwise = std::any_of(
            readers.begin(), readers.end(), [&](int reader) { return has(reader) && !node(reader).matmul; });
        if (read_pointwise && granularity.depth < reduction)
            return Text(
                "operator %1 reduces over %2, which cannot be cut into slices of %3: a pointwise operator of "
                "the step reads its result",
                static_cast<std::int64_t>(one.node), reduction, granularity.depth);
    }
    const std::int64_t steps = reduction_steps(granularity);
    for (const ContestWork& one : work_)
        if (one.last && pieces(reduction_of(node(one.node)), granularity.depth) != steps)
            return Text("its results take different numbers of slices of %1 along the reduction",
                        granularity.depth);
    return std::nullopt;
}

std::int64_t ContestGroup::tiles(const Granularity& granularity) const {
    const ContestTensor& result = tensor(*results_.begin());
    return pieces(result.width, granularity.width) * pieces(result.height, granularity.height);
}

double ContestGroup::elements(const ContestSlice& slice, const Granularity& granularity) const {
    const ContestTensor& whole = tensor(slice.tensor);
    const auto rows = length(slice.rows, whole.height, granularity.height, granularity.depth);
    const auto columns = length(slice.columns, whole.width, granularity.width, granularity.depth);
    return static_cast<double>(rows) * static_cast<double>(columns);
}

// Of one slice of one tile.
double ContestGroup::compute(const Granularity& granularity) const {
    double sum = 0;
    for (const ContestWork& one : work_) {
        const ContestTensor& result = tensor(one.result.tensor);
        const ContestOperator& made = node(one.node);
        double cost = made.cost;
        cost *= native_tiles(one.result.rows, result.height, granularity.height, granularity.depth,
                             problem_.native_height);
        cost *= native_tiles(one.result.columns, result.width, granularity.width, granularity.depth,
                             problem_.native_width);
        if (one.last && made.matmul) {
            const std::int64_t reduction = reduction_of(made);
            cost *=
                static_cast<double>(std::min(granularity.depth, reduction)) / static_cast<double>(reduction);
        }
        sum += cost;
    }
    return sum;
}

// Whether the source's slice may be overwritten by a result: between the two are only pointwise operators
// that read nothing else. The contest's second example does not fit its memory otherwise.
bool ContestGroup::overwritten(int source) const {
    for (int at = source;;) {
        int only = -1;
        for (const int reader : problem_.readers[static_cast<std::size_t>(at)]) {
            if (!has(reader)) continue;
            if (only >= 0) return false;
            only = reader;
        }
        if (only < 0) return at != source;
        if (node(only).matmul || node(only).inputs.size() != 1) return false;
        at = node(only).output;
    }
}

double ContestGroup::working_set(const Granularity& granularity, const Residents& residents) const {
    double sum = 0;
    std::set<int> whole = residents.before;
    whole.insert(residents.after.begin(), residents.after.end());
    for (const int one : whole) sum += tensor(one).size();
    for (const ContestSlice& one : loaded_)
        if (whole.count(one.tensor) == 0 && in_place_.count(one.tensor) == 0)
            sum += elements(one, granularity);
    for (const int one : results_)
        if (whole.count(one) == 0) sum += elements({.tensor = one}, granularity);
    return sum;
}

struct ContestGroup::Times {
    double compute = 0, out = 0, bandwidth = 1;

    double of(double in, bool last) const { return std::max(compute, (in + (last ? out : 0)) / bandwidth); }
};

double ContestGroup::slices_followed(const Granularity& granularity, const Residents& residents,
                                     bool ordered) const {
    const bool kept = std::any_of(loaded_.begin(), loaded_.end(), [&](const ContestSlice& one) {
        return residents.after.count(one.tensor) > 0 && residents.before.count(one.tensor) == 0;
    });
    if (!ordered && !kept) return 0;
    return static_cast<double>(tiles(granularity)) * static_cast<double>(reduction_steps(granularity));
}

double ContestGroup::least_latency(const Granularity& granularity, const Residents& residents) const {
    double moved = 0;
    for (const int one : sources_)
        if (residents.before.count(one) == 0) moved += tensor(one).size();
    for (const int one : results_)
        if (residents.after.count(one) == 0) moved += tensor(one).size();
    const double slices =
        static_cast<double>(tiles(granularity)) * static_cast<double>(reduction_steps(granularity));
    return std::max(slices * compute(granularity), moved / problem_.bandwidth);
}

double ContestGroup::latency(const Granularity& granularity, const Residents& residents,
                             const std::optional<std::vector<int>>& order) const {
    Times times{.compute = compute(granularity), .bandwidth = problem_.bandwidth};
    for (const int one : results_)
        if (residents.after.count(one) == 0) times.out += elements({.tensor = one}, granularity);
    std::vector<ContestSlice> loaded;
    double all = 0, reduced = 0;
    for (const ContestSlice& one : loaded_) {
        if (residents.before.count(one.tensor) > 0) continue;
        loaded.push_back(one);
        all += elements(one, granularity);
        if (one.rows == Extent::Reduction || one.columns == Extent::Reduction)
            reduced += elements(one, granularity);
    }
    const std::int64_t steps = reduction_steps(granularity);
    if (slices_followed(granularity, residents, order.has_value()) == 0) {
        double tile = times.of(all, steps == 1);
        if (steps > 1)
            tile += static_cast<double>(steps - 2) * times.of(reduced, false) + times.of(reduced, true);
        return static_cast<double>(tiles(granularity)) * tile;
    }
    // Each slice in its turn: one is loaded unless it is that of the turn before, or of a tensor that is to
    // stay and was loaded at any time.
    const std::int64_t across = pieces(tensor(*results_.begin()).width, granularity.width);
    using Place = std::pair<std::int64_t, std::int64_t>;
    std::vector<Place> last(loaded.size(), Place{-1, -1});
    std::vector<std::set<Place>> kept(loaded.size());
    double sum = 0;
    for (std::int64_t turn = 0; turn < tiles(granularity); ++turn) {
        const std::int64_t tile = order ? (*order)[static_cast<std::size_t>(turn)] : turn;
        if (!order) std::fill(last.begin(), last.end(), Place{-1, -1});
        for (std::int64_t step = 0; step < steps; ++step) {
            double in = 0;
            for (std::size_t i = 0; i < loaded.size(); ++i) {
                const Place place{number(loaded[i].rows, tile / across, step),
                                  number(loaded[i].columns, tile % across, step)};
                if (place == last[i]) continue;
                last[i] = place;
                if (residents.after.count(loaded[i].tensor) > 0 && !kept[i].insert(place).second) continue;
                in += elements(loaded[i], granularity);
            }
            sum += times.of(in, step + 1 == steps);
        }
    }
    return sum;
}

}  // namespace blockscope::plan
