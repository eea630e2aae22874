#include "app/cli/table.h"

#include <algorithm>
#include <iostream>

namespace blockscope::cli {

void print_table(const std::vector<Row>& rows, Align align, const Style& style) {
    std::vector<int> widths(rows[0].size(), 0);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = pad(rows[r][0], widths[0]);
        for (std::size_t i = 1; i < rows[r].size(); ++i)
            line +=
                "  " + (align == Align::Left ? pad(rows[r][i], widths[i]) : pad_left(rows[r][i], widths[i]));
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << style(r == 0 ? Tone::Dim : Tone::Plain, line) << '\n';
    }
}

}  // namespace blockscope::cli
