// A hardware-aware algorithm's budget: the napkin's configuration table (sections 5.6 and 5.7, Tables 1 to 3)
// and its lower bound on compute time (appendix B.0.1), from plain numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blockscope::napkin {

// A variable that is allocated for the whole run: `values` of `bytes` each, `copies` times (2 if it is loaded
// while the other copy is used).
struct ConfigurationRow {
    std::string name;
    std::string level;      // "shared", "registers"
    bool per_group = true;  // for each warpgroup, else once for each thread block
    double values = 0;
    double bytes = 1;
    double copies = 1;
};

struct ConfigurationTotal {
    double per_block = 0;  // bytes
    double per_group = 0;
    // N_max = (M_max - M_TB) / M_WG, not rounded.
    double most_groups(double limit) const { return (limit - per_block) / per_group; }
    // What is left of the limit with `groups`.
    double excess(double limit, double groups) const { return limit - per_block - groups * per_group; }
};

ConfigurationTotal total(const std::vector<ConfigurationRow>& rows, const std::string& level);

// A column of the inner loop: operations per thread on one pipeline.
struct Stage {
    std::string name;
    std::string pipeline;
    double operations = 0;
    double per_clock = 1;  // of one processor
    double clocks() const { return operations / per_clock; }
};

// Pipelines run side by side: the clocks that each is busy, and the most of them.
std::map<std::string, double> clocks_by_pipeline(const std::vector<Stage>& stages);
double bound_clocks(const std::vector<Stage>& stages);

struct ProcessorRates {
    double processors = 1;
    double clock = 0;      // Hz
    double bandwidth = 0;  // bytes/s of global memory, of the device
};

// The fewest rows of a group (g_q, a thread each) with which `clocks` per row hide the loading of `bytes` per
// step: k g/f >= H N_SM/B.
double least_group(double clocks, double bytes, const ProcessorRates& rates);
// Operations per second if nothing but these clocks counts.
double ideal_rate(double operations, double clocks, const ProcessorRates& rates);

}  // namespace blockscope::napkin
