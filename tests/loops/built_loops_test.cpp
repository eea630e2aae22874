// Loops as they are built: what is loaded once, what stays local, which blocks of a causal mask are left out.
#include <gmock/gmock.h>

#include "core/fusion/trace.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/loops/hand_made.h"
#include "tests/support/listing_check.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

BlockProgram fused(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "");
    if (!program) throw std::runtime_error(to_string(program.problems()[0]));
    const auto initial = std::make_shared<const BlockProgram>(to_block_program(*program).program);
    return *fuse(initial, {}, kPaperRules).last();
}

std::string attention(const std::string& dims, const std::string& mask) {
    const std::string heads = dims.find("batch H") == std::string::npos ? "" : "H, ";
    return dims + "dim D = 8 / 8\ndim L = 8 / 8\ninput Q[" + heads + "M, D], K[" + heads + "N, D], V[" +
           heads + "N, L]\n" + mask +
           (mask.empty() ? "S = Q @ K.T * D^-0.5\n" : "S = Q @ K.T * D^-0.5 + C\n") +
           "P = softmax(S)\noutput O = P @ V\n";
}

const BufferTraffic& traffic_of(const State& state, const std::string& name) {
    for (const BufferTraffic& traffic : state.counts().buffers)
        if (state.loops().buffers[static_cast<std::size_t>(traffic.buffer)].name == name) return traffic;
    throw std::runtime_error("no array " + name);
}

TEST(BuiltLoops, AttentionLoadsItsQueriesOnceForEachBlockOfRows) {
    const ProgramPtr program = fuse(block_sample("attention")).last();
    const State state(program);
    EXPECT_EQ(listing(state), R"(forall m in range(M):
  t1 = load(Q[m,0])
  for n in range(N):
    t2 = load(K[n,0])
    t3 = dot(t1,t2)
    t4 = exp(t3*(DD**-0.5))
    t5 += row_sum(t4)
    t6 = load(VT[0,n])
    t7 += dot(t4,t6)
  t8 = 1/t5
  t9 = row_scale(t7,t8)
  store(t9,O[m,0])
)");
    EXPECT_EQ(traffic_of(state, "Q").loads.bytes, 4096 * 128 * 2);
    const State paper(program, Form{}.as_in_paper());
    EXPECT_EQ(traffic_of(paper, "Q").loads.bytes, 32 * 4096 * 128 * 2);
    EXPECT_EQ(traffic_of(paper, "K").loads, traffic_of(state, "K").loads);
    EXPECT_EQ(paper.counts().flops.matrix, state.counts().flops.matrix);
}

// Without loops over one block fewer values are stored than in the paper's form, and their names have no
// gaps.
TEST(BuiltLoops, IntermediatesAreNumberedAnewInTheOrderOfTheirStores) {
    const State state(block_sample("attention"));
    int number = 0;
    for (const Buffer& buffer : state.loops().buffers) {
        if (buffer.kind != Buffer::Kind::Intermediate) continue;
        EXPECT_EQ(buffer.name, "I" + std::to_string(++number)) << listing(state);
    }
    EXPECT_EQ(number, 8);
}

// Blocks of D do not hold all of it: a block of Q is needed again for each block of keys.
TEST(BuiltLoops, WhatAnInnerLoopIndexesStaysThere) {
    const std::string text = listing(fused(
        "dim M = 12 / 4\ndim N = 12 / 4\ndim D = 8 / 4\ndim L = 8 / 8\ninput Q[M, D], K[N, D], V[N, L]\n"
        "P = softmax(Q @ K.T)\noutput O = P @ V\n"));
    EXPECT_THAT(text, HasSubstr("      t1 = load(Q[m,d])\n"));
    EXPECT_THAT(text, Not(HasSubstr("in range(L)")));
}

