// What analyze and the pictures of kernels are asked, as the library takes it. All of it throws UsageError
// for what cannot be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/analyze_arguments.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "core/circuit/study.h"

namespace blockscope::cli {

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
    if (!result) throw UsageError(result.problems().front().message);
    return std::move(result).value();
}

}  // namespace blockscope::cli
