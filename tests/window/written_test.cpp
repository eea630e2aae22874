// What was written is offered, and is called what its name says.
#include <gmock/gmock.h>

#include <QAbstractButton>
#include <QUrl>

#include "app/scene/canvas.h"
#include "app/window/message_bars.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

TEST(Written, CanBeOpenedAndShownInItsFolder) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("softmax"));
    auto* bar = t.window.findChild<WrittenBar*>();
    ASSERT_NE(bar, nullptr);
    EXPECT_FALSE(bar->isVisible());
    const QString file = t.file("softmax.svg", "<svg/>");
    t.window.services().wrote(file);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(bar->path(), file);
    std::vector<QString> opened;
    bar->open_with([&](const QUrl& url) { opened.push_back(url.toLocalFile()); });
    for (auto* button : bar->findChildren<QAbstractButton*>())
        if (button->accessibleName() != QLatin1String("Close")) button->click();
    ASSERT_EQ(opened.size(), 2U);
    EXPECT_EQ(opened[0], file);
    EXPECT_EQ(opened[1], t.folder.path());
}

// What one has looked at, and written, stays where it is as the bar takes some of the picture's height.
TEST(Written, ThePictureKeepsItsShapeBelowTheBar) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    PictureView& view = t.window.view();
    ASSERT_TRUE(test::wait_until([&] { return view.picture() != nullptr; }));
    auto* bar = t.window.findChild<WrittenBar*>();
    for (const int height : {1000, 990, 980, 970}) {
        bar->hide();
        t.window.resize(1440, height);
        QCoreApplication::processEvents();
        const PictureShape chosen = view.shape();
        const int canvas = view.canvas().height();
        view.hold_room();
        t.window.services().wrote(t.file("attention.svg", "<svg/>"));
        ASSERT_TRUE(test::wait_until([&] { return view.canvas().height() < canvas; }));
        EXPECT_EQ(view.shape(), chosen) << height;
        t.window.resize(1440, height - 100);
        ASSERT_TRUE(test::wait_until([&] { return view.canvas().height() < canvas - 100; }));
        EXPECT_LT(view.shape().room.height, chosen.room.height) << "the user wants it smaller";
    }
    const double below = view.shape().room.height;
    view.hold_room();
    bar->hide();
    EXPECT_EQ(view.shape().room.height, below);
    t.window.document().forward();
    ASSERT_TRUE(test::wait_until([&] { return view.shape().room.height > below; })) << "a step chooses anew";
}

// A document is JSON: under a name that says so it is still the document of the window.
TEST(Written, ADocumentKeepsTheNameThatItWasGiven) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("softmax"));
    const QString file = t.folder.filePath(QStringLiteral("lecture.json"));
    ASSERT_TRUE(t.window.opener().save(file));
    EXPECT_TRUE(t.window.opener().has_document_file());
    EXPECT_TRUE(t.window.windowTitle().startsWith(QStringLiteral("lecture[*]")))
        << t.window.windowTitle().toStdString();
    EXPECT_TRUE(QFile::exists(file));
    t.window.document().close();
    EXPECT_FALSE(t.window.opener().has_document_file());
    t.window.open_file(file);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_TRUE(t.window.opener().has_document_file()) << "Ctrl+S writes it again";
    t.window.open_file(t.file("other.bp", "dim M = 8 / 4\ninput X[M, M]\noutput Y = relu(X)\n"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.document().content().name == "other"; }));
    EXPECT_FALSE(t.window.opener().has_document_file());
}

// A model is read and never written: saving asks for a name.
TEST(Written, AModelOpensAsAProgramAndStaysWhatItIs) {
    test::TestWindow t;
    t.window.open_file(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/tests/import/models/export-masked.pt2"));
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(t.window.document().content().name, "export-masked");
    EXPECT_FALSE(t.window.opener().has_document_file());
    EXPECT_GT(t.window.document().content().history.states().size(), 5U) << "it is fused";
}

}  // namespace
}  // namespace blockscope
