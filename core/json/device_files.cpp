#include "core/json/device_files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "core/json/parts.h"
#include "core/json/value.h"
#include "core/support/whole_file.h"

namespace blockscope {

namespace {

namespace fs = std::filesystem;

// $`variable`/blockscope, or `fallback` in the home directory.
fs::path folder_of(const char* variable, const char* fallback) {
    const char* set = std::getenv(variable);
    if (set && fs::path(set).is_absolute()) return fs::path(set) / "blockscope";
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / fallback / "blockscope" : fs::path();
}

std::vector<Device> read_embedded() {
    std::vector<Device> devices;
    for (const EmbeddedDevice& embedded : embedded_devices()) {
        Result<Device> device = read_device(embedded.text, std::string(embedded.name) + ".json");
        if (!device) throw InternalError("built-in device: " + to_string(device.problems().front()));
        devices.push_back(std::move(device).value());
    }
    return devices;
}

void put(std::vector<Device>& devices, Device device) {
    const auto found = std::find_if(devices.begin(), devices.end(),
                                    [&](const Device& other) { return other.name == device.name; });
    if (found == devices.end())
        devices.push_back(std::move(device));
    else
        *found = std::move(device);
}

void take(DeviceList& list, const fs::path& file) {
    Result<Device> device = read_device_file(file);
    if (device)
        put(list.devices, std::move(device).value());
    else
        list.problems.insert(list.problems.end(), device.problems().begin(), device.problems().end());
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_calibrated(const std::string& file) {
    return file.rfind("local-", 0) == 0 || file.rfind("remote-", 0) == 0;
}

}  // namespace

const std::vector<Device>& builtin_devices() {
    static const std::vector<Device> devices = read_embedded();
    return devices;
}

fs::path user_device_folder() {
    const fs::path folder = folder_of("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder / "devices";
}

fs::path local_cpu_file() {
    return calibrated_file(kLocalCpu);
}

std::string usual_device() {
    return fs::exists(local_cpu_file()) ? kLocalCpu : kUsualCard;
}

std::string calibrated_name(const std::string& host, const std::string& device) {
    std::string name = (host.empty() ? "local-" : "remote-" + host + "-") + device;
    for (char& c : name)  // of what a description's name may have
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    return name;
}

fs::path calibrated_file(const std::string& name) {
    const fs::path folder = folder_of("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder / (name + ".json");
}

Result<Device> read_device_file(const fs::path& file) {
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error) return Problem{{file.string(), 0, 0, {}}, Text("cannot be read: %1", error.message())};
    if (size > json::kMaxBytes)
        return Problem{{file.string(), 0, 0, {}}, Text("is too large for a device description")};
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream) return Problem{{file.string(), 0, 0, {}}, Text("cannot be read")};
    return read_device(text, file.string());
}

std::optional<Problem> write_device_file(const fs::path& file, const Device& device) {
    std::error_code error;
    fs::create_directories(fs::absolute(file).parent_path(), error);
    const std::string wrong = write_whole_file(file, write_json(device));
    if (wrong.empty()) return std::nullopt;
    return Problem{{file.string(), 0, 0, {}}, Text("The description cannot be written: %1.", wrong)};
}

DeviceList load_devices(const fs::path& folder, const fs::path& local_cpu) {
    DeviceList list{builtin_devices(), {}};
    std::error_code error;
    if (!folder.empty())
        for (const fs::path& file : json_files(folder)) take(list, file);
    if (!local_cpu.empty() && fs::exists(local_cpu, error)) take(list, local_cpu);
    for (const fs::path& file : json_files(local_cpu.parent_path()))
        if (file != local_cpu && is_calibrated(file.filename().string())) take(list, file);
    std::sort(list.devices.begin(), list.devices.end(),
              [](const Device& a, const Device& b) { return a.name < b.name; });
    return list;
}

const Device* find_device(const std::vector<Device>& devices, const std::string& name) {
    for (const Device& device : devices)
        if (device.name == name) return &device;
    return nullptr;
}

namespace json {
namespace {

constexpr std::size_t kMaxSources = 64;
constexpr std::size_t kMaxLevels = 16;
constexpr std::size_t kMaxEntries = 4096;  // of any other list
constexpr std::size_t kMaxText = 2000;     // bytes of a title or a sentence
constexpr double kMaxFigure = 1e30;
constexpr double kMinFigure = 1e-30;
constexpr double kMaxProcessors = 1e6;

class DeviceReader {
public:
    explicit DeviceReader(const Reader& document) : document_(document) {}

