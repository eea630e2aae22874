#include <gmock/gmock.h>

#include <QApplication>
#include <QStandardPaths>
#include <QStyleFactory>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    for (const char* kind :
         {"XDG_DATA_HOME", "XDG_CACHE_HOME"})  // results and calibrations of the user are not read
        qputenv(kind, "/nonexistent/blockscope-tests");
    const QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
