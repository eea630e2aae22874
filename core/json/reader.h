// Typed access to a JSON document. A Reader is a value with its place; what is wrong is collected, and
// reading goes on, so that one run reports several problems.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "core/json/value.h"

namespace blockscope::json {

constexpr std::size_t kMaxProblems = 50;  // kept; further ones are dropped
constexpr std::size_t kMaxNameBytes = 256;

// One reading: the file's name and what is wrong with it.
class Report {
public:
    explicit Report(std::string file) : file_(std::move(file)) {}
    void add(Problem problem);
    void add(const std::string& pointer, Text message);
    bool clean() const { return problems_.empty(); }
    bool full() const { return problems_.size() >= kMaxProblems; }
    const std::string& file() const { return file_; }
    const Problems& problems() const { return problems_; }

private:
    std::string file_;
    Problems problems_;
};

// One value and its place. A Reader of a missing value reads as nothing and reports nothing (that it is
// missing was reported already). Readers of parts refer to their parent, which must outlive them.
class Reader {
public:
    Reader(const Value& root, Report& report) : value_(&root), report_(&report) {}
    // A member of `parent` that was found in members(); the key, too, must outlive this.
    Reader(const Member& member, const Reader& parent)
        : Reader(&member.value, parent.report_, &parent, member.key.c_str(), 0) {}

    std::string pointer() const;
    Place place() const { return Place{report_->file(), 0, 0, pointer()}; }
    void problem(Text message) const;
    Report& report() const { return *report_; }
    explicit operator bool() const { return value_ != nullptr; }

    // Whether this is an object without other keys than these; a key that ends in '?' may be missing.
    bool object(std::initializer_list<const char*> keys) const;
    bool has(const char* key) const;
    Reader member(const char* key) const&;
    Reader member(const char* key) const&& = delete;
    // Of an object whose keys are names; anything else has none, and is reported.
    const Object& members() const;

    // Whether this is an array of `least` to `most` elements.
    bool array(std::size_t least, std::size_t most) const;
    std::size_t size() const;  // of an array, else 0
    Reader at(std::size_t index) const&;
    Reader at(std::size_t index) const&& = delete;

    std::optional<std::int64_t> integer(std::int64_t least, std::int64_t most) const;
    std::optional<double> number() const;
    std::optional<bool> boolean() const;
    std::optional<std::string> string(std::size_t most_bytes) const;
    // One that is printed as it stands, on terminals among others: no line breaks, no escape sequences.
    std::optional<std::string> plain_text(std::size_t most_bytes) const;
    // Index of this string among `names`.
    std::optional<int> choice(const std::vector<std::string>& names) const;
    // A name of a dimension, an array or a parameter: letters, digits and _, no digit first.
    std::optional<std::string> identifier() const;

    // Without reporting anything: whether this is exactly `value`; the whole number, if it is one; what
    // stands here, for a sentence.
    bool is(const Value& value) const;
    std::optional<std::int64_t> peek_integer() const;
    Text found() const { return described(*value_); }
    const Value* value() const { return value_; }  // null if it is missing

private:
    Reader(const Value* value, Report* report, const Reader* parent, const char* key, std::size_t index)
        : value_(value), report_(report), parent_(parent), key_(key), index_(index) {}
    void expected(const Text& what) const;

    const Value* value_;
    Report* report_;
    const Reader* parent_ = nullptr;
    const char* key_ = nullptr;  // in the parent, if it is an object
    std::size_t index_ = 0;      // in the parent, if it is an array
};

// "block", "vector" or "scalar"
Text alternatives(const std::vector<std::string>& names);

// Whether the document is an object of this format, version 1. Reported otherwise.
bool check_header(const Reader& document, const char* format);

}  // namespace blockscope::json
