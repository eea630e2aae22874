// A scripted learner goes through every lesson in the real window: first every typical mistake, then the
// right way, with the keyboard, and where a lesson wants it with the mouse.
#include <gmock/gmock.h>

#include <QApplication>
#include <QComboBox>
#include <QTableView>
#include <QToolButton>

#include "app/costs/choosers.h"
#include "app/costs/cost_page.h"
#include "app/costs/forecast.h"
#include "app/costs/measure_bar.h"
#include "app/costs/measurements.h"
#include "app/lessons/lesson_panel.h"
#include "app/panels/matches.h"
#include "app/panels/sizes_panel.h"
#include "app/scene/canvas.h"
#include "app/scene/hit.h"
#include "app/window/lesson_cards.h"
#include "app/window/start_page.h"
#include "tests/real/desk.h"

namespace blockscope {
namespace {

using lesson::Action;
using lesson::ActionKind;
using lesson::AnswerKind;
using test::Desk;
using test::wait_until;

constexpr Qt::KeyboardModifiers kAlt = Qt::AltModifier;

class ScriptedLearner {
public:
    enum class By { Keyboard, Mouse };
    ScriptedLearner(const char* lesson, By by) : by_(by), info_(*find_lesson(lesson)) {}

    void take_lesson() {
        begin();
        for (int part = 0; part < lessons().player().count(); ++part) {
            SCOPED_TRACE(info_.name + ", part " + std::to_string(part + 1));
            ASSERT_EQ(lessons().player().at(), part);
            take_part();
            if (testing::Test::HasFailure()) return;
            const bool kept = lessons().player().lesson().kind == lesson::LessonKind::Lesson;
            if (kept && part == lessons().player().count() / 2) leave_and_come_back(part);
            next();
        }
        EXPECT_TRUE(lessons().finished());
        const lesson::LessonProgress progress = lessons().player().progress();
        EXPECT_EQ(progress.done(), static_cast<int>(progress.tasks.size()));
    }

private:
    LessonDesk& lessons() { return desk_.window().lessons(); }
    LessonPanel& panel() { return *desk_.window().findChild<LessonPanel*>(); }
    const lesson::Task& task() { return *lessons().player().stop().task; }

    bool ready() {
        return wait_until([&] {
                   return lessons().active() && !lessons().busy() && !desk_.document().is_busy() &&
                          !desk_.window().on_start_page();
               }) &&
               desk_.settle();
    }

    // From its card on the start page, as one begins.
    void begin() {
        const auto& cards = desk_.window().start_page().lesson_cards();
        for (QWidget* card : cards) {
            if (static_cast<LessonCard*>(card)->lesson().name != info_.name) continue;
            card->setFocus();
            desk_.key(Qt::Key_Return);
        }
        if (!lessons().active()) desk_.window().actions().trigger("lesson.tour");
        ASSERT_TRUE(ready());
        EXPECT_FALSE(desk_.window().docks().dock("panel.lesson")->isHidden());
    }

    void next() {
        if (by_ == By::Mouse)
            desk_.click(panel().next(), panel().next().rect().center());
        else
            desk_.key(Qt::Key_Right, kAlt);
        ASSERT_TRUE(ready());
    }

    void leave_and_come_back(int part) {
        const int done = lessons().player().progress().done();
        lessons().leave();
        EXPECT_TRUE(desk_.window().docks().dock("panel.lesson")->isHidden());
        lessons().begin(info_);
        ASSERT_TRUE(ready());
        EXPECT_EQ(lessons().player().at(), part);
        EXPECT_EQ(lessons().player().progress().done(), done);
    }

    void take_part() {
        EXPECT_FALSE(lessons().text().isEmpty() && lessons().prompt().isEmpty());
        if (!lessons().player().stop().task) return;
        EXPECT_FALSE(lessons().player().done()) << "it is done before anything is done";
        EXPECT_EQ(panel().next().text(), QStringLiteral("Skip"));
        if (task().expected)
            answer_question();
        else
            do_task();
        EXPECT_TRUE(wait_until([&] { return lessons().player().done() && !lessons().busy(); }))
            << task().prompt.empty() << lessons().said().text.toStdString();
        EXPECT_EQ(panel().next().text(),
                  lessons().player().at_end() ? QStringLiteral("Finish") : QStringLiteral("Next"));
    }

