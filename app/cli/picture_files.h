// What render and export of blockscope-render have in common: what they open, in which format they write, and
// how what they made is delivered.
#pragma once

#include <string>
#include <vector>

#include "app/cli/pictures.h"
#include "app/document/content.h"

namespace blockscope::cli {

int render_command(const RenderArguments& arguments);
int export_command(const ExportArguments& arguments);
std::string pdf_of_page(const std::string& html);

// The process's application, without a display; made when first asked for.
QGuiApplication& gui_application();

// What a file holds, with the algorithm's run where it has no steps of its own.
struct Opened {
    blockscope::Content content;
    bool has_steps = false;  // a document or a trace, which shows one of its states
};
Opened opened(const std::string& text, const std::string& file);

// `format` if given, else what the name of `output` ends with if it is one of `known`, else `otherwise`.
// Throws UsageError if the name says that the file is of another format.
std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise);

// What a command made: bytes, and what its JSON envelope says besides.
struct Made {
    std::string command, file, format, bytes;
    bool binary = false;
    std::string state = {};  // "step 12": of what is made of one state
};
// Writes it to `output`, or to stdout; with `json` prints the envelope. Returns the exit code.
int deliver(const Made& made, const std::string& output, bool json);

}  // namespace blockscope::cli
