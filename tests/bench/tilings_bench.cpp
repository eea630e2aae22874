// MCFuser's tilings: how long space, rules, model and ranking of all workloads take; every candidate of some
// of them measured in rounds, in turns, against both models and the search; and the best candidates beside
// our own best states and libraries. On this machine's processor, one thread, with its calibrated
// description.
//
//     blockscope_tilings_bench [--only spaces|rank|rivals] [--workloads G1,G2] [--rounds 3] [--sample N]
//                              [--device NAME]
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/worker/own_best.h"
#include "app/worker/probe.h"
#include "core/json/device_files.h"
#include "core/tilings/blocked_run.h"
#include "core/tilings/candidate_work.h"
#include "core/tilings/search.h"
#include "core/tilings/workloads.h"
#include "tests/bench/library_chain.h"

namespace blockscope::bench {
namespace {

using tilings::Candidate;
using tilings::Space;

constexpr int kSeeds = 100;
constexpr double kCloseEnough = 1.05;

struct Options {
    std::string only;
    std::vector<std::string> workloads = {"G1", "G2", "G3", "G4"};
    int rounds = 3;
    int sample = 0;
    std::string device;
};

double seconds_of(const std::function<void()>& what) {
    const auto start = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Device named(const std::string& name) {
    for (const EmbeddedDevice& embedded : embedded_devices())
        if (name == embedded.name) return read_device(embedded.text, name).value();
    throw std::runtime_error("no device " + name);
}

Device described(const Options& options) {
    if (options.device.find('/') != std::string::npos) {
        std::ifstream file(options.device);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        const Result<Device> read = read_device(text, options.device);
        if (!read) throw std::runtime_error(to_string(read.problems().front()));
        return *read;
    }
    if (!options.device.empty()) return named(options.device);
    const auto calibrated = worker::calibrated_cpu(worker::this_machine().cpu);
    if (!calibrated)
        throw std::runtime_error("this machine is not calibrated: ./dev bench calibrate, or --device NAME");
    return *calibrated;
}

Space space_of(const tilings::Workload& workload, const Device& device, const tilings::Rules& rules = {}) {
    tilings::Chain chain = tilings::read_chain(tilings::workload_program(workload)).value();
    if (device.kind == DeviceKind::Cpu) chain.elem = ElemType::F32;
    const tilings::TargetDevice target =
        tilings::target_device(device, chain.elem, device.kind == DeviceKind::Cpu ? 1 : 0).value();
    return tilings::make_space(std::move(chain), target, rules).value();
}

const tilings::Workload& workload_named(const std::string& name) {
    const tilings::Workload* found = tilings::find_workload(name);
    if (!found) throw std::runtime_error("no workload " + name);
    return *found;
}

// ---- Space, rules, model and ranking.

void spaces() {
    const Device a100 = named("a100-pcie-40gb");
    std::printf("workload  candidates  space ms  model ms  our model ms\n");
    double slowest = 0;
    for (const tilings::Workload& workload : tilings::workloads()) {
        Space space;
        const double counted = seconds_of([&] { space = space_of(workload, a100); });
        const double ranked = seconds_of([&] { tilings::estimated_seconds(space, space.candidates); });
        const double own = seconds_of([&] { tilings::own_seconds(space, space.candidates, a100); });
        slowest = std::max(slowest, counted + ranked + own);
        std::printf("%-8s  %10zu  %8.1f  %8.1f  %12.1f\n", workload.name.c_str(), space.candidates.size(),
                    counted * 1e3, ranked * 1e3, own * 1e3);
    }
    std::printf("the slowest takes %.2f s of the 5 s that it may\n\n", slowest);
}

// ---- Candidates measured, against models and search.

double run_once(const Space& space, const Candidate& candidate) {
    tilings::BlockedRun run(space.chain, space.judged(candidate).expression.roots, candidate.tiles, 1);
    run.fill_inputs();
    run.run();
    return tilings::best_seconds([&] { run.run(); });
}

// Every chosen candidate once a round, each round in another order; the least of its times.
std::vector<double> measured(const Space& space, const std::vector<int>& chosen, int rounds) {
    std::vector<double> best(chosen.size(), std::numeric_limits<double>::infinity());
    std::vector<std::size_t> order(chosen.size());
    std::iota(order.begin(), order.end(), 0u);
    std::mt19937 random(1);
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t i : order)
            best[i] =
                std::min(best[i], run_once(space, space.candidates[static_cast<std::size_t>(chosen[i])]));
    }
    return best;
}

void print_ranking(const char* model, const tilings::Ranking& ranking) {
    std::printf("  %-22s Pearson %.2f  Spearman %.2f  fastest has rank %4d  top 1, 8, 64 lose", model,
                ranking.pearson, ranking.spearman, ranking.best_rank);
    for (const double regret : ranking.regret) std::printf(" %.1f%%", regret * 100);
    std::printf("\n");
}

// The search over seeds, which looks times up.
void print_searches(const char* reading, const Space& space, const std::map<std::string, double>& seconds,
                    double fastest) {
    std::vector<double> times;
    for (const Candidate& candidate : space.candidates)
        times.push_back(seconds.at(to_string(space, candidate)));
    std::vector<int> measurements;
    int close = 0;
    const tilings::Searcher searcher(space, tilings::TripCounts::Block);
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const tilings::Search search =
            searcher.run({.seed = static_cast<std::uint64_t>(seed)}, [&](const Candidate& candidate) {
                return std::optional<double>(
                    times[static_cast<std::size_t>(&candidate - space.candidates.data())]);
            });
        measurements.push_back(search.measurements());
        close += search.best_seconds <= kCloseEnough * fastest ? 1 : 0;
    }
    std::sort(measurements.begin(), measurements.end());
    std::printf(
        "  search, %-9s  within 5%% of the fastest with %d of %d seeds, measurements %d in the median, %d to "
        "%d\n",
        reading, close, kSeeds, measurements[kSeeds / 2], measurements.front(), measurements.back());
}

