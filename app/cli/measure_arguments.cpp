// Options of the commands that measure.
#include <CLI/CLI.hpp>

#include "app/cli/measure_commands.h"
#include "app/cli/validators.h"

namespace blockscope::cli {
namespace {

void add_device(CLI::App& command, std::string& on, std::string& host) {
    command.add_option("--on", on, "the device: cpu (default), or a card: cuda0, cuda1, ...")
        ->type_name("DEVICE");
    command.add_option("--host", host, "measure on another machine: ssh HOST blockscope-cli worker")
        ->type_name("HOST");
}

void add_common(CLI::App& command, MeasureArguments& to) {
    command.add_option("FILE", to.file, "a program: text, or JSON of an array or block program; - is stdin")
        ->required();
    add_device(command, to.on, to.host);
    command.add_option("--set", to.sizes, "another size, with another block size if you like: M=8192/64")
        ->type_name("NAME=SIZE[/BLOCK]");
    command
        .add_option("--type", to.type,
                    "of the inputs: f32 (default), bf16, or on a card also f16, e4m3, e5m2, and tf32 (f32, "
                    "products by tensor cores); sums are float32")
        ->type_name("T")
        ->check(CLI::IsMember({"f32", "tf32", "f16", "bf16", "e4m3", "e5m2"}));
    auto* safe = command.add_flag("--safe", to.safe, "the numerically safe forms, as on a card in any case");
    command.add_flag("--unsafe", to.unsafe, "on a card: the states themselves")->excludes(safe);
    command
        .add_option("--target", to.target,
                    "on a card: kernels for this target (codegen has them all) instead of the card's own")
        ->type_name("T");
    command.add_option("--block-threads", to.block_threads, "on a card: threads of a thread block")
        ->type_name("N")
        ->check(CLI::Range(64, 1024));
    command.add_option("--stages", to.stages, "on a card: stages of tiles that are copied ahead, at most")
        ->type_name("N")
        ->check(CLI::Range(1, 8));
    command.add_option("--threads", to.threads, "on a processor: how many (default: all cores)")
        ->type_name("N")
        ->check(CLI::Range(1, 4096));
    command.add_option("--seed", to.seed, "of the random inputs (default 1)")
        ->type_name("S")
        ->check(seed_number());
    command
        .add_option("--range", to.range,
                    "random inputs lie in [-R, R] (default 1): smaller ones keep f16 from overflowing")
        ->type_name("R")
        ->check(above_zero());
    command.add_option("--samples", to.plan.samples, "at least so many (default 25)")
        ->type_name("N")
        ->check(CLI::Range(1, 1'000'000));
    command.add_option("--seconds", to.plan.seconds, "and at least so long (default 0.3)")
        ->type_name("S")
        ->check(not_below_zero());
    command.add_option("--cap", to.plan.cap_seconds, "but no longer than so long (default 20 s)")
        ->type_name("S")
        ->check(above_zero());
    command
        .add_option("--results", to.results,
                    "append to this file (default $XDG_DATA_HOME/blockscope/results.jsonl)")
        ->type_name("OUT");
    command.add_flag("--no-results", to.no_results, "append to no file");
    auto* csv = command.add_flag("--csv", to.csv, "print comma-separated values");
    auto* json = command.add_flag("--json", to.json, "print one JSON object (docs/cli.md) and nothing else");
    csv->excludes(json);
}

// `snapshots` says which are taken if none is asked for.
void add_states(CLI::App& command, MeasureArguments& to, const std::string& snapshots) {
    auto* snapshot = command.add_option("--snapshot", to.snapshot, snapshots + "; 0 is the unfused program");
    snapshot->type_name("K");
    command.add_option("--step", to.step, "the state after step N instead")
        ->type_name("N")
        ->excludes(snapshot);
}

void add_run(CLI::App& app, MeasureArguments& to, std::function<int()>& chosen) {
    CLI::App& command = *app.add_subcommand("run", "check and time the states of a run");
    add_common(command, to);
    add_states(command, to, "all (default), or one: 1, 2, ...");
    command.add_flag("--no-cold", to.no_cold, "only with warm caches");
    command.footer(
        "Each result is compared with a float64 reference before it is timed. Every measurement is kept.\n"
        "Examples:\n"
        "  blockscope-cli run samples/attention.bp\n"
        "  blockscope-cli run samples/attention.bp --snapshot 2 --set M=8192/64 --type bf16");
    command.callback([&] { chosen = [&to] { return run_command(to); }; });
}

void add_bench(CLI::App& app, MeasureArguments& to, std::function<int()>& chosen) {
    CLI::App& command =
        *app.add_subcommand("bench", "compare the states of a run with one of them, run by run");
    add_common(command, to);
    add_states(command, to, "all (default), or one: 1, 2, ...");
    command.add_option("--baseline", to.baseline, "compare with snapshot K (default 0, the unfused program)")
        ->type_name("K");
    command.footer(
        "The two programs run in turn, so that whatever disturbs the machine disturbs both; a ratio below 1 "
        "is "
        "faster than the baseline.\n"
        "Examples:\n"
        "  blockscope-cli bench samples/attention.bp\n"
        "  blockscope-cli bench samples/attention.bp --snapshot 2 --baseline 1 --json");
    command.callback([&] { chosen = [&to] { return bench_command(to); }; });
}

void add_tune(CLI::App& app, MeasureArguments& to, std::function<int()>& chosen) {
    CLI::App& command = *app.add_subcommand("tune", "search for the best block sizes of a snapshot");
    add_common(command, to);
    add_states(command, to, "last (default), all, or one: 1, 2, ...");
    command.add_flag("--no-cold", to.no_cold, "only with warm caches");
    command.add_option("--top", to.top, "measure so many of the model's favourites (default 8)")
        ->type_name("N")
        ->check(CLI::Range(1, 1000));
    command.footer(
        "Every measurement is kept.\n"
        "Example:\n  blockscope-cli tune samples/attention.bp --set M=2048 --set N=2048");
    command.callback([&] { chosen = [&to] { return tune_command(to); }; });
}

void add_calibrate(CLI::App& app, CalibrateArguments& to, std::function<int()>& chosen) {
    CLI::App& command =
        *app.add_subcommand("calibrate", "measure a device: memory, arithmetic, small products");
    add_device(command, to.on, to.host);
    command
        .add_option("-o,--output", to.output,
                    "write the description here (default $XDG_CACHE_HOME/blockscope/local-cpu.json)")
        ->type_name("OUT");
    auto* csv = command.add_flag("--csv", to.csv, "print comma-separated values: a line per figure");
    auto* json = command.add_flag("--json", to.json, "print one JSON object (docs/cli.md) and nothing else");
    csv->excludes(json);
    command.footer("Example:\n  blockscope-cli calibrate");
    command.callback([&] { chosen = [&to] { return calibrate_command(to); }; });
}

void add_diagnostics(CLI::App& app, DiagnosticsArguments& to, std::function<int()>& chosen) {
    CLI::App& command = *app.add_subcommand(
        "diagnostics", "say which graphics cards are there, and what is missing to use them");
    command.add_flag("--json", to.json, "print one JSON object (docs/cli.md) and nothing else");
    command.footer("Example:\n  blockscope-cli diagnostics");
    command.callback([&] { chosen = [&to] { return diagnostics_command(to); }; });
}

void add_worker(CLI::App& app, WorkerArguments& to, std::function<int()>& chosen) {
    CLI::App& command =
        *app.add_subcommand("worker", "measure for another program: JSON lines on stdin and stdout");
    command.add_flag("--json", to.json, "changes nothing: this command speaks JSON in any case");
    command.footer(
        "docs/worker-protocol.md describes the messages. Ends when stdin ends.\n"
        "Example:\n  echo '{\"id\": 1, \"type\": \"hello\", \"version\": 1}' |\n"
        "  blockscope-cli worker");
    command.callback([&] { chosen = [&to] { return worker_command(to); }; });
}

}  // namespace

void add_measuring(CLI::App& app, MeasureCommandLine& line, std::function<int()>& chosen) {
    add_run(app, line.run, chosen);
    add_bench(app, line.bench, chosen);
    line.tune.snapshot = "last";
    add_tune(app, line.tune, chosen);
    add_calibrate(app, line.calibrate, chosen);
    add_diagnostics(app, line.diagnostics, chosen);
    add_worker(app, line.worker, chosen);
}

}  // namespace blockscope::cli
