#include "core/json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

namespace blockscope::json {

Value::Value() : data(nullptr) {}
Value::Value(double d) : data(d) {}
Value::Value(const char* s) : data(std::string(s)) {}
Value::Value(std::string s) : data(std::move(s)) {}
Value::Value(Array a) : data(std::move(a)) {}
Value::Value(Object o) : data(std::move(o)) {}
Value::Value(std::initializer_list<Member> members) : data(Object(members)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
bool Value::operator==(const Value& other) const {
    return data == other.data;
}

Value& Value::operator[](const std::string& key) {
    if (std::holds_alternative<std::nullptr_t>(data)) data = Object{};
    Object* object = std::get_if<Object>(&data);
    if (!object) throw InternalError("a member of what is no JSON object: " + key);
    const auto found =
        std::find_if(object->begin(), object->end(), [&](const Member& member) { return member.key == key; });
    if (found != object->end()) return found->value;
    return object->emplace_back(Member{key, Value()}).value;
}

void Value::push_back(Value element) {
    if (std::holds_alternative<std::nullptr_t>(data)) data = Array{};
    Array* array = std::get_if<Array>(&data);
    if (!array) throw InternalError("an element of what is no JSON array");
    array->push_back(std::move(element));
}

// The only file that includes nlohmann_json.

namespace {

// Receives nlohmann's events and builds the document without recursion. Returning false ends the reading.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
public:
    Handler(const std::string& file, const TextLimits& limits) : file_(file), limits_(limits) {}

    Value take() { return std::move(root_); }
    const std::optional<Problem>& problem() const { return problem_; }

    bool null() override { return add(Value{}); }
    bool boolean(bool b) override { return add(Value(b)); }
    bool number_integer(number_integer_t i) override { return add(Value(std::int64_t{i})); }
    bool number_unsigned(number_unsigned_t u) override {
        if (u > static_cast<number_unsigned_t>(INT64_MAX)) return add(Value(static_cast<double>(u)));
        return add(Value(static_cast<std::int64_t>(u)));
    }
    bool number_float(number_float_t d, const string_t&) override { return add(Value(d)); }
    bool string(string_t& s) override { return add(Value(std::move(s))); }
    bool binary(binary_t&) override { throw InternalError("JSON text holds no binary values"); }
    bool start_object(std::size_t) override { return open(Value(Object{})); }
    bool start_array(std::size_t) override { return open(Value(Array{})); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override;
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) override;

private:
    bool add(Value value);
    bool open(Value container);
    bool close();
    bool fail(const Text& message);
    bool count();
    std::string pointer() const;
    bool is_second(const std::string& key);

    std::string file_;
    TextLimits limits_;
    Value root_;
    std::vector<Value> open_;  // containers around the current place, outermost first
    // By container of open_: the keys of an object that has more than usual.
    std::vector<std::unordered_set<std::string>> keys_;
    std::size_t values_ = 0;
    std::optional<Problem> problem_;
};

std::string Handler::pointer() const {
    std::string result;
    for (const Value& container : open_) {
        if (const Array* array = std::get_if<Array>(&container.data)) {
            result += "/" + std::to_string(array->size());
        } else if (const Object& object = std::get<Object>(container.data); !object.empty()) {
            result += "/" + pointer_token(object.back().key);
        }
    }
    return result;
}

bool Handler::fail(const Text& message) {
    problem_ = Problem{Place{file_, 0, 0, pointer()}, message};
    return false;
}

bool Handler::count() {
    if (++values_ <= kMaxValues) return true;
    return fail(Text("the document has more than %1 values, the most that is allowed", kMaxValues));
}

bool Handler::add(Value value) {
    if (!count()) return false;
    if (open_.empty()) {
        root_ = std::move(value);
    } else if (Array* array = std::get_if<Array>(&open_.back().data)) {
        array->push_back(std::move(value));
    } else {
        std::get<Object>(open_.back().data).back().value = std::move(value);
    }
    return true;
}

bool Handler::open(Value container) {
    if (open_.size() == kMaxDepth) {
        return fail(
            Text("arrays and objects are nested more than %1 deep, the most that is allowed", kMaxDepth));
    }
    open_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
}

bool Handler::close() {
    Value done = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return add(std::move(done));
}

// Whether the innermost object has the key; looked up in a set where the object is large.
bool Handler::is_second(const std::string& key) {
    const Object& object = std::get<Object>(open_.back().data);
    std::unordered_set<std::string>& known = keys_.back();
    if (object.size() < kMaxKeys)
        return std::any_of(object.begin(), object.end(), [&](const Member& one) { return one.key == key; });
    if (known.empty())
        for (const Member& member : object) known.insert(member.key);
    return !known.insert(key).second;
}

bool Handler::key(string_t& key) {
    if (key.size() > limits_.key_bytes) {
        return fail(
            Text("a key of this object has %1 bytes; at most %2 are allowed", key.size(), limits_.key_bytes));
    }
    Object& object = std::get<Object>(open_.back().data);
    if (object.size() == limits_.keys) {
        return fail(Text("an object has more than %1 keys, the most that is allowed", limits_.keys));
    }
    const bool twice = is_second(key);
    object.push_back({std::move(key), Value{}});
    if (!twice) return true;
    return fail(Text("the key \"%1\" appears twice in this object; once is allowed",
                     printable(object.back().key, 40)));
}

// nlohmann's message reads "[json.exception.parse_error.101] parse error at line 1, column 2: syntax
// error while parsing value - invalid literal; last read: '...'; expected ...". What follows the
// last read token may be megabytes away, so both ends are kept.
std::string sentence(const std::string& what) {
    const std::size_t id = what.find("] ");
    const std::string text = id == std::string::npos ? what : what.substr(id + 2);
    const std::size_t most = 300;
    if (text.size() <= most) return printable(text, most);
    return printable(text.substr(0, most), most) + " ...";
}

bool Handler::parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) {
    return fail(Text("this is not JSON: %1", sentence(e.what())));
}

}  // namespace

