// Reads a program from a file, whatever it holds; files as a whole.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope::cli {

enum class Content { Text, ArrayProgram, BlockProgram, Trace, Circuit };

// Told by the contents alone: JSON starts with a brace and names its kind.
Content content_of(const std::string& text);

// The file's contents; "-" is stdin. Of a model (NAME.onnx, NAME.pt2) it is the program that it becomes, and
// what is to be known of it is said on stderr. Throws BadInput if it cannot be read or is larger than 64 MiB.
std::string read_file(const std::string& file);

// As a whole or not at all (core/support/whole_file.h). Throws UsageError if it cannot be written.
void write_file(const std::string& file, const std::string& text);

// How messages call `file`: itself, or "<stdin>".
std::string display_name(const std::string& file);

struct Loaded {
    std::string name;                   // as messages call it
    std::optional<ArrayProgram> array;  // absent if the file holds a block program
    ProgramPtr blocks;
};

// Throws BadInput with all problems.
Loaded load_program(const std::string& file);
// The same of a text; `name` is what messages call it.
Loaded program_in(const std::string& text, const std::string& name);

}  // namespace blockscope::cli
