#include "core/measure/sampling.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "core/support/result.h"

namespace blockscope::measure {

namespace {

double quantile(const std::vector<double>& sorted, double p) {
    const double at = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 >= sorted.size()) return sorted.back();
    const double part = at - static_cast<double>(below);
    return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

// log of the probability of `k` heads in `count` throws.
double log_binomial(int count, int k) {
    return std::lgamma(count + 1.0) - std::lgamma(k + 1.0) - std::lgamma(count - k + 1.0) -
           count * std::log(2.0);
}

}  // namespace

double median_coverage(int count, int k) {
    // The median lies outside if fewer than k samples are below it, or fewer than k above it.
    double tail = 0;
    for (int i = 0; i < k; ++i) tail += std::exp(log_binomial(count, i));
    return 1 - 2 * tail;
}

int median_rank(int count, double coverage) {
    double tail = 0;
    int k = 0;
    while (2 * k < count) {
        tail += std::exp(log_binomial(count, k));
        if (1 - 2 * tail < coverage) break;
        ++k;
    }
    return k;
}

Summary summarize(std::vector<double> samples) {
    if (samples.empty()) throw InternalError("a summary of no samples");
    std::sort(samples.begin(), samples.end());
    Summary summary;
    summary.count = static_cast<int>(samples.size());
    summary.min = samples.front();
    summary.max = samples.back();
    summary.q1 = quantile(samples, 0.25);
    summary.median = quantile(samples, 0.5);
    summary.q3 = quantile(samples, 0.75);
    const int rank = std::max(1, median_rank(summary.count));
    const auto k = static_cast<std::size_t>(rank);
    summary.interval = {samples[k - 1], samples[samples.size() - k]};
    summary.coverage = std::min(kCoverage, std::max(0.0, median_coverage(summary.count, rank)));
    return summary;
}

Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) throw InternalError("paired samples of different number");
    std::vector<double> ratios(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) ratios[i] = a[i] / b[i];
    const Summary summary = summarize(std::move(ratios));
    return {summary.median, summary.interval, summary.coverage, summary.count};
}

namespace {

constexpr int kMostSamples = 1'000'000;  // of very short programs: what fits memory in any case
// A plan is extended to so many times itself while the clock is low, and one in so many samples has to count.
constexpr int kPatience = 4;

// Runs both (or one) in turn; the bookkeeping of the plan.
class Sampler {
public:
    Sampler(const SamplingPlan& plan, std::vector<const Sampled*> what)
        : plan_(plan), what_(std::move(what)), taken_(what_.size()) {}

    std::optional<Failure> warm_up() {
        const double start = now();
        for (int runs = 0; runs < plan_.warmup_runs || now() - start < plan_.warmup_seconds; ++runs) {
            for (const Sampled* each : what_) {
                const Outcome<double> seconds = each->run();
                if (!seconds) return seconds.failure();
                if (!go_on()) return cancelled();
            }
            if (runs > 0 && now() - start > plan_.cap_seconds / 4) break;  // very long runs
        }
        return std::nullopt;
    }

    std::optional<Failure> take_all() {
        start_ = now();
        while (!enough()) {
            if (rounds() > 0 && now() - start_ >= plan_.cap_seconds) {
                course_.capped = true;
                break;
            }
            if (auto failure = take_round()) return failure;
        }
        finish();
        return std::nullopt;
    }

    std::vector<double> taken(std::size_t i) { return std::move(taken_[i]); }
    const Course& course() const { return course_; }

private:
    // A sample of each; counted or not, as the lowest of their clocks says.
    int rounds() const { return static_cast<int>(clocks_.size()); }
    double now() const { return what_.front()->now(); }

    bool enough() const {
        if (rounds() >= kMostSamples) return true;
        const double seconds = now() - start_;
        if (counted_ >= plan_.samples && seconds >= plan_.seconds) return true;
        return rounds() >= kPatience * plan_.samples && seconds >= kPatience * plan_.seconds;
    }

    std::optional<Failure> take_round() {
        double lowest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < what_.size(); ++i) {
            if (auto failure = take(i, lowest)) return failure;
            if (i + 1 < what_.size() && !go_on()) return cancelled();
        }
        count(lowest);
        return go_on() ? std::nullopt : std::optional(cancelled());
    }

    std::optional<Failure> take(std::size_t i, double& lowest) {
        const Sampled& each = *what_[i];
        if (each.before)
            if (auto failure = each.before()) return failure;
        const Outcome<double> seconds = each.run();
        if (!seconds) return seconds.failure();
        taken_[i].push_back(*seconds);
        Clock clock;
        if (each.clock) {
            const Outcome<Clock> found = each.clock();
            if (!found) return found.failure();
            clock = *found;
        }
        if (clock.now > 0) lowest = std::min(lowest, clock.now);
        best_ = std::max({best_, clock.now, clock.best});
        return std::nullopt;
    }

    bool counts(double clock) const { return clock >= kLeastClock * best_; }

