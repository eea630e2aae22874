// What the reports of analyze have in common.
#pragma once

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
void print_models(const circuit::LevelModels& models, double bytes, const Style& style);
void print_level_plans(const circuit::LevelPlans& plans, double bytes, const Style& style);

}  // namespace blockscope::cli
