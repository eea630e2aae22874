#include "core/program/names.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/program/functions.h"
#include "core/program/lexer.h"

namespace blockscope {
namespace {

// Words of the language, of its types and of listings.
constexpr std::array reserved_words = {"dim",    "batch", "group",     "input",     "mask",      "output",
                                       "pi",     "f32",   "f16",       "bf16",      "e4m3",      "e5m2",
                                       "forall", "for",   "in",        "range",     "load",      "store",
                                       "dot",    "inf",   "nan",       "row_shift", "row_scale", "transpose",
                                       "add",    "mul",   "col_shift", "col_scale", "block_max"};

bool is_reserved(std::string_view name) {
    return std::find(reserved_words.begin(), reserved_words.end(), name) != reserved_words.end() ||
           is_function_name(name);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string lower(std::string name) {
    for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return name;
}

bool is_temporary(std::string_view name) {
    return name.size() > 1 && (name[0] == 't' || name[0] == 'T') &&
           std::all_of(name.begin() + 1, name.end(), is_digit);
}

std::string on_line(int line) {
    return line > 0 ? " (line " + std::to_string(line) + ")" : std::string();
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
    if (name.empty() || is_digit(name[0])) return false;
    return std::all_of(name.begin(), name.end(),
                       [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string name_problem(const std::string& name, NameUse use) {
    if (!is_identifier(name)) {
        return "found a name that is no name; expected a letter or '_', then letters, digits and '_'";
    }
    if (name.size() > kMaxNameBytes) return "found a name of more than 256 bytes; expected a shorter one";
    if (is_temporary(name)) {
        return "found the name " + name +
               "; a T followed by digits is kept for the temporaries of listings, "
               "expected another name";
    }
    const bool dimension = use == NameUse::Dimension;
    if (dimension && !is_letter(name[0])) {
        return "found the dimension name " + name + "; expected a name that starts with a letter";
    }
    if (is_reserved(name)) {
        return "found the name " + name + ", which is a " + (is_function_name(name) ? "function" : "word") +
               " of the language; expected another name";
    }
    if (dimension && is_reserved(lower(name))) {
        return "found the dimension name " + name + ", whose loop variable " + lower(name) +
               " is a word of the language; expected another name";
    }
    return {};
}

std::string custom_name_problem(const std::string& name) {
    if (!is_identifier(name) || name.size() > kMaxNameBytes) {
        return "found the operator name \"" + shortened(name) +
               "\"; expected a letter or '_', then letters, digits and '_', 256 bytes at most";
    }
    if (is_reserved(name)) {
        return "found the operator name \"" + name +
               "\", which is a word of the language; expected another name";
    }
    return {};
}

std::string NameTable::dimension_collision(const std::string& name) const {
    if (const auto other = lowered_.find(lower(name)); other != lowered_.end()) {
        return "found the dimension " + name + " beside " + other->second +
               ", which differs only in upper and lower case; their loop variables would be the same, "
               "expected "
               "another name";
    }
    if (const auto other = entries_.find(name + name); other != entries_.end()) {
        return "found the dimension " + name + " beside " + other->first + on_line(other->second.line) +
               ", which is how listings call the size of " + name + "; expected another name";
    }
    return {};
}

std::string NameTable::collision(const std::string& name, NameUse use) const {
    if (const auto other = entries_.find(name); other != entries_.end()) {
        const char* what = other->second.use == NameUse::Dimension ? "a dimension" : "an array";
        return "found a second definition of " + name + ", which is already " + what +
               on_line(other->second.line) + "; expected a new name";
    }
    if (const auto other = doubled_.find(name); other != doubled_.end()) {
        return "found the name " + name + " beside the dimension " + other->second +
               ", whose size listings call " + name + "; expected another name";
    }
    return use == NameUse::Dimension ? dimension_collision(name) : std::string();
}

std::string NameTable::declare(const std::string& name, NameUse use, int line) {
    if (std::string problem = name_problem(name, use); !problem.empty()) return problem;
    if (std::string problem = collision(name, use); !problem.empty()) return problem;
    entries_[name] = {use, line};
    if (use == NameUse::Dimension) {
        lowered_[lower(name)] = name;
        doubled_[name + name] = name;
    }
    return {};
}

std::string suggestion(std::string_view name, const std::vector<std::string_view>& candidates) {
    const int limit = name.size() <= 3 ? 1 : 2;
    int best = limit + 1;
    std::string_view nearest;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const bool same_word = lower(std::string(name)) == lower(std::string(candidates[i]));
        const int d = same_word ? 0 : distance(name, candidates[i]);
        if (d >= best || d >= static_cast<int>(std::max(name.size(), candidates[i].size()))) continue;
        best = d;
        nearest = candidates[i];
    }
    return nearest.empty() ? std::string() : ". Did you mean " + std::string(nearest) + "?";
}

}  // namespace blockscope