    // ---- Questions: all typical mistakes where there is more than one try, then the right answer.

    void answer_question() {
        const bool once = task().kind == lesson::TaskKind::Predict;
        switch (task().expected->kind) {
            case AnswerKind::Number:
                if (!once)
                    for (const lesson::Reaction& reaction : task().wrong) type_wrong(reaction);
                type(value_of(task().expected->number));
                break;
            case AnswerKind::Choice:
                choose_choice(once);
                break;
            case AnswerKind::Rule:
                choose_rule();
                break;
            case AnswerKind::Arrow:
                choose_edge();
                break;
        }
        EXPECT_EQ(lessons().said().tone, Said::Tone::Right) << lessons().said().text.toStdString();
    }

    lesson::Value value_of(const lesson::Expression& expression) {
        const lesson::Learner learner = lessons().learner();
        const auto value = lesson::evaluate(
            expression, {lessons().player().programs(), lessons().player().stop().program, learner});
        if (!value) ADD_FAILURE() << to_string(value.problems().front());
        return value ? *value : lesson::Value{};
    }

    void type(const lesson::Value& value) {
        const lesson::UnitWord* unit = task().expected->unit;
        const double number = unit != nullptr ? value.number / unit->factor : value.number;
        QLineEdit* field = panel().answers().number();
        ASSERT_NE(field, nullptr);
        if (by_ == By::Mouse) desk_.click(*field, field->rect().center());
        EXPECT_EQ(QApplication::focusWidget(), field) << "one can type at once";
        desk_.key(Qt::Key_A, Qt::ControlModifier);
        desk_.type(QString::number(number, 'f', 9));
        desk_.key(Qt::Key_Return);
        ASSERT_TRUE(ready());
    }

    void type_wrong(const lesson::Reaction& reaction) {
        if (!reaction.when) return;
        lesson::Value value = value_of(*reaction.when);
        const lesson::UnitWord* unit = reaction.unit != nullptr ? reaction.unit : task().expected->unit;
        const bool bare = reaction.when->kind == lesson::Expression::Kind::Literal;
        if (bare && unit != nullptr && value.unit == lesson::Unit::Number)
            value = {value.number * unit->factor, unit->unit};
        type(value);
        EXPECT_EQ(lessons().said().tone, Said::Tone::Wrong) << reaction.place.line;
        EXPECT_FALSE(lessons().player().done());
    }

    void press_choice(ChoiceButton& choice) {
        if (by_ == By::Mouse) {
            desk_.click(choice, choice.rect().center());
        } else {
            choice.setFocus();
            desk_.key(Qt::Key_Return);
        }
        ASSERT_TRUE(ready());
    }

    void choose_choice(bool once) {
        const std::vector<lesson::Choice>& choices = task().expected->choices;
        std::size_t right = choices.size();
        for (std::size_t i = 0; i < choices.size(); ++i) {
            const lesson::Learner learner = lessons().learner();
            const auto is = lesson::is_right(
                choices[i], {lessons().player().programs(), lessons().player().stop().program, learner});
            ASSERT_TRUE(is);
            if (*is) {
                right = i;
                continue;
            }
            if (once) continue;
            press_choice(*panel().answers().choices()[i]);
            EXPECT_EQ(lessons().said().tone, Said::Tone::Wrong);
        }
        ASSERT_LT(right, choices.size());
        press_choice(*panel().answers().choices()[right]);
    }

    const Step& asked() {
        const lesson::Learner learner = lessons().learner();
        return **lesson::asked_step(
            *task().expected, {lessons().player().programs(), lessons().player().stop().program, learner});
    }

    void choose_rule() {
        const std::vector<RuleId> rules = lessons().rule_choices();
        const auto right = std::find(rules.begin(), rules.end(), asked().match.rule);
        ASSERT_NE(right, rules.end());
        press_choice(*panel().answers().choices()[static_cast<std::size_t>(right - rules.begin())]);
    }

