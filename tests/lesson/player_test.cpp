// The player: answers of all kinds, wrong turns, hints, "show me", leaving and coming back.
#include "core/lesson/player.h"

#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::HasSubstr;
using Kind = Reply::Kind;

class Player : public testing::Test {
protected:
    // Begins a lesson with one task.
    void begin(const std::string& body) {
        player_.emplace(lesson_of(body), sample_sources());
        learner_ = beginner(*player_);
    }
    Reply answer(const Answer& answer) { return player_->answer(answer, learner_).value(); }
    void act(const std::string& actions) { learner_ = done(learner_, actions, *player_); }
    Reply watch() { return player_->watch(learner_).value(); }

    std::optional<LessonPlayer> player_;
    Learner learner_;
};

TEST_F(Player, TakesNumbersWithAndWithoutUnits) {
    const std::string body =
        "```ask\nHow much?\nanswer: traffic(last) in kB within 2%\nwrong: traffic(0) in kB -> That is "
        "before.\n"
        "wrong: 7 -> Seven?\nright: Yes, {traffic(last)}.\n```\n";
    for (const char* typed : {"0.224", "0.224 kB", "224 B", "0.1 + 0.124", "0.226"}) {
        begin(body);
        EXPECT_EQ(answer(typed).kind, Kind::Right) << typed;
        EXPECT_TRUE(player_->done());
    }
    begin(body);
    EXPECT_EQ(answer("0.736").text, "That is before.");
    EXPECT_EQ(answer("736 B").text, "That is before.");
    EXPECT_EQ(answer("7").text, "Seven?");
    EXPECT_EQ(answer("300 us").kind, Kind::Wrong) << "another unit";
    EXPECT_EQ(answer("much").kind, Kind::NotUnderstood);
    EXPECT_EQ(answer(0).kind, Kind::NotUnderstood) << "a choice where there is none";
    EXPECT_FALSE(player_->done());
    EXPECT_EQ(answer("0.224").text, "Yes, 224 B.");
    EXPECT_EQ(player_->task()->tries, 5);
    EXPECT_EQ(player_->task()->answer, "0.224");
}

TEST_F(Player, TakesPercent) {
    begin("```ask\nWhich share?\nanswer: traffic(last) / traffic(0) in % within 1\n```\n");
    EXPECT_EQ(answer("70").kind, Kind::Wrong);
    EXPECT_EQ(answer("30.4%").kind, Kind::Right);
    begin("```ask\nWhich share?\nanswer: traffic(last) / traffic(0) in % within 1\n```\n");
    EXPECT_EQ(answer("30").kind, Kind::Right);
}

TEST_F(Player, WantsCountsExactly) {
    begin("```ask\nHow many?\nanswer: buffered(0)\nwrong: other -> Count again.\n```\n");
    EXPECT_EQ(answer("4.01").text, "Count again.");
    EXPECT_EQ(answer("4").kind, Kind::Right);
}

TEST_F(Player, TakesChoicesThatFollowFromTheProgram) {
    begin(
        "```ask\nLess?\n- [if traffic(last) < traffic(0)] Yes -> Right, {traffic(last)}.\n"
        "- [ ] No -> Look again.\n```\n");
    EXPECT_EQ(answer(1).text, "Look again.");
    EXPECT_EQ(answer(5).kind, Kind::NotUnderstood);
    EXPECT_EQ(answer(0).text, "Right, 224 B.");
}

TEST_F(Player, RevealsAfterAPrediction) {
    begin("```predict\nWhich rule?\nrule: step 2\nwrong: 1 -> Not yet.\nreveal: step 2\n```\n");
    const Reply reply = answer(RuleId{1, 0});
    EXPECT_EQ(reply.kind, Kind::Revealed);
    EXPECT_THAT(reply.text, HasSubstr("Not yet. It is rule 3"));
    ASSERT_EQ(reply.actions.size(), 1U);
    EXPECT_EQ(reply.actions[0].text, "step 2");
    EXPECT_TRUE(player_->done());
    EXPECT_FALSE(player_->task()->right);
    // The explanation is for those who were wrong, too.
    begin("```predict\nWhich rule?\nrule: step 2\nright: It joins loop and sum.\nreveal: step 2\n```\n");
    EXPECT_THAT(answer(RuleId{1, 0}).text, testing::EndsWith("It joins loop and sum."));
    begin("```predict\nWhich rule?\nrule: step 2\nreveal: step 2\n```\n");
    EXPECT_EQ(answer(RuleId{3, 0}).kind, Kind::Right);
    EXPECT_TRUE(player_->task()->right);
}

TEST_F(Player, TakesTheEdgeThatVanishes) {
    begin("```predict\nWhich edge?\nedge: step 3\nreveal: step 3\n```\n");
    const Step& step = player_->programs().find("tiny.bp").value()->run.steps[2];
    const std::vector<Arrow> arrows = vanishing_arrows(step);
    ASSERT_EQ(arrows.size(), 1U);
    EXPECT_EQ(arrows[0].from, step.match.roles[0].node);
    EXPECT_EQ(LessonPlayer(*player_).answer(Arrow{arrows[0].to, arrows[0].from}, learner_)->kind,
              Kind::Revealed);
    // In the picture's words: it shows no ids.
    EXPECT_THAT(LessonPlayer(*player_).answer(Arrow{arrows[0].to, arrows[0].from}, learner_)->text,
                testing::Not(HasSubstr("from n")));
    EXPECT_EQ(answer(arrows[0]).kind, Kind::Right);
}

