// Lessons in the window: what a learner does counts whichever way it is done, nothing is locked, and
// everything is kept.
#include "app/lessons/lesson_panel.h"
#include "app/costs/best.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QLabel>
#include <QTest>
#include <QToolButton>

#include "app/lessons/lesson_desk.h"
#include "app/panels/listing_panel.h"
#include "app/panels/matches.h"
#include "app/panels/timeline.h"
#include "app/panels/timeline_rows.h"
#include "app/window/docks.h"
#include "app/window/lesson_cards.h"
#include "app/window/picture_view.h"
#include "app/window/start_page.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;
using test::wait_until;
using testing::HasSubstr;

struct LessonWindowTest : testing::Test {
    LessonDesk& desk() { return t.window.lessons(); }
    Document& document() { return t.window.document(); }
    LessonPanel& panel() { return *t.window.findChild<LessonPanel*>(); }
    const Said& said() { return desk().said(); }
    std::string text() { return desk().said().text.toStdString(); }

    bool ready() {
        return wait_until([&] {
            const Work& work = t.window.services().work;
            return desk().active() && !desk().busy() && !work.busy() && !t.window.on_start_page();
        });
    }
    // At the part of this lesson that begins at this heading, and so many parts later.
    bool begin(const char* name, const char* heading = nullptr, int later = 0) {
        const LessonInfo* lesson = find_lesson(name);
        int part = 0;
        const auto& stops = lesson->lesson->stops;
        while (heading != nullptr && stops[static_cast<std::size_t>(part)].heading != heading) ++part;
        desk().begin(*lesson, part + later);
        return ready();
    }
    int part() { return desk().player().at(); }
    int step() { return document().content().history.depth(document().content().current); }
    bool done() {
        return wait_until([&] { return desk().player().done(); });
    }

    TestWindow t;
};

TEST_F(LessonWindowTest, OpensItsProgramCalmlyAndLeavesTheArrangementAsItWas) {
    ASSERT_TRUE(t.open_sample("softmax"));
    Docks& docks = t.window.docks();
    ASSERT_FALSE(docks.dock("panel.matches")->isHidden());
    ASSERT_TRUE(docks.dock("panel.lesson")->isHidden());
    ASSERT_TRUE(begin("4-flash-attention"));
    EXPECT_EQ(document().content().name, "attention");
    EXPECT_FALSE(docks.dock("panel.lesson")->isHidden());
    EXPECT_TRUE(docks.dock("panel.matches")->isHidden());
    EXPECT_TRUE(docks.dock("panel.listing")->isHidden());
    EXPECT_FALSE(docks.dock("panel.timeline")->isHidden());
    QTest::qWait(50);
    EXPECT_GE(docks.dock("panel.lesson")->width(), 29 * t.appearance.pixels()) << "wide enough to read";
    desk().leave();
    EXPECT_FALSE(docks.dock("panel.matches")->isHidden());
    EXPECT_FALSE(docks.dock("panel.listing")->isHidden());
    EXPECT_TRUE(docks.dock("panel.lesson")->isHidden());
    EXPECT_EQ(document().content().name, "attention") << "the program stays";
}

// A lesson about bytes has its star at the state that moves least, whatever the user has chosen before; that
// comes back, and the settings never hear of the lesson's.
TEST_F(LessonWindowTest, HasTheStarWhereItsTextHasIt) {
    Best& best = Best::of(document());
    ASSERT_EQ(best.objective(), ObjectiveKind::Time);
    ASSERT_TRUE(begin("5-the-wrong-way", "Which state is best?"));
    EXPECT_EQ(best.objective(), ObjectiveKind::Traffic);
    ASSERT_TRUE(wait_until([&] { return best.state() && best.all_states(); }));
    const History& history = document().content().history;
    EXPECT_TRUE(history.state(*best.state()).snapshot) << "the first snapshot, says the lesson";
    EXPECT_EQ(t.settings.value(QStringLiteral("costs/objective")).toString(), QString());
    desk().leave();
    EXPECT_EQ(best.objective(), ObjectiveKind::Time);
}

