// What users make of the picture: large programs in parts, blocks put elsewhere, notes, links, arrangements.
#include <gmock/gmock.h>

#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QSpinBox>
#include <QTest>
#include <cstring>

#include "app/panels/timeline.h"
#include "app/shell/caption_bar.h"
#include "app/shell/state_link.h"
#include "app/shell/telling.h"
#include "app/window/docks.h"
#include "app/window/picture_view.h"
#include "app/window/text_dialogs.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

bool at_rest(TestWindow& t) {
    return test::wait_until([&] {
        PictureView& view = t.window.view();
        const auto known = t.window.services().pictures.known(
            t.window.document().snapshot(), t.window.document().content().current, view.shape());
        return known && known == view.picture() && !view.canvas().moving();
    });
}

int clouds(const Figure& figure) {
    return static_cast<int>(std::count_if(figure.boxes.begin(), figure.boxes.end(),
                                          [](const Box& box) { return box.kind == BoxKind::Cloud; }));
}

std::vector<std::string> names(const Figure& figure) {
    std::vector<std::string> all;
    for (const Box& box : figure.boxes)
        if (!box.name.empty()) all.push_back(box.name);
    return all;
}

TEST(NamedParts, ALargeProgramOpensFoldedIntoThem) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("decoder-block"));
    ASSERT_TRUE(at_rest(t));
    const Figure& figure = t.window.view().picture()->figure;
    EXPECT_GT(clouds(figure), 20);
    for (const char* name : {"H", "Q", "K", "S", "P", "A", "R", "H2", "U", "Y"})
        EXPECT_THAT(names(figure), testing::Contains(name));
    for (const Box& box : figure.boxes) EXPECT_EQ(box.label.find("…"), std::string::npos) << box.label;
}

// The step's own result is open, what it was made of is folded, and going back shows the very same.
TEST(NamedParts, StayFoldedFromStepToStep) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("decoder-block"));
    Document& document = t.window.document();
    const Folds first = document.content().folds;
    for (int step = 0; step < 5; ++step) document.forward();
    ASSERT_TRUE(at_rest(t));
    const Figure& figure = t.window.view().picture()->figure;
    EXPECT_GT(clouds(figure), 15);
    const NodeId made = document.content().state().step->made.front().made;
    const int box = figure.find(made);
    ASSERT_GE(box, 0);
    EXPECT_NE(figure.boxes[static_cast<std::size_t>(box)].kind, BoxKind::Cloud);
    for (int step = 0; step < 5; ++step) document.back();
    for (const NodeId node : first) EXPECT_TRUE(document.content().folds.count(node) > 0);
}

TEST(NamedParts, SmallProgramsOpenUnfoldedAndAreNamed) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(at_rest(t));
    const Figure& figure = t.window.view().picture()->figure;
    EXPECT_EQ(clouds(figure), 0);
    for (const char* name : {"S", "P", "O"}) EXPECT_THAT(names(figure), testing::Contains(name));
    t.window.document().end();
    ASSERT_TRUE(at_rest(t));
    EXPECT_THAT(names(t.window.view().picture()->figure), testing::Contains("S, P, O"));
}

TEST(MovedBlocks, StayWhereTheyWerePut) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(at_rest(t));
    Document& document = t.window.document();
    const PicturePtr before = t.window.view().picture();
    const int box = before->figure.roots.front();
    const NodeId node = before->figure.boxes[static_cast<std::size_t>(box)].id();
    document.select({{node}, {}, {}});
    for (int i = 0; i < 3; ++i) t.window.actions().trigger("picture.move_up");
    ASSERT_TRUE(at_rest(t));
    const auto place = [&] {
        const PicturePtr now = t.window.view().picture();
        return now->geometry.boxes[static_cast<std::size_t>(now->figure.find(node))];
    };
    EXPECT_DOUBLE_EQ(place().y, before->geometry.boxes[static_cast<std::size_t>(box)].y - 30);
    document.forward();
    ASSERT_TRUE(at_rest(t));
    Content unmoved = document.content();
    unmoved.moved.clear();
    const PicturePtr laid_out = t.window.services().pictures.now(std::make_shared<const Content>(unmoved),
                                                                 unmoved.current, t.window.view().shape());
    const Rect usual = laid_out->geometry.boxes[static_cast<std::size_t>(laid_out->figure.find(node))];
    EXPECT_DOUBLE_EQ(place().y, usual.y - 30) << "the next step keeps the distance";
    const std::string file = write_document(document.to_save());
    const Result<Content> read = read_document(file, "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->moved, document.content().moved);
    document.undo();
    document.undo();
    EXPECT_TRUE(document.content().moved.empty());
}

