// Documents for tests.
#pragma once

#include <string>

#include "app/document/content.h"
#include "tests/support/random.h"
#include "tests/support/samples.h"

namespace blockscope::test {

Content sample_content(const std::string& name);
Content content_of_text(const std::string& text);  // throws std::runtime_error with the problem

// Small attention with a comment, its algorithm run, two branches by hand, notes, folds and everything else
// that a document can hold.
Content rich_content();
// The same of a block program without text.
Content rich_block_content();

ContentPtr shared(Content content);
StateId random_state(Random& random, const Content& content);

// One random step with the circuit, a note on one, or another current state; `content` if it is not possible.
Content random_circuit_change(Random& random, Content content);

// One random action on the value: a match by hand, the algorithm for a while, a note, a mark, another current
// state, a branch renamed or removed, a step with the circuit.
Content random_change(Random& random, Content content);

}  // namespace blockscope::test
