// The commands that make pictures, the Qt application that they need, and where their files go. Links Qt.
#pragma once

#include <QGuiApplication>
#include <string>
#include <vector>

#include "app/cli/pictures.h"
#include "app/document/content.h"

namespace blockscope::cli {

int render_command(const RenderArguments& arguments);
int export_command(const ExportArguments& arguments);

// The process's application, without a display; made when first asked for.
QGuiApplication& gui_application();

// What a file holds: a program with all steps of the algorithm, or a document or trace as it is.
blockscope::Content content_in(const std::string& text, const std::string& file);

// `format` if given, else what the name of `output` ends with if it is one of `known`, else `otherwise`.
std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise);

// What a command made: bytes, and what its JSON envelope says besides.
struct Made {
    std::string command, file, format, bytes;
    bool binary = false;
};
// Writes it to `output`, or to stdout; with `json` prints the envelope. Returns the exit code.
int deliver(const Made& made, const std::string& output, bool json);

}  // namespace blockscope::cli
