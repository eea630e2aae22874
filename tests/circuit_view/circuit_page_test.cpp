// The circuit page: follows the document, links both ways, says why it cannot draw.
#include "app/circuit/circuit_page.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include "app/circuit/circuit_choice.h"
#include "app/circuit/circuit_links.h"
#include "core/program/convert.h"
#include "tests/panels/text_support.h"
#include "tests/support/decoder_stack.h"

namespace blockscope {
namespace {

using circuit::GlyphKind;
using test::PanelDesk;
using test::wait_until;

class CircuitPageTest : public testing::Test {
protected:
    CircuitPageTest() { open("attention"); }

    void open(const std::string& sample) {
        desk_.panel.resize(900, 600);
        desk_.open(sample);
        settle();
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return !page().busy(); }));
        QCoreApplication::processEvents();
    }
    CircuitPage& page() { return desk_.panel; }
    CircuitView& view() { return page().view(); }
    const circuit::Drawing& drawing() { return *view().drawing(); }
    Document& document() { return desk_.document; }

    CircuitPart glyph(GlyphKind kind) {
        for (std::size_t i = 0; i < drawing().glyphs.size(); ++i)
            if (drawing().glyphs[i].kind == kind) return {CircuitPart::Kind::Glyph, static_cast<int>(i)};
        return {};
    }
    void click(const CircuitPart& what) {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, view().place_of(what).toPoint());
    }

    PanelDesk<CircuitPage> desk_;
};

TEST_F(CircuitPageTest, FollowsTheState) {
    ASSERT_TRUE(view().drawing());
    const std::size_t before = drawing().glyphs.size();
    document().end();
    settle();
    EXPECT_NE(drawing().glyphs.size(), before);
    document().home();
    settle();
    EXPECT_EQ(drawing().glyphs.size(), before);
    document().close();
    EXPECT_FALSE(view().drawing());
    EXPECT_FALSE(view().message().isEmpty());
}

// Beside the picture there is half of a window: lines wrap there, so that they can be read.
TEST_F(CircuitPageTest, WrapsOnANarrowPage) {
    page().resize(1200, 700);
    document().end();
    settle();
    const std::size_t wide = drawing().lines.size();
    page().resize(560, 700);
    settle();
    EXPECT_GT(drawing().lines.size(), wide);
    const double narrow_scale = view().camera().scale;
    EXPECT_LE(drawing().bounds.width * narrow_scale, 560);
    page().resize(1200, 700);
    settle();
    EXPECT_EQ(drawing().lines.size(), wide);
}

// A decoder block is first seen as large as it can be read, from its beginning; whole if that is wanted, and
// from then on.
TEST_F(CircuitPageTest, ShowsTheBeginningOfALargeProgramReadably) {
    open("decoder-block");
    EXPECT_DOUBLE_EQ(view().camera().scale, 0.65);
    const auto shown_whole = [&] {
        return drawing().bounds.height * view().camera().scale <= view().height() + 1;
    };
    EXPECT_FALSE(shown_whole());
    for (QToolButton* button : page().findChildren<QToolButton*>())
        if (button->accessibleName() == QLatin1String("Show the whole diagram")) button->click();
    EXPECT_TRUE(shown_whole());
    document().end();
    settle();
    EXPECT_TRUE(shown_whole());
}

TEST_F(CircuitPageTest, ShowsTheProgramAndItsAlgorithm) {
    page().kind().setCurrentIndex(1);
    settle();
    EXPECT_THAT(drawing().frames,
                testing::ElementsAre(testing::Field(&circuit::DrawnFrame::title, "Attention")));
    page().kind().setCurrentIndex(2);
    settle();
    EXPECT_THAT(drawing().frames,
                testing::Contains(testing::Field(&circuit::DrawnFrame::kind, circuit::FrameKind::Stream)));
}

// An operator of the diagram is a node of the block program, and back.
TEST_F(CircuitPageTest, SelectsOperatorsBothWays) {
    document().end();
    settle();
    const CircuitPart exp = glyph(GlyphKind::Arrow);
    ASSERT_GE(exp.index, 0);
    click(exp);
    const NodeId node = drawing().glyphs[static_cast<std::size_t>(exp.index)].origin.node;
    EXPECT_THAT(document().selection().nodes, testing::ElementsAre(node));
    EXPECT_EQ(view().lights().glyphs.count(exp.index), 1U);
    document().select({});
    EXPECT_TRUE(view().lights().glyphs.empty());
    document().select({{node}, {}, {}});
    EXPECT_EQ(view().lights().glyphs.count(exp.index), 1U);
}

// A map lights its frame and the axis that it iterates over.
TEST_F(CircuitPageTest, AMapLightsItsAxis) {
    document().end();
    settle();
    for (std::size_t f = 0; f < drawing().frames.size(); ++f) {
        const circuit::DrawnFrame frame = drawing().frames[f];
        document().select({{frame.origin.node}, {}, {}});
        EXPECT_EQ(view().lights().frames.count(static_cast<int>(f)), 1U);
        for (const circuit::AxisId axis : frame.axes) EXPECT_EQ(view().lights().axes.count(axis.value), 1U);
    }
}

