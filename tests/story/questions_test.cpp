// Questions about the next step: the right choice is what the step does, and no other choice is.
#include "core/story/questions.h"

#include <gmock/gmock.h>

#include <set>

#include "core/cost/models/model.h"
#include "tests/story/stories.h"

namespace blockscope::test {
namespace {

Text right_of(const Question& question) {
    return question.choices[static_cast<std::size_t>(question.right)];
}

TEST(Questions, OfAttention) {
    const RunStory story = story_of("attention");
    const std::vector<Question> first = questions_about(story, 2);
    ASSERT_EQ(first.size(), 1U) << "step 2 changes no bytes";
    EXPECT_EQ(first[0].kind, Question::Kind::Rule);
    EXPECT_EQ(right_of(first[0]), "fuse loops");
    const std::vector<Question> last = questions_about(story, 17);
    ASSERT_GE(last.size(), 2U);
    EXPECT_EQ(last.back().kind, Question::Kind::Rule);
}

class EveryQuestion : public testing::TestWithParam<std::string> {};

TEST_P(EveryQuestion, HasOneRightChoice) {
    const RunStory story = story_of(GetParam());
    for (int step = 1; step <= story.steps(); ++step) {
        const StepStory told = story.step(step);
        const std::vector<Question> questions = questions_about(story, step);
        const bool bytes = told.claims.bytes_before != told.claims.bytes_after;
        for (const Question& question : questions) {
            EXPECT_EQ(question.step, step);
            EXPECT_GE(question.choices.size(), 2U);
            EXPECT_LE(question.choices.size(), 4U);
            std::set<std::string> different;
            for (const Text& choice : question.choices) different.insert(choice.str());
            EXPECT_EQ(different.size(), question.choices.size()) << "no choice twice";
            const auto right = static_cast<std::size_t>(question.right);
            if (question.kind == Question::Kind::Bytes) {
                EXPECT_TRUE(bytes);
                EXPECT_EQ(right_of(question), bytes_text_of(static_cast<double>(told.claims.bytes_after)));
            }
            if (question.kind != Question::Kind::Edge) continue;
            const std::set<ValueKey> vanishing(question.vanishing.begin(), question.vanishing.end());
            const std::set<ValueKey> red_before = story.names(step - 1).buffered();
            const std::set<ValueKey> red_after = story.names(step).buffered();
            for (std::size_t i = 0; i < question.values.size(); ++i) {
                EXPECT_TRUE(red_before.count(question.values[i])) << question.choices[i].str();
                EXPECT_EQ(vanishing.count(question.values[i]) > 0, i == right) << question.choices[i].str();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, EveryQuestion,
                         testing::Values("attention", "softmax", "gemm-relu", "layernorm-matmul",
                                         "rmsnorm-swiglu"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

}  // namespace
}  // namespace blockscope::test
