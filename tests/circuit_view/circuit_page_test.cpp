// The circuit page: follows the document, links both ways, says why it cannot draw.
#include "app/circuit/circuit_page.h"

#include <gmock/gmock.h>

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>
#include <algorithm>
#include <functional>

#include "app/circuit/circuit_file.h"
#include "app/circuit/circuit_key.h"
#include "app/circuit/circuit_overview.h"
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

// Every look that a wire has is explained, and rows that go on say so.
TEST_F(CircuitPageTest, SaysWhatItsSignsMean) {
    document().end();
    settle();
    const CircuitKey& key = page().key();
    EXPECT_FALSE(key.isHidden());
    EXPECT_EQ(key.signs(), circuit_signs(drawing()));
    EXPECT_THAT(key.signs(),
                testing::IsSupersetOf({CircuitSign::Global, CircuitSign::Level1, CircuitSign::Groups,
                                       CircuitSign::Stream, CircuitSign::Transfer, CircuitSign::Memory}));
    EXPECT_TRUE(key.sentence().startsWith(QStringLiteral("Time runs from left to right")));
    EXPECT_EQ(key.sentence().contains(QStringLiteral("rows")), drawing().lines.size() > 1);
    EXPECT_GE(key.height(), key.heightForWidth(key.width()));
    EXPECT_TRUE(key.accessibleDescription().contains(QStringLiteral("values moved here")));
}

// In a window of 1280 x 720 the words once left a fifth of the page to the diagram. They are above its rows,
// too.
TEST_F(CircuitPageTest, TheKeyLeavesTheDiagramMostOfThePage) {
    document().home();
    page().resize(660, 560);
    settle();
    EXPECT_LE(page().key().height(), page().height() / 3);
    EXPECT_GE(view().height(), page().height() / 2);
    EXPECT_FALSE(page().key().sentence().contains(QStringLiteral("Row 1 of")));
    EXPECT_TRUE(page().key().accessibleDescription().contains(QStringLiteral("Row 1 of")));
    page().resize(1500, 1500);
    settle();
    EXPECT_TRUE(page().key().sentence().contains(row_sentences(drawing()).front()));
}

// Each row says in words what it does: every operator and every transfer of it is told, once.
TEST_F(CircuitPageTest, EachRowSaysWhatItDoes) {
    document().end();
    page().resize(1200, 700);
    settle();
    const auto said = [&] {
        QString all;
        for (const QString& row : row_sentences(drawing())) all += row + QLatin1Char('\n');
        return all;
    };
    EXPECT_TRUE(page().key().sentence().contains(row_sentences(drawing()).front()));
    page().resize(560, 700);
    settle();
    ASSERT_GT(drawing().lines.size(), 1U);
    const std::vector<QString> rows = row_sentences(drawing());
    ASSERT_EQ(rows.size(), drawing().lines.size());
    EXPECT_TRUE(rows.front().startsWith(QStringLiteral("Row 1 of ")));
    EXPECT_TRUE(rows.front().contains(QStringLiteral("splits into groups g_M of M")));
    for (const char* event : {"loads Q", "loads K", "loads VT", "stores", "begins the stream s_N of N",
                              "ends the stream s_N of N", "computes exp(x * D^-0.5)", "sums along s_N"})
        EXPECT_EQ(said().count(QLatin1String(event)), 1) << event << " in\n" << said().toStdString();
    EXPECT_EQ(said().count(QStringLiteral("multiplies and adds along")), 2);
    EXPECT_TRUE(page().key().accessibleDescription().contains(rows.back()));
    // Every row of a large program, in all diagrams, does something and names it.
    for (const char* sample : {"decoder-block", "causal-attention", "layernorm-matmul"}) {
        open(sample);
        for (const int kind : {0, 1, 2, 3}) {
            page().kind().setCurrentIndex(kind);
            settle();
            if (!view().drawing()) continue;
            for (const QString& row : row_sentences(drawing())) {
                EXPECT_FALSE(row.contains(QStringLiteral("  "))) << row.toStdString();
                EXPECT_FALSE(row.contains(QStringLiteral(" ,")) || row.contains(QStringLiteral(" .")))
                    << row.toStdString();
            }
        }
    }
}

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

TEST_F(CircuitPageTest, SaysThatItIsOfThePlainForm) {
    const auto said = [&] {
        for (const QLabel* label : page().findChildren<QLabel*>())
            if (label->isVisibleTo(&page()) && label->text().contains("plain form")) return true;
        return false;
    };
    EXPECT_FALSE(said());
    document().show_safe(true);
    EXPECT_TRUE(said());
    document().show_safe(false);
    EXPECT_FALSE(said());
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
    EXPECT_LE(drawing().bounds.width * view().camera().scale, 560);
    page().resize(1200, 700);
    settle();
    EXPECT_EQ(drawing().lines.size(), wide);
}

