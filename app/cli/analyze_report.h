// What analyze prints: for people, and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/cli/terminal.h"
#include "core/circuit/study.h"
#include "core/napkin/optimum.h"

namespace blockscope::cli {

// A whole program as one algorithm.
struct AnalyzedStudy {
    std::string file;
    std::string title;
    Device device;
    std::optional<circuit::Circuit> drawn;  // as a circuit document has it
    circuit::Study study;
};
void print_study(const AnalyzedStudy& analyzed, const Style& style);
std::string study_json(const AnalyzedStudy& analyzed);

// One state of a block program, as it is.
struct AnalyzedState {
    std::string file;
    Device device;
    int step = 0;
    circuit::Circuit circuit;
    circuit::Resources resources;
    napkin::Optimum optimum;
    double bytes = 1;  // per value: of the widest array
    std::optional<circuit::LevelModels> models;
    DimTable dims = {};
};
void print_state(const AnalyzedState& analyzed, const Style& style);
std::string state_json(const AnalyzedState& analyzed);

}  // namespace blockscope::cli
