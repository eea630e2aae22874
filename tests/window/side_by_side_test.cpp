// The circuit beside the picture, and back behind its tab.
#include <gmock/gmock.h>

#include <QTabWidget>

#include "app/circuit/circuit_page.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

struct Beside : testing::Test {
    test::TestWindow t;
    CircuitPage* circuit = t.window.findChild<CircuitPage*>();
    bool circuit_seen() const { return circuit->isVisible(); }
    bool picture_seen() { return t.window.view().isVisible(); }
    void toggle() { t.window.actions().trigger("circuit.beside"); }
};

TEST_F(Beside, BothAreSeenUntilItIsTakenBack) {
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_NE(circuit, nullptr);
    EXPECT_TRUE(picture_seen());
    EXPECT_FALSE(circuit_seen());
    toggle();
    EXPECT_TRUE(picture_seen());
    EXPECT_TRUE(circuit_seen());
    EXPECT_GT(circuit->width(), 200);
    EXPECT_GT(t.window.view().width(), 200);
    ASSERT_TRUE(test::wait_until([&] { return circuit->view().drawing() && !circuit->busy(); }));
    toggle();
    EXPECT_TRUE(picture_seen());
    EXPECT_FALSE(circuit_seen());
    t.window.actions().trigger("panel.circuit");
    EXPECT_FALSE(picture_seen());
    EXPECT_TRUE(circuit_seen());
}

TEST_F(Beside, ThePanelsActionGoesToTheCircuitWhereverItIs) {
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("panel.costs");
    EXPECT_FALSE(picture_seen());
    toggle();
    t.window.services().show_panel("panel.circuit");
    EXPECT_TRUE(circuit_seen());
    EXPECT_TRUE(picture_seen());
}

TEST_F(Beside, IsRememberedForTheNextWindow) {
    toggle();
    MainWindow next(t.settings, t.appearance, t.folder.filePath(QStringLiteral("other")));
    EXPECT_TRUE(next.actions().get("circuit.beside")->isChecked());
}

}  // namespace
}  // namespace blockscope
