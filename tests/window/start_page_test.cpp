#include "app/window/start_page.h"

#include <gmock/gmock.h>

#include <QDir>
#include <QPushButton>

#include "app/window/lesson_cards.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

TEST(Samples, AllOfThemAreCompiledInWithTheirComments) {
    const QDir folder(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/samples"));
    EXPECT_EQ(samples().size(), static_cast<std::size_t>(folder.entryList({QStringLiteral("*.bp")}).size()));
    EXPECT_EQ(samples().front().name, QStringLiteral("attention"));
    for (const Sample& sample : samples()) {
        EXPECT_FALSE(sample.text.isEmpty()) << sample.name.toStdString();
        EXPECT_GE(sample.comment.size(), 2) << sample.name.toStdString();
    }
}

TEST(Samples, StandOnShelvesByWhatTheyCompute) {
    const auto shelf = [](const char* name) { return find_sample(QString::fromLatin1(name))->shelf; };
    for (const char* name : {"attention", "causal-attention", "gqa", "fp8-attention"})
        EXPECT_EQ(shelf(name), Shelf::Attention) << name;
    for (const char* name : {"softmax", "gemm-relu", "matmul", "layernorm", "layernorm-matmul"})
        EXPECT_EQ(shelf(name), Shelf::FirstFusions) << name;
    for (const char* name : {"gated-mlp", "bias-gelu-mlp", "lora"})
        EXPECT_EQ(shelf(name), Shelf::Parts) << name;
    EXPECT_EQ(shelf("decoder-block"), Shelf::Blocks);
    EXPECT_EQ(shelf("mcfuser-s3"), Shelf::Benchmarks);
}

TEST(StartPage, HasACardForEverySampleThatOpensIt) {
    test::TestWindow t;
    EXPECT_TRUE(t.window.on_start_page());
    const auto& cards = t.window.start_page().cards();
    ASSERT_EQ(cards.size(), samples().size());
    auto* card = static_cast<SampleCard*>(cards.front());
    EXPECT_EQ(card->accessibleName(), samples().front().title);
    card->click();
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(t.window.document().content().name, "attention");
    EXPECT_FALSE(t.window.on_start_page());
}

// A display of 1280 x 720 with type of 125% has room for a window of 1024 x 576.
TEST(StartPage, GoalsOfLessonsAreReadWholeInASmallWindow) {
    test::TestWindow t;
    t.window.resize(1024, 576);
    QCoreApplication::processEvents();
    ASSERT_FALSE(t.window.start_page().lesson_cards().empty());
    for (const QWidget* widget : t.window.start_page().lesson_cards()) {
        const auto* card = static_cast<const LessonCard*>(widget);
        EXPECT_FALSE(card->goal().contains(QChar(0x2026))) << card->goal().toStdString();
        EXPECT_GE(card->height(), card->sizeHint().height());
    }
}

TEST(StartPage, PicturesOfSamplesComeAndAreKept) {
    test::TestWindow t;
    Thumbnails thumbnails(t.window.services().pictures, t.appearance);
    const Sample& sample = *find_sample(QStringLiteral("gemm-relu"));
    t.window.start_page().hide();  // whose own thumbnails would wait in the same queue
    thumbnails.of(sample, 1);
    ASSERT_TRUE(test::wait_until([&] { return !thumbnails.of(sample, 1).empty(); }));
    Thumbnails later(t.window.services().pictures, t.appearance);
    const auto pixels = [](const QImage& image) { return image.convertToFormat(QImage::Format_RGB32); };
    EXPECT_EQ(pixels(later.of(sample, 1).before), pixels(thumbnails.of(sample, 1).before));
    EXPECT_FALSE(later.of(sample, 1).after.isNull());
    const QString saving = thumbnails.of(sample, 1).gain.words();
    EXPECT_TRUE(saving.contains(QStringLiteral(" to "))) << saving.toStdString();
    EXPECT_EQ(later.of(sample, 1).gain.words(), saving) << "it is kept with the pictures";
}

TEST(StartPage, LeadsBackToTheDocument) {
    test::TestWindow t;
    const auto back = [&]() -> QPushButton* {
        for (QPushButton* button : t.window.start_page().findChildren<QPushButton*>())
            if (button->text().startsWith(QStringLiteral("Back to"))) return button;
        return nullptr;
    };
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("file.start");
    ASSERT_TRUE(t.window.on_start_page());
    ASSERT_NE(back(), nullptr);
    EXPECT_EQ(back()->text(), QStringLiteral("Back to attention"));
    EXPECT_TRUE(back()->isVisible());
    back()->click();
    EXPECT_FALSE(t.window.on_start_page());
    t.window.document().close();
    t.window.actions().trigger("file.start");
    EXPECT_FALSE(back()->isVisible()) << "there is nothing to go back to";
}

TEST(StartPage, NothingOfTheDocumentChangesBehindIt) {
    test::TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("step.forward");
    t.window.actions().trigger("file.start");
    ASSERT_TRUE(t.window.on_start_page());
    t.window.actions().trigger("edit.undo");
    EXPECT_EQ(t.window.document().content().current, 0);
    EXPECT_FALSE(t.window.on_start_page()) << "what is undone is seen";
}

TEST(StartPage, ListsRecentFiles) {
    test::TestWindow t;
    const QString path = t.file("mine.bp", find_sample(QStringLiteral("gemm-relu"))->text.toUtf8());
    t.window.open_file(path);
    ASSERT_TRUE(test::wait_until([&] { return !t.window.document().empty(); }));
    EXPECT_EQ(t.settings.recent_files(), QStringList{path});
    QStringList names;
    for (const QPushButton* button : t.window.start_page().findChildren<QPushButton*>())
        names << button->text();
    EXPECT_TRUE(names.contains(QStringLiteral("mine.bp")));
}

}  // namespace
}  // namespace blockscope
