#include "core/program/names.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/graph/node.h"
#include "core/program/functions.h"
#include "core/program/syntax.h"

namespace blockscope {
namespace {

// Words of the language, of its types and of listings, besides the names of operators.
constexpr std::array reserved_words = {"dim", "batch", "group", "input", "mask", "output", "pi",
                                       "f32", "f16",   "bf16",  "e4m3",  "e5m2", "forall", "for",
                                       "in",  "range", "load",  "store", "inf",  "nan",    "transpose"};

bool is_reserved(std::string_view name) {
    const auto has_name = [&](const FunctionalOperator& row) { return row.name == name; };
    return std::find(reserved_words.begin(), reserved_words.end(), name) != reserved_words.end() ||
           std::any_of(kFunctionalOperators.begin(), kFunctionalOperators.end(), has_name) ||
           is_function_name(name);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_decimal_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string lower_case(std::string name) {
    for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return name;
}

bool is_temporary(std::string_view name) {
    return name.size() > 1 && (name[0] == 't' || name[0] == 'T') &&
           std::all_of(name.begin() + 1, name.end(), is_decimal_digit);
}

Text on_line(int line) {
    return line > 0 ? Text(" (line %1)", line) : Text();
}

// Insertions, deletions and changes of one letter that lead from a to b; more than 2 counts as 3.
int distance(std::string_view a, std::string_view b) {
    constexpr int far = 3;
    const std::size_t longest = 32;
    if (a.size() > longest || b.size() > longest) return far;
    if (a.size() > b.size() + 2 || b.size() > a.size() + 2) return far;
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const int change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, diagonal + 1});
        }
    }
    return std::min(row.back(), far);
}

}  // namespace

bool is_identifier(std::string_view name) {
    if (name.empty() || is_decimal_digit(name[0])) return false;
    return std::all_of(name.begin(), name.end(),
                       [](char c) { return is_letter(c) || is_decimal_digit(c) || c == '_'; });
}

Text name_problem(const std::string& name, NameUse use) {
    if (!is_identifier(name)) {
        return Text("found a name that is no name; expected a letter or '_', then letters, digits and '_'");
    }
    if (name.size() > kMaxNameBytes)
        return Text("found a name of more than 256 bytes; expected a shorter one");
    if (is_temporary(name)) {
        return Text(
            "found the name %1; a T followed by digits is kept for the temporaries of listings, expected "
            "another name",
            name);
    }
    const bool dimension = use == NameUse::Dimension;
    if (dimension && !is_letter(name[0])) {
        return Text("found the dimension name %1; expected a name that starts with a letter", name);
    }
    if (is_reserved(name)) {
        return is_function_name(name)
                   ? Text("found the name %1, which is a function of the language; expected another name",
                          name)
                   : Text("found the name %1, which is a word of the language; expected another name", name);
    }
    if (dimension && is_reserved(lower_case(name))) {
        return Text(
            "found the dimension name %1, whose loop variable %2 is a word of the language; expected another "
            "name",
            name, lower_case(name));
    }
    return {};
}

Text custom_name_problem(const std::string& name) {
    if (!is_identifier(name) || name.size() > kMaxNameBytes) {
        return Text(
            "found the operator name \"%1\"; expected a letter or '_', then letters, digits and '_', 256 "
            "bytes at most",
            shortened(name));
    }
    if (is_reserved(name)) {
        return Text("found the operator name \"%1\", which is a word of the language; expected another name",
                    name);
    }
    return {};
}

Text NameTable::dimension_collision(const std::string& name) const {
    if (const auto other = lowered_.find(lower_case(name)); other != lowered_.end()) {
        return Text(
            "found the dimension %1 beside %2, which differs only in upper and lower case; their loop "
            "variables would be the same, expected another name",
            name, other->second);
    }
    if (const auto other = entries_.find(name + name); other != entries_.end()) {
        return Text(
            "found the dimension %1 beside %2%3, which is how listings call the size of %1; expected another "
            "name",
            name, other->first, on_line(other->second.line));
    }
    return {};
}

Text NameTable::collision(const std::string& name, NameUse use) const {
    if (const auto other = entries_.find(name); other != entries_.end()) {
        const Text what = other->second.use == NameUse::Dimension ? Text("a dimension") : Text("an array");
        return Text("found a second definition of %1, which is already %2%3; expected a new name", name, what,
                    on_line(other->second.line));
    }
    if (const auto other = doubled_.find(name); other != doubled_.end()) {
        return Text(
            "found the name %1 beside the dimension %2, whose size listings call %1; expected another name",
            name, other->second);
    }
    return use == NameUse::Dimension ? dimension_collision(name) : Text();
}

Text NameTable::declare(const std::string& name, NameUse use, int line) {
    if (Text problem = name_problem(name, use); !problem.empty()) return problem;
    if (Text problem = collision(name, use); !problem.empty()) return problem;
    entries_[name] = {use, line};
    if (use == NameUse::Dimension) {
        lowered_[lower_case(name)] = name;
        doubled_[name + name] = name;
    }
    return {};
}

Text suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
    const int limit = name.size() <= 3 ? 1 : 2;
    int best = limit + 1;
    std::string_view nearest;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool same_word = lower_case(std::string(name)) == lower_case(std::string(candidates[i]));
        const int d = same_word ? 0 : distance(name, candidates[i]);
        if (d >= best || d >= static_cast<int>(std::max(name.size(), candidates[i].size()))) continue;
        best = d;
        nearest = candidates[i];
    }
    return nearest.empty() ? Text() : Text(". Did you mean %1?", nearest);
}

}  // namespace blockscope
