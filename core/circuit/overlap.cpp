#include "core/circuit/overlap.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

class Scheduler {
public:
    Scheduler(const std::vector<LaneTask>& tasks, int lanes, Overlap overlap, int iterations)
        : overlap_(overlap), iterations_(iterations), count_(static_cast<int>(tasks.size())) {
        result_.tasks = tasks;
        result_.lanes = lanes;
        ends_.assign(at(lanes * iterations * count_), -1);
        threads_.assign(at(lanes), 0);
        for (int t = 0; t < count_; ++t) {
            if (tasks[at(t)].unit == Unit::Matrix) last_matrix_ = t;
            if (tasks[at(t)].unit != Unit::Matrix && early_ == count_none) early_ = t;
        }
        if (early_ == count_none) early_ = count_;
    }

    Schedule run() {
        for (std::size_t left = ends_.size(); left > 0; --left) next();
        std::stable_sort(result_.scheduled.begin(), result_.scheduled.end(),
                         [](const ScheduledTask& a, const ScheduledTask& b) { return a.start < b.start; });
        steady();
        return std::move(result_);
    }

private:
    static constexpr int count_none = -1;

    struct Candidate {
        ScheduledTask task;
        double ready = 0;  // operands
    };

    double& end(int lane, int iteration, int task) {
        return ends_[at((lane * iterations_ + iteration) * count_ + task)];
    }
    const LaneTask& task(int t) const { return result_.tasks[at(t)]; }

    // When all that a task needs is done; empty if some of it is not even scheduled.
    std::optional<double> ready(int lane, int iteration, int t) {
        double latest = 0;
        bool known = true;
        const auto after = [&](int i, int other) {
            if (i < 0 || i >= iterations_ || other < 0) return;
            const double done = end(lane, i, other);
            known = known && done >= 0;
            latest = std::max(latest, done);
        };
        if (t > 0) after(iteration, t - 1);
        after(iteration - 1, t);
        if (overlap_ == Overlap::Inter) {
            if (t == 0) after(iteration - 1, last_matrix_);
        } else {
            // The next first product goes out when this iteration's threads are done and its predecessor's
            // last product is; the last product of an iteration queues behind it.
            if (t == 0) {
                after(iteration - 1, early_ < count_ ? early_ : count_ - 1);
                after(iteration - 2, last_matrix_);
            }
            if (t >= early_ && task(t).unit == Unit::Matrix) known = known && issued(lane, iteration + 1);
        }
        return known ? std::optional<double>(latest) : std::nullopt;
    }

    bool issued(int lane, int iteration) { return iteration >= iterations_ || end(lane, iteration, 0) >= 0; }

    void next() {
        std::optional<Candidate> best;
        // No warpgroup runs more than two iterations ahead of the slowest.
        for (int iteration = open_; iteration < std::min(iterations_, open_ + 3); ++iteration)
            for (int lane = 0; lane < result_.lanes; ++lane)
                for (int t = 0; t < count_; ++t) consider(lane, iteration, t, best);
        if (!best) throw InternalError("a schedule whose tasks wait for each other");
        take(*best);
    }

    void consider(int lane, int iteration, int t, std::optional<Candidate>& best) {
        if (end(lane, iteration, t) >= 0) return;
        const std::optional<double> operands = ready(lane, iteration, t);
        if (!operands) return;
        double start = std::max(*operands, pipes_[task(t).unit]);
        if (task(t).unit != Unit::Matrix) start = std::max(start, threads_[at(lane)]);
        if (best && best->task.start <= start) return;
        best = Candidate{{lane, iteration, t, start, start + task(t).clocks, start + task(t).duration()},
                         *operands};
    }

    void take(const Candidate& chosen) {
        const ScheduledTask& one = chosen.task;
        end(one.lane, one.iteration, one.task) = one.end;
        pipes_[task(one.task).unit] = one.end;
        if (task(one.task).unit != Unit::Matrix) threads_[at(one.lane)] = one.end;
        if (one.start > chosen.ready)
            result_.barriers.push_back(
                {one.start, one.lane, one.iteration, one.task, one.start - chosen.ready});
        result_.scheduled.push_back(one);
        while (open_ < iterations_ && complete(open_)) ++open_;
    }

    bool complete(int iteration) {
        for (int lane = 0; lane < result_.lanes; ++lane)
            for (int t = 0; t < count_; ++t)
                if (end(lane, iteration, t) < 0) return false;
        return true;
    }

    // From the end of one iteration of all lanes to that of a later one, away from both ends.
    void steady() {
        const auto done = [&](int iteration) {
            double latest = 0;
            for (int lane = 0; lane < result_.lanes; ++lane)
                latest = std::max(latest, end(lane, iteration, count_ - 1));
            return latest;
        };
        const int from = iterations_ / 4;
        const int to = iterations_ - 1 - iterations_ / 4;
        if (to > from) result_.period = (done(to) - done(from)) / (to - from);
        // Ends waver from iteration to iteration; no pipeline does more than work all the time.
        for (const Unit unit : {Unit::Matrix, Unit::Vector, Unit::Special}) {
            double busy = 0;
            for (const LaneTask& one : result_.tasks)
                if (one.unit == unit) busy += one.duration();
            result_.period = std::max(result_.period, result_.lanes * busy);
        }
    }

    Schedule result_;
    Overlap overlap_;
    int iterations_;
    int count_;
    int last_matrix_ = 0;
    int open_ = 0;              // the first iteration that is not all scheduled
    int early_ = count_none;    // the first task that is not on the tensor cores
    std::vector<double> ends_;  // -1 before it is scheduled
    std::map<Unit, double> pipes_;
    std::vector<double> threads_;  // by lane: when its threads are free
};

}  // namespace

double Schedule::busy(Unit unit) const {
    double work = 0;
    for (const LaneTask& task : tasks)
        if (task.unit == unit) work += task.clocks;
    return period > 0 ? work * lanes / period : 0;
}

Schedule schedule(const std::vector<LaneTask>& tasks, int lanes, Overlap overlap, int iterations) {
    if (tasks.empty() || lanes < 1 || iterations < 1) throw InternalError("a schedule of nothing");
    return Scheduler(tasks, lanes, overlap, iterations).run();
}

std::vector<LaneTask> lane_tasks(const ClockAnalysis& analysis, double special_overhead,
                                 double vector_overhead) {
    std::vector<LaneTask> tasks;
    for (const PipelineWork& work : analysis.pipelines) {
        const double overhead = work.unit == Unit::Special  ? special_overhead
                                : work.unit == Unit::Vector ? vector_overhead
                                                            : 0;
        tasks.push_back({work.operation, work.unit, work.clocks(), overhead});
    }
    return tasks;
}

double allowance(std::vector<LaneTask> tasks, Unit unit, int lanes, Overlap overlap, double most) {
    constexpr int iterations = 96;
    const auto period = [&](double overhead) {
        for (LaneTask& task : tasks)
            if (task.unit == unit) task.overhead = overhead;
        return schedule(tasks, lanes, overlap, iterations).period;
    };
    const double limit = period(0) * (1 + 1e-9);
    double low = 0;
    double high = most;
    if (period(high) <= limit) return high;
    for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (period(middle) <= limit ? low : high) = middle;
    }
    return low;
}

}  // namespace blockscope::circuit
