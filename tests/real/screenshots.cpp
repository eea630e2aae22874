// Takes the pictures of the documentation from the real window. `./dev screenshots` runs it, with the folder
// for them in BLOCKSCOPE_SCREENSHOTS.
#include <gtest/gtest.h>

#include <QFileInfo>
#include <cstdio>

#include "core/rules/rule.h"
#include "tests/real/desk.h"

namespace blockscope::test {
namespace {

QString folder;  // where the pictures go

bool keep(const QImage& image, const QString& name) {
    const QString file = folder + QLatin1Char('/') + name + QStringLiteral(".png");
    if (image.save(file)) return true;
    std::fprintf(stderr, "%s cannot be written\n", qPrintable(file));
    return false;
}

void act(Desk& desk, const char* action) {
    desk.window().actions().trigger(action);
    desk.settle();
}

void show(Desk& desk, const char* panel) {
    desk.window().services().show_panel(panel);
    desk.settle();
}

bool start_page() {
    Desk desk(Desk::Motion::Off, {1440, 900});
    desk.settle();
    return keep(desk.image(), QStringLiteral("start"));
}

// One program from the start to the end, each feature on the way.
bool one_program() {
    Desk desk(Desk::Motion::Off, {1440, 900});
    if (!desk.open(QStringLiteral("attention"))) return false;
    bool fine = keep(desk.image(), QStringLiteral("initial"));
    act(desk, "step.end");
    fine = keep(desk.image(), QStringLiteral("final")) && fine;
    show(desk, "panel.sizes");
    fine = keep(desk.image(), QStringLiteral("sizes")) && fine;
    act(desk, "step.home");
    for (int i = 0; i < 6; ++i) act(desk, "step.forward");
    show(desk, "panel.rule");
    fine = keep(desk.image(), QStringLiteral("rule")) && fine;
    show(desk, "panel.editor");
    fine = keep(desk.image(), QStringLiteral("editor")) && fine;
    show(desk, "panel.array");
    return keep(desk.image(), QStringLiteral("array")) && fine;
}

// Another match than the algorithm's, then two states side by side.
bool branches() {
    Desk desk(Desk::Motion::Off, {1440, 900});
    if (!desk.open(QStringLiteral("attention"))) return false;
    for (int i = 0; i < 3; ++i) act(desk, "step.forward");
    const std::vector<Match> matches = all_matches(*desk.content().program());
    desk.document().apply(matches.back());
    desk.settle();
    desk.document().run_from_here();
    desk.settle();
    act(desk, "step.end");
    show(desk, "panel.history");
    bool fine = keep(desk.image(), QStringLiteral("history"));
    desk.document().compare_with({0});
    desk.settle();
    return keep(desk.image(), QStringLiteral("compare")) && fine;
}

bool dark_decoder() {
    Desk desk(Desk::Motion::Off, {1440, 900});
    if (!desk.open(QStringLiteral("decoder-block"))) return false;
    act(desk, "view.theme_dark");
    act(desk, "step.next_snapshot");
    show(desk, "panel.outline");
    return keep(desk.image(), QStringLiteral("decoder-dark"));
}

}  // namespace
}  // namespace blockscope::test

// A test in name only: so it shares main() with the tests of the real window.
TEST(Screenshots, AreTaken) {
    using namespace blockscope::test;
    folder = qEnvironmentVariable("BLOCKSCOPE_SCREENSHOTS");
    ASSERT_TRUE(QFileInfo(folder).isDir()) << "BLOCKSCOPE_SCREENSHOTS must name a folder";
    EXPECT_TRUE(start_page());
    EXPECT_TRUE(one_program());
    EXPECT_TRUE(branches());
    EXPECT_TRUE(dark_decoder());
}