    // In the picture with the mouse, in the list with the keyboard.
    void choose_edge() {
        const std::vector<lesson::Arrow> right = lesson::vanishing_arrows(asked());
        const std::vector<EdgeChoice> choices = lessons().edge_choices();
        const auto found = std::find_if(choices.begin(), choices.end(), [&](const EdgeChoice& choice) {
            return std::find(right.begin(), right.end(), choice.arrow) != right.end();
        });
        ASSERT_NE(found, choices.end());
        if (by_ == By::Mouse) {
            const Spot spot{{}, found->value, found->consumer};
            const int edge = edge_of(*desk_.picture(), spot);
            ASSERT_GE(edge, 0);
            click_edge(edge);
            return;
        }
        QWidget* list = panel().answers().first();
        ASSERT_NE(list, nullptr);
        list->setFocus();
        desk_.key(Qt::Key_Space);
        const std::size_t index = static_cast<std::size_t>(found - choices.begin());
        ASSERT_EQ(panel().answers().choices().size(), choices.size());
        EXPECT_EQ(QApplication::focusWidget(), panel().answers().choices().front());
        for (std::size_t i = 0; i < index; ++i) desk_.key(Qt::Key_Down);
        desk_.key(Qt::Key_Return);
        ASSERT_TRUE(ready());
    }

    // Where nothing lies above the edge, after a look at the whole picture.
    void click_edge(int edge) {
        desk_.window().actions().trigger("view.fit");
        ASSERT_TRUE(desk_.settle());
        Canvas& canvas = desk_.window().view().canvas();
        const HitIndex hit(desk_.picture());
        const Curve curve = with_pieces(desk_.picture()->geometry.edges[static_cast<std::size_t>(edge)], 32);
        for (std::size_t i = 0; i < curve.size(); i += 3) {
            const QPoint at = to_view(canvas.camera(), canvas.size(), curve[i]).toPoint();
            const int box = hit.box_at(curve[i]);
            const bool covered =
                box >= 0 &&
                desk_.picture()->figure.boxes[static_cast<std::size_t>(box)].kind != BoxKind::Frame;
            if (covered || !canvas.rect().contains(at) || hit.edge_at(curve[i], 1) != edge) continue;
            desk_.click(canvas, at);
            ASSERT_TRUE(ready());
            return;
        }
        ADD_FAILURE() << "the edge cannot be clicked";
    }

    // ---- Tasks: every wrong turn and back, then as the lesson shows it, but by hand.

    void do_task() {
        for (const lesson::Reaction& reaction : task().wrong) {
            if (!reaction.when || reaction.by.empty()) continue;
            for (const Action& action : reaction.by) by_hand(action);
            EXPECT_TRUE(wait_until([&] { return lessons().said().tone == Said::Tone::Wrong; }))
                << reaction.place.line << lessons().said().text.toStdString();
            EXPECT_FALSE(lessons().player().done());
            desk_.window().actions().trigger("lesson.again");
            ASSERT_TRUE(ready());
        }
        for (const Action& action : task().show_me) by_hand(action);
        EXPECT_TRUE(wait_until([&] { return lessons().player().done(); })) << task().place.line;
        EXPECT_EQ(lessons().said().tone, Said::Tone::Right);
    }

    void by_hand(const Action& action) {
        switch (action.kind) {
            case ActionKind::Go:
                walk_to(action);
                break;
            case ActionKind::Apply:
                apply(action);
                break;
            case ActionKind::Select:
                select(action);
                break;
            case ActionKind::Safe:
                desk_.key(Qt::Key_J, Qt::ControlModifier);  // to the picture
                if (desk_.document().shows_safe() != (action.words.front() == "on")) desk_.key(Qt::Key_S);
                break;
            case ActionKind::Size:
                set_size(action);
                break;
            case ActionKind::Device:
                choose_device(action.words.front());
                break;
            case ActionKind::Measure:
                measure();
                break;
            default:
                break;
        }
        ASSERT_TRUE(ready());
    }

