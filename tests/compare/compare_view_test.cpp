#include "app/compare/compare_view.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QMouseEvent>
#include <QTest>

#include "app/costs/cost_table.h"
#include "app/document/document.h"
#include "app/shell/appearance.h"
#include "app/shell/settings.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "tests/export/run.h"
#include "tests/support/decoder_stack.h"
#include "tests/support/wait.h"

namespace blockscope::test {
namespace {

class CompareTest : public testing::Test {
protected:
    CompareTest() {
        document.reset(*run.content, {});
        view.resize(1200, 800);
        view.show();
    }
    void settle() {
        const auto done = [&] {
            return std::all_of(view.panes().begin(), view.panes().end(),
                               [](ComparePane* pane) { return pane->canvas().picture() != nullptr; });
        };
        EXPECT_TRUE(wait_until(done));
        QCoreApplication::processEvents();
        ASSERT_TRUE(done());
    }
    // Where a node is on its canvas.
    static QPointF place(ComparePane& pane, NodeId node) {
        return pane.canvas().box_rect(pane.canvas().picture()->figure.find(node)).center();
    }

    FusedRun run{"attention"};
    Settings settings;
    Appearance appearance{settings};
    Document document;
    CompareView view{document, run.pictures, appearance};
};

// Headings are no smaller than the numbers below them, in panes from before and those that come meanwhile.
TEST_F(CompareTest, APresentationEnlargesTheHeadings) {
    const auto expect_type = [&](int pixels) {
        settle();
        for (const ComparePane* pane : view.panes()) {
            const QList<QLabel*> labels = pane->findChildren<QLabel*>();
            for (const QLabel* label : labels)
                EXPECT_EQ(QFontInfo(label->font()).pixelSize(), pixels) << label->text().toStdString();
            EXPECT_TRUE(labels.front()->font().bold()) << labels.front()->text().toStdString();
        }
    };
    const int usual = appearance.pixels();
    document.compare_with({0});
    expect_type(usual);
    appearance.set_presenting(true, {&view});
    ASSERT_GT(appearance.pixels(), usual);
    expect_type(appearance.pixels());
    document.compare_with({0, 15});
    expect_type(appearance.pixels());
    appearance.set_presenting(false);
    expect_type(usual);
    document.compare_with({0});
    settings.set_theme(ThemeChoice::Dark);
    QTest::qWait(100);  // colours come part by part
    expect_type(usual);
    settings.set_theme(ThemeChoice::Light);
}

TEST_F(CompareTest, ShowsTheComparedStatesAndTheCurrentOneLast) {
    EXPECT_TRUE(view.panes().empty());
    document.compare_with({0, 15});
    settle();
    ASSERT_EQ(view.panes().size(), 3U);
    EXPECT_EQ(view.panes()[0]->state(), 0);
    EXPECT_EQ(view.panes()[1]->state(), 15);
    EXPECT_TRUE(view.panes()[2]->current());
    document.compare_with({});
    EXPECT_TRUE(view.panes().empty());
}

TEST_F(CompareTest, TheMarksThatAreThereAreExplained) {
    document.compare_with({0});
    settle();
    const auto* legend = view.findChild<MarksLegend*>();
    ASSERT_NE(legend, nullptr);
    EXPECT_TRUE(legend->isVisible());
    Signs expected;
    for (const Difference& difference : view.differences()) {
        if (difference.kind == Difference::Kind::Removed) expected.insert(Sign::Removed);
        if (difference.kind == Difference::Kind::Added) expected.insert(Sign::Added);
        if (difference.kind == Difference::Kind::Moved) expected.insert(Sign::Moved);
        if (difference.kind == Difference::Kind::Changed) expected.insert(Sign::Changed);
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(legend->signs(), expected);
    EXPECT_LT(legend->height(), 80) << "a row or two";
    EXPECT_EQ(legend->accessibleDescription().count(QLatin1Char(';')) + 1, static_cast<int>(expected.size()));
}

TEST_F(CompareTest, TheMarksOfEveryPictureAreExplained) {
    document.compare_with({16, 0});  // the current one is marked against the first
    settle();
    Signs expected;
    for (const StateId id : {16, 0})
        for (const Difference& difference :
             diff_states(document.content().history, id, document.content().current))
            expected.insert(difference.kind == Difference::Kind::Removed ? Sign::Removed
                            : difference.kind == Difference::Kind::Added ? Sign::Added
                            : difference.kind == Difference::Kind::Moved ? Sign::Moved
                                                                         : Sign::Changed);
    EXPECT_EQ(view.findChild<MarksLegend*>()->signs(), expected);
    EXPECT_GT(expected.size(), 1U);
}

TEST_F(CompareTest, FourStatesStandSideBySideAndMoveTogether) {
    document.compare_with({0, 8, 15, 16});  // three at most, beside the current one
    settle();
    const std::vector<ComparePane*>& panes = view.panes();
    ASSERT_EQ(panes.size(), 4U);
    EXPECT_EQ(panes[1]->state(), 8);
    EXPECT_EQ(panes[2]->state(), 15);
    EXPECT_TRUE(panes[3]->current());
    for (std::size_t i = 1; i < panes.size(); ++i) {
        EXPECT_GE(panes[i]->x(), panes[i - 1]->geometry().right());
        EXPECT_NEAR(panes[i]->width(), panes[0]->width(), 3);
        EXPECT_GT(panes[i]->canvas().width(), 200);
    }
    // Until the pictures have their places none follows another.
    const auto follows = [&] {
        panes[0]->canvas().set_camera({panes[0]->canvas().camera().center, 0.75});
        return panes[3]->canvas().camera().scale == 0.75;
    };
    for (int waited = 0; waited < 1000 && !follows(); ++waited) QTest::qWait(20);
    for (const std::size_t moved : {0U, 2U}) {
        panes[moved]->canvas().set_camera({panes[moved]->canvas().camera().center, moved == 0 ? 0.5 : 1.0});
        for (ComparePane* pane : panes)
            EXPECT_DOUBLE_EQ(pane->canvas().camera().scale, moved == 0 ? 0.5 : 1.0);
    }
    // With more than two, each is compared with the current one.
    for (std::size_t i = 0; i + 1 < panes.size(); ++i)
        EXPECT_FALSE(panes[i]->canvas().lights().boxes.empty()) << i;
}

TEST_F(CompareTest, AFifthStateIsRefusedWithAReason) {
    document.compare_with({0, 8});
    const auto* chooser = view.findChild<QComboBox*>();
    ASSERT_NE(chooser, nullptr);
    EXPECT_TRUE(chooser->isEnabled());
    document.compare_with({0, 8, 15});
    EXPECT_FALSE(chooser->isEnabled());
    EXPECT_EQ(chooser->currentText(), QStringLiteral("Four at most"));
    EXPECT_NE(chooser->toolTip().indexOf(QStringLiteral("to add another")), -1);
}

// What a heading says is not cut where it can be said in fewer words.
TEST_F(CompareTest, HeadingsOfNarrowPanesAreShortNotCut) {
    view.resize(880, 700);
    document.compare_with({0, 8, 15});
    settle();
    int found = 0;
    for (ComparePane* pane : view.panes())
        for (const QLabel* label : pane->findChildren<QLabel*>()) {
            const auto* line = dynamic_cast<const ElidedLabel*>(label);
            if (line == nullptr) continue;
            ++found;
            EXPECT_FALSE(line->shown().endsWith(QChar(0x2026))) << line->shown().toStdString();
            EXPECT_FALSE(line->text().isEmpty());
        }
    EXPECT_GT(found, 0);
}

// In the types that the costs page counts: what opens there is the number that was clicked.
TEST_F(CompareTest, ANumberOpensWhereItComesFrom) {
    Costs& costs = Costs::of(document);
    document.compare_with({0});
    settle();
    ComparePane& pane = *view.panes()[0];
    std::vector<std::pair<StateId, int>> asked;
    QObject::connect(&costs, &Costs::derivation_asked, &view,
                     [&](StateId state, int column, const CostPlace&) { asked.emplace_back(state, column); });
    const QString shown = pane.numbers().shown();
    const auto click = [&](int x) {
        const QPointF at(x, pane.numbers().height() / 2.0);
        QMouseEvent press(QEvent::MouseButtonPress, at, pane.numbers().mapToGlobal(at), Qt::LeftButton,
                          Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&pane.numbers(), &press);
    };
    const auto click_on = [&](const char* word) {
        const qsizetype end = shown.indexOf(QLatin1String(word)) + 2;
        click(pane.numbers().contentsRect().left() +
              pane.numbers().fontMetrics().horizontalAdvance(shown.left(end)));
    };
    for (const char* word : {"Buffered", "moves", "operations", "launches"}) click_on(word);
    click(pane.numbers().width() - 1);  // beside the text
    EXPECT_EQ(asked, (std::vector<std::pair<StateId, int>>{{0, CostTable::Intermediates},
                                                           {0, CostTable::Moved},
                                                           {0, CostTable::Operations},
                                                           {0, CostTable::Launches}}));
    const QString halves = pane.numbers().text();
    const auto numbers_in = [&](ElemType type) {
        costs.set_type(type);
        EXPECT_TRUE(wait_until([&] { return !costs.busy(); }));
        return pane.numbers().text();
    };
    EXPECT_NE(numbers_in(ElemType::F32), halves);
    EXPECT_EQ(numbers_in(ElemType::BF16), halves) << "as the program declares";
}

// Thousands of nodes are counted on other threads.
TEST_F(CompareTest, CostsThatAreBeingCountedSaySo) {
    Costs& costs = Costs::of(document);
    document.reset(content_of_blocks(to_block_program(decoder_stack(6)).program, "stack"), {});
    document.compare_with({0});
    ASSERT_EQ(view.panes().size(), 1U);
    const ElidedLabel& numbers = view.panes()[0]->numbers();
    ASSERT_TRUE(costs.busy());
    EXPECT_EQ(numbers.text(), costs.missing());
    EXPECT_TRUE(wait_until([&] { return !costs.busy(); }));
    EXPECT_TRUE(numbers.text().contains(QStringLiteral("moves"))) << numbers.text().toStdString();
}

TEST_F(CompareTest, MarksWhatDiffers) {
    document.compare_with({16});
    settle();
    ComparePane& before = *view.panes()[0];
    ComparePane& after = *view.panes()[1];
    const std::vector<Difference> expected = diff_states(run.content->history, 16, run.content->current);
    EXPECT_EQ(view.differences(), expected);
    for (const Difference& difference : expected) {
        for (const NodeId node : difference.before)
            EXPECT_EQ(before.canvas().lights().boxes.count(before.canvas().picture()->figure.find(node)), 1U);
        for (const NodeId node : difference.after)
            EXPECT_EQ(after.canvas().lights().boxes.count(after.canvas().picture()->figure.find(node)), 1U);
    }
}

TEST_F(CompareTest, PanAndZoomKeepCorrespondingNodesBesideEachOther) {
    document.compare_with({3});
    settle();
    ComparePane& before = *view.panes()[0];
    ComparePane& after = *view.panes()[1];
    // An operator that both states have.
    NodeId node;
    for (const Box& box : after.canvas().picture()->figure.boxes)
        if (box.kind == BoxKind::Functional && before.canvas().picture()->figure.find(box.id()) >= 0)
            node = box.id();
    ASSERT_TRUE(node);
    const Picture& picture = *before.canvas().picture();
    const Point center = picture.geometry.boxes[static_cast<std::size_t>(picture.figure.find(node))].center();
    before.canvas().set_camera({center, 1.5});
    EXPECT_DOUBLE_EQ(after.canvas().camera().scale, 1.5);
    EXPECT_NEAR(place(before, node).x(), place(after, node).x(), 2);
    EXPECT_NEAR(place(before, node).y(), place(after, node).y(), 2);
}

TEST_F(CompareTest, PicturesThatAreKnownAlreadyAreFittedToTheirPlace) {
    document.compare_with({0});
    settle();
    document.compare_with({});
    document.compare_with({0});
    settle();
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    const Canvas& canvas = view.panes()[0]->canvas();
    const Rect bounds = canvas.picture()->geometry.bounds;
    EXPECT_GT(bounds.height * canvas.camera().scale, 0.7 * canvas.height());
}

TEST_F(CompareTest, AStateThatIsAddedGetsAsMuchRoomAsTheOthers) {
    document.compare_with({0});
    settle();
    document.compare_with({0, 15});
    settle();
    for (ComparePane* pane : view.panes()) EXPECT_NEAR(pane->width(), view.width() / 3, 8);
}

// All of both, unless their names could not be read then: in that case what differs.
TEST_F(CompareTest, NothingOfNeighbouringStatesIsCutOffThatCouldBeRead) {
    document.go(8);
    document.compare_with({7});
    settle();
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    for (ComparePane* pane : view.panes()) {
        const Rect seen = pane->canvas().visible();
        const Rect& bounds = pane->canvas().picture()->geometry.bounds;
        const bool whole =
            seen.contains({bounds.left(), bounds.top()}) && seen.contains({bounds.right(), bounds.bottom()});
        const bool fits = fitted(bounds, pane->canvas().size(), kFitMost).scale >= kReadableScale;
        EXPECT_TRUE(whole || !fits);
        EXPECT_GE(pane->canvas().camera().scale, kReadableScale - 1e-9);
        const Figure& figure = pane->canvas().picture()->figure;
        const auto lit = pane->canvas().lights().boxes;
        EXPECT_TRUE(std::any_of(lit.begin(), lit.end(), [&](const auto& box) {
            return figure.boxes[static_cast<std::size_t>(box.first)].kind != BoxKind::Frame
                       ? seen.intersects(
                             pane->canvas().picture()->geometry.boxes[static_cast<std::size_t>(box.first)])
                       : true;
        }));
    }
}

// Whatever the states and the room: names are 11 pixels high.
TEST_F(CompareTest, NamesCanBeRead) {
    for (const QSize& size : {QSize(1440, 700), QSize(900, 620), QSize(760, 1000)}) {
        view.resize(size);
        for (const StateId before : {0, 7, 15}) {
            document.compare_with({before});
            settle();
            QTest::qWait(400);  // pictures in the shape of their room
            for (ComparePane* pane : view.panes())
                EXPECT_GE(pane->canvas().camera().scale, kReadableScale - 1e-9)
                    << before << " at " << size.width();
            document.compare_with({});
        }
    }
}

TEST_F(CompareTest, TwoStatesStandAsTheyAreLarger) {
    const auto shown_as = [&](const QSize& size) {
        view.resize(size);
        document.compare_with({});
        document.compare_with({0});
        settle();
        QTest::qWait(400);
        const bool beside = view.panes()[1]->x() > 0;
        return beside ? Qt::Horizontal : Qt::Vertical;
    };
    EXPECT_EQ(shown_as({1000, 900}), Qt::Vertical);
    EXPECT_EQ(shown_as({600, 1600}), Qt::Horizontal);
}

TEST_F(CompareTest, StepsThroughTheDifferencesInACircle) {
    document.compare_with({16});
    settle();
    const int size = static_cast<int>(view.differences().size());
    ASSERT_GT(size, 1);
    for (int i = 0; i < size; ++i) {
        view.next_difference();
        EXPECT_EQ(view.difference(), i);
    }
    view.next_difference();
    EXPECT_EQ(view.difference(), 0);
    view.previous_difference();
    EXPECT_EQ(view.difference(), size - 1);
}

TEST_F(CompareTest, PointingLightsWhatStandsForANodeInTheOtherPictures) {
    document.compare_with({0});
    settle();
    ComparePane& before = *view.panes()[0];
    ComparePane& after = *view.panes()[1];
    const Correspondence pairs = correspond(run.content->history, 0, run.content->current);
    const Figure& there = after.canvas().picture()->figure;
    const Figure& here = before.canvas().picture()->figure;
    for (std::size_t i = 0; i < here.boxes.size(); ++i) {
        const std::vector<NodeId>& others = pairs.forward.at(here.boxes[i].id());
        if (others.empty() || there.find(others.front()) < 0) continue;
        Q_EMIT before.canvas().hovered(static_cast<int>(i), -1);
        const Lights& lights = after.canvas().lights();
        const int box = there.find(others.front());
        const bool marked = lights.boxes.count(box) > 0 && lights.boxes.at(box) == Mark::Selected;
        EXPECT_TRUE(marked || lights.around.count(box) > 0);
    }
}

TEST_F(CompareTest, TheChooserAddsAndThePaneRemoves) {
    document.compare_with({0});
    settle();
    auto* chooser = view.findChild<QComboBox*>();
    ASSERT_NE(chooser, nullptr);
    Q_EMIT chooser->activated(1);
    EXPECT_EQ(document.content().compared.size(), 2U);
    Q_EMIT view.panes()[0]->removed();
    EXPECT_EQ(document.content().compared.size(), 1U);
    EXPECT_EQ(view.panes().size(), 2U);
}

// The pictures that are left get other room then, and must not follow those that are gone.
// The state that is compared may become the current one: then there is room for another.
TEST_F(CompareTest, TheCurrentStateIsNoneOfThoseThatItIsComparedWith) {
    auto* chooser = view.findChild<QComboBox*>();
    document.go(16);
    document.compare_with({15});
    document.go(15);
    settle();
    ASSERT_EQ(view.panes().size(), 1U);
    const auto labels = view.findChildren<QLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->text() == QStringLiteral("The state compared is the current one.");
    }));
    for (int states = 2; states <= 4; ++states) {
        ASSERT_TRUE(chooser->isEnabled()) << states;
        Q_EMIT chooser->activated(1);
        settle();
        ASSERT_EQ(view.panes().size(), static_cast<std::size_t>(states));
        EXPECT_TRUE(view.panes().back()->canvas().hasFocus() || !view.isActiveWindow());
    }
    EXPECT_FALSE(chooser->isEnabled());
}

TEST_F(CompareTest, AStateThatIsGoneIsFollowedByNone) {
    document.home();
    document.compare_with({15, 3});
    document.apply(all_matches(*document.content().program()).back());
    const StateId made = document.content().current;
    const int its_branch = document.content().branch;
    settle();
    document.undo();
    ASSERT_FALSE(document.content().history.has(made));
    ASSERT_EQ(view.panes().size(), 3U);
    EXPECT_TRUE(view.panes().back()->current());
    document.redo();
    document.go(15);
    document.compare_with({0, made});
    settle();
    document.remove_branch(its_branch);
    ASSERT_EQ(view.panes().size(), 2U);
    EXPECT_EQ(view.panes()[0]->state(), 0);
}

TEST_F(CompareTest, TakesThePlaceOfThePictureWhileStatesAreCompared) {
    auto* picture = new QWidget;
    const std::unique_ptr<QWidget> centre(
        picture_or_comparison(picture, document, run.pictures, appearance, nullptr));
    EXPECT_FALSE(picture->isHidden());
    document.compare_with({0});
    EXPECT_TRUE(picture->isHidden());
    document.compare_with({});
    EXPECT_FALSE(picture->isHidden());
}

}  // namespace
}  // namespace blockscope::test
