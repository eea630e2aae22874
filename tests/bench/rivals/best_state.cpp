#include "tests/bench/rivals/best_state.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "app/worker/predict.h"
#include "core/measure/sampling.h"
#include "core/state/state.h"
#include "tests/bench/contest.h"

namespace blockscope::bench {
namespace {

constexpr int kMeasured = 12;
constexpr int kLongestWalk = 6;

struct Candidate {
    int step = 0;
    std::vector<std::int64_t> blocks;
    auto key() const { return std::pair(step, blocks); }
};

std::vector<std::int64_t> blocks_of(const DimTable& dims) {
    std::vector<std::int64_t> blocks;
    for (const Dim& dim : dims) blocks.push_back(dim.block);
    return blocks;
}

// What the calibrated model predicts to be the fastest, of all steps and block sizes.
std::vector<Candidate> favourites(const Trace& trace, const Device& processor) {
    const Form form = Form{}.kept_in(ElemType::F32);
    std::vector<ChosenState> states;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step)
        states.push_back({State(trace.state(step), form), step, "step " + std::to_string(step)});
    std::vector<Candidate> all;
    for (const worker::PredictedChoice& choice : worker::search_predicted(states, processor, kMeasured).best)
        all.push_back({states[choice.state].step, blocks_of(choice.dims)});
    if (all.empty()) throw std::runtime_error("no block sizes fit");
    return all;
}

class Search {
public:
    Search(const Checked& checked, const Trace& trace, const Device& processor, int threads)
        : checked_(checked), trace_(trace), processor_(processor), threads_(threads) {}

    BestState run() {
        Candidate best = fastest(favourites(trace_, processor_));
        for (int walk = 0; walk < kLongestWalk; ++walk) {
            std::vector<Candidate> around = neighbours(best);
            if (around.empty()) break;
            around.insert(around.begin(), best);
            const Candidate next = fastest(around);
            if (next.key() == best.key()) break;
            best = next;
        }
        return {prepared(best), name(best)};
    }

private:
    CpuProgram prepared(const Candidate& candidate) const {
        BlockProgram program = *trace_.state(candidate.step);
        for (std::size_t i = 0; i < candidate.blocks.size(); ++i) program.dims[i].block = candidate.blocks[i];
        return checked_.prepared(program, threads_);
    }

    Candidate fastest(const std::vector<Candidate>& candidates) {
        std::vector<CpuProgram> programs;
        std::vector<measure::Sampled> what;
        programs.reserve(candidates.size());
        for (const Candidate& candidate : candidates) {
            seen_.insert(candidate.key());
            programs.push_back(prepared(candidate));
            measure::Sampled sampled;
            sampled.run = [program = &programs.back()]() -> measure::Outcome<double> {
                const double start = now();
                program->run();
                return now() - start;
            };
            sampled.now = now;
            what.push_back(std::move(sampled));
        }
        measure::SamplingPlan plan;
        plan.warmup_runs = 1;
        plan.samples = 11;
        plan.cap_seconds = 12;
        const auto race = measure::race(plan, what);
        const auto end = race ? measure::standing(race->lanes) : std::nullopt;
        if (!end) throw std::runtime_error("no state can be timed");
        // What is not different from the one before it is no improvement.
        const bool same = std::find(end->ties.begin(), end->ties.end(), 0U) != end->ties.end();
        return candidates[same ? 0 : end->best];
    }

    std::vector<Candidate> neighbours(const Candidate& of) const {
        std::vector<Candidate> result;
        const DimTable& dims = trace_.initial->dims;
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (dims[i].kind != DimKind::Blocked) continue;
            for (const std::int64_t block : {of.blocks[i] / 2, of.blocks[i] * 2, dims[i].size}) {
                if (block < 16 || block > dims[i].size) continue;
                Candidate other = of;
                other.blocks[i] = block;
                if (seen_.count(other.key()) == 0) result.push_back(other);
            }
        }
        return result;
    }

    std::string name(const Candidate& candidate) const {
        std::string text =
            "step " + std::to_string(candidate.step) + " of " + std::to_string(trace_.steps.size()) + ",";
        const DimTable& dims = trace_.initial->dims;
        for (std::size_t i = 0; i < dims.size(); ++i)
            if (dims[i].kind == DimKind::Blocked)
                text += " " + dims[i].name + "/" + std::to_string(candidate.blocks[i]);
        return text;
    }

    const Checked& checked_;
    const Trace& trace_;
    const Device& processor_;
    int threads_;
    std::set<std::pair<int, std::vector<std::int64_t>>> seen_;
};

}  // namespace

BestState best_state(const Checked& checked, const Trace& trace, const Device& processor, int threads) {
    return Search(checked, trace, processor, threads).run();
}

}  // namespace blockscope::bench
