// blockscope-cli devices, calibrate, diagnostics and worker: what is known of machines, how a machine is
// measured, and what of CUDA is there.
#include <unistd.h>
#include <algorithm>
#include <cstdio>

#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/envelope.h"
#include "app/cli/measuring.h"
#include "app/cli/terminal.h"
#include "app/worker/serve.h"
#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/measure/sampling.h"
#include "gpu/driver/driver.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::cli {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string devices_csv(const std::vector<Device>& devices) {
    std::ostringstream text;
    text.precision(9);
    text << "device,figure,value,source,how\n";
    for (const Device& device : devices)
        for (const NamedFigure& named : known_figures(device))
            text << device.name << ',' << quoted(named.name) << ',' << named.figure->value << ','
                 << quoted(named.figure->source) << ',' << quoted(named.figure->how) << '\n';
    return text.str();
}

struct DevicesArguments {
    std::string name;  // empty: the table
    bool csv = false;
    bool json = false;
};

void report_problems(const Problems& problems) {
    for (const Problem& problem : problems)
        std::cerr << "blockscope-cli: left out: " << harmless_name(to_string(problem)) << '\n';
}

Row device_row(const Device& device) {
    const MemoryLevel& memory = global_memory(device);
    double cache = 0;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache)
            cache = capacity_for(device, level, device.processors.value) * device.processors.value;
    return {device.name,
            device.title,
            std::to_string(static_cast<long long>(device.processors.value)),
            rate_text(device_rate(device, Unit::Matrix, ElemType::F32), "FLOP"),
            rate_text(device_rate(device, Unit::Matrix, ElemType::BF16), "FLOP"),
            rate_text(memory.bandwidth.value, "B"),
            bytes_text_of(cache),
            seconds_text(device.launch.value)};
}

void print_list(const std::vector<Device>& devices, const Style& style) {
    std::vector<Row> rows = {
        {"name", "device", "processors", "matrix f32", "bf16", "memory", "last cache", "launch"}};
    for (const Device& device : devices) rows.push_back(device_row(device));
    print_table(rows, Align::Left, style);
    std::cout << "\nYour own: a description (docs/devices.md) in "
              << harmless_name(user_device_folder().string()) << '\n';
}

std::string six_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// "memory/2/bandwidth" with the level's name: "L2 bandwidth".
std::string readable(const Device& device, const std::string& name) {
    const std::size_t first = name.find('/');
    const std::size_t last = name.rfind('/');
    if (first == std::string::npos || first == last)
        return name.substr(first == std::string::npos ? 0 : first + 1);
    const auto index = static_cast<std::size_t>(std::stoul(name.substr(first + 1, last - first - 1)));
    const std::string key = name.substr(last + 1);
    if (name.starts_with("memory/")) return device.memory[index].name + " " + key;
    if (name.starts_with("parameters/")) return "parameter " + device.parameters[index].name;
    if (name.starts_with("matmul/")) {
        const MatmulPoint& p = device.matmul[index];
        return "product " + to_string(p.elem) + " " + std::to_string(p.rows) + "x" + std::to_string(p.depth) +
               "x" + std::to_string(p.cols);
    }
    static constexpr const char* kUnits[] = {"matrix", "vector", "special"};
    const PeakRate& rate = device.rates[index];
    return std::string(kUnits[static_cast<std::size_t>(rate.unit)]) + " " + to_string(rate.elem) + " " + key;
}

void print_device(const Device& device, const Style& style) {
    std::cout << style(Tone::Cyan, device.name + ": " + device.title) << '\n';
    if (device.calibration)
        std::cout << "measured " << device.calibration->when << " on " << device.calibration->machine << " ("
                  << device.calibration->how << ")\n";
    std::vector<Row> rows = {{"figure", "value", "source", ""}};
    for (const NamedFigure& named : known_figures(device)) {
        rows.push_back({readable(device, named.name), six_digits(named.figure->value), named.figure->source,
                        named.figure->how});
        if (rows.back().back().empty()) rows.back().pop_back();
    }
    for (const MatrixTile& tile : device.tiles)
        rows.push_back(
            {tile.instruction,
             std::to_string(tile.rows) + "x" + std::to_string(tile.cols) + "x" + std::to_string(tile.depth),
             tile.source, to_string(tile.elem) + ": rows, columns, depth divide by these"});
    print_table(rows, Align::Left, style);
    std::cout << '\n';
    for (const Source& source : device.sources)
        std::cout << style(Tone::Bold, source.id) << ": " << source.title
                  << (source.url.empty() ? "" : " <" + source.url + ">") << '\n';
}

