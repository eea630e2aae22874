// Text for people: colours, columns, tables, progress, and what depends on whether somebody is watching.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/support/result.h"

namespace blockscope::cli {

enum class Tone { Plain, Bold, Dim, Red, Green, Yellow, Blue, Magenta, Cyan };

// Paints text, or leaves it as it is.
class Style {
public:
    explicit Style(bool colours) : colours_(colours) {}
    std::string operator()(Tone tone, const std::string& text) const;
    bool colours() const { return colours_; }

private:
    bool colours_;
};

// Colours if the stream is a terminal that has them and NO_COLOR is not set (or empty);
// CLICOLOR_FORCE=1 asks for them in any case.
Style style_for(int fd);

constexpr int kUnlimited = 1 << 20;  // columns, where there is no terminal

// Columns of the terminal behind `fd`; `otherwise` if it is none.
int terminal_width(int fd, int otherwise);

// Columns that UTF-8 text takes (every code point counts one; the program writes no wide ones).
int columns(const std::string& text);

// `text` padded with blanks to `width` columns, or cut there with "…" as its last column.
std::string fit(const std::string& text, int width);
std::string pad(const std::string& text, int width);
std::string pad_left(const std::string& text, int width);

bool is_control(char c);  // a byte that terminals take for a command
// `text` without control characters, which names, titles and messages from outside may hold and terminals
// obey: each becomes a question mark. Tabs and line breaks stay, but for carriage returns.
std::string harmless(const std::string& text);
// The same of a name: on one line.
std::string harmless_name(const std::string& name);

// `text` in lines of at most `width` columns, broken at blanks; words that are longer stay whole.
std::vector<std::string> wrap(const std::string& text, int width);

using Row = std::vector<std::string>;

enum class Align { Left, Right };

// Prints columns of text on stdout. The first row is the head; the first column always stands left.
void print_table(const std::vector<Row>& rows, Align align, const Style& style);
// The same without columns that have a heading and nothing below it.
std::vector<Row> filled_columns(const std::vector<Row>& rows);

// One line on stderr that counts up, only if stderr is a terminal and the work takes a while; wiped at the
// end.
class Progress {
public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // `total` is 0 if unknown.
    void at(int count, int total = 0);

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    bool watched_;
    bool shown_ = false;
    Clock::time_point next_;
};

// One line on stderr that says what goes on, only if stderr is a terminal; wiped at the end.
class StatusLine {
public:
    StatusLine();
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    void show(const std::string& text);

private:
    bool watched_;
    bool shown_ = false;
};

// A standard stream that is closed would become the next file that is opened. Call it first.
void keep_standard_streams();

// Ctrl-C ends the process with code 130 and leaves the terminal clean. A file that grows larger than the
// process may make it is an error of writing.
void handle_interrupts();

// ---- Amounts for people.

std::string bytes_text(std::int64_t bytes);  // "48 B", "1.50 MB", "4.29 GB": powers of ten
std::string count_text(std::int64_t count);  // "4096", "17.2 G"
std::string ratio_text(double ratio);        // "1.00", "63.8"

// "snapshot 3 does 6.5 times the operations of step 0 at these block sizes; tune looks for better ones" with
// a line break, of states that do over a tenth more; else nothing. Such a state may lose against the unfused
// program only for its block sizes.
std::string repeats_note(const std::string& state, double replication);

// Exit codes (docs/cli.md), the failures that end a command early, and how they are said.

enum ExitCode : int {
    kFine = 0,
    kInternal = 1,
    kUsage = 2,
    kBadInput = 3,
    kMismatch = 4,
    kNoDevice = 5,
    kTimeout = 6,
    kPartial = 7,
    kInterrupted = 130,
};

// The arguments ask for something that is not there (a step, a rule, a node), or for a file that cannot be
// written.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// There is no such device, or no worker that could measure on it.
class NoDevice : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A file that is no program. `text` is its contents as far as they could be read.
class BadInput : public std::runtime_error {
public:
    BadInput(Problems problems, std::string text = {})
        : std::runtime_error("bad input"), problems_(std::move(problems)), text_(std::move(text)) {}

    const Problems& problems() const { return problems_; }
    const std::string& text() const { return text_; }

private:
    Problems problems_;
    std::string text_;
};

// Says the sentence on stderr, with `json` as an envelope on stdout, too, and returns the code.
int fail(int code, const std::string& sentence, bool json);

// The exit code of a command that may fail in any of the known ways; what failed is said. What it has printed
// is on stdout then, or it has failed for that.
int guarded(const std::function<int()>& command, bool json);

}  // namespace blockscope::cli