    // What counted may not do so any more once there was a higher clock.
    void count(double clock) {
        clocks_.push_back(clock);
        if (best_ > counted_by_)
            counted_ = static_cast<int>(
                std::count_if(clocks_.begin(), clocks_.end(), [this](double one) { return counts(one); }));
        else if (counts(clock))
            ++counted_;
        counted_by_ = best_;
    }

    // Leaves those samples that count.
    void finish() {
        course_.slow = counted_ < rounds() / kPatience || counted_ == 0;
        if (!course_.slow) {
            course_.discarded = rounds() - counted_;
            for (std::vector<double>& taken : taken_) {
                std::size_t kept = 0;
                for (std::size_t i = 0; i < taken.size(); ++i)
                    if (counts(clocks_[i])) taken[kept++] = taken[i];
                taken.resize(kept);
            }
            std::erase_if(clocks_, [this](double clock) { return !counts(clock); });
        }
        const auto middle = clocks_.begin() + static_cast<std::ptrdiff_t>(clocks_.size() / 2);
        std::nth_element(clocks_.begin(), middle, clocks_.end());
        if (std::isfinite(*middle)) course_.clock_hz = *middle;
    }

    // How many samples there will be, as far as one can tell now.
    int expected() const {
        if (rounds() == 0) return plan_.samples;
        const double each = (now() - start_) / rounds();
        const double by_time = each > 0 ? plan_.seconds / each : 0;
        const double by_cap = each > 0 ? plan_.cap_seconds / each : kMostSamples;
        const double count = std::min(std::max<double>(plan_.samples, by_time), by_cap);
        return std::max(counted_, static_cast<int>(std::min<double>(count, kMostSamples)));
    }

    bool go_on() const {
        const Sampled& first = *what_.front();
        return !first.progress || first.progress(counted_, expected());
    }

    static Failure cancelled() {
        return {FailureClass::Cancelled, Text("The measurement was cancelled."), {}};
    }

    const SamplingPlan& plan_;
    std::vector<const Sampled*> what_;
    std::vector<std::vector<double>> taken_;
    std::vector<double> clocks_;  // of each round, the lowest; infinite: not known
    double best_ = 0;             // clock
    double counted_by_ = 0;       // the best clock when they were counted
    int counted_ = 0;             // rounds whose clock is not too low
    double start_ = 0;
    Course course_;
};

}  // namespace

Outcome<Samples> sample(const SamplingPlan& plan, const Sampled& what) {
    Sampler sampler(plan, {&what});
    if (const auto failure = sampler.warm_up()) return *failure;
    if (const auto failure = sampler.take_all()) return *failure;
    return Samples{sampler.taken(0), sampler.course()};
}

Outcome<PairedSamples> sample_pairs(const SamplingPlan& plan, const Sampled& a, const Sampled& b) {
    Sampler sampler(plan, {&a, &b});
    if (const auto failure = sampler.warm_up()) return *failure;
    if (const auto failure = sampler.take_all()) return *failure;
    return PairedSamples{sampler.taken(0), sampler.taken(1), sampler.course()};
}

double cores_of_others(const CpuTimes& before, const CpuTimes& after) {
    const double seconds = after.now - before.now;
    if (seconds <= 0) return 0;
    return std::max(0.0, (after.busy - before.busy - (after.own - before.own)) / seconds);
}

bool disturbed(const Conditions& after) {
    return after.others.value_or(0) > kBusyCores;
}

Text distrust(double cores_of_others) {
    char cores[16];
    std::snprintf(cores, sizeof cores, "%.1f", cores_of_others);
    return Text("Others kept %1 processors busy meanwhile: these figures are not to be trusted.",
                std::string(cores));
}

Outcome<Calm> wait_for_calm(const Watch& watch, double most) {
    Calm calm;
    std::optional<CpuTimes> before = watch.times();
    if (!before) return calm;
    const double start = before->now;
    do {
        if (!watch.go_on(calm.waited, most))
            return Failure{FailureClass::Cancelled, Text("The measurement was cancelled."), {}};
        watch.pause();
        const std::optional<CpuTimes> after = watch.times();
        if (!after) return calm;
        calm.others = cores_of_others(*before, *after);
        calm.waited = after->now - start;
        before = after;
    } while (calm.busy() && calm.waited < most);
    return calm;
}

namespace {

constexpr int kFirstLook = 6;        // rounds: fewer have no interval of 95%
constexpr double kLongRun = 0.02;    // seconds: caches hold little of what so long a run begins with
constexpr int kMostDiscarded = 3;    // rounds with too low a clock, in plans
constexpr int kMostRounds = 100000;  // of very short programs

// One race while it runs.
class Running {
public:
    Running(const SamplingPlan& plan, const std::vector<Sampled>& what)
        : plan_(plan), what_(what), race_{std::vector<Lane>(what.size()), {}} {}

    Outcome<Race> run() {
        if (!warm_up()) return cancelled();
        start_ = now();
        while (!over()) {
            if (!round()) return cancelled();
            drop_the_slow();
        }
        if (!clocks_.empty()) {
            const auto middle = clocks_.begin() + static_cast<std::ptrdiff_t>(clocks_.size() / 2);
            std::nth_element(clocks_.begin(), middle, clocks_.end());
            race_.course.clock_hz = *middle;
        }
        return std::move(race_);
    }

private:
    double now() const { return what_.front().now(); }

