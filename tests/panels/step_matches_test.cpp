#include <gmock/gmock.h>

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtTest/QTest>
#include <nlohmann/json.hpp>

#include "app/panels/matches.h"
#include "app/shell/progress.h"
#include "app/shell/step_look.h"
#include "tests/cli/runner.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {
namespace {

using Json = nlohmann::json;

struct MatchesTest : testing::Test {
    Desk desk;
    Document& document = desk.document;

    void settle(Matches& panel) {
        ASSERT_TRUE(wait_until([&] { return !panel.finder().searching(); }));
    }
    // What the panel lists, by rule.
    std::map<std::string, int> counts(Matches& panel) {
        std::map<std::string, int> counts;
        const QAbstractItemModel& rows = *panel.list().model();
        for (int row = 0; row < rows.rowCount(); ++row) {
            const QModelIndex group = rows.index(row, 0);
            EXPECT_EQ(group.data(kCountRole).toInt(), rows.rowCount(group));
            counts[group.data(kRuleRole).toString().toStdString()] = rows.rowCount(group);
        }
        return counts;
    }
    QModelIndex index_of(Matches& panel, const Match& match) {
        const auto& lines = panel.finder().report().lines;
        const QAbstractItemModel& rows = *panel.list().model();
        for (int row = 0; row < rows.rowCount(); ++row)
            for (int i = 0; i < rows.rowCount(rows.index(row, 0)); ++i) {
                const QModelIndex index = rows.index(i, 0, rows.index(row, 0));
                if (lines[index.data(kMatchIndexRole).toUInt()].match == match) return index;
            }
        return {};
    }
};

TEST_F(MatchesTest, ListsExactlyWhatTheCommandLineLists) {
    for (const char* name : {"attention", "layernorm-matmul", "decoder-block"}) {
        desk.open(name);
        Matches panel(document);
        panel.show();
        for (const int step : {0, 3, 9}) {
            SCOPED_TRACE(std::string(name) + " at " + std::to_string(step));
            document.go(document.content().history.path(
                document.content().history.branch(1).tip)[static_cast<std::size_t>(step)]);
            settle(panel);
            const Outcome cli = run_cli(
                {"matches", sample(std::string(name) + ".bp"), "--at", std::to_string(step), "--json"});
            std::map<std::string, int> expected;
            for (const Rule& rule : rules()) expected[to_string(rule.id)] = 0;
            const Json said = Json::parse(cli.out);
            for (const Json& match : said["matches"]) ++expected[match["rule"]];
            EXPECT_EQ(counts(panel), expected);
            std::vector<Match> listed;
            for (const MatchLine& line : panel.finder().report().lines) listed.push_back(line.match);
            EXPECT_EQ(listed, all_matches(*document.content().program()));
        }
    }
}

TEST_F(MatchesTest, CancelEndsTheSearchAndTheNextStateIsSearched) {
    desk.open("decoder-block");
    Matches panel(document);
    panel.show();
    ASSERT_TRUE(panel.finder().searching());
    auto* bar = panel.list().findChild<ProgressOverlay*>();
    ASSERT_NE(bar, nullptr);
    bar->findChild<QPushButton*>()->click();
    EXPECT_FALSE(panel.finder().searching());
    EXPECT_EQ(panel.list().model()->rowCount(), 0);
    const auto said = [&] {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().startsWith(QStringLiteral("Cancelled"))) return true;
        return false;
    };
    EXPECT_TRUE(said());
    document.forward();
    EXPECT_TRUE(panel.finder().searching());
    settle(panel);
    EXPECT_FALSE(said());
    EXPECT_EQ(panel.finder().report().lines.size(), all_matches(*document.content().program()).size());
    // Shown again, it looks again for what was given up.
    document.forward();
    panel.finder().cancel();
    panel.hide();
    panel.show();
    EXPECT_TRUE(panel.finder().searching());
    settle(panel);
    EXPECT_FALSE(panel.finder().report().lines.empty());
}

