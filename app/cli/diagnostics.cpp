// blockscope-cli diagnostics: what of CUDA is there, and what is missing.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/measure_commands.h"
#include "gpu/driver/diagnostics.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::cli {
namespace {

Json search_json(const gpu::Search& search, const std::string& version,
                 const std::vector<std::string>& commands) {
    Json attempts = Json::array();
    for (const gpu::Search::Attempt& attempt : search.attempts)
        attempts.push_back({{"path", attempt.path}, {"outcome", attempt.outcome}});
    return {{"found", search.found}, {"version", version}, {"searched", attempts}, {"install", commands}};
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

}  // namespace

int diagnostics_command(const DiagnosticsArguments& arguments) {
    const gpu::Findings findings = gpu::find_cuda();
    if (!arguments.json) {
        std::cout << gpu::report(findings);
        return kFine;
    }
    Json json = envelope("diagnostics");
    const std::string version =
        findings.driver_version > 0 ? gpu::cuda_version(findings.driver_version) : std::string();
    json["driver"] = search_json(findings.driver, version, gpu::driver_commands());
    json["cards"] = Json::array();
    for (const gpu::Card& card : findings.cards) json["cards"].push_back(card_json(card));
    json["compiler"] = search_json(findings.compiler, findings.compiler_version, gpu::nvrtc_commands());
    std::cout << to_text(json) << '\n';
    return kFine;
}

}  // namespace blockscope::cli
