// Proofs in the background: every state of every sample is proven, a wrong one is found.
#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTest>

#include "app/document/proofs.h"
#include "core/graph/graph.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using Verdict = Proof::Verdict;
constexpr int kProofPatience = 120'000;

bool all_done(const Proofs& proofs, const Content& content) {
    for (const auto& [id, state] : content.history.states())
        if (proofs.proof(state->program).verdict == Verdict::Waiting) return false;
    return true;
}

// Of every sample: tests/fusion.
TEST(Proofs, EveryStateIsProven) {
    Proofs proofs;
    for (const std::string name : {"attention", "causal-attention", "gqa", "softmax"}) {
        const ContentPtr content = shared(prepared(sample_content(name)));
        proofs.prove(content);
        ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *content); }, kProofPatience)) << name;
        for (const auto& [id, state] : content->history.states()) {
            const Proof proof = proofs.proof(state->program);
            EXPECT_EQ(proof.verdict, Verdict::Proven)
                << name << ", state " << id << ": " << proof.detail.toStdString();
            EXPECT_FALSE(proof.oracle.isEmpty());
        }
    }
}

// `content` with one step whose result is `after`, however it came about.
Content with_state(Content content, ProgramPtr after) {
    Step step;
    step.match = all_matches(*content.program()).front();
    step.before = content.program();
    step.after = std::move(after);
    content.history.extend(content.history.add(0, step, false), 1);
    return content;
}

TEST(Proofs, AWrongProgramIsFoundWrong) {
    const std::string begin = "dim M = 8 / 4\ndim K = 6 / 3\ninput X[M, K]\noutput Y = ";
    const Content right = content_of_text(begin + "exp(X) * 2\n");
    const Content wrong = content_of_text(begin + "exp(X) * 3\n");
    const ContentPtr content = shared(with_state(right, wrong.program()));
    Proofs proofs;
    QSignalSpy changed(&proofs, &Proofs::proof_changed);
    proofs.prove(content);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *content); }, kProofPatience));
    EXPECT_EQ(proofs.proof(content->history.state(0).program).verdict, Verdict::Proven);
    const Proof proof = proofs.proof(content->history.state(1).program);
    EXPECT_EQ(proof.verdict, Verdict::Wrong);
    EXPECT_TRUE(proof.detail.contains("Output Y differs")) << proof.detail.toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return changed.count() > 0; }, kProofPatience));
}

// A program that no reader takes: what cannot be evaluated is not called too large.
TEST(Proofs, AStateSaysWhyItCannotBeEvaluated) {
    BlockProgram program{{{"M", 8, 4, DimKind::Blocked}}, nullptr, 0};
    IdSource ids(1);
    Builder builder(program.dims, ids);
    const Type vector = Type(Item::vector(DimId{0}), ElemType::F32).list_over(DimId{0});
    builder.output(builder.input(vector, {"C", false, InputSource::CausalMask}), "Y");
    program.graph = builder.finish();
    program.next_id = ids.next();
    const ContentPtr content = shared(content_of_blocks(program, "mask"));
    Proofs proofs;
    proofs.prove(content);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *content); }, kProofPatience));
    const Proof proof = proofs.proof(content->program());
    EXPECT_EQ(proof.verdict, Verdict::Undecided);
    EXPECT_TRUE(proof.detail.contains("a causal mask has two axes")) << proof.detail.toStdString();
}

TEST(Proofs, ResultsAreOfTheirInitialProgram) {
    Proofs proofs;
    const ContentPtr first = shared(prepared(sample_content("softmax")));
    proofs.prove(first);
    const ContentPtr second = shared(prepared(sample_content("attention")));
    proofs.prove(second);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *second); }, kProofPatience));
    EXPECT_EQ(proofs.proof(first->program()).verdict, Verdict::Waiting);
    EXPECT_EQ(proofs.proof(second->program()).verdict, Verdict::Proven);
}

// Products of 7,776 matrices, one after the other: its proof would take an hour.
std::string long_proof() {
    constexpr int kProducts = 1000;
    std::string text = "dim M = 8 / 4\ndim K = 8 / 4\ndim N = 8 / 4\n";
    for (int i = 1; i <= 5; ++i) text += "batch B" + std::to_string(i) + " = 6\n";
    text += "input X0[B1, B2, B3, B4, B5, M, K], V[K, N], W[N, K]\n";
    for (int i = 1; i <= kProducts; ++i)
        text += "X" + std::to_string(i) + " = X" + std::to_string(i - 1) + " @ " + (i % 2 ? "V" : "W") + "\n";
    return text + "output Y = X" + std::to_string(kProducts) + "\n";
}

// What is cancelled stays so until it is asked for.
TEST(Proofs, CancelEndsTheProofThatRunsAndLeavesTheRestUnproven) {
    const ContentPtr content = shared(content_of_text(long_proof()));
    const auto verdict = [&](const Proofs& proofs) { return proofs.proof(content->program()).verdict; };
    auto proofs = std::make_unique<Proofs>();
    QSignalSpy slow(&proofs->work(), &Work::slow);
    QSignalSpy changed(proofs.get(), &Proofs::proof_changed);
    proofs->prove(content);
    ASSERT_TRUE(QTest::qWaitFor([&] { return slow.count() > 0; }, kProofPatience));
    EXPECT_EQ(slow[0][0].toString(), "Proving the states");
    proofs->cancel();
    EXPECT_FALSE(proofs->work().busy());
    EXPECT_EQ(verdict(*proofs), Verdict::Cancelled);
    EXPECT_EQ(changed.count(), 1);
    proofs->prove(content);
    EXPECT_FALSE(proofs->work().busy()) << "not asked for again";
    proofs->prove_again(content);
    EXPECT_EQ(verdict(*proofs), Verdict::Waiting);
    EXPECT_TRUE(proofs->work().busy());
    proofs.reset();  // waits for both jobs: it would not come back if they went on
}

TEST(Proofs, ProvesWhatCameWhenTheLastWasDone) {
    const ContentPtr all = shared(prepared(sample_content("softmax")));
    Content part = *all;
    part.history = History(all->history.state(0).program);
    part.current = 0;
    Proofs proofs;
    for (int i = 0; i < 20; ++i) {
        proofs.prove(shared(part));
        proofs.prove(all);
        ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *all); }, kProofPatience));
        proofs.prove(nullptr);
        EXPECT_EQ(proofs.proof(all->program()).verdict, Verdict::Waiting);
    }
}

TEST(Proofs, DestroyedWhileBusy) {
    const ContentPtr content = shared(prepared(sample_content("decoder-block")));
    for (int i = 0; i < 5; ++i) {
        Proofs proofs;
        proofs.prove(content);
        QTest::qSleep(i);
    }
    QCoreApplication::processEvents();
}

}  // namespace
}  // namespace blockscope::test
