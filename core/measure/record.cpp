#include "core/measure/record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "core/json/json_io.h"
#include "core/measure/parts_json.h"

namespace blockscope::measure {

namespace {

// Gives all nodes new numbers in the order in which they stand, from 1, across all levels.
class Renumbering {
public:
    GraphPtr graph(const Graph& graph) {
        for (const NodePtr& node : graph.nodes()) ids_[node->id.value] = ++last_;
        std::vector<NodePtr> nodes;
        for (const NodePtr& node : graph.nodes()) nodes.push_back(renumbered(*node));
        return std::make_shared<const Graph>(std::move(nodes));
    }
    std::uint32_t last() const { return last_; }

private:
    NodePtr renumbered(const Node& node) {
        Node copy = node;
        copy.id = NodeId{ids_.at(node.id.value)};
        for (ValueRef& input : copy.inputs.own()) input.node = NodeId{ids_.at(input.node.value)};
        if (auto* map = std::get_if<Map>(&copy.kind)) map->body = graph(*map->body);
        return std::make_shared<const Node>(std::move(copy));
    }

    std::unordered_map<std::uint32_t, std::uint32_t> ids_;
    std::uint32_t last_ = 0;
};

// FNV-1a, 64 bits.
std::string hashed(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    constexpr char kDigits[] = "0123456789abcdef";
    std::string result(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4U) result[i] = kDigits[hash & 15U];
    return result;
}

std::string dims_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        text += dim.name + "=" + std::to_string(dim.size) + "/" + std::to_string(dim.block) + ";";
    return text;
}

std::string size_text(const Dim& dim) {
    return std::to_string(dim.size) + "/" + std::to_string(dim.block);
}

// Of dimensions that both have, by name: an edited program may have others.
void add_sizes(const DimTable& measured, const DimTable& now, std::vector<Text>& reasons) {
    bool first = true;
    for (const Dim& dim : now) {
        const auto was = std::find_if(measured.begin(), measured.end(),
                                      [&](const Dim& other) { return other.name == dim.name; });
        if (was == measured.end() || (was->size == dim.size && was->block == dim.block)) continue;
        reasons.push_back(
            first ? Text("The sizes differ: %1 was %2 and is %3.", dim.name, size_text(*was), size_text(dim))
                  : Text("%1 was %2 and is %3.", dim.name, size_text(*was), size_text(dim)));
        first = false;
    }
}

}  // namespace

std::string structure_key(const BlockProgram& program) {
    BlockProgram plain = program;
    for (Dim& dim : plain.dims) dim.size = dim.block = 1;
    Renumbering renumbering;
    plain.graph = renumbering.graph(*program.graph);
    plain.next_id = renumbering.last() + 1;
    return hashed(write_json(plain));
}

std::string subject_key(const Subject& subject) {
    return hashed(subject.program_key + "|" + subject.state_key + "|" + dims_text(subject.dims) + "|" +
                  subject.elem + "|" + subject.device + "|" + subject.machine + "|" +
                  std::to_string(subject.threads));
}

std::vector<Text> stale_reasons(const Subject& measured, const Subject& now) {
    std::vector<Text> reasons;
    if (measured.program_key != now.program_key)
        reasons.emplace_back(Text("The program has changed."));
    else if (measured.state_key != now.state_key)
        reasons.emplace_back(Text("The state has changed."));
    add_sizes(measured.dims, now.dims, reasons);
    if (reasons.empty() && dims_text(measured.dims) != dims_text(now.dims))
        reasons.emplace_back(Text("The dimensions differ."));
    if (measured.elem != now.elem) reasons.push_back(Text("The type differs: it was %1.", measured.elem));
    if (measured.device != now.device)
        reasons.push_back(Text("It was measured on another device: %1.", measured.device));
    if (measured.machine != now.machine)
        reasons.push_back(Text("It was measured on another machine: %1.", measured.machine));
    if (measured.threads != now.threads) reasons.emplace_back(Text("The number of threads differs."));
    return reasons;
}

namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }

private:
    int fd_;
};

Problem problem(const std::string& file, const Text& what) {
    return {{file, 0, 0, {}},
            Text("The results cannot be kept: %1: %2.", what, std::string(std::strerror(errno)))};
}

// Whether the file has a last line without its end.
bool unfinished(int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || status.st_size == 0) return false;
    char last = '\n';
    return pread(fd, &last, 1, status.st_size - 1) == 1 && last != '\n';
}

