#include "core/circuit/layout/names.h"

#include <cmath>
#include <cstdint>
#include <cstdio>

#include "core/circuit/layout/trace.h"
#include "core/circuit/print.h"

namespace blockscope::circuit {

std::string axis_label(const Axes& axes, AxisId id) {
    const Axis& axis = axis_of(axes, id);
    std::string text = axis.name.empty() ? std::to_string(axis.size) : axis.name;
    if (axis.whole && !axis.open && axis_of(axes, *axis.whole).size == axis.size)
        text = axis_label(axes, *axis.whole);
    if (axis.divisor != 1) text += "^(" + std::to_string(axis.divisor) + ")";
    return text;
}

std::string axis_label(const Axes& axes, AxisId id, int level) {
    const std::vector<std::string>& names = axis_of(axes, id).at_levels;
    const auto at = static_cast<std::size_t>(level);
    return at < names.size() && !names[at].empty() ? names[at] : axis_label(axes, id);
}

SheetFrame partition_frame(const Axes& axes, const std::vector<const Partition*>& parts) {
    SheetFrame frame;
    const bool group = parts.front()->kind == PartitionKind::Group;
    frame.kind = group ? FrameKind::Groups : FrameKind::Stream;
    frame.origin = parts.front()->origin;
    for (const Partition* part : parts) {
        const std::string whole = axis_label(axes, part->whole);
        const std::string size = axis_label(axes, part->part);
        if (is_trivial(axes, *part)) continue;
        frame.title += (frame.title.empty() ? (group ? "groups " : "stream ") : ", ") + size + " of " + whole;
        frame.axes.push_back(part->part);
        frame.axes.push_back(part->whole);
    }
    return frame;
}

std::string array_shape(const Axes& axes, const ArrayType& type) {
    std::string text;
    for (const AxisId axis : type.axes)
        text += (text.empty() ? "" : " × ") + axis_label(axes, axis, type.level);
    return text + (text.empty() ? "one " : " ") + to_string(type.elem);
}

std::string array_text(const Axes& axes, const ArrayType& type) {
    const std::string text = array_shape(axes, type);
    return type.level > 0 ? text + " at level " + std::to_string(type.level) : text;
}

std::string apply_detail(const Axes& axes, const Apply& apply, const std::vector<ArrayType>& inputs,
                         const std::vector<ArrayType>& outputs) {
    std::string text = to_string(apply.op.kind);
    if (apply.op.kind == OperatorKind::Transfer || apply.op.kind == OperatorKind::Custom)
        text = apply.op.label;
    if (apply.op.kind == OperatorKind::Elementwise) text += " " + apply.op.label;
    if (apply.op.kind != OperatorKind::Custom)
        for (std::size_t i = 0; i < apply.own.size(); ++i)
            text += (i == 0 ? " along " : ", ") + axis_label(axes, apply.own[i]);
    std::string from;
    std::string to;
    for (const ArrayType& type : inputs) from += (from.empty() ? "" : ", ") + array_text(axes, type);
    for (const ArrayType& type : outputs) to += (to.empty() ? "" : ", ") + array_text(axes, type);
    return text + ": " + from + (from.empty() ? "→ " : " → ") + to;
}

std::string long_count(double value) {
    if (value != std::floor(value) || std::abs(value) > 9e15) return number_text(value);
    std::string digits = std::to_string(static_cast<std::int64_t>(value));
    for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > (value < 0 ? 1 : 0); i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string short_count(double value) {
    if (std::abs(value) < 1e5) return long_count(value);
    static const char* const units = "kMGTPE";
    std::size_t unit = 0;
    value /= 1000;
    while (std::abs(value) >= 999.5 && unit < 5) {
        value /= 1000;
        ++unit;
    }
    char text[32];
    std::snprintf(text, sizeof text, "%.*f%c", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, units[unit]);
    return text;
}

std::string shortened(const std::string& text, std::size_t most) {
    std::size_t count = 0;
    std::size_t cut = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;  // inside a code point
        if (++count == most) cut = i;
    }
    return count <= most ? text : text.substr(0, cut) + "…";
}

}  // namespace blockscope::circuit