int devices_command(const DevicesArguments& arguments) {
    std::vector<Device> devices;
    if (arguments.name.empty()) {
        DeviceList list = load_devices();
        report_problems(list.problems);
        devices = std::move(list.devices);
    } else {
        devices.push_back(chosen_device(arguments.name));
    }
    if (arguments.json) {
        Json json = envelope("devices");
        json["devices"] = json::Array{};
        for (const Device& device : devices) json["devices"].push_back(parsed(write_json(device)));
        std::cout << to_text(json) << '\n';
        return kFine;
    }
    if (arguments.csv) {
        std::cout << devices_csv(devices);
        return kFine;
    }
    const Style style = style_for(STDOUT_FILENO);
    if (arguments.name.empty())
        print_list(devices, style);
    else
        print_device(devices.front(), style);
    return kFine;
}

}  // namespace

Command devices_row() {
    const auto arguments = std::make_shared<DevicesArguments>();
    return {.name = "devices",
            .summary = "list the devices that times are predicted for",
            .options = {{.names = "NAME",
                         .help = "one of them, or a description's file: every figure with its source",
                         .to = &arguments->name,
                         .offered = builtin_device_names,
                         .completion = Completion::Files},
                        {.names = "--csv",
                         .help = "print comma-separated values: a line per figure of all devices",
                         .to = &arguments->csv,
                         .excludes = {"--json"}},
                        json_option(arguments->json)},
            .notes =
                "Examples:\n"
                "  blockscope-cli devices\n"
                "  blockscope-cli devices h100-sxm5\n"
                "  blockscope-cli devices ./mine.json --json",
            .run = [arguments](const Invocation&) { return devices_command(*arguments); }};
}

// ---- blockscope-cli calibrate: measures a machine and keeps its description.

namespace {

struct CalibrateArguments {
    std::string on = "cpu";
    std::string host;
    std::string output;  // empty: the cache
    double wait = kWait;
    bool keep = false;  // figures that are not to be trusted, too
    bool csv = false;
    bool json = false;
};

std::string rate(double value, const char* unit) {
    return count_text(static_cast<std::int64_t>(value)) + unit + "/s";
}

void print_device(const Device& device, const std::string& file, const std::vector<Text>& doubts, bool keep) {
    const bool card = device.kind == DeviceKind::Gpu;
    std::cout << device.title << ", " << device.processors.value
              << (card ? " multiprocessors\n" : " cores\n");
    for (const MemoryLevel& level : device.memory) {
        if (!level.bandwidth.known()) continue;
        std::cout << "  " << level.name << ": " << bytes_text(static_cast<std::int64_t>(level.capacity.value))
                  << ", " << rate(level.bandwidth.value, "B");
        if (level.processor_bandwidth.known())
            std::cout << " together, " << rate(level.processor_bandwidth.value, "B") << " one core";
        std::cout << '\n';
    }
    const char* one = card ? " one multiprocessor\n" : " one core\n";
    std::cout << "  multiply-adds: " << rate(device_rate(device, Unit::Vector, ElemType::F32), "FLOP")
              << " together, " << rate(processor_rate(device, Unit::Vector, ElemType::F32), "FLOP") << one;
    std::cout << "  exp: " << rate(processor_rate(device, Unit::Special, ElemType::F32), "") << one;
    if (card)
        std::cout << "  tensor cores: " << rate(device_rate(device, Unit::Matrix, ElemType::F16), "FLOP")
                  << " in f16\n  a launch: " << seconds_text(device.launch.value) << '\n';
    for (const MatmulPoint& point : device.matmul)
        std::cout << "  product " << point.rows << "x" << point.depth << " by " << point.depth << "x"
                  << point.cols << ": " << rate(point.rate.value, "FLOP") << '\n';
    if (doubts.empty() || keep) std::cout << "kept in " << harmless_name(file) << '\n';
    for (const Text& doubt : doubts) std::cout << harmless(doubt.str()) << '\n';
    if (!doubts.empty() && !keep)
        std::cout
            << "Not kept: an earlier description stays as it is. --keep keeps these figures all the same.\n";
}

// Why the figures are not to be trusted.
std::vector<Text> doubts_of(const Device& device, const measure::Calm& calm,
                            const measure::CalibratedAnswer& answer) {
    std::vector<Text> doubts = contradictions(device);
    const double others = std::max(answer.others.value_or(0), calm.busy() ? calm.others.value_or(0) : 0);
    if (others > measure::kBusyCores) doubts.insert(doubts.begin(), measure::distrust(others));
    return doubts;
}

int calibrate_command(const CalibrateArguments& arguments) {
    worker::Client client(worker_for(arguments.host));
    const auto hello = client.hello();
    if (!hello) throw NoDevice(hello.failure().message.str());
    StatusLine status;
    client.on_progress([&status](const measure::ProgressEvent& event) {
        status.show("calibrating: " + event.phase + ", " + std::to_string(event.done) + " of " +
                    std::to_string(event.total));
    });
    const auto calm = client.calm({arguments.on, arguments.wait});
    const auto calibrated = client.calibrate({arguments.on});
    if (!calibrated) {
        const measure::Failure& failure = calibrated.failure();
        if (failure.cls == measure::FailureClass::Refused) throw NoDevice(failure.message.str());
        std::cerr << "blockscope-cli: " << harmless(failure.message.str()) << '\n';
        return failure.cls == measure::FailureClass::Timeout ? kTimeout : kPartial;
    }
    const Result<Device> described = read_device(json::print(calibrated->device), "the worker's description");
    if (!described) throw BadInput(described.problems());
    Device device = *described;
    if (!arguments.host.empty()) device.name = calibrated_name(arguments.host, arguments.on);
    const std::string file =
        arguments.output.empty() ? calibrated_file(device.name).string() : arguments.output;
    if (file.empty()) throw UsageError("where to keep the description? (-o)");
    const std::vector<Text> doubts = doubts_of(device, calm ? calm->calm : measure::Calm{}, *calibrated);
    const bool kept = doubts.empty() || arguments.keep;
    if (kept)
        if (const auto problem = write_device_file(file, device)) throw BadInput({*problem});
    if (arguments.json) {
        Json json = envelope("calibrate");
        json["output"] = file;
        json["kept"] = kept;
        json["doubts"] = json::Array{};
        for (const Text& doubt : doubts) json["doubts"].push_back(doubt.str());
        json["device"] = parsed(write_json(device));
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        std::cout << devices_csv({device});
    } else {
        print_device(device, file, doubts, arguments.keep);
    }
    return kept ? kFine : kPartial;
}

}  // namespace

