// Operators of a program as a graph, kernels of them as programs, and candidates.
#include "core/plan/operators.h"

#include <gmock/gmock.h>

#include "core/exec/evaluate.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/plan/any_plan.h"
#include "tests/plan/random_graph.h"
#include "tests/support/random_program.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using plan::FusionGroup;
using plan::OperatorGraph;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ArrayProgram program_of(const std::string& text) {
    return parse_program(text, "p.bp").value();
}

const char* const kAttention =
    "dim M = 64 / 16\ndim N = 128 / 16\ndim D = 32 / 16\n"
    "input Q[M, D], K[N, D], V[N, D]\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n";

TEST(OperatorGraphs, HaveNoNodeForInputsAndTransposesThatProductsRead) {
    const ArrayProgram program = program_of(kAttention);
    const OperatorGraph graph = plan::operator_graph(program);
    EXPECT_THAT(graph.names, ElementsAre("x1", "S", "P", "O"));
    EXPECT_THAT(graph.before, ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1), ElementsAre(2)));
    EXPECT_THAT(graph.output, ElementsAre(false, false, false, true));
    EXPECT_EQ(plan::what_it_does(program, graph, 2), "softmax");
    EXPECT_EQ(graph.flops[0], 2.0 * 64 * 128 * 32);
    const OperatorGraph others =
        plan::operator_graph(program_of("dim M = 64 / 16\ninput A[M, M]\nB = A.T\noutput C = B + A\n"));
    EXPECT_THAT(others.names, ElementsAre("B", "C")) << "a sum reads the transposed array";
}

TEST(OperatorGraphs, CountNoProductsUnderAMask) {
    const ArrayProgram program = program_of(
        "dim M = 64 / 16\ndim N = 64 / 16\ndim D = 32 / 16\n"
        "input Q[M, D], K[N, D], V[N, D]\nS = causal(Q @ K.T)\noutput O = softmax(S) @ V\n");
    const OperatorGraph graph = plan::operator_graph(program);
    for (const double flops : graph.flops) EXPECT_EQ(flops, 0);
    EXPECT_EQ(plan::least_bytes(graph, {1}), 0) << "nor bytes of the scores";
    EXPECT_EQ(plan::least_bytes(graph, {0}), 4.0 * 2 * 64 * 32);
}

TEST(KernelPrograms, ReadFromOutsideAndGiveWhatOthersNeed) {
    const ArrayProgram program = program_of(kAttention);
    const OperatorGraph graph = plan::operator_graph(program);
    const ArrayProgram scores = plan::group_program(program, graph, {0, 1}).value();
    EXPECT_THAT(print_program(scores), HasSubstr("input Q[M, D], K[N, D]"));
    EXPECT_THAT(print_program(scores), HasSubstr("output S = x1 * D^-0.5"));
    const ArrayProgram rest = plan::group_program(program, graph, {2, 3}).value();
    EXPECT_THAT(print_program(rest), HasSubstr("input S[M, N], V[N, D]"));
    EXPECT_EQ(rest.outputs.size(), 1U);
    EXPECT_EQ(plan::group_program(program, graph, {2}).value().dims.size(), 2U) << "M and N alone";
    EXPECT_EQ(plan::least_bytes(graph, {2}), 2.0 * 64 * 128 * 4);
    EXPECT_EQ(plan::least_bytes(graph, {0, 1, 2, 3}), 4.0 * (2 * 64 * 32 + 2 * 128 * 32));
}

TEST(KernelPrograms, AreTheSameUpToNames) {
    const ArrayProgram program = program_of(
        "dim M = 64 / 16\ndim D = 32 / 16\ndim E = 32 / 16\ninput X[M, D], W[D, E], V[E, D], U[D, E]\n"
        "A = exp(X) @ W\nB = exp(A) @ V\noutput C = B @ U\n");
    const OperatorGraph graph = plan::operator_graph(program);
    const auto key = [&](const FusionGroup& kernel) {
        return plan::key_up_to_names(plan::group_program(program, graph, kernel).value());
    };
    EXPECT_EQ(key({0, 1}), key({2, 3})) << "D and E change places";
    EXPECT_NE(key({0}), key({1}));
    EXPECT_NE(key({4}), key({3, 4}));
}

// Everything that can be taken together, by looking at all sets.
std::vector<FusionGroup> candidates_of_all_sets(const plan::Dag& dag) {
    std::vector<FusionGroup> found;
    for (unsigned set = 1; set < 1U << dag.nodes(); ++set) {
        FusionGroup kernel;
        for (int node = 0; node < dag.nodes(); ++node)
            if ((set >> node & 1U) != 0) kernel.push_back(node);
        if (plan::is_candidate(dag, kernel)) found.push_back(kernel);
    }
    std::stable_sort(found.begin(), found.end(), [](const FusionGroup& a, const FusionGroup& b) {
        return std::pair(a.size(), a) < std::pair(b.size(), b);
    });
    return found;
}

