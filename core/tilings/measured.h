// Measured times of candidates as a table of text, one a line, which is written as measuring goes on: a file
// that ends in the middle of a line holds all the lines before it.
//
//     # blockscope tilings G1: m=512 n=256 k=64 h=64 batch=1, on cpu, 1 thread
//     mhnk m=32 n=64 k=16 h=16: 1.2e-05
//     mhnk m=512 n=64 k=16 h=16: null
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/tilings/space.h"

namespace blockscope::tilings {

// By candidate as text: seconds, or nothing where it cannot run.
using MeasuredTable = std::map<std::string, std::optional<double>>;

struct MeasuredText {
    std::string subject;  // what follows the first "# blockscope tilings "; empty: nobody says
    MeasuredTable table;
    bool cut = false;  // the last line has no end: it was left out if there is a subject
};

constexpr std::size_t kMostMeasuredLine = 4096;  // bytes

// Problems name line and column: of a line that is none of the above, a candidate that stands twice, a time
// that is not above zero. `file` is what they call it. Candidates are not looked up in a space.
Result<MeasuredText> read_measured_text(const std::string& text, const std::string& file);

// "G1: m=512 n=256 k=64 h=64 batch=1, on cpu, 1 thread": what times are comparable with. `on`: the device.
std::string measured_subject(const std::string& name, const Chain& chain, const std::string& on);
// With its line end.
std::string measured_head(const std::string& subject);
std::string measured_line(const std::string& candidate, const std::optional<double>& seconds);

}  // namespace blockscope::tilings