Result<Value> parse(const std::string& text, const std::string& file, const TextLimits& limits) {
    const Place top{file, 0, 0, ""};
    if (text.size() > kMaxBytes) {
        return Problem{
            top, Text("the file has %1 bytes; at most %2 (64 MiB) are allowed", text.size(), kMaxBytes)};
    }
    if (text.empty()) return Problem{top, Text("the file is empty; a JSON object is expected")};
    // nlohmann takes a NUL for the end of the text, whatever follows.
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
        return Problem{top, Text("byte %1 of the file is a NUL; JSON text holds none", nul + 1)};
    }
    Handler handler(file, limits);
    nlohmann::json::sax_parse(text, &handler);
    if (handler.problem()) return *handler.problem();
    return handler.take();
}

// Most texts are names and numbers of plain ASCII, which stand between quotes as they are. The library, which
// looks after all others, takes a hundred times as long, and it was two thirds of the time that a document
// takes to be written.
std::string quoted(const std::string& text) {
    const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), plain)) return '"' + text + '"';
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string decimal(double number) {
    return nlohmann::json(number).dump();
}

namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kNoLimit = SIZE_MAX;

std::string number_text(double d) {
    if (!std::isfinite(d)) throw InternalError("JSON has no spelling for an infinite number or NaN");
    if (d == 0 && std::signbit(d)) return "-0.0";  // "-0" would be read as the whole number 0
    char buffer[64];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, d);
    return std::string(buffer, result.ptr);
}

std::string scalar_text(const Value& value) {
    if (const bool* b = std::get_if<bool>(&value.data)) return *b ? "true" : "false";
    if (const std::int64_t* i = std::get_if<std::int64_t>(&value.data)) return std::to_string(*i);
    if (const double* d = std::get_if<double>(&value.data)) return number_text(*d);
    if (const std::string* s = std::get_if<std::string>(&value.data)) return quoted(*s);
    return "null";
}

// Prints into one string. `line` is the column from which the current line is counted.
class Printer {
public:
    // Appends `value` on one line; false (with a part of it appended) once the line is longer than `columns`.
    bool compact(const Value& value, std::size_t line_start, std::size_t columns = kColumns) {
        if (const Array* array = std::get_if<Array>(&value.data)) {
            out_ += '[';
            for (const Value& element : *array) {
                if (&element != array->data()) out_ += ", ";
                if (!compact(element, line_start, columns)) return false;
            }
            out_ += ']';
        } else if (const Object* object = std::get_if<Object>(&value.data)) {
            out_ += '{';
            for (const Member& member : *object) {
                if (&member != object->data()) out_ += ", ";
                out_ += quoted(member.key) + ": ";
                if (!compact(member.value, line_start, columns)) return false;
            }
            out_ += '}';
        } else {
            out_ += scalar_text(value);
        }
        return out_.size() - line_start <= columns;
    }

