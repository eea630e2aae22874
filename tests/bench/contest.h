// What the engine's benchmarks share: samples at chosen sizes, contestants that run in turns, and results
// that are wrong said instead of a time.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/measure/sampling.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::bench {

inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
    return values.empty() ? 0 : measure::summarize(std::move(values)).median;
}

inline double best(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

struct Sizes {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> dims;  // name: size, block
};

inline Sizes attention_sizes(std::int64_t length, std::int64_t head, std::int64_t block) {
    return {{{"M", {length, block}},
             {"N", {length, block}},
             {"D", {head, std::min(head, block)}},
             {"L", {head, std::min(head, block)}}}};
}

inline ArrayProgram sized_sample(const std::string& sample, const Sizes& sizes) {
    ArrayProgram program = test::read_sample(sample);
    for (Dim& dim : program.dims) {
        const auto found = sizes.dims.find(dim.name);
        if (found == sizes.dims.end()) continue;
        dim.size = found->second.first;
        dim.block = found->second.second;
    }
    return program;
}

inline Trace traced(const ArrayProgram& program) {
    return fuse(std::make_shared<const BlockProgram>(to_block_program(program).program));
}

// What `run` prepares is checked: a result that is wrong is said instead of any time, and other benchmarks go
// on.
inline void guarded(benchmark::State& state, const std::function<void()>& run) {
    try {
        run();
    } catch (const std::exception& wrong) {
        state.SkipWithError(wrong.what());
    }
}

// Things that run in turns, each round in another order, so that none always follows the same one.
class Contest {
public:
    void add(const std::string& name, std::function<void()> run) {
        run();
        runs_.push_back({name, std::move(run), {}});
    }

    // What runs, untimed, right before each timed run.
    enum class Before { Nothing, ItsOwn };

    void rounds(benchmark::State& state, Before before = Before::Nothing) {
        std::mt19937 random(1);
        std::vector<Runner*> order;
        for (Runner& runner : runs_) order.push_back(&runner);
        for (auto _ : state) {
            std::shuffle(order.begin(), order.end(), random);
            for (Runner* runner : order) {
                if (before == Before::ItsOwn) runner->run();
                const double start = now();
                runner->run();
                runner->times.push_back(now() - start);
            }
        }
    }

    double best_of(const std::string& name) const { return best(find(name).times); }
    // How many times as long `slow` takes as `fast`, median over the rounds.
    double ratio(const std::string& slow, const std::string& fast) const {
        return measure::paired_ratio(find(slow).times, find(fast).times).median;
    }

    void report(benchmark::State& state, const std::string& baseline) const {
        for (const Runner& runner : runs_) {
            state.counters["ms_" + runner.name] = 1e3 * best(runner.times);
            if (runner.name != baseline)
                state.counters[runner.name + "_takes"] = ratio(runner.name, baseline);
        }
    }

private:
    struct Runner {
        std::string name;
        std::function<void()> run;
        std::vector<double> times;
    };

    const Runner& find(const std::string& name) const {
        return *std::find_if(runs_.begin(), runs_.end(), [&](const Runner& r) { return r.name == name; });
    }

    std::vector<Runner> runs_;
};

}  // namespace blockscope::bench
