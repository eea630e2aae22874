#include "core/measure/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace blockscope::measure {
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

}  // namespace blockscope::measure