    // Typed into the table of sizes.
    void set_size(const Action& action) {
        const DimTable wanted =
            lesson::sizes_after(desk_.content().program()->dims, action.words.front(), action.place).value();
        desk_.window().services().show_panel("panel.sizes");
        ASSERT_TRUE(desk_.settle());
        auto* panel = desk_.window().findChild<SizesPanel*>();
        ASSERT_NE(panel, nullptr);
        const auto tables = panel->findChildren<QTableView*>();
        const auto found = std::find_if(tables.begin(), tables.end(), [](const QTableView* table) {
            return qobject_cast<SizesModel*>(table->model()) != nullptr;
        });
        ASSERT_NE(found, tables.end());
        for (std::size_t row = 0; row < wanted.size(); ++row) {
            const auto type_into = [&](int column, std::int64_t number) {
                QWidget* editor =
                    (*found)->indexWidget((*found)->model()->index(static_cast<int>(row), column));
                ASSERT_NE(editor, nullptr);
                editor->setFocus();
                desk_.key(Qt::Key_A, Qt::ControlModifier);
                desk_.type(QString::number(number));
                desk_.key(Qt::Key_Return);
                ASSERT_TRUE(desk_.settle());
            };
            if (desk_.content().program()->dims[row].size != wanted[row].size)
                type_into(SizesModel::Size, wanted[row].size);
            if (desk_.content().program()->dims[row].block != wanted[row].block)
                type_into(SizesModel::Block, wanted[row].block);
        }
        EXPECT_EQ(desk_.content().program()->dims, wanted);
    }

    // On this processor, by the button, in blocks so small that it takes a second under the sanitizers, too.
    // What it takes is nobody's business here: the machine is busy with other tests.
    void measure() {
        const DimTable dims = desk_.content().program()->dims;
        for (const Dim& dim : dims) set_size({.kind = ActionKind::Size, .words = {dim.name + " = 64 / 32"}});
        Measurements& measurements = Measurements::of(desk_.document());
        measurements.set_worker({BLOCKSCOPE_CLI, "worker"},
                                desk_.path(QStringLiteral("measured.json")).toStdString());
        measurements.set_waiting(false);
        auto* page = desk_.panel<CostPage>("panel.costs");
        ASSERT_NE(page, nullptr);
        ASSERT_TRUE(desk_.settle());
        const auto press = [this](QToolButton& button) {
            ASSERT_TRUE(button.isVisible());
            if (by_ == By::Mouse) return desk_.click(button, button.rect().center());
            button.setFocus();
            desk_.key(Qt::Key_Space);
        };
        QToolButton* button = page->measuring().button(QStringLiteral("measure"));
        if (!button->isVisible()) press(*page->findChild<QToolButton*>(QStringLiteral("more")));
        ASSERT_TRUE(desk_.settle());
        press(*button);
        const auto result = [&] { return measurements.of(desk_.content().current); };
        ASSERT_TRUE(wait_until([&] { return result() && !measurements.busy(); }));
        ASSERT_TRUE(result()->record.warm) << "it was checked, and timed";
        EXPECT_GT(result()->record.warm->summary.median, 0);
    }

    // In the window's list of devices, with the arrow keys.
    void choose_device(const std::string& name) {
        auto* chooser = desk_.window().findChild<DeviceChooser*>();
        ASSERT_NE(chooser, nullptr);
        const int wanted = chooser->findData(QString::fromStdString(name));
        ASSERT_GE(wanted, 0);
        chooser->setFocus();
        desk_.key(Qt::Key_Home);
        for (int i = 0; i < chooser->count() && chooser->currentIndex() != wanted; ++i)
            desk_.key(Qt::Key_Down);
        EXPECT_EQ(Forecast::of(desk_.document()).device().name, name);
    }

