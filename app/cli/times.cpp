// Predicted times in `cost`, and what they are compared with: kernels that people have.
#include "app/cli/cost.h"

#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>

#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "core/cost/kernel_work.h"
#include "core/cost/lifetime.h"
#include "core/json/device_files.h"

namespace blockscope::cli {

namespace {

std::string device_names(const std::vector<Device>& devices) {
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
    if (name.empty()) return {find_time_model(kUsualModel)};
    if (models.empty())
        throw UsageError("there is no time model '" + name + "'; there are " + names + ", and all");
    return models;
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
        std::cout << kernel_name(time, work) << ": " << time.sentence.str() << '\n';
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
    throw NoDevice("there is no device '" + name + "'; there are " + device_names(list.devices) + left_out);
}

std::optional<TimesRequest> times_request(const CostArguments& arguments) {
    if (arguments.device.empty() && arguments.model.empty()) {
        if (arguments.processors != 0) throw UsageError("--processors needs --device or --model");
        return std::nullopt;
    }
    ModelSetting setting;
    setting.processors = arguments.processors;
    std::vector<const TimeModel*> models = chosen_models(arguments.model);
    Device device = chosen_device(arguments.device.empty() ? usual_device() : arguments.device);
    if (setting.processors > device.processors.value)
        throw UsageError("--processors " + std::to_string(setting.processors) + ": " + device.title +
                         " has " + std::to_string(std::lround(device.processors.value)));
    return TimesRequest{std::move(device), std::move(models), setting, !arguments.unsafe};
}

State timed(const TimesRequest& request, const State& state) {
    return state.in_form(worker::built_form(request.device, state.form(), request.safe));
}

namespace {

// How the kernels are built that a time is predicted for; empty on processors.
std::string built_as(const State& state, const Device& device) {
    if (device.kind != DeviceKind::Gpu) return {};
    const worker::BuildPlan plan = worker::build_plan(state, device);
    if (plan.target.empty())
        return "no kernels can be generated; thread blocks are estimated: " + plan.why_not;
    std::string text = "as generated for " + plan.target;
    if (plan.dims) text += " with smaller blocks, which fit (" + plan.smaller + ")";
    for (const auto& [node, parts] : plan.setting.parts)
        text += ", reductions of " + to_string(node) + " in " + std::to_string(parts.parts) + " parts";
    return text;
}

// "L2 13.0 GB, HBM3 537 MB": what passes each level.
std::string levels_text(const std::vector<LevelBytes>& levels) {
    std::string text;
    for (const LevelBytes& level : levels)
        text += (text.empty() ? "" : ", ") + level.level + " " + bytes_text_of(level.bytes);
    return text;
}

void print_places(const Prediction& prediction, const State& state, const Device& device) {
    if (!prediction.levels.empty())
        std::cout << "passes " << levels_text(prediction.levels) << "; compulsory "
                  << bytes_text_of(static_cast<double>(state.counts().compulsory)) << '\n';
    if (!prediction.levels.empty() && prediction.levels.back().bytes == 0)
        std::cout << "nothing comes from " << prediction.levels.back().level
                  << ": as where runs are repeated, caches hold what the run before left there\n";
    const MemoryLevel* registers = first_level(device, LevelRole::Registers);
    const MemoryLevel* shared = first_level(device, LevelRole::Shared);
    if (device.kind != DeviceKind::Gpu || !registers || !shared) return;
    const auto bytes = [](std::int64_t amount) { return bytes_text_of(static_cast<double>(amount)); };
    std::cout << "a task keeps " << bytes(most_of(state.alive(), &LocalMemory::registers)) << " of "
              << bytes_text_of(local_capacity(*registers)) << " in registers (accumulators, f32) and "
              << bytes(most_of(state.alive(), &LocalMemory::tiles)) << " of "
              << bytes_text_of(local_capacity(*shared)) << " in shared memory (operands)\n";
}

}  // namespace

StateTimes predict_times(const TimesRequest& request, const ChosenState& chosen) {
    const State built = timed(request, chosen.state);
    StateTimes times{.name = chosen.name,
                     .step = chosen.step,
                     .models = request.models,
                     .form = actual_form(built),
                     .built = built_as(built, request.device)};
    for (const TimeModel* model : request.models)
        times.predictions.push_back(worker::predict_as_built(*model, built, request.device, request.setting));
    return times;
}

std::string starred(const std::string& name, int step, const std::optional<Ranking>& ranking) {
    return ranking && !ranking->empty() && ranking->best().step == step ? name + " ★" : name;
}

void print_times(const TimesRequest& request, const std::vector<StateTimes>& all, std::size_t detailed,
                 const State& its_state, const std::optional<Ranking>& ranking, const Style& style) {
    const State built = timed(request, its_state);
    const StateTimes& shown = all.at(detailed);
    std::cout << '\n'
              << style(Tone::Bold,
                       "predicted on " + request.device.title + ", of the " + form_title(actual_form(built)))
              << '\n';
    std::vector<Row> rows = {{"state"}};
    for (const TimeModel* model : request.models) {
        rows[0].push_back(model->name);
        rows[0].push_back("binds");
    }
    for (const StateTimes& times : all) {
        Row row = {starred(times.name, times.step, ranking)};
        for (const Prediction& prediction : times.predictions) {
            row.push_back(seconds_text(prediction.seconds));
            row.push_back(prediction.binding);
        }
        rows.push_back(std::move(row));
    }
    print_table(rows, Align::Right, style);
    const StateWork work = worker::work_on(built, request.device);
    for (std::size_t i = 0; i < request.models.size(); ++i) {
        std::cout << '\n' << style(Tone::Bold, shown.name + ": " + request.models[i]->title.str()) << '\n';
        print_kernels(formula_on(*request.models[i], request.device).str(), shown.predictions[i], work,
                      style);
        if (request.models[i]->name != kUsualModel) continue;
        if (!shown.built.empty()) std::cout << shown.built << '\n';
        print_places(shown.predictions[i], built, request.device);
    }
}

Json times_json(const TimesRequest& request, const StateTimes& times) {
    const auto terms = [](const std::vector<TimeTerm>& list) {
        Json json = json::Object{};
        for (const TimeTerm& term : list) json[term.name] = term.seconds;
        return json;
    };
    Json json = json::Array{};
    for (std::size_t i = 0; i < request.models.size(); ++i) {
        const Prediction& prediction = times.predictions[i];
        Json levels = json::Array{};
        for (const LevelBytes& level : prediction.levels)
            levels.push_back({{"level", level.level}, {"bytes", level.bytes}});
        Json kernels = json::Array{};
        for (const KernelTime& time : prediction.kernels) {
            const bool bound = time.binding >= 0;
            Json one = {{"kernel", time.kernel},
                        {"seconds", time.seconds},
                        {"binds", bound ? time.terms[static_cast<std::size_t>(time.binding)].name : ""},
                        {"terms", terms(time.terms)},
                        {"sentence", time.sentence.str()}};
            if (time.kernel >= 0) one["node"] = node_json(time.node);
            kernels.push_back(std::move(one));
        }
        json.push_back({{"model", request.models[i]->name},
                        {"seconds", prediction.seconds},
                        {"binds", prediction.binding},
                        {"sentence", prediction.sentence.str()},
                        {"levels", std::move(levels)},
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

// ---- Baselines.

namespace {

BaselineCosts unfused_costs(const State& unfused, const std::optional<TimesRequest>& request) {
    BaselineCosts costs;
    costs.kind = BaselineKind::Unfused;
    costs.bytes = static_cast<double>(unfused.counts().bytes());
    costs.kernels = static_cast<std::size_t>(unfused.counts().launches);
    if (request)
        costs.prediction = worker::predict_as_built(*find_time_model(kUsualModel), timed(*request, unfused),
                                                    request->device, request->setting);
    return costs;
}

BaselineCosts array_costs(const ArrayProgram& program, BaselineKind kind,
                          const std::optional<TimesRequest>& request) {
    BaselineCosts costs;
    costs.kind = kind;
    costs.made = baseline(program, kind);
    costs.bytes = costs.made.bytes();
    costs.kernels = costs.made.kernels.size();
    if (request) costs.prediction = predict_baseline(costs.made, request->device, request->setting);
    return costs;
}

}  // namespace

std::vector<BaselineSeconds> seconds_of(const Baselines& baselines) {
    std::vector<BaselineSeconds> seconds;
    for (const BaselineCosts& one : baselines.all)
        if (one.prediction) seconds.push_back({one.kind, one.prediction->seconds, one.kernels});
    return seconds;
}

std::vector<std::string> baseline_names() {
    std::vector<std::string> names;
    for (const BaselineKind kind : all_baselines()) names.push_back(to_string(kind));
    return names;
}

const Prediction* usual_prediction(const StateTimes& times) {
    for (std::size_t i = 0; i < times.predictions.size(); ++i)
        if (times.models[i]->name == kUsualModel) return &times.predictions[i];
    return nullptr;
}

Baselines baselines_of(const Loaded& loaded, const State& unfused, const std::string& name,
                       const std::optional<TimesRequest>& request) {
    const BaselineKind wanted = baseline_named(name.empty() ? "library" : name).value();
    Baselines baselines;
    if (loaded.array) {
        const ArrayProgram program =
            in_types(at_sizes(*loaded.array, unfused.source()->dims), unfused.form().stored);
        for (const BaselineKind kind :
             {BaselineKind::Library, BaselineKind::Compiler, BaselineKind::Operators})
            baselines.all.push_back(array_costs(program, kind, request));
    } else {
        if (!name.empty() && wanted != BaselineKind::Unfused)
            throw UsageError("--baseline " + name + ": " + loaded.name +
                             " holds a block program; kernels of an array program are not known of it. "
                             "There is --baseline unfused");
        baselines.note = "a block program has no array program whose kernels others would run";
    }
    baselines.all.push_back(unfused_costs(unfused, request));
    for (std::size_t i = 0; i < baselines.all.size(); ++i)
        if (baselines.all[i].kind == wanted) baselines.chosen = i;
    return baselines;
}

std::string against_text(const Baselines& baselines, const State& state, const StateTimes* times) {
    const BaselineCosts& against = baselines.against();
    const Prediction* prediction = times ? usual_prediction(*times) : nullptr;
    if (prediction && against.prediction)
        return compared_with(prediction->seconds, {against.kind, against.prediction->seconds}).str();
    const auto moved = static_cast<double>(state.counts().bytes());
    const std::string title = baseline_title(against.kind).str();
    if (moved <= 0) return "moves nothing";
    const double ratio = against.bytes >= moved ? against.bytes / moved : moved / against.bytes;
    if (times_text(ratio) == "1") return "moves as much as " + title;
    if (against.bytes >= moved) return "moves " + times_text(ratio) + " times less than " + title;
    return "moves " + times_text(ratio) + " times more than " + title;
}

void print_baselines(const Baselines& baselines, const std::vector<ChosenState>& states,
                     const std::vector<StateTimes>& times, const std::optional<Ranking>& ranking,
                     const std::optional<Verdict>& said, const Style& style) {
    std::cout << '\n' << style(Tone::Bold, "baselines") << '\n';
    const bool timed = baselines.against().prediction.has_value();
    std::vector<Row> rows = {{"baseline", "kernels", "moved"}};
    if (timed) rows[0].insert(rows[0].end(), {"time", "binds"});
    for (const BaselineCosts& one : baselines.all) {
        Row row = {to_string(one.kind), std::to_string(one.kernels), bytes_text_of(one.bytes)};
        if (timed) row.insert(row.end(), {seconds_text(one.prediction->seconds), one.prediction->binding});
        rows.push_back(std::move(row));
    }
    print_table(rows, Align::Right, style);
    for (std::size_t i = 0; i < states.size(); ++i)
        std::cout << states[i].name << ": "
                  << against_text(baselines, states[i].state, times.empty() ? nullptr : &times[i]) << '\n';
    if (!baselines.note.empty()) std::cout << baselines.note << '\n';
    if (!said) return;
    std::cout << "best of " << ranking->states.size()
              << " states at these block sizes: " << ranking->best().name << ", "
              << seconds_text(ranking->best().value) << ". " << said->sentence.str() << '\n'
              << "`tune --predict` lists the best of other block sizes\n";
}

Json baselines_json(const Baselines& baselines) {
    Json json = json::Array{};
    for (const BaselineCosts& one : baselines.all) {
        Json entry = {{"name", to_string(one.kind)},
                      {"title", baseline_title(one.kind).str()},
                      {"launches", one.kernels},
                      {"bytes", one.bytes}};
        if (one.prediction) entry["seconds"] = one.prediction->seconds;
        Json kernels = json::Array{};
        for (std::size_t i = 0; i < one.made.kernels.size(); ++i) {
            const BaselineKernel& kernel = one.made.kernels[i];
            Json of = {{"name", kernel.name},
                       {"read_bytes", one.made.read(kernel)},
                       {"written_bytes", one.made.written(kernel)},
                       {"matrix", kernel.matrix},
                       {"vector", kernel.vector},
                       {"special", kernel.special}};
            if (one.prediction) of["seconds"] = one.prediction->kernels.at(i).seconds;
            kernels.push_back(std::move(of));
        }
        if (!one.made.kernels.empty()) entry["kernels"] = std::move(kernels);
        json.push_back(std::move(entry));
    }
    return json;
}

std::optional<Ranking> rank_by_time(const Trace& trace, const Form& form, const TimesRequest& request) {
    const auto usual = std::find_if(request.models.begin(), request.models.end(),
                                    [](const TimeModel* model) { return model->name == kUsualModel; });
    if (usual == request.models.end()) return std::nullopt;
    const Form built = worker::built_form(request.device, form, request.safe);
    return rank(states_of(trace), built, worker::predicted_seconds(request.device, request.setting));
}

std::vector<ChosenState> states_to_search(const Trace& trace, const Ranking& ranking) {
    const RunStates run = states_of(trace);
    std::vector<ChosenState> states = unfused_and_snapshots(run, ranking.form);
    const int best = ranking.best().step;
    if (std::none_of(states.begin(), states.end(), [&](const auto& state) { return state.step == best; }))
        states.push_back(choose_state(run, StateChoice::step(best), ranking.form).value());
    return states;
}

std::optional<Verdict> verdict_on(const Trace& trace, const Baselines& baselines,
                                  const std::optional<Ranking>& ranking,
                                  const std::optional<TimesRequest>& request) {
    const std::vector<BaselineSeconds> seconds = seconds_of(baselines);
    if (!request || !ranking || ranking->empty() || seconds.empty()) return std::nullopt;
    const Verdict said = verdict(ranking->best().value, seconds);
    // A search is for all processors of a device.
    if (said.fuse || request->setting.processors != 0) return said;
    return verdict(ranking->best().value, seconds,
                   worker::other_blocks(states_to_search(trace, *ranking), request->device));
}

std::string faster_blocks_text(const Trace& trace, const Ranking& ranking, const Device& device) {
    constexpr double kWorthSaying = 0.95;
    const std::optional<SearchedBlocks> others =
        worker::other_blocks(states_to_search(trace, ranking), device);
    if (!others || others->seconds > kWorthSaying * ranking.best().value) return {};
    return "with " + others->options + " the best state is predicted to take " +
           seconds_text(others->seconds) + "; `tune --predict` lists more";
}

Json verdict_json(const Verdict& said, const std::string& state) {
    Json json = {{"state", state},
                 {"fuse", said.fuse},
                 {"against", to_string(said.against)},
                 {"times", said.times},
                 {"sentence", said.sentence.str()}};
    if (said.others)
        json["other_blocks"] = {{"blocks", said.others->sizes}, {"seconds", said.others->seconds}};
    if (said.searched)
        json["searched"] = {{"blocks", said.searched->sizes},
                            {"options", said.searched->options},
                            {"seconds", said.searched->seconds}};
    return json;
}

}  // namespace blockscope::cli
