// optimum, declared with its options.
#pragma once

#include <functional>

#include "app/cli/commands.h"

namespace CLI {
class App;
}

namespace blockscope::cli {

void add_optimum(CLI::App& app, OptimumArguments& arguments, std::function<int()>& chosen);

}  // namespace blockscope::cli
