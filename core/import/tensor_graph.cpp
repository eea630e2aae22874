#include "core/import/tensor_graph.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace blockscope::model {
namespace {

struct NumberRow {
    TensorKind kind;
    std::size_t bytes;
    bool real;
    const char* name;
};

constexpr std::array<NumberRow, 16> number_rows = {{
    {TensorKind::F32, 4, true, "f32"},
    {TensorKind::F16, 2, true, "f16"},
    {TensorKind::BF16, 2, true, "bf16"},
    {TensorKind::F64, 8, true, "f64"},
    {TensorKind::E4M3, 1, true, "e4m3"},
    {TensorKind::E5M2, 1, true, "e5m2"},
    {TensorKind::I8, 1, false, "int8"},
    {TensorKind::U8, 1, false, "uint8"},
    {TensorKind::I16, 2, false, "int16"},
    {TensorKind::U16, 2, false, "uint16"},
    {TensorKind::I32, 4, false, "int32"},
    {TensorKind::U32, 4, false, "uint32"},
    {TensorKind::I64, 8, false, "int64"},
    {TensorKind::U64, 8, false, "uint64"},
    {TensorKind::Bool, 1, false, "bool"},
    {TensorKind::Other, 0, false, "another type"},
}};

const NumberRow& row_of(TensorKind kind) {
    return number_rows[static_cast<std::size_t>(kind)];
}

template <class T>
T number_at(const std::string& bytes, std::size_t i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    return value;
}

// A small float with `exponent` bits of exponent and `mantissa` bits behind the point.
double small_float(unsigned bits, int exponent, int mantissa) {
    const unsigned sign = (bits >> (exponent + mantissa)) & 1U;
    const int e = static_cast<int>((bits >> mantissa) & ((1U << exponent) - 1));
    const double m = static_cast<double>(bits & ((1U << mantissa) - 1)) / static_cast<double>(1U << mantissa);
    const int bias = (1 << (exponent - 1)) - 1;
    double value = e == 0 ? std::ldexp(m, 1 - bias) : std::ldexp(1 + m, e - bias);
    if (e == (1 << exponent) - 1 && exponent > 4) value = m == 0 ? INFINITY : NAN;
    return sign != 0 ? -value : value;
}

template <class T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

static_assert(std::endian::native == std::endian::little);

std::size_t bytes_of(TensorKind kind) {
    return row_of(kind).bytes;
}
bool is_real(TensorKind kind) {
    return row_of(kind).real;
}
std::string to_string(TensorKind kind) {
    return row_of(kind).name;
}

double decimal(float number) {
    if (!std::isfinite(number)) return static_cast<double>(number);
    char text[64];
    const auto written = std::to_chars(text, text + sizeof text, number);
    double result = 0;
    std::from_chars(text, written.ptr, result);
    return result;
}

double TensorValues::shown(std::size_t i) const {
    return kind_ == TensorKind::F32 ? decimal(number_at<float>(*bytes_, i)) : real(i);
}

TensorValues TensorValues::of_whole(const std::vector<std::int64_t>& numbers, TensorKind kind) {
    std::string bytes;
    for (const std::int64_t number : numbers) {
        if (kind == TensorKind::Bool) {
            bytes.push_back(number != 0 ? '\1' : '\0');
        } else {
            append(bytes, number);
        }
    }
    return {kind == TensorKind::Bool ? kind : TensorKind::I64, std::move(bytes)};
}

TensorValues TensorValues::of_real(const std::vector<double>& numbers) {
    std::string bytes;
    for (const double number : numbers) append(bytes, number);
    return {TensorKind::F64, std::move(bytes)};
}

double TensorValues::real(std::size_t i) const {
    switch (kind_) {
        case TensorKind::F32:
            return static_cast<double>(number_at<float>(*bytes_, i));
        case TensorKind::F64:
            return number_at<double>(*bytes_, i);
        case TensorKind::F16:
            return small_float(number_at<std::uint16_t>(*bytes_, i), 5, 10);
        case TensorKind::BF16:
            return small_float(number_at<std::uint16_t>(*bytes_, i), 8, 7);
        case TensorKind::E4M3:
            return small_float(number_at<std::uint8_t>(*bytes_, i), 4, 3);
        case TensorKind::E5M2:
            return small_float(number_at<std::uint8_t>(*bytes_, i), 5, 2);
        default:
            return static_cast<double>(whole(i));
    }
}

std::int64_t TensorValues::whole(std::size_t i) const {
    switch (kind_) {
        case TensorKind::I8:
            return number_at<std::int8_t>(*bytes_, i);
        case TensorKind::U8:
            return number_at<std::uint8_t>(*bytes_, i);
        case TensorKind::Bool:
            return number_at<std::uint8_t>(*bytes_, i) != 0 ? 1 : 0;
        case TensorKind::I16:
            return number_at<std::int16_t>(*bytes_, i);
        case TensorKind::U16:
            return number_at<std::uint16_t>(*bytes_, i);
        case TensorKind::I32:
            return number_at<std::int32_t>(*bytes_, i);
        case TensorKind::U32:
            return number_at<std::uint32_t>(*bytes_, i);
        case TensorKind::I64:
        case TensorKind::U64:
            return number_at<std::int64_t>(*bytes_, i);
        case TensorKind::Other:
            return 0;
        default:
            break;
    }
    const double value = real(i);
    constexpr double most = 9e18;
    if (std::isnan(value)) return 0;
    return static_cast<std::int64_t>(std::min(std::max(value, -most), most));
}

std::vector<std::int64_t> TensorValues::wholes() const {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < count(); ++i) numbers.push_back(whole(i));
    return numbers;
}

const GraphTensor* input_tensor(const TensorGraph& graph, const GraphNode& node, std::size_t i) {
    if (i >= node.inputs.size() || node.inputs[i] < 0) return nullptr;
    return &graph.tensors[static_cast<std::size_t>(node.inputs[i])];
}

std::int64_t whole_attribute(const GraphNode& node, const std::string& name, std::int64_t otherwise) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return otherwise;
    const auto* value = std::get_if<std::int64_t>(&found->second);
    return value != nullptr ? *value : otherwise;
}

double real_attribute(const GraphNode& node, const std::string& name, double otherwise) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return otherwise;
    const auto* value = std::get_if<double>(&found->second);
    return value != nullptr ? *value : otherwise;
}

std::string text_attribute(const GraphNode& node, const std::string& name, const std::string& otherwise) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return otherwise;
    const auto* value = std::get_if<std::string>(&found->second);
    return value != nullptr ? *value : otherwise;
}

std::optional<std::vector<std::int64_t>> list_attribute(const GraphNode& node, const std::string& name) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return std::nullopt;
    const auto* value = std::get_if<std::vector<std::int64_t>>(&found->second);
    return value != nullptr ? std::optional(*value) : std::nullopt;
}

}  // namespace blockscope::model
