// The page Layers: the parts of a model, repeated ones once, and parts that are opened as programs.
#include "app/plan/layers_page.h"

#include <gmock/gmock.h>

#include <QTest>
#include <QToolButton>

#include "app/costs/cost_table.h"
#include "core/program/convert.h"
#include "tests/panels/text_support.h"
#include "tests/window/window_support.h"

namespace blockscope::test {
namespace {

// Three layers of an attention and an MLP, then a norm.
std::string stack() {
    std::string inputs = "input X[M, D]", text, x = "X";
    for (int i = 0; i < 3; ++i) {
        const std::string n = std::to_string(i), layer = "layer_" + n;
        for (const char* weight : {"q", "k", "v", "up", "down"}) inputs += ", " + (weight + n) + "[D, D]";
        text += layer + "_n = layernorm(" + x + ")\n";
        text += layer + "_p = softmax((" + layer + "_n @ q" + n + ") @ (" + layer + "_n @ k" + n + ").T)\n";
        text += layer + "_a = " + x + " + " + layer + "_p @ (" + layer + "_n @ v" + n + ")\n";
        text +=
            layer + " = " + layer + "_a + relu(layernorm(" + layer + "_a) @ up" + n + ") @ down" + n + "\n";
        x = layer;
    }
    return "dim M = 64 / 64\ndim D = 64 / 64\n" + inputs + "\n" + text + "output Y = softmax(" + x + ")\n";
}

struct LayersDesk : Desk {
    LayersDesk() {
        services.say = [this](const QString& text) { said = text; };
        services.open_program = [this](const QString& name, const QString& text,
                                       const std::optional<StateChoice>&) {
            opened_name = name;
            opened = text.toStdString();
        };
        Forecast::of(document).set_device("h100-sxm5");
    }
    bool show_found(const std::string& text) {
        document.reset(run_algorithm(content_of_source(text, "stack.bp").value(), 0), {});
        page.resize(900, 500);
        page.show();
        return wait_until([this] { return page.found() != nullptr; });
    }

    QString said, opened_name;
    std::string opened;
    LayersPage page{document, services};
};

TEST(LayersPage, costs_nothing_until_it_is_seen) {
    LayersDesk desk;
    desk.document.reset(run_algorithm(content_of_source(stack(), "stack.bp").value(), 0), {});
    EXPECT_TRUE(desk.page.findChildren<QWidget*>().isEmpty());
}

TEST(LayersPage, shows_a_repeated_layer_once) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(stack()));
    LayersTable& table = desk.page.table();
    ASSERT_EQ(table.topLevelItemCount(), 2);
    const QTreeWidgetItem& layer = *table.topLevelItem(0);
    EXPECT_EQ(layer.text(LayersTable::What), QStringLiteral("layer_0 to layer_2, 3 times"));
    EXPECT_EQ(layer.text(LayersTable::Times), QStringLiteral("3"));
    ASSERT_EQ(layer.childCount(), 2);
    EXPECT_EQ(layer.child(0)->text(LayersTable::What), QStringLiteral("attention"));
    EXPECT_EQ(layer.child(1)->text(LayersTable::What), QStringLiteral("MLP"));
    EXPECT_EQ(table.topLevelItem(1)->text(LayersTable::What), QStringLiteral("softmax"));
    EXPECT_TRUE(table.topLevelItem(1)->text(LayersTable::Times).isEmpty());
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("3 equal layers take ")))
        << desk.page.sentence().toStdString();
    // A row of a repeated layer says what all of them take.
    const plan::ModelLayers& layers = desk.page.found()->layers;
    double seconds = 0;
    for (const int part : {0, 2, 4}) seconds += layers.parts[static_cast<std::size_t>(part)].cost.seconds;
    EXPECT_EQ(layer.child(0)->text(LayersTable::Time), time_text(seconds));
}

int operators_of(const std::string& text) {
    return plan::operator_graph(parse_program(text, "").value()).nodes();
}

TEST(LayersPage, opens_a_layer_or_a_part_as_a_program) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(stack()));
    QTest::keyClick(&desk.page.table(), Qt::Key_Return);
    EXPECT_EQ(desk.opened_name, QStringLiteral("stack-parts-1-2"));
    EXPECT_THAT(desk.opened, testing::AllOf(testing::HasSubstr("softmax("), testing::HasSubstr("relu(")));
    desk.page.table().setCurrentItem(desk.page.table().topLevelItem(0)->child(1));
    QTest::keyClick(&desk.page.table(), Qt::Key_Return);
    EXPECT_EQ(desk.opened_name, QStringLiteral("stack-part-2"));
    EXPECT_THAT(desk.opened, testing::HasSubstr("relu("));
    EXPECT_THAT(desk.opened, testing::Not(testing::HasSubstr("softmax(")));
    EXPECT_GT(operators_of(desk.opened), 3);
}

// What lies between the chosen rows belongs to them.
TEST(LayersPage, opens_several_parts_as_one_program) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(stack()));
    desk.page.table().selectAll();
    desk.page.open_button().click();
    EXPECT_EQ(desk.opened_name, QStringLiteral("stack-parts-1-7"));
    EXPECT_EQ(operators_of(desk.opened), operators_of(stack()));
}

TEST(LayersPage, follows_the_device) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(stack()));
    const double before = desk.page.found()->layers.all.seconds;
    Forecast::of(desk.document).set_device("rtx-4090");
    ASSERT_TRUE(
        wait_until([&] { return desk.page.found() && desk.page.found()->device.name == "rtx-4090"; }));
    EXPECT_NE(desk.page.found()->layers.all.seconds, before);
}

TEST(LayersPage, says_why_a_block_program_has_none) {
    LayersDesk desk;
    Content content = content_of_source(stack(), "stack.bp").value();
    content.array.reset();
    desk.document.reset(run_algorithm(std::move(content), 0), {});
    desk.page.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("This document holds a block program alone")));
    EXPECT_FALSE(desk.page.table().isVisible());
}

}  // namespace
}  // namespace blockscope::test
