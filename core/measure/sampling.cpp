#include "core/measure/sampling.h"

#include <algorithm>
#include <cmath>

namespace blockscope::measure {
namespace {

constexpr int kMostSamples = 1'000'000;  // of very short programs: what fits memory in any case

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
            if (done() > 0 && now() - start_ >= plan_.cap_seconds) {
                capped_ = true;
                break;
            }
            for (std::size_t i = 0; i < what_.size(); ++i)
                if (auto failure = take(i)) return failure;
        }
        return std::nullopt;
    }

    std::vector<double> taken(std::size_t i) { return std::move(taken_[i]); }
    bool capped() const { return capped_; }

private:
    int done() const { return static_cast<int>(taken_.back().size()); }
    double now() const { return what_.front()->now(); }

    bool enough() const {
        if (done() >= kMostSamples) return true;
        return done() >= plan_.samples && now() - start_ >= plan_.seconds;
    }

    std::optional<Failure> take(std::size_t i) {
        const Sampled& each = *what_[i];
        if (each.before) each.before();
        const Outcome<double> seconds = each.run();
        if (!seconds) return seconds.failure();
        taken_[i].push_back(*seconds);
        return go_on() ? std::nullopt : std::optional(cancelled());
    }

    // How many samples there will be, as far as one can tell now.
    int expected() const {
        if (done() == 0) return plan_.samples;
        const double each = (now() - start_) / done();
        const double by_time = each > 0 ? plan_.seconds / each : 0;
        const double by_cap = each > 0 ? plan_.cap_seconds / each : kMostSamples;
        const double count = std::min(std::max<double>(plan_.samples, by_time), by_cap);
        return std::max(done(), static_cast<int>(std::min<double>(count, kMostSamples)));
    }

    bool go_on() const {
        const Sampled& first = *what_.front();
        return !first.progress || first.progress(done(), expected());
    }

    static Failure cancelled() { return {FailureClass::Cancelled, "The measurement was cancelled.", {}}; }

    const SamplingPlan& plan_;
    std::vector<const Sampled*> what_;
    std::vector<std::vector<double>> taken_;
    double start_ = 0;
    bool capped_ = false;
};

}  // namespace

Outcome<Samples> sample(const SamplingPlan& plan, const Sampled& what) {
    Sampler sampler(plan, {&what});
    if (const auto failure = sampler.warm_up()) return *failure;
    if (const auto failure = sampler.take_all()) return *failure;
    return Samples{sampler.taken(0), sampler.capped()};
}

Outcome<PairedSamples> sample_pairs(const SamplingPlan& plan, const Sampled& a, const Sampled& b) {
    Sampler sampler(plan, {&a, &b});
    if (const auto failure = sampler.warm_up()) return *failure;
    if (const auto failure = sampler.take_all()) return *failure;
    return PairedSamples{sampler.taken(0), sampler.taken(1), sampler.capped()};
}

}  // namespace blockscope::measure
