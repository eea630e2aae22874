// The stories of the samples' runs.
#pragma once

#include <string>

#include "core/story/step_story.h"
#include "tests/support/samples.h"

namespace blockscope::test {

inline RunStory story_of(const std::string& sample) {
    const ArrayProgram array = read_sample(sample);
    return {fuse(block_sample(sample)), &array};
}

}  // namespace blockscope::test
