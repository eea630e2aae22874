// Three kinds of failure: bad input is a Result with problems that carry a place; a broken
// invariant is an InternalError; the environment reports through Results of its own.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/support/text.h"

namespace blockscope {

// Where in the user's input something is. Text has line and column (both from 1, columns count
// bytes); JSON has a pointer (RFC 6901); a block program has nodes. Unknown parts are 0 or empty.
struct Place {
    std::string file = {};
    int line = 0;
    int column = 0;
    std::string pointer = {};
    std::uint32_t node = 0;  // a NodeId's value; messages name it themselves

    bool operator==(const Place&) const = default;
};

// One thing wrong with the input: a full sentence that says what was found and what is expected.
struct Problem {
    Place place;
    Text message;

    bool operator==(const Problem&) const = default;
};

// "file:line:column: message", or "file#/pointer: message"; absent parts are left out.
inline std::string to_string(const Problem& problem) {
    const Place& place = problem.place;
    std::string text = place.file;
    if (!place.pointer.empty()) text += "#" + place.pointer;
    if (place.line > 0) text += (text.empty() ? "" : ":") + std::to_string(place.line);
    if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
    if (!text.empty()) text += ": ";
    return text + problem.message.str();
}

// The same as a text that can be translated.
inline Text text_of(const Problem& problem) {
    const std::string whole = to_string(problem), message = problem.message.str();
    if (whole.size() == message.size()) return problem.message;
    return Text("%1: %2", whole.substr(0, whole.size() - message.size() - 2), problem.message);
}

using Problems = std::vector<Problem>;

// A value, or the (at least one) problems that kept it from being made.
template <class T>
class Result {
public:
    Result(T value) : state_(std::move(value)) {}
    Result(Problem problem) : state_(Problems{std::move(problem)}) {}
    Result(Problems problems) : state_(std::move(problems)) {}

    explicit operator bool() const { return std::holds_alternative<T>(state_); }
    const T& value() const& { return std::get<T>(state_); }
    T&& value() && { return std::get<T>(std::move(state_)); }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &value(); }
    const Problems& problems() const { return std::get<Problems>(state_); }

private:
    std::variant<T, Problems> state_;
};

// A broken invariant of Blockscope itself, never the user's fault. The message holds what is
// needed to report it (usually the printed graph).
class InternalError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

}  // namespace blockscope
