// Algorithm 1 and measuring on the page Tilings: what is found is kept by the document, and goes on where it
// was ended.
#include <gmock/gmock.h>

#include <QSpinBox>
#include <QTest>
#include <QThread>
#include <QToolButton>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/tilings/candidates_view.h"
#include "app/tilings/plots_view.h"
#include "app/tilings/search_view.h"
#include "app/tilings/tilings_words.h"
#include "tests/tilings_view/tilings_desk.h"

namespace blockscope::test {
namespace {

TEST(TilingsSearch, goes_round_by_round_to_the_answers_of_the_algorithm) {
    SmallTilingsDesk desk;
    SearchView& view = desk.page.search();
    EXPECT_EQ(view.rounds().topLevelItemCount(), 0);
    view.next_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    EXPECT_EQ(view.rounds().topLevelItemCount(), 1);
    EXPECT_GT(view.measured().topLevelItemCount(), 0);
    view.run_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    const tilings::Search* found = desk.page.study().search();
    ASSERT_NE(found, nullptr);
    const tilings::Search expected = desk.ranked().searcher->run(
        desk.page.study().choices().search_options(), [&](const tilings::Candidate& candidate) {
            return TilingsDesk::seconds_of(desk.space(), candidate);
        });
    EXPECT_EQ(found->rounds.size(), expected.rounds.size());
    EXPECT_EQ(found->end, expected.end);
    EXPECT_EQ(found->best, expected.best);
    EXPECT_EQ(found->returned, expected.returned);
    EXPECT_EQ(found->known, expected.known);
    EXPECT_EQ(desk.runs, expected.measurements()) << "each candidate is run once";
    EXPECT_EQ(view.rounds().topLevelItemCount(), static_cast<int>(expected.rounds.size()));
    EXPECT_TRUE(view.text().contains(candidate_title(desk.ranked(), *expected.best)));
    EXPECT_TRUE(view.text().contains(candidate_title(desk.ranked(), *expected.returned)));
    EXPECT_FALSE(view.run_button().isEnabled()) << "it has ended";
    view.rounds().setCurrentItem(view.rounds().topLevelItem(0));
    EXPECT_EQ(view.mutations().topLevelItemCount(), static_cast<int>(expected.rounds[0].mutations.size()));
    EXPECT_TRUE(view.round_said().startsWith(QStringLiteral("Round 1: ")));
}

// A document that is saved and opened again has the same rounds, and measures nothing for them.
TEST(TilingsSearch, is_kept_by_the_document) {
    SmallTilingsDesk desk;
    desk.page.search().seed().setValue(5);
    ASSERT_TRUE(desk.page.study().choices().seed == 5);
    desk.page.search().run_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    ASSERT_NE(desk.page.study().search(), nullptr);
    const tilings::Search before = *desk.page.study().search();
    const std::string saved = write_document(desk.document.content());
    const int runs = desk.runs;
    desk.document.reset(read_document(saved, "f").value(), {});
    ASSERT_TRUE(wait_until([&] { return desk.page.study().found() && desk.page.study().search(); }));
    const tilings::Search& after = *desk.page.study().search();
    EXPECT_EQ(after.options.seed, 5U);
    EXPECT_EQ(after.known, before.known);
    EXPECT_EQ(after.best, before.best);
    EXPECT_EQ(after.returned, before.returned);
    ASSERT_EQ(after.rounds.size(), before.rounds.size());
    for (std::size_t i = 0; i < before.rounds.size(); ++i)
        EXPECT_EQ(after.rounds[i].population, before.rounds[i].population) << i;
    EXPECT_EQ(desk.runs, runs);
    EXPECT_EQ(write_document(desk.document.content()), saved);
}

TEST(TilingsSearch, undo_takes_it_back_and_redo_brings_it_again) {
    SmallTilingsDesk desk;
    desk.page.search().run_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    const std::size_t rounds = desk.page.study().search()->rounds.size();
    EXPECT_EQ(desk.document.undo_label(), QStringLiteral("Search tilings"));
    desk.document.undo();
    EXPECT_FALSE(desk.document.can_undo()) << "one entry";
    ASSERT_TRUE(wait_until([&] { return desk.page.study().search() == nullptr; }));
    EXPECT_EQ(desk.page.search().rounds().topLevelItemCount(), 0);
    desk.document.redo();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().search() != nullptr; }));
    EXPECT_EQ(desk.page.study().search()->rounds.size(), rounds);
}

