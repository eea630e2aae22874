// The circuit step by step: in the diagram, in the panel beside it, and both with each other.
#include "app/circuit/circuit_steps.h"

#include <gmock/gmock.h>

#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>
#include <memory>
#include <set>

#include "app/circuit/circuit_page.h"
#include "app/circuit/steps_panel.h"
#include "tests/panels/text_support.h"
#include "tests/support/templates.h"

namespace blockscope {
namespace {

using circuit::AxisId;
using circuit::CircuitAction;
using circuit::CircuitSession;
using test::Desk;
using test::wait_until;
using ActionKind = CircuitAction::Kind;

class CircuitStepsTest : public testing::Test {
protected:
    CircuitStepsTest() {
        desk_.services.say = [this](const QString& text) { said_ = text; };
        page_.resize(900, 600);
        panel_.resize(340, 700);
        desk_.open("attention");
        page_.show();
        panel_.show();
        page_.set_stepping();
        settle();
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return steps().session() && !page_.busy(); }))
            << steps().why_not().toStdString();
        QCoreApplication::processEvents();
    }
    CircuitSteps& steps() { return CircuitSteps::of(desk_.document); }
    const CircuitSession& session() { return *steps().session(); }
    AxisId axis(const std::string& name) {
        const circuit::Axes& axes = session().current().flow->axes;
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (axes[i].name == name) return {static_cast<int>(i)};
        return {};
    }
    CircuitPart wire_of(AxisId axis) {
        const circuit::Drawing& drawing = *page_.view().drawing();
        for (std::size_t i = 0; i < drawing.wires.size(); ++i)
            if (whole_axis(drawing.axes, drawing.wires[i].axis) == axis)
                return {CircuitPart::Kind::Wire, static_cast<int>(i)};
        return {};
    }
    void act(ActionKind kind, const char* name, std::int64_t size) {
        steps().act({kind, axis(name), size, {}});
        settle();
    }
    QTreeWidgetItem* axis_item(const QString& name) {
        return panel_.axes().findItems(name, Qt::MatchExactly).value(0);
    }

    QString said_;
    Desk desk_;
    CircuitPage page_{desk_.document, desk_.services};
    StepsPanel panel_{desk_.document, desk_.services};
};

TEST_F(CircuitStepsTest, AClickOnAWireChoosesItsAxis) {
    page_.view().clicked(wire_of(axis("M")));
    EXPECT_EQ(steps().axis(), axis("M"));
    EXPECT_EQ(page_.view().lights().axes.count(axis("M").value), 1U);
    EXPECT_EQ(panel_.axes().currentItem(), axis_item(QStringLiteral("M")));
    page_.view().clicked({});
    EXPECT_LT(steps().axis().value, 0);
}

TEST_F(CircuitStepsTest, KeysGroupAndStreamTheAxis) {
    steps().choose(axis("M"));
    desk_.actions.trigger("circuit.group");
    settle();
    ASSERT_TRUE(steps().part(axis("M")));
    EXPECT_EQ(steps().part(axis("M"))->size, 128);  // the program's block
    steps().choose(axis("N"));
    desk_.actions.trigger("circuit.stream");
    settle();
    EXPECT_EQ(session().current().depth, 2);
    const circuit::Drawing& drawing = *page_.view().drawing();
    EXPECT_THAT(drawing.frames,
                testing::Contains(testing::Field(&circuit::DrawnFrame::kind, circuit::FrameKind::Stream)));
    // The parts of the axis are its own wires.
    EXPECT_GE(page_.view().lights().axes.size(), 2U);
    desk_.actions.trigger("circuit.back");
    settle();
    EXPECT_FALSE(steps().part(axis("N")));
    desk_.actions.trigger("circuit.on");
    settle();
    EXPECT_TRUE(steps().part(axis("N")));
    desk_.actions.trigger("circuit.join");
    settle();
    EXPECT_FALSE(steps().part(axis("N")));
    EXPECT_EQ(session().current().depth, 3);
}

