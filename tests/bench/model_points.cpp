#include "tests/bench/model_points.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/engine/cpu_program.h"
#include "core/measure/record.h"
#include "core/safety/safety.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::bench {

namespace {

constexpr const char* kSafe = "safe";  // in the column `form`
constexpr const char* kColumns = "sample,sizes,snapshot,form,measured,probe";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

// The sample's dimensions at "M=256/32 N=256/32".
DimTable dims_at(const std::string& sample, const std::string& sizes) {
    DimTable dims = test::block_sample(sample)->dims;
    for (const std::string& each : split(sizes, ' ')) {
        const std::size_t equals = each.find('=');
        const std::size_t slash = each.find('/');
        if (equals == std::string::npos || slash == std::string::npos) continue;
        for (Dim& dim : dims) {
            if (dim.name != each.substr(0, equals)) continue;
            dim.size = std::stoll(each.substr(equals + 1, slash - equals - 1));
            dim.block = std::stoll(each.substr(slash + 1));
        }
    }
    return dims;
}

// Adds points, lowering each state once.
class Collector {
public:
    void add(const std::string& sample, const DimTable& dims, int snapshot, bool safe, double seconds,
             double probe = 0) {
        const std::string sizes = sizes_text(dims);
        const std::string key = sample + " " + sizes;
        if (key != key_) {
            sized_ = sized(sample, dims);
            key_ = key;
        }
        const ProgramPtr state = sized_.snapshot(snapshot, safe);
        if (!state || !(seconds > 0)) return;
        const auto [set, fresh] = sets_.emplace(key, static_cast<int>(sets_.size()) + 1);
        points.push_back({sample, set->second, sizes, snapshot, safe, work_of(state), seconds, probe, {}});
    }
    std::vector<Point> points;

private:
    std::string key_;
    Sized sized_;
    std::map<std::string, int> sets_;
};

std::vector<Point> read_csv(std::istream& stream) {
    Collector collector;
    std::string line;
    std::getline(stream, line);
    const bool has_probe = line.rfind(kColumns, 0) == 0;  // reports before it have none
    while (std::getline(stream, line)) {
        const std::vector<std::string> cells = split(line, ',');
        if (cells.size() < (has_probe ? 6 : 5))
            throw std::runtime_error("a line with " + std::to_string(cells.size()) + " cells");
        collector.add(cells[0], dims_at(cells[0], cells[1]), std::stoi(cells[2]), cells[3] == kSafe,
                      std::stod(cells[4]), has_probe ? std::stod(cells[5]) : 0);
    }
    return std::move(collector.points);
}

// "snapshot 2": 2, "step 0": 0; -1 of others.
int snapshot_number(const std::string& state) {
    if (state == "step 0") return 0;
    const std::string start = "snapshot ";
    const std::string number = state.rfind(start, 0) == 0 ? state.substr(start.size()) : "";
    const bool digits = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::stoi(number) : -1;
}

std::vector<Point> read_results(const std::string& file) {
    const Result<measure::Results> results = measure::read_results(file);
    if (!results) throw std::runtime_error(to_string(results.problems()[0]));
    const std::vector<std::string> samples = test::sample_names();
    std::map<std::string, const measure::Record*> newest;
    for (const measure::Record& record : results->records) {
        const std::string name = std::filesystem::path(record.subject.program).stem();
        const bool sample = std::find(samples.begin(), samples.end(), name) != samples.end();
        if (sample && record.warm && record.subject.elem == "f32")
            newest[name + " " + sizes_text(record.subject.dims) + record.subject.state] = &record;
    }
    Collector collector;
    for (const auto& [key, record] : newest) {
        const std::string sample = key.substr(0, key.find(' '));
        const int snapshot = snapshot_number(record->subject.state);
        const ProgramPtr plain = sized(sample, record->subject.dims).snapshot(snapshot, false);
        const bool safe = plain && measure::structure_key(*plain) != record->subject.state_key;
        collector.add(sample, record->subject.dims, snapshot, safe, record->warm->summary.median);
    }
    return std::move(collector.points);
}

}  // namespace

ProgramPtr Sized::snapshot(int number, bool safe) const {
    if (number < 0 || number > std::ssize(trace.snapshots)) return nullptr;
    ProgramPtr state = trace.state(number == 0 ? 0 : trace.snapshots[static_cast<std::size_t>(number - 1)]);
    return safe ? std::make_shared<const BlockProgram>(make_safe(*state).program) : state;
}

Sized sized(const std::string& sample, const DimTable& dims) {
    ArrayProgram array = test::read_sample(sample);
    BlockProgram blocks = *test::block_sample(sample);
    array.dims = blocks.dims = dims;
    return {std::move(array), fuse(std::make_shared<const BlockProgram>(std::move(blocks)))};
}

DimTable dims_of(const std::string& sample, std::int64_t size, std::int64_t block) {
    DimTable dims = test::block_sample(sample)->dims;
    for (Dim& dim : dims) {
        dim.size = std::min(dim.size, dim.kind == DimKind::Blocked ? size : 4);
        dim.block = dim.kind == DimKind::Blocked ? std::min(dim.size, block) : 1;
    }
    return dims;
}

std::string sizes_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        text += (text.empty() ? "" : " ") + dim.name + "=" + std::to_string(dim.size) + "/" +
                std::to_string(dim.block);
    return text;
}

StateWork work_of(const ProgramPtr& state) {
    const State as_run(state);
    return engine_work(as_run.loops(), {ElemType::F32, ElemType::F32});
}

std::vector<Point> read_points(const std::string& file) {
    if (file.ends_with(".jsonl")) return read_results(file);
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error(file + " cannot be read");
    return read_csv(stream);
}

void write_points(const std::string& file, const std::vector<Point>& points) {
    std::ofstream stream(file);
    stream << kColumns;
    if (!points.empty())
        for (const auto& [model, seconds] : points.front().predicted) stream << ",\"" << model << '"';
    stream << '\n';
    for (const Point& point : points) {
        stream << point.sample << ',' << point.sizes << ',' << point.snapshot << ','
               << (point.safe ? kSafe : "as it is") << ',' << point.measured << ',' << point.probe;
        for (const auto& [model, seconds] : point.predicted) stream << ',' << seconds;
        stream << '\n';
    }
}

}  // namespace blockscope::bench
