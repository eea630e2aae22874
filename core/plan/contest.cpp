#include "core/plan/contest.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/json/value.h"
#include "core/plan/contest_step.h"

namespace blockscope::plan {

namespace {

constexpr double kMostSlices = 2e7;         // that are followed one by one: some seconds
constexpr double kClaimTolerance = 0.0001;  // of what the file says; it may be rounded

std::int64_t number(int index) {
    return index;
}

// One step after the other, with what lies in which memory between them.
class Evaluation {
public:
    Evaluation(const ContestProblem& problem, const ContestSchedule& schedule)
        : problem_(problem), schedule_(schedule), done_(problem.operators.size()) {
        for (const int maker : problem.maker) slow_.push_back(maker < 0);
    }

    ContestCost run() {
        for (const ContestStep& step : schedule_) {
            ++step_;
            cost_.steps.push_back(known_operators(step) ? one(step) : 0);
        }
        step_ = 0;
        for (std::size_t i = 0; i < done_.size(); ++i)
            if (!done_[i]) wrong(Text("operator %1 is in no step", static_cast<std::int64_t>(i)));
        for (std::size_t i = 0; i < slow_.size(); ++i) {
            const int maker = problem_.maker[i];
            if (maker < 0 || !problem_.readers[i].empty() || !done_[static_cast<std::size_t>(maker)])
                continue;
            if (!slow_[i])
                wrong(Text("tensor %1 is an output and is not in the slow memory at the end",
                           static_cast<std::int64_t>(i)));
        }
        return std::move(cost_);
    }

private:
    void wrong(Text why) { cost_.violations.push_back({.step = step_, .why = std::move(why)}); }

    bool known_operators(const ContestStep& step) {
        if (step.operators.empty()) {
            wrong(Text("the step has no operators"));
            return false;
        }
        std::set<int> seen;
        for (const int one : step.operators) {
            if (one < 0 || one >= static_cast<int>(done_.size())) {
                wrong(Text("there is no operator %1", number(one)));
                return false;
            }
            if (!seen.insert(one).second) {
                wrong(Text("operator %1 stands twice in the step", number(one)));
                return false;
            }
            done_[static_cast<std::size_t>(one)] = true;
        }
        return true;
    }

    double one(const ContestStep& step) {
        const ContestGroup group(problem_, step.operators);
        const Residents residents{.before = resident_, .after = retained(step, group)};
        connected(step);
        for (const int source : group.sources())
            if (!slow_[static_cast<std::size_t>(source)] && resident_.count(source) == 0)
                wrong(
                    Text("tensor %1 is read and is in neither memory: it was not computed, or was discarded",
                         number(source)));
        const double latency = costed(step, group, residents);
        for (const int result : group.results())
            if (residents.after.count(result) == 0) slow_[static_cast<std::size_t>(result)] = true;
        resident_ = residents.after;
        return latency;
    }

    std::set<int> retained(const ContestStep& step, const ContestGroup& group) {
        std::set<int> kept;
        for (const int tensor : step.retained) {
            if (tensor < 0 || tensor >= static_cast<int>(slow_.size()))
                wrong(Text("there is no tensor %1 to retain", number(tensor)));
            else if (group.results().count(tensor) == 0 && group.sources().count(tensor) == 0)
                wrong(Text("tensor %1 cannot be retained: it is neither loaded nor a result of the step",
                           number(tensor)));
            else if (!kept.insert(tensor).second)
                wrong(Text("tensor %1 is retained twice", number(tensor)));
        }
        return kept;
    }

    // By tensors that one makes and another reads, or that both read.
    void connected(const ContestStep& step) {
        std::vector<int> open{step.operators.front()};
        std::set<int> waiting(step.operators.begin() + 1, step.operators.end());
        const auto reach = [&](int node) {
            if (waiting.erase(node) > 0) open.push_back(node);
        };
        const auto reach_users = [&](int tensor) {
            const auto at = static_cast<std::size_t>(tensor);
            reach(problem_.maker[at]);
            for (const int reader : problem_.readers[at]) reach(reader);
        };
        for (std::size_t i = 0; i < open.size(); ++i) {
            const ContestOperator& node = problem_.operators[static_cast<std::size_t>(open[i])];
            reach_users(node.output);
            for (const int input : node.inputs) reach_users(input);
        }
        if (!waiting.empty())
            wrong(Text("operator %1 has no tensor in common with the others of the step",
                       number(*waiting.begin())));
    }

    double costed(const ContestStep& step, const ContestGroup& group, const Residents& residents) {
        if (const auto why = group.why_not(step.granularity)) {
            wrong(*why);
            return 0;
        }
        const double needed = group.working_set(step.granularity, residents);
        if (needed > problem_.capacity)
            wrong(Text("the step needs %1 elements of fast memory; there are %2",
                       static_cast<std::int64_t>(needed), static_cast<std::int64_t>(problem_.capacity)));
        if (step.order && !is_order(*step.order, group.tiles(step.granularity))) {
            wrong(Text("the traversal order does not have each of the %1 tiles once",
                       group.tiles(step.granularity)));
            return 0;
        }
        if (group.slices_followed(step.granularity, residents, step.order.has_value()) > kMostSlices) {
            wrong(Text("the step has more slices than are followed here, 20 million"));
            return 0;
        }
        const double latency = group.latency(step.granularity, residents, step.order);
        if (step.claimed && std::abs(*step.claimed - latency) > kClaimTolerance * std::max(1.0, latency))
            wrong(Text("the latency is given as %1 and is %2", json::decimal(*step.claimed),
                       json::decimal(latency)));
        return latency;
    }

    static bool is_order(std::vector<int> order, std::int64_t tiles) {
        if (static_cast<std::int64_t>(order.size()) != tiles) return false;
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size(); ++i)
            if (order[i] != static_cast<int>(i)) return false;
        return true;
    }

    const ContestProblem& problem_;
    const ContestSchedule& schedule_;
    std::vector<bool> done_;  // by operator
    std::vector<bool> slow_;  // by tensor: lies in the slow memory
    std::set<int> resident_;  // in the fast memory between two steps
    int step_ = 0;
    ContestCost cost_;
};

}  // namespace

std::string to_string(const ContestViolation& violation) {
    if (violation.step == 0) return violation.why.str();
    return "step " + std::to_string(violation.step) + ": " + violation.why.str();
}

double ContestCost::total() const {
    return std::accumulate(steps.begin(), steps.end(), 0.0);
}

ContestCost contest_cost(const ContestProblem& problem, const ContestSchedule& schedule) {
    return Evaluation(problem, schedule).run();
}

}  // namespace blockscope::plan