TEST(Candidates, AreAllConvexConnectedSets) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const plan::PlainGraph graph = random_graph(random, 9);
        std::vector<FusionGroup> all = candidates_of_all_sets(graph);
        ASSERT_EQ(plan::all_candidates(graph, 9, 1'000'000).kernels, all) << seed;
        std::erase_if(all, [](const FusionGroup& kernel) { return kernel.size() > 3; });
        ASSERT_EQ(plan::all_candidates(graph, 3, 1'000'000).kernels, all) << seed;
    }
}

// Where there are too many, the small ones are all there.
TEST(Candidates, AreTheSmallOnesWhereThereAreTooMany) {
    const plan::PlainGraph graph = layered_graph(2, 3);
    const plan::Candidates all = plan::all_candidates(graph, 100, 1'000'000);
    EXPECT_EQ(all.most_nodes, static_cast<std::size_t>(graph.nodes()));
    for (const std::size_t limit : {20U, 60U, 150U}) {
        const plan::Candidates some = plan::all_candidates(graph, 100, limit);
        EXPECT_LE(some.kernels.size(), limit);
        EXPECT_LT(some.most_nodes, all.most_nodes);
        EXPECT_GT(some.most_nodes, 0U);
        std::vector<FusionGroup> small = all.kernels;
        std::erase_if(small, [&](const FusionGroup& kernel) { return kernel.size() > some.most_nodes; });
        EXPECT_EQ(some.kernels, small);
    }
}

// ---- Kernels one after the other compute what the program computes.

// Small sizes of which some blocks are ragged; as many rows as columns stay as many.
ArrayProgram made_small(ArrayProgram program) {
    std::map<std::int64_t, std::int64_t> sizes;
    for (Dim& dim : program.dims) {
        const auto size =
            sizes.emplace(dim.size, 2 + static_cast<std::int64_t>(sizes.size()) % 4).first->second;
        dim.size = size;
        dim.block = dim.kind == DimKind::Blocked ? std::min<std::int64_t>(size, 2) : 1;
    }
    program.dims = fitted(program.dims, program);
    return program;
}

Tensors<Exact> by_kernels(const ArrayProgram& program, const plan::Plan& plan, Tensors<Exact> arrays,
                          std::uint64_t seed) {
    const OperatorGraph graph = plan::operator_graph(program);
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const ArrayProgram kernel = plan::group_program(program, graph, plan.kernels[i]).value();
        const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(kernel).program));
        Random random(seed + i);
        const int step = random.between(0, static_cast<int>(trace.steps.size()));
        for (auto& [name, array] : evaluate(*trace.state(step), arrays)) arrays[name] = array;
    }
    return arrays;
}

void expect_same_results(const ArrayProgram& program, std::uint64_t seed) {
    const Tensors<Exact> inputs = random_exact(program, seed);
    const plan::Plan plan = any_plan(plan::operator_graph(program), seed);
    std::size_t nodes = 0;
    for (const FusionGroup& kernel : plan.kernels) nodes += kernel.size();
    ASSERT_EQ(nodes, plan::operator_graph(program).op.size());
    const Tensors<Exact> results = by_kernels(program, plan, inputs, seed);
    const Tensors<Exact> expected = evaluate(program, inputs);
    const OperatorGraph graph = plan::operator_graph(program);
    for (const ArrayOutput& output : program.outputs) {
        const auto node = std::find(graph.op.begin(), graph.op.end(), output.op);
        if (node == graph.op.end()) continue;  // an input
        const std::string& name = graph.names[static_cast<std::size_t>(node - graph.op.begin())];
        ASSERT_TRUE(results.contains(name)) << name;
        ASSERT_EQ(results.at(name).shape, expected.at(output.name).shape) << name;
        ASSERT_TRUE(results.at(name).data == expected.at(output.name).data) << name << " of seed " << seed;
    }
}

TEST(PlansOfPrograms, ComputeTheSamples) {
    for (const std::string& name : distinct_samples())
        for (std::uint64_t seed = 0; seed < 3; ++seed)
            ASSERT_NO_FATAL_FAILURE(expect_same_results(made_small(read_sample(name)), seed)) << name;
}

TEST(PlansOfPrograms, ComputeRandomPrograms) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const ArrayProgram program = random_array_program(seed);
        if (plan::operator_graph(program).op.empty()) continue;
        ASSERT_NO_FATAL_FAILURE(expect_same_results(program, seed)) << print_program(program);
    }
}

}  // namespace
}  // namespace blockscope::test
