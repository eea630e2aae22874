// blockscope-cli codegen: a state as CUDA, or as a folder for PyTorch.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/cost.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/run.h"
#include "app/cli/selection.h"
#include "app/cli/terminal.h"
#include "app/worker/card_search.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/driver.h"
#include "gpu/driver/for_card.h"
#include "gpu/handover/folder.h"

namespace blockscope::cli {
namespace {

struct CodegenArguments {
    std::string file;
    RuleChoice rules;
    StateArguments state;
    bool unsafe = false;  // the state itself instead of its numerically safe form
    std::string device;   // a card's name or description; empty: as card_for() has it
    std::string target;   // f32, sm_80, ...; empty: as suits the card, without one f32
    LoopForm loops = LoopForm::Built;
    bool tf32 = false;
    std::string type;       // of all arrays: "e4m3", "tf32"; empty: what the program declares
    int block_threads = 0;  // 0: what suits the program
    int stages = 0;
    int parts = 0;                   // of reductions: 0 as the model says, 1 none
    std::string combine;             // parts: "workspace", "atomics"; empty: as the model says
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::string output;              // empty or "-": stdout
    std::string folder;              // for PyTorch
    bool json = false;

    // Whether kernels are asked for that are built in another way than the rated ones.
    bool other_kernels() const {
        return tf32 || type == "tf32" || block_threads != 0 || stages != 0 || parts != 0 || !combine.empty();
    }
};

std::optional<ElemType> elem_named(const std::string& name) {
    if (name == "tf32") return ElemType::F32;
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16, ElemType::E4M3, ElemType::E5M2})
        if (to_string(elem) == name) return elem;
    return std::nullopt;
}

gpu::CodegenOptions options_of(const CodegenArguments& arguments) {
    gpu::CodegenOptions options;
    options.tf32 = arguments.tf32 || arguments.type == "tf32";
    options.threads = arguments.block_threads;
    options.stages = arguments.stages;
    options.parts = arguments.parts;
    options.combine = arguments.combine == "atomics"     ? gpu::Combine::Atomics
                      : arguments.combine == "workspace" ? gpu::Combine::Workspace
                                                         : gpu::Combine::ByModel;
    return options;
}

// A state of the run, and how it is chosen: by default the one that the card is predicted to run fastest.
struct Subject {
    Choice choice;
    Stakes stakes;
};

Subject subject_of(const CodegenArguments& arguments, const Trace& trace, const Device& device) {
    Stakes stakes = stakes_on(arguments.state, device);
    stakes.safe = !arguments.unsafe;
    const Form form = form_of(!arguments.unsafe, arguments.loops).kept_in(elem_named(arguments.type));
    Choice choice = choose(trace, arguments.state, form, stakes);
    // What choose() falls back to is rated as other targets build it.
    if (choice.ranking && stakes.by_time_on_device() && !device.target.empty() &&
        worker::build_plan(choice.state.state, device).target.empty())
        stakes.device->target.clear();
    return {std::move(choice), stakes};
}

// What states are rated for and reductions are split for.
struct CardChoice {
    Device device;  // with the target that is asked for, so that times are of the kernels that are written
    std::string note = {};  // why this one; empty: it is named, or its generation is
};

// A card of this machine, if the driver finds one.
std::optional<Device> card_of_machine() {
    const gpu::Driver driver = gpu::Driver::open();
    if (!driver) return std::nullopt;
    const gpu::Card& card = driver.cards().front();
    return worker::description_for(load_devices().devices, calibrated_name("", "cuda0"), card.name,
                                   card.architecture());
}

// The card that is named; else one of the generation of the target that is named; else this machine's; else
// the one that costs are predicted for where no device is named. Throws UsageError for what is no card.
CardChoice card_for(const CodegenArguments& arguments) {
    if (!arguments.device.empty()) {
        Device device = chosen_device(arguments.device);
        if (device.kind != DeviceKind::Gpu)
            throw UsageError("--device " + arguments.device + ": " + device.title +
                             " is a processor; CUDA is for cards");
        return {std::move(device)};
    }
    const auto target = gpu::target_named(arguments.target);
    if (target && *target != gpu::Target::F32)
        return {gpu::generation_of(*gpu::capability_of(gpu::architecture_of(*target)))};
    if (std::optional<Device> own = card_of_machine()) {
        std::string note = "For the card of this machine, " + own->title + "; --device names another.";
        return {*std::move(own), std::move(note)};
    }
    Device usual = chosen_device(kUsualCard);
    usual.target = to_string(gpu::Target::F32);
    std::string note =
        "There is no card here: the kernels are those that any card from sm_75 on runs, and "
        "times are of those on " +
        usual.title + ". --device names a card, and has kernels of its own.";
    return {std::move(usual), std::move(note)};
}

