// Measured against predicted: every snapshot of every sample at several sizes and block sizes on this
// machine, and how well each time model does, over all and within each set of snapshots. Where float32
// overflows in a program as it stands, its safe forms are measured. --help names the options.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <variant>

#include "app/worker/backends.h"
#include "app/worker/probe.h"
#include "app/worker/serve.h"
#include "core/cost/models/fit.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/safety/safety.h"
#include "tests/bench/machine_speed.h"
#include "tests/bench/model_points.h"
#include "tests/bench/sampled_choices.h"
#include "tests/support/samples.h"

namespace {

using namespace blockscope;
using bench::Point;
using bench::SteadyTime;
using measure::AnswerBody;

constexpr int kFolds = 4;  // parts of the samples that are predicted by a fit to the others
constexpr const char* kFitted = "blockscope, fitted";
constexpr double kQuick = 0.1;  // seconds of samples, under which fewer of them do
constexpr int kTries = 5;       // of a set of snapshots that others disturb

struct Options {
    std::vector<std::int64_t> sizes = {256, 768};
    std::vector<std::int64_t> blocks = {32, 64, 128};
    std::vector<std::string> samples = test::sample_names();
    double seconds = measure::SamplingPlan().seconds;
    bool least = false;  // of each state's samples, instead of the median: on a machine that others use
    std::string csv;
    std::string records;
    std::string device;
    int worst = 0;
    int choices = 0;
};

// What --choices takes, and sizes at which a hundred choices of each take under a minute.
const std::pair<const char*, std::int64_t> kChosen[] = {
    {"attention", 512}, {"gated-mlp", 256}, {"decoder-block", 128}};

void declare(CLI::App& app, Options& options) {
    app.add_option("--sizes", options.sizes, "elements of every axis")
        ->delimiter(',')
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--blocks", options.blocks, "and of a block")
        ->delimiter(',')
        ->check(CLI::Range(1, 1 << 20));
    app.add_option("--samples", options.samples, "names of samples")->delimiter(',');
    app.add_option("--seconds", options.seconds,
                   "of samples per state; under 0.1 s a quicker, rougher report: 9 of them, not 25");
    app.add_flag("--least", options.least, "of each state's samples, not the median: on a busy machine");
    app.add_option("--csv", options.csv, "file for every point");
    app.add_option("--records", options.records, "an earlier --csv, or a results file, instead of measuring");
    app.add_option("--device", options.device, "a calibrated description instead of a calibration now");
    app.add_option("--choices", options.choices,
                   "instead: so many random states and block sizes of attention, gated-mlp and "
                   "decoder-block, and how much slower the predicted best is than the best")
        ->check(CLI::Range(2, 10000));
    app.add_option("--worst", options.worst, "so many points that the fitted model is furthest from");
}

class Report {
public:
    explicit Report(Options options) : options_(std::move(options)) {}

    int run() {
        if (!find_device()) return 1;
        if (options_.choices > 0) return print_choices();
        if (options_.records.empty())
            measure_all();
        else
            points_ = bench::read_points(options_.records);
        for (const Point& point : points_) sets_ = std::max(sets_, point.set);
        predict_all();
        print();
        print_worst();
        if (!options_.csv.empty()) bench::write_points(options_.csv, points_);
        return 0;
    }

private:
    bool find_device() {
        if (!options_.device.empty()) {
            Result<Device> device = read_device_file(options_.device);
            if (!device) std::printf("%s\n", to_string(device.problems()[0]).c_str());
            if (device) device_ = std::move(device).value();
            return static_cast<bool>(device);
        }
        const double before = probe_.seconds();
        const auto calibrated = worker::calibrate_cpu([](const std::string&, int, int) { return true; });
        reference_ = (before + probe_.seconds()) / 2;
        if (!calibrated) std::printf("no calibration: %s\n", calibrated.failure().message.str().c_str());
        if (calibrated) device_ = *calibrated;
        return static_cast<bool>(calibrated);
    }

