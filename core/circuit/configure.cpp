// Configuration tables (Section 5.6) and divisors (Section 5.4).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/circuit/expand.h"

namespace blockscope::circuit {

ElemType Configuration::elem(const Variable& variable) const {
    const auto found = elems.find(variable.name);
    return found == elems.end() ? variable.elem : found->second;
}

Configuration default_configuration(const Expansion& expansion, const Flow& flow, double stream) {
    Configuration result;
    result.sizes = sizes(flow.axes);
    for (const auto& [letter, size] : {std::pair<const char*, double>{"w_", 128}, {"t_", 1}, {"g_", 128}})
        result.sizes[letter + expansion.rows] = size;
    for (const Axis& axis : flow.axes) {
        if (axis.name == expansion.stream || axis.name == expansion.inner)
            for (const char* letter : {"s_", "u_"})
                result.sizes[letter + axis.name] = std::min(stream, static_cast<double>(axis.size));
        const std::string symbol = axis.symbol.empty() ? axis.name : axis.symbol;
        const auto size = static_cast<double>(axis.size);
        result.sizes[symbol + "′"] = std::max(1.0, size / 4);
        result.sizes[symbol + "″"] = std::max(1.0, size / 16);
    }
    for (const Variable& variable : expansion.variables) result.elems[variable.name] = variable.elem;
    return result;
}

double bytes_of(const Variable& variable, const Configuration& configuration) {
    return variable.values.value(configuration.sizes) * bytes_per_element(configuration.elem(variable));
}

Result<std::vector<LevelUse>> level_uses(const Expansion& expansion, const Configuration& configuration,
                                         const Device& device) {
    const MemoryLevel* shared = first_level(device, LevelRole::Shared);
    const MemoryLevel* registers = first_level(device, LevelRole::Registers);
    if (!shared || !registers)
        return Problem{{}, device.name + " has no shared memory or no registers; expected a GPU"};
    const auto& limit = shared->block_capacity.known() ? shared->block_capacity : shared->capacity;
    std::vector<LevelUse> uses = {{shared->name, limit.value, 0, 0},
                                  {registers->name, registers->capacity.value, 0, 0}};
    for (const Variable& variable : expansion.variables) {
        LevelUse& use = uses[variable.place == Tier::Shared ? 0 : 1];
        (variable.per_warpgroup ? use.per_warpgroup : use.per_block) += bytes_of(variable, configuration);
    }
    return uses;
}

int warpgroups(const std::vector<LevelUse>& uses) {
    double least = HUGE_VAL;
    for (const LevelUse& use : uses) least = std::min(least, use.warpgroups());
    return least < 0 || !std::isfinite(least) ? 0 : static_cast<int>(least);
}

namespace {

// The largest matrix instruction for a type: that of the most rows.
const MatrixTile* tile_for(const Device& device, ElemType elem) {
    const MatrixTile* best = nullptr;
    for (const MatrixTile& tile : device.tiles)
        if (tile.elem == elem && (!best || tile.rows > best->rows)) best = &tile;
    return best;
}

const Variable* variable_of(const Expansion& expansion, const std::string& name) {
    for (const Variable& variable : expansion.variables)
        if (variable.name == name) return &variable;
    return nullptr;
}

void matrix_divisors(const Expansion& expansion, const Flow& flow, const Expansion::Operation& operation,
                     const Configuration& configuration, const Device& device, std::vector<Divisor>& result) {
    ElemType elem = ElemType::E4M3;
    for (const std::string& name : operation.operands)
        if (const Variable* variable = variable_of(expansion, name))
            if (bytes_per_element(configuration.elem(*variable)) > bytes_per_element(elem))
                elem = configuration.elem(*variable);
    const MatrixTile* tile = tile_for(device, elem);
    if (!tile) return;
    const FlowOp& op = flow.ops.at(static_cast<std::size_t>(operation.op));
    const Apply& apply = op.apply;
    // An instruction multiplies the rows that threads share by the columns of the other operand; what both
    // operands have (a batch, heads), and other rows of the same operand, are further products.
    const auto operand_has = [&](std::size_t input, const AxisId& axis) {
        const std::vector<AxisId>& axes =
            flow.arrays.at(static_cast<std::size_t>(op.inputs.at(input))).type.axes;
        return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    const std::size_t left = std::any_of(apply.weave.begin(), apply.weave.end(), [&](const AxisId& axis) {
        return axis_of(flow.axes, axis).name == expansion.rows && operand_has(1, axis);
    });
    const auto symbol = [&](AxisId axis, bool inner) {
        const std::string& name = axis_of(flow.axes, axis).name;
        if (name == expansion.rows) return "w_" + name;
        if (name == expansion.stream || name == expansion.inner) return (inner ? "u_" : "s_") + name;
        return extent(flow.axes, axis).text();
    };
    result.push_back(
        {symbol(apply.own.at(0), true), tile->depth, tile->instruction + " of " + operation.name});
    for (const AxisId axis : apply.weave) {
        const bool rows = axis_of(flow.axes, axis).name == expansion.rows;
        if (!rows && (operand_has(left, axis) || !operand_has(1 - left, axis))) continue;
        result.push_back({symbol(axis, false), rows ? tile->rows : tile->cols,
                          tile->instruction + " of " + operation.name});
    }
}

}  // namespace

std::vector<Divisor> divisors(const Expansion& expansion, const Flow& flow,
                              const Configuration& configuration, const Device& device) {
    std::vector<Divisor> all;
    if (device.limits.threads_per_warp.known()) {
        const auto threads = static_cast<std::int64_t>(4 * device.limits.threads_per_warp.value);
        all.push_back(
            {"w_" + expansion.rows, threads, "a warpgroup has " + std::to_string(threads) + " threads"});
    }
    for (const Variable& variable : expansion.variables) {
        if (variable.role != "input" || variable.axes.empty() || !device.line.known()) continue;
        const auto by =
            static_cast<std::int64_t>(device.line.value) / bytes_per_element(configuration.elem(variable));
        all.push_back({variable.axes.back(), by, "coalesced transfer of " + variable.name});
    }
    for (const Expansion::Operation& operation : expansion.operations)
        if (operation.unit == Unit::Matrix)
            matrix_divisors(expansion, flow, operation, configuration, device, all);
    std::vector<Divisor> merged;
    for (const Divisor& divisor : all) {
        const auto same = std::find_if(merged.begin(), merged.end(),
                                       [&](const Divisor& one) { return one.symbol == divisor.symbol; });
        if (same == merged.end()) {
            merged.push_back(divisor);
        } else if (const std::int64_t common = std::lcm(same->by, divisor.by); common != same->by) {
            same->by = common;
            same->because += "; " + divisor.because;
        }
    }
    return merged;
}

std::vector<std::string> broken_divisors(const std::vector<Divisor>& divisors,
                                         const Configuration& configuration) {
    std::vector<std::string> sentences;
    for (const Divisor& divisor : divisors) {
        const auto found = configuration.sizes.find(divisor.symbol);
        if (found == configuration.sizes.end()) continue;
        if (std::fmod(found->second, static_cast<double>(divisor.by)) != 0)
            sentences.push_back(divisor.symbol + " = " + number_text(found->second) + " does not divide by " +
                                std::to_string(divisor.by) + " (" + divisor.because + ").");
    }
    return sentences;
}

}  // namespace blockscope::circuit
