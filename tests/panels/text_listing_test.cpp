#include <gmock/gmock.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextDocumentLayout>
#include <QPushButton>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include "app/costs/cost_table.h"
#include "app/panels/listing_panel.h"
#include "app/shell/progress.h"
#include "core/safety/safety.h"
#include "core/state/state.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::PanelDesk;

const char* const kSamples[] = {"attention", "layernorm-matmul", "rmsnorm-swiglu", "gated-mlp",
                                "causal-attention"};

int last_line(const ListingPanel& panel) {
    return static_cast<int>(panel.rows().size()) - 1;
}

TEST(ListingHighlighter, ColoursLongTextsAPartAtATime) {
    Desk desk;
    QTextDocument text;
    text.setDocumentLayout(new QPlainTextDocumentLayout(&text));
    ListingHighlighter highlighter(&text, desk.appearance);
    constexpr int lines = 5 * LazyHighlighter::kLinesAtOnce;
    text.setPlainText(QStringLiteral("t1 = load(A[i])\n").repeated(lines));
    const auto coloured = [&](int line) {
        return !text.findBlockByNumber(line).layout()->formats().isEmpty();
    };
    EXPECT_TRUE(coloured(0));
    EXPECT_FALSE(coloured(lines - 1));
    EXPECT_TRUE(highlighter.busy());
    ASSERT_TRUE(test::wait_until([&] { return !highlighter.busy(); }));
    for (int line = 0; line < lines; ++line) ASSERT_TRUE(coloured(line)) << line;

    // Other colours: the old ones stay so long. A line that changes meanwhile.
    const auto colour = [&](int line) {
        return text.findBlockByNumber(line).layout()->formats().front().format.foreground().color();
    };
    const QColor light = colour(lines - 2);
    desk.settings.set_theme(ThemeChoice::Dark);
    highlighter.recolour();
    ASSERT_TRUE(coloured(lines - 2));
    EXPECT_EQ(colour(lines - 2), light);
    EXPECT_TRUE(highlighter.busy());
    QTextCursor cursor(text.findBlockByNumber(lines - 1));
    cursor.insertText(QStringLiteral("forall i in range(3): "));
    ASSERT_TRUE(test::wait_until([&] { return !highlighter.busy(); }));
    EXPECT_GE(text.findBlockByNumber(lines - 1).layout()->formats().size(), 4);
    for (const int line : {0, lines - 2}) EXPECT_NE(colour(line), light);
}

TEST(ListingPanel, ShowsTheListingOfEveryState) {
    PanelDesk<ListingPanel> desk;
    ListingPanel& panel = desk.panel;
    for (const char* name : kSamples) {
        desk.open(name);
        for (const auto& [id, state] : desk.document.content().history.states()) {
            desk.document.go(id);
            ASSERT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(*state->program))
                << name << " " << id;
        }
    }
}

TEST(ListingPanel, EveryLineLeadsToANodeAndBack) {
    PanelDesk<ListingPanel> desk;
    ListingPanel& panel = desk.panel;
    for (const char* name : kSamples) {
        desk.open(name);
        for (const auto& [id, state] : desk.document.content().history.states()) {
            desk.document.go(id);
            const ProgramLinks links(state->program);
            for (int line = 0; line <= last_line(panel); ++line) {
                const ListingRow& row = panel.rows()[static_cast<std::size_t>(line)];
                const std::string where =
                    std::string(name) + " state " + std::to_string(id) + ": " + row.text;
                ASSERT_TRUE(links.find(row.node)) << where;
                Q_EMIT panel.view().line_hovered(line);
                const Spot hover = desk.document.hover();
                ASSERT_FALSE(hover.empty()) << where;
                if (row.value) {
                    ASSERT_TRUE(hover.value) << where;
                    ASSERT_TRUE(links.find(hover.value->node)) << where;
                    ASSERT_TRUE(links.find(hover.consumer)) << where;
                }
                // The line itself is lit by what it points at.
                ASSERT_EQ(panel.view().lights().count(line), 1U) << where;
                Q_EMIT panel.view().line_hovered(-1);
                ASSERT_TRUE(desk.document.hover().empty());
                ASSERT_TRUE(panel.view().lights().empty());
            }
        }
    }
}

