#include "app/cli/analyze_omitted.h"

#include <iostream>

#include "app/cli/analyze_parts.h"

namespace blockscope::cli {

namespace {

constexpr const char* kNeedsLaw = "Levels, quantisation, caches and linked instances (Equations 2 and 3)";
constexpr const char* kKernel = "Pseudocode, configuration, clocks and schedule (Section 5)";
constexpr const char* kIntensity = "Arithmetic intensity (Appendix B.1)";

void add_levels(std::vector<Omitted>& made, const circuit::LevelPlans& plans) {
    if (plans.levels.empty())
        made.push_back({"Levels with groups of their own",
                        "the device has no level whose memory and bandwidth are known"});
}

void add_models(std::vector<Omitted>& made, const std::optional<circuit::LevelModels>& models,
                const std::string& no_law) {
    if (!models)
        made.push_back({kNeedsLaw, "there is no H*: " + no_law});
    else if (models->levels.empty())
        made.push_back({kNeedsLaw, "the device has no level whose memory and bandwidth are known"});
    else if (models->caches.empty())
        made.push_back(
            {"Intermediate caches (Section 4.4)", "no level of the device feeds several instances"});
}

}  // namespace

std::vector<Omitted> omitted_sections(const circuit::Study& study, bool optimum_has_law) {
    std::vector<Omitted> made;
    add_levels(made, study.level_plans);
    add_models(made, study.models, study.no_law);
    if (!study.models && optimum_has_law)
        made.back().why += "; `optimum` has a formula of the fused block program";
    if (!study.intensity) made.push_back({kIntensity, study.no_intensity});
    if (!study.kernel) made.push_back({kKernel, "there is no kernel of warpgroups: " + study.no_kernel});
    return made;
}

std::vector<Omitted> omitted_sections(const circuit::DrawnStudy& study) {
    std::vector<Omitted> made;
    add_levels(made, study.level_plans);
    add_models(made, study.models, study.no_law);
    made.push_back({kIntensity, "a diagram that is analysed as it is drawn has no program to split"});
    made.push_back({kKernel, "a diagram that is analysed as it is drawn has no axes to split"});
    return made;
}

std::vector<Omitted> omitted_sections(const AnalyzedState& analyzed) {
    std::vector<Omitted> made;
    std::string why;
    for (const napkin::LaunchOptimum& launch : analyzed.optimum.launches)
        if (!launch.reason.empty() && why.empty())
            why = "launch " + to_string(launch.node) + ": " + launch.reason;
    add_models(made, analyzed.models, why);
    made.push_back({kIntensity + std::string(", ") + kKernel,
                    "they are of the whole program; leave out --step and --snapshot"});
    return made;
}

void print_omitted(const std::vector<Omitted>& sections, const Style& style) {
    if (sections.empty()) return;
    print_heading("Left out", style);
    for (const Omitted& one : sections) std::cout << "  " << one.section << ": " << one.why << '\n';
}

}  // namespace blockscope::cli
