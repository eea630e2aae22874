// What the window says of a model that it opens.
#include "app/window/model_bar.h"

#include <gmock/gmock.h>

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

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
    auto* dialog = t.window.findChild<QDialog*>(QStringLiteral("model_report"));
    ASSERT_NE(dialog, nullptr);
    auto* table = dialog->findChild<QTreeWidget*>();
    ASSERT_EQ(table->topLevelItemCount(), 1);
    EXPECT_EQ(table->topLevelItem(0)->text(0), QStringLiteral("/CumSum"));
    EXPECT_EQ(table->topLevelItem(0)->text(2), QStringLiteral("the language has no operator for it yet"));
    dialog->close();
    ASSERT_TRUE(t.open_sample("softmax"));
    EXPECT_FALSE(bar().isVisible()) << "another program is open";
}

TEST_F(ModelBars, SayWhichSizesAreAssumedAndLeadToThem) {
    ASSERT_TRUE(open("bert-dynamic.onnx"));
    EXPECT_EQ(text(), "All of the model is understood. batch = 1 and seq = 128 are assumed.");
    EXPECT_FALSE(button("Report").isVisible());
    button("Sizes").click();
    EXPECT_TRUE(t.window.findChild<QWidget*>(QStringLiteral("panel.sizes"))->isVisible());
    button("Close").click();
    EXPECT_FALSE(bar().isVisible());
}

}  // namespace
}  // namespace blockscope
