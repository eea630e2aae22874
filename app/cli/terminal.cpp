#include "app/cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <sstream>
#include <utility>

#include "app/cli/envelope.h"
#include "core/cost/counts.h"
#include "core/cost/terms.h"

namespace blockscope::cli {

namespace {

constexpr std::chrono::milliseconds kProgressDelay{150};
constexpr std::chrono::milliseconds kProgressInterval{50};

bool set_and_not_empty(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

bool dumb_terminal() {
    const char* term = std::getenv("TERM");
    return term == nullptr || std::string(term) == "dumb";
}

const char* code(Tone tone) {
    switch (tone) {
        case Tone::Plain:
            return "0";
        case Tone::Bold:
            return "1";
        case Tone::Dim:
            return "2";
        case Tone::Red:
            return "31";
        case Tone::Green:
            return "32";
        case Tone::Yellow:
            return "33";
        case Tone::Blue:
            return "34";
        case Tone::Magenta:
            return "35";
        case Tone::Cyan:
            return "36";
    }
    return "0";
}

bool continues_code_point(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

extern "C" void on_interrupt(int) {
    constexpr char kWipe[] = "\r\033[K\033[0m";
    if (isatty(STDERR_FILENO) != 0) {
        // Nothing can be done about a failing write here.
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kWipe, sizeof kWipe - 1);
    }
    _exit(kInterrupted);
}

}  // namespace

std::string Style::operator()(Tone tone, const std::string& text) const {
    if (!colours_ || tone == Tone::Plain || text.empty()) return text;
    return "\033[" + std::string(code(tone)) + "m" + text + "\033[0m";
}

Style style_for(int fd) {
    if (set_and_not_empty("NO_COLOR")) return Style(false);
    const char* force = std::getenv("CLICOLOR_FORCE");
    if (force != nullptr && *force != '\0' && std::string(force) != "0") return Style(true);
    return Style(isatty(fd) != 0 && !dumb_terminal());
}

int terminal_width(int fd, int otherwise) {
    winsize size{};
    if (isatty(fd) == 0 || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
    return size.ws_col;
}

int columns(const std::string& text) {
    int count = 0;
    for (const char c : text) count += continues_code_point(c) ? 0 : 1;
    return count;
}

std::string fit(const std::string& text, int width) {
    if (columns(text) <= width) return pad(text, width);
    std::string cut;
    int count = 0;
    for (const char c : text) {
        if (!continues_code_point(c) && ++count == width) break;
        cut += c;
    }
    return cut + "…";
}

std::string pad(const std::string& text, int width) {
    const int missing = width - columns(text);
    return missing > 0 ? text + std::string(static_cast<std::size_t>(missing), ' ') : text;
}

std::string pad_left(const std::string& text, int width) {
    const int missing = width - columns(text);
    return missing > 0 ? std::string(static_cast<std::size_t>(missing), ' ') + text : text;
}

bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

std::string harmless(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r') continue;
        // U+0080 to U+009F are control characters, too.
        const bool two_bytes =
            c == '\xc2' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
        if (two_bytes) ++i;
        const bool control = is_control(c) && c != '\n' && c != '\t';
        result += control || two_bytes ? '?' : c;
    }
    return result;
}

std::string harmless_name(const std::string& name) {
    std::string result = harmless(name);
    std::replace(result.begin(), result.end(), '\n', '?');
    return result;
}

std::vector<std::string> wrap(const std::string& text, int width) {
    std::vector<std::string> lines{""};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string& line = lines.back();
        if (line.empty()) {
            line = word;
        } else if (columns(line) + 1 + columns(word) <= width) {
            line += " " + word;
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

std::vector<Row> filled_columns(const std::vector<Row>& rows) {
    std::vector<Row> filled(rows.size());
    for (std::size_t column = 0; column < rows[0].size(); ++column) {
        const bool empty = rows.size() > 1 && std::all_of(rows.begin() + 1, rows.end(), [&](const Row& row) {
                               return row[column].empty();
                           });
        for (std::size_t i = 0; i < rows.size() && !empty; ++i) filled[i].push_back(rows[i][column]);
    }
    return filled;
}

void print_table(const std::vector<Row>& rows, Align align, const Style& style) {
    std::vector<int> widths(rows[0].size(), 0);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], columns(harmless_name(row[i])));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = pad(harmless_name(rows[r][0]), widths[0]);
        for (std::size_t i = 1; i < rows[r].size(); ++i) {
            const std::string cell = harmless_name(rows[r][i]);
            line += "  " + (align == Align::Left ? pad(cell, widths[i]) : pad_left(cell, widths[i]));
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << style(r == 0 ? Tone::Dim : Tone::Plain, line) << '\n';
    }
}

Progress::Progress(std::string what)
    : what_(std::move(what)), watched_(isatty(STDERR_FILENO) != 0), next_(Clock::now() + kProgressDelay) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::at(int count, int total) {
    if (!watched_ || Clock::now() < next_) return;
    next_ = Clock::now() + kProgressInterval;
    shown_ = true;
    const std::string of = total > 0 ? " of " + std::to_string(total) : "";
    std::fprintf(stderr, "\r\033[K%s %d%s", what_.c_str(), count, of.c_str());
    std::fflush(stderr);
}

StatusLine::StatusLine() : watched_(isatty(STDERR_FILENO) != 0) {}

StatusLine::~StatusLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void StatusLine::show(const std::string& text) {
    if (!watched_) return;
    shown_ = true;
    const std::string line = fit(harmless_name(text), terminal_width(STDERR_FILENO, 80) - 1);
    std::fprintf(stderr, "\r\033[K%s", line.substr(0, line.find_last_not_of(' ') + 1).c_str());
    std::fflush(stderr);
}

void keep_standard_streams() {
    // Opened the wrong way round, so that its use fails.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (fcntl(stream, F_GETFD) == -1) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void handle_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGXFSZ, SIG_IGN);  // writing fails then, and says so
}

namespace {

std::string scaled(double amount, const char* unit) {
    static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    while (amount >= 1000 && prefix < 6) {
        amount /= 1000;
        ++prefix;
    }
    char text[32];
    std::snprintf(text, sizeof text, amount < 10 ? "%.2f" : amount < 100 ? "%.1f" : "%.0f", amount);
    return std::string(text) + " " + kPrefixes[prefix] + unit;
}

std::string limited(std::int64_t amount, const std::string& text) {
    return amount == kCountLimit ? "more than 9.2e18" : text;
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
    if (bytes < 1000) return std::to_string(bytes) + " B";
    return limited(bytes, scaled(static_cast<double>(bytes), "B"));
}

std::string count_text(std::int64_t count) {
    if (count < 100000) return std::to_string(count);
    return limited(count, scaled(static_cast<double>(count), ""));
}

std::string ratio_text(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
    return text;
}

std::string repeats_note(const std::string& state, double replication) {
    if (replication <= kRepeatsWork) return {};
    char times[32];
    std::snprintf(times, sizeof times, "%.1f", replication);
    return state + " does " + times +
           " times the operations of step 0 at these block sizes; tune looks for better ones\n";
}

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

namespace {

// While it is there, what cannot be written to stdout is an exception: where it happens errno says why.
class StdoutThrows {
public:
    StdoutThrows() { std::cout.exceptions(std::ios::badbit); }
    ~StdoutThrows() { std::cout.exceptions(std::ios::goodbit); }
    StdoutThrows(const StdoutThrows&) = delete;
    StdoutThrows& operator=(const StdoutThrows&) = delete;
};

}  // namespace

int guarded(const std::function<int()>& command, bool json) {
    int error_number = 0;
    try {
        const StdoutThrows throws;
        try {
            const int code = command();
            std::cout.flush();
            return code;
        } catch (const std::ios_base::failure&) {
            error_number = errno;
        }
        throw UsageError(std::string("stdout cannot be written: ") + std::strerror(error_number));
    } catch (const UsageError& error) {
        const bool stdout_takes = error_number == 0;
        return fail(kUsage, error.what(), json && stdout_takes);
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
