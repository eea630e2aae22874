// Defects put into generated code and the tile library on purpose: the emulator has to notice each of them.
#include <array>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"

namespace blockscope::test {
namespace {

// K is in one panel, so that what is left of the last one matters. Products, maxima of blocks, vectors along
// columns and values that go through global memory.
constexpr const char* kLibraryPrograms[] = {
    "dim M = 37/20\ndim N = 50/33\ndim D = 45/24\ndim L = 20/20\n"
    "input Q[M,D], K[N,D], V[N,L]\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 37/20\ndim K = 50/28\ndim N = 45/24\n"
    "input X[M,K], Y[K,N]\noutput Z = layernorm(X, form=paper) @ Y\n",
    "dim M = 37/20\ndim N = 50/33\ndim D = 45/24\ndim L = 20/20\n"
    "input Q[M,D], K[N,D], V[N,L]\noutput O = log(abs(Q @ K.T)) @ V\n",
};

void fill(Batched& batch) {
    for (const char* text : kLibraryPrograms) {
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
        const Trace trace = fuse(initial);
        for (const int step : {0, static_cast<int>(trace.steps.size())}) {
            batch.add(make_case("", *trace.state(step), initial->dims, 1e-4));
            batch.add(make_case("", make_safe(*trace.state(step), SharedExponent::PerBlock).program,
                                initial->dims, 1e-4));
        }
    }
}

bool library_defect_noticed(Batched& batch, const std::string& text) {
    batch.batch.compile(text);
    for (std::size_t i = 0; i < batch.cases.size(); ++i) {
        const Batch::Outcome outcome = batch.batch.run(static_cast<int>(i), batch.cases[i].inputs);
        if (!outcome.error.empty()) return true;
        if (!(difference(batch.cases[i].expected, outcome.outputs) <= batch.cases[i].tolerance)) return true;
    }
    return false;
}

TEST_F(Emulated, NoticesEveryBarrierThatIsMissing) {
    Batched batch;
    fill(batch);
    const std::string text = batch.batch.text();
    ASSERT_FALSE(library_defect_noticed(batch, text));
    const std::string barrier = "    sync();";
    int mutants = 0;
    for (auto at = text.find(barrier); at != std::string::npos && at < text.find("namespace program_0");
         at = text.find(barrier, at + 1)) {
        std::string broken = text;
        broken.replace(at, barrier.size(), "    ;");
        EXPECT_TRUE(library_defect_noticed(batch, broken))
            << "the barrier before " << text.substr(at + barrier.size(), 160);
        ++mutants;
    }
    EXPECT_EQ(mutants, 6);
}

struct LibraryDefect {
    const char* what;
    const char* right;
    const char* wrong;
};

TEST_F(Emulated, NoticesWrongArithmetic) {
    constexpr std::array<LibraryDefect, 6> kDefects{{
        {"sums run over the padding", "a.col(j) < a.cols ? a.v[i][j] : outside", "a.v[i][j]"},
        {"operands of products are not padded with zeros", "there ? from.v[i][j] : 0.0f", "from.v[i][j]"},
        {"a lane is left out of sums",
         "mask < kLanes; mask *= 2) x += ", "mask < kLanes / 2; mask *= 2) x += "},
        {"blocks reach beyond the end", "row >= rows || col >= cols", "false"},
        {"one column of each panel is left out", "k < kDepth; k += 4", "k < kDepth - 4; k += 4"},
        {"a ragged block counts as a whole one", "left < block ? left : block", "block"},
    }};
    Batched batch;
    fill(batch);
    const std::string text = batch.batch.text();
    for (const LibraryDefect& defect : kDefects) {
        std::string broken = text;
        const auto at = broken.find(defect.right);
        ASSERT_NE(at, std::string::npos) << defect.what;
        broken.replace(at, std::string(defect.right).size(), defect.wrong);
        EXPECT_TRUE(library_defect_noticed(batch, broken)) << defect.what;
    }
}

}  // namespace
}  // namespace blockscope::test