    Device run() {
        head();
        figures();
        list("memory", 1, kMaxLevels, device_.memory, [&](const Reader& r) { return level(r); });
        list("rates", 1, kMaxEntries, device_.rates, [&](const Reader& r) { return rate(r); });
        list("tiles", 0, kMaxEntries, device_.tiles, [&](const Reader& r) { return tile(r); });
        list("matmul", 0, kMaxEntries, device_.matmul, [&](const Reader& r) { return matmul(r); });
        list("parameters", 0, kMaxEntries, device_.parameters, [&](const Reader& r) { return parameter(r); });
        limits();
        if (document_.report().clean()) whole();
        return std::move(device_);
    }

private:
    static std::string text(const Reader& reader) { return reader.plain_text(kMaxText).value_or(""); }

    void head() {
        const Reader name = document_.member("name");
        device_.name = name.string(kMaxNameBytes).value_or("x");
        const auto allowed = [](unsigned char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                   c == '_' || c == '.';
        };
        if (device_.name.empty() || device_.name[0] == '.' || device_.name[0] == '-' ||
            !std::all_of(device_.name.begin(), device_.name.end(), allowed))
            name.problem(
                Text("expected a name of letters, digits, '-', '_' and '.', found %1", name.found()));
        device_.title = text(document_.member("title"));
        const Reader kind = document_.member("kind");
        device_.kind = static_cast<DeviceKind>(kind.choice(device_kind_names()).value_or(0));
        list("sources", 1, kMaxSources, device_.sources, [&](const Reader& r) { return source(r); });
        if (!document_.has("calibration")) return;
        const Reader calibration = document_.member("calibration");
        if (!calibration.object({"when", "machine", "how"})) return;
        device_.calibration = {text(calibration.member("when")), text(calibration.member("machine")),
                               text(calibration.member("how"))};
    }

    Source source(const Reader& reader) {
        if (!reader.object({"id", "title", "url?"})) return {};
        Source source{text(reader.member("id")), text(reader.member("title")), {}};
        if (reader.has("url")) source.url = text(reader.member("url"));
        if (source.id.empty() || source.title.empty())
            reader.problem(Text("a source needs an id and a title"));
        if (!source_ids_.insert(source.id).second)
            reader.problem(Text("the id \"%1\" stands twice", printable(source.id, 40)));
        return source;
    }

    void check_source(const Reader& reader, const std::string& id) {
        if (reader && source_ids_.count(id) == 0)
            reader.problem(Text("expected the id of one of /sources, found %1", reader.found()));
    }

    DeviceFigure figure(const Reader& parent, const char* key) {
        if (!parent.has(key)) return {};
        const Reader reader = parent.member(key);
        if (!reader.object({"value", "source", "how?"})) return {};
        DeviceFigure figure;
        const Reader value = reader.member("value");
        if (const auto number = value.number()) {
            figure.value = *number;
            if (*number < kMinFigure || *number > kMaxFigure)
                value.problem(Text("expected a number from 1e-30 to 1e+30, found %1", value.found()));
        }
        const Reader source = reader.member("source");
        figure.source = text(source);
        check_source(source, figure.source);
        if (reader.has("how")) figure.how = text(reader.member("how"));
        return figure;
    }

    void figures() {
        device_.processors = figure(document_, "processors");
        device_.group = figure(document_, "group");
        device_.clock = figure(document_, "clock");
        device_.base_clock = figure(document_, "base_clock");
        device_.matrix_clock = figure(document_, "matrix_clock");
        device_.vector_bits = figure(document_, "vector_bits");
        device_.line = figure(document_, "line");
        device_.transaction = figure(document_, "transaction");
        device_.launch = figure(document_, "launch");
        device_.task = figure(document_, "task");
    }

    MemoryLevel level(const Reader& reader) {
        MemoryLevel level;
        if (!reader.object(
                {"name", "role", "per", "capacity", "block_capacity?", "bandwidth?", "processor_bandwidth?"}))
            return level;
        level.name = text(reader.member("name"));
        level.role = static_cast<LevelRole>(reader.member("role").choice(level_role_names()).value_or(0));
        level.per = static_cast<Share>(reader.member("per").choice(share_names()).value_or(0));
        level.capacity = figure(reader, "capacity");
        level.block_capacity = figure(reader, "block_capacity");
        level.bandwidth = figure(reader, "bandwidth");
        level.processor_bandwidth = figure(reader, "processor_bandwidth");
        const bool needs_bandwidth = level.role == LevelRole::Cache || level.role == LevelRole::Memory;
        if (needs_bandwidth && !reader.has("bandwidth"))
            reader.problem(Text("a cache or a memory needs a bandwidth"));
        if (level.per == Share::Group && !document_.has("group"))
            reader.problem(Text("a level per group needs /group, the processors of one group"));
        return level;
    }

    ElemType elem(const Reader& reader) { return read_elem(reader).value_or(ElemType::F32); }

