#include "app/window/dialogs.h"

#include <gmock/gmock.h>

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>

#include "core/glossary/glossary.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

TEST(GlossaryDialog, ListsTermsAndCanBeSearched) {
    test::TestWindow t;
    GlossaryDialog dialog(t.appearance);
    EXPECT_EQ(dialog.shown_rows(), static_cast<int>(glossary().size()));
    dialog.findChild<QLineEdit*>()->setText(QStringLiteral("buffered edge"));
    EXPECT_GE(dialog.shown_rows(), 2) << "buffered and unbuffered";
    EXPECT_TRUE(dialog.shown_text().startsWith(QStringLiteral("Buffered edge\n")))
        << dialog.shown_text().toStdString();
    dialog.filter(QStringLiteral("no such thing"));
    EXPECT_EQ(dialog.shown_rows(), 0);
    EXPECT_TRUE(dialog.shown_text().isEmpty());
    EXPECT_TRUE(dialog.findChild<QLabel*>()->isVisibleTo(&dialog)) << "says so";
    dialog.filter({});
    EXPECT_FALSE(dialog.findChild<QLabel*>()->isVisibleTo(&dialog));
}

TEST(GlossaryDialog, FollowsReferencesToTerms) {
    test::TestWindow t;
    GlossaryDialog dialog(t.appearance);
    dialog.findChild<QLineEdit*>()->setText(QStringLiteral("optimum"));
    ASSERT_TRUE(dialog.show_term(QStringLiteral("mem"))) << "an alias";
    EXPECT_TRUE(dialog.shown_text().startsWith(QStringLiteral("M\n"))) << dialog.shown_text().toStdString();
    EXPECT_TRUE(dialog.findChild<QLineEdit*>()->text().isEmpty());
    EXPECT_FALSE(dialog.show_term(QStringLiteral("no such thing")));
    for (const GlossaryTerm& term : glossary()) {
        Q_EMIT dialog.findChild<QTextBrowser*>()->anchorClicked(QUrl(QString::fromStdString(term.name)));
        EXPECT_EQ(dialog.findChild<QListWidget*>()->currentItem()->text().toStdString(), term.name);
    }
}

}  // namespace
}  // namespace blockscope
