#include "app/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>

#include "app/cli/analyze_arguments.h"
#include "app/cli/codegen_arguments.h"
#include "app/cli/commands.h"
#include "app/cli/failures.h"
#include "app/cli/guarded.h"
#include "app/cli/measure_commands.h"
#include "app/cli/optimum_arguments.h"
#include "app/cli/picture_arguments.h"
#include "app/cli/picture_program.h"
#include "app/cli/terminal.h"
#include "app/cli/validators.h"

namespace blockscope::cli {
namespace {

constexpr const char* kFileHelp = "a program: text, or JSON of an array or block program; - is stdin";
constexpr const char* kFormats[] = {"listing", "text", "dot", "json"};

// Every command's arguments, and the one that was chosen.
struct CommandLine {
    FuseArguments fuse;
    MatchesArguments matches;
    ApplyArguments apply;
    WhyArguments why;
    CostArguments cost;
    OptimumArguments optimum;
    AnalyzeArguments analyze;
    DevicesArguments devices;
    CheckArguments check;
    RulesArguments rules;
    ConvertArguments convert;
    ReplayArguments replay;
    CodegenArguments codegen;
    RenderArguments render;
    ExportArguments export_run;
    MeasureCommandLine measuring;
    std::function<int()> chosen;
    const PictureCommands* pictures = nullptr;  // null: another program has them
    char** words = nullptr;                     // as main() got them
};

Format parse_format(const std::string& name) {
    if (name == "text") return Format::Text;
    if (name == "dot") return Format::Dot;
    if (name == "json") return Format::Json;
    return Format::Listing;
}

void add_json(CLI::App& command, bool& json) {
    command.add_flag("--json", json, "print one JSON object (docs/cli.md) and nothing else");
}

void add_at(CLI::App& command, int& at) {
    command.add_option("--at", at, "look at the state after this many steps of the algorithm (default 0)")
        ->type_name("N")
        ->check(not_below_zero());
}

void add_view(CLI::App& command, View& view) {
    auto* step = command.add_option("--step", view.step,
                                    "show the state after step N; 0 is the initial block program");
    step->type_name("N");
    auto* snapshot = command.add_option("--snapshot", view.snapshot,
                                        "show the state at snapshot N; 0 is the unfused program");
    snapshot->type_name("N")->excludes(step);
    command.add_flag("--all", view.all, "show every state")->excludes(step)->excludes(snapshot);
    auto* format = command.add_option_function<std::string>(
        "--format", [&view](const std::string& name) { view.format = parse_format(name); },
        "print only the state: listing, text (an outline of the graph), dot or json");
    format->type_name("F")->check(
        CLI::IsMember(std::vector<std::string>(std::begin(kFormats), std::end(kFormats))));
    command.add_flag("--safe", view.safe, "show its numerically safe form, one exponent per row");
    command.add_flag("--per-block", view.per_block, "show its safe form with one exponent per block");
    command.add_flag_function(
        "--prove,!--no-prove", [&view](std::int64_t count) { view.prove = count > 0; },
        "prove every step in exact arithmetic, or do not; by default if it takes under a second");
    command.add_option("--seed", view.seed, "the proof's random inputs (default 1)")
        ->type_name("S")
        ->check(seed_number());
    auto* json =
        command.add_flag("--json", view.json, "print one JSON object (docs/cli.md) and nothing else");
    json->excludes(format);
}

void add_fuse(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("fuse", "run the fusion algorithm and show its steps");
    command.add_option("FILE", line.fuse.file, kFileHelp)->required();
    add_view(command, line.fuse.view);
    command.footer(
        "Examples:\n"
        "  blockscope-cli fuse samples/attention.bp\n"
        "  blockscope-cli fuse samples/attention.bp --snapshot 1 --format listing\n"
        "  blockscope-cli fuse samples/attention.bp --safe\n"
        "  blockscope-cli fuse samples/attention.bp --step 5 --format dot | dot -Tsvg > step5.svg\n"
        "  blockscope-cli fuse samples/attention.bp --all --format json > trace.json");
    command.callback([&line] { line.chosen = [&line] { return fuse_command(line.fuse); }; });
}

void add_matches(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("matches", "list every place where a rule applies");
    command.add_option("FILE", line.matches.file, kFileHelp)->required();
    add_at(command, line.matches.at);
    command.add_option("--rule", line.matches.rule, "only this rule: 1 .. 9, 6a, 7c, 8s, ...")
        ->type_name("R");
    command.add_option("--dim", line.matches.dim, "only maps over this dimension")->type_name("D");
    command
        .add_option("--path", line.matches.path, "only in this graph: / is the top level, /n1/n3 inside maps")
        ->type_name("P");
    add_json(command, line.matches.json);
    command.footer(
        "The first column is what `apply` takes.\n"
        "Examples:\n"
        "  blockscope-cli matches samples/attention.bp\n"
        "  blockscope-cli matches samples/attention.bp --at 15 --rule 7 --dim N");
    command.callback([&line] { line.chosen = [&line] { return matches_command(line.matches); }; });
}

void add_apply(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("apply", "apply rules by hand");
    command.add_option("FILE", line.apply.file, kFileHelp)->required();
    command
        .add_option("CHOICE", line.apply.choices,
                    "RULE@NODES, as `matches` prints it: 1@n3,n5 or 3@/n1/n3,n5; applied in order")
        ->required();
    add_at(command, line.apply.at);
    command.add_flag("--then-fuse", line.apply.then_fuse, "run the algorithm on to the end");
    add_view(command, line.apply.view);
    command.footer(
        "Examples:\n"
        "  blockscope-cli matches samples/attention.bp --rule 1      # shows what can be chosen\n"
        "  blockscope-cli apply samples/attention.bp 1@n24,n31\n"
        "  blockscope-cli apply samples/attention.bp 1@n24,n31 --then-fuse --format listing");
    command.callback([&line] { line.chosen = [&line] { return apply_command(line.apply); }; });
}

void add_why(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("why", "say why a rule does not apply to some operators");
    command.add_option("FILE", line.why.file, kFileHelp)->required();
    command.add_option("RULE", line.why.rule, "1 .. 9, or a variant such as 6a")->required();
    command.add_option("PATH", line.why.paths, "the operators: n3 n5, or n3,n5, or /n1/n3,n5")->required();
    add_at(command, line.why.at);
    add_json(command, line.why.json);
    command.footer("Example:\n  blockscope-cli why samples/attention.bp 1 n17 n31");
    command.callback([&line] { line.chosen = [&line] { return why_command(line.why); }; });
}

void add_cost(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("cost", "count what the states of a run move, compute and keep");
    command.add_option("FILE", line.cost.file, kFileHelp)->required();
    command
        .add_option("--step", line.cost.step,
                    "of the state after step N; by default of step 0 and of all snapshots")
        ->type_name("N");
    command
        .add_option("--snapshot", line.cost.snapshot,
                    "of snapshot K, or the last; 0 is the unfused program; all: of step 0 and all")
        ->type_name("K|last|all")
        ->excludes("--step");
    command.add_flag("--safe", line.cost.safe, "of the numerically safe forms");
    command.add_flag("--execute", line.cost.execute,
                     "run the states in float64, too, and count as they run; counts that differ end with 4");
    command
        .add_option("--set", line.cost.sizes, "another size, with another block size if you like: M=8192/64")
        ->type_name("NAME=SIZE[/BLOCK]");
    auto* csv = command.add_flag("--csv", line.cost.csv, "print comma-separated values");
    command
        .add_option("--derive", line.cost.derive,
                    "of the last state, or of --step: one number's formula, the values put in, and the lines "
                    "of the listing that it sums; 'all' for all numbers' formulas")
        ->type_name("QUANTITY")
        ->excludes(csv);
    command
        .add_option("--device", line.cost.device,
                    "predict times on this device, too: a name that `devices` lists, or a description's file")
        ->type_name("D");
    command
        .add_option("--model", line.cost.model,
                    "the time model: roofline, mcfuser, fusion-benefit, blockscope (default) or all; without "
                    "--device on this machine, if it is calibrated")
        ->type_name("NAME");
    for (const char* option : {"--snapshot", "--device", "--model", "--execute"})
        command.get_option("--derive")->excludes(option);
    command.add_option("--processors", line.cost.processors, "only so many cores or SMs of the device work")
        ->type_name("N")
        ->check(above_zero());
    add_json(command, line.cost.json);
    csv->excludes("--json");
    command.footer(
        "Counts are exact, ragged blocks included. The last state shown is taken apart, with a formula for "
        "each number:\n"
        "M is a dimension's size, m its block size, M/m its number of blocks.\n"
        "Examples:\n"
        "  blockscope-cli cost samples/attention.bp\n"
        "  blockscope-cli cost samples/attention.bp --set M=8192/64 --set N=8192/64\n"
        "  blockscope-cli cost samples/attention.bp --derive K.loads.bytes\n"
        "  blockscope-cli cost samples/attention.bp --device h100-sxm5 --model all");
    command.callback([&line] {
        line.chosen = [&line] {
            return line.cost.derive.empty() ? cost_command(line.cost) : derive_command(line.cost);
        };
    });
}

void add_devices(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("devices", "list the devices that times are predicted for");
    command.add_option("NAME", line.devices.name,
                       "one of them, or a description's file: every figure with its source");
    auto* csv = command.add_flag("--csv", line.devices.csv,
                                 "print comma-separated values: a line per figure of all devices");
    add_json(command, line.devices.json);
    csv->excludes("--json");
    command.footer(
        "Examples:\n"
        "  blockscope-cli devices\n"
        "  blockscope-cli devices h100-sxm5\n"
        "  blockscope-cli devices ./mine.json --json");
    command.callback([&line] { line.chosen = [&line] { return devices_command(line.devices); }; });
}

void add_check(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("check", "read a file and report all its problems");
    command.add_option("FILE", line.check.file, kFileHelp)->required();
    add_json(command, line.check.json);
    command.footer("Exits with 3 if there are problems.\nExample:\n  blockscope-cli check my-program.bp");
    command.callback([&line] { line.chosen = [&line] { return check_command(line.check); }; });
}

void add_rules(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("rules", "list the rules, or explain one");
    command.add_option("RULE", line.rules.rule, "1 .. 9, or a variant such as 6a");
    add_json(command, line.rules.json);
    command.footer("Examples:\n  blockscope-cli rules\n  blockscope-cli rules 4");
    command.callback([&line] { line.chosen = [&line] { return rules_command(line.rules); }; });
}

void add_convert(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("convert", "write a program in another form");
    command.add_option("FILE", line.convert.file, kFileHelp)->required();
    command
        .add_option("--to", line.convert.to,
                    "text, json (array program) or block-json (initial block program)")
        ->type_name("FORM")
        ->required()
        ->check(CLI::IsMember({"text", "json", "block-json"}));
    command.add_option("-o,--output", line.convert.output, "write to this file instead of stdout")
        ->type_name("OUT");
    add_json(command, line.convert.json);
    command.footer("Example:\n  blockscope-cli convert samples/attention.bp --to json -o attention.json");
    command.callback([&line] { line.chosen = [&line] { return convert_command(line.convert); }; });
}

void add_replay(CLI::App& app, CommandLine& line) {
    CLI::App& command = *app.add_subcommand("replay", "repeat a trace that fuse or apply wrote, and show it");
    command.add_option("FILE", line.replay.file, "a trace in JSON; - is stdin")->required();
    add_view(command, line.replay.view);
    command.footer(
        "Example:\n"
        "  blockscope-cli fuse samples/attention.bp --all --format json > trace.json\n"
        "  blockscope-cli replay trace.json");
    command.callback([&line] { line.chosen = [&line] { return replay_command(line.replay); }; });
}

void add_pictures(CLI::App& app, CommandLine& line) {
    add_render(app, line.render).callback([&line] {
        line.chosen = [&line] {
            return line.pictures ? line.pictures->render(line.render) : become_picture_program(line.words);
        };
    });
    add_export(app, line.export_run).callback([&line] {
        line.chosen = [&line] {
            return line.pictures ? line.pictures->export_run(line.export_run)
                                 : become_picture_program(line.words);
        };
    });
}

bool is_command(CLI::App& app, const std::string& name) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == name; });
}