TEST(ListingPanel, SelectedNodesLightTheirLines) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    desk.document.end();
    for (std::size_t line = 0; line < panel.rows().size(); ++line) {
        const NodeId node = panel.rows()[line].node;
        desk.document.select({{node}, {}, {}});
        for (std::size_t other = 0; other < panel.rows().size(); ++other) {
            if (panel.rows()[other].node == node) {
                EXPECT_EQ(panel.view().lights().count(static_cast<int>(other)), 1U);
            }
        }
    }
    // An input lights the lines that load it, and nothing else.
    for (const NodePtr& node : desk.document.content().program()->graph->nodes()) {
        if (!node->is<Input>() || node->as<Input>()->name != "Q") continue;
        desk.document.select({{node->id}, {}, {}});
        for (int line = 0; line <= last_line(panel); ++line) {
            const bool loads =
                panel.rows()[static_cast<std::size_t>(line)].text.find("load(Q[") != std::string::npos;
            EXPECT_EQ(panel.view().lights().count(line) > 0, loads);
        }
    }
}

TEST(ListingPanel, SelectingInTheListingSelectsInTheDocument) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    desk.document.end();
    Q_EMIT panel.view().line_chosen(0);
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{panel.rows()[0].node});
    panel.view().go_to(3, 0);
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{panel.rows()[0].node})
        << "only the user selects";
}

TEST(ListingPanel, MarksWhatAStepChanged) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    panel.show_paper(true);  // built loops are the same before and after steps that fuse loops over one block
    const auto marked = [&] {
        return std::count_if(panel.rows().begin(), panel.rows().end(), [](const ListingRow& row) {
            return row.kind != ListingRow::Kind::Same || row.gap;
        });
    };
    EXPECT_EQ(marked(), 0) << "nothing comes before the initial program";
    for (const auto& [id, state] : desk.document.content().history.states()) {
        if (id == 0) continue;
        desk.document.go(id);
        EXPECT_GT(marked(), 0) << id;
        EXPECT_LT(marked(), static_cast<long>(panel.rows().size())) << id;
    }
    desk.document.set_baseline(desk.document.content().current);
    EXPECT_EQ(marked(), 0) << "a state does not differ from itself";
    desk.document.set_baseline(0);
    EXPECT_GT(marked(), 0);
}

TEST(ListingPanel, RemovedLinesAreRowsOnlyIfWanted) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    desk.document.end();
    desk.document.set_baseline(0);
    const auto removed = [&] {
        return std::count_if(panel.rows().begin(), panel.rows().end(),
                             [](const ListingRow& row) { return row.kind == ListingRow::Kind::Removed; });
    };
    EXPECT_EQ(removed(), 0);
    panel.show_removed(true);
    EXPECT_GT(removed(), 0);
    panel.copy_all();
    EXPECT_EQ(QApplication::clipboard()->text().toStdString(), listing(*desk.document.content().program()))
        << "removed lines are not copied";
}

TEST(ListingPanel, TheChooserOffersEveryStateOfTheBranch) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    auto* chooser = panel.findChild<QComboBox*>();
    ASSERT_TRUE(chooser);
    const auto states = static_cast<int>(desk.document.content().history.states().size());
    int snapshots = 0;
    for (const auto& [id, state] : desk.document.content().history.states()) snapshots += state->snapshot;
    EXPECT_EQ(chooser->count(), 1 + states + snapshots);
    Q_EMIT chooser->activated(1);
    EXPECT_EQ(desk.document.content().baseline, std::optional<StateId>(0));
    desk.document.undo();
    EXPECT_EQ(desk.document.content().baseline, std::nullopt);
    EXPECT_EQ(chooser->currentIndex(), 0);
}