bool write_all(int fd, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = write(fd, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

// A new file survives a power cut only if its folder is on disk, too.
void sync_folder(const std::filesystem::path& folder) {
    const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() >= 0) fsync(fd.get());
}

}  // namespace

std::optional<Problem> append_record(const std::string& file, const Record& record) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::absolute(file).parent_path();
    std::error_code error;
    fs::create_directories(folder, error);
    const bool is_new = !fs::exists(file, error);
    const Descriptor fd(open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644));
    if (fd.get() < 0) return problem(file, Text("the file cannot be opened"));
    if (flock(fd.get(), LOCK_EX) != 0) return problem(file, Text("the file cannot be locked"));
    const std::string line = (unfinished(fd.get()) ? "\n" : "") + write_record(record) + "\n";
    if (!write_all(fd.get(), line)) return problem(file, Text("the file cannot be written"));
    if (fsync(fd.get()) != 0) return problem(file, Text("the file cannot be synced"));
    if (is_new) sync_folder(folder);
    return std::nullopt;
}

Result<Results> read_results(const std::string& file) {
    Results results;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
        if (errno == ENOENT) return results;
        return Problem{{file, 0, 0, {}},
                       Text("The results cannot be read: %1.", std::string(std::strerror(errno)))};
    }
    for (std::string line; std::getline(stream, line);) {
        if (line.empty()) continue;
        if (Result<Record> record = read_record(line, file))
            results.records.push_back(std::move(record).value());
        else
            ++results.unreadable;
    }
    return results;
}

const Record* newest(const Results& results, const std::string& subject_key) {
    for (auto record = results.records.rbegin(); record != results.records.rend(); ++record)
        if (measure::subject_key(record->subject) == subject_key) return &*record;
    return nullptr;
}

std::string default_results_file() {
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    const std::string folder = data && *data == '/' ? std::string(data)
                               : home               ? std::string(home) + "/.local/share"
                                                    : std::string(".");
    return folder + "/blockscope/results.jsonl";
}

// Subjects, plans and records as JSON.

using json::Array;
using json::Object;
using json::Reader;
using json::Value;

namespace {

constexpr const char* kFormat = "blockscope result";

Value dims_value(const DimTable& dims) {
    Array list;
    for (const Dim& dim : dims)
        list.push_back(Object{{"name", dim.name}, {"size", dim.size}, {"block", dim.block}});
    return list;
}

DimTable read_dims(const Reader& reader) {
    DimTable dims;
    if (!reader.array(0, 4096)) return dims;
    for (std::size_t i = 0; i < reader.size(); ++i) {
        const Reader each = reader.at(i);
        if (!each.object({"name", "size", "block"})) continue;
        Dim dim;
        dim.name = text(each.member("name"), json::kMaxNameBytes);
        dim.size = each.member("size").integer(1, INT32_MAX).value_or(1);
        dim.block = each.member("block").integer(1, INT32_MAX).value_or(1);
        dims.push_back(std::move(dim));
    }
    return dims;
}

Value against_value(const Against& against) {
    return Object{{"state", against.state},
                  {"subject_key", against.subject_key},
                  {"ratio", ratio_value(against.ratio)}};
}

Against read_against(const Reader& reader) {
    if (!reader.object({"state", "subject_key", "ratio"})) return {};
    return {text(reader.member("state")), text(reader.member("subject_key")),
            read_ratio(reader.member("ratio"))};
}

// Optional members of `reader`, read by `read`.
template <class Read>
auto optional_member(const Reader& reader, const char* key, const Read& read)
    -> std::optional<decltype(read(reader))> {
    if (!reader.has(key)) return std::nullopt;
    const Reader member = reader.member(key);
    return read(member);
}

}  // namespace

Value subject_value(const Subject& subject) {
    return Object{{"program", subject.program},         {"state", subject.state},
                  {"program_key", subject.program_key}, {"state_key", subject.state_key},
                  {"dims", dims_value(subject.dims)},   {"type", subject.elem},
                  {"device", subject.device},           {"machine", subject.machine},
                  {"threads", subject.threads}};
}

