// Wrong programs and everything that is said about them.
#pragma once

#include <string>
#include <vector>

namespace blockscope {

// The text follows the declarations of errors_test.cpp, which are 9 lines; the file is called "t".
struct ErrorCase {
    std::string text;
    std::string errors;  // one per line
};

extern const std::vector<ErrorCase> statement_errors;
extern const std::vector<ErrorCase> operator_errors;
extern const std::vector<ErrorCase> expression_errors;

}  // namespace blockscope