TEST_F(CircuitStepsTest, WithoutAnAxisKeysSayWhatIsMissing) {
    desk_.actions.trigger("circuit.group");
    EXPECT_FALSE(said_.isEmpty());
    EXPECT_EQ(session().count(), 1);
}

TEST_F(CircuitStepsTest, RefusalsNameTheTheorem) {
    steps().act({ActionKind::Stream, axis("M"), 8, {}});
    settle();
    EXPECT_EQ(session().count(), 1);
    EXPECT_TRUE(panel_.message().contains(QStringLiteral("Section 2.4"))) << panel_.message().toStdString();
    EXPECT_EQ(said_, panel_.message());
    act(ActionKind::Group, "M", 128);
    EXPECT_TRUE(panel_.message().isEmpty());
}

TEST_F(CircuitStepsTest, ThePanelSaysWhatCanBeDoneAndWhy) {
    panel_.axes().setCurrentItem(axis_item(QStringLiteral("N")));
    EXPECT_EQ(steps().axis(), axis("N"));
    const QString why = panel_.arguments();
    EXPECT_TRUE(why.contains(QStringLiteral("Appendix A.3.2")));
    EXPECT_TRUE(why.contains(QStringLiteral("Theorem 1, weaving")));
    EXPECT_TRUE(why.contains(QStringLiteral("Section 2.3")));
}

