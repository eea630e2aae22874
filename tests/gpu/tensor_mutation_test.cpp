// Waits and barriers of the tensor-core library and of generated kernels, taken out one at a time, and wrong
// layouts: the emulator has to notice each of them.
#include <array>
#include <memory>

#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"

namespace blockscope::test {
namespace {

// Tiles at the start and ahead of a loop; loops in loops; computed right operands; a loop in one that waits
// for nothing; infinities behind the last column.
constexpr std::array<const char*, 5> kTensorPrograms{
    "dim M = 40/32\ndim N = 64/24\ndim D = 24/24\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 40/32\ndim N = 48/24\ndim D = 72/16\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 40/24\ndim K = 80/16\ndim N = 40/16\n"
    "input X[M,K], Y[N,K] : f16\noutput Z = exp(X) @ exp(Y).T\n",
    "batch H = 2\ndim M = 40/24\ndim K = 72/16\ndim N = 40/16\n"
    "input X[H,M,K], Y[H,K,N] : f16\noutput Z = sum(X @ Y, H)\n",
    "dim M = 40/32\ndim N = 64/24\ndim D = 24/24\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = log(abs(Q @ K.T)) @ V\n",
};

std::vector<std::unique_ptr<TensorBatch>> batches() {
    std::vector<std::unique_ptr<TensorBatch>> all;
    for (const char* text : kTensorPrograms) {
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
        const Trace trace = fuse(initial);
        all.push_back(std::make_unique<TensorBatch>());
        all.back()->add(make_case("", make_safe(*trace.last()).program, initial->dims, 3e-3));
    }
    return all;
}

bool noticed(TensorBatch& batch, const std::string& text) {
    batch.batch.compile(text);
    const Batch::Outcome outcome = batch.batch.run(0, batch.cases.at(0).inputs);
    if (!outcome.error.empty()) return true;
    return !(difference(batch.cases.at(0).expected, outcome.outputs) <= batch.cases.at(0).tolerance);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

struct TensorDefect {
    const char* what;
    const char* right;
    const char* wrong;
};

class TensorMutations : public Emulated {
protected:
    // Whether any of the programs gives something else with the library so changed.
    void expect_noticed(const TensorDefect& defect) {
        bool found = false;
        for (const auto& batch : batches_) {
            const std::string text = batch->batch.text();
            if (found || text.find(defect.right) == std::string::npos) continue;
            found = noticed(*batch, replaced(text, defect.right, defect.wrong));
        }
        EXPECT_TRUE(found) << defect.what;
    }
    // Takes `what` out of the kernels, one place at a time. Returns how many places there are.
    int expect_needed(TensorBatch& batch, const std::string& what) {
        const std::string text = batch.batch.text();
        int places = 0;
        for (auto at = text.find(what, text.find("namespace program_0")); at != std::string::npos;
             at = text.find(what, at + 1), ++places) {
            std::string broken = text;
            broken.replace(at, what.size(), ";");
            EXPECT_TRUE(noticed(batch, broken)) << text.substr(at - 120, 160);
        }
        return places;
    }

    std::vector<std::unique_ptr<TensorBatch>> batches_ = batches();
};

TEST_F(TensorMutations, TheProgramsAreRightAsTheyAre) {
    for (const auto& batch : batches_) EXPECT_FALSE(noticed(*batch, batch->batch.text()));
}

TEST_F(TensorMutations, NoticesEveryWaitAndBarrierThatIsMissing) {
    expect_noticed({"the wait", "    wait_for_copies<N>();\n", "\n"});
    expect_noticed({"the barrier behind the wait", "    wait_for_copies<N>();\n    sync();",
                    "    wait_for_copies<N>();\n"});
    expect_noticed({"a wait for one group too few", "wait_for_copies<N>();", "wait_for_copies<N + 1>();"});
    expect_noticed({"the barrier before a computed operand is written",
                    "    const SharedTile<T, R, C, false> to{place, from.rows, from.cols};\n    sync();",
                    "    const SharedTile<T, R, C, false> to{place, from.rows, from.cols};"});
    expect_noticed({"the barrier behind it", "    sync();\n    return to;", "    return to;"});
    int places = 0;
    for (const std::string line : {" arrive<1>();", ", commit();", "        commit();"})
        for (const std::size_t program : {0, 3}) places += expect_needed(*batches_[program], line);
    // Before the tiles of a loop in a loop are overwritten.
    places += expect_needed(*batches_[3], "        sync();");
    EXPECT_GE(places, 8);
}

TEST_F(TensorMutations, NoticesWrongLayouts) {
    constexpr std::array<TensorDefect, 7> kDefects{{
        {"left operands in another order", "a.at(row + lane % 16, col + lane / 16 * a.kChunk)",
         "a.at(row + lane % 8 + lane / 16 * 8, col + lane / 8 % 2 * 8)"},
        {"right operands in another order", "b.at(col + lane % 16, row + lane / 16 * 8)",
         "b.at(col + lane % 8 + lane / 16 * 8, row + lane / 8 % 2 * 8)"},
        {"accumulators as operands in another order", "2 * m + part % 2, first = j + part / 2 * 2;",
         "2 * m + part / 2, first = j + part % 2 * 2;"},
        {"what is behind the last column counts", "a.col(j) < a.cols ? a.v[i]", "true ? a.v[i]"},
        {"lines behind the last one are copied", "line + lines < to.lines_there() ?", "true ?"},
        {"a line is copied as a whole", "clamped(to.length_there() - along, kAtOnce)", "kAtOnce"},
        {"stages are not changed", "i_n % 3 *", "0 *"},
    }};
    for (const TensorDefect& defect : kDefects) expect_noticed(defect);
}

}  // namespace
}  // namespace blockscope::test
