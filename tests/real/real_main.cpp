// Tests on a real display, or on the one that QT_QPA_PLATFORM names. Nothing of the user's is read or
// written.
#include <gmock/gmock.h>

#include <QApplication>
#include <QDir>
#include <QStyleFactory>
#include <QTemporaryDir>

#include "app/words/words.h"

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
    const QTemporaryDir home;
    for (const char* kind : {"CONFIG", "DATA", "STATE", "CACHE"})
        qputenv(QByteArray("XDG_") + kind + "_HOME",
                home.filePath(QString::fromLatin1(kind).toLower()).toLocal8Bit());
    QDir::setCurrent(home.path());
    // The desktop's wishes (dark, less motion) would change the pictures.
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/dev/null");
    qputenv("QT_QPA_PLATFORMTHEME", "none");
    const QApplication application(argc, argv);
    QApplication::setCursorFlashTime(0);  // so that a screen stands still
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    blockscope::install_translations(qEnvironmentVariable("BLOCKSCOPE_LANGUAGE", QStringLiteral("en")));
    return RUN_ALL_TESTS();
}
