#include "core/json/reader.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace blockscope::json {

void Report::add(Problem problem) {
    if (!full()) problems_.push_back(std::move(problem));
}

void Report::add(const std::string& pointer, Text message) {
    add(Problem{Place{file_, 0, 0, pointer}, std::move(message)});
}

std::string Reader::pointer() const {
    if (!parent_) return "";
    return parent_->pointer() + "/" + (key_ ? pointer_token(key_) : std::to_string(index_));
}

void Reader::problem(Text message) const {
    if (!report_->full()) report_->add(pointer(), std::move(message));
}

void Reader::expected(const Text& what) const {
    problem(Text("expected %1, found %2", what, described(*value_)));
}

namespace {

// Whether `key` is one of `keys`, which may carry a '?'.
bool listed(const std::string& key, std::initializer_list<const char*> keys) {
    return std::any_of(keys.begin(), keys.end(), [&](const char* k) {
        return key == k || (key.size() + 1 == std::strlen(k) && key + "?" == k);
    });
}

const Value* find(const Value* value, const char* key) {
    const Object* object = value ? std::get_if<Object>(&value->data) : nullptr;
    if (!object) return nullptr;
    for (const Member& member : *object) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

std::string key_list(std::initializer_list<const char*> keys) {
    std::string result;
    for (const char* key : keys) {
        const std::string name = key;
        if (!result.empty()) result += ", ";
        result += name.back() == '?' ? name.substr(0, name.size() - 1) : name;
    }
    return result;
}

}  // namespace

bool Reader::object(std::initializer_list<const char*> keys) const {
    if (!value_) return false;
    const Object* object = std::get_if<Object>(&value_->data);
    if (!object) {
        expected(Text("an object with the keys %1", key_list(keys)));
        return false;
    }
    bool fine = true;
    for (const Member& member : *object) {
        if (listed(member.key, keys)) continue;
        fine = false;
        if (report_->full()) break;
        report_->add(pointer() + "/" + pointer_token(member.key),
                     Text("found the unknown key \"%1\"; the keys here are %2", printable(member.key, 40),
                          key_list(keys)));
    }
    for (const char* key : keys) {
        if (key[std::strlen(key) - 1] == '?' || find(value_, key)) continue;
        fine = false;
        problem(Text("the key \"%1\" is missing", std::string(key)));
    }
    return fine;
}

bool Reader::has(const char* key) const {
    return find(value_, key) != nullptr;
}

Reader Reader::member(const char* key) const& {
    return Reader(find(value_, key), report_, this, key, 0);
}

const Object& Reader::members() const {
    static const Object none;
    const Object* object = value_ ? std::get_if<Object>(&value_->data) : nullptr;
    if (value_ && !object) expected(Text("an object"));
    return object ? *object : none;
}

bool Reader::array(std::size_t least, std::size_t most) const {
    if (!value_) return false;
    const Array* array = std::get_if<Array>(&value_->data);
    if (array && array->size() >= least && array->size() <= most) return true;
    const Text count = least == most ? Text(std::to_string(least)) : Text("%1 to %2", least, most);
    expected(Text("an array of %1", count));
    return false;
}

std::size_t Reader::size() const {
    const Array* array = value_ ? std::get_if<Array>(&value_->data) : nullptr;
    return array ? array->size() : 0;
}

Reader Reader::at(std::size_t index) const& {
    return Reader(&std::get<Array>(value_->data)[index], report_, this, nullptr, index);
}

std::optional<std::int64_t> Reader::integer(std::int64_t least, std::int64_t most) const {
    if (!value_) return std::nullopt;
    const std::int64_t* i = std::get_if<std::int64_t>(&value_->data);
    if (i && *i >= least && *i <= most) return *i;
    expected(least == most ? Text(std::to_string(least)) : Text("a whole number from %1 to %2", least, most));
    return std::nullopt;
}

std::optional<double> Reader::number() const {
    if (!value_) return std::nullopt;
    if (const std::int64_t* i = std::get_if<std::int64_t>(&value_->data)) return static_cast<double>(*i);
    const double* d = std::get_if<double>(&value_->data);
    if (d && std::isfinite(*d)) return *d;
    expected(Text("a finite number"));
    return std::nullopt;
}

std::optional<bool> Reader::boolean() const {
    if (!value_) return std::nullopt;
    if (const bool* b = std::get_if<bool>(&value_->data)) return *b;
    expected(Text("true or false"));
    return std::nullopt;
}

std::optional<std::string> Reader::string(std::size_t most_bytes) const {
    if (!value_) return std::nullopt;
    const std::string* s = std::get_if<std::string>(&value_->data);
    if (!s) {
        expected(Text("a string"));
        return std::nullopt;
    }
    if (s->size() <= most_bytes) return *s;
    problem(Text("found a string of %1 bytes; at most %2 are allowed", s->size(), most_bytes));
    return std::nullopt;
}

std::optional<int> Reader::choice(const std::vector<std::string>& names) const {
    if (!value_) return std::nullopt;
    if (const std::string* s = std::get_if<std::string>(&value_->data)) {
        const auto found = std::find(names.begin(), names.end(), *s);
        if (found != names.end()) return static_cast<int>(found - names.begin());
    }
    expected(alternatives(names));
    return std::nullopt;
}

std::optional<std::string> Reader::plain_text(std::size_t most_bytes) const {
    std::optional<std::string> text = string(most_bytes);
    bool lead = false;  // of U+0080 to U+009F, the other control characters, in UTF-8
    for (const char c : text.value_or("")) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f || (lead && byte < 0xa0)) {
            problem(Text("a text has no control characters"));
            break;
        }
        lead = byte == 0xc2;
    }
    return text;
}

std::optional<std::string> Reader::identifier() const {
    std::optional<std::string> name = string(kMaxNameBytes);
    if (!name) return std::nullopt;
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool fine = !name->empty() && !digit(name->front()) &&
                      std::all_of(name->begin(), name->end(), [&](char c) { return letter(c) || digit(c); });
    if (fine) return name;
    expected(Text("a name of letters, digits and _ that does not begin with a digit"));
    return std::nullopt;
}

bool Reader::is(const Value& value) const {
    return value_ && value_->data == value.data;
}

std::optional<std::int64_t> Reader::peek_integer() const {
    const std::int64_t* i = value_ ? std::get_if<std::int64_t>(&value_->data) : nullptr;
    if (!i) return std::nullopt;
    return *i;
}

Text alternatives(const std::vector<std::string>& names) {
    std::string listed;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) listed += (i > 0 ? ", \"" : "\"") + names[i] + "\"";
    const std::string last = names.empty() ? "" : "\"" + names.back() + "\"";
    return listed.empty() ? Text(last) : Text("%1 or %2", listed, last);
}

bool check_header(const Reader& document, const char* format) {
    if (!document.has("format") || !document.has("version")) {
        document.problem(Text("expected an object with the keys format and version (docs/json.md)"));
        return false;
    }
    const bool right_format = document.member("format").choice({format}).has_value();
    return document.member("version").integer(1, 1).has_value() && right_format;
}

}  // namespace blockscope::json