TEST_F(MatchesTest, ASearchThatNobodyWaitsForEnds) {
    desk.open("attention");
    const ProgramPtr program = document.content().program();
    Stop stop;
    EXPECT_FALSE(find_matches(program, stop).lines.empty());
    stop.request_stop();
    EXPECT_THROW(find_matches(program, stop), Stopped);
}

// As views ask for them, at any filter.
TEST_F(MatchesTest, TheRowsAreAModelInOrder) {
    desk.open("decoder-block");
    Matches panel(document);
    panel.show();
    settle(panel);
    const QAbstractItemModelTester tester(panel.list().model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    const int all = panel.list().shown();
    panel.list().set_filter(RuleId{2, 0}, {});
    EXPECT_EQ(panel.list().model()->rowCount(), 1);
    panel.list().set_filter({}, QStringLiteral("exp"));
    EXPECT_GT(panel.list().shown(), 0);
    EXPECT_LT(panel.list().shown(), all);
    document.forward();
    settle(panel);
    const QModelIndex rule = panel.list().model()->index(0, 0);
    const QModelIndex match = panel.list().model()->index(0, 0, rule);
    EXPECT_EQ(match.parent(), rule);
    EXPECT_TRUE(rule.data(Qt::AccessibleTextRole).toString().startsWith(QStringLiteral("Rule ")));
    const MatchLine& line = panel.finder().report().lines[match.data(kMatchIndexRole).toUInt()];
    EXPECT_EQ(match.data().toString(), line.nodes);
    EXPECT_TRUE(match.data(Qt::AccessibleTextRole).toString().startsWith(line.explanation));
    EXPECT_TRUE(match.data(Qt::ToolTipRole).toString().contains(line.explanation.toHtmlEscaped()));
    EXPECT_EQ(match.data(kRuleRole), rule.data(kRuleRole));
    document.close();
    EXPECT_EQ(panel.list().model()->rowCount(), 0);
}

TEST_F(MatchesTest, MarksWhatTheAlgorithmTakesNext) {
    desk.open("attention");
    Matches panel(document);
    panel.show();
    for (int i = 0; i < 10; ++i, document.forward()) {
        settle(panel);
        const Content& content = document.content();
        const StateId next = *content.history.next(content.current, content.branch);
        for (const MatchLine& line : panel.finder().report().lines)
            EXPECT_EQ(line.next, line.match == content.history.state(next).step->match) << i;
    }
}

TEST_F(MatchesTest, PointingGlowsThenPreviewsAndEnterMakesABranch) {
    desk.open("attention");
    Matches panel(document);
    panel.resize(320, 700);
    panel.show();
    settle(panel);
    const std::vector<Match> matches = all_matches(*document.content().program());
    const Match match = matches.back();
    const QModelIndex index = index_of(panel, match);
    ASSERT_TRUE(index.isValid());
    Q_EMIT panel.list().entered(index);
    EXPECT_EQ(document.glow().kind, Glow::Kind::Match);
    EXPECT_EQ(document.glow().nodes, nodes_of(match));
    EXPECT_FALSE(document.preview());
    ASSERT_TRUE(wait_until([&] { return document.preview() == match; }));
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&panel.list(), &leave);
    EXPECT_EQ(document.glow(), Glow{});
    EXPECT_FALSE(document.preview());

    // A step comes before the preview: the list still has the matches of the state before, as its search
    // takes longer than the preview waits.
    Q_EMIT panel.list().entered(index);
    panel.finder().set_active(false);
    document.forward();
    QTest::qWait(400);
    EXPECT_FALSE(document.preview());
    document.back();
    panel.finder().set_active(true);
    settle(panel);

    const std::size_t branches = document.content().history.branches().size();
    panel.list().setCurrentIndex(index_of(panel, match));
    QTest::keyClick(&panel.list(), Qt::Key_Return);
    EXPECT_EQ(document.content().state().step->match, match);
    EXPECT_EQ(document.content().history.branches().size(), branches + 1);
    EXPECT_EQ(document.glow(), Glow{});
    settle(panel);
    EXPECT_EQ(panel.finder().report().program, document.content().program());
}

