// Small programs and plans of any kind, so that to run them takes little.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/plan/operators.h"
#include "core/plan/ways.h"
#include "core/program/array_program.h"
#include "tests/support/random.h"
#include "tests/support/samples.h"

namespace blockscope::test {

// At most two blocks an axis.
inline ArrayProgram with_few_blocks(ArrayProgram program) {
    for (Dim& dim : program.dims) {
        dim.size = std::min<std::int64_t>(dim.size, 32);
        dim.block = std::min<std::int64_t>(dim.block, 16);
    }
    program.dims = fitted(program.dims, program);
    return program;
}

// A plan of any kind: what a kernel costs is a random number.
inline plan::Plan any_plan(const plan::OperatorGraph& graph, std::uint64_t seed) {
    plan::Problem problem;
    static_cast<plan::Dag&>(problem) = graph;
    problem.cost = [seed](const plan::FusionGroup& kernel) {
        std::uint64_t sum = seed;
        for (const int node : kernel) sum = Random(sum + static_cast<std::uint64_t>(node)).next();
        return static_cast<double>(Random(sum).below(1000));
    };
    problem.bytes = problem.bound = problem.cost;
    problem.can_fuse = [](const plan::FusionGroup&) { return true; };
    problem.too_large = [](const plan::FusionGroup&) { return false; };
    problem.least = [](const std::vector<int>&) { return 0.0; };
    problem.most_nodes = 8;
    return plan::exact_plan(problem, 1'000'000);
}

}  // namespace blockscope::test
