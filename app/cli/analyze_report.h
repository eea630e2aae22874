// What analyze prints: for people, and as JSON.
#pragma once

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal.h"
#include "core/napkin/correspond.h"
#include "core/napkin/levels.h"
#include "core/napkin/optimum.h"
#include "core/napkin/study.h"

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
    circuit::DiagramStudy study;
    std::string why;  // it is none
};
void print_drawing(const AnalyzedDrawing& analyzed, const Style& style);
std::string drawing_json(const AnalyzedDrawing& analyzed);

// A state as one grouped and streamed algorithm, and the array program split alike
// (core/napkin/correspond.h).
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

// ---- The sections that an analysis leaves out, and why.

struct Omitted {
    std::string section, why;  // as headings name it; a sentence without a full stop
};
// `optimum_has_law`: whether `optimum` has a formula of the fused block program.
std::vector<Omitted> omitted_sections(const circuit::Study& study, bool optimum_has_law);
std::vector<Omitted> omitted_sections(const circuit::DiagramStudy& study);
std::vector<Omitted> omitted_sections(const AnalyzedState& analyzed);

void print_omitted(const std::vector<Omitted>& sections, const Style& style);

// ---- What the reports of analyze have in common.

std::string count_of(double number);
std::string bytes_of(double number);
std::string digits(double number, const char* format);  // as printf

void print_heading(const std::string& title, const Style& style);
// N_g, H_g, H and M of a diagram as it is.
void print_resources(const circuit::Circuit& drawn, const circuit::Resources& resources);
// H* and the memory limit that it holds under, of a study of a program or of a drawing; the line stays open.
template <class AnyStudy>
void print_limit(const AnyStudy& study) {
    const std::string law =
        study.law ? " = " + study.law->formula(study.memory_symbol).text() +
                        (study.law_of_numbers ? ", with the sizes put in: " + study.no_law.str() : "")
                  : ": no formula: " + study.no_law.str();
    std::cout << "  H*" << law << "\n  with " << count_of(study.memory) << " values ("
              << bytes_of(study.memory * study.bytes) << " of " << study.local << ", " << study.bytes
              << " bytes each)";
}
// The sizes of groups that have H* within `memory` values, a line each.
void print_choices(const circuit::PowerLaw& law, const circuit::Values& sizes, double memory,
                   const std::string& memory_symbol);
void print_models(const circuit::LevelModels& models, double bytes, const Style& style);
void print_level_plans(const circuit::LevelPlans& plans, double bytes, const Style& style);

}  // namespace blockscope::cli
