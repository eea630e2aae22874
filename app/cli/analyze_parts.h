// What the reports of analyze have in common.
#pragma once

#include <iostream>
#include <string>

#include "app/cli/terminal.h"
#include "core/circuit/study.h"

namespace blockscope::cli {

std::string count_of(double number);
std::string bytes_of(double number);
std::string digits(double number, const char* format);  // as printf

void print_heading(const std::string& title, const Style& style);
// N_g, H_g, H and M of a diagram as it is.
void print_resources(const circuit::Circuit& drawn, const circuit::Resources& resources);
// H* and the memory limit that it holds under, of a study of a program or of a drawing; the line stays open.
template <class AnyStudy>
void print_limit(const AnyStudy& study) {
    const std::string law = study.law
                                ? " = " + study.law->formula(study.memory_symbol).text() +
                                      (study.law_of_numbers ? ", with the sizes put in: " + study.no_law : "")
                                : ": no formula: " + study.no_law;
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