// Its panel's cross leaves the lesson: unseen it would keep the window to itself. A reset does not squeeze
// it.
TEST_F(LessonWindowTest, ClosingThePanelLeavesTheLesson) {
    ASSERT_TRUE(begin("4-flash-attention"));
    ASSERT_TRUE(t.window.docks().calm());
    t.window.actions().trigger("window.reset");
    EXPECT_TRUE(t.window.docks().calm());
    EXPECT_FALSE(t.window.docks().dock("panel.matches")->isVisible());
    t.window.docks().dock("panel.lesson")->close();
    EXPECT_TRUE(wait_until([&] { return !t.window.lessons().active(); }));
    EXPECT_FALSE(t.window.docks().calm());
    EXPECT_TRUE(t.window.docks().dock("panel.matches")->isVisible());
}

// While a prediction waits, no cell and no chapter of the timeline says what comes.
TEST_F(LessonWindowTest, TheTimelineKeepsTheAnswerToItself) {
    ASSERT_TRUE(begin("4-flash-attention"));
    const auto chapters = [&] {
        int seen = 0;
        for (const QToolButton* chapter : t.window.findChild<ChapterRow*>()->buttons())
            seen += chapter->isVisible() ? 1 : 0;
        return seen;
    };
    ASSERT_TRUE(document().hides_next()) << "the lesson begins with a prediction";
    EXPECT_EQ(chapters(), 0);
    const auto* strip = t.window.findChild<TimelineStrip*>();
    const auto* slider = t.window.findChild<RunSlider*>();
    ASSERT_TRUE(strip && slider);
    const auto said_of_next = [&] { return strip->accessible_cell(step() + 1).toStdString(); };
    EXPECT_THAT(said_of_next(), HasSubstr("which is asked for"));
    EXPECT_EQ(slider->accessibleDescription(), QString()) << "which state is the best";
    t.window.actions().trigger("lesson.show_me");
    ASSERT_TRUE(wait_until([&] { return !document().hides_next(); }));
    EXPECT_TRUE(wait_until([&] { return chapters() > 0; }));
    EXPECT_THAT(said_of_next(), HasSubstr("rule 1"));
    EXPECT_TRUE(wait_until([&] { return !slider->accessibleDescription().isEmpty(); }));
}

TEST_F(LessonWindowTest, ATaskIsDoneHoweverItIsDone) {
    const std::vector<std::function<void()>> ways{
        [&] { document().forward(); },
        [&] { t.window.actions().trigger("step.forward"); },
        [&] { document().apply(document().content().history.state(1).step->match); },
        [&] { document().go(3); },
    };
    for (std::size_t i = 0; i < ways.size(); ++i) {
        SCOPED_TRACE(i);
        if (desk().active()) desk().begin_again();
        ASSERT_TRUE(begin("4-flash-attention", "The loops line up"));
        ASSERT_EQ(step(), 0);
        ASSERT_FALSE(desk().player().done());
        ways[i]();
        ASSERT_TRUE(done());
        EXPECT_EQ(said().tone, Said::Tone::Right);
        EXPECT_THAT(text(), HasSubstr("One kernel less"));
    }
}

TEST_F(LessonWindowTest, AWrongTurnIsNoticed) {
    ASSERT_TRUE(begin("4-flash-attention", "The loops line up"));
    const std::vector<Match> rule3 =
        all_matches(*document().content().program(), {.rule = RuleId{3, 0}, .dim = {}, .path = {}});
    ASSERT_FALSE(rule3.empty());
    document().apply(rule3.front());
    ASSERT_TRUE(wait_until([&] { return said().tone == Said::Tone::Wrong; }));
    EXPECT_THAT(text(), HasSubstr("Rule 3 comes later"));
    EXPECT_EQ(panel().reply().tone(), ReplyBox::Tone::Wrong);
    document().undo();
    document().forward();
    EXPECT_TRUE(done());
}

