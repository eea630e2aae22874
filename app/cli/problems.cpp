#include "app/cli/problems.h"

#include <algorithm>

namespace blockscope::cli {
namespace {

constexpr int kMostShown = 50;
constexpr std::size_t kLongestLine = 160;  // bytes of the input shown around a problem

bool printable(char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f;
}

// Messages quote the input, which may hold anything.
std::string harmless(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c != '\r') result += printable(c) || c == '\n' ? c : '?';
    return result;
}

std::string line_of(const std::string& text, int line) {
    std::size_t start = 0;
    for (int i = 1; i < line; ++i) {
        start = text.find('\n', start);
        if (start == std::string::npos) return {};
        ++start;
    }
    std::string found = text.substr(start, text.find('\n', start) - start);
    if (!found.empty() && found.back() == '\r') found.pop_back();
    return found;
}

void print_excerpt(std::ostream& out, const Place& place, const std::string& text, const Style& style) {
    const std::string line = line_of(text, place.line);
    const auto column = static_cast<std::size_t>(std::max(place.column, 1));
    if (line.empty() || line.size() > kLongestLine || column > line.size() + 1) return;
    std::string shown;
    std::string caret;
    for (std::size_t i = 0; i < line.size(); ++i) {
        shown += printable(line[i]) ? line[i] : ' ';
        const bool inside = (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
        if (i + 1 < column && !inside) caret += ' ';
    }
    out << "    " << shown << '\n' << "    " << caret << style(Tone::Green, "^") << '\n';
}

}  // namespace

void print_problems(std::ostream& out, const Problems& problems, const std::string& text,
                    const Style& style) {
    int shown = 0;
    for (const Problem& problem : problems) {
        if (++shown > kMostShown) {
            out << "... and " << problems.size() - kMostShown << " more\n";
            break;
        }
        const bool placed = !problem.place.file.empty();
        out << (placed ? "" : "blockscope-cli: ") << style(Tone::Red, harmless(to_string(problem))) << '\n';
        if (problem.place.line > 0) print_excerpt(out, problem.place, text, style);
    }
    out.flush();
}

}  // namespace blockscope::cli