// The newest that a card may be. Descriptions do not say it, and what is inferred of one that somebody has
// made may be the generation before.
gpu::Capability newest_of(const Device& card) {
    const gpu::Capability inferred = gpu::capability_of(card);
    const Device& newest = gpu::generation_of({10, 0});
    if (card == newest) return {10, 0};
    const Device* known = find_device(builtin_devices(), card.name);
    if (known && *known == card) return inferred;
    if (inferred == gpu::Capability{8, 9}) return {12, 0};
    return inferred.major == 9 ? gpu::Capability{11, 0} : inferred;
}

// The same, for the target that is named. Throws UsageError if the card that is named does not run it.
CardChoice card_and_target(const CodegenArguments& arguments) {
    CardChoice choice = card_for(arguments);
    if (arguments.target.empty()) return choice;
    const gpu::Target target = gpu::target_named(arguments.target).value();
    const gpu::Capability inferred = gpu::capability_of(choice.device);
    const bool runs = gpu::has_warpgroups(target) ? gpu::runs_on(target, inferred)
                                                  : gpu::runs_on(target, newest_of(choice.device));
    if (!arguments.device.empty() && !runs)
        throw UsageError("--target " + arguments.target + ": " + choice.device.title +
                         " does not run it; without --target kernels are for the card, and f32 runs on any");
    choice.device.target = arguments.target;
    return choice;
}

// As the state is predicted to be built there.
gpu::Target target_for(const State& state, const Device& card, const gpu::CodegenOptions& options) {
    if (const auto asked = gpu::target_named(card.target)) return *asked;
    if (options.tf32) return gpu::target_for(gpu::capability_of(card), ElemType::F32, true);
    const worker::BuildPlan plan = worker::build_plan(state, card);
    return gpu::target_named(plan.target).value_or(options.target);
}

Result<gpu::FittingKernels> generated(const CodegenArguments& arguments, const State& state,
                                      const gpu::CodegenOptions& options) {
    Result<gpu::FittingKernels> made = gpu::fitting_kernels(state, options);
    if (!made) return made.problems();
    if (made->smaller.empty()) return made;
    if (!arguments.sizes.empty()) {
        Problem problem = made->why;
        problem.message = Text("%1. These fit: %2", problem.message, made->smaller);
        return problem;
    }
    // The block sizes stand in the file and not on the command line, so smaller ones may take their place.
    gpu::FittingKernels fitting = std::move(made).value();
    fitting.set.notes.insert(
        fitting.set.notes.begin(),
        "With smaller blocks than the file's (" + fitting.smaller + "): " + fitting.why.message.str() + ".");
    return fitting;
}

// The predicted time of these kernels, which options may have made others than those that states were rated
// by: "As generated (sm_80): 61.0 µs, predicted for NVIDIA H100 SXM5 80 GB." Empty where it is the same.
std::string as_generated_text(const gpu::FittingKernels& made, const State& state, const Device& device,
                              double rated) {
    constexpr double kSame = 0.005;
    const State built = made.smaller.empty() ? state : state.with_dims(made.dims);
    const double seconds = predict(*find_time_model(kUsualModel), built.work(), device,
                                   gpu::setting_for(made.set, nullptr, gpu::capability_of(device)))
                               .seconds;
    if (std::abs(seconds / rated - 1) < kSame) return {};
    return "As generated (" + to_string(made.set.target) + "): " + seconds_text(seconds) +
           ", predicted for " + device.title + ".";
}

Json lines_json(const gpu::KernelSet& set) {
    const int first = gpu::first_line(set) + 1;  // the stand-alone file says first how to build it
    Json lines = json::Array{};
    for (std::size_t i = 0; i < set.lines.size(); ++i)
        if (set.lines[i].node)
            lines.push_back({{"line", first + static_cast<int>(i)}, {"node", node_json(set.lines[i].node)}});
    return lines;
}

