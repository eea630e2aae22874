#include "app/cli/quantity.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "app/cli/failures.h"
#include "core/cost/counts.h"
#include "core/cost/terms.h"

namespace blockscope::cli {
namespace {

std::string scaled(double amount, const char* unit) {
    static constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    while (amount >= 1000 && prefix < 6) {
        amount /= 1000;
        ++prefix;
    }
    char text[32];
    std::snprintf(text, sizeof text, amount < 10 ? "%.2f" : amount < 100 ? "%.1f" : "%.0f", amount);
    return std::string(text) + " " + kPrefixes[prefix] + unit;
}

std::string limited(std::int64_t amount, const std::string& text) {
    return amount == kCountLimit ? "more than 9.2e18" : text;
}

std::int64_t parsed_size(const std::string& text, const std::string& whole) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole_number = end == text.data() + text.size() && !text.empty();
    if (whole_number && (error == std::errc::result_out_of_range || value > INT32_MAX))
        throw UsageError("'" + whole + "': a size is at most " + std::to_string(INT32_MAX));
    if (error != std::errc() || !whole_number || value < 1)
        throw UsageError("'" + whole +
                         "' is no size; expected NAME=SIZE or NAME=SIZE/BLOCK, as in M=8192/64");
    return value;
}

void set(DimTable& dims, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const Dim& d) { return d.name == name; });
    if (equals == std::string::npos || equals == 0) parsed_size("", text);
    if (dim == dims.end()) throw UsageError("the program has no dimension " + name);
    const std::size_t slash = text.find('/', equals);
    const bool block = slash != std::string::npos;
    dim->size = parsed_size(text.substr(equals + 1, block ? slash - equals - 1 : std::string::npos), text);
    if (block) dim->block = parsed_size(text.substr(slash + 1), text);
    if (!block) dim->block = std::min(dim->block, dim->size);
    if (dim->block > dim->size) throw UsageError("'" + text + "': a block is larger than the dimension");
    if (dim->kind != DimKind::Blocked && dim->block != 1)
        throw UsageError("'" + text + "': blocks of a batch dimension have size 1");
}

}  // namespace

std::string bytes_text(std::int64_t bytes) {
    if (bytes < 1000) return std::to_string(bytes) + " B";
    return limited(bytes, scaled(static_cast<double>(bytes), "B"));
}

std::string count_text(std::int64_t count) {
    if (count < 100000) return std::to_string(count);
    return limited(count, scaled(static_cast<double>(count), ""));
}

std::string ratio_text(double ratio) {
    char text[32];
    std::snprintf(text, sizeof text, ratio < 10 ? "%.2f" : ratio < 100 ? "%.1f" : "%.0f", ratio);
    return text;
}

std::string repeats_note(const std::string& state, double replication) {
    if (replication <= kRepeatsWork) return {};
    char times[32];
    std::snprintf(times, sizeof times, "%.1f", replication);
    return state + " does " + times +
           " times the operations of step 0 at these block sizes; tune looks for better ones\n";
}

ProgramPtr resized(const ProgramPtr& program, const std::vector<std::string>& sizes) {
    BlockProgram result = *program;
    for (const std::string& size : sizes) set(result.dims, size);
    return std::make_shared<const BlockProgram>(std::move(result));
}

}  // namespace blockscope::cli
