// analyze, declared with its options.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace blockscope::cli {

// An algorithm as a kernel on a device.
struct KernelArguments {
    std::string device;        // empty: this machine, if it is calibrated
    std::string rows, stream;  // axes; empty: as core/circuit/kernel.h says
    double stream_size = 64;
    std::vector<std::string> symbols;  // SYMBOL=NUMBER, of the configuration
    std::vector<std::string> types;    // VARIABLE=TYPE
    bool fragments = false;
    int warpgroups = 0;   // 0: as many as fit
    std::string overlap;  // inter, intra; empty: as the document says, else inter
    std::optional<double> special_overhead, vector_overhead;  // percent
    bool operator==(const KernelArguments&) const = default;
};

struct AnalyzeArguments : KernelArguments {
    std::string file;
    std::optional<int> step;  // of the algorithm: that state's diagram
    std::optional<int> snapshot;
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    std::vector<std::string> same;   // KEPT=OTHER: written as one dimension
    double memory = 0;               // bytes; 0: the device's local memory
    double link = 0;                 // bytes per second between linked processors
    std::string circuit;             // file to write the circuit document to; empty: none
    bool json = false;
};
int analyze_command(const AnalyzeArguments& arguments);

// The options of a kernel: how it is split, and how it runs.
void add_kernel(CLI::App& command, KernelArguments& arguments);

void add_analyze(CLI::App& app, AnalyzeArguments& arguments, std::function<int()>& chosen);

}  // namespace blockscope::cli
