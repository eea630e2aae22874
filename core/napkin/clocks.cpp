#include "core/napkin/clocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/json/device_files.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

// The rate of a matrix product is that of its wider operand.
ElemType wider(const Expansion& expansion, const Configuration& configuration,
               const std::vector<std::string>& operands) {
    ElemType widest = ElemType::E4M3;
    for (const Variable& variable : expansion.variables) {
        if (std::find(operands.begin(), operands.end(), variable.name) == operands.end()) continue;
        const ElemType elem = configuration.elem(variable);
        if (bytes_per_element(elem) > bytes_per_element(widest)) widest = elem;
    }
    return widest;
}

double clock_of_matrices(const Device& device) {
    return (device.matrix_clock.known() ? device.matrix_clock : device.clock).value;
}

}  // namespace

double ClockAnalysis::of(Unit unit) const {
    double sum = 0;
    for (const PipelineWork& work : pipelines)
        if (work.unit == unit) sum += work.clocks();
    return sum;
}

double ClockAnalysis::bound() const {
    return of(Unit::Matrix);
}

Result<ClockAnalysis> clock_analysis(const Expansion& expansion, const Configuration& configuration,
                                     const Device& device) {
    ClockAnalysis result;
    for (const Expansion::Operation& operation : expansion.operations) {
        PipelineWork work{.operation = operation.name,
                          .unit = operation.unit,
                          .elem = ElemType::F16,
                          .ops = operation.per_thread,
                          .count = 0,
                          .rate = 0};
        if (operation.unit == Unit::Matrix) work.elem = wider(expansion, configuration, operation.operands);
        work.count = work.ops.value(configuration.sizes);
        work.rate = rate_per_clock(device, work.unit, work.elem);
        if (work.rate <= 0) return Problem{{}, Text("%1 has no rate for %2", device.name, operation.name)};
        if (operation.unit == Unit::Matrix) result.operations += work.count;
        result.pipelines.push_back(std::move(work));
    }
    const auto at = [&](const std::string& symbol) { return configuration.sizes.at(symbol); };
    for (const Variable& variable : expansion.variables) {
        if (!variable.doubled) continue;
        // All of the inner stream comes in for every part of the outer one.
        const double times = variable.inner ? at(expansion.inner) / at("s_" + expansion.inner) : 1;
        const double bytes = times * bytes_of(variable, configuration) / 2;
        if (variable.per_warpgroup)
            result.thread_bytes += bytes / (at("w_" + expansion.rows) / at("t_" + expansion.rows));
        else
            result.bytes += bytes;
    }
    return result;
}

double least_threads(const ClockAnalysis& analysis, const Device& device) {
    const double bandwidth = global_memory(device).bandwidth.value / device.processors.value;
    const double clocks_of_a_byte = clock_of_matrices(device) / bandwidth;
    const double left = analysis.bound() - analysis.thread_bytes * clocks_of_a_byte;
    return left > 0 ? analysis.bytes * clocks_of_a_byte / left : 0;
}

double ideal_rate(const ClockAnalysis& analysis, const Device& device) {
    return analysis.operations / analysis.bound() * clock_of_matrices(device) * device.processors.value;
}

