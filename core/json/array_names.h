// Spellings that array programs use in JSON, in the order of their enumerations.
#pragma once

#include "core/json/parts.h"

namespace blockscope::json {

constexpr const char* kArrayFormat = "blockscope array program";

const std::vector<std::string>& array_op_names();     // ArrayOpKind
const std::vector<std::string>& vector_axis_names();  // VectorAxis
const std::vector<std::string>& broadcast_names();    // Fn, from Fn::Add on

}  // namespace blockscope::json