    // Appends `value`, whose line began at `line_start` with `indent` spaces, in as few lines as fit.
    void any(const Value& value, std::size_t line_start, std::size_t indent) {
        const std::size_t before = out_.size();
        // A comma may follow on the same line.
        if (compact(value, line_start) && out_.size() - line_start < kColumns) return;
        const Array* array = std::get_if<Array>(&value.data);
        const Object* object = std::get_if<Object>(&value.data);
        if (!array && !object) return;  // a long string: nothing to break
        out_.resize(before);
        out_ += array ? '[' : '{';
        const std::size_t size = array ? array->size() : object->size();
        for (std::size_t i = 0; i < size; ++i) {
            out_ += i == 0 ? "\n" : ",\n";
            const std::size_t start = out_.size();
            out_.append(indent + 2, ' ');
            if (object) out_ += quoted((*object)[i].key) + ": ";
            any(array ? (*array)[i] : (*object)[i].value, start, indent + 2);
        }
        out_ += '\n';
        out_.append(indent, ' ');
        out_ += array ? ']' : '}';
    }

    // Appends `document` with one line for each element of the arrays under `keys`.
    void rows(const Object& document, const std::vector<std::string>& keys) {
        out_ += '{';
        for (std::size_t i = 0; i < document.size(); ++i) {
            out_ += i == 0 ? "\n" : ",\n";
            const std::size_t start = out_.size();
            out_ += "  " + quoted(document[i].key) + ": ";
            const Array* array = std::get_if<Array>(&document[i].value.data);
            if (array && std::find(keys.begin(), keys.end(), document[i].key) != keys.end())
                one_a_line(*array);
            else
                any(document[i].value, start, 2);
        }
        out_ += "\n}";
    }

    void one_a_line(const Array& array) {
        out_ += '[';
        for (const Value& element : array) {
            out_ += &element == array.data() ? "\n    " : ",\n    ";
            compact(element, out_.size(), kNoLimit);
        }
        out_ += array.empty() ? "]" : "\n  ]";
    }

    std::string take() { return std::move(out_) + "\n"; }

private:
    std::string out_;
};

// One line for each element and member.
void indented(const Value& value, std::size_t indent, std::string& out) {
    const Array* array = std::get_if<Array>(&value.data);
    const Object* object = std::get_if<Object>(&value.data);
    if (!array && !object) {
        const double* number = std::get_if<double>(&value.data);
        out += number ? decimal(*number) : scalar_text(value);
        return;
    }
    const std::size_t size = array ? array->size() : object->size();
    out += array ? '[' : '{';
    for (std::size_t i = 0; i < size; ++i) {
        out += i == 0 ? "\n" : ",\n";
        out.append(indent + 2, ' ');
        if (object) out += quoted((*object)[i].key) + ": ";
        indented(array ? (*array)[i] : (*object)[i].value, indent + 2, out);
    }
    if (size > 0) out.append(1, '\n').append(indent, ' ');
    out += array ? ']' : '}';
}

}  // namespace

std::string print_indented(const Value& value) {
    std::string out;
    indented(value, 0, out);
    return out;
}

std::string print(const Value& value) {
    Printer printer;
    printer.any(value, 0, 0);
    return printer.take();
}

std::string print_rows(const Object& document, const std::vector<std::string>& keys) {
    Printer printer;
    printer.rows(document, keys);
    return printer.take();
}

std::string print_line(const Value& value) {
    Printer printer;
    printer.compact(value, 0, kNoLimit);
    std::string line = printer.take();
    line.pop_back();
    return line;
}

std::string printable(const std::string& text, std::size_t most) {
    constexpr char kHex[] = "0123456789abcdef";
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i == most) return result + "...";
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x7f) {
            result += text[i];
        } else {
            result += std::string("\\x") + kHex[c >> 4] + kHex[c & 15];
        }
    }
    return result;
}

Text described(const Value& value) {
    if (const std::string* s = std::get_if<std::string>(&value.data)) {
        return Text("the string \"%1\"", printable(*s, 40));
    }
    if (const Array* a = std::get_if<Array>(&value.data)) return Text("an array of %1", a->size());
    if (std::holds_alternative<Object>(value.data)) return Text("an object");
    return {scalar_text(value)};
}

std::string pointer_token(const std::string& key) {
    std::string result;
    for (const char c : printable(key, kMaxKeyBytes)) {
        if (c == '~') {
            result += "~0";
        } else if (c == '/') {
            result += "~1";
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace blockscope::json
