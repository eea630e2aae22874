// Measured against predicted: every snapshot of every sample at several sizes and block sizes on this
// machine, and how well each time model does, over all and within each set of snapshots. Options: --sizes
// A,B,.. --blocks A,B,..
// --seconds S (per state) --samples NAME,.. --take median|least --csv FILE (every point).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "app/worker/calibrate_cpu.h"
#include "app/worker/jobs.h"
#include "app/worker/serve.h"
#include "core/cost/fit.h"
#include "core/cost/models/model.h"
#include "core/cost/statistics.h"
#include "core/fusion/trace.h"
#include "tests/support/samples.h"

namespace {

using namespace blockscope;
using measure::AnswerBody;

struct Options {
    std::vector<std::int64_t> sizes = {256, 768};
    std::vector<std::int64_t> blocks = {32, 64, 128};
    std::vector<std::string> samples = test::sample_names();
    double seconds = 0.03;
    bool least = false;  // of each state's samples, instead of the median: on a machine that others use
    std::string csv;
};

// One state at one size.
struct Point {
    std::string sample;
    int set = 0;  // snapshots of one program at one size and block size
    std::string sizes;
    int snapshot = 0;
    StateWork work;
    double measured = 0;
    std::map<std::string, double> predicted;  // by model
};

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');) result.push_back(word);
    return result;
}

std::vector<std::int64_t> numbers(const std::string& text) {
    std::vector<std::int64_t> result;
    for (const std::string& word : words(text)) result.push_back(std::max(1L, std::atol(word.c_str())));
    return result;
}

Options parse(int count, char** texts) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = texts[i];
        if (name == "--sizes") options.sizes = numbers(texts[i + 1]);
        if (name == "--blocks") options.blocks = numbers(texts[i + 1]);
        if (name == "--samples") options.samples = words(texts[i + 1]);
        if (name == "--seconds") options.seconds = std::atof(texts[i + 1]);
        if (name == "--take") options.least = std::strcmp(texts[i + 1], "least") == 0;
        if (name == "--csv") options.csv = texts[i + 1];
    }
    return options;
}

// Axes have `size` elements in blocks of `block`, where the sample has as many; batch dimensions at most 4.
DimTable sized(DimTable dims, std::int64_t size, std::int64_t block) {
    for (Dim& dim : dims) {
        dim.size = std::min(dim.size, dim.kind == DimKind::Blocked ? size : 4);
        dim.block = dim.kind == DimKind::Blocked ? std::min(dim.size, block) : 1;
    }
    return dims;
}

class Report {
public:
    explicit Report(Options options) : options_(std::move(options)) {}

    int run() {
        const auto calibrated = worker::calibrate_cpu([](const std::string&, int, int) { return true; });
        if (!calibrated) {
            std::printf("no calibration: %s\n", calibrated.failure().message.c_str());
            return 1;
        }
        device_ = *calibrated;
        for (const std::string& sample : options_.samples)
            for (const std::int64_t size : options_.sizes)
                for (const std::int64_t block : options_.blocks)
                    if (block <= size) measure_set(sample, size, block);
        predict_all();
        print();
        if (!options_.csv.empty()) write_csv();
        return 0;
    }

private:
    void measure_set(const std::string& sample, std::int64_t size, std::int64_t block) {
        ArrayProgram array = test::read_sample(sample);
        BlockProgram blocks = *test::block_sample(sample);
        array.dims = blocks.dims = sized(blocks.dims, size, block);
        // A sample that is smaller than this has been measured at its own size.
        std::string sizes;
        for (const Dim& dim : blocks.dims)
            sizes += dim.name + "=" + std::to_string(dim.size) + "/" + std::to_string(dim.block) + " ";
        if (!seen_.emplace(sample + sizes, true).second) return;
        const Trace trace = fuse(std::make_shared<const BlockProgram>(blocks));
        ++sets_;
        for (std::size_t i = 0; i <= trace.snapshots.size(); ++i) {
            const int step = i == 0 ? 0 : trace.snapshots[i - 1];
            const double seconds = measured(trace.state(step), array);
            if (seconds > 0)
                points_.push_back({sample,
                                   sets_,
                                   sizes,
                                   static_cast<int>(i),
                                   state_work(lower(*trace.state(step)), {ElemType::F32, ElemType::F32}),
                                   seconds,
                                   {}});
        }
        std::fprintf(stderr, "\r%zu states of %s ...\033[K", points_.size(), sample.c_str());
    }

