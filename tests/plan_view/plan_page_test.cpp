// The page Plan: its search, its tables, and kernels that are opened as programs.
#include "app/plan/plan_page.h"

#include <gmock/gmock.h>

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "app/plan/operator_picture.h"
#include "app/plan/plan_pictures.h"
#include "app/plan/plan_tables.h"
#include "app/plan/plan_words.h"
#include "app/plan/steps_bar.h"
#include "core/plan/kinds.h"
#include "core/program/convert.h"
#include "tests/panels/text_support.h"
#include "tests/plan_view/plan_programs.h"
#include "tests/window/window_support.h"

namespace blockscope::test {
namespace {

struct PlanDesk : Desk {
    PlanDesk() {
        services.say = [this](const QString& text) { said = text; };
        services.open_program = [this](const QString& name, const QString& text,
                                       const std::optional<StateChoice>& state) {
            opened_name = name;
            opened_state = state;
            opened = text.toStdString();
        };
        Forecast::of(document).set_device("h100-sxm5");
    }
    void open_text(const char* text) {
        document.reset(run_algorithm(content_of_source(text, "mlp.bp").value(), 0), {});
    }
    bool show_and_find() {
        page.resize(900, 800);
        page.show();
        return wait_until([this] { return page.search().found() != nullptr; });
    }
    const FoundPlans& plans() { return *page.search().found(); }
    std::size_t index_of(const char* way) {
        return static_cast<std::size_t>(plans().way(way) - plans().ways.data());
    }

    QString said, opened_name;
    std::optional<StateChoice> opened_state;
    std::string opened;
    PlanPage page{document, services};
};

struct SmallPlanDesk : PlanDesk {
    SmallPlanDesk() {
        open_text(kSmallGatedMlp);
        EXPECT_TRUE(show_and_find());
    }
};

TEST(PlanPage, costs_nothing_until_it_is_seen) {
    PlanDesk desk;
    desk.open_text(kSmallGatedMlp);
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page.findChildren<QWidget*>().isEmpty());
    EXPECT_TRUE(desk.page.findChildren<PlanSearch*>().isEmpty());
}

TEST(PlanPage, finds_the_plan_of_a_small_program_by_itself) {
    SmallPlanDesk desk;
    ASSERT_EQ(desk.plans().ways.size(), 8U);
    const PlannedWay& exact = desk.plans().ways.front();
    EXPECT_EQ(exact.name, "exact");
    ASSERT_FALSE(exact.none());
    for (const PlannedWay& way : desk.plans().ways)
        EXPECT_LE(exact.plan.value, way.plan.value * (1 + 1e-12)) << way.name;
    EXPECT_EQ(desk.page.ways().topLevelItemCount(), 8);
    EXPECT_EQ(desk.page.ways().chosen_way(), 0) << "the exact one first";
    EXPECT_EQ(desk.page.kernels().topLevelItemCount(), static_cast<int>(exact.kernels.size()));
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("Best plan on")));
    EXPECT_TRUE(desk.page.sentence().contains(QStringLiteral("No plan costs less")));
    EXPECT_TRUE(desk.page.sentence().contains(QStringLiteral("by published figures: the plan is ")));
    EXPECT_TRUE(desk.page.cancel_button().isHidden());
}

// What the page says of a way is the sum of its kernels, which hold every operator once.
TEST(PlanPage, the_kernels_of_a_way_make_up_the_program) {
    SmallPlanDesk desk;
    for (const PlannedWay& way : desk.plans().ways) {
        plan::FusionGroup all;
        double seconds = 0;
        for (const PlannedGroup& kernel : way.kernels) {
            all.insert(all.end(), kernel.nodes.begin(), kernel.nodes.end());
            seconds += kernel.cost.seconds;
        }
        EXPECT_THAT(all, testing::UnorderedElementsAre(0, 1, 2, 3, 4)) << way.name;
        EXPECT_NEAR(seconds, way.plan.value, 1e-12) << way.name;
    }
}

TEST(PlanPage, shows_the_kernels_of_the_way_that_is_chosen) {
    SmallPlanDesk desk;
    const std::size_t each = desk.index_of("each");
    desk.page.ways().choose(each);
    ASSERT_EQ(desk.page.kernels().topLevelItemCount(), 5);
    QTreeWidgetItem* first = desk.page.kernels().topLevelItem(0);
    EXPECT_EQ(first->text(KernelsTable::Kernel), QStringLiteral("A"));
    EXPECT_EQ(first->text(KernelsTable::Operators),
              operators_text(desk.plans(), desk.plans().ways[each].kernels[0].nodes));
}

