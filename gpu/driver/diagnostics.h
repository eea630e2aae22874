// What of NVIDIA's software this machine has, where it was looked for, and how to install what is missing.
#pragma once

#include <string>
#include <vector>

#include "gpu/driver/driver.h"
#include "gpu/library_search.h"

namespace blockscope::gpu {

struct Findings {
    Search driver;
    int driver_version = 0;  // 13000: the newest CUDA that it runs
    std::vector<Card> cards;
    Search compiler;               // NVRTC
    std::string compiler_version;  // "13.0"; empty if there is none
    std::string compiler_report;   // Nvrtc::report()
};

// Opens both libraries, which may take a second or so; nothing is done on a card.
Findings find_cuda();

// "cuda0: NVIDIA H200, sm_90a, 132 processors, 143771 MiB".
std::string card_line(const Card& card);
// Commands, any of which installs the driver. (nvrtc_commands() has those of the compiler.)
std::vector<std::string> driver_commands();

// All of it, for people.
std::string report(const Findings& findings);
std::string diagnostics();  // report(find_cuda())

}  // namespace blockscope::gpu