// Whatever the page's size, names have 11 pixels at first; the rest is reached by the overview.
TEST_F(CircuitPageTest, NamesCanBeReadAsItOpens) {
    using circuit::LabelRole;
    for (const char* sample : {"attention", "gemm-relu", "decoder-block"})
        for (const QSize size : {QSize(900, 600), QSize(1400, 800)}) {
            page().resize(size);
            desk_.open(sample);
            settle();
            for (const LabelRole role :
                 {LabelRole::Axis, LabelRole::Name, LabelRole::Title, LabelRole::Glyph})
                EXPECT_GE(circuit::letter_size(role) * view().camera().scale, 11 - 1e-9)
                    << sample << ' ' << size.width();
            const bool all = drawing().bounds.height * view().camera().scale <= view().height() + 1 &&
                             drawing().bounds.width * view().camera().scale <= view().width() + 1;
            EXPECT_EQ(page().findChild<CircuitOverview*>()->isHidden(), all) << sample << ' ' << size.width();
        }
}

TEST_F(CircuitPageTest, TheOverviewMovesTheView) {
    open("decoder-block");
    auto* overview = page().findChild<CircuitOverview*>();
    ASSERT_FALSE(overview->isHidden());
    EXPECT_TRUE(view().rect().contains(overview->geometry()));
    const Camera before = view().camera();
    QTest::mouseClick(overview, Qt::LeftButton, {}, {overview->width() / 2, overview->height() - 8});
    EXPECT_GT(view().camera().center.y, before.center.y);
    EXPECT_EQ(view().camera().scale, before.scale);
    const Rect& bounds = drawing().bounds;
    EXPECT_NEAR(view().camera().center.x, bounds.center().x, bounds.width * 0.1);
    view().fit_whole();
    EXPECT_TRUE(overview->isHidden());
}

// Of a diagram of many rows it is no mere strip, and it covers no number where a corner is free of all.
TEST_F(CircuitPageTest, TheOverviewIsWideEnoughAndCoversLeast) {
    auto* overview = page().findChild<CircuitOverview*>();
    for (const char* sample : {"attention", "gated-mlp"}) {
        page().resize(600, 420);
        open(sample);
        ASSERT_FALSE(overview->isHidden()) << sample;
        EXPECT_GE(std::min(overview->width(), overview->height()), 30) << sample;
        EXPECT_LE(std::max(overview->width(), overview->height()), 0.6 * view().height() + 11) << sample;
        for (const circuit::DrawnNumber& number : drawing().numbers) {
            const QPointF from =
                to_view(view().camera(), view().size(), {number.box.left(), number.box.top()});
            const QPointF to =
                to_view(view().camera(), view().size(), {number.box.right(), number.box.bottom()});
            EXPECT_FALSE(QRectF(from, to).intersects(QRectF(overview->geometry()))) << sample;
        }
    }
}