    PeakRate rate(const Reader& reader) {
        PeakRate rate;
        if (!reader.object({"unit", "type", "per_clock?", "peak?"})) return rate;
        rate.unit = static_cast<Unit>(reader.member("unit").choice(unit_names()).value_or(0));
        rate.elem = elem(reader.member("type"));
        rate.per_clock = figure(reader, "per_clock");
        rate.peak = figure(reader, "peak");
        if (!reader.has("per_clock") && !reader.has("peak"))
            reader.problem(Text("a rate needs per_clock or peak, or both"));
        for (const PeakRate& other : device_.rates)
            if (other.unit == rate.unit && other.elem == rate.elem)
                reader.problem(Text("the rate of this unit and type stands twice"));
        return rate;
    }

    int side(const Reader& reader) { return static_cast<int>(reader.integer(1, 1 << 20).value_or(1)); }

    MatrixTile tile(const Reader& reader) {
        MatrixTile tile;
        if (!reader.object({"type", "instruction", "rows", "cols", "depth", "source"})) return tile;
        tile.elem = elem(reader.member("type"));
        tile.instruction = text(reader.member("instruction"));
        tile.rows = side(reader.member("rows"));
        tile.cols = side(reader.member("cols"));
        tile.depth = side(reader.member("depth"));
        const Reader source = reader.member("source");
        tile.source = text(source);
        check_source(source, tile.source);
        return tile;
    }

    MatmulPoint matmul(const Reader& reader) {
        MatmulPoint point;
        if (!reader.object({"type", "rows", "cols", "depth", "rate"})) return point;
        point.elem = elem(reader.member("type"));
        point.rows = side(reader.member("rows"));
        point.cols = side(reader.member("cols"));
        point.depth = side(reader.member("depth"));
        point.rate = figure(reader, "rate");
        return point;
    }

    Parameter parameter(const Reader& reader) {
        Parameter parameter;
        if (!reader.object({"name", "figure"})) return parameter;
        parameter.name = text(reader.member("name"));
        parameter.figure = figure(reader, "figure");
        for (const Parameter& other : device_.parameters)
            if (other.name == parameter.name) reader.problem(Text("the parameter stands twice"));
        return parameter;
    }

    void limits() {
        if (!document_.has("limits")) return;
        const Reader reader = document_.member("limits");
        if (!reader.object({"threads_per_warp?", "threads_per_block?", "threads_per_processor?",
                            "blocks_per_processor?", "registers_per_thread?"}))
            return;
        device_.limits = {.threads_per_warp = figure(reader, "threads_per_warp"),
                          .threads_per_block = figure(reader, "threads_per_block"),
                          .threads_per_processor = figure(reader, "threads_per_processor"),
                          .blocks_per_processor = figure(reader, "blocks_per_processor"),
                          .registers_per_thread = figure(reader, "registers_per_thread")};
    }

    // What only the parts together show.
    void whole() {
        const Reader processors = document_.member("processors");
        const double count = device_.processors.value;
        if (count < 1 || count > kMaxProcessors) processors.problem(Text("expected 1 to 1000000 processors"));
        const Reader memory = document_.member("memory");
        const auto is_memory = [](const MemoryLevel& level) { return level.role == LevelRole::Memory; };
        const auto memories = std::count_if(device_.memory.begin(), device_.memory.end(), is_memory);
        if (memories != 1 || !is_memory(device_.memory.back()))
            memory.problem(Text("the last level, and no other, has to have the role \"memory\""));
        for (const Unit unit : {Unit::Matrix, Unit::Vector, Unit::Special})
            if (device_rate(device_, unit, ElemType::F32) <= 0)
                document_.member("rates").problem(
                    Text("there is no rate of the %1 unit for f32 (a type that is not listed counts with the "
                         "next wider one)",
                         unit_names()[static_cast<std::size_t>(unit)]));
    }

    template <class T, class Read>
    void list(const char* key, std::size_t least, std::size_t most, std::vector<T>& to, Read read) {
        if (!document_.has(key)) return;
        const Reader array = document_.member(key);
        if (!array.array(least, most)) return;
        for (std::size_t i = 0; i < array.size(); ++i) {
            const Reader element = array.at(i);
            T value = read(element);
            to.push_back(std::move(value));
        }
    }