    int print_choices() {
        std::printf(
            "\nOf %d random states and block sizes the predicted best against the measured best, %s\n",
            options_.choices, device_.title.c_str());
        const auto seconds_of = [&](const ProgramPtr& program, const ArrayProgram& array, double seconds) {
            options_.seconds = seconds;
            const Measured measured = time_of(program, array);
            const SteadyTime* found = std::get_if<SteadyTime>(&measured);
            return found ? std::optional(found->seconds) : std::nullopt;
        };
        for (const auto& [sample, size] : kChosen) {
            const auto found = bench::choice_regret(sample, bench::dims_of(sample, size, size),
                                                    options_.choices, device_, seconds_of);
            if (!found) {
                std::printf("%-14s nothing could be measured\n", sample);
                continue;
            }
            std::printf("%-14s regret %.1f%%  (%zu measured)\n", sample, 100 * found->regret,
                        found->measured);
            for (const auto& [what, one] : {std::pair{"predicted best", &found->predicted_best},
                                            std::pair{"measured best", &found->measured_best}})
                std::printf("  %-15s %s: %.3g ms, predicted %.3g ms\n", what, one->name.c_str(),
                            one->measured * 1e3, one->predicted * 1e3);
        }
        return 0;
    }

    void measure_all() {
        for (const std::string& sample : options_.samples)
            for (const std::int64_t size : options_.sizes)
                for (const std::int64_t block : options_.blocks)
                    if (block <= size) measure_set(sample, bench::dims_of(sample, size, block));
    }

    void measure_set(const std::string& sample, const DimTable& dims) {
        // A sample that is smaller than this has been measured at its own size.
        const std::string sizes = bench::sizes_text(dims);
        if (!seen_.emplace(sample + " " + sizes, true).second) return;
        const bench::Sized sized = bench::sized(sample, dims);
        ++sets_;
        std::vector<Point> points = measure_calmly([&] { return measure_either(sample, sizes, sized); });
        if (!points.empty() && points.front().safe) safe_[sample] += static_cast<int>(points.size());
        points_.insert(points_.end(), points.begin(), points.end());
        std::fprintf(stderr, "\r%zu states of %s ...\033[K", points_.size(), sample.c_str());
    }

    // Once more while others used the machine meanwhile: a second program that computes on two processors
    // doubles the times of a set, and says nothing of a model.
    std::vector<Point> measure_calmly(const std::function<std::vector<Point>()>& measure) {
        for (int left = options_.least ? 1 : kTries; left > 0; --left) {
            const std::map<std::string, int> failures = failures_;
            const std::optional<measure::CpuTimes> before = worker::cpu_times();
            std::vector<Point> points = measure();
            const std::optional<measure::CpuTimes> after = worker::cpu_times();
            if (!before || !after || measure::cores_of_others(*before, *after) <= measure::kBusyCores)
                return points;
            if (left == 1) {
                disturbed_ += options_.least ? 0 : 1;
                return points;
            }
            failures_ = failures;
            std::this_thread::sleep_for(std::chrono::seconds(2));
        }
        return {};
    }

    // The exponentials of some programs overflow float32 as they stand: then all states of the set are
    // measured in their safe forms.
    std::vector<Point> measure_either(const std::string& sample, const std::string& sizes,
                                      const bench::Sized& sized) {
        std::vector<Point> points = measure_forms(sample, sizes, sized, false);
        return wrong_ ? measure_forms(sample, sizes, sized, true) : points;
    }

