// The commands that make pictures, and the Qt application that they need. Links Qt.
#pragma once

#include <QGuiApplication>

#include "app/circuit/circuit_file.h"
#include "app/cli/commands.h"
#include "app/document/content.h"

namespace blockscope::cli {

int render_command(const RenderArguments& arguments);
// The neural circuit diagram of a state of `content`.
int render_circuit(const blockscope::Content& content, StateId state, const RenderArguments& arguments);
// A circuit document.
int render_document(const std::string& text, const RenderArguments& arguments);
// The pseudocode expansion or the clocks of a program, or of a circuit document.
int render_kernel(const RenderArguments& arguments);
// Lays out and writes a circuit in the format that is asked for.
int deliver_circuit(const circuit::Circuit& circuit, const std::string& title,
                    const RenderArguments& arguments);
// How pictures of circuits and clocks are to look.
CircuitFile file_of(const RenderArguments& arguments);
// Throws UsageError where there are options that only pictures of blocks have.
void refuse_options_of_blocks(const RenderArguments& arguments);
int export_command(const ExportArguments& arguments);

// The process's application, without a display; made when first asked for.
QGuiApplication& gui_application();

}  // namespace blockscope::cli
