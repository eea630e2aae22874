// Columns of text on stdout.
#pragma once

#include <string>
#include <vector>

#include "app/cli/terminal.h"

namespace blockscope::cli {

using Row = std::vector<std::string>;

enum class Align { Left, Right };

// The first row is the head; the first column always stands left.
void print_table(const std::vector<Row>& rows, Align align, const Style& style);

}  // namespace blockscope::cli
