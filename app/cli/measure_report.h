// Measurements as tables, CSV and JSON.
#pragma once

#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/measuring.h"
#include "core/measure/record.h"

namespace blockscope::cli {

std::string time_text(double seconds);  // "950 ns", "1.23 ms", "12.0 s"

// A row per record, right-aligned but for the first column; columns that no row fills are left out.
void print_records(const std::vector<measure::Record>& records);
// Where, how and with what conditions, below a table.
void print_circumstances(const Measuring& measuring, const std::vector<measure::Record>& records);

// What one has to know of the states to read their times: work that is done again, operators that are not
// Blockscope's. A line each; nothing if there is nothing.
void print_notes(const Measuring& measuring);

void print_csv(const std::vector<measure::Record>& records);

// What went wrong, on stderr; what several records share is said once.
void say_failures(const std::vector<measure::Record>& records);

// {"blockscope": command, ..., "file", "machine", "results", "measurements": [...]}
Json measurements_json(const std::string& command, const Measuring& measuring,
                       const std::vector<measure::Record>& records);

}  // namespace blockscope::cli
