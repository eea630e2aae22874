#include <gmock/gmock.h>
#include <QScreen>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTest>
#include <QTreeWidget>

#include "app/window/dialogs.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using testing::ElementsAre;

std::vector<std::string> listed(const CommandPalette& palette) {
    std::vector<std::string> texts;
    for (const Command* command : palette.listed()) texts.push_back(command->text.toStdString());
    return texts;
}

TEST(Fuzzy, FindsLettersInOrderWhateverTheirCase) {
    EXPECT_TRUE(fuzzy_match(QStringLiteral("nst"), QStringLiteral("Next step")));
    EXPECT_TRUE(fuzzy_match(QStringLiteral("NEXT STEP"), QStringLiteral("Next step")));
    EXPECT_FALSE(fuzzy_match(QStringLiteral("tsen"), QStringLiteral("Next step")));
    EXPECT_FALSE(fuzzy_match(QStringLiteral("steps"), QStringLiteral("Next step")));
    EXPECT_TRUE(fuzzy_match(QString(), QStringLiteral("Next step")));
}

TEST(Fuzzy, PrefersStartsOfWordsAndLettersInARow) {
    const auto hit = fuzzy_match(QStringLiteral("st"), QStringLiteral("Fast step"));
    ASSERT_TRUE(hit);
    EXPECT_THAT(hit->positions, ElementsAre(5, 6));
    EXPECT_GT(fuzzy_match(QStringLiteral("ns"), QStringLiteral("Next step"))->score,
              fuzzy_match(QStringLiteral("ns"), QStringLiteral("Unrest is"))->score);
}

TEST(Palette, FiltersAndRuns) {
    test::TestWindow t;
    CommandPalette& palette = t.window.palette_panel();
    int ran = 0;
    palette.open({{QStringLiteral("Open"), {}, {}, true, [&] { ran = 1; }},
                  {QStringLiteral("Zoom in"), {}, {}, true, [&] { ran = 2; }},
                  {QStringLiteral("Zoom out"), {}, {}, true, [&] { ran = 3; }}});
    EXPECT_EQ(listed(palette).size(), 3u);
    palette.filter(QStringLiteral("zo"));
    EXPECT_THAT(listed(palette), ElementsAre("Zoom in", "Zoom out"));
    palette.filter(QStringLiteral("zout"));
    EXPECT_THAT(listed(palette), ElementsAre("Zoom out"));
    palette.run_current();
    EXPECT_EQ(ran, 3);
    EXPECT_FALSE(palette.isVisible());
}

TEST(Palette, SaysThatNothingIsFound) {
    test::TestWindow t;
    CommandPalette& palette = t.window.palette_panel();
    palette.open({{QStringLiteral("Open"), {}, {}, true, [] { FAIL(); }}});
    palette.filter(QStringLiteral("qqq"));
    EXPECT_TRUE(palette.listed().empty());
    const auto* list = palette.findChild<QListWidget*>();
    ASSERT_EQ(list->count(), 1);
    EXPECT_EQ(list->item(0)->text(), QStringLiteral("Nothing is called that"));
    palette.run_current();
    EXPECT_TRUE(palette.isVisible());
}

TEST(Palette, WhatIsDisabledDoesNotRun) {
    test::TestWindow t;
    bool ran = false;
    t.window.palette_panel().open({{QStringLiteral("Save"), {}, {}, false, [&] { ran = true; }}});
    t.window.palette_panel().run_current();
    EXPECT_FALSE(ran);
}

TEST(Palette, OffersActionsStepsAndSamples) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    int steps = 0;
    int sample_count = 0;
    for (const Command& command : t.window.commands()) {
        steps += command.text.startsWith(QStringLiteral("Go to step")) ? 1 : 0;
        sample_count += command.detail == QStringLiteral("Sample") ? 1 : 0;
        if (command.text == QStringLiteral("Go to step 7")) command.run();
    }
    const Content& content = t.window.document().content();
    EXPECT_EQ(content.history.depth(content.current), 7);
    EXPECT_EQ(steps, content.history.depth(content.history.branch(content.branch).tip) + 1);
    EXPECT_EQ(sample_count, static_cast<int>(samples().size()));
}

TEST(ShortcutSheet, ListsEverythingAndCanBeSearched) {
    test::TestWindow t;
    ShortcutSheet sheet(t.appearance);
    EXPECT_EQ(sheet.shown_rows(), static_cast<int>(action_table().size()));
    sheet.filter(QStringLiteral("Ctrl+K"));
    EXPECT_EQ(sheet.shown_rows(), 1);
    sheet.filter(QStringLiteral("no such thing"));
    EXPECT_EQ(sheet.shown_rows(), 0);
    EXPECT_TRUE(sheet.findChild<QLabel*>()->isVisibleTo(&sheet)) << "says so";
    sheet.filter({});
    EXPECT_FALSE(sheet.findChild<QLabel*>()->isVisibleTo(&sheet));
}

TEST(ShortcutSheet, CutsNothingAtTheWidthThatItLikes) {
    test::TestWindow t;
    ShortcutSheet sheet(t.appearance);
    sheet.resize(sheet.liked_width(), 600);
    sheet.show();
    auto* tree = sheet.findChild<QTreeWidget*>();
    for (int i = 0; i < tree->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* menu = tree->topLevelItem(i);
        for (int j = 0; j < menu->childCount(); ++j) {
            const QString text = menu->child(j)->text(2);
            EXPECT_LT(tree->fontMetrics().horizontalAdvance(text) + 8, tree->columnWidth(2))
                << text.toStdString();
        }
    }
}

TEST(ShortcutSheet, OpensWithinTheScreen) {
    test::TestWindow t;
    t.appearance.set_presenting(true);  // large type
    const ShortcutSheet sheet(t.appearance);
    const QSize room = sheet.screen()->availableSize();
    ASSERT_GT(sheet.liked_width(), room.width()) << "it would like more than there is";
    EXPECT_LT(sheet.width(), room.width());
    EXPECT_LT(sheet.height(), room.height());
}

}  // namespace
}  // namespace blockscope
