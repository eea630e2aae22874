// The page that says which cards there are: with everything, and with nothing.
#include "app/cuda/diagnostics_dialog.h"

#include <gmock/gmock.h>

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>

#include "app/shell/appearance.h"
#include "app/shell/settings.h"
#include "tests/cuda/fake_card.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::FakeCard;
using test::wait_until;
using testing::HasSubstr;

TEST(Diagnostics, ACardAndACompilerAreNamed) {
    const FakeCard card;
    Desk desk;
    DiagnosticsDialog dialog(desk.appearance, nullptr);
    ASSERT_TRUE(wait_until([&] { return !dialog.looking(); }));
    EXPECT_THAT(dialog.text().toStdString(), HasSubstr("cuda0: Emulated card, sm_80, 2 multiprocessors"));
    EXPECT_THAT(dialog.text().toStdString(), HasSubstr("libfake_nvrtc"));
    EXPECT_THAT(dialog.findChild<QLabel*>()->text().toStdString(), HasSubstr("Everything is there"));
}

// Libraries are opened in a process of their own: one that crashes costs the window nothing.
TEST(Diagnostics, AnotherProcessLooks) {
    const FakeCard card;
    Desk desk;
    DiagnosticsDialog dialog(desk.appearance, nullptr, QStringLiteral(BLOCKSCOPE_CLI));
    ASSERT_TRUE(wait_until([&] { return !dialog.looking(); }));
    const std::string text = diagnostics_text(gpu::find_cuda()).toStdString();
    EXPECT_THAT(text, HasSubstr("cuda0: Emulated card, sm_80, 2 multiprocessors"));
    EXPECT_EQ(dialog.text().toStdString(), text) << "what this process would find";
}

TEST(Diagnostics, AProcessThatCrashesIsSaid) {
    QTemporaryDir folder;
    const QString program = folder.filePath(QStringLiteral("crash"));
    QFile file(program);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\necho broken library >&2\nkill -SEGV $$\n");
    file.close();
    ASSERT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    Desk desk;
    DiagnosticsDialog dialog(desk.appearance, nullptr, program);
    ASSERT_TRUE(wait_until([&] { return !dialog.looking(); }));
    EXPECT_THAT(dialog.findChild<QLabel*>()->text().toStdString(), HasSubstr("crashed. The window goes on"));
    EXPECT_EQ(dialog.text(), QStringLiteral("broken library\n"));
}

TEST(Diagnostics, WhatIsMissingSaysWhereItWasLookedForAndHowToInstallIt) {
    gpu::Findings nothing;
    nothing.driver.attempts = {{"libcuda.so.1", "no such file"}};
    nothing.compiler.attempts = {{"/opt/cuda/libnvrtc.so.13", "lacks nvrtcVersion"}};
    const std::string text = diagnostics_text(nothing).toStdString();
    for (const char* part :
         {"libcuda.so.1", "no such file", "apt-get install nvidia-driver", "/opt/cuda/libnvrtc.so.13",
          "lacks nvrtcVersion", "pip install", "BLOCKSCOPE_NVRTC"})
        EXPECT_THAT(text, HasSubstr(part));
    Desk desk;
    DiagnosticsDialog dialog(desk.appearance, nullptr);
    ASSERT_TRUE(wait_until([&] { return !dialog.looking(); }));
    dialog.show_findings(nothing);
    EXPECT_THAT(dialog.findChild<QLabel*>()->text().toStdString(), HasSubstr("neither"));
    EXPECT_EQ(dialog.text().toStdString(), text) << "what Copy copies";
}

}  // namespace
}  // namespace blockscope
