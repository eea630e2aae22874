// The best state of a program against what people would use instead on this processor: PyTorch, oneDNN, and
// OpenBLAS with OpenMP. All of them run in turns in one run of this program, every result is checked before
// it is timed, and each timed run follows one of its own.
#include <CLI/CLI.hpp>

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <thread>

#include "app/worker/backends.h"
#include "app/worker/client.h"
#include "app/worker/probe.h"
#include "core/engine/executor.h"
#include "core/engine/micro.h"
#include "core/exec/evaluate.h"
#include "tests/bench/contest.h"
#include "tests/bench/rivals/best_state.h"
#include "tests/bench/rivals/library_row.h"

namespace {

using namespace blockscope;
using namespace blockscope::bench;

struct Options {
    std::string rows = ".*";
    int rounds = 25;
    int threads = 0;
    std::string python = "/usr/bin/python3";
    std::string csv;
};

struct Row {
    std::string sample;
    std::vector<std::pair<std::string, std::int64_t>> sizes;  // of axes; the others keep theirs
    double goal = 1.2;                                        // times PyTorch's speed
};

constexpr double kMaskedGoal = 1.8;  // times the speed of attention without the mask

// Block sizes are the search's; those of the samples are for cards.
const std::vector<Row>& all_rows() {
    static const std::vector<Row> rows = {
        {"attention", {{"M", 2048}, {"N", 2048}}, 3},
        {"causal-attention", {{"H", 1}, {"M", 2048}, {"N", 2048}}, 3},
        {"layernorm-matmul", {{"M", 2048}, {"K", 1024}, {"N", 1024}}},
        {"rmsnorm-swiglu", {{"M", 512}, {"D", 1024}, {"K", 2816}, {"N", 1024}}},
        {"gated-mlp", {{"M", 512}, {"D", 1024}, {"F", 2816}}},
        {"lora", {{"M", 1024}, {"D", 1024}, {"N", 1024}}},
        {"mcfuser-g1", {}},
        {"mcfuser-g2", {}},
        {"mcfuser-g3", {}},
        {"mcfuser-g4", {}},
        {"mcfuser-g5", {}},
        {"mcfuser-g6", {}},
        {"mcfuser-g7", {}},
        {"mcfuser-g8", {}},
        {"mcfuser-g9", {}},
        {"mcfuser-g10", {}},
        {"mcfuser-g11", {}},
        {"mcfuser-g12", {}},
    };
    return rows;
}

// Throws what the process says instead.
class Torch {
public:
    Torch(const std::string& python, int threads, std::string folder) : folder_(std::move(folder)) {
        std::string error;
        process_ = worker::Process::start(
            {"/usr/bin/env", "OMP_PROC_BIND=close", "OMP_PLACES=cores", python,
             BLOCKSCOPE_SOURCE_DIR "/tests/bench/rivals/rivals.py", std::to_string(threads)},
            error);
        if (!process_) throw std::runtime_error(error);
    }

    // Its version.
    std::string load(const std::string& sample, const Tensors<double>& inputs) {
        std::string request = "load " + sample + " " + folder_;
        for (const auto& [name, tensor] : inputs) {
            const std::vector<float> values(tensor.data.begin(), tensor.data.end());
            std::ofstream(folder_ + "/" + name + ".bin", std::ios::binary)
                .write(reinterpret_cast<const char*>(values.data()),
                       static_cast<std::streamsize>(values.size() * sizeof(float)));
            request += " " + name + "=";
            for (std::size_t i = 0; i < tensor.shape.size(); ++i)
                request += (i > 0 ? "x" : "") + std::to_string(tensor.shape[i]);
        }
        return ask(request).substr(3);
    }
    // The seconds of so many runs.
    double run(int count) { return std::stod(ask("run " + std::to_string(count))); }
    Tensor<double> result(const std::vector<std::int64_t>& shape) {
        ask("write");
        std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
        std::ifstream(folder_ + "/result.bin", std::ios::binary)
            .read(reinterpret_cast<char*>(values.data()),
                  static_cast<std::streamsize>(values.size() * sizeof(float)));
        return {shape, std::vector<double>(values.begin(), values.end())};
    }

private:
    std::string ask(const std::string& request) {
        const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        std::string line;
        if (process_->send(request, until, -1) != worker::Process::Sent::All ||
            process_->read_line(line, until, -1) != worker::Process::Wait::Line)
            throw std::runtime_error("PyTorch does not answer: " + process_->errors());
        return line;
    }