    // Sets `wrong_`, and measures no more, if a state's result is wrong that has a safe form to be measured.
    std::vector<Point> measure_forms(const std::string& sample, const std::string& sizes,
                                     const bench::Sized& sized, bool safe) {
        wrong_ = false;
        std::vector<Point> points;
        for (int i = 0; const ProgramPtr state = sized.snapshot(i, safe); ++i) {
            const Measured measured = time_of(state, sized.array);
            if (const SteadyTime* time = std::get_if<SteadyTime>(&measured)) {
                points.push_back({.sample = sample,
                                  .set = sets_,
                                  .sizes = sizes,
                                  .snapshot = i,
                                  .safe = safe,
                                  .work = bench::work_of(state),
                                  .measured = time->seconds,
                                  .probe = time->probe});
                times_.push_back(*time);
                continue;
            }
            const measure::FailureClass failure = std::get<measure::Failure>(measured).cls;
            wrong_ =
                failure == measure::FailureClass::Mismatch && !safe && make_safe(*state).exponentials > 0;
            if (wrong_) return {};
            ++failures_[to_string(failure)];
        }
        return points;
    }

    using Measured = std::variant<SteadyTime, measure::Failure>;

    // Median of the samples with warm caches, in seconds.
    Measured time_of(const ProgramPtr& program, const ArrayProgram& array) {
        const auto progress = [](const std::string&, int, int) { return true; };
        const AnswerBody prepared =
            jobs_.answer(measure::PrepareRequest{"cpu", program, array, {}, 1}, progress);
        const auto* ready = std::get_if<measure::PreparedAnswer>(&prepared);
        if (!ready) return std::get<measure::Failure>(prepared);
        Measured result = checked_time(ready->job);
        jobs_.answer(measure::ReleaseRequest{ready->job}, progress);
        return result;
    }

    Measured checked_time(const std::string& job) {
        const auto progress = [](const std::string&, int, int) { return true; };
        const AnswerBody checked = jobs_.answer(measure::CheckRequest{job}, progress);
        if (const auto* failure = std::get_if<measure::Failure>(&checked)) return *failure;
        measure::SamplingPlan plan;  // as everything is measured (docs/measuring.md)
        if (options_.seconds < kQuick) plan = {1, 0.005, 9, options_.seconds, 5};
        plan.seconds = options_.seconds;
        std::optional<measure::Failure> failed;
        const auto timed = [&]() -> std::optional<double> {
            const AnswerBody answer = jobs_.answer(measure::MeasureRequest{job, true, false, plan}, progress);
            if (const auto* failure = std::get_if<measure::Failure>(&answer)) {
                failed = *failure;
                return std::nullopt;
            }
            const measure::Summary& times = std::get<measure::MeasuredAnswer>(answer).warm->summary;
            return options_.least ? times.min : times.median;
        };
        const std::optional<SteadyTime> time = bench::steady_time([this] { return probe_.seconds(); }, timed);
        if (!time) return *failed;
        return *time;
    }

    double median_probe() const {
        std::vector<double> probes;
        for (const Point& point : points_) probes.push_back(point.probe);
        if (probes.empty()) return 0;
        std::sort(probes.begin(), probes.end());
        return probes[probes.size() / 2];
    }

    // At the speed that the machine had when it was calibrated; with a description of before at its median.
    double at_one_speed(const Point& point) const {
        return bench::normalised(point.measured, point.probe, reference_);
    }

    // Blockscope's model as calibrated, and with its parameters fitted to the samples of other folds.
    void predict_all() {
        if (reference_ <= 0) reference_ = median_probe();
        for (Point& point : points_)
            for (const TimeModel& model : time_models())
                point.predicted[model.name] = predict(model, point.work, device_).seconds;
        for (int fold = 0; fold < kFolds; ++fold) {
            std::vector<FitSample> others;
            for (const Point& point : points_)
                if (fold_of(point) != fold) others.push_back({point.work, {}, at_one_speed(point)});
            if (others.empty()) continue;
            const FitResult result = fit(device_, others);
            const Device fitted = with_parameters(device_, result.parameters, {kFitSource, "fitted", ""});
            if (fold == 0 && options_.worst > 0) print_parameters(result);
            for (Point& point : points_)
                if (fold_of(point) == fold) {
                    const Prediction p = predict(*find_time_model("blockscope"), point.work, fitted);
                    point.predicted[kFitted] = p.seconds;
                    if (options_.worst > 0) terms_[&point] = p.terms;
                }
        }
    }
    // By the sample's place in the list, so that it stays the same wherever this runs.
    int fold_of(const Point& point) {
        return folds_.emplace(point.sample, static_cast<int>(folds_.size()) % kFolds).first->second;
    }

