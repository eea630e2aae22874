#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/cli/run.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

// Operations, as proof_work counts them, in a second: measured over the samples, rounded down.
constexpr double kOperationsPerSecond = 1e8;
constexpr double kSecondsByDefault = 1;
constexpr int kStatesSampled = 16;  // estimating every state of a long run would itself take long

double estimated_seconds(const Run& run, const Shown& shown) {
    const DimTable dims = proof_dims(run.trace.initial->dims);
    const int states = shown.last + 1;
    const int sampled = std::min(states, kStatesSampled);
    double work = 0;
    for (int i = 0; i < sampled; ++i) {
        const int step = static_cast<int>(static_cast<std::int64_t>(i) * states / sampled);
        work += proof_work(*run.trace.state(step), dims) * states / sampled;
    }
    if (run.loaded.array) work += proof_work(*run.trace.initial, dims);
    for (const SafeProgram& safe : shown.safe) work += proof_work(safe.program, dims);
    return work / kOperationsPerSecond;
}

std::string about(double seconds) {
    if (seconds < 100) return std::to_string(static_cast<int>(std::ceil(seconds))) + " s";
    if (seconds < 6000) return std::to_string(static_cast<int>(std::ceil(seconds / 60))) + " min";
    return std::to_string(static_cast<int>(std::ceil(std::min(seconds, 1e12) / 3600))) + " h";
}

std::string proven_sentence(const Run& run, const Shown& shown, std::uint64_t seed) {
    std::vector<std::string> parts;
    if (shown.last == 1) parts.emplace_back("the step");
    if (shown.last > 1) parts.push_back("all " + std::to_string(shown.last) + " steps");
    if (run.loaded.array) parts.emplace_back("the conversion");
    if (!shown.safe.empty()) parts.emplace_back(shown.safe.size() == 1 ? "the safe form" : "all safe forms");
    if (parts.empty()) return "nothing to prove: no step was taken";
    std::string text = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i)
        text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text + " proven (exact arithmetic, seed " + std::to_string(seed) + ")";
}

Proof failed(int step, const Mismatch& mismatch) {
    return {Proof::Verdict::Mismatch, "the proof fails", step, mismatch};
}

Proof prove_all(const Run& run, const Shown& shown, std::uint64_t seed) {
    const BlockProgram& initial = *run.trace.initial;
    Progress progress("proving: step");
    if (run.loaded.array) {
        const auto mismatch = compare_exact(*run.loaded.array, initial, proof_dims(initial.dims), seed);
        if (mismatch) return failed(0, *mismatch);
    }
    if (shown.last > 0 || !shown.safe.empty()) {
        const Prover prover(initial, seed);
        for (int step = 1; step <= shown.last; ++step) {
            progress.at(step, shown.last);
            if (const auto mismatch = prover.check(*run.trace.state(step))) return failed(step, *mismatch);
        }
        for (const SafeProgram& safe : shown.safe)
            if (const auto mismatch = prover.check(safe.program)) return failed(shown.last + 1, *mismatch);
    }
    return {Proof::Verdict::Proven, proven_sentence(run, shown, seed), {}, {}};
}

}  // namespace

Proof prove(const Run& run, const Shown& shown, const View& view) {
    if (view.prove == false) return {Proof::Verdict::Skipped, "not proven, as asked", {}, {}};
    if (!view.prove) {
        const double seconds = estimated_seconds(run, shown);
        if (seconds > kSecondsByDefault) {
            return {Proof::Verdict::Skipped,
                    "not proven: it would take about " + about(seconds) + "; --prove does it",
                    {},
                    {}};
        }
    }
    return prove_all(run, shown, view.seed);
}

}  // namespace blockscope::cli