TEST(PinnedNotes, StandOnTheirBlocksAndAreSaved) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(at_rest(t));
    Document& document = t.window.document();
    const NodeId node = t.window.view().picture()->figure.boxes.front().id();
    document.pin_note(node, {"the queries\nof all heads", NoteColor::Blue});
    ASSERT_TRUE(at_rest(t));
    EXPECT_TRUE(test::wait_until([&] { return !t.window.view().canvas().lights().notes.empty(); }));
    EXPECT_EQ(t.window.view().canvas().lights().notes.begin()->second,
              (PinnedNote{"the queries", NoteColor::Blue}));
    const Result<Content> read = read_document(write_document(document.to_save()), "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->pinned.at(node), (PinnedNote{"the queries\nof all heads", NoteColor::Blue}));
    document.pin_note(node, {});
    EXPECT_TRUE(document.content().pinned.empty());
}

TEST(NamesOfSteps, AreInTheTimelineTheCaptionAndTheFile) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    Document& document = t.window.document();
    document.forward();
    document.rename_step(document.content().current, QStringLiteral("the first one"));
    const auto* timeline = t.window.findChild<Timeline*>();
    EXPECT_EQ(const_cast<Timeline*>(timeline)->model().cells()[1].name, QStringLiteral("the first one"));
    const auto* bar = t.window.findChild<CaptionBar*>();
    EXPECT_TRUE(bar->head().contains(QStringLiteral("the first one")));
    const Result<Content> read = read_document(write_document(document.to_save()), "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->history.state(1).name, "the first one");
}

struct GroupsOfSteps : testing::Test {
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("attention"));
        ASSERT_TRUE(test::wait_until([&] { return titles().size() == 4; }));
    }
    Document& document() { return t.window.document(); }
    Timeline& timeline() { return *t.window.findChild<Timeline*>(); }
    QStringList titles() {
        QStringList found;
        for (const Chapter& chapter : Telling::of(document()).chapters())
            found << QString::fromStdString(chapter.title.str());
        return found;
    }
    bool has(const char* title, int chapters) {
        return test::wait_until([&] {
            const QStringList now = titles();
            return now.size() == chapters && now.contains(QLatin1String(title)) &&
                   static_cast<int>(timeline().chapters().buttons().size()) == chapters;
        });
    }
    TestWindow t;
};

TEST_F(GroupsOfSteps, AreChaptersThatAreUndoneAndSaved) {
    document().mark_saved();
    document().group_steps(3, 4, QStringLiteral("mine"));
    EXPECT_TRUE(document().has_work()) << "the journal keeps it";
    ASSERT_TRUE(has("mine", 6));
    QToolButton& button = *timeline().chapters().buttons()[1];
    EXPECT_TRUE(button.toolTip().startsWith(QStringLiteral("Steps 3 to 4: mine")));
    EXPECT_TRUE(button.font().italic());
    EXPECT_EQ(button.geometry().right(), timeline().strip().cell_rect(4).right());
    const std::string file = write_document(document().to_save());
    const Result<Content> read = read_document(file, "x");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->groups, document().content().groups);
    EXPECT_EQ(write_document(*read), file);
    document().undo();
    EXPECT_TRUE(has("Line the loops up", 4));
    document().redo();
    // A group takes the steps of those that it overlaps; without a name it is none.
    document().group_steps(4, 8, QStringLiteral("longer"));
    EXPECT_TRUE(has("longer", 4));
    document().group_steps(5, 5, {});
    EXPECT_TRUE(has("Line the loops up", 4));
    EXPECT_TRUE(document().content().groups.empty());
    QString refused;
    QObject::connect(&document(), &Document::failed, [&](const QString& what) { refused = what; });
    document().group_steps(3, 99, QStringLiteral("far"));
    EXPECT_EQ(refused, QStringLiteral("This run has the steps 1 to 17."));
}

TEST_F(GroupsOfSteps, AreSelectedInTheTimelineAndNamedInADialog) {
    TimelineStrip& strip = timeline().strip();
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.cell_rect(2).center());
    EXPECT_FALSE(strip.selected());
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, Qt::ShiftModifier, strip.cell_rect(4).center());
    EXPECT_EQ(strip.selected(), (std::pair{2, 4}));
    QTest::keyClick(&strip, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(strip.selected(), (std::pair{2, 5}));
    t.window.actions().trigger("step.group");
    auto* dialog = t.window.findChild<GroupDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->first().value(), 2);
    EXPECT_EQ(dialog->last().value(), 5);
    QTest::keyClicks(&dialog->name(), QStringLiteral("loops"));
    QTest::keyClick(&dialog->name(), Qt::Key_Return);
    EXPECT_TRUE(has("loops", 6));
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.cell_rect(3).center());
    EXPECT_FALSE(strip.selected());
    GroupDialog again(document(), std::nullopt, nullptr);
    EXPECT_EQ(again.name().text(), QStringLiteral("loops")) << "the group that the step is in";
}

