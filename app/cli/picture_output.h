// Where pictures and documents of the command line go. Links Qt.
#pragma once

#include <string>
#include <vector>

#include "app/document/content.h"

namespace blockscope::cli {

// The content of FILE: a program with all steps of the algorithm, or what a document or trace holds.
blockscope::Content load_content(const std::string& file);

// The same of what was read from it.
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