    void print_parameters(const FitResult& result) const {
        for (const Parameter& p : result.parameters)
            std::printf("  %-20s %.4g (calibrated or default %.4g)\n", p.name.c_str(), p.figure.value,
                        parameter(device_, p.name, NAN));
    }

    struct Lists {
        std::vector<double> predicted, measured;

        void add(const Point& point, const std::string& model, double seconds) {
            predicted.push_back(point.predicted.at(model));
            measured.push_back(seconds);
        }
    };

    void print() const {
        std::printf("\nPredicted and measured: %zu states in %d sets of snapshots, %s\n", points_.size(),
                    sets_, device_.title.c_str());
        for (const auto& [sample, count] : safe_)
            std::printf("  %s: %d states in their safe forms, as its exponentials overflow float32\n",
                        sample.c_str(), count);
        if (disturbed_ > 0)
            std::printf(
                "  others used the machine while %d sets were measured, in each of %d tries: do not trust "
                "these\n",
                disturbed_, kTries);
        for (const auto& [cls, count] : failures_)
            std::printf("  left out: %d states, %s\n", count, cls.c_str());
        print_drift();
        std::printf("%-22s %8s %9s %8s %9s | within sets: %9s %7s %7s %7s\n", "model", "MAPE", "one speed",
                    "Pearson", "Spearman", "Spearman", "first", "regret", "worst");
        if (points_.empty()) return;
        for (const auto& [model, seconds] : points_.front().predicted) print_model(model);
        std::printf(
            "one speed: MAPE of times brought to the machine's speed at its calibration. "
            "Pearson: of logarithms. first: the fastest snapshot is predicted to be fastest. regret: time "
            "lost by "
            "trusting the model, mean and worst.\n");
        print_sets("blockscope");
        print_sets(kFitted);
    }

    // The machine's speed, which is no model's matter.
    void print_drift() const {
        if (times_.empty()) return;
        const bench::Drift drift = bench::drift_of(times_);
        std::printf("  the probe took %.3g ms (%.3g to %.3g: %.0f%% apart); one speed is %.3g ms\n",
                    drift.median * 1e3, drift.least * 1e3, drift.most * 1e3,
                    100 * (drift.most / drift.least - 1), reference_ * 1e3);
        std::printf(
            "  %d of %zu measurements were made again, as the machine's speed moved by over %.0f%% "
            "meanwhile; "
            "%d moved in each of %d tries\n",
            drift.repeated, times_.size(), 100 * bench::kDrift, drift.unsteady, bench::kSteadyTries);
    }

    // The points of all sets, by set.
    std::map<int, Lists> lists_by_set(const std::string& model) const {
        std::map<int, Lists> sets;
        for (const Point& point : points_) sets[point.set].add(point, model, point.measured);
        return sets;
    }

    // A line for each set of snapshots.
    void print_sets(const std::string& model) const {
        std::map<int, const Point*> named;
        for (const Point& point : points_) named.emplace(point.set, &point);
        std::printf("\nEach set of snapshots, %s\n%7s %9s %7s %3s  set\n", model.c_str(), "MAPE", "Spearman",
                    "regret", "n");
        for (const auto& [set, lists] : lists_by_set(model)) {
            const Agreement each = agreement(lists.predicted, lists.measured);
            const Point& first = *named.at(set);
            std::printf("%6.1f%% %9s %7s %3zu  %s %s\n", 100 * each.error.value_or(0),
                        cell(each.spearman, 1, "").c_str(), cell(each.regret, 100, "%").c_str(), each.count,
                        first.sample.c_str(), first.sizes.c_str());
        }
    }

