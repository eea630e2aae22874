#include "app/panels/write_dialog.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTimer>

namespace blockscope::test {
namespace {

// Where the dialog begins; `answer` is typed, which leaves its folder.
QString folder_asked_in(const QString& name, const QString& answer) {
    QString folder;
    QTimer::singleShot(0, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        folder = dialog->directory().absolutePath();
        dialog->findChild<QLineEdit*>()->setText(answer);
        static_cast<QDialog*>(dialog)->done(QDialog::Accepted);
    });
    EXPECT_EQ(where_to_write(nullptr, QStringLiteral("Export"), QStringLiteral("*.svg"), name), answer);
    return folder;
}

TEST(WriteDialog, BeginsWhereTheFileBeforeWasWritten) {
    const QTemporaryDir one, other;
    const QString name = QStringLiteral("a.svg");
    folder_asked_in(name, one.filePath(name));
    EXPECT_EQ(folder_asked_in(name, other.filePath(name)), one.path());
    EXPECT_EQ(folder_asked_in(one.filePath(name), one.filePath(name)), one.path()) << "its own folder";
}

}  // namespace
}  // namespace blockscope::test
