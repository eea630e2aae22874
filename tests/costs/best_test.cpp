// The best state of a document: by which objective, over which states, in which words, and where it is
// marked.
#include "app/costs/best.h"

#include <gmock/gmock.h>

#include <QAccessible>
#include <QLabel>

#include "app/costs/choosers.h"
#include "app/costs/size_search.h"
#include "app/panels/history_panel.h"
#include "app/panels/rule_card.h"
#include "app/panels/timeline.h"
#include "app/worker/predict.h"
#include "core/state/step_effect.h"
#include "tests/costs/best_desk.h"
#include "tests/costs/page_desk.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::Not;

// The command line's `--state best` and the window's star are the same state with the same value.
TEST(Best, is_the_state_that_the_command_line_chooses) {
    for (const char* sample : {"attention", "decoder-block", "rmsnorm-swiglu", "layernorm-matmul"}) {
        SCOPED_TRACE(sample);
        BestDesk desk(sample);
        const Device& device = desk.forecast.device();
        const Ranking ranking =
            rank(desk.history().states_on_the_way(desk.last()), safe_form(), [&](const State& state) {
                return worker::predict_as_built(desk.forecast.model(), state, device).seconds;
            });
        EXPECT_EQ(desk.history().depth(*desk.best.state()), ranking.best().step);
        EXPECT_DOUBLE_EQ(*desk.best.value_of(*desk.best.state()), ranking.best().value);
        EXPECT_DOUBLE_EQ(*desk.best.value_of(*desk.best.runner_up()), ranking.states.at(1).value);
    }
}

TEST(Best, sentence_names_objective_device_state_and_what_the_last_one_loses) {
    BestDesk desk("decoder-block");
    ASSERT_NE(*desk.best.state(), desk.last()) << "the end is not the goal";
    const double times = *desk.best.value_of(desk.last()) / *desk.best.value_of(*desk.best.state());
    EXPECT_GT(times, 10);
    const std::string sentence = desk.best.sentence().toStdString();
    EXPECT_THAT(sentence, HasSubstr("Best by predicted time on NVIDIA H100"));
    EXPECT_THAT(sentence, HasSubstr("the last state is " + times_text(times) + " times slower."));
    EXPECT_THAT(desk.best.standing(desk.last()).toStdString(), HasSubstr("times slower than the best"));
    EXPECT_EQ(desk.best.standing(*desk.best.state()), QStringLiteral("Best state"));
}

// States of all branches: the one with the least is found wherever it is, and go() shows its branch.
TEST(Best, is_sought_on_all_branches) {
    BestDesk desk;
    desk.document.home();
    const std::vector<Match> matches = all_matches(*desk.document.content().program());
    ASSERT_GT(matches.size(), 1u);
    desk.document.apply(matches.back());
    ASSERT_EQ(desk.history().branches().size(), 2u);
    ASSERT_TRUE(desk.settle());
    const StateId best = *desk.best.state();
    for (const auto& [id, state] : desk.history().states())
        EXPECT_GE(*desk.best.value_of(id), *desk.best.value_of(best)) << id;
    ASSERT_GT(desk.history().depth(best), 1) << "on the branch that is not shown";
    EXPECT_THAT(desk.best.sentence().toStdString(), HasSubstr("of \"Algorithm\""));
    desk.best.go();
    EXPECT_EQ(desk.document.content().current, best);
    EXPECT_EQ(desk.document.content().branch, desk.history().branches().front().id);
    // What is removed is no candidate any more.
    desk.document.remove_branch(desk.history().branches().front().id);
    ASSERT_TRUE(desk.settle());
    EXPECT_TRUE(desk.history().has(*desk.best.state()));
}

TEST(Best, follows_the_objective) {
    BestDesk desk("decoder-block");
    desk.best.set_objective(ObjectiveKind::Traffic);
    ASSERT_TRUE(desk.settle());
    const StateId best = *desk.best.state();
    for (const StateId id : desk.costs.candidates())
        EXPECT_GE(desk.costs.of(id)->state.counts().bytes(), desk.costs.of(best)->state.counts().bytes());
    EXPECT_EQ(desk.best.value_of(best), moved_bytes(desk.costs.of(best)->state)) << "of the listing";
    EXPECT_FALSE(desk.best.plain_value());
    EXPECT_THAT(desk.best.sentence().toStdString(), HasSubstr("as many bytes"));
    desk.best.set_objective(ObjectiveKind::Measured);
    EXPECT_FALSE(desk.best.state()) << "nothing was measured";
    EXPECT_TRUE(desk.best.sentence().isEmpty());
}

