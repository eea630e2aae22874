// What the expressions of a lesson are worth: in the program that a stop is about, and for the learner.
#pragma once

#include "core/lesson/learner.h"

namespace blockscope::lesson {

struct Setting {
    Programs& programs;
    const std::string& program;  // the file that states without a name are of
    const Learner& learner;
};

// A problem says what is missing: a step that the run does not have, a dimension of no such name; with "Did
// you mean" where a word may be misspelt.
Result<Value> evaluate(const Expression& expression, const Setting& setting);
// Whether a condition holds. What is no condition is a problem.
Result<bool> holds(const Expression& condition, const Setting& setting);

// Markdown with the values put in.
Result<std::string> text_of(const Prose& prose, const Setting& setting);

// The state that the words name: "now", else one of the algorithm's run.
Result<State> state_named(const std::string& words, const Setting& setting, const Place& place);

// The rule of this number or name.
Result<RuleId> rule_named(const std::string& words, const Place& place);

}  // namespace blockscope::lesson
