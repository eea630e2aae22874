#include "app/shell/actions.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QFileDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTranslator>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "app/cuda/cuda_page.h"
#include "app/words/words.h"
#include "core/support/result.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

TEST(Actions, IdsAreUniqueAndEveryTextIsThere) {
    std::set<std::string> ids;
    for (const ActionInfo& info : action_table()) {
        EXPECT_TRUE(ids.insert(info.id).second) << info.id;
        EXPECT_STRNE(info.text, "") << info.id;
        EXPECT_STRNE(info.menu, "") << info.id;
        EXPECT_EQ(std::string(info.help).back(), '.') << info.id << ": a sentence";
    }
}

TEST(Actions, NoTwoShareAKey) {
    std::map<QKeySequence, std::string> owner;
    for (const char* menu : action_menus()) {
        const QKeySequence mnemonic = QKeySequence::mnemonic(QString::fromLatin1(menu));
        EXPECT_TRUE(owner.emplace(mnemonic, menu).second) << menu;
    }
    for (const ActionInfo& info : action_table())
        for (const char* key : info.keys) {
            const QKeySequence sequence(QString::fromLatin1(key));
            EXPECT_FALSE(sequence.isEmpty()) << info.id << ": " << key;
            EXPECT_TRUE(owner.emplace(sequence, info.id).second)
                << key << ": " << info.id << ", " << owner[sequence];
        }
}

// A letter that a menu and a key share opens neither.
TEST(Actions, LettersOfMenusAreNoKeysInAnyLanguage) {
    for (const Language& language : languages()) {
        QTranslator texts;
        const bool english = language.code == QStringLiteral("en");
        if (!english && !texts.load(QStringLiteral(":/translations/blockscope_") + language.code)) continue;
        std::map<QKeySequence, std::string> owner;
        for (const char* menu : action_menus()) {
            const QString text = english ? QString::fromLatin1(menu) : texts.translate("actions", menu);
            ASSERT_FALSE(text.isEmpty()) << menu;
            const QKeySequence letter = QKeySequence::mnemonic(text);
            if (letter.isEmpty()) continue;
            EXPECT_TRUE(owner.emplace(letter, menu).second) << text.toStdString();
        }
        for (const ActionInfo& info : action_table())
            for (const char* key : info.keys)
                EXPECT_EQ(owner.count(QKeySequence(QString::fromLatin1(key))), 0U)
                    << language.code.toStdString() << ": " << key << ", " << info.id;
    }
}

TEST(Actions, EveryActionOfTheWindowHasAHandler) {
    test::TestWindow t;
    for (const ActionInfo& info : action_table()) EXPECT_TRUE(t.window.actions().handled(info.id)) << info.id;
}

TEST(Actions, HandingOverAsksForAFolderAndWritesIt) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    t.window.actions().trigger("file.hand_over");
    auto* dialog = t.window.findChild<QFileDialog*>();
    const auto* page = t.window.findChild<CudaPage*>();
    ASSERT_TRUE(dialog && page);
    EXPECT_EQ(dialog->fileMode(), QFileDialog::Directory);
    EXPECT_THAT(dialog->windowTitle().toStdString(),
                testing::HasSubstr("Folder for PyTorch: Initial program"));
    ASSERT_TRUE(test::wait_until([&] { return page->source().made; }));
    const QTemporaryDir folder;
    Q_EMIT dialog->fileSelected(folder.filePath(QStringLiteral("fused")));
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("fused/gemm_relu.cpp"))));
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("fused/gemm_relu.cu"))));
    dialog->reject();
}

TEST(Actions, AnActionHasOneHandlerWhichGoesWithItsOwner) {
    Actions actions;
    int calls = 0;
    EXPECT_FALSE(actions.get("view.fit")->isEnabled());
    {
        QObject owner;
        actions.on(
            "view.fit", [&] { ++calls; }, &owner);
        EXPECT_THROW(actions.on("view.fit", [] {}), InternalError);
        actions.trigger("view.fit");
    }
    actions.trigger("view.fit");
    EXPECT_EQ(calls, 1);
    EXPECT_FALSE(actions.handled("view.fit"));
    EXPECT_THROW(actions.get("no.such"), InternalError);
}

TEST(Actions, CheckingWithoutAHandlerIsQuiet) {
    Actions actions;
    int calls = 0;
    actions.on_toggle("view.legend", [&](bool) { ++calls; });
    actions.set_checked("view.legend", true);
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(actions.get("view.legend")->isChecked());
    actions.trigger("view.legend");
    EXPECT_EQ(calls, 1);
}

TEST(Actions, AButtonKeepsItsSpaceKey) {
    const Actions actions;
    QPushButton button;
    QKeyEvent space(QEvent::ShortcutOverride, Qt::Key_Space, Qt::NoModifier);
    space.ignore();
    QCoreApplication::sendEvent(&button, &space);
    EXPECT_TRUE(space.isAccepted());
    QKeyEvent letter(QEvent::ShortcutOverride, Qt::Key_N, Qt::NoModifier);
    letter.ignore();
    QCoreApplication::sendEvent(&button, &letter);
    EXPECT_FALSE(letter.isAccepted());
}

TEST(Actions, DocsListThem) {
    const std::string path = BLOCKSCOPE_SOURCE_DIR "/docs/shortcuts.md";
    const std::string text = action_markdown().toStdString();
    if (std::getenv("BLOCKSCOPE_UPDATE") != nullptr) std::ofstream(path) << text;
    std::stringstream stored;
    stored << std::ifstream(path).rdbuf();
    EXPECT_TRUE(stored.str() == text) << "docs/shortcuts.md differs; run this test with BLOCKSCOPE_UPDATE=1";
}

}  // namespace
}  // namespace blockscope
