// The commands that make pictures, declared with their options.
#pragma once

#include "app/cli/commands.h"

namespace CLI {
class App;
}

namespace blockscope::cli {

CLI::App& add_render(CLI::App& app, RenderArguments& render);
CLI::App& add_export(CLI::App& app, ExportArguments& run);

}  // namespace blockscope::cli
