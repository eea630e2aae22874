#include "app/cli/cost_times.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/failures.h"
#include "app/cli/table.h"
#include "core/cost/models/models.h"
#include "core/engine/plan_work.h"
#include "core/json/device_files.h"

namespace blockscope::cli {
namespace {

std::string names_of(const std::vector<Device>& devices) {
    std::string names;
    for (const Device& device : devices) names += (names.empty() ? "" : ", ") + device.name;
    return names;
}

std::vector<const TimeModel*> chosen_models(const std::string& name) {
    std::vector<const TimeModel*> models;
    std::string names;
    for (const TimeModel& model : time_models()) {
        names += (names.empty() ? "" : ", ") + model.name;
        if (name == "all" || name == model.name) models.push_back(&model);
    }
    if (name.empty()) return {find_time_model("blockscope")};
    if (models.empty())
        throw UsageError("there is no time model '" + name + "'; there are " + names + ", and all");
    return models;
}

// Arrays as they lie in memory: the CPU engine keeps all but inputs in float32.
StateWork work_of(const Device& device, const LoopProgram& program) {
    if (device.kind == DeviceKind::Gpu) return state_work(program);
    return engine_work(program, {std::nullopt, ElemType::F32});
}

std::string exact(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc() ? std::string(text, end) : "0";
}

// What a kernel is called: the array that it stores last.
std::string kernel_name(const KernelTime& time, const StateWork& work) {
    if (time.kernel < 0) return "before";
    const KernelWork& kernel = work.kernels[static_cast<std::size_t>(time.kernel)];
    std::string name;
    for (const BufferWork& of : kernel.buffers)
        if (of.stored > 0) name = work.buffers[static_cast<std::size_t>(of.buffer)].name;
    return std::to_string(time.kernel + 1) + (name.empty() ? "" : " " + name);
}

void print_kernels(const std::string& formula, const Prediction& prediction, const StateWork& work,
                   const Style& style) {
    std::vector<Row> rows = {{"kernel", "time"}};
    for (const TimeTerm& term : prediction.terms) rows[0].push_back(term.name);
    for (const KernelTime& time : prediction.kernels) {
        Row row = {kernel_name(time, work), seconds_text(time.seconds)};
        for (const TimeTerm& term : prediction.terms) {
            const double seconds = seconds_of(time.terms, term.name);
            row.push_back(seconds > 0 ? seconds_text(seconds) : "-");
        }
        rows.push_back(std::move(row));
    }
    std::cout << style(Tone::Dim, formula) << '\n';
    print_table(rows, Align::Right, style);
    for (const KernelTime& time : prediction.kernels)
        std::cout << kernel_name(time, work) << ": " << time.sentence << '\n';
}

// A name as people write it: H100-SXM5.
std::string lower_case(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

}  // namespace

Device chosen_device(const std::string& name) {
    const bool file = name.find('/') != std::string::npos || name.ends_with(".json");
    if (file) {
        Result<Device> device = read_device_file(name);
        if (!device) throw BadInput(device.problems());
        return std::move(device).value();
    }
    const DeviceList list = load_devices();
    const std::string local = lower_case(name) == "local" ? kLocalCpu : name;
    for (const std::string& spelling : {local, lower_case(local)})
        if (const Device* device = find_device(list.devices, spelling)) return *device;
    if (local == kLocalCpu)
        throw NoDevice("this machine is not calibrated; 'blockscope-cli calibrate' measures it");
    // Perhaps the user's own, which cannot be read.
    std::string left_out;
    for (const Problem& problem : list.problems)
        if (to_string(problem).find("/" + name + ".json") != std::string::npos)
            left_out += "\nleft out: " + to_string(problem);
    throw NoDevice("there is no device '" + name + "'; there are " + names_of(list.devices) + left_out);
}

std::optional<TimesRequest> times_request(const CostArguments& arguments) {
    if (arguments.device.empty() && arguments.model.empty()) {
        if (arguments.processors != 0) throw UsageError("--processors needs --device or --model");
        return std::nullopt;
    }
    ModelSetting setting;
    setting.processors = arguments.processors;
    // The model first: without a device, the machine that is not calibrated would hide its mistake.
    std::vector<const TimeModel*> models = chosen_models(arguments.model);
    Device device = chosen_device(arguments.device.empty() ? kLocalCpu : arguments.device);
    if (setting.processors > device.processors.value)
        throw UsageError("--processors " + std::to_string(setting.processors) + ": " + device.title +
                         " has " + std::to_string(std::lround(device.processors.value)));
    return TimesRequest{std::move(device), std::move(models), setting};
}

StateTimes predict_times(const TimesRequest& request, const std::string& name, const LoopProgram& program) {
    const StateWork work = work_of(request.device, program);
    StateTimes times{name, {}};
    for (const TimeModel* model : request.models)
        times.predictions.push_back(predict(*model, work, request.device, request.setting));
    return times;
}

void print_times(const TimesRequest& request, const std::vector<StateTimes>& all, const LoopProgram& last,
                 const Style& style) {
    std::cout << '\n' << style(Tone::Bold, "predicted on " + request.device.title) << '\n';
    std::vector<Row> rows = {{"state"}};
    for (const TimeModel* model : request.models) {
        rows[0].push_back(model->name);
        rows[0].push_back("binds");
    }
    for (const StateTimes& times : all) {
        Row row = {times.name};
        for (const Prediction& prediction : times.predictions) {
            row.push_back(seconds_text(prediction.seconds));
            row.push_back(prediction.binding);
        }
        rows.push_back(std::move(row));
    }
    print_table(rows, Align::Right, style);
    const StateWork work = work_of(request.device, last);
    for (std::size_t i = 0; i < request.models.size(); ++i) {
        std::cout << '\n' << style(Tone::Bold, all.back().name + ": " + request.models[i]->title) << '\n';
        print_kernels(formula_on(*request.models[i], request.device), all.back().predictions[i], work, style);
    }
}

Json times_json(const TimesRequest& request, const StateTimes& times) {
    const auto terms = [](const std::vector<TimeTerm>& list) {
        Json json = Json::object();
        for (const TimeTerm& term : list) json[term.name] = term.seconds;
        return json;
    };
    Json json = Json::array();
    for (std::size_t i = 0; i < request.models.size(); ++i) {
        const Prediction& prediction = times.predictions[i];
        Json kernels = Json::array();
        for (const KernelTime& time : prediction.kernels) {
            const bool bound = time.binding >= 0;
            kernels.push_back(
                {{"kernel", time.kernel},
                 {"seconds", time.seconds},
                 {"binds", bound ? time.terms[static_cast<std::size_t>(time.binding)].name : ""},
                 {"terms", terms(time.terms)},
                 {"sentence", time.sentence}});
            if (time.kernel >= 0) kernels.back()["node"] = node_json(time.node);
        }
        json.push_back({{"model", request.models[i]->name},
                        {"seconds", prediction.seconds},
                        {"binds", prediction.binding},
                        {"sentence", prediction.sentence},
                        {"kernels", std::move(kernels)}});
    }
    return json;
}

std::string times_csv_head(const TimesRequest& request) {
    std::string head;
    for (const TimeModel* model : request.models)
        head += "," + model->name + "_seconds," + model->name + "_binds";
    return head;
}

std::string times_csv(const StateTimes& times) {
    std::string line;
    for (const Prediction& prediction : times.predictions)
        line += "," + exact(prediction.seconds) + "," + prediction.binding;
    return line;
}

}  // namespace blockscope::cli