TEST(PlanPage, the_launches_of_kernels_add_up_to_those_of_the_way) {
    SmallPlanDesk desk;
    for (std::size_t way = 0; way < desk.plans().ways.size(); ++way) {
        desk.page.ways().choose(way);
        int launches = 0;
        for (int i = 0; i < desk.page.kernels().topLevelItemCount(); ++i)
            launches += desk.page.kernels().topLevelItem(i)->text(KernelsTable::Launches).toInt();
        EXPECT_EQ(desk.page.ways().currentItem()->text(WaysTable::Launches), QString::number(launches));
    }
    PlannedWay several = *desk.plans().way("each");
    EXPECT_TRUE(launches_text(several).isEmpty());
    several.kernels[1].cost.launches = several.kernels[1].cost.least_launches = 3;
    EXPECT_TRUE(launches_text(several).startsWith(QStringLiteral("No state of B is one launch")));
}

TEST(PlanPage, ways_are_sorted_by_the_numbers_of_a_column) {
    SmallPlanDesk desk;
    WaysTable& table = desk.page.ways();
    table.sortByColumn(WaysTable::Time, Qt::DescendingOrder);
    std::vector<double> times;
    for (int i = 0; i < table.topLevelItemCount(); ++i)
        times.push_back(table.topLevelItem(i)->data(WaysTable::Time, Qt::UserRole).toDouble());
    EXPECT_TRUE(std::is_sorted(times.rbegin(), times.rend()));
    EXPECT_LT(times.back(), times.front());
}

TEST(PlanPage, a_kernel_opens_as_a_program) {
    SmallPlanDesk desk;
    desk.page.ways().choose(desk.index_of("each"));
    desk.page.kernels().choose(3);
    QTest::keyClick(&desk.page.kernels(), Qt::Key_Return);
    const Result<ArrayProgram> opened = parse_program(desk.opened, "opened.bp");
    ASSERT_TRUE(opened);
    const FoundPlans& plans = desk.plans();
    const PlannedGroup& kernel = plans.way("each")->kernels[3];
    ArrayProgram expected = plan::group_program(plans.program, plans.graph, kernel.nodes).value();
    ASSERT_EQ(kernel.cost.blocks.size(), expected.dims.size());
    for (std::size_t i = 0; i < expected.dims.size(); ++i) expected.dims[i].block = kernel.cost.blocks[i];
    EXPECT_EQ(print_program(*opened), print_program(expected));
    ASSERT_TRUE(desk.opened_state);
    EXPECT_EQ(desk.opened_state->number, kernel.cost.step) << "its best state";
    EXPECT_EQ(desk.opened_name, QStringLiteral("mlp-D"));
    desk.opened.clear();
    desk.page.open_button().click();
    EXPECT_FALSE(desk.opened.empty());
}

TEST(PlanPage, says_why_two_operators_are_together) {
    SmallPlanDesk desk;
    desk.page.ways().choose(desk.index_of("each"));
    desk.page.ask_about(0, 3);  // A and H
    EXPECT_TRUE(
        wait_until([&] { return desk.page.why().contains(QStringLiteral("closes a cycle through B")); }));
    desk.page.ask_about(0, 1);
    EXPECT_TRUE(wait_until(
        [&] { return desk.page.why().contains(QStringLiteral("As one kernel they would take")); }));
    desk.page.ask_about(1, 1);
    EXPECT_TRUE(desk.page.why().startsWith(QStringLiteral("Choose two operators")));
}

QPoint middle_of(PlanPage& page, int node) {
    page.picture().repaint();
    for (const ChartSpot& spot : page.picture().spots())
        if (spot.key == node) return spot.area.boundingRect().center().toPoint();
    return {};
}

void drag(PlanPage& page, int node, int onto) {
    QTest::mousePress(&page.picture(), Qt::LeftButton, {}, middle_of(page, node));
    QTest::mouseMove(&page.picture(), middle_of(page, onto));
    QTest::mouseRelease(&page.picture(), Qt::LeftButton, {}, middle_of(page, onto));
}

