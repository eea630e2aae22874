// Every action once on a document: nothing crashes, and undo gives back the very same document.
#include <gmock/gmock.h>

#include <QApplication>
#include <QDialog>
#include <QTimer>

#include "tests/window/window_support.h"

namespace blockscope {
namespace {

// Rejects whatever dialog an action opens.
class Rejecter : public QTimer {
public:
    Rejecter() {
        setInterval(10);
        connect(this, &QTimer::timeout, [] {
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* dialog = qobject_cast<QDialog*>(widget); dialog != nullptr && dialog->isVisible())
                    dialog->reject();
        });
        start();
    }
};

void settle(MainWindow& window) {
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
    test::wait_until([&] { return !window.services().work.busy(); });
}

TEST(EveryAction, RunsAndCanBeUndone) {
    const Rejecter rejecter;
    test::TestWindow t;
    for (const ActionInfo& info : action_table()) {
        if (std::string(info.id) == "file.quit") continue;
        SCOPED_TRACE(info.id);
        ASSERT_TRUE(t.open_sample("gemm-relu"));
        t.window.actions().trigger("window.picture");
        t.window.document().forward();
        settle(t.window);
        t.window.actions().trigger("picture.down");
        const std::string before = write_document(t.window.document().content());
        const QAction* action = t.window.actions().get(info.id);
        const bool checked = action->isChecked();
        t.window.actions().trigger(info.id);
        settle(t.window);
        if (info.checkable && action->isChecked() != checked) {  // and back
            t.window.actions().trigger(info.id);
            settle(t.window);
        }
        if (std::string(info.id).rfind("file.", 0) == 0) continue;  // another document
        if (std::string(info.id) == "lesson.tour") {                // too
            ASSERT_TRUE(test::wait_until([&] { return !t.window.lessons().busy(); }));
            t.window.lessons().leave();
            continue;
        }
        while (t.window.document().can_redo()) t.window.document().redo();
        const std::string after = write_document(t.window.document().content());
        while (t.window.document().can_undo()) t.window.document().undo();
        EXPECT_EQ(t.window.document().content().current, 0);
        while (t.window.document().can_redo()) t.window.document().redo();
        EXPECT_EQ(write_document(t.window.document().content()), after);
        while (t.window.document().can_undo()) t.window.document().undo();
        t.window.document().forward();
        EXPECT_EQ(write_document(t.window.document().content()), before);
    }
}

}  // namespace
}  // namespace blockscope
