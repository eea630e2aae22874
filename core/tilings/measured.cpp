#include "core/tilings/measured.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace blockscope::tilings {

namespace {

constexpr std::string_view kHead = "# blockscope tilings ";

class MeasuredReader {
public:
    MeasuredReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

    Result<MeasuredText> read() {
        std::size_t at = 0;
        while (at < text_.size()) {
            ++number_;
            const std::size_t end = text_.find('\n', at);
            std::string_view line(text_.data() + at, (end == std::string::npos ? text_.size() : end) - at);
            at = end == std::string::npos ? text_.size() : end + 1;
            if (line.ends_with('\r')) line.remove_suffix(1);
            made_.cut = end == std::string::npos;
            // What wrote the head ends each line: the rest of this one is not there.
            if (made_.cut && !made_.subject.empty()) break;
            if (auto problem = read_line(line)) return *problem;
        }
        return std::move(made_);
    }

private:
    std::optional<Problem> read_line(std::string_view line) {
        if (line.size() > kMostMeasuredLine)
            return wrong(1, Text("a line has at most %1 bytes", std::to_string(kMostMeasuredLine)));
        if (line.find_first_not_of(" \t") == std::string_view::npos) return std::nullopt;
        if (line.starts_with(kHead) && made_.subject.empty() && made_.table.empty())
            made_.subject = line.substr(kHead.size());
        if (line.front() == '#') return std::nullopt;
        const std::size_t colon = line.rfind(": ");
        if (colon == std::string_view::npos || colon == 0) return expected(1);
        const std::string candidate(line.substr(0, colon));
        const std::string_view value = line.substr(colon + 2);
        if (made_.table.count(candidate) > 0)
            return wrong(1, Text("the candidate %1 stands in the table twice", candidate));
        if (value == "null") {
            made_.table[candidate] = std::nullopt;
            return std::nullopt;
        }
        double seconds = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (error != std::errc() || end != value.data() + value.size() || !(seconds > 0) ||
            !std::isfinite(seconds))
            return expected(static_cast<int>(colon) + 3);
        made_.table[candidate] = seconds;
        return std::nullopt;
    }

    Problem expected(int column) const {
        return wrong(column, Text("expected a candidate, a colon and its seconds or null: "
                                  "mhnk m=32 n=64 k=16 h=16: 1.2e-05"));
    }
    Problem wrong(int column, Text message) const {
        return {{.file = file_, .line = number_, .column = column, .pointer = {}}, std::move(message)};
    }

    const std::string& text_;
    const std::string& file_;
    int number_ = 0;
    MeasuredText made_;
};

}  // namespace

Result<MeasuredText> read_measured_text(const std::string& text, const std::string& file) {
    return MeasuredReader(text, file).read();
}

std::string measured_subject(const std::string& name, const Chain& chain, const std::string& on) {
    std::string text = name + ":";
    for (const Loop& loop : chain.loops) text += " " + loop.name + "=" + std::to_string(loop.size);
    return text + " batch=" + std::to_string(chain.batch) + ", on " + on;
}

std::string measured_head(const std::string& subject) {
    std::string line = std::string(kHead) + subject;
    for (char& letter : line)
        if (static_cast<unsigned char>(letter) < ' ') letter = '?';
    return line + "\n";
}

std::string measured_line(const std::string& candidate, const std::optional<double>& seconds) {
    if (!seconds) return candidate + ": null\n";
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", *seconds);
    return candidate + ": " + text + "\n";
}

}  // namespace blockscope::tilings