// From each operator alone: A to the kernel of B, then back out of it onto H, which closes a cycle.
TEST(PlanPage, an_operator_that_is_dragged_goes_to_another_kernel) {
    SmallPlanDesk desk;
    desk.page.resize(1300, 1600);  // with another way in the table the picture is still seen
    desk.page.ways().choose(desk.index_of("each"));
    drag(desk.page, 0, 1);
    ASSERT_TRUE(wait_until([&] { return desk.plans().way("yours") != nullptr; }));
    const PlannedWay& yours = *desk.plans().way("yours");
    EXPECT_EQ(desk.plans().ways[static_cast<std::size_t>(desk.page.ways().chosen_way())].name, "yours");
    ASSERT_EQ(yours.kernels.size(), 4U);
    double seconds = 0;
    bool together = false;
    for (const PlannedGroup& kernel : yours.kernels) {
        seconds += kernel.cost.seconds;
        together = together || kernel.nodes == plan::FusionGroup{0, 1};
    }
    EXPECT_TRUE(together);
    EXPECT_NEAR(seconds, yours.plan.value, 1e-12);
    EXPECT_EQ(desk.page.ways().topLevelItemCount(), 9);
    const FoundPlansPtr before = desk.page.search().found();
    drag(desk.page, 0, 3);
    EXPECT_TRUE(wait_until([&] { return desk.page.why().contains(QStringLiteral("cannot go there: ")); }));
    EXPECT_EQ(desk.page.search().found(), before);
}

// The same with the keyboard alone.
TEST(PlanPage, an_operator_moves_by_a_button) {
    SmallPlanDesk desk;
    desk.page.ways().choose(desk.index_of("each"));
    desk.page.ask_about(0, 1);
    QTest::keyClick(&desk.page.move_button(), Qt::Key_Space);
    ASSERT_TRUE(wait_until([&] { return desk.plans().way("yours") != nullptr; }));
    const std::vector<PlannedGroup>& kernels = desk.plans().way("yours")->kernels;
    EXPECT_EQ(kernels.size(), 4U);
    EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), [](const PlannedGroup& kernel) {
        return kernel.nodes == plan::FusionGroup{0, 1};
    }));
}

TEST(PlanPage, a_kernel_says_which_kind_of_fusion_it_is) {
    SmallPlanDesk desk;
    const PlannedWay& exact = *desk.plans().way("exact");
    bool several = false;
    for (std::size_t i = 0; i < exact.kernels.size(); ++i) {
        const plan::FusionGroup& nodes = exact.kernels[i].nodes;
        const plan::FusionKind kind = plan::fusion_kind(desk.plans().program, desk.plans().graph, nodes);
        const QString said =
            desk.page.kernels().topLevelItem(static_cast<int>(i))->text(KernelsTable::Operators);
        const QString title = QString::fromStdString(plan::fusion_kind_row(kind).title.str());
        EXPECT_EQ(said.contains(title + QStringLiteral(", saves ")), nodes.size() > 1) << said.toStdString();
        several = several || nodes.size() > 1;
    }
    EXPECT_TRUE(several);
}

TEST(PlanPage, kernels_are_kept_and_the_rest_is_solved) {
    SmallPlanDesk desk;
    const double exact = desk.plans().way("exact")->plan.value;
    desk.page.ways().choose(desk.index_of("each"));
    desk.page.kernels().tick(0, true);
    const plan::FusionGroup kept = desk.plans().way("each")->kernels[0].nodes;
    desk.page.solve_button().click();
    ASSERT_TRUE(wait_until([&] { return desk.plans().way("decided") != nullptr; }));
    const PlannedWay* decided = desk.plans().way("decided");
    EXPECT_EQ(std::count_if(decided->kernels.begin(), decided->kernels.end(),
                            [&](const PlannedGroup& kernel) { return kernel.nodes == kept; }),
              1);
    EXPECT_GE(decided->plan.value, exact * (1 - 1e-12));
    EXPECT_LT(decided->plan.value, desk.plans().way("each")->plan.value) << "the rest is solved";
    EXPECT_EQ(desk.page.kernels().ticked().size(), 1U) << "the kept one, in the plan that is shown now";
    desk.page.ask_about(3, 4);
    desk.page.apart_button().click();
    ASSERT_TRUE(wait_until([&] {
        const PlannedWay* now = desk.plans().way("decided");
        return now && kernel_of(*now, 3) != kernel_of(*now, 4) && desk.page.forget_button().isEnabled();
    }));
    desk.page.forget_button().click();
    EXPECT_TRUE(wait_until([&] { return desk.plans().way("decided") == nullptr; }));
    EXPECT_FALSE(desk.page.forget_button().isEnabled());
}

