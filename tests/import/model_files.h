// The exported models beside these tests, and what PyTorch computed with them.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "core/import/import.h"
#include "core/import/onnx_reader.h"

namespace blockscope::test {

// The bytes of tests/import/models/NAME.onnx.
std::string model_bytes(const std::string& name);

// The model as a program; NAME is that of an ONNX model, or of a file with its ending. Throws
// std::runtime_error with what is wrong if it cannot be imported.
model::ImportedModel imported(const std::string& name,
                              const std::map<std::string, model::ExtentChoice>& choices = {});

// Inputs and outputs by name, as tests/import/models/NAME.values has them, in row-major order.
std::map<std::string, std::vector<double>> recorded(const std::string& name);

// Products, softmaxes, norms, activations, custom operators.
using Counts = std::tuple<int, int, int, int, int>;
Counts counts_of(const model::ImportedModel& model);

// The text without the comment at its top.
std::string program_of(const model::ImportedModel& model);

// Whether fusion leaves fewer buffered edges of the program than it has.
bool fuses(const std::string& name);

// The largest difference from what PyTorch computed, relative to the largest number of that output.
double largest_error(const std::string& name);

}  // namespace blockscope::test