    std::optional<worker::Process> process_;
    std::string folder_;
};

struct Contestant {
    std::string name;
    std::function<double(int)> run;  // the seconds of so many runs
    std::vector<double> seconds = {};
};

constexpr std::chrono::milliseconds kRest{10};  // until the threads of whoever ran before have gone to sleep
constexpr double kLeastSample = 0.003;          // seconds

std::function<double(int)> timed(std::function<void()> run) {
    return [run = std::move(run)](int count) {
        const double start = now();
        for (int i = 0; i < count; ++i) run();
        return now() - start;
    };
}

// Operations per second of the fastest product of blocks that this machine does, on all threads.
double peak(int threads) {
    static const double rate = measure_matmul(128, 128, 256, {.threads = threads}).best;
    return rate;
}

// A sample is of so many runs that it takes long enough, and follows as many that do not count.
void take_turn(Contestant& one) {
    std::this_thread::sleep_for(kRest);
    const double once = one.run(1);
    const int count = std::max(1, static_cast<int>(kLeastSample / std::max(once, 1e-6)));
    one.run(count);
    one.seconds.push_back(one.run(count) / count);
}

// Every other round backwards.
void take_rounds(std::vector<Contestant>& contestants, int rounds) {
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < contestants.size(); ++i) {
            take_turn(contestants[round % 2 == 0 ? i : contestants.size() - 1 - i]);
        }
}

// This machine as it was calibrated; else it is, which takes some ten seconds.
Device this_processor() {
    if (auto known = worker::calibrated_cpu(worker::this_machine().cpu)) return *std::move(known);
    auto measured = worker::calibrate_cpu([](const std::string&, int, int) { return true; });
    if (!measured) throw std::runtime_error(measured.failure().message.str());
    return *std::move(measured);
}

class Bench {
public:
    explicit Bench(const Options& options)
        : options_(options),
          threads_(options.threads > 0 ? options.threads : worker::this_machine().cores),
          processor_(this_processor()),
          places_(threads_) {
        folder_ = std::filesystem::temp_directory_path() / ("blockscope-rivals-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        if (!options.csv.empty()) {
            csv_.open(options.csv);
            csv_ << "row,who,median_seconds,least_seconds,ratio,ratio_low,ratio_high,rounds\n";
        }
    }
    ~Bench() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    int threads() const { return threads_; }

    // Whether the goal is met: slower rivals by at least that ratio, the whole interval above 1.
    bool row(const Row& row) {
        const ArrayProgram array = program_of(row);
        const Checked checked(array);
        BestState best = best_state(checked, traced(array), processor_, threads_);
        const EngineArray& output = best.program.outputs().front();

        std::vector<Contestant> contestants = {{"Blockscope", timed([&] { best.program.run(); })}};
        Torch torch(options_.python, threads_, folder_.string());
        const std::string version = torch.load(row.sample, checked.inputs());
        torch.run(1);
        checked.check(version, {{output.name, torch.result(output.shape)}});
        contestants.push_back({version, [&](int count) { return torch.run(count); }});
        std::vector<std::unique_ptr<LibraryRow>> libraries;
        for (const auto& [library, name] :
             {std::pair(Library::OneDnn, "oneDNN"), std::pair(Library::OpenBlas, "OpenBLAS")}) {
            if (!has_library(library)) continue;
            libraries.push_back(
                std::make_unique<LibraryRow>(row.sample, library, checked.inputs(), threads_));
            const LibraryRow* one = libraries.back().get();
            one->run();
            checked.check(name, {{output.name, one->result(output.shape)}});
            contestants.push_back({name, timed([one, this] {
                                       const engine::Pool::Place place(places_);
                                       one->run();
                                   })});
        }
        const auto flops = static_cast<double>(best.program.run_profiled().matmul_flops);
        take_rounds(contestants, options_.rounds);
        return print(row, best.name, contestants, flops);
    }

    // Whether causal attention, half of whose scores nobody needs, is that much faster than attention.
    bool masked_against(const Row& masked, const Row& whole, double goal) {
        const ArrayProgram arrays[] = {program_of(masked), program_of(whole)};
        const Checked checked[] = {Checked(arrays[0]), Checked(arrays[1])};
        BestState best[] = {best_state(checked[0], traced(arrays[0]), processor_, threads_),
                            best_state(checked[1], traced(arrays[1]), processor_, threads_)};
        std::vector<Contestant> contestants = {{masked.sample, timed([&] { best[0].program.run(); })},
                                               {whole.sample, timed([&] { best[1].program.run(); })}};
        take_rounds(contestants, options_.rounds);
        const measure::Ratio ratio = measure::paired_ratio(contestants[1].seconds, contestants[0].seconds);
        const bool met = ratio.median >= goal;
        std::printf("%s against %s of the same sizes, both Blockscope's\n", masked.sample.c_str(),
                    whole.sample.c_str());
        for (int i = 0; i < 2; ++i)
            std::printf("  %-18s %9.3f ms (%s)\n", contestants[i].name.c_str(),
                        measure::summarize(contestants[i].seconds).median * 1e3, best[i].name.c_str());
        std::printf("  %.2f times as long without the mask [%.2f, %.2f]; goal: %.1f: %s\n\n", ratio.median,
                    ratio.interval.low, ratio.interval.high, goal, met ? "met" : "not met");
        std::fflush(stdout);
        return met;
    }

private:
    static ArrayProgram program_of(const Row& row) {
        Sizes sizes;
        for (const Dim& dim : test::read_sample(row.sample).dims) {
            std::int64_t size = dim.size;
            for (const auto& [name, other] : row.sizes)
                if (name == dim.name) size = other;
            sizes.dims[dim.name] = {size,
                                    dim.kind == DimKind::Blocked ? std::min<std::int64_t>(size, 128) : 1};
        }
        return sized_sample(row.sample, sizes);
    }