TEST(PlanPage, ways_of_the_taxonomy_are_shown_step_by_step) {
    SmallPlanDesk desk;
    StepsBar& steps = desk.page.steps();
    EXPECT_TRUE(steps.isHidden()) << "the exact way has none";
    desk.page.ways().choose(desk.index_of("edges"));
    EXPECT_FALSE(steps.isHidden());
    EXPECT_EQ(steps.step(), nullptr);
    steps.stepping().click();
    ASSERT_NE(steps.step(), nullptr);
    EXPECT_EQ(steps.step()->nodes, (std::vector<int>{0, 1}));
    EXPECT_TRUE(steps.text().startsWith(QStringLiteral("1 of 4: A, B are one kernel from here on")))
        << steps.text().toStdString();
    EXPECT_FALSE(steps.back().isEnabled());
    desk.page.picture().repaint();
    const auto tip = [&](int node) {
        return desk.page.picture().spots()[static_cast<std::size_t>(node)].tip;
    };
    EXPECT_TRUE(tip(0).contains(QStringLiteral("B = elementwise")));
    EXPECT_FALSE(tip(2).contains(QStringLiteral("H = ")));
    for (int i = 0; i < 9; ++i) steps.forward().click();
    EXPECT_TRUE(steps.text().startsWith(QStringLiteral("4 of 4")));
    EXPECT_FALSE(steps.forward().isEnabled());
    desk.page.picture().repaint();
    EXPECT_TRUE(tip(2).contains(QStringLiteral("H = ")));
    steps.as_printed().click();
    EXPECT_TRUE(steps.text().contains(QStringLiteral("the group of B becomes A, B; that of A stays A")));
}

TEST(PlanPage, says_what_the_rules_and_the_guide_say) {
    SmallPlanDesk desk;
    desk.page.ask_about(0, 3);  // A and H
    EXPECT_TRUE(wait_until([&] {
        return desk.page.why().contains(QStringLiteral("rule 1: neither A nor H reads")) &&
               desk.page.why().contains(QStringLiteral("rule 2: A leads to H through B"));
    }));
    desk.page.ask_about(0, 1);
    EXPECT_TRUE(wait_until([&] {
        return desk.page.why().contains(QStringLiteral("The five rules of the taxonomy of fusion allow")) &&
               desk.page.why().contains(QStringLiteral("By the guide's estimate fusing 2 operators brings"));
    }));
    desk.page.add_to_question(3);
    EXPECT_TRUE(
        wait_until([&] { return desk.page.why().contains(QStringLiteral("fusing 3 operators brings")); }));
}

TEST(PlanPage, is_copied_as_text) {
    SmallPlanDesk desk;
    desk.page.copy_button().click();
    const QString text = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(text.startsWith(desk.page.sentence()));
    for (const PlannedWay& way : desk.plans().ways)
        EXPECT_TRUE(text.contains(QLatin1Char('\n') + way_title(way.name))) << way.name;
    EXPECT_TRUE(text.contains(QStringLiteral("Y = matmul")));
}

TEST(PlanPage, is_of_the_device_and_the_sizes_that_are_there_now) {
    SmallPlanDesk desk;
    const FoundPlansPtr before = desk.page.search().found();
    Forecast::of(desk.document).set_device("l4");
    EXPECT_FALSE(desk.page.sentence().contains(QStringLiteral("H100")));
    ASSERT_TRUE(wait_until([&] { return desk.page.search().found() != nullptr; }));
    EXPECT_EQ(desk.plans().device.name, "l4");
    EXPECT_NE(desk.plans().ways.front().plan.value, before->ways.front().plan.value);
    Forecast::of(desk.document).set_device("h100-sxm5");
    EXPECT_EQ(desk.page.search().found(), before) << "it is known";
    DimTable dims = desk.document.content().program()->dims;
    dims[0].size *= 2;
    desk.document.set_dims(dims);
    EXPECT_EQ(desk.page.search().found(), nullptr);
    ASSERT_TRUE(wait_until([&] { return desk.page.search().found() != nullptr; }));
    EXPECT_EQ(desk.plans().program.dims[0].size, dims[0].size);
}

// A large program is searched when somebody asks for it; cancelled, the page goes on as before.
TEST(PlanPage, can_be_cancelled) {
    PlanDesk desk;
    desk.open("decoder-block");
    desk.page.show();
    QTest::qWait(500);
    EXPECT_FALSE(desk.page.search().busy());
    EXPECT_TRUE(desk.page.sentence().contains(QString::number(desk.page.search().operators())));
    desk.page.find_button().click();
    EXPECT_TRUE(desk.page.search().busy());
    EXPECT_FALSE(desk.page.cancel_button().isHidden());
    desk.page.cancel_button().click();
    EXPECT_FALSE(desk.page.search().busy());
    EXPECT_EQ(desk.page.search().found(), nullptr);
    EXPECT_FALSE(desk.page.find_button().isHidden());
    EXPECT_TRUE(desk.page.find_button().isEnabled());
    desk.open_text(kSmallGatedMlp);
    EXPECT_TRUE(wait_until([&] { return desk.page.search().found() != nullptr; }));
}

