// Proofs in the background: every state of every sample is proven, a wrong one is found.
#include <gmock/gmock.h>

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "app/document/proofs.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using Verdict = Proof::Verdict;
constexpr int kPatience = 120'000;

ContentPtr shared(Content content) {
    return std::make_shared<const Content>(std::move(content));
}

bool all_done(const Proofs& proofs, const Content& content) {
    for (const auto& [id, state] : content.history.states())
        if (proofs.proof(state->program).verdict == Verdict::Waiting) return false;
    return true;
}

TEST(Proofs, EveryStateOfEverySampleIsProven) {
    Proofs proofs;
    for (const std::string& name : sample_names()) {
        const ContentPtr content = shared(prepared(sample_content(name)));
        proofs.prove(content);
        ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *content); }, kPatience)) << name;
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
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *content); }, kPatience));
    EXPECT_EQ(proofs.proof(content->history.state(0).program).verdict, Verdict::Proven);
    const Proof proof = proofs.proof(content->history.state(1).program);
    EXPECT_EQ(proof.verdict, Verdict::Wrong);
    EXPECT_TRUE(proof.detail.contains("Output Y differs")) << proof.detail.toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return changed.count() > 0; }, kPatience));
}

TEST(Proofs, ResultsAreOfTheirInitialProgram) {
    Proofs proofs;
    const ContentPtr first = shared(prepared(sample_content("softmax")));
    proofs.prove(first);
    const ContentPtr second = shared(prepared(sample_content("attention")));
    proofs.prove(second);
    ASSERT_TRUE(QTest::qWaitFor([&] { return all_done(proofs, *second); }, kPatience));
    EXPECT_EQ(proofs.proof(first->program()).verdict, Verdict::Waiting);
    EXPECT_EQ(proofs.proof(second->program()).verdict, Verdict::Proven);
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