    // `flops`: of the program's matrix products, which at the machine's peak nothing does faster. The peak is
    // the fastest product of blocks, or this row where that was faster: the clock changes from minute to
    // minute.
    bool print(const Row& row, const std::string& state, const std::vector<Contestant>& contestants,
               double flops) {
        std::string title = row.sample;
        for (const auto& [name, size] : row.sizes) title += " " + name + "=" + std::to_string(size);
        std::printf("%s\n  %s\n", title.c_str(), state.c_str());
        bool met = true;
        const std::vector<double>& own = contestants.front().seconds;
        for (const Contestant& one : contestants) {
            const measure::Summary times = measure::summarize(one.seconds);
            const measure::Ratio ratio = measure::paired_ratio(one.seconds, own);
            std::printf("  %-18s %9.3f ms (least %.3f)", one.name.c_str(), times.median * 1e3,
                        times.min * 1e3);
            if (&one != &contestants.front())
                std::printf("   %.2f times as long [%.2f, %.2f]%s", ratio.median, ratio.interval.low,
                            ratio.interval.high, ratio.tie() ? " tie" : "");
            std::printf("\n");
            if (csv_.is_open())
                csv_ << row.sample << ',' << one.name << ',' << times.median << ',' << times.min << ','
                     << ratio.median << ',' << ratio.interval.low << ',' << ratio.interval.high << ','
                     << times.count << '\n';
            if (&one == &contestants[1]) met = ratio.median >= row.goal;
        }
        double rate = peak(threads_);
        for (const Contestant& one : contestants)
            rate = std::max(rate, flops / measure::summarize(one.seconds).min);
        const double products = flops / rate;
        const double most = measure::summarize(contestants[1].seconds).median / products;
        std::printf(
            "  products alone: %.3f ms at %.0f GFLOP/s; %.2f times PyTorch's speed is the most there is\n",
            products * 1e3, rate / 1e9, most);
        std::printf("  goal: %.1f times PyTorch's speed: %s\n\n", row.goal,
                    met               ? "met"
                    : most < row.goal ? "not met, and not possible on this machine"
                                      : "not met");
        std::fflush(stdout);
        return met;
    }

    Options options_;
    std::filesystem::path folder_;
    int threads_ = 1;
    Device processor_;     // this machine, as calibrated
    engine::Pool places_;  // of the cores that threads run on
    std::ofstream csv_;
};

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("The best state of each program against PyTorch, oneDNN and OpenBLAS, in turns");
    app.add_option("--rows", options.rows, "regular expression: samples whose rows are run");
    app.add_option("--rounds", options.rounds, "timed runs of each")->check(CLI::Range(6, 10000));
    app.add_option("--threads", options.threads, "of each; 0: all cores")->check(CLI::Range(0, 1024));
    app.add_option("--python", options.python, "an interpreter that has PyTorch");
    app.add_option("--csv", options.csv, "file for the figures");
    CLI11_PARSE(app, argc, argv);
    Bench bench(options);
    std::printf("%s, %d threads, %d rounds, load %.2f\n\n", worker::this_machine().cpu.c_str(),
                bench.threads(), options.rounds, worker::current_conditions().load);
    int rows = 0;
    int met = 0;
    int broken = 0;
    const auto take = [&](const std::string& name, const std::function<bool()>& row) {
        ++rows;
        try {
            met += row() ? 1 : 0;
        } catch (const std::exception& wrong) {
            ++broken;
            std::printf("%s: %s\n\n", name.c_str(), wrong.what());
        }
    };
    const std::regex wanted(options.rows);
    for (const Row& row : all_rows())
        if (std::regex_match(row.sample, wanted)) take(row.sample, [&] { return bench.row(row); });
    const Row &whole = all_rows()[0], &masked = all_rows()[1];
    if (std::regex_match(masked.sample, wanted))
        take(masked.sample, [&] { return bench.masked_against(masked, whole, kMaskedGoal); });
    std::printf("%d of %d rows meet their goal\n", met, rows);
    return rows > 0 && broken == 0 ? 0 : 1;
}