TEST(PlanPage, a_search_that_was_cancelled_does_not_begin_by_itself) {
    PlanDesk desk;
    desk.open("rmsnorm-swiglu");
    desk.page.show();
    ASSERT_TRUE(wait_until([&] { return desk.page.search().busy(); }));
    desk.page.cancel_button().click();
    desk.page.hide();
    desk.page.show();
    QTest::qWait(500);
    EXPECT_FALSE(desk.page.search().busy());
    EXPECT_TRUE(desk.page.find_button().isEnabled());
}

TEST(PlanPage, a_block_program_has_no_plan) {
    PlanDesk desk;
    const ArrayProgram program = parse_program(kSmallGatedMlp, "mlp.bp").value();
    desk.document.reset(content_of_blocks(to_block_program(program).program, "blocks"), {});
    desk.page.show();
    EXPECT_TRUE(desk.page.sentence().contains(QStringLiteral("block program")));
    EXPECT_FALSE(desk.page.find_button().isEnabled());
    QTest::qWait(400);
    EXPECT_FALSE(desk.page.search().busy());
}

TEST(PlanPage, everything_has_a_name_for_screen_readers) {
    SmallPlanDesk desk;
    for (const QWidget* widget : desk.page.findChildren<QWidget*>())
        if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
            const bool scroll_part = widget->objectName().startsWith(QLatin1String("qt_"));
            EXPECT_TRUE(scroll_part || !widget->accessibleName().isEmpty())
                << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
        }
}

// However narrow the page is: what a kernel is stands beside its time, in lines of thirty letters at least.
TEST(PlanPage, operators_of_kernels_are_in_sight) {
    SmallPlanDesk desk;
    desk.page.resize(450, 700);
    const QHeaderView& header = *desk.page.kernels().header();
    EXPECT_EQ(header.visualIndex(KernelsTable::Operators), header.visualIndex(KernelsTable::Time) + 1);
    EXPECT_EQ(header.visualIndex(KernelsTable::Binds), header.visualIndex(KernelsTable::Operators) + 1);
    EXPECT_EQ(header.visualIndex(KernelsTable::Blocks), header.visualIndex(KernelsTable::Operators) + 2);
    EXPECT_GE(header.sectionSize(KernelsTable::Operators),
              30 * desk.page.kernels().fontMetrics().averageCharWidth());
}

// One way that takes a hundred times as long leaves the kernels of the others their room.
TEST(PlanPage, bars_of_slow_ways_are_cut) {
    SmallPlanDesk desk;
    FoundPlans plans = desk.plans();
    const std::size_t shown = desk.index_of("exact");
    PlannedWay& slow = plans.ways.at(desk.index_of("each"));
    slow.plan.value *= 100;
    for (PlannedGroup& kernel : slow.kernels) kernel.cost.seconds *= 100;
    QImage image(900, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    const std::vector<ChartSpot> spots = paint_timelines(painter, image.rect(), ChartStyle(), plans, shown);
    const auto wide = [&](std::size_t way) {
        double width = 0;
        for (const ChartSpot& spot : spots)
            if (spot.key == static_cast<int>(way)) width += spot.area.boundingRect().width();
        return width;
    };
    EXPECT_GT(wide(shown), 0.25 * wide(desk.index_of("each")));
    EXPECT_LT(wide(desk.index_of("each")), image.width());
}

// In the window: a second one, with a document of its own.
TEST(PlanPage, a_program_is_opened_in_a_window_of_its_own) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("matmul"));
    const std::string before = t.window.document().content().name;
    Forecast::of(t.window.document()).set_device("l4");
    t.window.services().open_program(QStringLiteral("mlp-A"), QString::fromLatin1(kSmallGatedMlp),
                                     StateChoice::step(3));
    MainWindow* other = nullptr;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget); window && window != &t.window) other = window;
    ASSERT_NE(other, nullptr);
    ASSERT_TRUE(wait_until([&] { return !other->document().empty(); }));
    EXPECT_EQ(other->document().content().name, "mlp-A");
    const Content& shown = other->document().content();
    EXPECT_TRUE(wait_until([&] { return shown.history.depth(other->document().content().current) == 3; }));
    EXPECT_EQ(Forecast::of(other->document()).device().name, "l4")
        << "the device of the window that it comes from";
    EXPECT_GT(other->document().content().history.states().size(), 1U) << "its own steps";
    EXPECT_EQ(t.window.document().content().name, before);
}

}  // namespace
}  // namespace blockscope::test
