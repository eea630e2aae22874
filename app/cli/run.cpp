#include "app/cli/run.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/report.h"
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
    for (const State& safe : shown.safe) work += proof_work(*safe.program(), dims);
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
        for (const State& safe : shown.safe)
            if (const auto mismatch = prover.check(*safe.program())) return failed(shown.last + 1, *mismatch);
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

namespace {

std::string state_name(const Run& run, const Shown& shown, int step) {
    if (step == 0) return "the conversion";
    if (step > shown.last) return shown.safe.size() == 1 ? "the safe form" : "a safe form";
    const Step& taken = run.trace.steps[static_cast<std::size_t>(step - 1)];
    return "step " + std::to_string(step) + " (rule " + to_string(taken.match.rule) + ")";
}

void say(const std::string& sentence) {
    std::fprintf(stderr, "blockscope-cli: %s\n", harmless(sentence).c_str());
}

void print(const Run& run, const Shown& shown, const Proof& proof, const View& view) {
    if (view.json) {
        std::cout << run_envelope(run, shown, proof) << "\n";
    } else if (view.format) {
        print_states(std::cout, run.trace, shown, *view.format);
        say(proof.sentence);
    } else {
        const Style style = style_for(STDOUT_FILENO);
        print_report(std::cout, run, shown, proof, style, terminal_width(STDOUT_FILENO, 0));
    }
}

}  // namespace

StateChoice state_choice(std::optional<int> step, std::optional<int> snapshot) {
    if (snapshot) return StateChoice::snapshot(*snapshot);
    return step ? StateChoice::step(*step) : StateChoice{};
}

ChosenState chosen_state(const Trace& trace, const StateChoice& choice, const Form& form) {
    Result<ChosenState> chosen = choose_state(states_of(trace), choice, form);
    if (!chosen) throw UsageError(chosen.problems().front().message.str());
    return std::move(chosen).value();
}

StateChoice snapshot_choice(const std::string& snapshot) {
    const Result<StateChoice> choice = parse_state_choice("snapshot " + snapshot);
    if (!choice) throw UsageError(choice.problems().front().message.str());
    return *choice;
}

std::vector<ChosenState> chosen_states(const Trace& trace, std::optional<int> step,
                                       const std::string& snapshot, const Form& form) {
    if (step) return {chosen_state(trace, StateChoice::step(*step), form)};
    if (snapshot.empty() || snapshot == "all") return unfused_and_snapshots(states_of(trace), form);
    return {chosen_state(trace, snapshot_choice(snapshot), form)};
}

Shown select(const Run& run, const View& view) {
    Shown shown{chosen_state(run.trace, state_choice(view.step, view.snapshot)).step, view.all, {}};
    if (view.safe || view.per_block) {
        if (view.all && view.format == Format::Json) {
            throw UsageError("a trace in JSON has no safe form; leave out --all or --safe");
        }
        const auto sharing = view.per_block ? SharedExponent::PerBlock : SharedExponent::PerRow;
        for (int step = shown.first(); step <= shown.last; ++step)
            shown.safe.emplace_back(run.trace.state(step), safe_form(true, sharing));
    }
    return shown;
}

int show(const Run& run, const View& view) {
    const Shown shown = select(run, view);
    const Proof proof = prove(run, shown, view);
    print(run, shown, proof, view);
    if (proof.verdict != Proof::Verdict::Mismatch) return kFine;
    say(state_name(run, shown, *proof.failed_step) + " changes the result: output " + proof.mismatch->output +
        " differs at element " + std::to_string(proof.mismatch->index) + " (seed " +
        std::to_string(proof.mismatch->seed) + ")");
    return kMismatch;
}

Trace fuse_watched(const ProgramPtr& initial) {
    return fuse_on_watched(Trace{initial, {}, {}, {}});
}

Trace fuse_on_watched(Trace trace) {
    Progress progress("fusing: step");
    int count = static_cast<int>(trace.steps.size());
    return fuse_on(std::move(trace), [&](const Step&) {
        progress.at(++count);
        return true;
    });
}

Trace fuse_up_to(const ProgramPtr& initial, int steps) {
    if (steps == 0) return Trace{initial, {}, {}, Text("The algorithm has not started.")};
    int count = 0;
    Trace trace = fuse(initial, [&](const Step&) { return ++count != steps; });
    (void)chosen_state(trace, StateChoice::step(steps));  // refuses a step that there is not
    return trace;
}

}  // namespace blockscope::cli
