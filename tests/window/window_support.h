// A window with settings of its own.
#pragma once

#include <QApplication>
#include <QDialog>
#include <QTemporaryDir>
#include <QTimer>
#include <string>

#include "app/shell/samples.h"
#include "app/window/main_window.h"
#include "tests/support/wait.h"

namespace blockscope::test {

// While it lives every dialog that waits is turned down, and counted.
class DialogsRefused {
public:
    DialogsRefused() {
        QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            ++count_;
            dialog->reject();
        });
        timer_.start(20);
    }
    int count() const { return count_; }

private:
    QTimer timer_;
    int count_ = 0;
};

struct TestWindow {
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("settings.ini"))};
    Appearance appearance{settings};
    MainWindow window{settings, appearance, folder.filePath(QStringLiteral("journal"))};

    TestWindow() {
        settings.set_animations(false);
        window.resize(1280, 800);
        window.show();
    }
    bool open_sample(const char* name) {
        window.opener().open_sample(*find_sample(QString::fromLatin1(name)));
        return wait_until([&] { return !window.document().empty() && !window.services().work.busy(); });
    }
    QString file(const char* name, const QByteArray& text) {
        QFile made(folder.filePath(QString::fromLatin1(name)));
        if (made.open(QIODevice::WriteOnly)) made.write(text);
        return made.fileName();
    }
};

}  // namespace blockscope::test