TEST(ListingPanel, TheChooserNamesTheStateOfAnotherBranchToo) {
    PanelDesk<ListingPanel> desk("attention");
    auto* chooser = desk.panel.findChild<QComboBox*>();
    const int own = chooser->count();
    desk.document.apply(all_matches(*desk.document.content().program()).back());
    const StateId other = desk.document.content().current;
    const QString branch =
        QString::fromStdString(desk.document.content().history.branch(desk.document.content().branch).name);
    desk.document.go(5);
    desk.document.set_baseline(other);
    EXPECT_EQ(chooser->count(), own + 1);
    EXPECT_TRUE(chooser->currentText().startsWith(QStringLiteral("Step 1, rule "))) << "on its branch";
    EXPECT_TRUE(chooser->currentText().endsWith(branch)) << chooser->currentText().toStdString();
    desk.document.rename_branch(desk.document.content().history.branch_through(other, 0), "another way");
    EXPECT_TRUE(chooser->currentText().endsWith(QStringLiteral("another way")));
    desk.document.set_baseline({});
    EXPECT_EQ(chooser->count(), own);
}

TEST(ListingPanel, TheSafeFormIsTheCoresAndStaysLinked) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    desk.document.end();
    panel.show_safe(true);
    const ProgramPtr program = desk.document.content().program();
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(make_safe(*program).program));
    EXPECT_NE(panel.view().toPlainText().toStdString() + "\n", listing(*program));
    const ProgramLinks links(program);
    for (const ListingRow& row : panel.rows()) EXPECT_TRUE(links.find(row.node)) << row.text;
}

TEST(ListingPanel, ShowsThePapersLoopsOnRequest) {
    PanelDesk<ListingPanel> desk("attention");
    ListingPanel& panel = desk.panel;
    desk.document.end();
    const BlockProgram& program = *desk.document.content().program();
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(program));
    panel.show_paper(true);
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(program, Form{}.as_in_paper()));
    EXPECT_NE(panel.view().toPlainText().toStdString() + "\n", listing(program));
    panel.show_safe(true);
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(program, safe_form().as_in_paper()));
    panel.show_paper(false);
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(program, safe_form()));
}

TEST(ListingPanel, IsMadeWhenItIsShown) {
    Desk desk;
    ListingPanel panel(desk.document, desk.services);
    desk.open("attention");
    desk.document.end();
    EXPECT_TRUE(panel.rows().empty());
    const NodeId node = desk.document.content().program()->graph->nodes()[3]->id;
    desk.document.select({{node}, {}, {}});
    panel.show();
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(*desk.document.content().program()));
    EXPECT_FALSE(panel.view().lights().empty());
}

Content long_program() {
    std::string source = "dim M = 64 / 16\ndim N = 64 / 16\ninput X0[M, N]\n";
    for (int i = 1; i <= 800; ++i)
        source += "X" + std::to_string(i) + " = exp(X" + std::to_string(i - 1) + ")\n";
    source += "output Y = X800\n";
    return content_of_source(source, "long.bp").value();
}

TEST(ListingPanel, LargeProgramsAreListedInTheBackground) {
    PanelDesk<ListingPanel> desk;
    ListingPanel& panel = desk.panel;
    desk.document.reset(long_program(), {});
    ASSERT_GT(node_count(*desk.document.content().program()), 1000);
    EXPECT_TRUE(panel.busy());
    ASSERT_TRUE(test::wait_until([&] { return !panel.busy(); }));
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(*desk.document.content().program()));
    desk.document.reset(test::fused_sample("attention"), {});
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(*desk.document.content().program()));
}

TEST(ListingPanel, CancelLeavesNoLinesAndTheNextStepBringsThem) {
    PanelDesk<ListingPanel> desk;
    ListingPanel& panel = desk.panel;
    desk.document.reset(long_program(), {});
    ASSERT_TRUE(panel.busy());
    auto* bar = panel.findChild<ProgressOverlay*>();
    ASSERT_NE(bar, nullptr);
    bar->findChild<QPushButton*>()->click();
    EXPECT_FALSE(panel.busy());
    EXPECT_TRUE(panel.rows().empty());
    const auto said = [&] {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (label->text().contains(QStringLiteral("cancelled"))) return true;
        return false;
    };
    EXPECT_TRUE(said());
    desk.document.apply(all_matches(*desk.document.content().program()).front());
    ASSERT_TRUE(test::wait_until([&] { return !desk.document.is_busy() && !panel.busy(); }));
    EXPECT_EQ(panel.view().toPlainText().toStdString() + "\n", listing(*desk.document.content().program()));
    EXPECT_FALSE(said());
}