namespace {

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
        best = Candidate{{.lane = lane,
                          .iteration = iteration,
                          .task = t,
                          .start = start,
                          .worked = start + task(t).clocks,
                          .end = start + task(t).duration()},
                         *operands};
    }

    void take(const Candidate& chosen) {
        const ScheduledTask& one = chosen.task;
        end(one.lane, one.iteration, one.task) = one.end;
        pipes_[task(one.task).unit] = one.end;
        if (task(one.task).unit != Unit::Matrix) threads_[at(one.lane)] = one.end;
        if (one.start > chosen.ready)
            result_.barriers.push_back({.at = one.start,
                                        .lane = one.lane,
                                        .iteration = one.iteration,
                                        .task = one.task,
                                        .waited = one.start - chosen.ready});
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
        tasks.push_back({work.operation.str(), work.unit, work.clocks(), overhead});
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

namespace {

using json::Array;
using json::Object;

json::Value clock_value(double value) {
    return json::Value(value);
}

}  // namespace

json::Value to_json(const Schedule& schedule) {
    Array tasks, scheduled, barriers;
    for (const LaneTask& task : schedule.tasks)
        tasks.push_back(
            json::Value(Object{{"name", task.name},
                               {"unit", json::unit_names().at(static_cast<std::size_t>(task.unit))},
                               {"clocks", clock_value(task.clocks)},
                               {"overhead", clock_value(task.overhead)}}));
    for (const ScheduledTask& task : schedule.scheduled)
        scheduled.push_back(json::Value(Object{{"lane", task.lane},
                                               {"iteration", task.iteration},
                                               {"task", task.task},
                                               {"start", clock_value(task.start)},
                                               {"worked", clock_value(task.worked)},
                                               {"end", clock_value(task.end)}}));
    for (const Barrier& barrier : schedule.barriers)
        barriers.push_back(json::Value(Object{{"lane", barrier.lane},
                                              {"iteration", barrier.iteration},
                                              {"task", barrier.task},
                                              {"at", clock_value(barrier.at)},
                                              {"waited", clock_value(barrier.waited)}}));
    return json::Value(Object{{"format", "blockscope clocks"},
                              {"version", 1},
                              {"lanes", schedule.lanes},
                              {"period", clock_value(schedule.period)},
                              {"tasks", json::Value(std::move(tasks))},
                              {"scheduled", json::Value(std::move(scheduled))},
                              {"barriers", json::Value(std::move(barriers))}});
}

namespace {

// The two rows of threads, as processes of the trace.
constexpr int kWarpgroups = 1, kUnits = 2;

json::Value named(const char* what, int process, int thread, const std::string& name) {
    return json::Value(Object{{"name", what},
                              {"ph", "M"},
                              {"pid", process},
                              {"tid", thread},
                              {"args", json::Value(Object{{"name", name}})}});
}

json::Value lasting(const std::string& name, int process, int thread, double start, double end, Object more) {
    constexpr double kClocksPerMicrosecond = 1000;  // as they are shown: the format counts in microseconds
    return json::Value(Object{{"name", name},
                              {"ph", "X"},
                              {"pid", process},
                              {"tid", thread},
                              {"ts", start / kClocksPerMicrosecond},
                              {"dur", (end - start) / kClocksPerMicrosecond},
                              {"args", json::Value(std::move(more))}});
}

}  // namespace

json::Value to_trace_events(const Schedule& schedule, const std::string& title) {
    const std::vector<std::string>& units = json::unit_names();
    Array events = {named("process_name", kWarpgroups, 0, title + ": warpgroups, 1 ns is a clock"),
                    named("process_name", kUnits, 0, title + ": units, 1 ns is a clock")};
    // What a warpgroup has on its units at one time overlaps, so each of them is a thread.
    const auto thread_of = [&](int lane, std::size_t unit) {
        return lane * static_cast<int>(units.size()) + static_cast<int>(unit) + 1;
    };
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
        events.push_back(named("thread_name", kUnits, thread_of(0, unit), units[unit]));
        for (int lane = 0; lane < schedule.lanes; ++lane)
            events.push_back(named("thread_name", kWarpgroups, thread_of(lane, unit),
                                   "warpgroup " + std::to_string(lane + 1) + ", " + units[unit]));
    }
    for (const ScheduledTask& at : schedule.scheduled) {
        const LaneTask& task = schedule.tasks.at(static_cast<std::size_t>(at.task));
        const auto unit = static_cast<std::size_t>(task.unit);
        const auto waited =
            std::find_if(schedule.barriers.begin(), schedule.barriers.end(), [&](const Barrier& barrier) {
                return barrier.lane == at.lane && barrier.iteration == at.iteration &&
                       barrier.task == at.task;
            });
        events.push_back(
            lasting(task.name, kWarpgroups, thread_of(at.lane, unit), at.start, at.end,
                    {{"unit", units.at(unit)},
                     {"iteration", at.iteration},
                     {"overhead_clocks", at.end - at.worked},
                     {"waited_clocks", waited == schedule.barriers.end() ? 0 : waited->waited}}));
        events.push_back(lasting(task.name, kUnits, thread_of(0, unit), at.start, at.worked,
                                 {{"warpgroup", at.lane + 1}, {"iteration", at.iteration}}));
    }
    return json::Value(Object{{"displayTimeUnit", "ns"}, {"traceEvents", json::Value(std::move(events))}});
}

}  // namespace blockscope::circuit