TEST(TilingsSearch, another_seed_is_another_search_and_the_kept_one_can_be_shown) {
    SmallTilingsDesk desk;
    SearchView& view = desk.page.search();
    view.run_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    const std::size_t rounds = desk.page.study().search()->rounds.size();
    view.seed().setValue(2);
    ASSERT_TRUE(wait_until([&] { return desk.page.study().search() == nullptr; }));
    EXPECT_NE(desk.page.study().other_search(), nullptr);
    EXPECT_TRUE(view.text().contains(QStringLiteral("The document keeps a search")));
    view.use_button().click();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().search() != nullptr; }));
    EXPECT_EQ(view.seed().value(), 1);
    EXPECT_EQ(view.rounds().topLevelItemCount(), static_cast<int>(rounds));
    view.anew_button().click();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().search() == nullptr; }));
    EXPECT_GT(desk.page.study().measured(), 0) << "measured times stay";
}

// Of a real document the same candidates with the same numbers of rounds; times are what they are.
TEST(TilingsSearch, runs_candidates_on_this_processor) {
    TilingsDesk desk;
    desk.open_text(kSmallTilingChain);
    desk.page.show();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().found() != nullptr; }));
    desk.page.study().measure({desk.ranked().order.front(), desk.ranked().order.back()});
    ASSERT_TRUE(desk.wait_for_measuring());
    ASSERT_NE(desk.page.study().run(), nullptr);
    EXPECT_EQ(desk.page.study().run()->machine, desk.page.study().machine().toStdString());
    EXPECT_EQ(desk.page.study().measured(), 2);
    for (const auto& [candidate, seconds] : desk.page.study().run()->measured) {
        ASSERT_TRUE(seconds) << candidate;
        EXPECT_GT(*seconds, 0) << candidate;
    }
}

// ---- Measuring all of them.

TEST(MeasuredTilings, are_kept_and_drawn) {
    SmallTilingsDesk desk;
    desk.page.measure_all_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    const int all = static_cast<int>(desk.space().candidates.size());
    EXPECT_EQ(desk.page.study().measured(), all);
    EXPECT_EQ(desk.page.measured_text(), QStringLiteral("%1 of %1 measured").arg(whole_text(all)));
    std::vector<double> estimates, seconds;
    for (int i = 0; i < all; ++i)
        if (const auto time =
                TilingsDesk::seconds_of(desk.space(), desk.space().candidates[static_cast<std::size_t>(i)])) {
            estimates.push_back(desk.ranked().estimates()[static_cast<std::size_t>(i)]);
            seconds.push_back(*time);
        }
    PlotsView& plots = desk.page.plots();
    EXPECT_TRUE(plots.ranking().startsWith(ranking_text(tilings::compare_ranking(estimates, seconds))));
    EXPECT_TRUE(plots.ranking().contains(QStringLiteral("choose a processor"))) << "an A100 is none";
    plots.dots().resize(500, 400);
    plots.dots().grab();
    EXPECT_EQ(plots.dots().spots().size(), seconds.size());
    // A dot is chosen in the table, too.
    Q_EMIT plots.candidate_chosen(desk.ranked().order[3]);
    EXPECT_EQ(desk.page.candidates().chosen(), std::vector<int>{desk.ranked().order[3]});
    const CandidateTable& model = desk.page.candidates().model();
    int row = 0;
    while (desk.space().candidates[static_cast<std::size_t>(model.candidate(row))].tiles[0] == 48) ++row;
    EXPECT_EQ(model.data(model.index(row, CandidateTable::Measured), Qt::DisplayRole).toString(),
              time_text(*TilingsDesk::seconds_of(
                  desk.space(), desk.space().candidates[static_cast<std::size_t>(model.candidate(row))])));
}

