// What the window says of a model that it opens.
#include "app/window/model_bar.h"

#include <gmock/gmock.h>

#include <QDialog>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTreeWidget>

#include "app/plan/layers_page.h"
#include "core/import/onnx_reader.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

class ModelBars : public testing::Test {
protected:
    void SetUp() override {
        if (!model::reads_onnx()) GTEST_SKIP() << "this build reads no ONNX: protobuf is missing";
    }
    bool open(const char* model) {
        t.window.opener().open_file(QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/tests/import/models/") +
                                    QString::fromLatin1(model));
        return test::wait_until(
            [&] { return !t.window.document().empty() && !t.window.services().work.busy(); });
    }
    std::string text() { return bar().findChild<QLabel*>()->text().toStdString(); }
    QPushButton& button(const char* text) {
        for (QPushButton* each : bar().findChildren<QPushButton*>())
            if (each->text() == QLatin1String(text)) return *each;
        throw std::runtime_error(text);
    }
    ModelBar& bar() { return *t.window.findChild<ModelBar*>(); }

    test::TestWindow t;
};

TEST_F(ModelBars, SayWhatIsNotUnderstoodAndWhy) {
    ASSERT_TRUE(open("cumsum.onnx"));
    ASSERT_TRUE(bar().isVisible());
    EXPECT_EQ(text(), "One operator of the model has no form in the language and stays custom: CumSum.");
    EXPECT_FALSE(button("Sizes").isVisible()) << "the model has none to choose";
    button("Report").click();
    const QPointer<QDialog> dialog = t.window.findChild<QDialog*>(QStringLiteral("model_report"));
    ASSERT_NE(dialog, nullptr);
    auto* table = dialog->findChild<QTreeWidget*>();
    ASSERT_EQ(table->topLevelItemCount(), 1);
    EXPECT_EQ(table->topLevelItem(0)->text(0), QStringLiteral("/CumSum"));
    EXPECT_EQ(table->topLevelItem(0)->text(2), QStringLiteral("the language has no operator for it yet"));
    ASSERT_TRUE(t.open_sample("softmax"));
    EXPECT_FALSE(bar().isVisible()) << "another program is open";
    EXPECT_FALSE(dialog && dialog->isVisible()) << "and the report is of the one before";
    t.window.document().forward();
    EXPECT_FALSE(bar().isVisible());
}

TEST_F(ModelBars, SayWhichSizesAreAssumedAndLeadToThem) {
    ASSERT_TRUE(open("bert-dynamic.onnx"));
    EXPECT_EQ(text(), "All of the model is understood. batch = 1 and seq = 128 are assumed.");
    EXPECT_FALSE(button("Report").isVisible());
    Document& document = t.window.document();
    DimTable dims = document.content().program()->dims;
    const auto rows =
        std::find_if(dims.begin(), dims.end(), [](const Dim& dim) { return dim.name == "seq"; });
    ASSERT_NE(rows, dims.end());
    rows->size = 512;
    document.set_dims(dims);
    EXPECT_EQ(text(), "All of the model is understood. batch = 1 is assumed.") << "the other was chosen";
    document.undo();
    EXPECT_EQ(text(), "All of the model is understood. batch = 1 and seq = 128 are assumed.");
    button("Sizes").click();
    EXPECT_TRUE(t.window.findChild<QWidget*>(QStringLiteral("panel.sizes"))->isVisible());
    button("Layers").click();
    auto* layers = t.window.findChild<LayersPage*>();
    ASSERT_NE(layers, nullptr);
    EXPECT_TRUE(layers->isVisible());
    button("Close").click();
    EXPECT_FALSE(bar().isVisible());
}

}  // namespace
}  // namespace blockscope