// Queries and keys with a norm over D, which is one block: what stands between the norm and the product is no
// list that anything else could read.
TEST(BuiltLoops, NormalisedQueriesStayLocal) {
    const BlockProgram program = fused(
        "batch H = 2\ndim M = 12 / 4\ndim N = 15 / 5\ndim D = 8 / 8\ndim L = 8 / 8\n"
        "input Q[H, M, D], K[H, N, D], V[H, N, L], a[D], b[D]\n"
        "P = softmax(rmsnorm(Q, a) @ rmsnorm(K, b).T)\noutput O = P @ V\n");
    const State state(program);
    for (const Buffer& buffer : state.loops().buffers)
        EXPECT_NE(buffer.kind, Buffer::Kind::Intermediate) << listing(state);
    EXPECT_EQ(state.counts().intermediates.bytes, 0);
    const State paper(program, Form{}.as_in_paper());
    EXPECT_GT(paper.counts().intermediates.bytes, 0);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

// The same norms in float32, cast to and from: an array of float32 rounds none of its numbers, and products
// take numbers of bf16 in any case.
TEST(BuiltLoops, NormsInFloat32StayLocal) {
    const BlockProgram program = fused(
        "dim M = 12 / 4\ndim N = 15 / 5\ndim D = 8 / 8\ndim L = 8 / 8\n"
        "input Q[M, D], K[N, D], V[N, L] : bf16\n"
        "q = cast(rmsnorm(cast(Q, f32)), bf16)\nk = cast(rmsnorm(cast(K, f32)), bf16)\n"
        "P = softmax(q @ k.T)\noutput O = P @ V\n");
    const State state(program);
    EXPECT_THAT(listing(state), HasSubstr("= bf16("));
    EXPECT_EQ(state.counts().intermediates.bytes, 0) << listing(state);
    const State paper(program, Form{}.as_in_paper());
    EXPECT_GT(paper.counts().intermediates.bytes, 0);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

// Where float32 is what an input is cast to, over several blocks, the input is loaded and cast again.
TEST(BuiltLoops, AnInputIsCastAgainInsteadOfStored) {
    const std::string norm = "dim M = 12 / 4\ndim N = 15 / 5\ndim D = 8 / 4\ninput X[M, D], W[D, N] : bf16\n";
    const std::string product = "output Y = cast(rmsnorm(x), bf16) @ W\n";
    const BlockProgram program = fused(norm + "x = cast(X, f32)\n" + product);
    const State state(program);
    const std::string text = listing(state);
    EXPECT_EQ(text.find(",I1["), std::string::npos) << text;
    std::size_t loads = 0;
    for (std::size_t at = text.find("= load(X["); at != std::string::npos;
         at = text.find("= load(X[", at + 1))
        ++loads;
    EXPECT_EQ(loads, 2U) << text;
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
    // Of what is computed first only the result is cast: that is stored as it was.
    const BlockProgram computed = fused(norm + "x = cast(exp(X), f32)\n" + product);
    EXPECT_THAT(listing(State(computed)), HasSubstr(",I1["));
    EXPECT_EQ(reader::check_listing(computed, computed.dims, 3), "");
}

ElemType type_of(const State& state, const std::string& buffer) {
    for (const Buffer& one : state.loops().buffers)
        if (one.name == buffer) return one.type.elem();
    throw std::runtime_error("no array " + buffer);
}

// Queries that are projected before they are normalised in float32: what lies between the two loops over
// their columns is stored in the 16 bits that it has, and cast where it is loaded.
TEST(BuiltLoops, WhatWasCastToMoreBitsIsStoredInThose) {
    const auto queries = [](const std::string& types) {
        return fused("dim M = 12 / 4\ndim N = 15 / 5\ndim D = 8 / 4\ndim E = 8 / 4\ndim L = 8 / 8\n" + types +
                     "q = cast(rmsnorm(cast(X @ W, f32)), bf16)\nP = softmax(q @ K.T)\noutput O = P @ V\n");
    };
    const BlockProgram program = queries("input X[M, E], W[E, D], K[N, D], V[N, L] : bf16\n");
    const State state(program), paper(program, Form{}.as_in_paper());
    const std::string text = listing(state);
    EXPECT_EQ(type_of(paper, "I1"), ElemType::F32);
    EXPECT_EQ(type_of(state, "I1"), ElemType::BF16);
    EXPECT_THAT(text, HasSubstr("    t4 = f32(t3)\n    store(t3,I1[m,0,d])\n    t5 = t4**2\n"));
    EXPECT_THAT(text, HasSubstr("    t8 = load(I1[m,0,d])\n    t9 = f32(t8)\n"));
    EXPECT_EQ(traffic_of(state, "I1").loads.bytes * 2, traffic_of(paper, "I1").loads.bytes);
    EXPECT_EQ(traffic_of(state, "I1").stores.bytes * 2, traffic_of(paper, "I1").stores.bytes);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
    // Sums of products of 8 bits are more than those hold.
    const BlockProgram small = queries("input X[M, E], W[E, D] : e4m3\ninput K[N, D], V[N, L] : bf16\n");
    EXPECT_EQ(type_of(State(small), "I1"), ElemType::F32) << listing(State(small));
    // f16 ends at 65504, where such a sum need not end.
    const BlockProgram halves = queries("input X[M, E], W[E, D] : f16\ninput K[N, D], V[N, L] : bf16\n");
    EXPECT_EQ(type_of(State(halves), "I1"), ElemType::F32) << listing(State(halves));
}

// A list in float32 of which nothing but its values in bf16 is wanted.
TEST(BuiltLoops, WhatIsCastToFewerBitsLaterIsStoredInThose) {
    const auto made = [](bool twice) {
        HandMade h;
        const ValueRef x = h.input("X", "MK:MK");
        const auto rows = h.map(h.top, 'M', {{x, kEach}}, {kList, kList}, [&](Builder& b, const Values& in) {
            const auto first =
                h.map(b, 'K', {{in[0], kEach}}, {kList, kSum}, [&](Builder& c, const Values& each) {
                    const ValueRef squared = square(c, each[0]);
                    return Values{squared, c.functional(FunctionalOp::RowSum, {squared})};
                });
            const auto second =
                h.map(b, 'K', {{first[0], kEach}}, {kList}, [&](Builder& c, const Values& each) {
                    const ValueRef narrow = c.cast(ElemType::BF16, each[0]);
                    return Values{twice ? c.cast(ElemType::BF16, square(c, each[0])) : square(c, narrow)};
                });
            return Values{second[0], first[1]};
        });
        h.output(rows[0], "Y");
        h.output(rows[1], "Z");
        return h.program();
    };
    const BlockProgram program = made(false);
    const State state(program);
    EXPECT_EQ(type_of(state, "I1"), ElemType::BF16);
    EXPECT_THAT(listing(state), HasSubstr("= bf16(t2)\n    store(t"));
    EXPECT_THAT(listing(state), Not(ContainsRegex("= load\\(I1\\[m,k\\]\\)\n *t[0-9]+ = bf16\\(")))
        << "it is narrow already";
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
    EXPECT_EQ(type_of(State(made(true)), "I1"), ElemType::F32) << "squared before";
}

// What anything but a product reads is rounded by its array.
TEST(BuiltLoops, WhatACastRoundsIsLoadedAgain) {
    const auto text = [](const std::string& type) {
        return listing(fused("dim M = 8 / 4\ndim N = 8 / 8\ninput X[M, N], Y[M, N] : f16\nA = cast(X, " +
                             type + ")\nB = cast(Y, " + type + ")\noutput Z = rmsnorm(A) + B\n"));
    };
    EXPECT_THAT(text("e4m3"), HasSubstr("= load(I1["));
    EXPECT_THAT(text("f32"), Not(HasSubstr("= load(I1[")));
}

TEST(BuiltLoops, AKernelThatIsALoopOverOneBlockStaysOneKernel) {
    const BlockProgram program = fused("dim M = 8 / 8\ninput X[M,M], w[M]\noutput Y = rmsnorm(X, w)\n");
    const State built(program);
    const State paper(program, Form{}.as_in_paper());
    EXPECT_EQ(built.counts().launches, paper.counts().launches);
    EXPECT_THAT(listing(built), testing::StartsWith("forall m in range(M):\n"));
}

struct Mask {
    const char* dims;
    const char* bounds;  // of the loop over keys; empty: all blocks
    const char* mask = "causal";
    bool all_see = true;  // each row sees a key
};

class CausalBounds : public testing::TestWithParam<Mask> {};

// Equal and other sizes and blocks, ragged ones, queries at the end of more keys (as with a cache of keys and
// values), and more queries than keys: of those the first see no key, and the average over all keys is what
// the safe form gives them. The plain form divides by 0.
TEST_P(CausalBounds, LeaveOutWhatIsHidden) {
    const BlockProgram program =
        fused(attention(GetParam().dims, "mask C[M, N] = " + std::string(GetParam().mask) + "\n"));
    const std::string bounds = GetParam().bounds;
    for (const BlockProgram& taken : {program, make_safe(program).program}) {
        if (bounds.empty())
            EXPECT_THAT(listing(taken), Not(HasSubstr("visible(")));
        else
            EXPECT_THAT(listing(taken), HasSubstr("for n in range(" + bounds + "):"));
        if (GetParam().all_see || !identical(*taken.graph, *program.graph)) {
            EXPECT_EQ(reader::check_listing(taken, program.dims, 5), "");
        }
    }
}

constexpr const char* kEnd = "visible(m,N)";

INSTANTIATE_TEST_SUITE_P(Sizes, CausalBounds,
                         testing::Values(Mask{"dim M = 16 / 4\ndim N = 16 / 4\n", kEnd},
                                         Mask{"dim M = 16 / 4\ndim N = 16 / 3\n", kEnd},
                                         Mask{"dim M = 15 / 4\ndim N = 15 / 6\n", kEnd},
                                         Mask{"dim M = 10 / 3\ndim N = 17 / 2\n", kEnd},
                                         Mask{"dim M = 3 / 1\ndim N = 17 / 4\n", kEnd},
                                         Mask{"dim M = 16 / 4\ndim N = 16 / 16\n", ""},
                                         Mask{"dim M = 16 / 16\ndim N = 16 / 4\n", ""},
                                         Mask{"dim M = 17 / 4\ndim N = 15 / 4\n", kEnd, "causal", false},
                                         Mask{"dim M = 8 / 8\ndim N = 4 / 2\n", "", "causal", false}));

INSTANTIATE_TEST_SUITE_P(
    Windows, CausalBounds,
    testing::Values(
        Mask{"dim M = 16 / 4\ndim N = 16 / 4\n", "hidden(m,N,4),visible(m,N)", "causal(window=4)"},
        Mask{"dim M = 16 / 4\ndim N = 16 / 4\n", "hidden(m,N,1),visible(m,N)", "causal(window=1)"},
        Mask{"dim M = 16 / 4\ndim N = 16 / 4\n", "hidden(m,N,99),visible(m,N)", "causal(window=99)"},
        Mask{"dim M = 15 / 4\ndim N = 19 / 3\n", "hidden(m,N,6),visible(m,N)", "causal(window=6)"},
        Mask{"dim M = 17 / 4\ndim N = 15 / 4\n", "hidden(m,N,3),visible(m,N)", "causal(window=3)", false},
        Mask{"dim M = 1 / 1\ndim N = 17 / 2\n", "hidden(m,N,5),visible(m,N)", "causal(window=5)"},
        Mask{"batch H = 2\ndim M = 3 / 3\ndim N = 17 / 2\n", "hidden(M,N,5),visible(M,N)",
             "causal(window=5)"},
        Mask{"dim M = 3 / 3\ndim N = 17 / 2\n", "", "causal(window=17)"}));

// (B+1)/(2B) of the products and of the loads of keys and values, for B blocks of each.
TEST(CausalLoops, HalveTheWorkOfAttention) {
    const std::string dims = "dim M = 64 / 4\ndim N = 64 / 4\n";
    const BlockProgram program = fused(attention(dims, "mask C[M, N] = causal\n"));
    const BlockProgram whole = fused(attention(dims, ""));
    const State causal(program, safe_form());
    const State full(whole, safe_form());
    EXPECT_EQ(causal.counts().flops.matrix * 32, full.counts().flops.matrix * 17);
    for (const char* name : {"K", "VT"})
        EXPECT_EQ(traffic_of(causal, name).loads.bytes * 32, traffic_of(full, name).loads.bytes * 17);
    EXPECT_EQ(traffic_of(causal, "Q").loads, traffic_of(full, "Q").loads);
    EXPECT_EQ(formula(causal.terms(), Quantity::LoadItems, traffic_of(causal, "K").buffer, program.dims),
              "visible(M/m,N/n)");
    EXPECT_EQ(formula(causal.terms(), Quantity::Matrix, -1, program.dims),
              "2·D·visible(M,N) + 2·L·visible(M,N)");
}

// Of 136 pairs of blocks that are computed 16 are crossed by the diagonal; with a window of 8 keys also those
// that its other end crosses, 14. The paper's loops add the mask everywhere.
TEST(CausalLoops, AddTheMaskOnlyWhereItHidesSomething) {
    const std::string dims = "dim M = 64 / 4\ndim N = 64 / 4\n";
    const auto added = [&](const std::string& mask, const Form& form) {
        const BlockProgram program = fused(attention(dims, "mask C[M, N] = " + mask + "\n"));
        const State with(program, form);
        std::int64_t sums = 0;
        for (const Term& term : with.terms())
            for (const Factor& factor : term.factors)
                if (factor.kind == Factor::Kind::Crossed) sums += value(term, program.dims);
        return sums;
    };
    EXPECT_EQ(added("causal", safe_form()), 16 * 4 * 4);
    EXPECT_EQ(added("causal(window=8)", safe_form()), (16 + 14) * 4 * 4);
    EXPECT_EQ(added("causal", safe_form().as_in_paper()), 0);
}

// Windows of 8 keys and blocks of 4: rows of a block see 11 keys, which stand in 3 blocks but for the first
// two blocks of rows.
TEST(CausalLoops, OfAWindowDoWorkForItAlone) {
    const std::string dims = "dim M = 64 / 4\ndim N = 64 / 4\n";
    const BlockProgram program = fused(attention(dims, "mask C[M, N] = causal(window=8)\n"));
    const State window(program, safe_form());
    const State full(fused(attention(dims, "")), safe_form());
    const std::int64_t pairs = 1 + 2 + 14 * 3;
    EXPECT_EQ(window.counts().flops.matrix * 256, full.counts().flops.matrix * pairs);
    EXPECT_EQ(traffic_of(window, "K").loads.items, pairs);
    EXPECT_EQ(formula(window.terms(), Quantity::LoadItems, traffic_of(window, "K").buffer, program.dims),
              "visible(M/m,N/n,8)");
}

// What an iteration leaves for what follows has to be what was there: of other programs no block is left out.
TEST(CausalLoops, LeaveOutBlocksOnlyWhereNothingChanges) {
    const std::string dims = "dim M = 16 / 4\ndim N = 16 / 4\ndim D = 8 / 8\n";
    for (const std::string tail :
         {"output O = (S + C) @ V\n", "output O = (exp(S + C) + 1) @ V\n", "output O = exp(S - C) @ V\n",
          "output O = (S * C) @ V\n", "output O = exp(S + C)\n"}) {
        const BlockProgram program = fused(dims +
                                           "input Q[M, D], K[N, D], V[N, D]\nmask C[M, N] = causal\n"
                                           "S = Q @ K.T\n" +
                                           tail);
        EXPECT_THAT(listing(program), Not(HasSubstr("visible("))) << tail;
    }
    // A sum of the masked scores themselves has the mask in it.
    const BlockProgram sums = fused(dims +
                                    "input Q[M, D], K[N, D]\nmask C[M, N] = causal(window=4)\n"
                                    "output O = row_sum(Q @ K.T + C)\n");
    EXPECT_THAT(listing(sums), Not(HasSubstr("visible(")));
    const BlockProgram program = fused(dims +
                                       "input Q[M, D], K[N, D], V[N, D]\nmask C[M, N] = causal\n"
                                       "output O = exp(Q @ K.T + C) @ V\n");
    EXPECT_THAT(listing(program), HasSubstr("visible(m,N)"));
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

}  // namespace
}  // namespace blockscope::test