TEST_F(GroupsOfSteps, LeaveWithTheirBranchAndAreReadWithCare) {
    document().go(2);
    document().apply(all_matches(*document().content().program()).back());
    const int branch = document().content().branch;
    ASSERT_NE(branch, 1);
    document().group_steps(3, 3, QStringLiteral("aside"));
    document().group_steps(1, 2, QStringLiteral("both"));
    EXPECT_EQ(groups_of_branch(document().content()).size(), 2U);
    document().go(0, 1);
    ASSERT_EQ(groups_of_branch(document().content()).size(), 1U)
        << "the other branch has the first two steps";
    const std::string file = write_document(document().to_save());
    document().remove_branch(branch);
    ASSERT_EQ(document().content().groups.size(), 1U);
    const auto refused = [&](const char* from, const char* to) {
        std::string broken = file;
        broken.replace(broken.find(from), std::strlen(from), to);
        const Result<Content> read = read_document(broken, "x");
        return read ? std::string() : read.problems().front().message.str();
    };
    EXPECT_THAT(refused("\"name\": \"both\"", "\"name\": \"\""), testing::HasSubstr("a group has a name"));
    EXPECT_THAT(refused("\"first\": 1, \"last\": 2", "\"first\": 2, \"last\": 1"),
                testing::HasSubstr("a group has a name"));
    EXPECT_THAT(refused("\"first\": 1, \"last\": 2", "\"first\": 1, \"last\": 18"),
                testing::HasSubstr("another group"));
}

TEST(Links, OpenTheStateThatTheyName) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    Document& document = t.window.document();
    for (int i = 0; i < 7; ++i) document.forward();
    EXPECT_EQ(link_to(document), QStringLiteral("blockscope attention --step 7"));
    t.window.actions().trigger("edit.copy_link");
    EXPECT_EQ(QApplication::clipboard()->text(), link_to(document));
    TestWindow other;
    other.window.open_link(QStringLiteral("attention"), StateChoice::step(7));
    EXPECT_TRUE(test::wait_until([&] {
        return !other.window.document().empty() && other.window.document().content().history.depth(
                                                       other.window.document().content().current) == 7;
    }));
}

TEST(Links, NameFilesAndBranchesAndQuoteThem) {
    TestWindow t;
    const QString file = t.file("it is.bp", "dim M = 8 / 4\ninput X[M, M]\noutput Y = exp(X)\n");
    t.window.open_file(file);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(link_to(t.window.document()), QStringLiteral("blockscope '%1' --step 0").arg(file));
}

TEST(Arrangements, AreKeptByName) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    auto* docks = t.window.findChild<Docks*>();
    ASSERT_NE(docks, nullptr);
    docks->dock("panel.matches")->hide();
    docks->keep(QStringLiteral("lecture"));
    docks->dock("panel.matches")->show();
    docks->use(QStringLiteral("lecture"));
    EXPECT_TRUE(docks->dock("panel.matches")->isHidden());
    EXPECT_EQ(docks->arrangements(), QStringList{QStringLiteral("lecture")});
    docks->forget(QStringLiteral("lecture"));
    EXPECT_TRUE(docks->arrangements().isEmpty());
}

TEST(OtherOrders, ThatReachTheSameProgramAreSaid) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    Document& document = t.window.document();
    const int last =
        document.content().history.depth(document.content().history.branch(document.content().branch).tip);
    const std::vector<Match> first = all_matches(*document.content().program());
    ASSERT_GT(first.size(), 1U);
    document.apply(first.back());
    document.run_from_here();
    document.end();
    const auto* bar = t.window.findChild<CaptionBar*>();
    EXPECT_TRUE(test::wait_until([&] {
        return bar->accessibleDescription().contains(
            QStringLiteral("the same program as step %1 of Algorithm").arg(last));
    }));
    EXPECT_TRUE(bar->head().contains(QStringLiteral("step %1 of Algorithm").arg(last)))
        << "in a narrow window, too: " << bar->head().toStdString();
    t.window.actions().trigger("step.algorithm");
    EXPECT_EQ(document.content().branch, document.content().history.branches().front().id);
}

}  // namespace
}  // namespace blockscope
