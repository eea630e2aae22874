#include "core/plan/contest_cut.h"

#include <algorithm>
#include <cmath>

namespace blockscope::plan {

namespace {

constexpr double kMostFollowed = 2048;  // slices of a cut that is tried in a snake
constexpr double kLess = 1 - 1e-9;      // of equal cuts the first, the largest, stays

std::vector<std::int64_t> divisors(std::int64_t of) {
    std::vector<std::int64_t> all;
    for (std::int64_t one = 1; one * one <= of; ++one) {
        if (of % one != 0) continue;
        all.push_back(one);
        if (one * one != of) all.push_back(of / one);
    }
    std::sort(all.rbegin(), all.rend());
    return all;
}

// Every other row the other way round, or every other column.
std::vector<int> snake(std::int64_t down, std::int64_t across, bool by_rows) {
    std::vector<int> order;
    const std::int64_t lines = by_rows ? down : across, length = by_rows ? across : down;
    for (std::int64_t line = 0; line < lines; ++line)
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t at = line % 2 == 0 ? i : length - 1 - i;
            order.push_back(static_cast<int>(by_rows ? line * across + at : at * across + line));
        }
    return order;
}

class CutSearch {
public:
    CutSearch(const ContestProblem& problem, const ContestGroup& group, const Residents& residents)
        : problem_(problem), group_(group), residents_(residents) {}

    ContestCut run() {
        const ContestTensor& result = problem_.tensors[static_cast<std::size_t>(*group_.results().begin())];
        const std::int64_t longest = group_.longest_reduction();
        const auto depths = group_.only_products() ? divisors(longest) : std::vector<std::int64_t>{longest};
        std::vector<Granularity> fitting;
        for (const std::int64_t width : divisors(result.width))
            for (const std::int64_t height : divisors(result.height))
                for (const std::int64_t depth : depths) {
                    const Granularity size{.width = width, .height = height, .depth = depth};
                    if (group_.working_set(size, residents_) > problem_.capacity) continue;
                    if (group_.why_not(size)) continue;
                    fitting.push_back(size);
                    row_by_row(size);
                }
        for (const Granularity& size : fitting) snakes(size, result);
        return std::move(best_);
    }

private:
    void offer(const Granularity& size, std::optional<std::vector<int>> order) {
        if (group_.slices_followed(size, residents_, order.has_value()) > kMostFollowed) return;
        const double latency = group_.latency(size, residents_, order);
        if (latency < best_.latency * kLess || best_.latency == kNever)
            best_ = {.granularity = size, .order = std::move(order), .latency = latency};
    }

    void row_by_row(const Granularity& size) { offer(size, std::nullopt); }

    void snakes(const Granularity& size, const ContestTensor& result) {
        const std::int64_t down = result.height / size.height, across = result.width / size.width;
        if (down * across == 1 || group_.slices_followed(size, residents_, true) > kMostFollowed) return;
        if (group_.least_latency(size, residents_) >= best_.latency * kLess) return;
        offer(size, snake(down, across, true));
        offer(size, snake(down, across, false));
    }

    const ContestProblem& problem_;
    const ContestGroup& group_;
    const Residents& residents_;
    ContestCut best_;
};

}  // namespace

ContestCut best_cut(const ContestProblem& problem, const ContestGroup& group, const Residents& residents) {
    return CutSearch(problem, group, residents).run();
}

double least_latency(const ContestProblem& problem, const std::vector<int>& operators) {
    const auto inside = [&](int node) {
        return std::find(operators.begin(), operators.end(), node) != operators.end();
    };
    const auto pieces = [](std::int64_t side, std::int64_t native) {
        return static_cast<double>((side + native - 1) / native);
    };
    double compute = 0, elements = 0;
    std::set<int> sources;
    for (const int one : operators) {
        const ContestOperator& node = problem.operators[static_cast<std::size_t>(one)];
        const ContestTensor& result = problem.tensors[static_cast<std::size_t>(node.output)];
        compute += node.cost * pieces(result.width, problem.native_width) *
                   pieces(result.height, problem.native_height);
        for (const int input : node.inputs)
            if (!inside(problem.maker[static_cast<std::size_t>(input)])) sources.insert(input);
        const auto& readers = problem.readers[static_cast<std::size_t>(node.output)];
        if (readers.empty() || !std::all_of(readers.begin(), readers.end(), inside))
            elements += result.size();
    }
    for (const int one : sources) elements += problem.tensors[static_cast<std::size_t>(one)].size();
    return std::max(compute, elements / problem.bandwidth);
}

}  // namespace blockscope::plan