    const Reader& document_;
    Device device_;
    std::set<std::string> source_ids_;
};

}  // namespace
}  // namespace json

Result<Device> read_device(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    const json::Reader reader(*document, report);
    if (!json::check_header(reader, json::kDeviceFormat) ||
        !reader.object({"format",      "version",       "name",         "title",  "kind",
                        "sources",     "calibration?",  "processors",   "group?", "clock",
                        "base_clock?", "matrix_clock?", "vector_bits?", "line?",  "transaction?",
                        "launch",      "task?",         "memory",       "rates",  "tiles?",
                        "limits?",     "matmul?",       "parameters?"}))
        return report.problems();
    Device device = json::DeviceReader(reader).run();
    if (!report.clean()) return report.problems();
    return device;
}

namespace json {
namespace {

void add(Object& object, const char* key, const DeviceFigure& figure) {
    if (!figure.known()) return;
    const double whole = static_cast<double>(static_cast<std::int64_t>(figure.value));
    const bool exact = figure.value < 1e15 && whole == figure.value;
    Object value{{"value", exact ? Value(static_cast<std::int64_t>(figure.value)) : Value(figure.value)},
                 {"source", figure.source}};
    if (!figure.how.empty()) value.push_back({"how", figure.how});
    object.push_back({key, std::move(value)});
}

template <class Enum>
Value role_name(Enum e, const std::vector<std::string>& names) {
    return names.at(static_cast<std::size_t>(e));
}

Value level_value(const MemoryLevel& level) {
    Object object{{"name", level.name},
                  {"role", role_name(level.role, level_role_names())},
                  {"per", role_name(level.per, share_names())}};
    add(object, "capacity", level.capacity);
    add(object, "block_capacity", level.block_capacity);
    add(object, "bandwidth", level.bandwidth);
    add(object, "processor_bandwidth", level.processor_bandwidth);
    return object;
}

Value rate_value(const PeakRate& rate) {
    Object object{{"unit", role_name(rate.unit, unit_names())}, {"type", role_name(rate.elem, elem_names())}};
    add(object, "per_clock", rate.per_clock);
    add(object, "peak", rate.peak);
    return object;
}

Value tile_value(const MatrixTile& tile) {
    return Object{{"type", role_name(tile.elem, elem_names())},
                  {"instruction", tile.instruction},
                  {"rows", tile.rows},
                  {"cols", tile.cols},
                  {"depth", tile.depth},
                  {"source", tile.source}};
}

Value matmul_value(const MatmulPoint& point) {
    Object object{{"type", role_name(point.elem, elem_names())},
                  {"rows", point.rows},
                  {"cols", point.cols},
                  {"depth", point.depth}};
    add(object, "rate", point.rate);
    return object;
}

Value parameter_value(const Parameter& parameter) {
    Object object{{"name", parameter.name}};
    add(object, "figure", parameter.figure);
    return object;
}

Value source_value(const Source& source) {
    Object object{{"id", source.id}, {"title", source.title}};
    if (!source.url.empty()) object.push_back({"url", source.url});
    return object;
}

template <class T, class Convert>
void add_list(Object& object, const char* key, const std::vector<T>& list, Convert convert) {
    if (list.empty()) return;
    Array array;
    for (const T& element : list) array.push_back(convert(element));
    object.push_back({key, std::move(array)});
}

Value limits_value(const Limits& limits) {
    Object object;
    add(object, "threads_per_warp", limits.threads_per_warp);
    add(object, "threads_per_block", limits.threads_per_block);
    add(object, "threads_per_processor", limits.threads_per_processor);
    add(object, "blocks_per_processor", limits.blocks_per_processor);
    add(object, "registers_per_thread", limits.registers_per_thread);
    return object;
}

void add_figures(Object& object, const Device& device) {
    add(object, "processors", device.processors);
    add(object, "group", device.group);
    add(object, "clock", device.clock);
    add(object, "base_clock", device.base_clock);
    add(object, "matrix_clock", device.matrix_clock);
    add(object, "vector_bits", device.vector_bits);
    add(object, "line", device.line);
    add(object, "transaction", device.transaction);
    add(object, "launch", device.launch);
    add(object, "task", device.task);
}

}  // namespace
}  // namespace json

std::string write_json(const Device& device) {
    using namespace json;
    Object object{{"format", kDeviceFormat},
                  {"version", 1},
                  {"name", device.name},
                  {"title", device.title},
                  {"kind", role_name(device.kind, device_kind_names())}};
    add_list(object, "sources", device.sources, source_value);
    if (device.calibration) {
        const Calibration& c = *device.calibration;
        object.push_back({"calibration", Object{{"when", c.when}, {"machine", c.machine}, {"how", c.how}}});
    }
    add_figures(object, device);
    add_list(object, "memory", device.memory, level_value);
    add_list(object, "rates", device.rates, rate_value);
    add_list(object, "tiles", device.tiles, tile_value);
    if (!(device.limits == Limits{})) object.push_back({"limits", limits_value(device.limits)});
    add_list(object, "matmul", device.matmul, matmul_value);
    add_list(object, "parameters", device.parameters, parameter_value);
    return print(object);
}

}  // namespace blockscope