// Another device has other times; of the plain form they are other ones than of the safe form that is built.
TEST(Best, follows_the_device_and_the_form) {
    BestDesk desk;
    const double safe = *desk.best.value_of(0);
    desk.costs.set_safe(false);
    ASSERT_TRUE(desk.settle());
    EXPECT_LT(*desk.best.value_of(0), safe);
    desk.costs.set_safe(true);
    ASSERT_TRUE(desk.settle());
    EXPECT_DOUBLE_EQ(*desk.best.value_of(0), safe);
    desk.forecast.set_device("l4");
    EXPECT_TRUE(desk.best.objective_text().contains(QStringLiteral("L4")));
    EXPECT_NE(desk.best.value_of(0), safe) << "no number of the device before under the name of this one";
    ASSERT_TRUE(desk.settle());
    EXPECT_GT(*desk.best.value_of(0), safe);
}

// The plain form of attention overflows: on a card and on a processor the safe one is the best, and the
// sentence says what that costs. A program without exponentials has one form, which is plain.
TEST(Best, is_safe_to_compute_and_says_what_that_costs) {
    BestDesk desk;
    for (const char* name : {"h100-sxm5", "xeon-8480"}) {
        SCOPED_TRACE(name);
        desk.forecast.set_device(name);
        ASSERT_TRUE(desk.settle());
        ASSERT_TRUE(wait_until([&] { return desk.best.plain_value().has_value(); }));
        const State listed = desk.costs.of(*desk.best.state())->state;
        const auto seconds = [&](const State& state) {
            return worker::predict_as_built(desk.forecast.model(), state, desk.forecast.device()).seconds;
        };
        EXPECT_DOUBLE_EQ(*desk.best.plain_value(), seconds(listed));
        EXPECT_DOUBLE_EQ(*desk.best.value_of(*desk.best.state()),
                         seconds(listed.in_form(computable_form(listed.form()))));
        EXPECT_GT(*desk.best.value_of(*desk.best.state()), *desk.best.plain_value());
        const std::string sentence = desk.best.sentence().toStdString();
        EXPECT_THAT(sentence, HasSubstr("(safe form): "));
        EXPECT_THAT(sentence, HasSubstr(desk.best.value_text(*desk.best.plain_value()).toStdString() +
                                        " plain, which can overflow)"));
    }
    BestDesk norm("rmsnorm-matmul");
    EXPECT_FALSE(norm.best.plain_value());
    EXPECT_THAT(norm.best.sentence().toStdString(), HasSubstr("(plain form): "));
}

// Against kernels that people have: the fastest of them. The decoder block's states lose by far, and the page
// says so.
TEST(Best, says_whether_it_is_worth_fusing) {
    BestDesk desk("decoder-block");
    ASSERT_TRUE(desk.settle_blocks());
    EXPECT_THAT(desk.best.verdict().toStdString(),
                HasSubstr("Do not fuse this as a whole: the best state is"));
    EXPECT_THAT(desk.best.verdict().toStdString(), HasSubstr("times slower than"));
    EXPECT_THAT(desk.best.verdict().toStdString(), HasSubstr("the best that a search found."));
    desk.best.set_objective(ObjectiveKind::Traffic);
    EXPECT_TRUE(desk.best.verdict().isEmpty()) << "baselines are compared by their times";
}

// Where a state loses in the file's block sizes, others are searched by itself, as `cost` does, and again on
// another device.
TEST(Best, says_what_other_block_sizes_give) {
    BestDesk desk("matmul");
    const auto now = [&] { return desk.best.verdict().toStdString(); };
    if (desk.best.searching_blocks()) {
        EXPECT_THAT(now(), HasSubstr("Others are being searched."));
    }
    ASSERT_TRUE(desk.settle_blocks());
    ASSERT_TRUE(desk.best.other_blocks());
    EXPECT_THAT(now(), HasSubstr("Do not fuse this: the best state is"));
    EXPECT_THAT(now(), HasSubstr("with " + desk.best.other_blocks()->sizes)) << "the best, and still slower";
    const std::string on_this_card = now();
    desk.forecast.set_device("l4");
    ASSERT_TRUE(desk.settle());
    EXPECT_NE(now(), on_this_card) << "of the card before";
    ASSERT_TRUE(desk.settle_blocks());
    EXPECT_THAT(now(), Not(HasSubstr("being searched")));
    EXPECT_THAT(now(), HasSubstr("At these block sizes the best state is"));
    EXPECT_THAT(now(), HasSubstr("with " + desk.best.other_blocks()->sizes));
    // The search that the user starts finds the same.
    BlockSizeSearch search(desk.document);
    search.start();
    ASSERT_TRUE(wait_until([&] { return !search.busy() && !search.choices().empty(); }));
    EXPECT_DOUBLE_EQ(search.choices().front().seconds, desk.best.other_blocks()->seconds);
    desk.best.set_objective(ObjectiveKind::Traffic);
    EXPECT_FALSE(desk.best.searching_blocks());
    EXPECT_FALSE(desk.best.other_blocks());
    EXPECT_TRUE(now().empty());
}