Subject read_subject(const Reader& reader) {
    Subject subject;
    if (!reader.object(
            {"program", "state", "program_key", "state_key", "dims", "type", "device", "machine", "threads"}))
        return subject;
    subject.program = text(reader.member("program"));
    subject.state = text(reader.member("state"));
    subject.program_key = text(reader.member("program_key"), 64);
    subject.state_key = text(reader.member("state_key"), 64);
    subject.dims = read_dims(reader.member("dims"));
    subject.elem = text(reader.member("type"), 64);
    subject.device = text(reader.member("device"));
    subject.machine = text(reader.member("machine"));
    subject.threads = whole(reader.member("threads"), 0, 1 << 20);
    return subject;
}

Value plan_value(const SamplingPlan& plan) {
    return Object{{"warmup_runs", plan.warmup_runs},
                  {"warmup_seconds", plan.warmup_seconds},
                  {"samples", plan.samples},
                  {"seconds", plan.seconds},
                  {"cap_seconds", plan.cap_seconds}};
}

SamplingPlan read_plan(const Reader& reader) {
    if (!reader.object({"warmup_runs", "warmup_seconds", "samples", "seconds", "cap_seconds"})) return {};
    return {.warmup_runs = whole(reader.member("warmup_runs"), 0, 1000),
            .warmup_seconds = amount(reader.member("warmup_seconds")),
            .samples = whole(reader.member("samples"), 1, 1'000'000),
            .seconds = amount(reader.member("seconds")),
            .cap_seconds = amount(reader.member("cap_seconds"))};
}

namespace {

Fallback read_fallback(const Reader& reader) {
    if (!reader.object({"target", "failure"})) return {};
    return {text(reader.member("target")), read_failure(reader.member("failure"))};
}

}  // namespace

std::string write_record(const Record& record) {
    Object object{{"format", kFormat},
                  {"version", kRecordVersion},
                  {"time", record.time},
                  {"key", subject_key(record.subject)},
                  {"subject", subject_value(record.subject)},
                  {"machine", machine_value(record.machine)},
                  {"before", conditions_value(record.before)},
                  {"after", conditions_value(record.after)},
                  {"seed", static_cast<std::int64_t>(record.seed)}};
    const auto add = [&](const char* key, Value value) { object.push_back({key, std::move(value)}); };
    if (record.check) add("check", check_value(*record.check));
    if (record.warm) add("warm", timing_value(*record.warm));
    if (record.cold) add("cold", timing_value(*record.cold));
    if (!record.kernels.empty()) add("kernels", kernels_value(record.kernels));
    if (record.against) add("against", against_value(*record.against));
    if (record.predicted_seconds) add("predicted_seconds", *record.predicted_seconds);
    if (!record.model.empty()) add("model", record.model);
    if (!record.prepared.empty()) add("prepared", record.prepared);
    if (record.fallback)
        add("fallback", Object{{"target", record.fallback->target},
                               {"failure", failure_value(record.fallback->failure)}});
    if (record.failure) add("failure", failure_value(*record.failure));
    return json::print_line(object);
}

Result<Record> read_record(const std::string& line, const std::string& file) {
    const Result<Value> document = json::parse(line, file);
    if (!document) return document.problems();
    json::Report report(file);
    const Reader reader(*document, report);
    Record record;
    if (json::check_header(reader, kFormat) &&
        reader.object({"format", "version", "time", "key", "subject", "machine", "before", "after", "seed",
                       "check?", "warm?", "cold?", "kernels?", "against?", "predicted_seconds?", "model?",
                       "prepared?", "fallback?", "failure?"})) {
        record.time = text(reader.member("time"));
        record.subject = read_subject(reader.member("subject"));
        record.machine = read_machine(reader.member("machine"));
        record.before = read_conditions(reader.member("before"));
        record.after = read_conditions(reader.member("after"));
        record.seed =
            static_cast<std::uint64_t>(reader.member("seed").integer(INT64_MIN, INT64_MAX).value_or(0));
        record.check = optional_member(reader, "check", read_check);
        record.warm = optional_member(reader, "warm", read_timing);
        record.cold = optional_member(reader, "cold", read_timing);
        if (reader.has("kernels")) record.kernels = read_kernels(reader.member("kernels"));
        record.against = optional_member(reader, "against", read_against);
        record.predicted_seconds = optional_member(reader, "predicted_seconds", amount);
        if (reader.has("model")) record.model = text(reader.member("model"));
        if (reader.has("prepared")) record.prepared = text(reader.member("prepared"));
        record.fallback = optional_member(reader, "fallback", read_fallback);
        record.failure = optional_member(reader, "failure", read_failure);
    }
    if (!report.clean()) return report.problems();
    return record;
}

}  // namespace blockscope::measure