TEST_F(LessonWindowTest, NumbersAreTypedAndTypicalMistakesAnswered) {
    ASSERT_TRUE(begin("1-why-fuse", "Kernels"));
    ASSERT_NE(panel().answers().number(), nullptr);
    const auto type = [&](const char* number) {
        panel().answers().number()->setText(QString::fromLatin1(number));
        QTest::keyClick(panel().answers().number(), Qt::Key_Return);
    };
    type("nonsense");
    EXPECT_EQ(said().tone, Said::Tone::Note);
    type("2");
    EXPECT_EQ(said().tone, Said::Tone::Wrong);
    EXPECT_THAT(text(), HasSubstr("two lines"));
    EXPECT_TRUE(panel().hint().isVisible());
    panel().hint().click();
    EXPECT_EQ(desk().hints().size(), 1);
    EXPECT_FALSE(panel().hint().isVisible()) << "there is only one";
    type("5");
    EXPECT_EQ(said().tone, Said::Tone::Right);
    EXPECT_TRUE(panel().answers().number()->isReadOnly());
    EXPECT_FALSE(panel().show_me().isVisible());
    EXPECT_EQ(panel().next().text(), QStringLiteral("Next"));
}

TEST_F(LessonWindowTest, ShowMeAnswersAndDoes) {
    ASSERT_TRUE(begin("4-flash-attention", "How to read it"));
    panel().show_me().click();
    ASSERT_TRUE(done());
    EXPECT_EQ(said().tone, Said::Tone::Shown);
    EXPECT_FALSE(document().selection().empty());
    ASSERT_TRUE(begin("4-flash-attention", "The trick"));
    panel().show_me().click();
    ASSERT_TRUE(done());
    EXPECT_THAT(text(), HasSubstr("rule 4"));
    EXPECT_FALSE(desk().player().task()->right) << "it was shown";
}

TEST_F(LessonWindowTest, AnEdgeIsClickedOrChosenFromAList) {
    ASSERT_TRUE(begin("4-flash-attention", "The bytes fall"));
    ASSERT_EQ(step(), 8);
    const Figure figure = make_figure(*document().content().program(), {}, plain_measure);
    const auto thin = std::find_if(figure.edges.begin(), figure.edges.end(),
                                   [](const Edge& edge) { return !edge.buffered; });
    ASSERT_NE(thin, figure.edges.end());
    document().select({{}, thin->value, thin->consumer});
    EXPECT_EQ(said().tone, Said::Tone::Note) << "no try is lost";
    EXPECT_EQ(desk().player().task()->tries, 0);
    const std::vector<EdgeChoice> choices = desk().edge_choices();
    ASSERT_GE(choices.size(), 4U);
    const auto right = lesson::vanishing_arrows(
        **lesson::asked_step(*desk().player().stop().task->expected,
                             {desk().player().programs(), desk().player().stop().program, desk().learner()}));
    ASSERT_EQ(right.size(), 1U);
    const auto same = std::find_if(choices.begin(), choices.end(),
                                   [&](const EdgeChoice& each) { return each.arrow == right.front(); });
    ASSERT_NE(same, choices.end()) << "the right one can be chosen";
    document().select({{}, same->value, same->consumer});
    ASSERT_TRUE(done());
    EXPECT_EQ(said().tone, Said::Tone::Right);
    ASSERT_TRUE(wait_until([&] { return step() == 9; })) << "it is revealed";
}

// Space is the key of the next step in all other parts: it does not choose what happens to come first.
TEST_F(LessonWindowTest, SpaceStepsWhereChoicesAreThere) {
    ASSERT_TRUE(begin("1-why-fuse", "As far as it goes", 1));
    ASSERT_EQ(desk().player().stop().task->expected->kind, lesson::AnswerKind::Choice);
    auto* answers = panel().findChild<AnswerView*>();
    ASSERT_TRUE(wait_until([&] { return QApplication::focusWidget() == answers; }));
    const int before = step();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    EXPECT_EQ(step(), before + 1);
    EXPECT_EQ(desk().player().task()->tries, 0);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_EQ(QApplication::focusWidget(), answers->choices().front());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    EXPECT_EQ(desk().player().task()->tries, 1) << "who goes to a choice chooses it";
}