    std::vector<std::size_t> left() const {
        std::vector<std::size_t> lanes;
        for (std::size_t i = 0; i < race_.lanes.size(); ++i)
            if (race_.lanes[i].stayed) lanes.push_back(i);
        return lanes;
    }

    bool over() {
        const std::size_t lanes = left().size();
        if (lanes == 0 || rounds_ >= kMostRounds) return true;
        const double seconds = now() - start_;
        if (rounds_ > 0 && seconds >= plan_.cap_seconds) return race_.course.capped = true;
        if (rounds_ >= plan_.samples && seconds >= plan_.seconds) return true;
        return lanes == 1 && what_.size() > 1 && rounds_ >= kFirstLook;
    }

    // False: cancelled.
    bool warm_up() {
        const double start = now();
        for (int runs = 0; runs < plan_.warmup_runs; ++runs) {
            for (const std::size_t lane : left()) {
                take(lane);
                if (!go_on()) return false;
            }
            if (now() - start > plan_.cap_seconds / 4) break;  // very long runs
        }
        return true;
    }

    // The seconds of a run; a failure ends its lane.
    std::optional<double> take(std::size_t lane) {
        const Outcome<double> seconds = what_[lane].run();
        if (seconds) return *seconds;
        race_.lanes[lane].stayed = false;
        race_.lanes[lane].failure = seconds.failure();
        return std::nullopt;
    }

    bool round() {
        std::vector<std::size_t> order = left();
        if (rounds_ % 2 == 1) std::reverse(order.begin(), order.end());
        std::vector<std::pair<std::size_t, double>> taken;
        double clock = std::numeric_limits<double>::infinity();
        for (const std::size_t lane : order) {
            const std::vector<double>& before = race_.lanes[lane].seconds;
            if ((before.empty() || before.back() < kLongRun) && !take(lane)) continue;
            if (const std::optional<double> seconds = take(lane)) taken.emplace_back(lane, *seconds);
            clock = std::min(clock, clock_of(lane));
            if (!go_on()) return false;
        }
        const bool low = clock < kLeastClock * best_clock_;
        if (low && race_.course.discarded < kMostDiscarded * plan_.samples) {
            ++race_.course.discarded;
            return true;
        }
        race_.course.slow = race_.course.slow || low;
        for (const auto& [lane, seconds] : taken) race_.lanes[lane].seconds.push_back(seconds);
        if (clock < std::numeric_limits<double>::infinity()) clocks_.push_back(clock);
        ++rounds_;
        return true;
    }

    // Infinite: not known.
    double clock_of(std::size_t lane) {
        if (!what_[lane].clock) return std::numeric_limits<double>::infinity();
        const Outcome<Clock> clock = what_[lane].clock();
        if (!clock || clock->now <= 0) return std::numeric_limits<double>::infinity();
        best_clock_ = std::max({best_clock_, clock->now, clock->best});
        return clock->now;
    }

    void drop_the_slow() {
        if (rounds_ < kFirstLook) return;
        const std::optional<Standing> now = standing(race_.lanes);
        if (!now) return;
        for (std::size_t i = 0; i < race_.lanes.size(); ++i)
            if (i != now->best && now->over_best[i].interval.low > kClearlySlower)
                race_.lanes[i].stayed = false;
    }

    bool go_on() const {
        const Sampled& first = what_.front();
        return !first.progress || first.progress(rounds_, std::max(rounds_, plan_.samples));
    }

    static Failure cancelled() {
        return {FailureClass::Cancelled, Text("The measurement was cancelled."), {}};
    }

    const SamplingPlan& plan_;
    const std::vector<Sampled>& what_;
    Race race_;
    std::vector<double> clocks_;  // of each round, the lowest
    double best_clock_ = 0;
    double start_ = 0;
    int rounds_ = 0;
};

}  // namespace

Outcome<Race> race(const SamplingPlan& plan, const std::vector<Sampled>& what) {
    return Running(plan, what).run();
}

std::optional<Standing> standing(const std::vector<Lane>& lanes) {
    std::optional<std::size_t> best;
    double least = 0;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].seconds.empty() || !lanes[i].stayed) continue;
        const double median = summarize(lanes[i].seconds).median;
        if (best && median >= least) continue;
        best = i;
        least = median;
    }
    if (!best) return std::nullopt;
    Standing result{*best, std::vector<Ratio>(lanes.size()), {}};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const std::vector<double>& own = lanes[i].seconds;
        if (own.empty() || i == *best) continue;
        const std::vector<double>& other = lanes[*best].seconds;
        const std::size_t rounds = std::min(own.size(), other.size());
        const auto first = [rounds](const std::vector<double>& all) {
            return std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rounds));
        };
        result.over_best[i] = paired_ratio(first(own), first(other));
        if (lanes[i].stayed && result.over_best[i].tie()) result.ties.push_back(i);
    }
    return result;
}

}  // namespace blockscope::measure