    // With Space, or Backspace, from wherever the keys are.
    void walk_to(const Action& action) {
        const lesson::Learner learner = lessons().learner();
        lesson::Programs& programs = lessons().player().programs();
        const auto reference = programs.find(lessons().player().stop().program);
        ASSERT_TRUE(reference);
        const auto step =
            lesson::step_named(action.words.front(), **reference, learner, programs, action.place);
        ASSERT_TRUE(step);
        desk_.key(Qt::Key_J, Qt::ControlModifier);  // to the picture
        const auto here = [&] { return desk_.content().history.depth(desk_.content().current); };
        const int far = *step - here();
        // Not step by step, past states that another task waits for.
        if (action.words.front() == "last" || far > 30) {
            desk_.key(Qt::Key_End);
            ASSERT_TRUE(desk_.settle());
        }
        while (here() != *step) {
            const int before = here();
            ASSERT_TRUE(desk_.press(before < *step ? Qt::Key_Space : Qt::Key_Backspace, 1));
            ASSERT_NE(here(), before);
        }
    }

    // In the list of matches.
    void apply(const Action& action) {
        const auto wanted = lesson::match_of(lessons().learner(), action);
        ASSERT_TRUE(wanted);
        auto* matches = desk_.panel<Matches>("panel.matches");
        ASSERT_NE(matches, nullptr);
        ASSERT_TRUE(wait_until([&] {
            return !matches->finder().searching() &&
                   matches->finder().report().program == desk_.content().program();
        }));
        MatchList& list = matches->list();
        const QAbstractItemModel& model = *list.model();
        const auto& found = matches->finder().report().lines;
        for (int rule = 0; rule < model.rowCount(); ++rule)
            for (int row = 0; row < model.rowCount(model.index(rule, 0)); ++row) {
                const QModelIndex index = model.index(row, 0, model.index(rule, 0));
                const int at = index.data(kMatchIndexRole).toInt();
                if (at < 0 || !(found[static_cast<std::size_t>(at)].match == *wanted)) continue;
                const StateId before = desk_.content().current;
                list.setFocus();
                list.setCurrentIndex(index);
                desk_.key(Qt::Key_Return);
                ASSERT_TRUE(wait_until([&] { return desk_.content().current != before; }));
                return;
            }
        ADD_FAILURE() << "the list has no such match";
    }

    // All of them, with clicks on their boxes, the first without and the others with Shift, or with the arrow
    // keys' own selection.
    void select(const Action& action) {
        Spot all;
        for (const std::string& word : action.words) {
            const auto nodes = lesson::find_nodes(*desk_.content().program(), word, action.place);
            ASSERT_TRUE(nodes);
            const int box = desk_.picture()->figure.find(nodes->front());
            ASSERT_GE(box, 0);
            all.nodes.insert(nodes->front());
            if (by_ == By::Mouse)
                click_box(box, all.nodes.size() > 1 ? Qt::ShiftModifier : Qt::NoModifier);
            else
                desk_.window().view().canvas().focus_box(box);
        }
        if (by_ == By::Keyboard) desk_.document().select(all);
    }

    void click_box(int box, Qt::KeyboardModifiers modifiers) {
        Canvas& canvas = desk_.window().view().canvas();
        canvas.reveal(box);
        ASSERT_TRUE(desk_.settle());
        const BoxKind kind = desk_.picture()->figure.boxes[static_cast<std::size_t>(box)].kind;
        const QRectF place = canvas.box_rect(box);
        const QPoint at =
            kind == BoxKind::Frame ? place.topLeft().toPoint() + QPoint(6, 6) : place.center().toPoint();
        desk_.click(canvas, at, modifiers);
    }

    Desk desk_;
    const By by_;
    const LessonInfo& info_;
};

class Lessons : public testing::TestWithParam<const char*> {};

TEST_P(Lessons, AreGoneThroughWithTheKeyboard) {
    ScriptedLearner(GetParam(), ScriptedLearner::By::Keyboard).take_lesson();
}

TEST_P(Lessons, AreGoneThroughWithTheMouse) {
    ScriptedLearner(GetParam(), ScriptedLearner::By::Mouse).take_lesson();
}

INSTANTIATE_TEST_SUITE_P(Window, Lessons,
                         testing::Values("1-why-fuse", "2-block-programs", "3-three-rules",
                                         "4-flash-attention", "5-the-wrong-way", "6-online-softmax",
                                         "7-tile-sizes", "8-predicted-and-measured", "9-slips-of-a-guide",
                                         "tour"),
                         [](const auto& lesson) {
                             std::string name = lesson.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace blockscope
