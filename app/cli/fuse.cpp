// blockscope-cli fuse, apply and replay: runs of rewrites, by the algorithm, by hand, or from a trace.
#include <memory>

#include "app/cli/command.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "core/json/json_io.h"

namespace blockscope::cli {
namespace {

struct FuseArguments {
    std::string file;
    RuleChoice rules;
    View view;
};

struct ApplyArguments {
    std::string file;
    int at = 0;
    std::vector<std::string> choices;  // RULE@PATH
    bool then_fuse = false;
    RuleChoice rules;
    View view;
};

struct ReplayArguments {
    std::string file;
    View view;
};

int fuse_command(const FuseArguments& arguments) {
    Loaded loaded = load_program(arguments.file);
    Trace trace = fuse_watched(loaded.blocks, arguments.rules.set());
    return show({"fuse", std::move(loaded), std::move(trace)}, arguments.view);
}

// Rewrites by hand, after some steps of the algorithm and perhaps before the rest.
int apply_command(const ApplyArguments& arguments) {
    Loaded loaded = load_program(arguments.file);
    Trace trace = fuse_up_to(loaded.blocks, arguments.at, arguments.rules.set());
    trace.stopped = Text(kChoicesApplied);
    for (const std::string& choice : arguments.choices) {
        const ProgramPtr before = trace.last();
        trace.steps.push_back(checked_apply(before, find_match(*before, choice)));
    }
    if (arguments.then_fuse) trace = fuse_on_watched(std::move(trace));
    return show({"apply", std::move(loaded), std::move(trace)}, arguments.view);
}

int replay_command(const ReplayArguments& arguments) {
    const std::string text = read_file(arguments.file);
    const std::string name = display_name(arguments.file);
    Result<Trace> trace = read_trace(text, name);
    if (!trace) throw BadInput(trace.problems(), text);
    Loaded loaded{name, {}, trace->initial};
    return show({"replay", std::move(loaded), std::move(trace).value()}, arguments.view);
}

std::vector<Option> view_options(View& view) {
    return {
        {.names = "--step",
         .argument = "N",
         .help = "the state after step N; 0 is the initial block program",
         .to = &view.step},
        snapshot_option(view.snapshot,
                        "show the state at snapshot K, or the last; 0 is the initial block program"),
        state_option(view.state),
        {.names = "--all",
         .help = "show every state",
         .to = &view.all,
         .excludes = {"--step", "--snapshot", "--state"}},
        {.names = "--format",
         .argument = "F",
         .help = "print only the state: listing, text (an outline of the graph), dot or json",
         .to = [&view](const std::string& name) { view.format = name; },
         .choices = format_names()},
        {.names = "--safe", .help = "show its numerically safe form, one exponent per row", .to = &view.safe},
        {.names = "--per-block",
         .help = "show its safe form with one exponent per block",
         .to = &view.per_block},
        form_option(view.loops),
        {.names = "--prove,!--no-prove",
         .help = "prove every step in exact arithmetic, or do not; by default if it takes under a second",
         .to = &view.prove},
        {.names = "--seed",
         .argument = "S",
         .help = "the proof's random inputs (default 1)",
         .to = &view.seed,
         .check = seed_number()},
        objective_option(view.objective,
                         "what the best state has least of (default time: as predicted for the device)"),
        device_option(
            view.device,
            "predict times for this device: a name that `devices` lists, or a description's file; by "
            "default this machine if it is calibrated, else h100-sxm5"),
        {.names = "--json", .help = json_option(view.json).help, .to = &view.json, .excludes = {"--format"}}};
}

}  // namespace

Command fuse_row() {
    const auto arguments = std::make_shared<FuseArguments>();
    return {.name = "fuse",
            .summary = "run the fusion algorithm and show its steps",
            .options = joined(joined({file_option(arguments->file)}, rule_set_options(arguments->rules)),
                              view_options(arguments->view)),
            .notes =
                "Examples:\n"
                "  blockscope-cli fuse samples/attention.bp\n"
                "  blockscope-cli fuse samples/attention.bp --snapshot 1 --format listing\n"
                "  blockscope-cli fuse samples/attention.bp --safe\n"
                "  blockscope-cli fuse samples/rmsnorm-matmul.bp --rules paper\n"
                "  blockscope-cli fuse samples/fp8-attention.bp --allow-rounding\n"
                "  blockscope-cli fuse samples/attention.bp --step 5 --format dot | dot -Tsvg > step5.svg\n"
                "  blockscope-cli fuse samples/attention.bp --all --format json > trace.json",
            .run = [arguments](const Invocation&) { return fuse_command(*arguments); }};
}

Command apply_row() {
    const auto arguments = std::make_shared<ApplyArguments>();
    return {.name = "apply",
            .summary = "apply rules by hand",
            .options =
                joined(joined({file_option(arguments->file),
                               {.names = "CHOICE",
                                .help = "RULE@NODES, as `matches` prints it: 1@n3,n5 or 3@/n1/n3,n5; applied "
                                        "in order",
                                .to = &arguments->choices,
                                .required = true},
                               at_option(arguments->at),
                               {.names = "--then-fuse",
                                .help = "run the algorithm on to the end",
                                .to = &arguments->then_fuse}},
                              rule_set_options(arguments->rules)),
                       view_options(arguments->view)),
            .notes =
                "Examples:\n"
                "  blockscope-cli matches samples/attention.bp --rule 1      # shows what can be chosen\n"
                "  blockscope-cli apply samples/attention.bp 1@n24,n31\n"
                "  blockscope-cli apply samples/attention.bp 1@n24,n31 --then-fuse --format listing",
            .run = [arguments](const Invocation&) { return apply_command(*arguments); }};
}

Command replay_row() {
    const auto arguments = std::make_shared<ReplayArguments>();
    return {.name = "replay",
            .summary = "repeat a trace that fuse or apply wrote, and show it",
            .options = joined({{.names = "FILE",
                                .help = "a trace in JSON; - is stdin",
                                .to = &arguments->file,
                                .required = true,
                                .completion = Completion::Files}},
                              view_options(arguments->view)),
            .notes =
                "Example:\n"
                "  blockscope-cli fuse samples/attention.bp --all --format json > trace.json\n"
                "  blockscope-cli replay trace.json",
            .run = [arguments](const Invocation&) { return replay_command(*arguments); }};
}

}  // namespace blockscope::cli
