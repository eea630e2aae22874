// A run as it is printed: for people (the program, one line per step, the final listing), and its states in
// the formats that other programs read.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "app/cli/run.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {

// `width` is the terminal's; 0 if there is none, and no line is then cut.
void print_report(std::ostream& out, const Run& run, const Shown& shown, const Proof& proof,
                  const Style& style, int width);

// The program's name, what it is about, its inputs, outputs and dimensions.
void print_heading(std::ostream& out, const Loaded& loaded, const Style& style);

// A listing with loops and global memory traffic set off.
void print_listing(std::ostream& out, const State& state, const Style& style);

// What a match is about: its operators, shorter than the rule's explanation.
struct Operators {
    std::vector<std::string> names;     // "M-map n17"
    std::vector<std::string> contents;  // " (dot, sum)", or empty
    std::vector<std::string> links;     // before each name but the first: " → " if it reads the one before
    // All in one line of at most `width` columns if that can be done by leaving contents out, longest first.
    std::string text(int width) const;
};
Operators operators(const BlockProgram& program, const Match& match);

// ---- States in the formats that other programs read.

std::string print_state(const State& state, Format format);

// The states that `shown` names; several are set apart by a comment line in the format's own syntax,
// and in JSON they are one trace.
void print_states(std::ostream& out, const Trace& trace, const Shown& shown, Format format);

}  // namespace blockscope::cli