Json set_json(const gpu::KernelSet& set) {
    Json arrays = json::Array{};
    for (const gpu::DeviceArray& array : set.arrays)
        arrays.push_back(
            {{"name", array.name}, {"type", to_string(array.elem)}, {"shape", list_json(array.shape)}});
    Json launches = json::Array{};
    for (const gpu::Launch& launch : set.launches)
        launches.push_back({{"kernel", launch.kernel},
                            {"node", node_json(launch.node)},
                            {"tiles", launch.tiles},
                            {"threads", launch.threads},
                            {"shared_bytes", launch.shared_bytes},
                            {"stages", launch.stages},
                            {"parts", launch.parts},
                            {"adds", launch.adds},
                            {"combines", launch.combines},
                            {"arrays", list_json(launch.arrays)}});
    return {{"target", to_string(set.target)},
            {"arrays", arrays},
            {"launches", launches},
            {"notes", list_json(set.notes)},
            {"lines", lines_json(set)}};
}

// What is said beside the result: how the state was chosen, and notes of its kernels; null: there are none.
void say_notes(const CodegenArguments& arguments, const Trace& trace, const Subject& subject,
               const CardChoice& card, const gpu::FittingKernels* made) {
    const Device& device = card.device;
    if (!card.note.empty()) std::cerr << card.note << '\n';
    if (subject.choice.ranking) {
        std::cerr << best_sentence(*subject.choice.ranking, subject.stakes) << '\n';
        const bool by_time = subject.stakes.objective == ObjectiveKind::Time;
        const std::string faster = by_time && arguments.sizes.empty() && !arguments.other_kernels()
                                       ? faster_blocks_text(trace, *subject.choice.ranking, device)
                                       : std::string();
        if (!faster.empty()) std::cerr << faster << '\n';
        const bool tf32 = arguments.tf32 || arguments.type == "tf32";
        if (by_time && tf32)
            std::cerr << "These times are of kernels in float32 without tensor cores: in tf32 no time is "
                         "predicted, as descriptions of cards do not have its rate.\n";
        const std::string as_generated = by_time && made && !tf32
                                             ? as_generated_text(*made, subject.choice.state.state, device,
                                                                 subject.choice.ranking->best().value)
                                             : std::string();
        if (!as_generated.empty()) std::cerr << as_generated << '\n';
    }
    if (!made) return;
    for (const std::string& note : made->set.notes) std::cerr << note << '\n';
}

Json codegen_json(const Loaded& loaded, const Trace& trace, const Subject& subject) {
    Json json = envelope("codegen");
    json["file"] = loaded.name;
    json["state"] = subject.choice.state.name;
    json["step"] = subject.choice.state.step;
    if (subject.choice.ranking)
        json["best"] =
            best_json(*subject.choice.ranking, subject.stakes, static_cast<int>(trace.steps.size()));
    return json;
}

// The folder for PyTorch. A state without CUDA is handed over without it.
int hand_over(const CodegenArguments& arguments, const Loaded& loaded, const Subject& subject,
              Result<gpu::KernelSet> set, Json json) {
    if (!loaded.array)
        throw UsageError("--pytorch needs an array program, of which it writes the reference; " +
                         loaded.name + " holds a block program");
    ArrayProgram program = *loaded.array;
    const State& state = subject.choice.state.state;
    program.dims = state.program()->dims;
    if (!set) std::cerr << "Without CUDA: " << harmless(set.problems().front().message.str()) << ".\n";
    const auto files = gpu::handover_files({.file = std::filesystem::path(loaded.name).filename().string(),
                                            .state = subject.choice.state.name,
                                            .program = &program,
                                            .kernels = state,
                                            .cuda = std::move(set)});
    if (!files) throw BadInput(files.problems());
    if (const auto problem = gpu::not_to_overwrite(arguments.folder, *files))
        throw UsageError(problem->message.str());
    std::error_code failed;
    std::filesystem::create_directories(arguments.folder, failed);
    if (failed) throw UsageError("cannot make the folder " + arguments.folder + ": " + failed.message());
    json["output"] = arguments.folder;
    json["files"] = json::Array{};
    for (const gpu::HandedFile& file : *files) {
        write_file((std::filesystem::path(arguments.folder) / file.name).string(), file.text);
        json["files"].push_back(file.name);
    }
    if (arguments.json)
        std::cout << to_text(json) << '\n';
    else
        std::cout << "Wrote " << subject.choice.state.name << " to " << harmless(arguments.folder)
                  << ". Next: python3 "
                  << harmless((std::filesystem::path(arguments.folder) / "check.py").string()) << '\n';
    return kFine;
}

