// Block sizes that the model finds, in the window.
#include "app/costs/size_search.h"

#include <gtest/gtest.h>

#include <QToolButton>
#include <QTreeWidget>

#include "app/worker/predict.h"
#include "tests/costs/best_desk.h"
#include "tests/costs/page_desk.h"

namespace blockscope::test {
namespace {

struct SearchDesk : BestDesk {
    SearchDesk() { EXPECT_TRUE(search()); }
    bool search() {
        view.search().start();
        return wait_until([this] { return !view.search().busy(); });
    }
    BlockSizeSearchView view{document};
};

// The same choices with the same times as `tune --predict`.
TEST(BlockSizeSearch, finds_what_the_command_line_finds) {
    SearchDesk desk;
    const std::vector<SizeChoice>& found = desk.view.search().choices();
    ASSERT_GT(found.size(), 2U);
    std::vector<ChosenState> states;
    std::vector<StateId> ids;
    for (const StateId id : desk.costs.rows()) {
        states.push_back({desk.costs.of(id)->built, 0, {}});
        ids.push_back(id);
    }
    const worker::PredictedSearch expected =
        worker::search_predicted(states, desk.forecast.device(), static_cast<int>(found.size()));
    ASSERT_EQ(expected.best.size(), found.size());
    EXPECT_DOUBLE_EQ(found.front().seconds, expected.best.front().prediction.seconds);
    EXPECT_EQ(found.front().dims, expected.best.front().dims);
    EXPECT_EQ(found.front().state, ids[expected.best.front().state]);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](const auto& a, const auto& b) { return a.seconds < b.seconds; }));
    for (const SizeChoice& choice : found) EXPECT_FALSE(choice.binds.empty());
    EXPECT_EQ(desk.view.table().topLevelItemCount(), static_cast<int>(found.size()));
    EXPECT_LE(found.front().seconds, *desk.best.value_of(*desk.best.state()))
        << "its own sizes are among them";
}

// What is used is what was promised, at once on all pages, and one undo for the sizes takes it back.
TEST(BlockSizeSearch, block_sizes_that_are_used_give_the_time_that_was_promised) {
    SearchDesk desk;
    const DimTable before = desk.document.content().program()->dims;
    const SizeChoice best = desk.view.search().choices().front();
    desk.view.use_button().click();
    EXPECT_EQ(desk.document.content().program()->dims, best.dims);
    EXPECT_EQ(desk.document.content().current, best.state);
    ASSERT_TRUE(desk.settle());
    EXPECT_DOUBLE_EQ(desk.forecast.at_once(best.state)->seconds, best.seconds);
    EXPECT_TRUE(desk.view.search().in_use(desk.view.search().choices().front()));
    EXPECT_FALSE(desk.view.use_button().isEnabled()) << "they are used";
    if (best.dims != before) {
        desk.document.undo();
        EXPECT_EQ(desk.document.content().program()->dims, before);
    }
}

TEST(BlockSizeSearch, names_its_model_where_the_page_has_another_one) {
    SearchDesk desk;
    EXPECT_TRUE(desk.view.sentence().contains(QStringLiteral("as it is")));
    desk.forecast.set_model("roofline");
    EXPECT_TRUE(desk.view.sentence().contains(QStringLiteral("These times are by the model \"Blockscope\".")))
        << desk.view.sentence().toStdString();
    EXPECT_FALSE(desk.view.sentence().contains(QStringLiteral("as it is")))
        << "that time is of another model";
}

TEST(BlockSizeSearch, is_of_the_sizes_and_the_device_that_it_was_made_for) {
    SearchDesk desk;
    ASSERT_FALSE(desk.view.search().choices().empty());
    desk.forecast.set_device("l4");
    EXPECT_TRUE(desk.view.search().choices().empty());
    EXPECT_EQ(desk.view.table().topLevelItemCount(), 0);
    ASSERT_TRUE(desk.settle());
    ASSERT_TRUE(desk.search());
    ASSERT_FALSE(desk.view.search().choices().empty());
    DimTable dims = desk.document.content().program()->dims;
    dims[0].size *= 2;
    desk.document.set_dims(dims);
    EXPECT_TRUE(desk.view.search().choices().empty());
}

TEST(BlockSizeSearch, can_be_cancelled) {
    BestDesk desk("decoder-block");
    BlockSizeSearchView view(desk.document);
    view.search().start();
    EXPECT_TRUE(view.search().busy());
    EXPECT_FALSE(view.cancel_button().isHidden());
    view.cancel_button().click();
    EXPECT_FALSE(view.search().busy());
    EXPECT_TRUE(view.cancel_button().isHidden());
    EXPECT_TRUE(view.search().choices().empty());
}

// The button stands beside those that measure; what it finds, behind the table.
TEST(BlockSizeSearch, has_a_button_on_the_costs_page) {
    PageDesk desk;
    auto* button = desk.page->findChild<QToolButton*>(QStringLiteral("search_sizes"));
    ASSERT_NE(button, nullptr);
    button->click();
    EXPECT_TRUE(desk.page->size_search().isVisible());
    EXPECT_TRUE(wait_until([&] { return !desk.page->size_search().search().busy(); }));
    EXPECT_FALSE(desk.page->size_search().search().choices().empty());
}

}  // namespace
}  // namespace blockscope::test
