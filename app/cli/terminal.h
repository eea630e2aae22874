// Text for people: colours, columns, tables, progress, and what depends on whether somebody is watching.
#pragma once

#include <chrono>
#include <string>
#include <vector>

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

}  // namespace blockscope::cli