// The bytes are asked for: they stand in no cell of the timeline.
TEST_F(LessonWindowTest, WhatIsGuessedDoesNotStandBesideTheQuestion) {
    ASSERT_TRUE(begin("4-flash-attention"));
    const Best& best = Best::of(document());
    EXPECT_THAT(best.objective_text().toStdString(), HasSubstr("time"));
    ASSERT_TRUE(begin("4-flash-attention", "How to read it"));
    EXPECT_THAT(best.objective_text().toStdString(), HasSubstr("bytes"));
}

// By a click on it as by the lesson itself: `selected` of a value asks for an arrow, not for its operator.
TEST_F(LessonWindowTest, AnArrowIsSelected) {
    const std::string text =
        "---\ntitle: Arrows\nminutes: 1\nprogram: softmax.bp\ngoal: See an arrow.\n---\n\n"
        "## An arrow\n\nLook.\n\n```show\nlast\n```\n\n```do\nSelect what the exponential makes.\n"
        "until: selected(\"value exp\")\nhint: The arrow behind it.\nshow-me: select value exp\n"
        "right: So it is.\n```\n";
    Result<lesson::Lesson> read = lesson::read_lesson(text, "arrows.md");
    ASSERT_TRUE(read) << to_string(read.problems().front());
    const LessonInfo arrows{"arrows", std::make_shared<const lesson::Lesson>(*read)};
    desk().begin(arrows, 0);
    ASSERT_TRUE(ready());
    NodeId exp;
    const Figure figure = make_figure(*document().content().program(), {}, plain_measure);
    for (const Box& box : figure.boxes)
        if (box.label == "exp(x)") exp = box.id();
    ASSERT_TRUE(exp);
    document().select({{exp}, {}, {}});
    EXPECT_FALSE(desk().player().done()) << "that is the operator";
    document().select({{}, ValueRef{exp, 0}, {}});
    ASSERT_TRUE(done());
    desk().begin_again();
    ASSERT_TRUE(ready());
    document().select({});
    ASSERT_FALSE(desk().player().done());
    desk().show_me();
    ASSERT_TRUE(wait_until([&] { return document().selection().value.has_value(); }));
    EXPECT_EQ(document().selection().value->node, exp);
}

TEST_F(LessonWindowTest, NothingIsLocked) {
    ASSERT_TRUE(begin("4-flash-attention", "The loops line up"));
    const int here = part();
    t.window.actions().trigger("lesson.next");
    ASSERT_TRUE(ready());
    EXPECT_EQ(part(), here + 1);
    desk().go(desk().player().count() - 1);
    ASSERT_TRUE(ready());
    EXPECT_EQ(document().content().name, "layernorm-matmul");
    t.window.actions().trigger("lesson.back");
    ASSERT_TRUE(ready());
    EXPECT_EQ(document().content().name, "attention");
    // Other programs may be opened; the lesson says so and brings its own back.
    ASSERT_TRUE(begin("4-flash-attention", "The loops line up"));
    ASSERT_TRUE(t.open_sample("softmax"));
    ASSERT_TRUE(wait_until([&] { return !said().text.isEmpty(); }));
    EXPECT_EQ(said().tone, Said::Tone::Note);
    EXPECT_THAT(text(), HasSubstr("attention.bp"));
    t.window.actions().trigger("lesson.again");
    ASSERT_TRUE(ready());
    EXPECT_EQ(document().content().name, "attention");
    // Panels may be opened, and steps taken backwards.
    t.window.actions().trigger("panel.matches");
    EXPECT_FALSE(t.window.docks().dock("panel.matches")->isHidden());
    document().forward();
    document().back();
    EXPECT_EQ(step(), 0);
}

