// blockscope-cli devices: what the time models know of machines.
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/cost_times.h"
#include "app/cli/device_csv.h"
#include "app/cli/failures.h"
#include "app/cli/table.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"

namespace blockscope::cli {
namespace {

void report_problems(const Problems& problems) {
    for (const Problem& problem : problems)
        std::cerr << "blockscope-cli: left out: " << to_string(problem) << '\n';
}

Row row_of(const Device& device) {
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
    for (const Device& device : devices) rows.push_back(row_of(device));
    print_table(rows, Align::Left, style);
    std::cout << "\nYour own: a description (docs/devices.md) in " << user_device_folder().string() << '\n';
}

std::string number(double value) {
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

void print_card(const Device& device, const Style& style) {
    std::cout << style(Tone::Cyan, device.name + ": " + device.title) << '\n';
    if (device.calibration)
        std::cout << "measured " << device.calibration->when << " on " << device.calibration->machine << " ("
                  << device.calibration->how << ")\n";
    std::vector<Row> rows = {{"figure", "value", "source", ""}};
    for (const NamedFigure& named : known_figures(device)) {
        rows.push_back({readable(device, named.name), number(named.figure->value), named.figure->source,
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

}  // namespace

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
        json["devices"] = Json::array();
        for (const Device& device : devices) json["devices"].push_back(Json::parse(write_json(device)));
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
        print_card(devices.front(), style);
    return kFine;
}

}  // namespace blockscope::cli