void rank(const Options& options, const Device& device) {
    for (const std::string& name : options.workloads) {
        const Space space = space_of(workload_named(name), device);
        std::vector<int> chosen(space.candidates.size());
        std::iota(chosen.begin(), chosen.end(), 0);
        if (options.sample > 0 && options.sample < static_cast<int>(chosen.size())) {
            std::shuffle(chosen.begin(), chosen.end(), std::mt19937(1));
            chosen.resize(static_cast<std::size_t>(options.sample));
        }
        const std::vector<double> seconds = measured(space, chosen, options.rounds);
        const double fastest = *std::min_element(seconds.begin(), seconds.end());
        const auto slot =
            static_cast<std::size_t>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin());
        std::printf("%s: %zu of %zu candidates, %d rounds; the fastest is %s, %.1f us\n", name.c_str(),
                    chosen.size(), space.candidates.size(), options.rounds,
                    to_string(space, space.candidates[static_cast<std::size_t>(chosen[slot])]).c_str(),
                    fastest * 1e6);
        const auto of_chosen = [&](const std::vector<double>& all) {
            std::vector<double> some;
            for (const int index : chosen) some.push_back(all[static_cast<std::size_t>(index)]);
            return some;
        };
        const auto by = [&](tilings::TripCounts counts) {
            return of_chosen(tilings::estimated_seconds(space, space.candidates, counts));
        };
        print_ranking("MCFuser, block counts",
                      tilings::compare_ranking(by(tilings::TripCounts::Block), seconds));
        print_ranking("MCFuser, paper counts",
                      tilings::compare_ranking(by(tilings::TripCounts::Paper), seconds));
        print_ranking("Blockscope",
                      tilings::compare_ranking(
                          of_chosen(tilings::own_seconds(space, space.candidates, device, 1)), seconds));
        if (chosen.size() == space.candidates.size()) {
            std::map<std::string, double> times;
            for (std::size_t i = 0; i < chosen.size(); ++i)
                times[to_string(space, space.candidates[i])] = seconds[i];
            print_searches("gridorder", space, times, fastest);
            print_searches("subtiling",
                           space_of(workload_named(name), device, {.same = tilings::SameBlock::SubTiling}),
                           times, fastest);
        }
        std::fflush(stdout);
    }
    std::printf("\n");
}