    // Median of the samples with warm caches; 0 if the program fails or is wrong, which is counted.
    double measured(const ProgramPtr& program, const ArrayProgram& array) {
        const auto progress = [](const std::string&, int, int) { return true; };
        measure::SamplingPlan plan{1, 0.005, 9, options_.seconds, 5};
        const AnswerBody prepared =
            jobs_.answer(measure::PrepareRequest{"cpu", program, array, {}, 1}, progress);
        const auto* ready = std::get_if<measure::PreparedAnswer>(&prepared);
        if (!ready) return failed(prepared);
        const AnswerBody checked = jobs_.answer(measure::CheckRequest{ready->job}, progress);
        double seconds = 0;
        if (!std::holds_alternative<measure::CheckedAnswer>(checked)) {
            failed(checked);
        } else {
            const AnswerBody answer =
                jobs_.answer(measure::MeasureRequest{ready->job, true, false, plan}, progress);
            if (const auto* result = std::get_if<measure::MeasuredAnswer>(&answer))
                seconds = options_.least ? result->warm->summary.min : result->warm->summary.median;
        }
        jobs_.answer(measure::ReleaseRequest{ready->job}, progress);
        return seconds;
    }

    double failed(const AnswerBody& answer) {
        if (const auto* failure = std::get_if<measure::Failure>(&answer))
            ++failures_[to_string(failure->cls)];
        return 0;
    }

    // Blockscope's model as calibrated, and with its parameters fitted to the other half of the samples.
    void predict_all() {
        for (Point& point : points_)
            for (const TimeModel& model : time_models())
                point.predicted[model.name] = predict(model, point.work, device_).seconds;
        for (const int half : {0, 1}) {
            std::vector<FitSample> others;
            for (const Point& point : points_)
                if (half_of(point) != half) others.push_back({point.work, {}, point.measured});
            if (others.empty()) continue;
            const FitResult result = fit(device_, others);
            const Device fitted = with_parameters(device_, result.parameters, {kFitSource, "fitted", ""});
            for (Point& point : points_)
                if (half_of(point) == half)
                    point.predicted["blockscope, fitted"] =
                        predict(*find_time_model("blockscope"), point.work, fitted).seconds;
        }
    }
    static int half_of(const Point& point) {
        return static_cast<int>(std::hash<std::string>()(point.sample) % 2);
    }

    struct Lists {
        std::vector<double> predicted, measured;
    };

    void print() const {
        std::printf("\nPredicted and measured: %zu states in %d sets of snapshots, %s\n", points_.size(),
                    sets_, device_.title.c_str());
        for (const auto& [cls, count] : failures_)
            std::printf("  left out: %d states, %s\n", count, cls.c_str());
        std::printf("%-22s %8s %8s %9s | within sets: %9s %7s %7s %7s\n", "model", "MAPE", "Pearson",
                    "Spearman", "Spearman", "first", "regret", "worst");
        if (points_.empty()) return;
        for (const auto& [model, seconds] : points_.front().predicted) print_model(model);
        std::printf(
            "Pearson: of logarithms. first: the fastest snapshot is predicted to be fastest. regret: time "
            "lost by "
            "trusting the model, mean and worst.\n");
    }

    void print_model(const std::string& model) const {
        Lists all;
        std::map<int, Lists> sets;
        for (const Point& point : points_) {
            const double predicted = point.predicted.at(model);
            for (Lists* lists : {&all, &sets[point.set]}) {
                lists->predicted.push_back(predicted);
                lists->measured.push_back(point.measured);
            }
        }
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
        std::printf("%-22s %7.1f%% %8.3f %9.3f |              %9.3f %6.0f%% %6.1f%% %6.0f%%\n", model.c_str(),
                    100 * total.error.value_or(0), total.pearson.value_or(0), total.spearman.value_or(0),
                    spearmen / std::max(1, ranked), 100.0 * first / std::max(1, picked),
                    100 * regrets / std::max(1, picked), 100 * worst);
    }

    void write_csv() const {
        std::ofstream file(options_.csv);
        file << "sample,sizes,snapshot,measured";
        for (const auto& [model, seconds] : points_.front().predicted) file << ",\"" << model << '"';
        file << '\n';
        for (const Point& point : points_) {
            file << point.sample << ',' << point.sizes << ',' << point.snapshot << ',' << point.measured;
            for (const auto& [model, seconds] : point.predicted) file << ',' << seconds;
            file << '\n';
        }
    }

    Options options_;
    Device device_;
    worker::Jobs jobs_{worker::local_backends(-1)};
    std::vector<Point> points_;
    std::map<std::string, bool> seen_;
    std::map<std::string, int> failures_;
    int sets_ = 0;
};

}  // namespace

int main(int count, char** texts) {
    return Report(parse(count, texts)).run();
}
