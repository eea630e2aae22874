#include "app/cli/run.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/formats.h"
#include "app/cli/report.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

std::string steps_taken(int steps) {
    return steps == 1 ? "1 step" : std::to_string(steps) + " steps";
}

std::string state_name(const Run& run, const Shown& shown, int step) {
    if (step == 0) return "the conversion";
    if (step > shown.last) return shown.safe.size() == 1 ? "the safe form" : "a safe form";
    const Step& taken = run.trace.steps[static_cast<std::size_t>(step - 1)];
    return "step " + std::to_string(step) + " (rule " + to_string(taken.match.rule) + ")";
}

void say(const std::string& sentence) {
    std::fprintf(stderr, "blockscope-cli: %s\n", sentence.c_str());
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

int chosen_step(const Trace& trace, std::optional<int> step, std::optional<int> snapshot) {
    const int steps = static_cast<int>(trace.steps.size());
    if (step && (*step < 0 || *step > steps))
        throw UsageError("there is no step " + std::to_string(*step) + "; the run takes " +
                         steps_taken(steps) + ", and step 0 is the initial block program");
    if (!snapshot) return step.value_or(steps);
    const int snapshots = static_cast<int>(trace.snapshots.size());
    if (*snapshot < 0 || *snapshot > snapshots)
        throw UsageError("there is no snapshot " + std::to_string(*snapshot) + "; the run has " +
                         std::to_string(snapshots) + ", counted from 1, and 0 is the unfused program");
    if (*snapshot == 0) return 0;
    return trace.snapshots[static_cast<std::size_t>(*snapshot) - 1];
}

Shown select(const Run& run, const View& view) {
    Shown shown{chosen_step(run.trace, view.step, view.snapshot), view.all, {}};
    if (view.safe || view.per_block) {
        if (view.all && view.format == Format::Json) {
            throw UsageError("a trace in JSON has no safe form; leave out --all or --safe");
        }
        const auto sharing = view.per_block ? SharedExponent::PerBlock : SharedExponent::PerRow;
        for (int step = shown.first(); step <= shown.last; ++step)
            shown.safe.push_back(make_safe(*run.trace.state(step), sharing));
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
    if (steps < 0) throw UsageError("there is no step " + std::to_string(steps));
    if (steps == 0) return Trace{initial, {}, {}, "The algorithm has not started."};
    int count = 0;
    Trace trace = fuse(initial, [&](const Step&) { return ++count < steps; });
    if (static_cast<int>(trace.steps.size()) < steps) {
        throw UsageError("there is no step " + std::to_string(steps) + "; the algorithm takes " +
                         steps_taken(static_cast<int>(trace.steps.size())));
    }
    return trace;
}

}  // namespace blockscope::cli
