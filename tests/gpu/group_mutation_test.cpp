// Waits, barriers, fences and ends of groups of the kernels for sm_90a, taken out one at a time, and wrong
// layouts: the emulator has to notice each of them.
#include <array>
#include <memory>

#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"

namespace blockscope::test {
namespace {

// Tiles at the start and in a loop; loops in loops; computed right operands; loops behind each other; several
// panels.
constexpr std::array<const char*, 4> kGroupPrograms{
    "dim M = 40/32\ndim N = 112/16\ndim D = 24/24\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 40/24\ndim K = 80/16\ndim N = 40/16\n"
    "input X[M,K], Y[N,K] : f16\noutput Z = X @ Y.T + exp(X) @ exp(Y).T\n",
    "dim M = 40/32\ndim K = 112/16\ndim R = 32/32\ndim N = 48/48\n"
    "input X[M,K], W[K,N], A[K,R], B[R,N] : f16\noutput Z = X @ W + (X @ A) @ B\n",
    "dim M = 40/24\ndim K = 80/16\ndim N = 104/104\ninput X[M,K], Y[K,N] : f16\noutput Z = X @ Y\n",
};

struct Mutated {
    Batched batched;
    explicit Mutated(const std::string& text) {
        const auto initial =
            std::make_shared<const BlockProgram>(to_block_program(*parse_program(text, "")).program);
        batched.options = {gpu::Target::Sm90a, 128, false};
        batched.add(make_case("", make_safe(*fuse(initial).last()).program, initial->dims, 3e-3));
    }

    std::string text() const { return batched.batch.text(); }
    bool noticed(const std::string& changed) {
        batched.batch.compile(changed, "-O0");  // what runs is small, and there are many of them
        const Batch::Outcome outcome = batched.batch.run(0, batched.cases.at(0).inputs);
        if (!outcome.error.empty()) return true;
        return !(difference(batched.cases.at(0).expected, outcome.outputs) <= batched.cases.at(0).tolerance);
    }
};

struct GroupDefect {
    const char* what;
    std::size_t program;  // that notices it
    const char* right;
    const char* wrong;
};

class GroupMutations : public Emulated {
protected:
    void SetUp() override {
        Emulated::SetUp();
        if (IsSkipped()) return;
        for (const char* text : kGroupPrograms) programs_.push_back(std::make_unique<Mutated>(text));
    }

    // The program's library or kernels with a defect in them.
    void expect_noticed(const GroupDefect& defect) {
        Mutated& program = *programs_.at(defect.program);
        std::string text = program.text();
        const auto at = text.find(defect.right);
        ASSERT_NE(at, std::string::npos) << defect.what << ": the line is not there";
        text.replace(at, std::string(defect.right).size(), defect.wrong);
        EXPECT_TRUE(program.noticed(text)) << defect.what;
    }
    // Takes `what` out of a program's kernels, one place at a time. Returns how many places there are.
    int expect_needed(std::size_t which, const std::string& what) {
        const std::string text = programs_.at(which)->text();
        int places = 0;
        for (auto at = text.find(what, text.find("namespace program_0")); at != std::string::npos;
             at = text.find(what, at + 1), ++places) {
            std::string broken = text;
            broken.replace(at, what.size(), ";");
            EXPECT_TRUE(programs_[which]->noticed(broken)) << text.substr(at - 120, 160);
        }
        return places;
    }

    std::vector<std::unique_ptr<Mutated>> programs_;
};

TEST_F(GroupMutations, TheProgramsAreRightAsTheyAre) {
    for (const auto& program : programs_) {
        EXPECT_EQ(program->batched.batch.set(0).notes.size(), 0U);
        EXPECT_FALSE(program->noticed(program->text()));
    }
}

TEST_F(GroupMutations, NoticesEveryWaitOfAKernelThatIsMissing) {
    EXPECT_EQ(expect_needed(0, "ring_1.await();") + expect_needed(0, "ring_2.await();") +
                  expect_needed(0, "ring_3.await();"),
              3);
    EXPECT_EQ(expect_needed(0, "ring_2.release();") + expect_needed(0, "ring_3.release();"), 2);
    EXPECT_EQ(expect_needed(0, "ring_2.acquire();") + expect_needed(0, "ring_2.next();"), 2);
    // Each of the two waits for what the other waits for.
    EXPECT_EQ(expect_needed(2, "ring_1.drain();\n        ring_2.drain();"), 1);
}

TEST_F(GroupMutations, NoticesEveryWaitOfTheLibraryThatIsMissing) {
    constexpr std::array<GroupDefect, 12> kDefects{{
        {"the wait for an empty stage", 0, "        barrier_wait(empty(), phase ^ 1);\n", "\n"},
        {"the wait for a full stage", 0, "barrier_wait(full(), phase);", ";"},
        {"the announcement of bytes", 0, "barrier_expect(full(), BYTES);", "barrier_expect(full(), 0);"},
        {"another phase", 0, "phase = stage == 0 ? phase ^ 1 : phase;", ""},
        {"the arrival of a warp", 0, "if (my_place() == 0) barrier_arrive(empty());", ""},
        {"an arrival of each lane", 0, "if (my_place() == 0) barrier_arrive(empty());",
         "barrier_arrive(empty());"},
        {"the barrier behind new barriers", 0, "    sync_everybody();\n", "\n"},
        {"the fence before products", 0, "    wgmma_fence();\n", "\n"},
        {"the end of a group", 0, "    wgmma_commit();\n", "\n"},
        {"the wait for products", 0, "    wgmma_wait<0>();\n", "\n"},
        {"a wait for one group too few", 3, "    wgmma_wait<0>();\n", "    wgmma_wait<1>();\n"},
        {"the fence behind written operands", 1, "    if (WARP_SPECIALISED) show_writes();\n", "\n"},
    }};
    for (const GroupDefect& defect : kDefects) expect_noticed(defect);
}

TEST_F(GroupMutations, NoticesWrongLayouts) {
    constexpr std::array<GroupDefect, 6> kDefects{{
        {"the distance of panels", 3, "panel = TRANSPOSED ? kPanel >> 4 : 1;", "panel = 1;"},
        {"the distance of groups of lines", 0, "(Descriptor)(1024 >> 4) << 32",
         "(Descriptor)(512 >> 4) << 32"},
        {"no swizzling", 0, "| (Descriptor)1 << 62", ""},
        {"the operand's direction", 0, "wgmma<LEFT_TRANSPOSED, TRANSPOSED, FIRST>",
         "wgmma<LEFT_TRANSPOSED, !TRANSPOSED, FIRST>"},
        {"rows of another strip", 0, "return (i / 2 * kWarps + my_warp()) * 16",
         "return (my_warp() * 2 + i / 2) * 16"},
        {"boxes of the same place", 3, "along + panel * kPerLine, line", "along, line"},
    }};
    for (const GroupDefect& defect : kDefects) expect_noticed(defect);
}

}  // namespace
}  // namespace blockscope::test
