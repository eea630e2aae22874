#include "core/support/text.h"

#include <ostream>

namespace blockscope {

Text Text::of_template(std::string english, std::vector<Text> arguments) {
    Text text(std::move(english));
    text.arguments_ = std::move(arguments);
    text.is_template_ = true;
    return text;
}

std::string Text::str() const {
    const std::string_view pattern = english();
    if (!is_template_) return std::string(pattern);
    std::string result;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        const std::size_t place = next >= '1' && next <= '9' ? static_cast<std::size_t>(next - '0') : 0;
        if (pattern[i] != '%' || place == 0 || place > arguments_.size()) {
            result += pattern[i];
            continue;
        }
        result += arguments_[place - 1].str();
        ++i;
    }
    return result;
}

std::ostream& operator<<(std::ostream& out, const Text& text) {
    return out << text.str();
}

std::string in_groups(std::int64_t number) {
    constexpr std::size_t kGroup = 3;
    std::string text = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = text.size(); at > first + kGroup;) text.insert(at -= kGroup, 1, ',');
    return text;
}

Text comma_list(const std::vector<Text>& parts) {
    Text list;
    for (const Text& part : parts) list = list.empty() ? part : Text("%1, %2", list, part);
    return list;
}

Text and_list(const std::vector<Text>& parts) {
    if (parts.size() < 2) return comma_list(parts);
    return Text("%1 and %2", comma_list({parts.begin(), parts.end() - 1}), parts.back());
}

Text or_list(const std::vector<Text>& parts) {
    if (parts.size() < 2) return comma_list(parts);
    return Text("%1 or %2", comma_list({parts.begin(), parts.end() - 1}), parts.back());
}

Text sentences(const std::vector<Text>& parts) {
    Text all;
    for (const Text& part : parts)
        if (!part.empty()) all = all.empty() ? part : Text("%1 %2", all, part);
    return all;
}

}  // namespace blockscope
