// Pictures need Qt and Graphviz. Loading them takes longer than most commands run, so that the commands that
// make pictures are in a program of their own.
#pragma once

namespace blockscope::cli {

// Runs blockscope-render in place of this process, with the same arguments: the one beside this program, or
// in
// ../libexec/blockscope. Throws UsageError if there is none.
[[noreturn]] int become_picture_program(char** arguments);

}  // namespace blockscope::cli
