// What analyze and the pictures of kernels are asked: the options, and what they say to the library. All of
// it throws UsageError for what cannot be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "core/napkin/study.h"

namespace blockscope::cli {

// An algorithm as a kernel on a device.
struct KernelArguments {
    std::string device;        // empty: this machine, if it is calibrated
    std::string rows, stream;  // axes; empty: as core/napkin/study.h says
    double stream_size = 64;
    std::vector<std::string> symbols;  // SYMBOL=NUMBER, of the configuration
    std::vector<std::string> types;    // VARIABLE=TYPE
    bool fragments = false;
    int warpgroups = 0;   // 0: as many as fit
    std::string overlap;  // inter, intra; empty: as the document says, else inter
    std::optional<double> special_overhead, vector_overhead;  // percent
    bool operator==(const KernelArguments&) const = default;
};

// The options of a kernel: how it is split, and how it runs.
std::vector<Option> kernel_options(KernelArguments& arguments);

// What the arguments say of the execution, on top of what a document says.
std::optional<circuit::Deployment> execution_of(const KernelArguments& arguments,
                                                std::optional<circuit::Deployment> of_document);

// The axes, the stream's size and the variables' types.
circuit::StudyOptions options_of(const KernelArguments& arguments);

// Refuses symbols and variables that the kernel does not have, and parts of the stream longer than it.
void check_names(const KernelArguments& arguments, const circuit::Kernel& kernel);

// The device that is named, else the document's, else this machine.
Device device_of(const KernelArguments& arguments, const std::string& of_document);

// The array program of `loaded`, which has one, with other sizes (NAME=SIZE[/BLOCK]).
ArrayProgram resized_arrays(const Loaded& loaded, const std::vector<std::string>& sizes);

template <class T>
T value_or_usage(Result<T> result) {
    if (!result) throw UsageError(result.problems().front().message.str());
    return std::move(result).value();
}

}  // namespace blockscope::cli
