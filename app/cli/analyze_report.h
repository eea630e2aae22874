// What analyze prints: for people, and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/cli/terminal.h"
#include "core/circuit/correspond.h"
#include "core/circuit/drawn.h"
#include "core/circuit/intensity.h"
#include "core/napkin/optimum.h"

namespace blockscope::cli {

// A whole program as one algorithm.
struct AnalyzedStudy {
    std::string file;
    std::string title;
    Device device;
    std::optional<circuit::Circuit> drawn;  // as a circuit document has it
    circuit::Study study;
    bool optimum_has_law = false;  // `optimum` has a formula where the study has none
};
// Appendix B.1 level by level; `study` has an intensity.
std::vector<circuit::LevelIntensity> intensities_of(const circuit::Study& study, const Device& device);
void print_study(const AnalyzedStudy& analyzed, const Style& style);
std::string study_json(const AnalyzedStudy& analyzed);

// A circuit document that is no program of operators on whole axes: a peeled or safe state.
struct AnalyzedDrawing {
    std::string file;
    std::string title;
    Device device;
    circuit::DrawnStudy study;
    std::string why;  // it is none
};
void print_drawing(const AnalyzedDrawing& analyzed, const Style& style);
std::string drawing_json(const AnalyzedDrawing& analyzed);

// A state as one grouped and streamed algorithm, and the array program split alike
// (core/circuit/correspond.h).
struct OneAlgorithm {
    std::optional<circuit::StateAlgorithm> state;
    std::optional<circuit::PlannedAlgorithm> planned;
    std::string why_not;  // one of the two is missing
    bool same() const;    // H and M
};

// One state of a block program, as it is.
struct AnalyzedState {
    std::string file;
    Device device;
    int step = 0;
    circuit::Circuit circuit;
    circuit::Resources resources;
    OneAlgorithm algorithm;
    napkin::Optimum optimum;
    double bytes = 1;  // per value: of the widest array
    std::optional<circuit::LevelModels> models;
    DimTable dims = {};
};
void print_state(const AnalyzedState& analyzed, const Style& style);
std::string state_json(const AnalyzedState& analyzed);

}  // namespace blockscope::cli