constexpr const char* kFuse =
    "```do\nFuse.\nuntil: applied(1) >= 1\nwrong: applied(3) > 0 -> Too early.\nshow-me: apply 1 at top\n"
    "right: {kernels(now)} kernel.\n```\n";

TEST_F(Player, WaitsForAStateHoweverItIsReached) {
    for (const char* way : {"step 1", "apply 1", "last", "apply 3; apply 1 at top"}) {
        begin(kFuse);
        EXPECT_EQ(watch().kind, Kind::Nothing);
        act(way);
        EXPECT_EQ(watch().kind, Kind::Right) << way;
        EXPECT_TRUE(player_->task()->right);
    }
}

TEST_F(Player, SaysAWrongTurnOnce) {
    begin(kFuse);
    act("apply 3");
    EXPECT_EQ(watch().text, "Too early.");
    EXPECT_EQ(watch().kind, Kind::Nothing);
    act("step 0");
    EXPECT_EQ(watch().kind, Kind::Nothing);
    act("apply 3");
    EXPECT_EQ(watch().text, "Too early.");
    EXPECT_EQ(player_->task()->tries, 2);
}

TEST_F(Player, SaysThatAnotherProgramIsOpen) {
    begin(kFuse);
    act("open softmax.bp");
    const Reply reply = watch();
    EXPECT_EQ(reply.kind, Kind::Elsewhere);
    ASSERT_EQ(reply.actions.size(), 1U);
    EXPECT_EQ(reply.actions[0].words, std::vector<std::string>{"tiny.bp"});
}

TEST_F(Player, ShowsHowItIsDone) {
    begin(kFuse);
    const Reply reply = player_->show_me(learner_).value();
    learner_ = after(learner_, reply.actions, player_->programs()).value();
    EXPECT_EQ(watch().text, "1 kernel.");
    EXPECT_TRUE(player_->task()->shown);
    EXPECT_FALSE(player_->task()->right) << "the learner has not done it";
    begin("```ask\nHow many?\nanswer: steps\nright: Three.\n```\n");
    EXPECT_EQ(player_->show_me(learner_)->text, "The answer: 3. Three.");
    EXPECT_TRUE(player_->done());
}

TEST_F(Player, GivesHintsOneByOne) {
    begin("```ask\nHow many?\nanswer: steps\nhint: One.\nhint: Two, {steps}.\n```\n");
    EXPECT_EQ(player_->hint(learner_).value(), "One.");
    EXPECT_EQ(player_->hint(learner_).value(), "Two, 3.");
    EXPECT_FALSE(player_->has_hint());
    EXPECT_EQ(player_->hint(learner_).value(), "");
    EXPECT_EQ(player_->task()->hints, 2);
}

TEST_F(Player, NeverLocksAndComesBack) {
    begin("A.\n---\n" + std::string(kFuse) + "B.\n---\nC {steps}.\n");
    EXPECT_TRUE(player_->done()) << "nothing to do here";
    player_->forward();
    EXPECT_FALSE(player_->done());
    player_->go(100);
    EXPECT_TRUE(player_->at_end());
    EXPECT_EQ(player_->text(learner_).value(), "C 3.");
    player_->back();
    player_->back();
    act("apply 1");
    EXPECT_EQ(watch().kind, Kind::Right);

    LessonPlayer again(lesson_of("A.\n---\n" + std::string(kFuse) + "B.\n"), {});
    again.resume(player_->progress());
    EXPECT_EQ(again.at(), 1);
    EXPECT_TRUE(again.done());
    player_->go(-5);
    EXPECT_EQ(player_->at(), 0);
}

// Whoever comes back, or leaves parts out, finds what a part builds on.
TEST_F(Player, SetsUpAPartAsIfAllBeforeItWasDone) {
    begin("A.\n---\n" + std::string(kFuse) + "B.\n\n```show\nsafe on\n```\n---\nC.\n\n```show\nlast\n```\n");
    const auto at = [&](int part) { return learner_at(*player_, part, "a100-sxm-80gb").value(); };
    EXPECT_EQ(at(0).step, 0);
    EXPECT_EQ(at(0).device, "a100-sxm-80gb");
    EXPECT_EQ(at(1).step, 0) << "its own task is not done";
    EXPECT_FALSE(at(1).safe);
    EXPECT_EQ(at(2).step, 1);
    EXPECT_TRUE(at(2).safe) << "with what it shows";
    EXPECT_EQ(at(3).step, 3);
    EXPECT_EQ(at(100).step, 3);
    EXPECT_EQ(learner_at(*player_, 1, "h100-sxm5", true).value().step, 1) << "with its own task";
}

}  // namespace
}  // namespace blockscope::lesson::test