// A part that builds on what was done before is set up so, even if nothing was done.
TEST_F(LessonWindowTest, PartsBuildOnTheOnesBefore) {
    ASSERT_TRUE(begin("3-three-rules", "Rule 4: scale later", 1));
    EXPECT_EQ(document().content().name, "weighted");
    EXPECT_EQ(step(), 4) << "all loops at the top level are fused";
    EXPECT_TRUE(t.window.docks().dock("panel.matches")->isVisible()) << "as an earlier part has opened it";
    ASSERT_TRUE(begin("7-tile-sizes", "The price", 1));
    const DimTable& dims = document().content().program()->dims;
    EXPECT_EQ(std::find_if(dims.begin(), dims.end(), [](const Dim& d) { return d.name == "C"; })->block, 256);
    ASSERT_TRUE(begin("6-online-softmax", "Why it is right"));
    EXPECT_TRUE(t.window.findChild<ListingPanel*>()->shows_safe());
    EXPECT_TRUE(t.window.docks().dock("panel.listing")->isVisible());
}

TEST_F(LessonWindowTest, WhatIsNotSavedIsAskedForButNotWhatTheLessonOpened) {
    ASSERT_TRUE(t.open_sample("softmax"));
    document().set_note(0, QStringLiteral("mine"));
    {
        const test::DialogsRefused asked;
        desk().begin(*find_lesson("4-flash-attention"));
        ASSERT_TRUE(wait_until([&] { return asked.count() == 1 && !desk().busy(); }));
        EXPECT_EQ(document().content().name, "softmax");
        EXPECT_TRUE(desk().active());
    }
    document().set_note(0, QString());
    const test::DialogsRefused asked;
    ASSERT_TRUE(begin("4-flash-attention", "The loops line up"));
    document().apply(all_matches(*document().content().program()).back());
    ASSERT_TRUE(begin("4-flash-attention", "On your own"));
    EXPECT_EQ(document().content().name, "layernorm-matmul");
    EXPECT_EQ(asked.count(), 0);
}

TEST_F(LessonWindowTest, TheListIsThereWithoutALesson) {
    ASSERT_TRUE(t.open_sample("softmax"));
    t.window.services().show_panel("panel.lesson");
    ASSERT_EQ(panel().lessons().size(), 9U);
    EXPECT_TRUE(panel().lessons().front()->isVisible());
    panel().lessons()[1]->click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(desk().lesson()->name, "2-block-programs");
    EXPECT_EQ(document().content().name, "tiny");
}

TEST_F(LessonWindowTest, ALessonEndsWithWhatWasDone) {
    ASSERT_TRUE(begin("2-block-programs", "On your own"));
    desk().show_me();
    desk().forward();
    ASSERT_TRUE(desk().finished());
    bool told = false;
    for (const QLabel* label : panel().findChildren<QLabel*>())
        told =
            told || (label->isVisible() && label->accessibleName().contains(QStringLiteral("You did 1 of")));
    EXPECT_TRUE(told);
    panel().next().click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(desk().lesson()->name, "3-three-rules");
}

// ---- Progress.

