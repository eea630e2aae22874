#include "app/shell/controls.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTimer>

#include <string>

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

TEST(WriteDialog, NamesOfDocumentsBecomeNamesOfFiles) {
    const auto name = [](const char* text) { return file_name_of(QString::fromUtf8(text)).toStdString(); };
    EXPECT_EQ(name("attention"), "attention");
    EXPECT_EQ(name("GPT-2, layer 1"), "GPT-2, layer 1");
    EXPECT_EQ(name("a/b"), "a-b");
    EXPECT_EQ(name("../x"), "x");
    EXPECT_EQ(name("c:\\d?\"e\""), "c--d--e");
    EXPECT_EQ(name("line\nbreak"), "line-break");
    EXPECT_EQ(name(".hidden"), "hidden");
    EXPECT_EQ(name("///"), "untitled");
    EXPECT_EQ(name(""), "untitled");
    EXPECT_EQ(name(std::string(300, 'x').c_str()).size(), 80U);
}

}  // namespace
}  // namespace blockscope::test