// Cancelled, it keeps what was measured, and goes on from there.
TEST(MeasuredTilings, go_on_where_they_were_cancelled) {
    SmallTilingsDesk desk;
    std::atomic<bool> hold = true;
    desk.page.study().measure_by(
        [&](const tilings::Space& space, const tilings::Candidate& candidate) {
            if (++desk.runs >= 5)
                while (hold) QThread::msleep(1);
            return TilingsDesk::seconds_of(space, candidate);
        },
        QStringLiteral("a machine"));
    desk.page.measure_all_button().click();
    EXPECT_FALSE(desk.page.cancel_button().isHidden());
    ASSERT_TRUE(wait_until([&] { return desk.runs == 5; }));
    desk.page.cancel_button().click();
    EXPECT_FALSE(desk.page.study().measuring());
    EXPECT_EQ(desk.page.study().measured(), 4);
    EXPECT_TRUE(desk.document.has_work());
    // What runs is held until the next job is begun: a fifth time would be kept with the first four.
    desk.page.measure_all_button().click();
    hold = false;
    ASSERT_TRUE(desk.wait_for_measuring());
    const int all = static_cast<int>(desk.space().candidates.size());
    EXPECT_EQ(desk.page.study().measured(), all);
    EXPECT_LE(desk.runs, all + 1) << "only the one that was running is run again";
    const int once = desk.runs;
    desk.page.measure_all_button().click();
    ASSERT_TRUE(desk.wait_for_measuring());
    EXPECT_EQ(desk.runs, once + all) << "where all are known, all are measured again";
    desk.document.undo();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().measured() == 4; }));
    desk.document.undo();
    ASSERT_TRUE(wait_until([&] { return desk.page.study().measured() == 0; }));
}

// A click that was begun on the page of the program before: there is no space yet that could be measured.
TEST(MeasuredTilings, wait_for_the_space_of_a_program_that_was_just_opened) {
    SmallTilingsDesk desk;
    desk.open_text(kSmallTilingChain);
    ASSERT_EQ(desk.page.study().found(), nullptr);
    desk.page.study().measure_all();
    desk.page.study().next_round();
    desk.page.study().run_search();
    EXPECT_FALSE(desk.page.study().measuring());
    EXPECT_EQ(desk.runs, 0);
}

// The states of expressions were still being found for the program before: nothing of it may be gone on with,
// not even while the page is hidden.
TEST(TilingsStates, are_given_up_with_their_program) {
    TilingsDesk desk;
    desk.open_text(kSmallTilingChain);
    desk.page.show();
    const TilingsStudy& study = desk.page.study();
    QObject::connect(&study, &TilingsStudy::changed, &desk.page, [&] {
        if (!study.found() || desk.page.isHidden()) return;
        desk.page.hide();
        desk.open_text(kSmallTilingChain);
    });
    ASSERT_TRUE(wait_until([&] { return desk.page.isHidden(); }));
    QTest::qWait(500);
    EXPECT_EQ(study.found(), nullptr);
    EXPECT_EQ(study.states(), nullptr);
}

// What another machine measured is shown, and said to be of that one; this one measures its own.
TEST(MeasuredTilings, of_another_machine_are_its_own) {
    SmallTilingsDesk desk;
    desk.page.study().measure({desk.ranked().order.front()});
    ASSERT_TRUE(desk.wait_for_measuring());
    const std::string saved = write_document(desk.document.content());
    TilingsDesk other;
    other.document.reset(read_document(saved, "f").value(), {});
    other.page.show();
    ASSERT_TRUE(wait_until([&] { return other.page.study().found() != nullptr; }));
    EXPECT_EQ(other.page.study().measured(), 1);
    EXPECT_EQ(other.page.study().run()->machine, "a machine");
    other.page.study().measure({other.ranked().order.back()});
    ASSERT_TRUE(other.wait_for_measuring());
    EXPECT_EQ(other.page.study().run()->machine, other.page.study().machine().toStdString());
    EXPECT_EQ(other.page.study().measured(), 1);
    EXPECT_EQ(other.document.content().tilings->runs.size(), 2U);
}

TEST(MeasuredTilings, of_a_chain_that_is_too_large_are_refused) {
    TilingsDesk desk;
    desk.open_text(
        "dim M = 65536\ndim N = 65536\ndim K = 4096\ninput A[M, K], B[K, N] : f16\n"
        "output C = A @ B\n");
    ASSERT_TRUE(desk.show_and_find());
    EXPECT_FALSE(desk.page.measure_all_button().isEnabled());
    EXPECT_TRUE(desk.page.study().cannot_measure().contains(QStringLiteral("too large")));
    desk.page.study().measure_all();
    EXPECT_FALSE(desk.page.study().measuring());
    EXPECT_EQ(desk.runs, 0);
}

}  // namespace
}  // namespace blockscope::test
