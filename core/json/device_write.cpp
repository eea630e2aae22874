#include "core/json/device_json.h"
#include "core/json/device_names.h"
#include "core/json/parts.h"

namespace blockscope {
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
Value name_of(Enum e, const std::vector<std::string>& names) {
    return names.at(static_cast<std::size_t>(e));
}

Value level_value(const MemoryLevel& level) {
    Object object{{"name", level.name},
                  {"role", name_of(level.role, level_role_names())},
                  {"per", name_of(level.per, share_names())}};
    add(object, "capacity", level.capacity);
    add(object, "block_capacity", level.block_capacity);
    add(object, "bandwidth", level.bandwidth);
    add(object, "processor_bandwidth", level.processor_bandwidth);
    return object;
}

Value rate_value(const PeakRate& rate) {
    Object object{{"unit", name_of(rate.unit, unit_names())}, {"type", name_of(rate.elem, elem_names())}};
    add(object, "per_clock", rate.per_clock);
    add(object, "peak", rate.peak);
    return object;
}

Value tile_value(const MatrixTile& tile) {
    return Object{{"type", name_of(tile.elem, elem_names())},
                  {"instruction", tile.instruction},
                  {"rows", tile.rows},
                  {"cols", tile.cols},
                  {"depth", tile.depth},
                  {"source", tile.source}};
}

Value matmul_value(const MatmulPoint& point) {
    Object object{{"type", name_of(point.elem, elem_names())},
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
                  {"kind", name_of(device.kind, device_kind_names())}};
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
