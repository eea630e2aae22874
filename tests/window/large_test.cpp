// Ten thousand nodes stay usable through folding.
#include <gmock/gmock.h>

#include <QStandardItem>
#include <QTreeView>

#include "app/panels/outline_panel.h"
#include "app/scene/canvas.h"
#include "app/window/picture_view.h"
#include "tests/support/decoder_stack.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

constexpr int kBlocks = 20;

class Large : public testing::Test {
protected:
    void SetUp() override {
        const std::string text = print_program(decoder_stack(kBlocks));
        t.window.open_file(t.file("large.bp", QByteArray::fromStdString(text)));
        ASSERT_TRUE(
            test::wait_until([&] { return !document().empty() && !t.window.services().work.busy(); }));
        ASSERT_GE(node_count(*document().content().program()), 10'000);
        t.window.actions().trigger("view.fold_all");
        ASSERT_TRUE(settled());
    }
    Document& document() { return t.window.document(); }
    const Picture& picture() { return *t.window.view().picture(); }
    bool settled() {
        return test::wait_until([&] {
            const auto known = t.window.services().pictures.known(
                document().snapshot(), document().content().current, t.window.view().shape());
            return known && known == t.window.view().picture();
        });
    }
    void folded_it_is_small_and_one_map_unfolds_alone();
    void steps_forward_and_back_while_folded();
    void the_outline_fills_without_holding_up_the_window();

    test::TestWindow t;
};

// One window for all of it, which is what takes time.
TEST_F(Large, FoldsUnfoldsStepsAndListsItsOutline) {
    ASSERT_NO_FATAL_FAILURE(folded_it_is_small_and_one_map_unfolds_alone());
    ASSERT_NO_FATAL_FAILURE(steps_forward_and_back_while_folded());
    ASSERT_NO_FATAL_FAILURE(the_outline_fills_without_holding_up_the_window());
}

void Large::folded_it_is_small_and_one_map_unfolds_alone() {
    const std::size_t folded = picture().figure.boxes.size();
    EXPECT_LT(folded, 5'000U);
    NodeId map;
    for (const Box& box : picture().figure.boxes)
        if (box.kind == BoxKind::Cloud) map = box.id();
    ASSERT_TRUE(map);
    document().toggle_fold(map);
    ASSERT_TRUE(settled());
    EXPECT_EQ(picture().figure.boxes[picture().figure.find(map)].kind, BoxKind::Frame);
    EXPECT_GT(picture().figure.boxes.size(), folded);
    EXPECT_LT(picture().figure.boxes.size(), folded + 50);
    document().undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(picture().figure.boxes.size(), folded);
}

void Large::steps_forward_and_back_while_folded() {
    const PicturePtr first = t.window.view().picture();
    for (int i = 0; i < 3; ++i) {
        document().forward();
        document().wait();
        ASSERT_TRUE(settled());
        EXPECT_EQ(document().content().current, i + 1);
    }
    for (int i = 0; i < 3; ++i) document().back();
    ASSERT_TRUE(settled());
    EXPECT_EQ(t.window.view().picture(), first);
}

void Large::the_outline_fills_without_holding_up_the_window() {
    t.window.services().show_panel("panel.outline");
    auto* outline = t.window.findChild<OutlinePanel*>();
    ASSERT_NE(outline, nullptr);
    document().go(1);
    const NodePtr last = document().content().program()->graph->nodes().back();
    EXPECT_EQ(outline->item(last->id), nullptr) << "later";
    ASSERT_TRUE(test::wait_until([&] { return outline->item(last->id) != nullptr; }));
    document().select({{last->id}, {}, {}});
    EXPECT_TRUE(outline->tree().selectionModel()->isSelected(outline->item(last->id)->index()));
}

}  // namespace
}  // namespace blockscope
