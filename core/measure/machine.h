// The machine that measured, and what it was doing: values that go into every result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockscope::measure {

struct Cache {
    int level = 0;
    std::string type;  // "Data", "Instruction", "Unified"
    std::int64_t bytes = 0;
    bool operator==(const Cache&) const = default;
};

struct Machine {
    std::string host;
    std::string cpu;  // model name
    int cores = 0;    // that this process may use
    std::vector<Cache> caches;
    std::vector<std::string> isa;  // of what matters for speed: "avx2", "fma", "avx512f", "avx512_bf16", ...
    std::string governor;          // of the first core; empty if the system does not say (virtual machines)
    std::int64_t memory_bytes = 0;
    std::string os;       // "Linux 6.1.0 x86_64"
    std::string program;  // Blockscope's version

    // The largest cache's size; 0 if unknown.
    std::int64_t last_level_cache() const;
    bool operator==(const Machine&) const = default;
};

// Before and after a measurement.
struct Conditions {
    double load = 0;       // load average over one minute
    double clock_ghz = 0;  // by a chain of dependent additions, one a cycle; 0 where there is no such probe
    std::int64_t free_bytes = 0;
    bool operator==(const Conditions&) const = default;
};

}  // namespace blockscope::measure
