// The commands that make pictures, and the Qt application that they need. Links Qt.
#pragma once

#include <QGuiApplication>

#include "app/cli/commands.h"
#include "app/document/content.h"

namespace blockscope::cli {

int render_command(const RenderArguments& arguments);
// The neural circuit diagram of a state of `content`.
int render_circuit(const blockscope::Content& content, StateId state, const RenderArguments& arguments);
int export_command(const ExportArguments& arguments);

// The process's application, without a display; made when first asked for.
QGuiApplication& gui_application();

}  // namespace blockscope::cli
