// What the desktop reads about the program is valid. Skipped, visibly, where the tools are missing.
#include <gmock/gmock.h>

#include <QProcess>
#include <QStandardPaths>

namespace {

const QString kFolder = QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/resources/");
const QString kId = QStringLiteral("io.github.blockscope.Blockscope");

void validate(const QString& tool, const QStringList& arguments) {
    if (QStandardPaths::findExecutable(tool).isEmpty())
        GTEST_SKIP() << tool.toStdString() << " is not installed";
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(tool, arguments);
    ASSERT_TRUE(process.waitForFinished());
    EXPECT_EQ(process.exitCode(), 0) << process.readAll().toStdString();
}

TEST(Resources, DesktopFileIsValid) {
    validate(QStringLiteral("desktop-file-validate"), {kFolder + kId + QStringLiteral(".desktop")});
}

TEST(Resources, MetainfoIsValid) {
    validate(QStringLiteral("appstreamcli"), {QStringLiteral("validate"), QStringLiteral("--no-net"),
                                              kFolder + kId + QStringLiteral(".metainfo.xml")});
}

}  // namespace