// A transfer is the value that causes it; the value lights all of its transfers.
TEST_F(CircuitPageTest, ATransferIsAValue) {
    document().end();
    settle();
    const CircuitPart load = glyph(GlyphKind::Transfer);
    ASSERT_GE(load.index, 0);
    const Spot spot = circuit_spot(drawing(), *document().content().program(), {}, load);
    ASSERT_TRUE(spot.value.has_value());
    document().select(spot);
    EXPECT_EQ(view().lights().glyphs.count(load.index), 1U);
    // From the outside: the program's input that is loaded there.
    const BlockProgram& program = *document().content().program();
    const NodeId input = program.graph->inputs().front()->id;
    const std::set<NodeId> handed = nodes_of_value(program, {input, 0, 0});
    EXPECT_GT(handed.size(), 1U);
    document().select({{}, ValueRef{input, 0, 0}, {}});
    EXPECT_FALSE(view().lights().glyphs.empty());
    for (const int g : view().lights().glyphs)
        EXPECT_EQ(drawing().glyphs[static_cast<std::size_t>(g)].kind, GlyphKind::Transfer);
}

TEST_F(CircuitPageTest, ANumberSaysWhatItSums) {
    document().end();
    settle();
    for (std::size_t n = 0; n < drawing().numbers.size(); ++n) {
        const circuit::DrawnNumber& number = drawing().numbers[n];
        const std::string text = part_text(drawing(), {CircuitPart::Kind::Number, static_cast<int>(n)});
        EXPECT_THAT(text, testing::HasSubstr(number.formula + " = " + number.value));
        for (const std::string& line : number.sum) EXPECT_THAT(text, testing::HasSubstr(line));
        EXPECT_EQ(view().part_under(view().place_of({CircuitPart::Kind::Number, static_cast<int>(n)})),
                  (CircuitPart{CircuitPart::Kind::Number, static_cast<int>(n)}));
    }
}

TEST_F(CircuitPageTest, KeysGoFromOperatorToOperator) {
    QTest::keyClick(&view(), Qt::Key_Right);
    EXPECT_EQ(view().focused(), (CircuitPart{CircuitPart::Kind::Glyph, 0}));
    EXPECT_FALSE(view().accessibleDescription().isEmpty());
    QTest::keyClick(&view(), Qt::Key_Right);
    EXPECT_EQ(view().focused().index, 1);
    QTest::keyClick(&view(), Qt::Key_Left);
    EXPECT_EQ(view().focused().index, 0);
    QTest::keyClick(&view(), Qt::Key_Escape);
    EXPECT_EQ(view().focused().kind, CircuitPart::Kind::None);
}

TEST_F(CircuitPageTest, ZoomsAboutThePointer) {
    const QPointF at = view().place_of({CircuitPart::Kind::Glyph, 0});
    const double scale = view().camera().scale;
    QWheelEvent wheel(at, view().mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view(), &wheel);
    EXPECT_GT(view().camera().scale, scale);
    const QPointF now = view().place_of({CircuitPart::Kind::Glyph, 0});
    EXPECT_NEAR(now.x(), at.x(), 0.5);
    EXPECT_NEAR(now.y(), at.y(), 0.5);
    view().fit();
    EXPECT_DOUBLE_EQ(view().camera().scale, scale);
}

TEST_F(CircuitPageTest, WritesFiles) {
    const QString path = desk_.folder.filePath(QStringLiteral("a.svg"));
    EXPECT_TRUE(page().export_diagram(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().startsWith("<?xml"));
    EXPECT_FALSE(page().export_diagram(desk_.folder.filePath(QStringLiteral("a.gif"))));
}

// A document without an array program has no diagram of one, and says so.
TEST(CircuitOfState, IsRefusedWhereItWouldBeTooLarge) {
    const auto drawn = [](int blocks) {
        return circuit_of_state(to_block_program(decoder_stack(blocks)).program);
    };
    EXPECT_TRUE(drawn(1));
    const Result<circuit::Circuit> refused = drawn(16);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.problems().front().message.find("at most 8000"), std::string::npos);
}

TEST_F(CircuitPageTest, SaysWhyThereIsNone) {
    Content content = test::fused_sample("softmax");
    content.array.reset();
    document().reset(std::move(content), {});
    page().kind().setCurrentIndex(1);
    settle();
    EXPECT_FALSE(view().drawing());
    EXPECT_TRUE(view().message().contains(QStringLiteral("array program"))) << view().message().toStdString();
    page().kind().setCurrentIndex(0);
    settle();
    EXPECT_TRUE(view().drawing());
}

}  // namespace
}  // namespace blockscope
