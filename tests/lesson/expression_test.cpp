// Expressions of lessons: what they are worth for a small program, and what is said of those that are wrong.
#include <set>

#include "core/lesson/lesson.h"

#include "core/lesson/facts.h"
#include "core/story/program_names.h"
#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::HasSubstr;

class Expressions : public testing::Test {
protected:
    std::string worth(const std::string& text) {
        const Result<Expression> expression = read_condition(text, {"e", 1, 1, {}});
        if (!expression) return to_string(expression.problems().front());
        const Result<Value> value = evaluate(*expression, {player_.programs(), "tiny.bp", learner_});
        return value ? to_text(*value) : to_string(value.problems().front());
    }

    LessonPlayer player_{lesson_of("Text.\n"), {}};
    Learner learner_ = beginner(player_);
};

TEST_F(Expressions, AreValuesOfTheProgram) {
    EXPECT_EQ(worth("size(M)"), "8");
    EXPECT_EQ(worth("blocks(M) * blocks(N)"), "4");
    EXPECT_EQ(worth("block(N)"), "3");
    EXPECT_EQ(worth("steps"), "3");
    EXPECT_EQ(worth("buffered(0)"), "4");
    EXPECT_EQ(worth("buffered(last)"), "2");
    EXPECT_EQ(worth("kernels(step 0)"), "2");
    EXPECT_EQ(worth("traffic(last)"), "224 B");
    EXPECT_EQ(worth("traffic(snapshot 1)"), "224 B");
    EXPECT_EQ(worth("traffic(best) == traffic(last)"), "yes");
    EXPECT_EQ(worth("least(0)"), "224 B");
    EXPECT_EQ(worth("bytes(\"X\")"), "192 B");
    EXPECT_EQ(worth("moved(\"X\", last)"), "192 B");
    EXPECT_EQ(worth("rule(step 2)"), "rule 3 (" + rule(RuleId{3, 0}).name.str() + ")");
    EXPECT_EQ(worth("matches(1, 0)"), "1");
    EXPECT_EQ(worth("exponentials(last)"), "1");
    EXPECT_EQ(worth("time(0, \"l4\") > time(last, \"l4\")"), "yes");
}

TEST_F(Expressions, ComputeAndCompare) {
    EXPECT_EQ(worth("1 + 2 * 3 - 4 / 2"), "5");
    EXPECT_EQ(worth("-(2 - 5)"), "3");
    EXPECT_EQ(worth("10 - 3 - 2"), "5");
    EXPECT_EQ(worth("1.5 kB + 500 B"), "2.00 kB");
    EXPECT_EQ(worth("200 MB / 100 MB"), "2");
    EXPECT_EQ(worth("1 < 2 and not 3 < 2"), "yes");
    EXPECT_EQ(worth("2 < 1 or 1 != 1"), "no");
    EXPECT_EQ(worth("50% * 8"), "4");
}

TEST_F(Expressions, FollowTheLearner) {
    EXPECT_EQ(worth("step"), "0");
    EXPECT_EQ(worth("applied(1)"), "0");
    learner_ = done(learner_, "apply 1 at top; apply 3", player_);
    EXPECT_EQ(worth("step"), "2");
    EXPECT_EQ(worth("applied(1)"), "1");
    EXPECT_EQ(worth("applied(1, \"M\")"), "0");
    EXPECT_EQ(worth("applied(3, M)"), "1");
    EXPECT_EQ(worth("traffic == traffic(2)"), "yes");
    EXPECT_EQ(worth("selected(\"exp\")"), "no");
    learner_ = done(learner_, "select exp; device l4; safe on; measure", player_);
    EXPECT_EQ(worth("selected(\"exp\") and device(\"l4\") and safe and measured"), "yes");
    EXPECT_EQ(worth("measured_time > 0 s"), "yes");
    learner_ = done(learner_, "select M-map", player_);
    EXPECT_EQ(worth("selected(\"M-map\") and not selected(\"exp\")"), "yes");
    EXPECT_EQ(worth("selected(\"value exp\")"), "no");
    learner_ = done(learner_, "select value exp", player_);
    EXPECT_EQ(worth("selected(\"value exp\") and not selected(\"exp\")"), "yes");
    EXPECT_EQ(worth("selected(\"value row_sum\")"), "no");
    // Further out the same value is what a map hands on: at first, before loops are joined.
    Learner first = learner_;
    first.step = 0;
    const ProgramPtr program = first.trace.state(0);
    std::vector<std::string> handed_on;
    for (const NodePtr& node : program->graph->nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        std::swap(first, learner_);
        learner_.value = ValueRef{node->id, 0};
        if (worth("selected(\"value exp\")") == "yes") handed_on.push_back(to_string(node->id));
        std::swap(first, learner_);
    }
    EXPECT_THAT(handed_on, testing::SizeIs(1));
    EXPECT_THAT(worth("selected(\"value M-map\")"), testing::HasSubstr("'M-map' is a map"));
    EXPECT_EQ(worth("opened(\"tiny.bp\")"), "yes");
    learner_ = done(learner_, "size N = 6 / 6", player_);
    EXPECT_EQ(worth("blocks(N)"), "1");
    EXPECT_EQ(worth("measured"), "no") << "of another state";
}

