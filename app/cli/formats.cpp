#include "app/cli/formats.h"

#include "core/json/json_io.h"
#include "core/print/print.h"

namespace blockscope::cli {
namespace {

void print_with_newline(std::ostream& out, const std::string& text) {
    out << text;
    if (text.empty() || text.back() != '\n') out << '\n';
}

std::string title(const Trace& trace, int step) {
    if (step == 0) return "step 0: the initial block program";
    const Step& taken = trace.steps[static_cast<std::size_t>(step - 1)];
    return "step " + std::to_string(step) + ": rule " + to_string(taken.match.rule);
}

const char* comment(Format format) {
    return format == Format::Dot ? "// " : "# ";
}

}  // namespace

std::string print_state(const BlockProgram& program, Format format) {
    switch (format) {
        case Format::Listing:
            return listing(program);
        case Format::Text:
            return outline(program);
        case Format::Dot:
            return dot(program);
        case Format::Json:
            return write_json(program);
    }
    return {};
}

void print_states(std::ostream& out, const Trace& trace, const Shown& shown, Format format) {
    if (!shown.all) {
        print_with_newline(out, print_state(shown.state(trace, shown.last), format));
        return;
    }
    if (format == Format::Json) {
        print_with_newline(out, write_json(trace));
        return;
    }
    for (int step = 0; step <= shown.last; ++step) {
        out << comment(format) << title(trace, step) << (shown.safe.empty() ? "" : ", safe form") << '\n';
        print_with_newline(out, print_state(shown.state(trace, step), format));
    }
}

}  // namespace blockscope::cli
