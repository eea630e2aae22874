// Files that are dropped on the window.
#include <gtest/gtest.h>

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QUrl>

#include "app/panels/editor_panel.h"
#include "app/window/picture_view.h"
#include "app/window/start_page.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

// As the window system says it: the widget below the pointer hears of it first.
bool drop(QWidget& target, const QMimeData& data) {
    const QPoint at = target.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&target, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent dropped(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&target, &dropped);
    return dropped.isAccepted();
}

TEST(Drops, AFileIsOpenedWhereverItIsDropped) {
    TestWindow t;
    QMimeData file;
    file.setUrls(
        {QUrl::fromLocalFile(t.file("dropped.bp", "dim M = 8 / 4\ninput A[M, M]\noutput B = exp(A)\n"))});
    ASSERT_TRUE(drop(t.window.start_page(), file));
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(t.window.document().content().name, "dropped");
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.services().show_panel("panel.editor");
    auto* editor = t.window.findChild<EditorPanel*>()->findChild<QPlainTextEdit*>();
    const std::string text = editor->toPlainText().toStdString();
    ASSERT_TRUE(drop(*editor->viewport(), file));
    EXPECT_EQ(editor->toPlainText().toStdString(), text) << "its name is no part of the program";
    ASSERT_TRUE(test::wait_until([&] { return t.window.document().content().name == "dropped"; }));
}

TEST(Drops, WordsAreForFieldsOfText) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.services().show_panel("panel.editor");
    auto* editor = t.window.findChild<EditorPanel*>()->findChild<QPlainTextEdit*>();
    QMimeData words;
    words.setText(QStringLiteral("# a remark\n"));
    EXPECT_FALSE(drop(t.window.view(), words));
    EXPECT_TRUE(drop(*editor->viewport(), words));
    EXPECT_TRUE(editor->toPlainText().contains(QStringLiteral("# a remark")));
}

}  // namespace
}  // namespace blockscope