TEST_F(Expressions, NameStatesInTheWordsOfAllCommands) {
    EXPECT_EQ(worth("traffic(last snapshot)"), worth("traffic(snapshot 1)"));
    EXPECT_EQ(worth("traffic(last step)"), worth("traffic(last)"));
    EXPECT_EQ(worth("traffic(snapshot 0)"), worth("traffic(step 0)"));
    EXPECT_EQ(worth("traffic(best) <= traffic(fastest)"), "yes");
    EXPECT_THAT(worth("traffic(Branch 2: last)"), HasSubstr("there is no branch 'Branch 2'"));
}

TEST_F(Expressions, SayWhatIsWrongAndWhere) {
    EXPECT_EQ(worth("trafic(0)"), "e:1:1: there is no value 'trafic'. Did you mean traffic?");
    EXPECT_EQ(worth("1 + trafic"), "e:1:5: there is no value 'trafic'. Did you mean traffic?");
    EXPECT_EQ(worth("traffic(step 9)"),
              "e:1:9: there is no step 9; the run takes 3 steps, and step 0 is the initial block program");
    EXPECT_EQ(worth("traffic(snapshot 2)"),
              "e:1:9: there is no snapshot 2; the run has 1, counted from 1, and 0 is the unfused program");
    EXPECT_THAT(worth("traffic(bst)"), HasSubstr("e:1:9: there is no state 'bst'. Did you mean best?"));
    EXPECT_THAT(worth("applied(\"Fuse Consecutive Map\")"),
                HasSubstr("e:1:9: there is no rule 'Fuse Consecutive Map'. Did you mean " +
                          rule(RuleId{1, 0}).name.str()));
    EXPECT_EQ(worth("applied(15)"), "e:1:9: there is no rule '15'");
    EXPECT_THAT(worth("device(\"h100-sxm6\")"), HasSubstr("Did you mean h100-sxm5?"));
    EXPECT_THAT(worth("selected(\"row_sun\")"), HasSubstr("Did you mean row_sum?"));
    EXPECT_EQ(worth("blocks(K)"), "e:1:8: there is no dimension 'K'");
    EXPECT_EQ(worth("bytes(\"Z\")"), "e:1:7: there is no array 'Z'");
    EXPECT_EQ(worth("traffic < 5"), "e:1:9: the left side is bytes, the right side a number");
    EXPECT_EQ(worth("traffic(0"), "e:1:9: expected ')'");
    EXPECT_EQ(worth("blocks"), "e:1:1: 'blocks' needs 1 argument in brackets");
    EXPECT_EQ(worth("step(1)"), "e:1:6: 'step' takes no arguments");
    EXPECT_EQ(worth("1 +"), "e:1:4: expected a number or a value");
    EXPECT_EQ(worth("1 / 0"), "e:1:3: '1 / 0' is no finite number here");
    EXPECT_EQ(worth("1 2"), "e:1:3: '2' is not expected here");
    EXPECT_EQ(worth(std::string(100, '(') + "1"), "e:1:41: the expression is nested too deeply");
}

TEST(ExpressionText, SaysNumbersForPeople) {
    EXPECT_EQ(to_text({471e6, Unit::Bytes}), "471 MB");
    EXPECT_EQ(to_text({471e6, Unit::Bytes}, find_unit("GB")), "0.471 GB");
    EXPECT_EQ(to_text({0.853, Unit::Number}, find_unit("%")), "85.3%");
    EXPECT_EQ(to_text({8.67e9, Unit::Operations}), "8.67 billion");
    EXPECT_EQ(to_text({4096, Unit::Number}), "4096");
    EXPECT_EQ(to_text({131072, Unit::Number}), "131,072");
    EXPECT_EQ(to_text({-10000, Unit::Number}), "-10,000");
    EXPECT_EQ(to_text({6.8123, Unit::Number}), "6.81");
    EXPECT_EQ(find_unit("mb"), nullptr);
}

// Every function is named once and can be read.
TEST(Functions, AreATable) {
    std::set<std::string_view> names;
    for (const Function& row : functions()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_EQ(&function(row.id), &row);
        EXPECT_FALSE(row.meaning.empty());
    }
}

}  // namespace
}  // namespace blockscope::lesson::test