TEST(Best, the_verdict_says_that_a_processor_is_not_calibrated) {
    BestDesk desk("softmax");
    EXPECT_THAT(desk.best.verdict().toStdString(), Not(HasSubstr("calibrated")));
    desk.forecast.set_device("epyc-9755");
    ASSERT_TRUE(desk.settle());
    EXPECT_THAT(desk.best.verdict().toStdString(),
                HasSubstr("AMD EPYC 9755 (Zen 5, 128 cores) is not calibrated: "));
}

// What is not worth building may be with rules that are off by default, in `cost` and here.
TEST(Best, the_verdict_names_rules_that_round) {
    BestDesk desk("fp8-attention");
    const auto now = [&] { return desk.best.verdict().toStdString(); };
    ASSERT_TRUE(wait_until([&] { return now().find("with rounding") != std::string::npos; })) << now();
    EXPECT_THAT(now(), HasSubstr("Do not fuse this"));
    EXPECT_THAT(now(), testing::ContainsRegex("the best state is predicted to take .*: as fast as "));
    desk.best.set_objective(ObjectiveKind::Traffic);
    EXPECT_TRUE(now().empty());
    desk.best.set_objective(ObjectiveKind::Time);
    desk.document.set_rules({.rounding = true});
    ASSERT_TRUE(desk.settle());
    EXPECT_THAT(now(), Not(HasSubstr("with rounding"))) << "the run has them";
}

// The chosen baseline is named, and so is the one that decides.
TEST(Best, the_verdict_names_its_baseline) {
    BestDesk desk("decoder-block");
    ASSERT_TRUE(desk.settle_blocks());
    Baselines& baselines = Baselines::of(desk.document);
    const double seconds = *desk.best.value_of(*desk.best.state());
    for (const BaselineKind kind : all_baselines()) {
        SCOPED_TRACE(to_string(kind));
        baselines.choose(kind);
        const std::string verdict = desk.best.verdict().toStdString();
        std::vector<BaselineSeconds> all;
        // Each of them is several kernels.
        for (const BaselineKind other : all_baselines()) all.push_back({other, *baselines.seconds(other), 2});
        EXPECT_THAT(verdict,
                    HasSubstr(blockscope::verdict(seconds, all, desk.best.other_blocks()).sentence.str()));
        if (kind == BaselineKind::Unfused) continue;
        EXPECT_THAT(verdict, HasSubstr(baseline_title(kind).str()));
    }
    // Another model says nothing of kernels of others.
    baselines.choose(BaselineKind::Library);
    desk.forecast.set_model("roofline");
    EXPECT_FALSE(baselines.seconds(BaselineKind::Library));
    EXPECT_TRUE(desk.best.verdict().isEmpty());
}

TEST(Best, device_and_objective_are_remembered) {
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    {
        Settings settings(file);
        Document document;
        keep_choices(document, settings);
        Forecast::of(document).set_device("l4");
        Best::of(document).set_objective(ObjectiveKind::Traffic);
        Baselines::of(document).choose(BaselineKind::Compiler);
        QCoreApplication::processEvents();
    }
    Settings settings(file);
    Document document;
    keep_choices(document, settings);
    EXPECT_EQ(Forecast::of(document).device().name, "l4");
    EXPECT_EQ(Best::of(document).objective(), ObjectiveKind::Traffic);
    EXPECT_EQ(Baselines::of(document).kind(), BaselineKind::Compiler);
}

// One step makes the decoder block many times slower.
TEST(Best, a_step_that_raises_the_objective_says_so_in_words) {
    BestDesk desk("decoder-block");
    StateId worst = -1;
    double most = 1;
    for (const auto& [id, state] : desk.history().states()) {
        if (state->parent < 0) continue;
        const double share = *desk.best.value_of(id) / *desk.best.value_of(state->parent);
        EXPECT_EQ(desk.best.warning(id).isEmpty(), share < 1.02) << id;
        if (share > most) worst = id, most = share;
    }
    ASSERT_GE(worst, 0);
    EXPECT_GT(most, 5);
    const HistoryState& state = desk.history().state(worst);
    const auto before = desk.best.value_text(*desk.best.value_of(state.parent)).toStdString();
    const auto after = desk.best.value_text(*desk.best.value_of(worst)).toStdString();
    ASSERT_TRUE(wait_until(
        [&] { return desk.best.warning(worst).contains(QStringLiteral("times as much traffic")); }));
    const std::string warning = desk.best.warning(worst).toStdString();
    EXPECT_THAT(warning, HasSubstr("makes it slower: " + after + " instead of " + before));
    EXPECT_THAT(warning,
                HasSubstr(warning_of(effect_of(*state.step, safe_form()), state.program->dims).str()));
    // On the cell, and where the step's sentence stands.
    Timeline timeline(desk.document, desk.proofs, {});
    EXPECT_THAT(timeline.strip().tip(state.depth).toStdString(), HasSubstr("makes it slower"));
    desk.document.go(worst);
    RuleCard card(desk.document, desk.pictures);
    card.show();
    EXPECT_THAT(card.step_text().toStdString(), HasSubstr(warning));
    // Of the state that is looked at: with which blocks it would be no slower.
    EXPECT_TRUE(wait_until([&] {
        const QString text = desk.best.warning(worst);
        return text.contains(QStringLiteral("is predicted to pay with ")) ||
               text.contains(QStringLiteral("With no other number of blocks")) ||
               text.contains(QStringLiteral("make up for it"));
    })) << desk.best.warning(worst).toStdString();
}

