// The page Layers: the parts of a model, repeated ones once, and parts that are opened as programs.
#include "app/plan/layers_page.h"

#include <gmock/gmock.h>

#include <QTest>
#include <QToolButton>

#include "core/program/convert.h"
#include "tests/panels/text_support.h"
#include "tests/window/window_support.h"

namespace blockscope::test {
namespace {

// Three layers of two parts (two products in a row are two parts), then a norm.
constexpr const char* kStack = R"(dim M = 64 / 64
dim D = 64 / 64
dim F = 128 / 64
input X[M, D], A[D, F], B[F, D], C[D, F], E[F, D], G[D, F], H[F, D]
x1 = relu(X @ A)
x2 = X + x1 @ B
x3 = relu(x2 @ C)
x4 = x2 + x3 @ E
x5 = relu(x4 @ G)
x6 = x4 + x5 @ H
output Y = softmax(x6)
)";

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
    bool show_found(const char* text) {
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
    desk.document.reset(run_algorithm(content_of_source(kStack, "stack.bp").value(), 0), {});
    EXPECT_TRUE(desk.page.findChildren<QWidget*>().isEmpty());
}

TEST(LayersPage, shows_a_repeated_layer_once) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(kStack));
    LayersTable& table = desk.page.table();
    ASSERT_EQ(table.topLevelItemCount(), 2);
    const QTreeWidgetItem& layer = *table.topLevelItem(0);
    EXPECT_EQ(layer.text(LayersTable::Times), QStringLiteral("3"));
    EXPECT_EQ(table.topLevelItem(1)->text(LayersTable::What), QStringLiteral("softmax"));
    EXPECT_TRUE(table.topLevelItem(1)->text(LayersTable::Times).isEmpty());
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("3 equal layers take ")))
        << desk.page.sentence().toStdString();
}

TEST(LayersPage, opens_a_part_as_a_program) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(kStack));
    QTest::keyClick(&desk.page.table(), Qt::Key_Return);
    EXPECT_EQ(desk.opened_name, QStringLiteral("stack-part-1"));
    const Result<ArrayProgram> part = parse_program(desk.opened, "part");
    ASSERT_TRUE(part) << desk.opened;
    EXPECT_EQ(part->outputs.size(), 1U);
    EXPECT_THAT(desk.opened, testing::HasSubstr("relu("));
    EXPECT_THAT(desk.opened, testing::Not(testing::HasSubstr("softmax")));
}

// What lies between the chosen rows belongs to them.
TEST(LayersPage, opens_several_parts_as_one_program) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(kStack));
    desk.page.table().selectAll();
    desk.page.open_button().click();
    EXPECT_EQ(desk.opened_name, QStringLiteral("stack-parts-1-4"));
    EXPECT_THAT(desk.opened, testing::HasSubstr("softmax"));
    const auto operators = [](const std::string& text) {
        return plan::operator_graph(parse_program(text, "").value()).nodes();
    };
    EXPECT_EQ(operators(desk.opened), operators(kStack));
}

TEST(LayersPage, follows_the_device) {
    LayersDesk desk;
    ASSERT_TRUE(desk.show_found(kStack));
    const double before = desk.page.found()->layers.all.seconds;
    Forecast::of(desk.document).set_device("rtx-4090");
    ASSERT_TRUE(
        wait_until([&] { return desk.page.found() && desk.page.found()->device.name == "rtx-4090"; }));
    EXPECT_NE(desk.page.found()->layers.all.seconds, before);
}

TEST(LayersPage, says_why_a_block_program_has_none) {
    LayersDesk desk;
    Content content = content_of_source(kStack, "stack.bp").value();
    content.array.reset();
    desk.document.reset(run_algorithm(std::move(content), 0), {});
    desk.page.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("This document holds a block program alone")));
    EXPECT_FALSE(desk.page.table().isVisible());
}

}  // namespace
}  // namespace blockscope::test