TEST_F(LessonWindowTest, ProgressIsExported) {
    ASSERT_TRUE(begin("1-why-fuse", "Kernels"));
    desk().answer(std::string("5"));
    const QString path = t.folder.filePath(QStringLiteral("ada.json"));
    EXPECT_FALSE(t.window.lesson_store().export_to(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto read = lesson::read_progress(file.readAll().toStdString(), "ada.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->learner, t.window.lesson_store().learner().toStdString());
    EXPECT_EQ(read->lessons.front().done(), 1);
}

struct NextLearner {
    explicit NextLearner(const QTemporaryDir& folder)
        : settings(folder.filePath(QStringLiteral("settings.ini"))),
          window(settings, appearance, folder.filePath(QStringLiteral("journal"))) {
        settings.set_animations(false);
        window.resize(1280, 800);
        window.show();
    }
    bool ready() {
        return wait_until([&] { return window.lessons().active() && !window.lessons().busy(); });
    }
    Settings settings;
    Appearance appearance{settings};
    MainWindow window;
};

TEST(LessonProgressTest, GoesOnWhereOneLeftAndIsKeptForEachLearner) {
    const QTemporaryDir folder;
    {
        NextLearner first(folder);
        first.window.lessons().begin(*find_lesson("4-flash-attention"), 2);
        ASSERT_TRUE(first.ready());
        first.window.document().forward();
        ASSERT_TRUE(wait_until([&] { return first.window.lessons().player().done(); }));
        first.window.lessons().forward();
        ASSERT_TRUE(first.ready());
        first.window.close();
    }
    NextLearner next(folder);
    EXPECT_TRUE(next.window.docks().dock("panel.lesson")->isHidden()) << "the user's own arrangement is kept";
    next.window.lessons().begin(*find_lesson("4-flash-attention"));
    ASSERT_TRUE(next.ready());
    EXPECT_EQ(next.window.lessons().player().at(), 3);
    EXPECT_EQ(next.window.document().content().history.depth(next.window.document().content().current), 1);
    EXPECT_EQ(next.window.lessons().player().progress().done(), 1);
    next.window.lesson_store().set_learner(QStringLiteral("Grace"));
    EXPECT_EQ(next.window.lesson_store().find("4-flash-attention"), nullptr);
    next.window.lessons().begin(*find_lesson("4-flash-attention"));
    ASSERT_TRUE(next.ready());
    EXPECT_EQ(next.window.lessons().player().at(), 0);
    next.window.close();
}

TEST(LessonProgressTest, AFileThatCannotBeReadStandsAside) {
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("settings.ini")));
    QString file;
    {
        LessonStore store(folder.filePath(QStringLiteral("lessons")), settings);
        store.keep({.lesson = "1-why-fuse", .at = 2});
        file = store.file();
    }
    QFile broken(file);
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("{");
    broken.close();
    LessonStore store(folder.filePath(QStringLiteral("lessons")), settings);
    QString said;
    QObject::connect(&store, &LessonStore::failed, [&](const QString& what) { said = what; });
    ASSERT_TRUE(wait_until([&] { return !said.isEmpty(); }));
    EXPECT_TRUE(QFile::exists(file + QStringLiteral(".broken")));
    store.keep({.lesson = "1-why-fuse", .at = 1});
    EXPECT_TRUE(QFile::exists(file));
}

// ---- Predict, then reveal.

TEST_F(LessonWindowTest, AnyProgramCanBePredictedStepByStep) {
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("lesson.predict");
    ASSERT_TRUE(desk().quizzing());
    ASSERT_TRUE(ready());
    EXPECT_TRUE(t.window.actions().get("lesson.predict")->isChecked());
    EXPECT_EQ(desk().player().count(), 17);
    const QDockWidget& timeline = *t.window.docks().dock("panel.timeline");
    EXPECT_TRUE(timeline.isVisible());
    int right = 0;
    for (int asked = 0; asked < 17; ++asked) {
        SCOPED_TRACE(asked);
        ASSERT_EQ(part(), asked);
        ASSERT_EQ(step(), asked);
        const auto& task = *desk().player().stop().task;
        const auto programs = desk().player().shared_programs();
        const lesson::Learner learner = desk().learner();
        const lesson::Setting setting{*programs, desk().player().stop().program, learner};
        if (task.expected->kind == lesson::AnswerKind::Number) {
            desk().answer(std::string("0.001"));
            EXPECT_EQ(said().tone, Said::Tone::Shown) << "no second try: it is revealed";
        } else {
            const Step& made = **lesson::asked_step(*task.expected, setting);
            if (task.expected->kind == lesson::AnswerKind::Rule)
                desk().answer(made.match.rule);
            else
                desk().answer(lesson::vanishing_arrows(made).front());
            EXPECT_EQ(said().tone, Said::Tone::Right);
            ++right;
        }
        ASSERT_TRUE(wait_until([&] { return step() == asked + 1; })) << "then it is shown";
        EXPECT_TRUE(document().hides_run()) << "the steps after it will be asked for";
        // Space asks the next question; at the end of the run it does nothing.
        t.window.actions().trigger(asked < 16 ? "step.forward" : "lesson.next");
        ASSERT_TRUE(ready());
    }
    EXPECT_TRUE(desk().finished());
    const lesson::LessonProgress progress = desk().player().progress();
    EXPECT_EQ(std::count_if(progress.tasks.begin(), progress.tasks.end(),
                            [](const lesson::TaskProgress& each) { return each.right; }),
              right);
    EXPECT_TRUE(t.window.lesson_store().progress().lessons.empty()) << "a game is not kept";
    t.window.actions().trigger("lesson.predict");
    EXPECT_FALSE(desk().active());
    EXPECT_FALSE(document().hides_run());
    EXPECT_TRUE(timeline.isVisible());
}

// In a window of 1024 x 576, as one of 1280 x 720 is with text at 125%.
TEST_F(LessonWindowTest, TheTimelineBesideItHasRoomForCells) {
    t.window.resize(1024, 576);
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("lesson.predict");
    ASSERT_TRUE(ready());
    auto& timeline = *t.window.findChild<Timeline*>();
    ASSERT_TRUE(timeline.compact());
    const auto shown = [&] {
        QStringList names;
        for (const QToolButton* button : timeline.buttons())
            if (button->isVisible()) names << button->defaultAction()->objectName();
        return names.join(QLatin1Char(' ')).toStdString();
    };
    const auto room = [&] { return timeline.strip().viewport()->width(); };
    EXPECT_TRUE(wait_until([&] { return room() >= timeline.strip().width_of(3); })) << room();
    EXPECT_TRUE(timeline.isVisible());
    EXPECT_GE(timeline.strip().cell_rect(0).left(), 0) << "the cell of the state is whole";
    EXPECT_FALSE(timeline.findChild<ElidedLabel*>()->isVisible()) << "what says where one is goes first";
    timeline.resize(timeline.strip().width_of(3) + 6 * 40, timeline.height());
    EXPECT_EQ(shown(), "step.home step.back step.forward step.end");
    timeline.resize(1000, timeline.height());
    EXPECT_EQ(timeline.buttons().size(), 8U);
    EXPECT_THAT(shown(), HasSubstr("step.play"));
    EXPECT_FALSE(timeline.findChild<ElidedLabel*>()->isHidden()) << "there is room again";
}

// What of the next step the picture marks, and how many rows of the list of matches call themselves next.
struct GivenAway {
    int marks = 0, rows = 0;
    bool operator==(const GivenAway&) const = default;
};

GivenAway given_away(MainWindow& window) {
    GivenAway found;
    for (const auto& [box, mark] : window.view().canvas().lights().boxes)
        if (mark == Mark::Match) ++found.marks;
    const QAbstractItemModel& rows = *window.findChild<Matches*>()->list().model();
    for (int group = 0; group < rows.rowCount(); ++group) {
        const QModelIndex rule = rows.index(group, 0);
        for (int row = 0; row < rows.rowCount(rule); ++row)
            if (rows.index(row, 0, rule).data(kNextRole).toBool()) ++found.rows;
    }
    return found;
}

TEST_F(LessonWindowTest, WhatIsAskedForIsMarkedNowhereUntilAHintOrAnAnswer) {
    ASSERT_TRUE(t.open_sample("attention"));
    const GivenAway open{2, 1}, nothing;
    ASSERT_TRUE(wait_until([&] { return given_away(t.window) == open; }));
    t.window.actions().trigger("lesson.predict");
    ASSERT_TRUE(ready());
    t.window.docks().dock("panel.matches")->show();  // nothing is locked
    EXPECT_EQ(given_away(t.window), nothing);
    desk().hint();
    EXPECT_EQ(given_away(t.window), open) << "the hint is the marks";
    document().forward();
    ASSERT_TRUE(wait_until([&] { return part() == 1 && !desk().busy(); }));
    ASSERT_TRUE(wait_until([&] { return given_away(t.window) == nothing; })) << "the next question is open";
    desk().show_me();
    ASSERT_TRUE(wait_until([&] { return step() == 2 && given_away(t.window).rows == 1; }))
        << "it was revealed";
    desk().forward();
    ASSERT_TRUE(ready());
    EXPECT_EQ(given_away(t.window), nothing);
    t.window.actions().trigger("lesson.predict");
    EXPECT_GT(given_away(t.window).marks, 0) << "nobody asks any more";
}

TEST_F(LessonWindowTest, WhoeverStepsWithoutPredictingIsAskedAboutTheNextStep) {
    ASSERT_TRUE(t.open_sample("softmax"));
    t.window.actions().trigger("lesson.predict");
    ASSERT_TRUE(ready());
    document().forward();
    document().forward();
    ASSERT_TRUE(wait_until([&] { return part() == 2 && !desk().busy(); }));
    document().home();
    ASSERT_TRUE(wait_until([&] { return part() == 0 && !desk().busy(); }));
    // Another program has questions of its own.
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    ASSERT_TRUE(
        wait_until([&] { return !desk().busy() && desk().player().stop().program == "gemm-relu.bp"; }));
    EXPECT_EQ(document().content().name, "gemm-relu");
    t.window.document().close();
    EXPECT_TRUE(wait_until([&] { return !desk().active(); }));
}

// ---- The start page.

TEST_F(LessonWindowTest, TheStartPageBeginsWithFlashAttentionAndTheLessons) {
    StartPage& start = t.window.start_page();
    FlashCard& flash = start.flash_card();
    ASSERT_TRUE(wait_until([&] { return flash.numbers().contains(QStringLiteral("kernels")); }));
    EXPECT_EQ(flash.numbers(), QStringLiteral("471 MB → 69.2 MB, 7 → 1 kernels, in 17 steps"));
    ASSERT_EQ(start.lesson_cards().size(), 9U);
    const auto* card = static_cast<LessonCard*>(start.lesson_cards()[3]);
    EXPECT_EQ(card->standing(), QStringLiteral("10 minutes"));
    flash.start().click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(desk().lesson()->name, "4-flash-attention");
    EXPECT_FALSE(t.window.docks().dock("panel.lesson")->isHidden());
    desk().go(2);
    ASSERT_TRUE(ready());
    document().forward();
    ASSERT_TRUE(done());
    t.window.actions().trigger("file.start");
    EXPECT_THAT(card->standing().toStdString(), HasSubstr("1 of "));
    EXPECT_EQ(flash.start().text(), QStringLiteral("Go on with part 3"));
    flash.start().click();
    ASSERT_TRUE(ready());
    EXPECT_EQ(part(), 2);
}

TEST(TourTest, IsOfferedOnceAndPlayedLikeALesson) {
    const QTemporaryDir folder;
    {
        NextLearner first(folder);
        EXPECT_TRUE(first.window.start_page().tour_offer().isVisible());
        first.window.actions().trigger("lesson.tour");
        ASSERT_TRUE(first.ready());
        EXPECT_EQ(first.window.document().content().name, "attention");
        first.window.lessons().forward();
        ASSERT_TRUE(first.ready());
        first.window.document().forward();
        EXPECT_TRUE(wait_until([&] { return first.window.lessons().player().done(); }));
        first.window.close();
    }
    NextLearner next(folder);
    EXPECT_FALSE(next.window.start_page().tour_offer().isVisible());
    next.window.close();
}

}  // namespace
}  // namespace blockscope
