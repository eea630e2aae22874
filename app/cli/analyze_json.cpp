// analyze as JSON (docs/cli.md).

#include "app/cli/analyze.h"
#include "app/cli/envelope.h"

namespace blockscope::cli {
namespace {

using circuit::Formula;
using circuit::PartitionKind;
using circuit::Values;

Json formula_json(const Formula& formula, const Values& values) {
    return {{"formula", formula.text()}, {"value", formula.value(values)}};
}

Json reasons_json(const std::vector<circuit::Reason>& reasons) {
    Json json = json::Array{};
    for (const circuit::Reason& reason : reasons)
        json.push_back({{"theorem", reason.theorem.str()}, {"sentence", reason.sentence.str()}});
    return json;
}

Json axes_json(const circuit::Study& study) {
    Json json = json::Array{};
    for (const circuit::AxisVerdict& verdict : study.verdicts) {
        const circuit::Axis& axis = axis_of(study.flow.axes, verdict.axis);
        json.push_back({{"axis", axis.name},
                        {"size", axis.size},
                        {"group", verdict.group},
                        {"stream", verdict.stream},
                        {"group_reasons", reasons_json(verdict.group_reasons)},
                        {"stream_reasons", reasons_json(verdict.stream_reasons)}});
    }
    return json;
}

Json plan_json(const circuit::Flow& flow, const circuit::Plan& plan, bool sizes) {
    Json json = json::Array{};
    for (const circuit::Part& part : plan) {
        Json one = {{"axis", axis_of(flow.axes, part.axis).name},
                    {"kind", part.kind == PartitionKind::Group ? "group" : "stream"}};
        if (sizes) one["size"] = part.size;
        json.push_back(std::move(one));
    }
    return json;
}

Json models_json(const circuit::LevelModels& models) {
    Json json = {{"seconds", models.seconds}};
    json["levels"] = json::Array{};
    for (const circuit::LevelCost& level : models.levels)
        json["levels"].push_back({{"level", level.level.name},
                                  {"instances", level.instances},
                                  {"memory_values", level.level.memory},
                                  {"seconds_per_value", level.level.weight},
                                  {"transfers", level.transfers},
                                  {"whole", list_json(level.whole)},
                                  {"seconds", level.seconds}});
    json["quantised"] = json::Array{};
    for (const auto& [bytes, seconds] : models.quantised)
        json["quantised"].push_back({{"bytes", bytes}, {"seconds", seconds}});
    json["caches"] = json::Array{};
    for (const circuit::CacheCost& cache : models.caches)
        json["caches"].push_back({{"level", cache.name},
                                  {"own_values", cache.own},
                                  {"children", cache.children},
                                  {"children_values", cache.together},
                                  {"transfers", cache.transfers},
                                  {"transfers_cached", cache.transfers_cached}});
    json["linked"] = {{"level", models.linked}, {"bytes_per_second", models.link}};
    json["linked"]["gains"] = json::Array{};
    for (const circuit::CrossCost& cross : models.cross)
        json["linked"]["gains"].push_back({{"children", cross.children}, {"seconds", cross.saved}});
    return json;
}

Json level_plans_json(const circuit::LevelPlans& plans) {
    Json json = {{"levels", json::Array{}}};
    if (plans.seconds) json["seconds"] = *plans.seconds;
    for (const circuit::LevelPlan& plan : plans.levels) {
        Json one = {{"level", plan.level.name},
                    {"instances", plan.level.instances},
                    {"memory_values", plan.values},
                    {"bytes_per_second", plan.level.bandwidth},
                    {"fits", plan.fits}};
        if (plan.fits) {
            one["groups"] = json::Object{};
            for (const auto& [symbol, size] : plan.groups) one["groups"][symbol] = size;
            one["transferred"] = plan.transferred;
            one["memory"] = plan.memory;
            one["seconds"] = plan.seconds;
        }
        json["levels"].push_back(std::move(one));
    }
    return json;
}

Json study_law_json(const circuit::PowerLaw& law, const Values& values) {
    Json json = json::Array{};
    for (const circuit::PowerTerm& term : law.terms)
        json.push_back({{"alpha", formula_json(term.alpha, values)}, {"beta", term.beta.text()}});
    return json;
}

Json hm_json(const circuit::Circuit& diagram, const circuit::Resources& resources) {
    const Values values = sizes(diagram.axes);
    return {{"transferred", formula_json(resources.transferred, values)},
            {"memory", formula_json(resources.widest(1), values)}};
}

Json algorithm_json(const OneAlgorithm& algorithm) {
    Json json = json::Object{};
    if (algorithm.state) {
        json["parts"] = json::Array{};
        for (const circuit::StateAlgorithm::Part& part : algorithm.state->parts)
            json["parts"].push_back({{"axis", part.axis},
                                     {"kind", part.kind == PartitionKind::Group ? "group" : "stream"},
                                     {"size", part.size},
                                     {"inner", part.inner}});
        json["state"] = hm_json(algorithm.state->circuit, algorithm.state->resources);
        json["stored"] = json::Array{};
        const Values values = sizes(algorithm.state->circuit.axes);
        for (const circuit::StateAlgorithm::Stored& stored : algorithm.state->stored)
            json["stored"].push_back({{"name", stored.name}, {"moved", formula_json(stored.moved, values)}});
    }
    if (algorithm.planned) {
        json["program"] = hm_json(algorithm.planned->circuit, algorithm.planned->resources);
        json["same"] = algorithm.same();
    } else {
        json["why_not"] = algorithm.why_not;
    }
    return json;
}

Json intensity_json(const circuit::Intensity& found) {
    Json json = {{"transfers_per_operation", found.per_operation.text()},
                 {"values_per_second", found.values_per_second},
                 {"operations_per_second", found.operations_per_second},
                 {"least_memory_values", found.least_memory}};
    json["least_axes"] = json::Array{};
    for (const auto& [axis, size] : found.least_axes)
        json["least_axes"].push_back({{"axis", axis}, {"size", size}});
    return json;
}

Json level_intensities_json(const std::vector<circuit::LevelIntensity>& levels) {
    Json json = json::Array{};
    for (const circuit::LevelIntensity& level : levels) {
        Json one = {{"level", level.level},
                    {"memory_values", level.memory},
                    {"caches", level.caches},
                    {"values_per_second", level.values_per_second},
                    {"least_memory_values", level.least_memory}};
        one["least_axes"] = json::Array{};
        for (const circuit::LevelIntensity::Axis& axis : level.axes)
            one["least_axes"].push_back(
                {{"axis", axis.axis}, {"size", axis.at_memory}, {"size_at_any_memory", axis.at_any_memory}});
        json.push_back(std::move(one));
    }
    return json;
}

Json code_json(const std::vector<circuit::CodeNode>& code) {
    static constexpr const char* kKinds[] = {"column", "loop", "sub_loop", "split"};
    static constexpr const char* kPlaces[] = {"global", "shared", "threads", "tensor_cores"};
    Json json = json::Array{};
    for (const circuit::CodeNode& node : code) {
        Json one = {{"kind", kKinds[static_cast<int>(node.kind)]},
                    {"place", kPlaces[static_cast<int>(node.place)]}};
        if (!node.text.empty()) one["text"] = node.text.str();
        if (!node.part.empty()) one["part"] = node.part;
        if (!node.whole.empty()) one["whole"] = node.whole;
        if (!node.body.empty()) one["body"] = code_json(node.body);
        json.push_back(std::move(one));
    }
    return json;
}

Json variables_json(const circuit::WarpgroupKernel& kernel) {
    static constexpr const char* kPlaces[] = {"global", "shared", "registers", "tensor_cores"};
    Json json = json::Array{};
    for (const circuit::Variable& variable : kernel.expansion.variables)
        json.push_back({{"name", variable.name},
                        {"role", variable.role.str()},
                        {"axes", list_json(variable.axes)},
                        {"type", to_string(kernel.configuration.elem(variable))},
                        {"level", kPlaces[static_cast<int>(variable.place)]},
                        {"per_warpgroup", variable.per_warpgroup},
                        {"values", variable.values.text()},
                        {"bytes", bytes_of(variable, kernel.configuration)}});
    return json;
}

Json configuration_json(const circuit::WarpgroupKernel& kernel) {
    Json sizes = json::Object{};
    for (const auto& [symbol, size] : kernel.configuration.sizes) sizes[symbol.name] = size;
    Json json = {{"variables", variables_json(kernel)}, {"sizes", sizes}};
    json["levels"] = json::Array{};
    for (const circuit::LevelUse& use : kernel.uses)
        json["levels"].push_back(
            {{"level", use.level},
             {"limit", use.limit},
             {"per_block", use.per_block},
             {"per_warpgroup", use.per_warpgroup},
             {"warpgroups", use.warpgroups()},
             {"excess", use.excess(kernel.fit)},
             {"excess_per_warpgroup", kernel.fit > 0 ? use.excess_per_warpgroup(kernel.fit) : 0},
             {"excess_per_thread",
              kernel.fit > 0 ? use.excess_per_thread(kernel.fit, kernel.threads()) : 0}});
    json["warpgroups"] = kernel.fit;
    json["divisors"] = json::Array{};
    for (const circuit::Divisor& divisor : kernel.divisors)
        json["divisors"].push_back(
            {{"symbol", divisor.symbol}, {"by", divisor.by}, {"because", divisor.because.str()}});
    std::vector<std::string> broken;
    for (const Text& sentence : kernel.broken) broken.push_back(sentence.str());
    json["broken"] = list_json(broken);
    return json;
}

Json clocks_json(const circuit::WarpgroupKernel& kernel) {
    static constexpr const char* kUnits[] = {"matrix", "vector", "special"};
    Json json = {{"bound", kernel.clocks.bound()},
                 {"bytes", kernel.clocks.bytes},
                 {"bytes_per_thread", kernel.clocks.thread_bytes},
                 {"least_threads", kernel.least_threads},
                 {"least_part", kernel.least_part},
                 {"ideal_rate", kernel.ideal_rate}};
    json["operations"] = json::Array{};
    for (const circuit::PipelineWork& work : kernel.clocks.pipelines)
        json["operations"].push_back({{"operation", work.operation.str()},
                                      {"unit", kUnits[static_cast<int>(work.unit)]},
                                      {"type", to_string(work.elem)},
                                      {"formula", work.ops.text()},
                                      {"count", work.count},
                                      {"per_clock", work.rate},
                                      {"clocks", work.clocks()}});
    return json;
}

Json schedule_json(const circuit::WarpgroupKernel& kernel) {
    const circuit::Deployment& execution = kernel.execution;
    return {{"warpgroups", execution.warpgroups},
            {"overlap", execution.overlap == circuit::Overlap::Intra ? "intra" : "inter"},
            {"special_overhead", execution.special_overhead},
            {"vector_overhead", execution.vector_overhead},
            {"period", kernel.schedule.period},
            {"utilisation", kernel.utilisation},
            {"operations_per_second", scheduled_rate(kernel)},
            {"put_in", put_in(kernel).str()},
            {"special_allowance", kernel.allowance},
            {"special_idle", kernel.special_idle},
            {"barriers", kernel.schedule.barriers.size()}};
}

Json kernel_json(const circuit::WarpgroupKernel& kernel) {
    return {{"rows", kernel.rows},
            {"stream", kernel.stream},
            {"inner_stream", kernel.inner},
            {"repeats", kernel.repeats},
            {"pseudocode", code_json(kernel.expansion.code)},
            {"configuration", configuration_json(kernel)},
            {"clocks", clocks_json(kernel)},
            {"schedule", schedule_json(kernel)}};
}

// What circuit documents say of costs; its numbers are already values.
Json resources_json(const circuit::Circuit& circuit, const circuit::Resources& resources) {
    return parsed(json::print_line(to_json(circuit, resources)));
}

// H* with no group larger than its axis: a power law from each memory to the next.
Json pieces_json(const algebra::ClippedLaw& law) {
    Json json = json::Array{};
    for (const algebra::LawPiece& piece : law.pieces) {
        Json terms = json::Array{};
        for (const algebra::LawTerm& term : piece.law)
            terms.push_back({{"alpha", term.alpha}, {"beta", term.beta}});
        json.push_back(
            {{"from_values", piece.from}, {"whole", list_json(piece.whole)}, {"law", std::move(terms)}});
    }
    return json;
}

// The memory limit and H* under it: of a study of a program, or of a drawing.
template <class AnyStudy>
void add_limit(Json& json, const AnyStudy& study, const Values& values) {
    json["bytes_per_value"] = study.bytes;
    json["limit"] = {{"level", study.local}, {"values", study.memory}, {"bytes", study.memory * study.bytes}};
    if (!study.no_law.empty()) json["no_law"] = study.no_law.str();
    if (!study.law) return;
    json["memory_symbol"] = study.memory_symbol;
    json["formula"] = study.law->formula(study.memory_symbol).text();
    json["law_of_numbers"] = study.law_of_numbers;
    json["law"] = study_law_json(*study.law, values);
    if (!study.clipped) return;
    const algebra::LawPiece& piece = study.clipped->at(study.memory);
    json["pieces"] = pieces_json(*study.clipped);
    json["sizes"] = json::Array{};
    for (const circuit::GroupChoice& choice : study.law->choices) {
        Json one = {{"group", choice.name()}, {"formula", choice.text(study.memory_symbol)}};
        if (const algebra::GroupSize* size = piece.size_of(choice.symbols())) {
            one["value"] = size->at(study.memory);
            one["whole"] = piece.has_whole(size->groups);
        }
        json["sizes"].push_back(std::move(one));
    }
}

Json omitted_json(const std::vector<Omitted>& sections) {
    Json json = json::Array{};
    for (const Omitted& one : sections) json.push_back({{"section", one.section}, {"why", one.why}});
    return json;
}

}  // namespace

std::string study_json(const AnalyzedStudy& analyzed) {
    const circuit::Study& study = analyzed.study;
    const Values values = sizes(study.circuit.axes);
    Json json = envelope("analyze");
    json["file"] = analyzed.file;
    json["title"] = analyzed.title;
    json["device"] = analyzed.device.name;
    if (analyzed.diagram)
        json["drawn"] = resources_json(*analyzed.diagram, circuit::resources(*analyzed.diagram));
    if (analyzed.masked) json["counts_hidden_blocks"] = true;
    json["axes"] = axes_json(study);
    json["plan"] = plan_json(study.flow, study.plan, false);
    json["groups"] = study.resources.groups.text();
    json["per_group"] = study.resources.per_group.text();
    json["transferred"] = study.resources.transferred.text();
    json["memory"] = study.resources.widest(1).text();
    add_limit(json, study, values);
    if (study.clipped) json["least_values"] = transfers(*study.clipped, study.memory);
    if (study.best)
        json["best"] = {{"plan", plan_json(study.flow, study.best->plan, true)},
                        {"transferred", study.best->transferred},
                        {"memory", study.best->memory}};
    json["level_plans"] = level_plans_json(study.level_plans);
    if (study.models) json["models"] = models_json(*study.models);
    if (study.intensity) {
        json["intensity"] = intensity_json(*study.intensity);
        json["intensity"]["levels"] = level_intensities_json(intensities_of(study, analyzed.device));
    }
    if (study.kernel)
        json["kernel"] = kernel_json(*study.kernel);
    else
        json["no_kernel"] = study.no_kernel.str();
    json["omitted"] = omitted_json(omitted_sections(study, analyzed.optimum_has_law));
    return to_text(json);
}

std::string drawing_json(const AnalyzedDrawing& analyzed) {
    const circuit::DiagramStudy& study = analyzed.study;
    Json json = envelope("analyze");
    json["file"] = analyzed.file;
    json["title"] = analyzed.title;
    json["device"] = analyzed.device.name;
    json["drawn"] = resources_json(study.circuit, study.resources);
    json["no_axes"] = analyzed.why;
    json["parts"] = json::Array{};
    for (const circuit::DiagramPart& part : study.parts)
        json["parts"].push_back({{"axis", part.axis},
                                 {"part", part.part},
                                 {"kind", part.kind == PartitionKind::Group ? "group" : "stream"},
                                 {"size", part.size},
                                 {"parts", part.parts}});
    add_limit(json, study, sizes(study.circuit.axes));
    if (study.best) {
        json["best"] = {{"transferred", study.best->transferred}, {"memory", study.best->memory}};
        json["best"]["groups"] = json::Object{};
        for (std::size_t i = 0; i < study.groups.size(); ++i)
            json["best"]["groups"][study.groups[i].symbol] = study.best->sizes[i];
    }
    json["level_plans"] = level_plans_json(study.level_plans);
    if (study.models) json["models"] = models_json(*study.models);
    json["omitted"] = omitted_json(omitted_sections(study));
    return to_text(json);
}

std::string state_json(const AnalyzedState& analyzed) {
    Json json = envelope("analyze");
    json["file"] = analyzed.file;
    json["device"] = analyzed.device.name;
    json["state"] = analyzed.name;
    json["step"] = analyzed.step;
    if (analyzed.best) json["best"] = *analyzed.best;
    if (analyzed.masked) json["counts_hidden_blocks"] = true;
    json["bytes_per_value"] = analyzed.bytes;
    json["diagram"] = resources_json(analyzed.circuit, analyzed.resources);
    json["algorithm"] = algorithm_json(analyzed.algorithm);
    json["launches"] = json::Array{};
    for (const napkin::LaunchOptimum& launch : analyzed.optimum.launches) {
        Json one = {{"node", node_json(launch.node)}};
        if (launch.reason.empty())
            one["formula"] = law_text(launch.law, analyzed.dims);
        else
            one["no_formula"] = launch.reason.str();
        json["launches"].push_back(std::move(one));
    }
    if (analyzed.models) json["models"] = models_json(*analyzed.models);
    json["omitted"] = omitted_json(omitted_sections(analyzed));
    return to_text(json);
}

}  // namespace blockscope::cli
