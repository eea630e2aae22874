// Round trips: written, read, the same value, written again, the same bytes.
#pragma once

#include <gtest/gtest.h>

#include "core/json/json_io.h"

namespace blockscope::test {

void expect_round_trip(const BlockProgram& program);
void expect_round_trip(const ArrayProgram& program);
void expect_round_trip(const Trace& trace);

// Names inputs and outputs apart from each other and from dimensions, which operator_cases() does not.
void separate_names(ArrayProgram& program);

}  // namespace blockscope::test
