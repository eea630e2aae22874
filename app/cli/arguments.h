// The command line's grammar: commands, options, help texts.
#pragma once

namespace blockscope::cli {

struct PictureCommands;

// Parses the arguments, runs the command and returns the exit code. Without `pictures` the commands that make
// pictures are handed over to the program that has them (picture_program.h).
int run(int argc, char** argv, const PictureCommands* pictures = nullptr);

}  // namespace blockscope::cli