Command calibrate_row() {
    const auto arguments = std::make_shared<CalibrateArguments>();
    Option output = output_option(arguments->output);
    output.help = "write the description here (default $XDG_CACHE_HOME/blockscope/local-cpu.json)";
    return {.name = "calibrate",
            .summary = "measure a device: memory, arithmetic, small products",
            .options =
                joined(joined(machine_options(arguments->on, arguments->host),
                              {output,
                               wait_option(arguments->wait),
                               {.names = "--keep",
                                .help = "figures that are not to be trusted, too: of a busy machine, or that "
                                        "contradict each other",
                                .to = &arguments->keep}}),
                       table_options(arguments->csv, arguments->json,
                                     "print comma-separated values: a line per figure")),
            .notes = "Example:\n  blockscope-cli calibrate",
            .run = [arguments](const Invocation&) { return calibrate_command(*arguments); }};
}

// ---- blockscope-cli diagnostics and worker: what of CUDA is there, and measuring for another program.

namespace {

Json library_search_json(const gpu::Search& search, const std::string& version,
                         const std::vector<std::string>& commands) {
    Json attempts = json::Array{};
    for (const gpu::Search::Attempt& attempt : search.attempts)
        attempts.push_back({{"path", attempt.path}, {"outcome", attempt.outcome}});
    return {{"found", search.found},
            {"version", version},
            {"searched", attempts},
            {"install", list_json(commands)}};
}

Json card_json(const gpu::Card& card) {
    return {{"name", "cuda" + std::to_string(card.index)},
            {"model", card.name},
            {"architecture", card.architecture()},
            {"processors", card.processors},
            {"memory_bytes", card.memory_bytes},
            {"l2_bytes", card.l2_bytes},
            {"shared_bytes_per_block", card.shared_bytes_per_block}};
}

int diagnostics_command(bool as_json) {
    const gpu::Findings findings = gpu::find_cuda();
    if (!as_json) {
        std::cout << gpu::report(findings);
        return kFine;
    }
    Json json = envelope("diagnostics");
    const std::string version =
        findings.driver_version > 0 ? gpu::cuda_version(findings.driver_version) : std::string();
    json["driver"] = library_search_json(findings.driver, version, gpu::driver_commands());
    json["cards"] = json::Array{};
    for (const gpu::Card& card : findings.cards) json["cards"].push_back(card_json(card));
    json["compiler"] =
        library_search_json(findings.compiler, findings.compiler_version, gpu::nvrtc_commands());
    std::cout << to_text(json) << '\n';
    return kFine;
}

}  // namespace

Command diagnostics_row() {
    const auto json = std::make_shared<bool>(false);
    return {.name = "diagnostics",
            .summary = "say which graphics cards are there, and what is missing to use them",
            .options = {json_option(*json)},
            .notes = "Example:\n  blockscope-cli diagnostics",
            .run = [json](const Invocation&) { return diagnostics_command(*json); }};
}

Command worker_row() {
    const auto json = std::make_shared<bool>(false);
    Option json_too = json_option(*json);
    json_too.help = "changes nothing: this command speaks JSON in any case";
    return {.name = "worker",
            .summary = "measure for another program: JSON lines on stdin and stdout",
            .options = {json_too},
            .notes =
                "app/worker/README.md describes the messages. Ends when stdin ends.\n"
                "Example:\n  echo '{\"id\": 1, \"type\": \"hello\", \"version\": 1}' |\n"
                "  blockscope-cli worker",
            .run = [json](const Invocation&) -> int { worker::worker_main(); }};
}

}  // namespace blockscope::cli