// A decoder block is first seen as large as it can be read, from its beginning; whole if that is wanted, and
// from then on.
TEST_F(CircuitPageTest, ShowsTheBeginningOfALargeProgramReadably) {
    open("decoder-block");
    EXPECT_DOUBLE_EQ(view().camera().scale, CircuitView::readable_scale());
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
    const Spot spot =
        circuit_spot(drawing(), *document().content().program(), {}, shared_names(drawing().axes), load);
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

// The maps of the current state over a dimension, at any depth.
std::set<NodeId> maps_over(const BlockProgram& program, const std::string& dim) {
    std::set<NodeId> found;
    const std::function<void(const Graph&)> look = [&](const Graph& graph) {
        for (const NodePtr& node : graph.nodes())
            if (const Map* map = node->as<Map>()) {
                if (program.dims.at(map->dim.value).name == dim) found.insert(node->id);
                look(*map->body);
            }
    };
    look(*program.graph);
    return found;
}

// A wire is the map whose parts it has; outside of all maps those over its axis.
TEST_F(CircuitPageTest, AWireIsTheMapsOverItsAxis) {
    document().end();
    settle();
    int inside = 0, outside = 0;
    for (std::size_t w = 0; w < drawing().wires.size(); ++w) {
        const circuit::AxisId axis = drawing().wires[w].axis;
        if (axis.value < 0) continue;
        std::set<NodeId> expected;
        for (const circuit::DrawnFrame& frame : drawing().frames)
            if (std::count(frame.axes.begin(), frame.axes.end(), axis) > 0)
                expected.insert(frame.origin.node);
        const bool part = !expected.empty();
        if (!part)
            expected = maps_over(*document().content().program(),
                                 circuit::axis_of(drawing().axes, whole_axis(drawing().axes, axis)).name);
        (part ? inside : outside) += 1;
        view().clicked({CircuitPart::Kind::Wire, static_cast<int>(w)});
        EXPECT_EQ(document().selection().nodes, expected) << circuit::axis_of(drawing().axes, axis).name;
        view().hovered({CircuitPart::Kind::Wire, static_cast<int>(w)});
        EXPECT_EQ(document().hover().nodes, expected);
    }
    EXPECT_GT(inside, 3);
    EXPECT_GT(outside, 3);
}

// The program as one algorithm has no maps, but their axes, and the transfers of what goes in and comes out.
TEST_F(CircuitPageTest, OneAlgorithmIsLinkedBothWays) {
    document().end();
    page().kind().setCurrentIndex(2);
    settle();
    const BlockProgram& program = *document().content().program();
    const std::set<NodeId> maps = maps_over(program, "M");
    ASSERT_FALSE(maps.empty());
    document().select({{*maps.begin()}, {}, {}});
    std::set<std::string> lit;
    for (const int axis : view().lights().axes)
        lit.insert(drawing().axes[static_cast<std::size_t>(axis)].name);
    EXPECT_THAT(lit, testing::UnorderedElementsAre("M", "g_M"));
    ASSERT_EQ(view().lights().frames.size(), 1U);
    const int frame = *view().lights().frames.begin();
    view().clicked({CircuitPart::Kind::Frame, frame});
    EXPECT_EQ(document().selection().nodes, maps);

    std::set<std::string> moved;
    for (std::size_t g = 0; g < drawing().glyphs.size(); ++g) {
        const circuit::DrawnGlyph& glyph = drawing().glyphs[g];
        if (glyph.kind != GlyphKind::Transfer || glyph.array.empty()) continue;
        view().clicked({CircuitPart::Kind::Glyph, static_cast<int>(g)});
        ASSERT_TRUE(document().selection().value) << glyph.array;
        EXPECT_EQ(view().lights().glyphs.count(static_cast<int>(g)), 1U) << glyph.array;
        EXPECT_EQ(view().lights().glyphs.size(), 1U) << glyph.array;
        moved.insert(glyph.array);
    }
    EXPECT_THAT(moved, testing::IsSupersetOf({"Q", "K", "V"}));
    EXPECT_GT(moved.size(), 3U);  // and the result
}

// Step by step, too, whatever an axis is called by now.
TEST_F(CircuitPageTest, RenamedAxesAreStillThoseOfTheMaps) {
    document().end();
    page().set_stepping();
    const auto settled = [&] {
        ASSERT_TRUE(wait_until([&] { return page().steps().session() && !page().busy(); }));
        QCoreApplication::processEvents();
    };
    settled();
    const circuit::Axes axes = page().steps().session()->current().flow->axes;
    const auto m = static_cast<int>(
        std::find_if(axes.begin(), axes.end(), [](const circuit::Axis& axis) { return axis.name == "M"; }) -
        axes.begin());
    page().steps().rename({m}, QStringLiteral("rows"));
    settled();
    page().steps().act({circuit::CircuitAction::Kind::Group, {m}, 128, {}});
    settled();
    const std::set<NodeId> maps = maps_over(*document().content().program(), "M");
    document().select({{*maps.begin()}, {}, {}});
    std::set<std::string> lit;
    for (const int axis : view().lights().axes)
        lit.insert(drawing().axes[static_cast<std::size_t>(axis)].name);
    EXPECT_THAT(lit, testing::UnorderedElementsAre("rows", "g_rows"));
    for (std::size_t w = 0; w < drawing().wires.size(); ++w)
        if (drawing().wires[w].axis.value == m) {
            view().clicked({CircuitPart::Kind::Wire, static_cast<int>(w)});
            EXPECT_EQ(document().selection().nodes, maps);
            return;
        }
    FAIL() << "no wire of the axis";
}

// A layer of many: its brackets are drawn, and written to files, where the types fit.
TEST_F(CircuitPageTest, RepeatsWhatCanBeALayer) {
    page().kind().setCurrentIndex(1);
    settle();
    EXPECT_TRUE(page().repeat().isHidden());  // values of another width than queries
    const auto brackets = [&] {
        return std::count_if(drawing().frames.begin(), drawing().frames.end(),
                             [](const circuit::DrawnFrame& frame) {
                                 return frame.kind == circuit::FrameKind::Repeat && !frame.open_left;
                             });
    };
    open("decoder-block");
    page().kind().setCurrentIndex(1);
    settle();
    EXPECT_EQ(brackets(), 0);
    page().repeat().setValue(32);
    settle();
    EXPECT_EQ(brackets(), 1);
    const QString path = desk_.folder.filePath(QStringLiteral("layers.json"));
    EXPECT_TRUE(page().export_diagram(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("\"repeat\""));
    EXPECT_EQ(page().seen().drawing, page().view().drawing());
    EXPECT_EQ(page().seen().kind, "The program");
    page().hide();
    EXPECT_EQ(page().seen().circuit, nullptr);
    page().show();
    page().kind().setCurrentIndex(0);
    settle();
    EXPECT_TRUE(page().repeat().isHidden());
    EXPECT_EQ(brackets(), 0);
    open("matmul");
    page().kind().setCurrentIndex(1);
    settle();
    EXPECT_TRUE(page().repeat().isHidden());
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
    EXPECT_NE(refused.problems().front().message.str().find("at most 8000"), std::string::npos);
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
