// A sentence of the core that can be said in another language.
//
//     Text("%1 is not a map", describe(node))
//
// is a template and what stands in its places %1 to %9: names, numbers and quotations, which are the same in
// every language, or Texts, which are translated in turn. English is the template filled in; a translator
// looks the template up, never the sentence. Every template is written as a literal after the word Text, so
// that a list of them can be made from the sources (app/words/templates.cmake); it has all places from %1 on,
// as the compiler checks.
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockscope {

// A literal with the places %1 to %`Count`, each at least once, and no others.
template <std::size_t Count>
class TextTemplate {
public:
    static_assert(Count <= 9);

    template <std::size_t Size>
    consteval TextTemplate(const char (&english)[Size]) : english_(english, Size - 1) {
        bool used[10] = {};
        for (std::size_t i = 0; i + 1 < english_.size(); ++i)
            if (english_[i] == '%' && english_[i + 1] >= '1' && english_[i + 1] <= '9')
                used[english_[i + 1] - '0'] = true;
        for (std::size_t place = 1; place <= 9; ++place)
            if (used[place] != (place <= Count)) throw std::logic_error("places do not fit the arguments");
    }

    std::string_view english() const { return english_; }

private:
    std::string_view english_;
};

class Text {
public:
    Text() = default;
    // What is the same in every language: a name, a number, a quotation; or a sentence that comes from
    // elsewhere.
    // Not from a literal, which is a template.
    template <std::same_as<std::string> String>
    Text(String verbatim) : own_(std::move(verbatim)) {}
    // A template and what stands in its places.
    template <class... Arguments>
    explicit Text(TextTemplate<sizeof...(Arguments)> english, Arguments&&... arguments)
        : literal_(english.english()), is_template_(true) {
        arguments_.reserve(sizeof...(Arguments));
        (arguments_.push_back(argument(std::forward<Arguments>(arguments))), ...);
    }
    // As it was written down: by `is_template`, `english` and `arguments`.
    static Text of_template(std::string english, std::vector<Text> arguments);

    bool empty() const { return english().empty(); }
    bool is_template() const { return is_template_; }
    // The template, or what is said verbatim.
    std::string_view english() const { return literal_.empty() ? std::string_view(own_) : literal_; }
    const std::vector<Text>& arguments() const { return arguments_; }

    // In English.
    std::string str() const;
    explicit operator std::string() const { return str(); }

    // Whether they read the same.
    friend bool operator==(const Text& a, const Text& b) { return a.str() == b.str(); }
    friend bool operator==(const Text& a, const std::string& b) { return a.str() == b; }
    friend bool operator==(const Text& a, const char* b) { return a.str() == b; }
    friend std::ostream& operator<<(std::ostream& out, const Text& text);

private:
    static Text argument(Text text) { return text; }
    static Text argument(std::string verbatim) { return {std::move(verbatim)}; }
    static Text argument(std::string_view verbatim) { return {std::string(verbatim)}; }
    static Text argument(const char*) = delete;  // words have to be a Text, others a std::string
    template <std::integral Number>
    static Text argument(Number number) {
        return {std::to_string(number)};
    }

    std::string_view literal_;  // lives as long as the program
    std::string own_;           // without a literal
    std::vector<Text> arguments_;
    bool is_template_ = false;
};

// "109,051,904", "-10,000": digits in groups of three.
std::string in_groups(std::int64_t number);

// "a", "a, b", "a, b, c".
Text comma_list(const std::vector<Text>& parts);
// "a", "a and b", "a, b and c".
Text and_list(const std::vector<Text>& parts);
// "a", "a or b", "a, b or c".
Text or_list(const std::vector<Text>& parts);
// Those that are not empty, with spaces between.
Text sentences(const std::vector<Text>& parts);

}  // namespace blockscope
