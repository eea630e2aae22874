// The elementwise functions of the text language, composed of the primitive scalar functions: a
// listing then needs no others.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/expr.h"

namespace blockscope {

// `operands` arrays (or scalars), then at most one scalar parameter that has a default, as in
// leaky_relu(X, slope=0.01).
struct ElementwiseFunction {
    std::string_view name;
    std::function<ExprPtr(const std::vector<ExprPtr>& args)> build;  // of the operands and the parameter
    int operands = 1;
    std::string_view parameter = {};  // empty: none
    double parameter_default = 0;
    bool alias = false;  // another spelling of a function that comes earlier in the table
};

const std::vector<ElementwiseFunction>& elementwise_functions();
const ElementwiseFunction* find_elementwise_function(std::string_view name);  // null if there is none

// The names of all functions of the language, those on whole arrays (softmax, ...) included.
const std::vector<std::string_view>& function_names();
bool is_function_name(std::string_view name);

}  // namespace blockscope