// An extension saves only when the steps behind it fuse what it has brought together: the window says what
// the command line says of it.
TEST(Best, says_of_an_extension_what_the_steps_behind_it_save) {
    BestDesk desk("rmsnorm-swiglu");
    const Trace trace = fuse(desk.history().state(0).program);
    int seen = 0;
    for (const auto& [id, state] : desk.history().states()) {
        if (state->parent < 0 || !is_extension(*state->step) || desk.best.warning(id).isEmpty()) continue;
        const Step& step = trace.steps.at(static_cast<std::size_t>(state->depth) - 1);
        const std::string expected =
            warning_of(effect_of(step, safe_form(), settled_after(trace, state->depth - 1)),
                       state->program->dims)
                .str();
        EXPECT_TRUE(wait_until([&, id = id] {
            return desk.best.warning(id).contains(QString::fromStdString(expected));
        })) << expected
            << "\n"
            << desk.best.warning(id).toStdString();
        seen += expected.find("to save ") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(seen, 0);
}

TEST(Best, is_marked_on_timeline_history_and_table) {
    BestDesk desk("decoder-block");
    const StateId best = *desk.best.state();
    const int depth = desk.history().depth(best);
    Timeline timeline(desk.document, desk.proofs, {});
    EXPECT_THAT(timeline.strip().accessible_cell(depth).toStdString(), HasSubstr("best state"));
    EXPECT_THAT(timeline.strip().accessible_cell(depth == 0 ? 1 : 0).toStdString(),
                testing::Not(HasSubstr("best state")));
    EXPECT_EQ(timeline.slider().accessibleDescription(), desk.best.sentence());
    HistoryTree tree(desk.document, desk.proofs);
    tree.resize(300, 4000);
    int stars = 0;
    for (int row = 0; row < std::ssize(tree.rows()); ++row)
        if (tree.accessible_cell(row).contains(QStringLiteral("best state"))) {
            ++stars;
            EXPECT_EQ(tree.rows()[static_cast<std::size_t>(row)].first(), best);
        }
    EXPECT_EQ(stars, 1);
}

TEST(Best, the_cost_page_says_it_above_its_table_and_stars_its_row) {
    PageDesk desk;
    Forecast::of(desk.document).set_device("h100-sxm5");
    const Best& best = Best::of(desk.document);
    ASSERT_TRUE(wait_until([&] {
        return best.state() && desk.page->best().text().contains(QStringLiteral("H100")) &&
               desk.page->table().row_of(*best.state()) >= 0;
    }));
    EXPECT_EQ(desk.page->best().text(), QStringLiteral("\u2605 %1\n%2").arg(best.sentence(), best.verdict()));
    int stars = 0;
    for (int row = 0; row < desk.page->table().rowCount(); ++row) {
        const QString name = desk.page->table().headerData(row, Qt::Vertical, Qt::DisplayRole).toString();
        if (!name.startsWith(QChar(0x2605))) continue;
        ++stars;
        EXPECT_EQ(desk.page->table().state(row), best.state());
        // One number for one thing: the table's time is the sentence's.
        EXPECT_THAT(best.sentence().toStdString(),
                    HasSubstr(desk.cell(row, CostTable::Predicted).toStdString()));
    }
    EXPECT_EQ(stars, 1);
    EXPECT_FALSE(desk.page->table().csv().contains(QChar(0x2605)));
}

// What a processor computes in is said instead of what the program declares.
TEST(Best, the_type_chooser_names_the_processors_type) {
    Desk desk;
    desk.open("attention");
    Costs& costs = Costs::of(desk.document);
    TypeChooser chooser(costs, TypeChooser::For::Counts, nullptr);
    EXPECT_EQ(chooser.itemText(0), QStringLiteral("declared type"));
    costs.set_on_processor(true);
    EXPECT_EQ(chooser.itemText(0), QStringLiteral("float32 (as processors keep arrays)"));
}

}  // namespace
}  // namespace blockscope::test
