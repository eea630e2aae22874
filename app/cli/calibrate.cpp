// blockscope-cli calibrate: measures a machine and keeps its description.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/device_csv.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/measuring.h"
#include "app/cli/quantity.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"

namespace blockscope::cli {
namespace {

std::string rate(double value, const char* unit) {
    return count_text(static_cast<std::int64_t>(value)) + unit + "/s";
}

void print_device(const Device& device, const std::string& file) {
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
    std::cout << "kept in " << file << '\n';
}

}  // namespace

int calibrate_command(const CalibrateArguments& arguments) {
    worker::Client client(worker_for(arguments.host));
    const auto hello = client.hello();
    if (!hello) throw NoDevice(hello.failure().message);
    StatusLine status;
    client.on_progress([&status](const measure::ProgressEvent& event) {
        status.show("calibrating: " + event.phase + ", " + std::to_string(event.done) + " of " +
                    std::to_string(event.total));
    });
    const auto calibrated = client.calibrate({arguments.on});
    if (!calibrated) {
        const measure::Failure& failure = calibrated.failure();
        if (failure.cls == measure::FailureClass::Refused) throw NoDevice(failure.message);
        std::cerr << "blockscope-cli: " << failure.message << '\n';
        return failure.cls == measure::FailureClass::Timeout ? kTimeout : kPartial;
    }
    const Result<Device> described = read_device(json::print(calibrated->device), "the worker's description");
    if (!described) throw BadInput(described.problems());
    Device device = *described;
    if (!arguments.host.empty()) device.name = calibrated_name(arguments.host, arguments.on);
    const std::string file =
        arguments.output.empty() ? calibrated_file(device.name).string() : arguments.output;
    if (file.empty()) throw UsageError("where to keep the description? (-o)");
    if (const auto problem = write_device_file(file, device)) throw BadInput({*problem});
    if (arguments.json) {
        Json json = envelope("calibrate");
        json["output"] = file;
        json["device"] = Json::parse(write_json(device));
        std::cout << to_text(json) << '\n';
    } else if (arguments.csv) {
        std::cout << devices_csv({device});
    } else {
        print_device(device, file);
    }
    return kFine;
}

}  // namespace blockscope::cli
