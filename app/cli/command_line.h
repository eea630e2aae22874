// Parses the command line by the table of commands (command.h) and runs the one that is chosen.
#pragma once

namespace blockscope::cli {

struct PictureCommands;

// Returns the exit code. Without `pictures` the commands that make pictures are handed over to the program
// that has them (pictures.h).
int run(int argc, char** argv, const PictureCommands* pictures = nullptr);

}  // namespace blockscope::cli