// ---- The best candidate beside our own best state and libraries.

struct Contestant {
    std::string name;
    std::function<void()> run;
    double best = std::numeric_limits<double>::infinity();
};

void rivals(const Options& options, const Device& device) {
    std::printf("ms, the least of rounds in turns, one thread\nworkload  best candidate");
    for (const std::string& library : LibraryChain::libraries()) std::printf("  %10s", library.c_str());
    std::printf("  our best state  unfused\n");
    if (LibraryChain::libraries().empty())
        std::printf("(neither OpenBLAS nor oneDNN is linked: our own products stand for a library's)\n");
    for (const tilings::Workload& workload : tilings::workloads()) {
        const Space space = space_of(workload, device);
        const tilings::Search search =
            tilings::Searcher(space, tilings::TripCounts::Block).run({}, [&](const Candidate& candidate) {
                return std::optional<double>(run_once(space, candidate));
            });
        const Candidate& best = space.candidates[static_cast<std::size_t>(*search.best)];
        tilings::BlockedRun candidate(space.chain, space.judged(best).expression.roots, best.tiles, 1);
        candidate.fill_inputs();
        LibraryChain library(workload);
        std::vector<Contestant> contestants{{"candidate", [&] { candidate.run(); }}};
        for (const std::string& name : LibraryChain::libraries())
            contestants.push_back({name, [&library, name] { library.run(name); }});
        for (int round = 0; round < 5 * options.rounds; ++round)
            for (Contestant& each : contestants) {
                each.run();
                each.best = std::min(each.best, seconds_of(each.run));
            }
        const worker::OwnSearch own{.measured = 8, .threads = 1};
        const double unfused = *worker::own_best(space.chain.program, device, true, own).value().measured;
        const double ours = *worker::own_best(space.chain.program, device, false, own).value().measured;
        std::printf("%-8s  %14.3f", workload.name.c_str(), contestants[0].best * 1e3);
        for (std::size_t i = 1; i < contestants.size(); ++i)
            std::printf("  %10.3f", contestants[i].best * 1e3);
        std::printf("  %14.3f  %7.3f  %s\n", std::min(ours, unfused) * 1e3, unfused * 1e3,
                    to_string(space, best).c_str());
        std::fflush(stdout);
    }
}

int run(const Options& options) {
    if (options.only.empty() || options.only == "spaces") spaces();
    if (options.only == "spaces") return 0;
    const Device device = described(options);
    if (options.only.empty() || options.only == "rank") rank(options, device);
    if (options.only.empty() || options.only == "rivals") rivals(options, device);
    return 0;
}

}  // namespace
}  // namespace blockscope::bench

int main(int count, char** words) {
    blockscope::bench::Options options;
    CLI::App app("MCFuser's tilings against both models, the search, our own states and libraries");
    app.add_option("--only", options.only, "spaces, rank or rivals")
        ->check(CLI::IsMember({"spaces", "rank", "rivals"}));
    app.add_option("--workloads", options.workloads, "whose candidates are measured")->delimiter(',');
    app.add_option("--rounds", options.rounds)->check(CLI::Range(1, 1000));
    app.add_option("--sample", options.sample, "candidates of each workload; 0: all")
        ->check(CLI::Range(0, 1000000));
    app.add_option("--device", options.device,
                   "a described processor, or a description's path, instead of the calibrated one");
    CLI11_PARSE(app, count, words);
    try {
        return blockscope::bench::run(options);
    } catch (const std::exception& wrong) {
        std::fprintf(stderr, "blockscope_tilings_bench: %s\n", wrong.what());
        return 1;
    }
}
