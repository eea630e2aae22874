// Round trips: written, read, the same value, written again, the same bytes.
#pragma once

#include <gtest/gtest.h>

#include "core/json/json_io.h"

namespace blockscope::test {

void expect_round_trip(const BlockProgram& program);
void expect_round_trip(const ArrayProgram& program);
void expect_round_trip(const Trace& trace);

}  // namespace blockscope::test