int codegen_command(const CodegenArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    const Trace trace = fuse_watched(resized(loaded.blocks, arguments.sizes), arguments.rules.set());
    gpu::CodegenOptions options = options_of(arguments);
    const CardChoice card = card_and_target(arguments);
    options.device = &card.device;
    const Subject subject = subject_of(arguments, trace, card.device);
    options.target = target_for(subject.choice.state.state, card.device, options);
    Result<gpu::FittingKernels> made = generated(arguments, subject.choice.state.state, options);
    if (!arguments.folder.empty()) {
        say_notes(arguments, trace, subject, card, made ? &*made : nullptr);
        return hand_over(arguments, loaded, subject,
                         made ? Result<gpu::KernelSet>(std::move(made).value().set) : made.problems(),
                         codegen_json(loaded, trace, subject));
    }
    if (!made) throw BadInput(made.problems());
    const gpu::KernelSet& set = made->set;
    const std::string text = gpu::standalone_source(set);
    say_notes(arguments, trace, subject, card, &*made);
    std::optional<Json> json;
    if (arguments.json) {
        json = codegen_json(loaded, trace, subject);
        add_members(*json, set_json(set));
    }
    hand_out(text, arguments.output, std::move(json));
    return kFine;
}

// What of the program is generated, and for which card.
std::vector<Option> target_options(CodegenArguments& arguments) {
    const std::vector<Option> card = {
        {.names = "--target",
         .argument = "T",
         .help =
             "f32 (any card from sm_75 on), or with tensor cores the card; by default as suits --device or "
             "the card of this machine, without both f32",
         .to = &arguments.target,
         .choices = target_names()},
        {.names = "--tf32",
         .help = "products of float32 by tensor cores, too, with operands rounded to 11 bits",
         .to = &arguments.tf32},
        {.names = "--type",
         .argument = "E",
         .help = "all arrays in this type instead of what the program declares; tf32 is f32 with products by "
                 "tensor cores",
         .to = &arguments.type,
         .choices = type_names()}};
    return joined(
        joined(state_options(arguments.state),
               {device_option(arguments.device,
                              "for this card, a name that `devices` lists or a description's file: times and "
                              "parts are predicted on it; by default on one of the generation that --target "
                              "names, else the card of this machine, else h100-sxm5")}),
        card);
}

// How it is done.
std::vector<Option> codegen_options(CodegenArguments& arguments) {
    const std::vector<Option> more = {
        {.names = "--parts",
         .argument = "N",
         .help = "reductions into so many parts side by side, 1: never; by default as the model says for the "
                 "card",
         .to = &arguments.parts,
         .check = whole_between(1, 1024)},
        {.names = "--combine",
         .argument = "HOW",
         .help =
             "how parts come together: workspace (the same results from run to run) or atomics (where they "
             "are sums); by default as the model says, with --parts a workspace",
         .to = &arguments.combine,
         .choices = {"workspace", "atomics"}},
        {.names = "--block-threads",
         .argument = "N",
         .help = "threads of a thread block",
         .to = &arguments.block_threads,
         .choices = {"64", "128", "256", "384", "512"}},
        {.names = "--stages",
         .argument = "N",
         .help = "stages of tiles that are copied ahead, at most",
         .to = &arguments.stages,
         .check = whole_between(1, 8)},
        {.names = "--unsafe",
         .help = "the state itself, not its numerically safe form",
         .to = &arguments.unsafe},
        form_option(arguments.loops),
        set_option(arguments.sizes),
        {.names = "--pytorch",
         .argument = "FOLDER",
         .help = "write a folder for PyTorch instead: the kernels in CUDA and, for processors, in C++; a "
                 "function "
                 "that calls them; scripts that compare and time them",
         .to = &arguments.folder,
         .check = not_empty(),
         .excludes = {"--output"},
         .completion = Completion::Files},
        output_option(arguments.output),
        json_option(arguments.json)};
    return joined(target_options(arguments), more);
}

}  // namespace

Command codegen_row() {
    const auto arguments = std::make_shared<CodegenArguments>();
    return {.name = "codegen",
            .summary = "write a state as CUDA",
            .options = joined(joined({file_option(arguments->file)}, rule_set_options(arguments->rules)),
                              codegen_options(*arguments)),
            .notes =
                "The file has a main() that fills the inputs with random numbers, checks the kernels "
                "against the host\n"
                "in double precision, and times them.\n"
                "Example:\n"
                "  blockscope-cli codegen samples/attention.bp --target sm_80 -o attention.cu &&\n"
                "  nvcc -std=c++17 -O3 -arch=native attention.cu\n"
                "  blockscope-cli codegen samples/attention.bp --pytorch fused && python3 fused/check.py",
            .run = [arguments](const Invocation&) { return codegen_command(*arguments); }};
}

}  // namespace blockscope::cli
