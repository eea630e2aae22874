// A JSON document as a value, and its text. nlohmann_json lexes; everything that it leaves open (depth,
// duplicate keys, sizes) is settled here, so that no reader can meet a hostile document.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/support/result.h"

namespace blockscope::json {

struct Value;
struct Member;
using Array = std::vector<Value>;
using Object = std::vector<Member>;  // in the order of the text; keys are unique

struct Value {
    // Whole numbers that fit are int64; all others are finite doubles.
    std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> data;

    Value();
    // Of exactly this type: a pointer is no truth value.
    template <std::same_as<bool> Bool>
    Value(Bool b) : data(b) {}
    template <std::integral Whole>
    requires(!std::same_as<Whole, bool>) Value(Whole i);
    Value(double d);
    Value(const char* s);
    Value(std::string s);
    Value(Array a);
    Value(Object o);
    Value(std::initializer_list<Member> members);  // an object: {{"name", "M"}, {"size", 128}}
    Value(const Value&);
    Value(Value&&) noexcept;
    Value& operator=(const Value&);
    Value& operator=(Value&&) noexcept;
    ~Value();
    bool operator==(const Value& other) const;

    // For writers, which build a document from the top. Null becomes what is asked of it; anything else that
    // is no object or no array is an InternalError.
    Value& operator[](const std::string& key);  // the member, appended (as null) if there is none
    void push_back(Value element);
};

struct Member {
    std::string key;
    Value value;
    bool operator==(const Member& other) const { return key == other.key && value == other.value; }
};

// Here, where a member is complete.
template <std::integral Whole>
requires(!std::same_as<Whole, bool>) Value::Value(Whole i) : data(static_cast<std::int64_t>(i)) {}

constexpr std::size_t kMaxBytes = std::size_t{64} << 20;  // of a text
constexpr std::size_t kMaxDepth = 128;                    // of arrays and objects
constexpr std::size_t kMaxValues = 8'000'000;             // of a document, all levels together
constexpr std::size_t kMaxKeys = 64;                      // of one object
constexpr std::size_t kMaxKeyBytes = 256;

// What a document may have; files of other programs have objects with a key for each of many things.
struct TextLimits {
    std::size_t keys = kMaxKeys;
    std::size_t key_bytes = kMaxKeyBytes;
};

// The document in `text`, or the one problem that ended the reading, with its place.
Result<Value> parse(const std::string& text, const std::string& file, const TextLimits& limits = {});

// The text of `value`: two spaces a level; what fits within 100 columns stands on one line. Ends in
// a newline. Doubles are the shortest digits that read back as the same number.
std::string print(const Value& value);

// The same, but that each element of the arrays under these keys of the outermost object has one line.
std::string print_rows(const Object& document, const std::vector<std::string>& keys);

// The same on one line, without a newline at its end, however long.
std::string print_line(const Value& value);

// The text of `value` with every element and member on a line of its own, two spaces a level, and without a
// newline at its end. Doubles always have a point or an exponent (2.0); those that JSON cannot spell are
// null.
std::string print_indented(const Value& value);

// How print_indented() writes a double.
std::string decimal(double number);

// `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
std::string quoted(const std::string& text);

// `value` for a sentence, short and in printable ASCII: `the string "abc"`, `an array of 3`, `1e+30`.
Text described(const Value& value);

// `text` with everything but printable ASCII written as \xNN, cut after `most` bytes.
std::string printable(const std::string& text, std::size_t most);

// RFC 6901's spelling of one token of a pointer.
std::string pointer_token(const std::string& key);

}  // namespace blockscope::json