bool wants_json(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--json") return true;
    }
    return false;
}

}  // namespace

int run(int argc, char** argv, const PictureCommands* pictures) {
    handle_interrupts();
    CLI::App app("See how array programs fuse: the Blockbuster rules and algorithm, step by step.",
                 "blockscope-cli");
    app.set_version_flag("--version", "blockscope-cli " BLOCKSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 fine, 1 internal error, 2 usage, 3 bad input, 4 a result differs, "
        "5 no device, 6 timeout, 7 partial result, 130 interrupted.\n"
        "Start here: blockscope-cli fuse samples/attention.bp");
    CommandLine line;
    line.pictures = pictures;
    line.words = argv;
    add_fuse(app, line);
    add_matches(app, line);
    add_apply(app, line);
    add_why(app, line);
    add_cost(app, line);
    add_optimum(app, line.optimum, line.chosen);
    add_analyze(app, line.analyze, line.chosen);
    add_devices(app, line);
    add_check(app, line);
    add_rules(app, line);
    add_convert(app, line);
    add_replay(app, line);
    add_codegen(app, line.codegen, line.chosen);
    add_pictures(app, line);
    add_measuring(app, line.measuring, line.chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help and --version
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        if (argc == 1) {
            std::cerr << app.help();
            return kUsage;
        }
        const std::string first = argv[1];
        const bool unknown = first[0] != '-' && !is_command(app, first);
        const std::string sentence = unknown ? "there is no command '" + first + "'" : error.what();
        return fail(kUsage, sentence + " (--help says what is possible)", wants_json(argc, argv));
    }
    return guarded(line.chosen, wants_json(argc, argv));
}

}  // namespace blockscope::cli