// What the mouse points at is previewed, and Enter applies that, whatever has the keys, unless it is a field.
TEST_F(MatchesTest, EnterAppliesWhatIsPointedAtFromAnywhere) {
    desk.open("attention");
    QWidget window;
    auto* column = new QVBoxLayout(&window);
    auto* panel = new Matches(document);
    auto* elsewhere = new QWidget;
    auto* field = new QLineEdit;
    elsewhere->setFocusPolicy(Qt::StrongFocus);
    for (QWidget* part : std::initializer_list<QWidget*>{panel, elsewhere, field}) column->addWidget(part);
    window.show();
    window.activateWindow();
    settle(*panel);
    const Match match = all_matches(*document.content().program()).back();
    const auto press_from = [&](QWidget* part) {
        part->setFocus();
        ASSERT_TRUE(wait_until([&] { return part->hasFocus(); }));
        Q_EMIT panel->list().entered(index_of(*panel, match));
        QTest::keyClick(part, Qt::Key_Return);
    };
    press_from(field);
    EXPECT_FALSE(document.content().state().step);
    press_from(elsewhere);
    ASSERT_TRUE(document.content().state().step);
    EXPECT_EQ(document.content().state().step->match, match);
    QTest::keyClick(elsewhere, Qt::Key_Return);
    EXPECT_EQ(document.content().history.depth(document.content().current), 1) << "nothing is pointed at";
}

TEST_F(MatchesTest, ArrowKeysMoveTheGlow) {
    desk.open("attention");
    Matches panel(document);
    panel.resize(320, 700);
    panel.show();
    panel.activateWindow();
    settle(panel);
    panel.list().setFocus();
    ASSERT_TRUE(wait_until([&] { return panel.list().hasFocus(); }));
    const QAbstractItemModel& rows = *panel.list().model();
    panel.list().setCurrentIndex(rows.index(0, 0));
    EXPECT_EQ(document.glow(), Glow{});  // a rule, not a match
    QTest::keyClick(&panel.list(), Qt::Key_Down);
    EXPECT_EQ(document.glow().kind, Glow::Kind::Match);
    const Glow first = document.glow();
    QTest::keyClick(&panel.list(), Qt::Key_Down);
    EXPECT_NE(document.glow(), first);
}

TEST_F(MatchesTest, FiltersByRuleAndText) {
    desk.open("attention");
    Matches panel(document);
    panel.show();
    settle(panel);
    const RuleId rule = panel.finder().report().lines.front().match.rule;
    panel.list().set_filter(rule, {});
    EXPECT_EQ(panel.list().shown(),
              static_cast<int>(all_matches(*document.content().program(), {rule, {}, {}}).size()));
    panel.list().set_filter({}, QStringLiteral("no such text anywhere"));
    EXPECT_EQ(panel.list().shown(), 0);
    panel.list().set_filter({}, panel.finder().report().lines.back().nodes.toUpper());
    EXPECT_GE(panel.list().shown(), 1);
    EXPECT_LT(panel.list().shown(), static_cast<int>(panel.finder().report().lines.size()));
}

TEST_F(MatchesTest, WhySaysWhatTheCommandLineSaysAndLightsTheCulprits) {
    desk.open("attention");
    Matches panel(document);
    panel.resize(320, 700);
    panel.show();
    const NodeList& nodes = document.content().program()->graph->nodes();
    const NodeId a = nodes[3]->id;
    const NodeId b = nodes[5]->id;
    document.select({{a, b}, {}, {}});
    for (const Rule& rule : rules()) {
        const std::string number = to_string(rule.id);
        SCOPED_TRACE(number);
        panel.why().explain(rule.id);
        ASSERT_EQ(panel.why().answers().size(), 1u);
        const WhyAnswer& answer = panel.why().answers().front();
        const Outcome cli =
            run_cli({"why", sample("attention.bp"), number, to_string(a) + "," + to_string(b), "--json"});
        const Json said = Json::parse(cli.out)["answers"][0];
        EXPECT_EQ(said["applies"], !answer.refusal.has_value());
        if (!answer.refusal) continue;
        EXPECT_EQ(said["reason"], answer.refusal->sentence.str());
        Q_EMIT panel.why().list().entered(panel.why().list().model()->index(0, 0));
        EXPECT_EQ(document.glow().kind, Glow::Kind::Culprit);
        EXPECT_EQ(document.glow().nodes, answer.refusal->culprits);
    }
    panel.why().explain({});
    std::size_t rules_answered = 0;
    for (const WhyAnswer& answer : panel.why().answers()) rules_answered += answer.rules.size();
    EXPECT_EQ(rules_answered, rules().size());
}

