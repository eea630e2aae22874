#include "tests/support/samples.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "core/program/convert.h"

namespace blockscope::test {

namespace {

std::filesystem::path folder() {
    return std::filesystem::path(BLOCKSCOPE_SOURCE_DIR) / "samples";
}

// The lines of a program without comments, names of sizes without their numbers.
std::string without_sizes(const std::string& text) {
    std::istringstream lines(text);
    std::string all, line;
    while (std::getline(lines, line)) {
        line.erase(std::min(line.find('#'), line.size()));
        if (line.rfind("dim ", 0) == 0 || line.rfind("batch ", 0) == 0)
            line.erase(std::remove_if(
                           line.begin() + static_cast<std::ptrdiff_t>(std::min(line.find('='), line.size())),
                           line.end(), [](unsigned char c) { return std::isdigit(c) != 0; }),
                       line.end());
        std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
        if (!line.empty()) all += line + '\n';
    }
    return all;
}

// What `make` gives for a name, made when it is asked for the first time. Any thread may ask.
template <class Made>
class MadeByName {
public:
    explicit MadeByName(Made (*make)(const std::string& name)) : make_(make) {}

    const Made& of(const std::string& name) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = made_.find(name);
        return found != made_.end() ? found->second : made_.emplace(name, make_(name)).first->second;
    }

private:
    Made (*make_)(const std::string& name);
    std::mutex mutex_;
    std::map<std::string, Made> made_;  // whose values stay where they are
};

}  // namespace

std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder()))
        if (entry.path().extension() == ".bp") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> distinct_samples() {
    std::set<std::string> seen;
    std::vector<std::string> names = sample_names();
    std::erase_if(names, [&](const std::string& name) {
        return !seen.insert(without_sizes(sample_text(name))).second;
    });
    return names;
}

std::string sample_text(const std::string& name) {
    std::ifstream file(folder() / (name + ".bp"));
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

ArrayProgram read_sample(const std::string& name) {
    Result<ArrayProgram> program = parse_program(sample_text(name), name + ".bp");
    if (!program) throw std::runtime_error(to_string(program.problems().front()));
    return std::move(program).value();
}

ProgramPtr block_sample(const std::string& name) {
    static MadeByName<ProgramPtr> samples([](const std::string& sample) {
        return std::make_shared<const BlockProgram>(to_block_program(read_sample(sample)).program);
    });
    return samples.of(name);
}

const Trace& sample_trace(const std::string& name) {
    static MadeByName<Trace> traces([](const std::string& sample) { return fuse(block_sample(sample)); });
    return traces.of(name);
}

std::string test_name(const std::string& name) {
    std::string text = name;
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return text;
}

}  // namespace blockscope::test
