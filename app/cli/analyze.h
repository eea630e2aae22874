// What analyze and the pictures of kernels are asked for and what they print. The options are checked here:
// all that cannot be throws UsageError.
#pragma once

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "core/json/value.h"
#include "core/napkin/correspond.h"
#include "core/napkin/levels.h"
#include "core/napkin/optimum.h"
#include "core/napkin/study.h"

namespace blockscope::cli {

// An algorithm as a kernel on a device.
struct KernelArguments {
    std::string device;                 // empty: usual_device()
    std::string rows, stream;           // axes; empty: as core/napkin/study.h says
    std::optional<double> stream_size;  // none: that of circuit::StudyOptions
    std::vector<std::string> symbols;   // SYMBOL=NUMBER, of the configuration
    std::vector<std::string> types;     // VARIABLE=TYPE
    bool fragments = false;
    int warpgroups = 0;   // 0: as many as fit
    std::string overlap;  // inter, intra; empty: as the document says, else inter
    std::optional<double> special_overhead, vector_overhead;  // percent
    bool operator==(const KernelArguments&) const = default;
};

// The options of a kernel: how it is split, and how it runs.
std::vector<Option> kernel_options(KernelArguments& arguments);

// What the arguments say of the execution, on top of what a document says.
std::optional<circuit::Deployment> execution_of(const KernelArguments& arguments,
                                                std::optional<circuit::Deployment> of_document);

// The axes, the stream's size and the variables' types.
circuit::StudyOptions options_of(const KernelArguments& arguments);

// Refuses symbols and variables that the kernel does not have, and parts of the stream longer than it.
void check_names(const KernelArguments& arguments, const circuit::WarpgroupKernel& kernel);

// The device that is named, else the document's, else usual_device().
Device device_of(const KernelArguments& arguments, const std::string& of_document);

// The array program of `loaded`, which has one, with other sizes (NAME=SIZE[/BLOCK]).
ArrayProgram resized_arrays(const Loaded& loaded, const std::vector<std::string>& sizes);

template <class T>
T value_or_usage(Result<T> result) {
    if (!result) throw UsageError(result.problems().front().message.str());
    return std::move(result).value();
}

// ---- What analyze prints: for people, and as JSON.

// A whole program as one algorithm.
struct AnalyzedStudy {
    std::string file;
    std::string title;
    Device device;
    std::optional<circuit::Circuit> diagram;  // as a circuit document has it
    circuit::Study study;
    bool optimum_has_law = false;  // `optimum` has a formula where the study has none
    bool masked = false;           // a causal mask hides blocks, which are counted here
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
    std::string name;       // "snapshot 2"
    bool of_arrays = true;  // whether the file holds a whole program, too
    circuit::Circuit circuit;
    circuit::Resources resources;
    OneAlgorithm algorithm;
    napkin::Optimum optimum;
    double bytes = 1;  // per value: of the widest array
    std::optional<circuit::LevelModels> models;
    bool masked = false;  // a causal mask hides blocks, which are counted here
    double counted = 0;   // values that the state's loops move as they are built, which `cost` counts
    DimTable dims = {};
    std::string chosen_by = {};            // where it is the best state: among which, by what
    std::optional<json::Value> best = {};  // the same
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
void print_resources(const circuit::Circuit& diagram, const circuit::Resources& resources);
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
// "g_A = M^1/2 = 340.9", or "g_A = 4096, the whole axis".
std::string choice_text(const circuit::GroupChoice& choice, const algebra::LawPiece& piece, double memory,
                        const std::string& memory_symbol);
// The sizes of groups that have H* within `memory` values, a line each; none is larger than its axis.
template <class AnyStudy>
void print_choices(const AnyStudy& study) {
    if (!study.law || !study.clipped) return;
    const algebra::LawPiece& piece = study.clipped->at(study.memory);
    for (const circuit::GroupChoice& choice : study.law->choices)
        std::cout << "  at best " << choice_text(choice, piece, study.memory, study.memory_symbol) << '\n';
}
void print_models(const circuit::LevelModels& models, double bytes, const Style& style);
void print_level_plans(const circuit::LevelPlans& plans, double bytes, const Style& style);

}  // namespace blockscope::cli