    // "0.900", "12.3%", or a dash where there is no number: of one snapshot, or of equal times.
    static std::string cell(const std::optional<double>& number, double scale, const char* unit) {
        if (!number) return "-";
        char text[32];
        std::snprintf(text, sizeof text, scale > 1 ? "%.1f%s" : "%.3f%s", scale * *number, unit);
        return text;
    }

    void print_model(const std::string& model) const {
        Lists all, steady;
        for (const Point& point : points_) {
            all.add(point, model, point.measured);
            steady.add(point, model, at_one_speed(point));
        }
        const std::map<int, Lists> sets = lists_by_set(model);
        double spearmen = 0, regrets = 0, worst = 0;
        int ranked = 0, picked = 0, first = 0;
        for (const auto& [set, lists] : sets) {
            const Agreement each = agreement(lists.predicted, lists.measured);
            if (each.spearman) {
                spearmen += *each.spearman;
                ++ranked;
            }
            if (each.count < 2 || !each.regret) continue;
            ++picked;
            first += *each.regret < 0.02 ? 1 : 0;  // 2% are a tie
            regrets += *each.regret;
            worst = std::max(worst, *each.regret);
        }
        const Agreement total = agreement(all.predicted, all.measured);
        const double error = agreement(steady.predicted, steady.measured).error.value_or(0);
        std::printf("%-22s %7.1f%% %8.1f%% %8.3f %9.3f |              %9.3f %6.0f%% %6.1f%% %6.0f%%\n",
                    model.c_str(), 100 * total.error.value_or(0), 100 * error, total.pearson.value_or(0),
                    total.spearman.value_or(0), spearmen / std::max(1, ranked),
                    100.0 * first / std::max(1, picked), 100 * regrets / std::max(1, picked), 100 * worst);
    }

    void print_worst() const {
        std::vector<const Point*> order;
        for (const Point& point : points_) order.push_back(&point);
        const auto off = [](const Point* p) {
            return std::abs(std::log(p->predicted.at(kFitted) / p->measured));
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](const Point* a, const Point* b) { return off(a) > off(b); });
        if (std::ssize(order) > options_.worst) order.resize(static_cast<std::size_t>(options_.worst));
        for (const Point* p : order) {
            std::printf("%s %s snapshot %d%s: measured %.4g ms, predicted %.4g ms (%.2f)", p->sample.c_str(),
                        p->sizes.c_str(), p->snapshot, p->safe ? " (safe)" : "", p->measured * 1e3,
                        p->predicted.at(kFitted) * 1e3, p->predicted.at(kFitted) / p->measured);
            for (const TimeTerm& term : terms_.at(p))
                if (term.seconds > 0.02 * p->measured)
                    std::printf(" %s %.3g", term.name.c_str(), term.seconds * 1e3);
            std::printf("\n");
        }
    }

    Options options_;
    Device device_;
    worker::Jobs jobs_{worker::local_backends(-1)};
    bench::SpeedProbe probe_;
    double reference_ = 0;           // the probe's seconds at the speed that times are compared at
    std::vector<SteadyTime> times_;  // of all states that were measured
    std::vector<Point> points_;
    std::map<std::string, bool> seen_;
    bool wrong_ = false;
    std::map<std::string, int> safe_;  // states measured in their safe forms, by sample
    std::map<std::string, int> failures_;
    std::map<std::string, int> folds_;                     // by sample
    std::map<const Point*, std::vector<TimeTerm>> terms_;  // of the fitted model
    int sets_ = 0, disturbed_ = 0;
};

}  // namespace

int main(int count, char** texts) {
    CLI::App app("Times predicted and measured of every snapshot of every sample on this machine");
    Options options;
    declare(app, options);
    CLI11_PARSE(app, count, texts);
    return Report(options).run();
}
