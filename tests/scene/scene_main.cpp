// Widgets need an application; tests need no display.
#include <gtest/gtest.h>

#include <QApplication>

int main(int count, char** texts) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(count, texts);
    testing::InitGoogleTest(&count, texts);
    return RUN_ALL_TESTS();
}
