#include "tests/support/text_cases.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace blockscope::test {
namespace {

// A case of a table, or a text that cases change.
struct Section {
    std::string name;
    bool is_case = false;
    std::vector<std::string> lines;
    std::vector<std::string> said;  // as written, without "=> "
};

struct Table {
    std::string preface;
    std::vector<Section> sections;
};

bool starts_with(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

void add_line(Section& section, const std::string& line) {
    const bool blank_may_separate = !section.is_case || !section.said.empty();
    if (starts_with(line, "=> "))
        section.said.push_back(line.substr(3));
    else if (line.empty() && blank_may_separate)
        return;
    else if (!section.said.empty())
        throw std::runtime_error("case " + section.name + " goes on after what is said: " + line);
    else
        section.lines.push_back(line);
}

Table read_table(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    Table table;
    for (std::string line; std::getline(file, line);) {
        const bool is_case = line == "-----" || starts_with(line, "----- ");
        if (is_case || starts_with(line, "===== "))
            table.sections.push_back({line.substr(std::min<std::size_t>(line.size(), 6)), is_case, {}, {}});
        else if (table.sections.empty())
            table.preface += line + "\n";
        else
            add_line(table.sections.back(), line);
    }
    return table;
}

// Lines that end with % joined, every other line with its line break.
std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    bool goes_on = false;
    for (const std::string& line : lines) {
        const std::size_t begin = goes_on ? std::min(line.find_first_not_of(' '), line.size()) : 0;
        goes_on = !line.empty() && line.back() == '%';
        text += line.substr(begin, line.size() - begin - (goes_on ? 1 : 0));
        if (!goes_on) text += '\n';
    }
    return text;
}

// Reads the escapes of one text.
class Decoder {
public:
    explicit Decoder(const std::string& text) : text_(text) {}

    std::string decode() { return until('\0', 0); }

private:
    // Up to and without `end`; `round` is that of the repetition around it.
    std::string until(char end, long round) {
        std::string bytes;
        while (at_ < text_.size() && (end == '\0' || text_[at_] != end)) {
            if (text_[at_] != '%')
                bytes += text_[at_++];
            else
                bytes += escape(round);
        }
        return bytes;
    }

    std::string escape(long round) {
        const char kind = text_.at(at_ + 1);
        at_ += kind == '{' || kind == '(' ? 2 : 1;
        if (kind == '{') return repetition();
        if (kind == '(') {
            const long first = number(' '), step = number(')');
            return std::to_string(first + step * round);
        }
        const std::string digits = text_.substr(at_, 2);
        at_ += 2;
        return std::string(1, static_cast<char>(std::stoi(digits, nullptr, 16)));
    }

    std::string repetition() {
        const long count = number(' ');
        const std::size_t begin = at_;
        std::string bytes;
        for (long round = 0; round < count; ++round) {
            at_ = begin;
            bytes += until('}', round);
        }
        if (at_ >= text_.size()) throw std::runtime_error("a repetition without } in " + text_);
        ++at_;
        return bytes;
    }

    long number(char end) {
        const std::size_t stop = text_.find(end, at_);
        const long value = std::stol(text_.substr(at_, stop - at_));
        at_ = stop + 1;
        return value;
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

std::string decoded(const std::string& text) {
    return Decoder(text).decode();
}

// `base` with the changes that `lines` ask for: "- OLD" and "+ NEW", one after the other.
std::string changed(std::string base, const std::vector<std::string>& lines) {
    std::istringstream changes(joined(lines));
    for (std::string from, to; std::getline(changes, from) && std::getline(changes, to);) {
        if (!starts_with(from, "- ") || !starts_with(to, "+"))
            throw std::runtime_error("expected \"- OLD\" and \"+ NEW\", found " + from);
        const std::string old_text = decoded(from.substr(2));
        const std::size_t at = base.find(old_text);
        if (at == std::string::npos) throw std::runtime_error("nothing to replace: " + old_text);
        base.replace(at, old_text.size(), to.size() < 2 ? "" : decoded(to.substr(2)));
    }
    return base;
}

std::string input_of(const Section& section, const std::map<std::string, std::string>& bases) {
    if (section.lines.empty() || !starts_with(section.lines[0], "~ ")) return decoded(joined(section.lines));
    return changed(bases.at(section.lines[0].substr(2)), {section.lines.begin() + 1, section.lines.end()});
}

std::vector<TextCase> cases_of(const Table& table) {
    std::vector<TextCase> cases;
    std::map<std::string, std::string> bases;
    for (const Section& section : table.sections) {
        if (!section.is_case) {
            bases[section.name] = decoded(joined(section.lines));
            continue;
        }
        TextCase& made = cases.emplace_back(TextCase{section.name, input_of(section, bases), {}});
        for (const std::string& sentence : section.said) made.said.push_back(decoded(sentence));
    }
    return cases;
}

// One line of printable ASCII that decodes to `sentence`.
std::string encoded(const std::string& sentence) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string line;
    for (const char c : sentence) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f && c != '%')
            line += c;
        else
            line += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
    return line;
}

void write_table(const std::filesystem::path& path, const Table& table) {
    std::ofstream file(path, std::ios::binary);
    file << table.preface;
    for (const Section& section : table.sections) {
        if (&section != &table.sections.front()) file << "\n";
        file << (section.is_case ? "-----" : "=====") << (section.name.empty() ? "" : " ") << section.name
             << "\n";
        for (const std::string& line : section.lines) file << line << "\n";
        for (const std::string& sentence : section.said) file << "=> " << sentence << "\n";
    }
}

}  // namespace

std::vector<TextCase> text_cases(const std::filesystem::path& table) {
    return cases_of(read_table(table));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::string said_otherwise(const std::filesystem::path& path,
                           const std::function<std::vector<std::string>(const TextCase&)>& say) {
    Table table = read_table(path);
    const std::vector<TextCase> cases = cases_of(table);
    auto next = cases.begin();
    std::string differences;
    for (Section& section : table.sections) {
        if (!section.is_case) continue;
        const TextCase& text_case = *next++;
        const std::vector<std::string> said = say(text_case);
        if (said == text_case.said) continue;
        differences += "case " + (section.name.empty() ? text_case.input : section.name) + "\n";
        for (const std::string& sentence : text_case.said)
            differences += "  in the table: " + sentence + "\n";
        for (const std::string& sentence : said) differences += "  said:         " + sentence + "\n";
        section.said.clear();
        for (const std::string& sentence : said) section.said.push_back(encoded(sentence));
    }
    if (!differences.empty() && std::getenv("BLOCKSCOPE_UPDATE") != nullptr) write_table(path, table);
    return differences;
}

}  // namespace blockscope::test
