// Questions about the next step of a run, which the learner answers before seeing the step.
//
//     Step 9: which value does not go through memory any more?
//     1 the exp(x) of P    2 Q @ K.T of S    3 the row_sum of P
//
// All of them follow from the run: choices are values, bytes and rules that occur in it, and the right one is
// what the step does.
#pragma once

#include <cstdint>
#include <vector>

#include "core/story/step_story.h"

namespace blockscope {

struct Question {
    enum class Kind : std::uint8_t {
        Edge,   // which red edge vanishes
        Bytes,  // how many bytes are moved after the step
        Rule,   // which rule the step applies
    } kind = Kind::Rule;
    int step = 1;               // the step that it is about
    Text asked;                 // "Which red edge vanishes in the next step?"
    std::vector<Text> choices;  // 2 to 4, all different
    int right = 0;              // the index of the right choice
    // Of Kind::Edge, by choice: the value in the state before the step, and whether a value vanishes is known
    // of each that goes through memory there.
    std::vector<ValueKey> values = {};
    std::vector<ValueKey> vanishing = {};  // all that do: one of them is among the choices
};

// About step `number` (1 is the first), the one that teaches most first: an edge if one vanishes, bytes if
// they change, and always the rule.
std::vector<Question> questions_about(const RunStory& story, int number);

}  // namespace blockscope
