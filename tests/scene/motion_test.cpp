// Less motion, as desktops write it into their settings files.
#include "app/scene/transition.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <tuple>

namespace blockscope {
namespace {

class Motion : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "BLOCKSCOPE_REDUCED_MOTION"})
            before_.emplace_back(name, qEnvironmentVariableIsSet(name), qgetenv(name));
        qputenv("XDG_CONFIG_HOME", folder_.path().toLocal8Bit());
        qputenv("XDG_CONFIG_DIRS", "/nonexistent");
        qunsetenv("BLOCKSCOPE_REDUCED_MOTION");
    }
    void TearDown() override {
        for (const auto& [name, was, value] : before_) was ? qputenv(name, value) : qunsetenv(name);
    }
    void write(const QString& name, const QByteArray& text) {
        const QString path = folder_.filePath(name);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

private:
    QTemporaryDir folder_;
    std::vector<std::tuple<const char*, bool, QByteArray>> before_;
};

TEST_F(Motion, NobodyAsksWithoutFiles) {
    EXPECT_FALSE(asks_for_less_motion());
}

TEST_F(Motion, GtkSaysItWithANumberOrAWord) {
    write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n");
    EXPECT_TRUE(asks_for_less_motion());
    write("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=true\n");
    EXPECT_FALSE(asks_for_less_motion());
    write("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=false\n");
    EXPECT_TRUE(asks_for_less_motion());
}

TEST_F(Motion, KdeSaysItWithAFactor) {
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n");
    EXPECT_FALSE(asks_for_less_motion());
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n");
    EXPECT_TRUE(asks_for_less_motion());
}

TEST_F(Motion, TheVariableHasTheLastWord) {
    write("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n");
    qputenv("BLOCKSCOPE_REDUCED_MOTION", "0");
    EXPECT_FALSE(asks_for_less_motion());
    qputenv("BLOCKSCOPE_REDUCED_MOTION", "1");
    EXPECT_TRUE(asks_for_less_motion());
}

}  // namespace
}  // namespace blockscope
