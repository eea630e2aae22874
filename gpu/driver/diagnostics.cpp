#include "gpu/driver/diagnostics.h"

#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

Findings find_cuda() {
    const Driver driver = Driver::open();
    const Nvrtc nvrtc = Nvrtc::open(driver.version());
    return {driver.search(),
            driver.version(),
            driver.cards(),
            nvrtc.search(),
            nvrtc ? nvrtc.version() : std::string(),
            nvrtc.report()};
}

std::string card_line(const Card& card) {
    return "cuda" + std::to_string(card.index) + ": " + card.name + ", " + card.architecture() + ", " +
           std::to_string(card.processors) + " processors, " + std::to_string(card.memory_bytes / (1 << 20)) +
           " MiB";
}

std::vector<std::string> driver_commands() {
    return {"apt-get install nvidia-driver"};
}

std::string report(const Findings& findings) {
    std::string text;
    if (findings.cards.empty()) {
        text = "NVIDIA's driver was not found, or has no card. Looked for:\n" + findings.driver.lines() +
               "It comes with the card's driver package:\n";
        for (const std::string& command : driver_commands()) text += "  " + command + "\n";
    } else {
        text = "NVIDIA's driver is " + findings.driver.found + ", for CUDA up to " +
               cuda_version(findings.driver_version) + ".\n";
        for (const Card& card : findings.cards) text += "  " + card_line(card) + "\n";
    }
    return text + findings.compiler_report;
}

std::string diagnostics() {
    return report(find_cuda());
}

}  // namespace blockscope::gpu