// Thousands of lines that come and go at once find each other, and a comparison nobody waits for ends.
TEST(ListingRows, ManyLinesArePairedByWhatTheyStandFor) {
    std::vector<ListingLine> before, after;
    constexpr int lines = 20'000;
    for (int i = 0; i < lines; ++i) {
        const NodeId node{static_cast<std::uint32_t>(i + 1)};
        before.push_back({"A" + std::to_string(i), node, {}});
        after.push_back({"B" + std::to_string(i), node, {}});
    }
    const ListingComparison whole = listing_rows(before, after, Ancestry(), true);
    EXPECT_EQ(whole.changed, lines);
    EXPECT_EQ(whole.added, 0);
    EXPECT_EQ(whole.removed, 0);
    int asked = 0;
    listing_rows(before, after, Ancestry(), true, [&] { return ++asked > 0; });
    EXPECT_GT(asked, 0);
    EXPECT_LE(asked, 4 * lines);
}

TEST(ListingTokens, AreTheWordsOfTheGrammar) {
    using W = ListingWord;
    const auto kinds = [](const char* line) {
        std::vector<std::pair<std::string, W>> words;
        for (const ListingToken& token : listing_tokens(QString::fromLatin1(line)))
            words.emplace_back(QString::fromLatin1(line).mid(token.start, token.length).toStdString(),
                               token.word);
        return words;
    };
    using testing::ElementsAre;
    using testing::Pair;
    EXPECT_THAT(kinds("  forall m in range(1,M):"),
                ElementsAre(Pair("forall", W::Loop), Pair("in", W::Loop), Pair("range", W::Loop),
                            Pair("1", W::Number)));
    EXPECT_THAT(kinds("t1 = load(Q[m,0])"), ElementsAre(Pair("load", W::Memory), Pair("Q", W::Array)));
    EXPECT_THAT(kinds("store(t2,S)"), ElementsAre(Pair("store", W::Memory), Pair("S", W::Array)));
    EXPECT_THAT(kinds("t3 += dot(t1,t2)"), ElementsAre(Pair("dot", W::Operator)));
    EXPECT_THAT(kinds("t4 = exp(t3*(DD**-0.5))+1e-05"),
                ElementsAre(Pair("exp", W::Function), Pair("DD", W::Number), Pair("0.5", W::Number),
                            Pair("1e-05", W::Number)));
}

// A bar of the heat map says its number, and a click on it or the current line opens what it sums.
TEST(ListingPanel, BarsOfTheHeatMapOpenTheirDerivation) {
    PanelDesk<ListingPanel> desk("attention");
    desk.panel.resize(500, 400);
    Costs& costs = Costs::of(desk.document);
    costs.set_heat(HeatMetric::Moved);
    ASSERT_TRUE(test::wait_until([&] { return !costs.busy(); }));
    auto& view = *desk.panel.findChild<CodeView*>();
    int heated = -1;
    for (int line = 0; line < std::ssize(view.looks()); ++line)
        if (view.looks()[static_cast<std::size_t>(line)].heat > 0) heated = line;
    ASSERT_GE(heated, 0);
    std::vector<std::pair<int, int>> asked;
    QObject::connect(&costs, &Costs::derivation_asked, [&](StateId, int column, const CostPlace& place) {
        asked.emplace_back(column, place.line.value_or(-1));
    });
    view.show_lines(heated, heated);
    QApplication::processEvents();
    QPoint bar(4, 0);
    for (; bar.y() < view.height() && view.line_at({0, bar.y()}) != heated; bar.ry() += 2) {
    }
    EXPECT_TRUE(view.margin_tip(bar).contains(QLatin1Char('B'))) << view.margin_tip(bar).toStdString();
    view.click_margin(bar);
    ASSERT_EQ(asked.size(), 1U);
    const int number = desk.panel.rows()[static_cast<std::size_t>(heated)].number;
    EXPECT_EQ(asked[0], std::pair(static_cast<int>(CostTable::Moved), number - 1));
    view.go_to(2, 0);
    desk.panel.ask_for_number();
    ASSERT_EQ(asked.size(), 2U);
    EXPECT_EQ(asked[1].second, desk.panel.rows()[2].number - 1);
}

}  // namespace
}  // namespace blockscope
