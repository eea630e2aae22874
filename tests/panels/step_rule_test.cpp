#include <gmock/gmock.h>

#include <QLabel>

#include "app/panels/rule_card.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {
namespace {

struct RuleCardTest : testing::Test {
    Desk desk;
    Document& document = desk.document;
};

TEST_F(RuleCardTest, ShowsTheRuleOfTheStepOrTheChosenOne) {
    desk.open("attention");
    RuleCard card(document, desk.pictures);
    card.show();
    EXPECT_TRUE(card.step_text().isEmpty());
    document.forward();
    const Step& step = *document.content().state().step;
    EXPECT_EQ(card.shown(), step.match.rule);
    EXPECT_EQ(card.step_text().toStdString(), step.explanation);
    // It is called what the cells of the timeline call it; the paper's name stands where the paper is cited.
    std::vector<std::string> texts;
    for (const QLabel* label : card.findChildren<QLabel*>()) texts.push_back(label->text().toStdString());
    EXPECT_THAT(texts, testing::IsSupersetOf({"Rule 1", "fuse loops"}));
    EXPECT_THAT(texts, testing::Contains("Blockbuster, section 3.1, Rule 1: Fuse Consecutive Maps"));
    card.choose(RuleId{7, 'b'});
    EXPECT_EQ(card.shown(), (RuleId{7, 'b'}));
    EXPECT_TRUE(card.step_text().isEmpty());
    document.forward();
    EXPECT_EQ(card.shown(), (RuleId{7, 'b'}));
    card.choose({});
    EXPECT_EQ(card.shown(), document.content().state().step->match.rule);
}

TEST_F(RuleCardTest, AHiddenCardWaitsUntilItIsShown) {
    desk.open("attention");
    RuleCard card(document, desk.pictures);
    document.forward();
    EXPECT_TRUE(card.step_text().isEmpty());
    card.show();
    EXPECT_EQ(card.step_text().toStdString(), document.content().state().step->explanation);
    card.hide();
    document.back();
    EXPECT_FALSE(card.step_text().isEmpty());
    card.show();
    EXPECT_TRUE(card.step_text().isEmpty());
}

TEST_F(RuleCardTest, TurnsThroughAllRules) {
    RuleCard card(document, desk.pictures);
    card.show();
    card.choose(rules().front().id);
    for (std::size_t i = 1; i <= rules().size(); ++i) {
        card.turn(1);
        EXPECT_EQ(card.shown(), rules()[i % rules().size()].id);
    }
    card.turn(-1);
    EXPECT_EQ(card.shown(), rules().back().id);
}

TEST_F(RuleCardTest, DrawsBothSidesOfEveryRule) {
    RulePicture picture(desk.pictures);
    picture.resize(400, 300);
    for (const Rule& rule : rules()) {
        SCOPED_TRACE(to_string(rule.id));
        picture.show_rule(rule.id);
        EXPECT_FALSE(picture.complete());
        ASSERT_TRUE(wait_until([&] { return picture.complete(); }));
        EXPECT_GT(picture.heightForWidth(400), 60);
    }
}

}  // namespace
}  // namespace blockscope::test
