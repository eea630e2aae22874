// The command line's grammar: commands, options, help texts.
#pragma once

namespace blockscope::cli {

// Parses the arguments, runs the command and returns the exit code.
int run(int argc, char** argv);

}  // namespace blockscope::cli
