#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/circuit/layout/drawing.h"

namespace blockscope::circuit {

namespace {

constexpr double kAverageWidth = 0.6;  // of a character, as a share of its size
constexpr double kLineHeight = 1.16;

bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\'';
}

bool in_exponent(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '/' || c == '.';
}

// Where what is lowered or raised from `start` on ends.
std::size_t end_of_shifted(const std::string& text, std::size_t start, bool raised) {
    if (start < text.size() && text[start] == '(') {
        const std::size_t close = text.find(')', start);
        return close == std::string::npos ? text.size() : close + 1;
    }
    std::size_t end = start;
    while (end < text.size() && (raised ? in_exponent(text[end]) : in_name(text[end]))) ++end;
    return end;
}

std::size_t letters(const std::string& text) {
    std::size_t count = 0;
    for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
    return count;
}

}  // namespace

double right_rim(GlyphKind kind, const Rect& box, double y) {
    const bool circle = kind == GlyphKind::Norm && box.width == box.height;
    return circle ? 2 * box.center().x - left_rim(kind, box, y) : box.right();
}

double left_rim(GlyphKind kind, const Rect& box, double y) {
    const double away = std::abs(y - box.center().y);
    const double radius = box.width / 2;
    if (kind == GlyphKind::Norm && box.width == box.height)
        return box.center().x - std::sqrt(std::max(0.0, radius * radius - away * away));
    if (kind != GlyphKind::Triangle || box.height <= 0) return box.left();
    return box.left() + box.width * away / (box.height / 2);
}

std::vector<TextRun> rich_text(const std::string& text) {
    std::vector<TextRun> runs;
    std::string plain;
    const auto flush = [&] {
        if (!plain.empty()) runs.push_back({plain, 0});
        plain.clear();
    };
    for (std::size_t i = 0; i < text.size();) {
        const bool raised = text[i] == '^';
        const std::size_t end = raised || text[i] == '_' ? end_of_shifted(text, i + 1, raised) : i;
        if (end <= i + 1) {
            plain += text[i++];
            continue;
        }
        flush();
        runs.push_back({text.substr(i + 1, end - i - 1), raised ? 1 : -1});
        i = end;
    }
    flush();
    return runs;
}

double letter_size(LabelRole role) {
    switch (role) {
        case LabelRole::Axis:
            return 11;
        case LabelRole::Name:
            return 12;
        case LabelRole::Title:
            return 10;
        case LabelRole::Tag:
            return 9;
        case LabelRole::Glyph:
            return 11;
        case LabelRole::Bold:
            return 15;
        case LabelRole::Number:
            return 10;
    }
    return 11;
}

Size plain_label_size(const std::string& text, LabelRole role) {
    double width = 0;
    for (const TextRun& run : rich_text(text))
        width += static_cast<double>(letters(run.text)) * (run.shift == 0 ? 1 : kShiftedSize);
    return {width * letter_size(role) * kAverageWidth, letter_size(role) * kLineHeight};
}

}  // namespace blockscope::circuit
