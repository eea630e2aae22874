// The sections that an analysis leaves out, and why.
#pragma once

#include <string>
#include <vector>

#include "app/cli/analyze_report.h"

namespace blockscope::cli {

struct Omitted {
    std::string section, why;  // as headings name it; a sentence without a full stop
};
// `optimum_has_law`: whether `optimum` has a formula of the fused block program.
std::vector<Omitted> omitted_sections(const circuit::Study& study, bool optimum_has_law);
std::vector<Omitted> omitted_sections(const circuit::DrawnStudy& study);
std::vector<Omitted> omitted_sections(const AnalyzedState& analyzed);

void print_omitted(const std::vector<Omitted>& sections, const Style& style);

}  // namespace blockscope::cli
