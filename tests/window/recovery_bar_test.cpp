// What a crash left, offered at the start: restored, thrown away, held back during a presentation.
#include <gmock/gmock.h>

#include <QDir>
#include <QLabel>
#include <QPushButton>

#include "app/document/files.h"
#include "app/document/journal.h"
#include "app/panels/editor_panel.h"
#include "app/window/message_bars.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

class Crashed : public testing::Test {
protected:
    // A journal of a process that is not there any more.
    QString leave(const char* name, const std::string& note) {
        Content content =
            prepared(content_of_source("dim M = 8 / 4\ninput X[M]\noutput Y = exp(X) * 2\n", name).value());
        content.history.set_note(0, note);
        const QString folder = home.filePath(QStringLiteral("journal"));
        QDir().mkpath(folder);
        const QString file =
            folder + QLatin1Char('/') + QString::fromLatin1(name) + QStringLiteral(".blockscope");
        EXPECT_FALSE(write_file(file, journal_header({}) + write_document(content)));
        return file;
    }
    void start() {
        appearance = std::make_unique<Appearance>(settings);
        window =
            std::make_unique<MainWindow>(settings, *appearance, home.filePath(QStringLiteral("journal")));
        window->show();
        bar = window->findChild<RecoveryBar*>();
        ASSERT_NE(bar, nullptr);
    }
    void press(const QString& text) {
        for (auto* button : bar->findChildren<QPushButton*>())
            if (button->text() == text) return button->click();
        FAIL() << "no such button";
    }

    QTemporaryDir home;
    Settings settings{home.filePath(QStringLiteral("settings.ini"))};
    std::unique_ptr<Appearance> appearance;
    std::unique_ptr<MainWindow> window;
    RecoveryBar* bar = nullptr;
};

TEST_F(Crashed, RestoreBringsTheWorkBackAsUnsaved) {
    const QString journal = leave("4194305-1-1", "not saved");
    start();
    ASSERT_TRUE(bar->isVisible());
    press(QStringLiteral("Restore"));
    ASSERT_TRUE(test::wait_until([&] { return !window->document().empty(); }));
    EXPECT_EQ(window->document().content().history.state(0).note, "not saved");
    EXPECT_TRUE(window->opener().has_unsaved_work());
    EXPECT_FALSE(window->on_start_page());
    EXPECT_FALSE(bar->isVisible());
    EXPECT_TRUE(test::wait_until([&] { return !QFile::exists(journal); }));
}

TEST_F(Crashed, AProgramThatWasTypedAndNotAppliedIsInTheEditorAgain) {
    const QString journal = leave("4194305-1-1", "");
    const std::string typed = "dim M = 8 / 4\ninput X[M]\noutput Y = exp(\n";
    EXPECT_FALSE(write_file(draft_file(journal), typed));
    start();
    press(QStringLiteral("Restore"));
    ASSERT_TRUE(test::wait_until([&] { return !window->document().empty(); }));
    auto* editor = window->findChild<EditorPanel*>();
    ASSERT_NE(editor, nullptr);
    EXPECT_EQ(editor->edit().toPlainText().toStdString(), typed);
    EXPECT_TRUE(window->opener().has_unsaved_work());
    EXPECT_TRUE(test::wait_until([&] { return !QFile::exists(draft_file(journal)); }));
}

TEST_F(Crashed, RestoreAsksBeforeOtherUnsavedWorkIsLost) {
    const QString journal = leave("4194305-1-1", "not saved");
    start();
    window->opener().open_sample(samples().front());
    ASSERT_TRUE(test::wait_until([&] { return !window->document().empty(); }));
    window->document().set_note(0, QStringLiteral("mine"));
    const test::DialogsRefused dialogs;
    press(QStringLiteral("Restore"));
    EXPECT_EQ(dialogs.count(), 1);
    EXPECT_EQ(window->document().content().history.state(0).note, "mine");
    EXPECT_TRUE(bar->isVisible()) << "it can still be restored";
    EXPECT_TRUE(QFile::exists(journal));
}

TEST_F(Crashed, ThrowAwayDeletesItAndLaterKeepsIt) {
    const QString first = leave("4194305-1-1", "a"), second = leave("4194306-1-1", "b");
    start();
    press(QStringLiteral("Throw away"));
    EXPECT_NE(QFile::exists(first), QFile::exists(second)) << "one is gone, the other is asked about";
    EXPECT_TRUE(bar->isVisible());
    press(QStringLiteral("Later"));
    EXPECT_FALSE(bar->isVisible());
    EXPECT_NE(QFile::exists(first), QFile::exists(second));
}

TEST_F(Crashed, SaysWhichDocumentItWas) {
    leave("4194305-1-1", "a");
    start();
    EXPECT_THAT(bar->findChild<QLabel*>()->text().toStdString(), testing::HasSubstr("4194305-1-1"));
}

// A process that is killed and started anew at once may find the one before still there.
TEST_F(Crashed, WhatWasStillDyingIsOfferedAMomentLater) {
    start();
    EXPECT_FALSE(bar->isVisible());
    const QString journal = leave("4194305-1-1", "a");
    ASSERT_TRUE(test::wait_until([&] { return bar->isVisible(); }));
    press(QStringLiteral("Throw away"));
    EXPECT_FALSE(QFile::exists(journal));
}

TEST_F(Crashed, ASmallWindowCutsNothingOff) {
    leave("4194305-1-1-with-quite-a-long-name-of-its-own", "a");
    start();
    for (const int width : {720, 1100}) {
        window->resize(width, 480);
        for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
        for (const QWidget* part : bar->findChildren<QWidget*>()) {
            const QRect place(part->mapTo(bar, QPoint(0, 0)), part->size());
            EXPECT_TRUE(bar->rect().contains(place)) << width << ' ' << part->accessibleName().toStdString();
            const auto* text = qobject_cast<const QLabel*>(part);
            EXPECT_TRUE(!text || text->height() >= text->heightForWidth(text->width())) << width;
        }
    }
}

TEST_F(Crashed, NothingIsAskedDuringAPresentation) {
    leave("4194305-1-1", "a");
    start();
    window->opener().open_sample(samples().front());
    ASSERT_TRUE(test::wait_until([&] { return !window->document().empty(); }));
    ASSERT_TRUE(bar->isVisible());
    window->actions().trigger("view.presentation");
    EXPECT_FALSE(bar->isVisible());
    window->actions().trigger("edit.deselect");
    EXPECT_TRUE(bar->isVisible());
}

}  // namespace
}  // namespace blockscope
