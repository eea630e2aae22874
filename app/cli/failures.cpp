#include "app/cli/failures.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <new>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"

namespace blockscope::cli {
namespace {

constexpr int kMostShown = 50;
constexpr std::size_t kLongestLine = 160;  // bytes of the input shown around a problem

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
        shown += is_control(line[i]) ? ' ' : line[i];
        const bool inside = (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
        if (i + 1 < column && !inside) caret += ' ';
    }
    out << "    " << harmless(shown) << '\n' << "    " << caret << style(Tone::Green, "^") << '\n';
}

// Problems as a person reads them: place, sentence, the line at fault. `text` is the input that they are
// about; empty if there is none.
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

int fail(int code, const Problems& problems, const std::string& text, bool json) {
    if (json) std::cout << error_envelope(code, problems) << std::endl;
    print_problems(std::cerr, problems, text, style_for(STDERR_FILENO));
    return code;
}

}  // namespace

int fail(int code, const std::string& sentence, bool json) {
    return fail(code, {Problem{{}, sentence}}, {}, json);
}

int guarded(const std::function<int()>& command, bool json) {
    try {
        const int code = command();
        errno = 0;
        std::cout.flush();
        if (std::cout) return code;
        const std::string why = errno == 0 ? std::string() : std::string(": ") + std::strerror(errno);
        return fail(kUsage, "stdout cannot be written" + why, false);
    } catch (const UsageError& error) {
        return fail(kUsage, error.what(), json);
    } catch (const NoDevice& error) {
        return fail(kNoDevice, error.what(), json);
    } catch (const BadInput& error) {
        return fail(kBadInput, error.problems(), error.text(), json);
    } catch (const InternalError& error) {
        return fail(kInternal, std::string("Internal error, please report it: ") + error.what(), json);
    } catch (const std::bad_alloc&) {
        return fail(kInternal, "Out of memory.", json);
    } catch (const std::exception& error) {
        return fail(kInternal, std::string("Internal error, please report it: ") + error.what(), json);
    }
}

}  // namespace blockscope::cli