TEST_F(CircuitStepsTest, ThePanelSplitsInPartsOfTheSizeThatIsTyped) {
    panel_.axes().setCurrentItem(axis_item(QStringLiteral("M")));
    panel_.size_box().setValue(256);
    for (QPushButton* button : panel_.findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Group")) button->click();
    settle();
    EXPECT_EQ(steps().part(axis("M"))->size, 256);
    EXPECT_EQ(axis_item(QStringLiteral("M"))->text(2), QStringLiteral("groups of 256"));
}

// H* stands with the groups that have it.
TEST_F(CircuitStepsTest, TheLeastTransfersComeWithTheirGroups) {
    act(ActionKind::Group, "M", 128);
    act(ActionKind::Stream, "N", 128);
    EXPECT_TRUE(panel_.numbers().contains(QStringLiteral("Mem/(D + L)"))) << panel_.numbers().toStdString();
}

TEST_F(CircuitStepsTest, NumbersAreShownBeforeAndAfter) {
    act(ActionKind::Group, "M", 128);
    const QString numbers = panel_.numbers();
    // 4,096 rows in groups of 128 are 32 groups; there was one.
    EXPECT_TRUE(numbers.contains(QStringLiteral("1 → <b>32</b>"))) << numbers.toStdString();
    EXPECT_TRUE(numbers.contains(QStringLiteral("g<sub>M</sub>")));
}

// A matmul after the algorithm is groups of rows and columns with the inner axis streamed.
TEST_F(CircuitStepsTest, ThePicturesStateMovesTheSame) {
    const auto says = [&](int step, const char* what) {
        const QString text = QStringLiteral("Step %1 of the picture%2").arg(step).arg(QLatin1String(what));
        return wait_until([&] { return panel_.picture().startsWith(text); });
    };
    desk_.open("matmul");
    settle();
    const Content& content = desk_.document.content();
    const std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    const int last = static_cast<int>(way.size()) - 1;
    desk_.document.go(way.back());
    EXPECT_TRUE(says(last, ":"));
    for (const circuit::AxisVerdict& verdict : std::vector(steps().verdicts())) {
        const std::string name = circuit::axis_of(session().current().flow->axes, verdict.axis).name;
        for (const Dim& dim : desk_.document.content().program()->dims)
            if (dim.name == name)
                act(verdict.group ? ActionKind::Group : ActionKind::Stream, name.c_str(), dim.block);
    }
    EXPECT_TRUE(says(last, " moves and holds the same"))
        << panel_.picture().toStdString() << panel_.numbers().toStdString();
    desk_.document.home();
    EXPECT_TRUE(says(0, ":"));
}

TEST_F(CircuitStepsTest, TheTheoremsStepsAreDrawn) {
    steps().choose(axis("N"));
    const std::size_t all = page_.view().drawing()->glyphs.size();
    const std::size_t steps_of_theorem = steps().verdict(axis("N"))->stream_reasons.size();
    ASSERT_GT(steps_of_theorem, 2U);
    std::vector<std::size_t> glyphs;
    for (std::size_t i = 0; i < steps_of_theorem; ++i) {
        steps().show_step(static_cast<int>(i));
        settle();
        glyphs.push_back(page_.view().drawing()->glyphs.size());
    }
    EXPECT_TRUE(std::is_sorted(glyphs.begin(), glyphs.end()));
    EXPECT_LT(glyphs.front(), glyphs.back());
    steps().show_step(-1);
    settle();
    EXPECT_EQ(page_.view().drawing()->glyphs.size(), all);
}

TEST_F(CircuitStepsTest, BranchesAndNotesStandInTheTree) {
    act(ActionKind::Group, "M", 128);
    act(ActionKind::Stream, "N", 64);
    steps().back();
    act(ActionKind::Group, "M", 64);
    panel_.note().setPlainText(QStringLiteral("smaller groups"));
    EXPECT_EQ(session().note(session().tree().current), "smaller groups");
    QTreeWidget& tree = panel_.states();
    ASSERT_EQ(tree.topLevelItemCount(), 3);  // the first way
    EXPECT_EQ(tree.topLevelItem(1)->childCount(), 1);
    EXPECT_EQ(tree.currentItem(), tree.topLevelItem(1)->child(0));
    tree.setCurrentItem(tree.topLevelItem(2));
    settle();
    EXPECT_TRUE(steps().part(axis("N")));
    EXPECT_TRUE(panel_.note().toPlainText().isEmpty());
}

// Every action is one entry of the document's undo, and saved with it.
TEST_F(CircuitStepsTest, TheDocumentUndoesAndKeepsThem) {
    const auto text = [&] { return write_document(desk_.document.content()); };
    std::vector<std::string> texts{text()};
    act(ActionKind::Group, "M", 128);
    EXPECT_EQ(desk_.document.undo_label(), QStringLiteral("Circuit: Group M in parts of 128"));
    EXPECT_TRUE(desk_.document.has_work());
    texts.push_back(text());
    act(ActionKind::Stream, "N", 64);
    texts.push_back(text());
    panel_.note().setPlainText(QStringLiteral("streamed"));
    panel_.note().setPlainText(QStringLiteral("streamed keys"));  // one entry with the one before
    texts.push_back(text());
    steps().back();
    steps().back();  // one entry
    texts.push_back(text());
    steps().rename(axis("M"), QStringLiteral("rows"));
    settle();
    texts.push_back(text());
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    for (std::size_t i = texts.size() - 1; i-- > 0;) {
        desk_.document.undo();
        settle();
        EXPECT_EQ(text(), texts[i]);
    }
    EXPECT_FALSE(desk_.document.can_undo());
    EXPECT_EQ(session().count(), 1);
    EXPECT_FALSE(steps().part(axis("M")));
    for (std::size_t i = 1; i < texts.size(); ++i) {
        desk_.document.redo();
        settle();
        EXPECT_EQ(text(), texts[i]);
    }
    EXPECT_GE(axis("rows").value, 0);
    EXPECT_EQ(session().count(), 4);
    desk_.document.reset(read_document(text(), "again").value(), {});
    settle();
    EXPECT_EQ(text(), texts.back());
    EXPECT_EQ(session().note(2), "streamed keys");
    EXPECT_GE(axis("rows").value, 0);
}

// Undone while it is being worked out, a step is dropped.
TEST_F(CircuitStepsTest, AStepOfWhatIsNoLongerThereIsDropped) {
    act(ActionKind::Group, "M", 128);
    steps().act({ActionKind::Stream, axis("N"), 64, {}});
    desk_.document.undo();
    settle();
    EXPECT_EQ(session().count(), 1);
    EXPECT_EQ(desk_.document.content().circuit, nullptr);
}

TEST_F(CircuitStepsTest, AnAxisIsRenamedInThePicture) {
    const CircuitPart wire = wire_of(axis("M"));
    page_.view().double_clicked(wire, page_.view().place_of(wire));
    QTest::keyClick(page_.view().findChild<QLineEdit*>(), Qt::Key_Escape);
    EXPECT_EQ(session().count(), 1);
    page_.view().clicked(wire);
    page_.edit_name({20, 20});
    QLineEdit& editor = *page_.name_editor();
    EXPECT_EQ(editor.text(), QStringLiteral("M"));
    editor.setText(QStringLiteral("rows = 8192"));
    steps().rename(axis("M"), editor.text());
    settle();
    const AxisId rows = axis("rows");
    ASSERT_GE(rows.value, 0);
    EXPECT_EQ(circuit::axis_of(session().current().flow->axes, rows).size, 8192);
    steps().rename(rows, QStringLiteral("two words"));
    EXPECT_TRUE(panel_.message().contains(QStringLiteral("two words")));
}

TEST_F(CircuitStepsTest, TheMenuOffersWhatIsPossible) {
    steps().choose(axis("N"));
    const std::unique_ptr<QMenu> menu(page_.make_menu());
    QStringList enabled, disabled;
    for (const QMenu* part : menu->findChildren<QMenu*>())
        for (const QAction* action : part->actions())
            (action->isEnabled() ? enabled : disabled) << part->title() + QLatin1Char('|') + action->text();
    EXPECT_TRUE(enabled.contains(QStringLiteral("Stream N|in parts of 128")))
        << enabled.join(QLatin1Char('\n')).toStdString();
    ASSERT_EQ(disabled.size(), 1);  // why it cannot be grouped
    EXPECT_TRUE(disabled[0].startsWith(QStringLiteral("Group N|"))) << disabled[0].toStdString();
}

TEST_F(CircuitStepsTest, FollowsSizesAndBeginsAnewWithAnotherProgram) {
    act(ActionKind::Group, "M", 128);
    DimTable dims = desk_.document.content().program()->dims;
    dims.at(0).size = 8192;
    desk_.document.set_dims(dims);
    settle();
    EXPECT_EQ(session().count(), 2);
    EXPECT_EQ(session().numbers(1).numbers[0].value, 64);
    desk_.open("matmul");
    settle();
    EXPECT_EQ(session().count(), 1);
    desk_.document.close();
    EXPECT_EQ(steps().session(), nullptr);
}

// A document of blocks alone is drawn from its initial blocks, or says why it cannot.
TEST_F(CircuitStepsTest, BlockProgramsHaveStepsOrAReason) {
    for (const char* name : {"matmul", "softmax", "attention"}) {
        Content content = test::fused_sample(name);
        content.array.reset();
        desk_.document.reset(std::move(content), {});
        ASSERT_TRUE(wait_until([&] { return !page_.busy(); }));
        if (steps().session())
            EXPECT_FALSE(steps().verdicts().empty()) << name;
        else
            EXPECT_FALSE(page_.view().message().isEmpty()) << name;
    }
}

TEST(CircuitWords, EveryVerdictAndRefusalCanBeTranslated) {
    std::set<std::string> missing;
    const auto expect = [&](const Text& text) { test::look_for_untranslated(text, missing); };
    for (const char* name : {"attention", "causal-attention", "layernorm-matmul", "rmsnorm-swiglu",
                             "multihead-attention", "softmax", "gemm-relu"}) {
        const Content content = content_of_source(test::sample_source(name), name).value();
        CircuitSession session(circuit::separated(circuit::flow_of(*content.array)));
        for (const circuit::AxisVerdict& verdict : session.verdicts()) {
            for (const auto* reasons : {&verdict.group_reasons, &verdict.stream_reasons})
                for (const circuit::Reason& reason : *reasons) {
                    expect(reason.theorem);
                    expect(reason.sentence);
                }
            for (const ActionKind kind : {ActionKind::Group, ActionKind::Stream, ActionKind::Join})
                for (const std::int64_t size : {0, 1})
                    if (const Result<int> done = session.act({kind, verdict.axis, size, {}}); !done)
                        expect(done.problems().front().message);
        }
    }
    EXPECT_THAT(missing, testing::IsEmpty());
}

}  // namespace
}  // namespace blockscope
