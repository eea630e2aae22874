// Waits, barriers, fences and ends of groups of the kernels for sm_90a, taken out one at a time, and wrong layouts:
// the emulator has to notice each of them.
#include <array>
#include <memory>

#include "core/program/convert.h"
#include "core/safety/safety.h"
#include "tests/gpu/cases.h"

namespace blockscope::test {
namespace {

// Tiles at the start and in a loop; loops in loops; computed right operands; loops behind each other; several panels.
constexpr std::array<const char*, 5> kPrograms{
    "dim M = 40/32\ndim N = 112/16\ndim D = 24/24\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 40/32\ndim N = 48/16\ndim D = 112/16\ndim L = 32/32\n"
    "input Q[M,D], K[N,D], V[N,L] : f16\noutput O = softmax(Q @ K.T * D^-0.5) @ V\n",
    "dim M = 40/24\ndim K = 80/16\ndim N = 40/16\n"
    "input X[M,K], Y[N,K] : f16\noutput Z = (X @ Y.T) @ exp(Y).T @ Y\n",
    "dim M = 40/24\ndim K = 112/16\ndim N = 48/16\n"
    "input X[M,K], Y[K,N], W[M,K], V[K,N] : f16\noutput Z = (X @ Y) * (W @ V)\n",
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
        batched.batch.compile(changed);
        const Batch::Outcome outcome = batched.batch.run(0, batched.cases.at(0).inputs);
        if (!outcome.error.empty()) return true;
        return !(difference(batched.cases.at(0).expected, outcome.outputs) <= batched.cases.at(0).tolerance);
    }
};

struct Defect {
    const char* what;
    const char* right;
    const char* wrong;
};

class GroupMutations : public Emulated {
protected:
    void SetUp() override {
        Emulated::SetUp();
        if (IsSkipped()) return;
        for (const char* text : kPrograms) programs_.push_back(std::make_unique<Mutated>(text));
    }

    // Whether any of the programs notices the change of its library or its kernels.
    void expect_noticed(const Defect& defect) {
        bool there = false;
        for (const auto& program : programs_) {
            std::string text = program->text();
            const auto at = text.find(defect.right);
            if (at == std::string::npos) continue;
            there = true;
            if (program->noticed(text.replace(at, std::string(defect.right).size(), defect.wrong))) return;
        }
        ADD_FAILURE() << defect.what << (there ? "" : ": the line is not there");
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
    EXPECT_GE(expect_needed(1, ".drain();"), 0);
}

TEST_F(GroupMutations, NoticesEveryWaitOfTheLibraryThatIsMissing) {
    constexpr std::array<Defect, 12> kDefects{{
        {"the wait for an empty stage", "        barrier_wait(empty(), phase ^ 1);\n", "\n"},
        {"the wait for a full stage", "barrier_wait(full(), phase);", ";"},
        {"the announcement of bytes", "barrier_expect(full(), BYTES);", "barrier_expect(full(), 0);"},
        {"another phase", "phase = stage == 0 ? phase ^ 1 : phase;", ""},
        {"the arrival of a warp", "if (my_place() == 0) barrier_arrive(empty());", ""},
        {"an arrival of each lane", "if (my_place() == 0) barrier_arrive(empty());", "barrier_arrive(empty());"},
        {"the barrier behind new barriers", "    sync_everybody();\n", "\n"},
        {"the fence before products", "    wgmma_fence();\n", "\n"},
        {"the end of a group", "    wgmma_commit();\n", "\n"},
        {"the wait for products", "    wgmma_wait<0>();\n", "\n"},
        {"a wait for one group too few", "    wgmma_wait<0>();\n", "    wgmma_wait<1>();\n"},
        {"the fence behind written operands", "    if (WARP_SPECIALISED) show_writes();\n", "\n"},
    }};
    for (const Defect& defect : kDefects) expect_noticed(defect);
}

TEST_F(GroupMutations, NoticesWrongLayouts) {
    constexpr std::array<Defect, 6> kDefects{{
        {"the distance of panels", "panel = TRANSPOSED ? kPanel >> 4 : 1;", "panel = 1;"},
        {"the distance of groups of lines", "(Descriptor)(1024 >> 4) << 32", "(Descriptor)(512 >> 4) << 32"},
        {"no swizzling", "| (Descriptor)1 << 62", ""},
        {"the operand's direction", "wgmma<LEFT_TRANSPOSED, TRANSPOSED, FIRST>",
         "wgmma<LEFT_TRANSPOSED, !TRANSPOSED, FIRST>"},
        {"rows of another strip", "return (i / 2 * kWarps + my_warp()) * 16", "return (my_warp() * 2 + i / 2) * 16"},
        {"boxes of the same place", "along + panel * kPerLine, line", "along, line"},
    }};
    for (const Defect& defect : kDefects) expect_noticed(defect);
}

}  // namespace
}  // namespace blockscope::test
