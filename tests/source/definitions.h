// Which types a C++ source defines, by a reading that knows comments, literals, braces and namespaces.
#pragma once

#include <string>
#include <vector>

namespace blockscope::test {

// Qualified names of the structs, classes, unions and enums that `source` defines in namespaces: neither in
// anonymous ones, nor within types or functions; specialisations of templates are left out.
std::vector<std::string> defined_types(const std::string& source);

}  // namespace blockscope::test
