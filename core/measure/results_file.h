// The results file: one JSON object a line, only ever appended to, each line on disk before the next one
// begins (docs/measuring.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measure/record.h"
#include "core/support/result.h"

namespace blockscope::measure {

constexpr int kRecordVersion = 1;

std::string write_record(const Record& record);  // one line, without its newline
Result<Record> read_record(const std::string& line, const std::string& file);

// Appends one line and waits until it is on disk; makes the folder and the file if need be. A last line that
// a crash left unfinished is closed first, so that it spoils nothing but itself. Returns what went wrong.
std::optional<Problem> append_record(const std::string& file, const Record& record);

struct Results {
    std::vector<Record> records;  // in the order of the file
    int unreadable = 0;           // lines that were left out: cut off by a crash, or of a later version
};
// Every record that can be read. A file that does not exist has none.
Result<Results> read_results(const std::string& file);

// Newest record with this subject key; null if there is none.
const Record* newest(const Results& results, const std::string& subject_key);

// $XDG_DATA_HOME/blockscope/results.jsonl, or ~/.local/share/blockscope/results.jsonl.
std::string default_results_file();

}  // namespace blockscope::measure
