// blockscope-cli calibrate: measures a machine and keeps its description.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/measuring.h"
#include "app/cli/quantity.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"

namespace blockscope::cli {
namespace {

std::string rate(double value, const char* unit) {
    return count_text(static_cast<std::int64_t>(value)) + unit + "/s";
}

void print_device(const Device& device, const std::string& file) {
    std::cout << device.title << ", " << device.processors.value << " cores\n";
    for (const MemoryLevel& level : device.memory) {
        std::cout << "  " << level.name << ": " << bytes_text(static_cast<std::int64_t>(level.capacity.value))
                  << ", " << rate(level.bandwidth.value, "B");
        if (level.processor_bandwidth.known())
            std::cout << " together, " << rate(level.processor_bandwidth.value, "B") << " one core";
        std::cout << '\n';
    }
    std::cout << "  multiply-adds: " << rate(device_rate(device, Unit::Vector, ElemType::F32), "FLOP")
              << " together, " << rate(processor_rate(device, Unit::Vector, ElemType::F32), "FLOP")
              << " one core\n";
    std::cout << "  exp: " << rate(processor_rate(device, Unit::Special, ElemType::F32), "") << " one core\n";
    for (const MatmulPoint& point : device.matmul)
        std::cout << "  product " << point.rows << "x" << point.depth << " by " << point.depth << "x"
                  << point.cols << ": " << rate(point.rate.value, "FLOP") << '\n';
    std::cout << "kept in " << file << '\n';
}

}  // namespace

int calibrate_command(const CalibrateArguments& arguments) {
    std::string file = arguments.output;
    if (file.empty() && arguments.host.empty()) file = local_cpu_file().string();
    if (file.empty()) throw UsageError("where to keep the description? (-o)");
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
    const Result<Device> device = read_device(json::print(calibrated->device), "the worker's description");
    if (!device) throw BadInput(device.problems());
    if (const auto problem = write_device_file(file, *device)) throw BadInput({*problem});
    if (arguments.json) {
        Json json = envelope("calibrate");
        json["output"] = file;
        json["device"] = Json::parse(write_json(*device));
        std::cout << to_text(json) << '\n';
    } else {
        print_device(*device, file);
    }
    return kFine;
}

}  // namespace blockscope::cli