TEST_F(MatchesTest, WhyNamesSomeOfManyNodes) {
    desk.open("decoder-block");
    Matches panel(document);
    panel.show();
    Spot all;
    for (const NodePtr& node : document.content().program()->graph->nodes()) all.nodes.insert(node->id);
    document.select(all);
    QString said;
    for (const QLabel* label : panel.why().findChildren<QLabel*>())
        if (label->accessibleName() == QStringLiteral("Selected nodes")) said = label->text();
    EXPECT_EQ(said.count(QStringLiteral(", ")), 7) << said.toStdString();
    EXPECT_TRUE(said.endsWith(QStringLiteral(" and %1 more").arg(all.nodes.size() - 8)));
    EXPECT_FALSE(panel.why().answers().empty());
}

TEST_F(MatchesTest, WhyEndsWhenNobodyWaitsForTheAnswer) {
    desk.open("attention");
    const BlockProgram& program = *document.content().program();
    const std::vector<NodeId> nodes{program.graph->nodes()[3]->id};
    int asked = 0, stop_at = 1 << 30;
    const StopSign sign([&] { return ++asked >= stop_at; });
    EXPECT_FALSE(why_answers(program, nodes, {}, sign).empty());
    EXPECT_GE(asked, static_cast<int>(rules().size())) << "at every rule";
    stop_at = std::exchange(asked, 0);
    EXPECT_THROW(why_answers(program, nodes, {}, sign), Stopped);
}

TEST_F(MatchesTest, WhyRefusesNodesOfDifferentLevels) {
    desk.open("attention");
    const BlockProgram& program = *document.content().program();
    NodeId outer, inner;
    for (const NodePtr& node : program.graph->nodes())
        if (const Map* map = node->as<Map>()) {
            outer = node->id;
            inner = map->body->nodes().back()->id;
        }
    const std::vector<WhyAnswer> answers = why_answers(program, {outer, inner}, {});
    ASSERT_EQ(answers.size(), 1u);
    EXPECT_THAT(answers.front().refusal->sentence, testing::HasSubstr("rules see one level"));
}

// Whatever the width, letters shrink until a name is whole; none is cut while letters could be smaller.
TEST(FittedFont, ShowsAllOfALineThatHasRoomInLettersOf11Pixels) {
    QWidget view;
    for (const int pixels : {13, 16, 26}) {
        QFont font = view.font();
        font.setPixelSize(pixels);
        view.setFont(font);
        const QString name = QStringLiteral("1/sqrt(x/DD+1e-06) → row_scale");
        const double whole = QFontMetricsF(scaled_font(view, 1)).horizontalAdvance(name);
        const double least = QFontMetricsF(scaled_font(view, 11.0 / pixels)).horizontalAdvance(name);
        for (double width = least; width <= whole; ++width) {
            const QFont fitted = fitted_font(view, name, width, 1);
            EXPECT_LE(QFontMetricsF(fitted).horizontalAdvance(name), width) << pixels;
            EXPECT_GE(fitted.pixelSize(), 11);
        }
        EXPECT_EQ(fitted_font(view, name, whole, 1).pixelSize(), pixels);
        EXPECT_EQ(fitted_font(view, name, least / 2, 1).pixelSize(), 11);
    }
}

}  // namespace
}  // namespace blockscope::test
