// Small random graphs for plans, and what a plan of one has to be.
#pragma once

#include "core/plan/plain_graph.h"
#include "core/plan/ways.h"
#include "tests/support/random.h"

namespace blockscope::test {

// 1 to `most` nodes with whole amounts, so that sums are exact.
plan::PlainGraph random_graph(Random& random, int most);
// Every node in one kernel; each is a candidate that fits, and after those that it reads; the value is
// theirs.
void expect_sound(const plan::PlainGraph& graph, const plan::Plan& plan);
// A chain of layers: in each `width` nodes beside each other that one node takes together with the residual.
plan::PlainGraph layered_graph(int layers, int width);

}  // namespace blockscope::test
