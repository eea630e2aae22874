// Which names dimensions and arrays may have, so that listings stay unambiguous, and the nearest
// name to a misspelt one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/support/text.h"

namespace blockscope {

enum class NameUse : std::uint8_t { Dimension, Array };

// The names of one program.
class NameTable {
public:
    // What speaks against `name`, as a sentence that says what is expected; empty if nothing does,
    // and then the name is taken. `line` (0: unknown) is where it is defined.
    Text declare(const std::string& name, NameUse use, int line);
    bool contains(const std::string& name) const { return entries_.count(name) > 0; }

private:
    struct Entry {
        NameUse use;
        int line;
    };
    Text collision(const std::string& name, NameUse use) const;
    Text dimension_collision(const std::string& name) const;

    std::unordered_map<std::string, Entry> entries_;
    std::unordered_map<std::string, std::string> lowered_;  // of dimensions: "m" -> "M"
    std::unordered_map<std::string, std::string> doubled_;  // of dimensions: "MM" -> "M"
};

// What is wrong with `name` whatever else the program holds; empty if nothing is.
Text name_problem(const std::string& name, NameUse use);

// The miscellaneous operator by which the conversion transposes a value that it cannot make transposed.
inline constexpr const char* kTranspose = "transpose";

// The same as name_problem for the name of custom("name", ...).
Text custom_name_problem(const std::string& name);

// Whether `name` has the form of a name: a letter or '_', then letters, digits and '_'.
bool is_identifier(std::string_view name);

// ". Did you mean X?" for the candidate nearest to `name`, or empty if none is near.
Text suggestion(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace blockscope
