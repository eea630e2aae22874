// A lesson on paper: the handout has texts, questions, and room for answers; the solution has the answers,
// what is said to typical mistakes, and what to do in the window. One HTML page each, which needs nothing
// else.
#pragma once

#include <memory>
#include <string>

#include "core/lesson/rehearsal.h"

namespace blockscope::lesson {

enum class SheetKind : std::uint8_t { Handout, Solution };

// The problems are those of the lesson with its programs: it cannot be printed while it is broken.
Result<std::string> sheet(const std::shared_ptr<const Lesson>& lesson, const Sources& sources,
                          SheetKind kind);

}  // namespace blockscope::lesson
