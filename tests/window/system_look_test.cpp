// What the desktop portal says counts at once, also while the program runs.

#include <gmock/gmock.h>

#include <QSignalSpy>
#include <QTemporaryDir>

#include "app/shell/appearance.h"

namespace blockscope {
namespace {

void say(SystemLook& look, const char* group, const char* key, const QVariant& value) {
    // As the bus calls it; portals may wrap the value twice.
    const QDBusVariant wrapped(QVariant::fromValue(QDBusVariant(value)));
    ASSERT_TRUE(
        QMetaObject::invokeMethod(&look, "setting_changed", Q_ARG(QString, QString::fromLatin1(group)),
                                  Q_ARG(QString, QString::fromLatin1(key)), Q_ARG(QDBusVariant, wrapped)));
}

TEST(SystemLook, LessMotionIsFollowedBothWays) {
    SystemLook look;
    if (look.reduced_motion()) GTEST_SKIP() << "this style never animates";
    QSignalSpy changed(&look, &SystemLook::changed);
    say(look, "org.freedesktop.appearance", "reduced-motion", 1U);
    EXPECT_TRUE(look.reduced_motion());
    EXPECT_EQ(changed.count(), 1);
    say(look, "org.gnome.desktop.interface", "enable-animations", false);
    EXPECT_EQ(changed.count(), 1) << "nothing new";
    say(look, "org.freedesktop.appearance", "reduced-motion", 0U);
    EXPECT_TRUE(look.reduced_motion()) << "the other one still asks for it";
    say(look, "org.gnome.desktop.interface", "enable-animations", true);
    EXPECT_FALSE(look.reduced_motion());
    EXPECT_EQ(changed.count(), 2);
}

// Desktops without the portal: their settings files (tests/scene/motion_test.cpp), or the variable.
TEST(SystemLook, LessMotionThatIsSetBeforeTheStartIsFollowed) {
    qputenv("BLOCKSCOPE_REDUCED_MOTION", "1");
    const SystemLook look;
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("settings.ini")));
    settings.set_animations(true);
    const Appearance appearance(settings);
    qunsetenv("BLOCKSCOPE_REDUCED_MOTION");
    EXPECT_TRUE(look.reduced_motion());
    EXPECT_FALSE(appearance.animated());
}

TEST(SystemLook, DarkAndLightAreFollowed) {
    SystemLook look;
    say(look, "org.freedesktop.appearance", "color-scheme", 1U);
    EXPECT_TRUE(look.dark());
    say(look, "org.freedesktop.appearance", "color-scheme", 2U);
    EXPECT_FALSE(look.dark());
    say(look, "org.example.other", "color-scheme", 1U);
    EXPECT_FALSE(look.dark());
}

}  // namespace
}  // namespace blockscope
