#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "core/json/value.h"

namespace blockscope::json {
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

}  // namespace

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

std::string described(const Value& value) {
    if (const std::string* s = std::get_if<std::string>(&value.data)) {
        return "the string \"" + printable(*s, 40) + "\"";
    }
    if (const Array* a = std::get_if<Array>(&value.data)) return "an array of " + std::to_string(a->size());
    if (std::holds_alternative<Object>(value.data)) return "an object";
    return scalar_text(value);
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
