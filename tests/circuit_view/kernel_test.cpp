// The kernel of an algorithm: its tables, what can be edited in them, circuit documents in their own window.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTextBrowser>
#include <QTreeWidget>
#include <algorithm>
#include <functional>
#include <set>

#include "app/circuit/circuit_view.h"
#include "app/circuit/clock_view.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/model_view.h"
#include "core/diagram/arrange.h"
#include "core/diagram/document.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/json/value.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

constexpr int kLevelsTab = 3;

std::string document_path(const char* name) {
    return std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/circuits/" + name + ".json";
}

struct Opened : testing::Test {
    Desk desk;
    std::unique_ptr<CircuitWindow> window;
    void open(const char* name) {
        window = std::make_unique<CircuitWindow>(QString::fromStdString(document_path(name)), desk.appearance,
                                                 nullptr);
        window->show();
        settle();
    }
    void settle() {
        ASSERT_TRUE(wait_until([&] { return window->tables().study() && !window->busy(); }));
    }
    const circuit::WarpgroupKernel& kernel() { return *window->tables().study()->kernel; }
};

// Section 6: 75% and 60% of the tensor cores under a softmax overhead of 66%.
TEST_F(Opened, FlashAttention3RunsAsItsDocumentSays) {
    open("flash-attention-3-fp8-intra");
    EXPECT_TRUE(window->view().drawing());
    EXPECT_EQ(window->tables().device_box().currentData().toString(), QStringLiteral("h100-sxm5"));
    EXPECT_EQ(kernel().execution.overlap, circuit::Overlap::Intra);
    EXPECT_EQ(window->tables().overlap_box().currentIndex(), 1);
    EXPECT_NEAR(window->tables().special_box().value(), 66.7, 0.05);
    const double before = kernel().utilisation;
    EXPECT_TRUE(window->tables().clocks().drawing());
    // What was put in is said where the utilisation is read.
    EXPECT_TRUE(window->tables().summary().contains(QStringLiteral("66.7% longer")));
    EXPECT_TRUE(window->tables().summary().contains(QStringLiteral("this is put in, not derived")));
    window->tables().special_box().setValue(0);
    settle();
    EXPECT_GT(kernel().utilisation, before);
    EXPECT_FALSE(window->tables().summary().contains(QStringLiteral("put in")));
}

// With FP32 accumulators one warpgroup fits, which leaves it 62.5 KiB of registers (Section 6.1, Table 2).
TEST_F(Opened, FlashAttention3InFp16HasRoomForOneWarpgroup) {
    open("flash-attention-3-fp16-inter");
    const QString said = window->tables().summary();
    EXPECT_TRUE(said.contains(QStringLiteral("Warpgroups that fit: 1."))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("2 are scheduled all the same"))) << said.toStdString();
    open("flash-attention-3-fp16-intra");
    QTableWidget* levels = nullptr;
    for (QTableWidget* table : window->tables().findChildren<QTableWidget*>())
        if (table->accessibleName() == QStringLiteral("Limits of the device")) levels = table;
    ASSERT_TRUE(levels);
    EXPECT_EQ(levels->horizontalHeaderItem(6)->text(), QStringLiteral("Left per warpgroup"));
    EXPECT_EQ(levels->item(1, 3)->text(), QStringLiteral("193.5 KiB"));
    EXPECT_EQ(levels->item(1, 6)->text(), QStringLiteral("62.5 KiB"));
}

// Every level of a device has groups of its own; a CPU has no kernel, but levels down to its registers.
TEST_F(Opened, LevelsOfAGpuAndACpu) {
    open("flash-attention-3-fp16-inter");
    EXPECT_GT(window->tables().level_plans().rowCount(), 1);
    QComboBox& devices = window->tables().device_box();
    devices.setCurrentIndex(devices.findData(QStringLiteral("epyc-9755")));
    settle();
    EXPECT_FALSE(window->tables().study()->kernel);
    QTableWidget& levels = window->tables().level_plans();
    ASSERT_EQ(levels.rowCount(), 4);
    for (const auto& [row, name] :
         {std::pair(0, "L3"), std::pair(1, "L2"), std::pair(2, "L1"), std::pair(3, "registers")})
        EXPECT_EQ(levels.item(row, 0)->text(), QString::fromLatin1(name));
    EXPECT_TRUE(levels.item(0, 2)->text().startsWith(QStringLiteral("g_")));
    EXPECT_TRUE(levels.isVisible());
    window->resize(1440, 900);
    QCoreApplication::processEvents();
    const QFontMetrics metrics = levels.fontMetrics();
    for (int column = 0; column < levels.columnCount(); ++column)
        EXPECT_GE(levels.columnWidth(column), metrics.horizontalAdvance(levels.item(3, column)->text()) + 6)
            << column << ": no time is cut";
    devices.setCurrentIndex(devices.findData(QStringLiteral("h100-sxm5")));
    settle();
    EXPECT_TRUE(window->tables().study()->kernel);
}

TEST_F(Opened, SizesAndTypesAreEditedAgainstTheLimits) {
    open("flash-attention-3-fp16-inter");
    QTableWidget& sizes = window->tables().sizes();
    const double used = kernel().uses[0].per_block;
    for (int row = 0; row < sizes.rowCount(); ++row)
        if (sizes.item(row, 0)->text() == QStringLiteral("s_x"))
            sizes.item(row, 1)->setText(QStringLiteral("300"));
    settle();
    EXPECT_EQ(kernel().configuration.sizes.at("s_x"), 300);
    EXPECT_GT(kernel().uses[0].per_block, used);
    EXPECT_FALSE(kernel().broken.empty());  // 300 does not divide by 8
    sizes.item(0, 1)->setText(QStringLiteral("none"));
    EXPECT_NE(sizes.item(0, 1)->text(), QStringLiteral("none"));

    const auto bytes = [&] {
        double all = 0;
        for (const circuit::LevelUse& use : kernel().uses) all += use.per_block + use.per_warpgroup;
        return all;
    };
    const double before = bytes();
    auto* type = qobject_cast<QComboBox*>(window->tables().variables().cellWidget(0, 2));
    ASSERT_NE(type, nullptr);
    type->setCurrentIndex(type->findText(QStringLiteral("f32")));
    type->activated(type->currentIndex());
    settle();
    EXPECT_GT(bytes(), before);
}

// What a tab shows is what it writes: tables as CSV, clocks as JSON, too.
TEST_F(Opened, TabsAreExported) {
    open("flash-attention-3-fp16-inter");
    const auto written = [&](const char* name) {
        const QString path = desk.folder.filePath(QString::fromLatin1(name));
        EXPECT_TRUE(window->tables().export_tab(path)) << name;
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    QTabWidget& tabs = window->tables().tabs();
    EXPECT_TRUE(written("clocks.json").contains("\"blockscope clocks\""));
    EXPECT_TRUE(written("clocks.svg").startsWith("<?xml"));
    EXPECT_TRUE(written("clocks.csv").contains("\"8.00\""));
    tabs.setCurrentIndex(1);
    EXPECT_TRUE(written("configuration.csv").contains("\"w_q\",\"128\""));
    EXPECT_FALSE(window->tables().export_tab(desk.folder.filePath(QStringLiteral("configuration.svg"))));
    tabs.setCurrentIndex(2);
    EXPECT_TRUE(written("code.json").contains("blockscope circuit"));
    tabs.setCurrentIndex(3);
    EXPECT_TRUE(written("levels.csv").contains("\"L2\""));
    EXPECT_TRUE(written("levels.svg").startsWith("<?xml"));
    tabs.setCurrentIndex(4);
    EXPECT_TRUE(written("models.csv").contains("\"Quantisation (Equation 3)\""));
}

TEST_F(Opened, AsManyWarpgroupsAsFitIsKeptWhileSizesChange) {
    open("flash-attention-3-fp16-inter");
    window->tables().warpgroups_box().setValue(0);
    settle();
    EXPECT_EQ(kernel().execution.warpgroups, std::max(1, kernel().fit));
    window->tables().warpgroups_box().setValue(1);
    settle();
    EXPECT_EQ(kernel().execution.warpgroups, 1);
    EXPECT_EQ(kernel().schedule.lanes, 1);
}

TEST_F(Opened, TheClockDiagramIsWrittenToFiles) {
    open("flash-attention-3-fp8-inter");
    for (const auto& [ending, beginning] :
         {std::pair("svg", "<?xml"), std::pair("pdf", "%PDF"), std::pair("png", "\x89PNG"),
          std::pair("tex", "\\documentclass")}) {
        const QString path = desk.folder.filePath(QStringLiteral("clocks.") + QLatin1String(ending));
        EXPECT_TRUE(window->tables().export_clocks(path)) << ending;
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().startsWith(beginning)) << ending;
    }
    EXPECT_FALSE(window->tables().export_clocks(desk.folder.filePath(QStringLiteral("clocks.gif"))));
}

TEST_F(Opened, TheLoopIsDrawnAndWrittenToFiles) {
    open("flash-attention-3-fp16-inter");
    ASSERT_TRUE(window->tables().code_picture().drawing());
    const auto& frames = window->tables().code_picture().drawing()->frames;
    EXPECT_THAT(frames,
                testing::Contains(testing::Field(&circuit::DrawnFrame::kind, circuit::FrameKind::Split)));
    for (const auto& [ending, beginning] :
         {std::pair("svg", "<?xml"), std::pair("pdf", "%PDF"), std::pair("png", "\x89PNG"),
          std::pair("tex", "\\documentclass"), std::pair("json", "{")}) {
        const QString path = desk.folder.filePath(QStringLiteral("loop.") + QLatin1String(ending));
        EXPECT_TRUE(window->tables().export_code(path)) << ending;
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().startsWith(beginning)) << ending;
    }
    EXPECT_FALSE(window->tables().export_code(desk.folder.filePath(QStringLiteral("loop.gif"))));
}

// Drawn with groups of each level's own, beside the table.
TEST_F(Opened, TheAlgorithmOnEveryLevel) {
    open("flash-attention-3-fp16-inter");
    window->tables().tabs().setCurrentIndex(kLevelsTab);
    ASSERT_TRUE(window->tables().levels_picture().drawing());
    EXPECT_TRUE(window->tables().levels_picture().isVisible());
    // In a low dock its beginning can be read.
    CircuitView& view = window->tables().levels_picture();
    view.resize(600, 90);
    view.fit();
    EXPECT_DOUBLE_EQ(view.camera().scale, 0.6);
    const Rect seen = visible(view.camera(), view.size());
    EXPECT_LE(seen.left(), view.drawing()->bounds.left());
    EXPECT_LE(seen.top(), view.drawing()->bounds.top());
    std::set<int> levels;
    for (const circuit::DrawnWire& wire : window->tables().levels_picture().drawing()->wires)
        levels.insert(wire.level);
    EXPECT_THAT(levels, testing::ElementsAre(0, 1, 2, 3));
}

// A peeled state has no kernel, but its levels are analysed as it is drawn.
TEST_F(Opened, APeeledState) {
    const Result<ArrayProgram> read = parse_program(
        "dim M = 64 / 16\ndim N = 64 / 16\ndim D = 16 / 16\ninput Q[M, D], K[N, D], V[N, D]\n"
        "output O = softmax(Q @ K.T) @ V\n",
        "p.bp");
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(*read).program));
    std::optional<circuit::Circuit> peeled;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()) && !peeled; ++step)
        for (const Match& match : all_matches(*trace.state(step))) {
            if (match.rule.number != 7) continue;
            const ProgramPtr state = fuse_on(branch(trace, step, match)).last();
            const Result<circuit::Circuit> drawn = circuit::circuit_of(*state);
            if (drawn && !circuit::flow_of(*drawn)) peeled = *drawn;
        }
    ASSERT_TRUE(peeled);
    const QString path = desk.folder.filePath(QStringLiteral("peeled.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(json::print(circuit::to_json(*peeled))));
    file.close();
    window = std::make_unique<CircuitWindow>(path, desk.appearance, nullptr);
    window->show();
    KernelTables& tables = window->tables();
    ASSERT_TRUE(wait_until([&] { return tables.level_plans().rowCount() > 0 && !window->busy(); }));
    EXPECT_TRUE(window->view().drawing());
    EXPECT_TRUE(tables.tabs().currentWidget()->isEnabled());
    EXPECT_EQ(tables.tabs().currentIndex(), kLevelsTab);
    EXPECT_FALSE(tables.models().sections().empty());
    EXPECT_TRUE(tables.message().contains(QStringLiteral("H = "))) << tables.message().toStdString();
    const int on_gpu = tables.level_plans().rowCount();
    tables.device_box().setCurrentIndex(tables.device_box().findData(QStringLiteral("epyc-9755")));
    EXPECT_TRUE(wait_until([&] { return tables.level_plans().rowCount() != on_gpu && !tables.busy(); }));
}

TEST_F(Opened, WhatIsNoCircuitIsRefused) {
    const QString path = desk.folder.filePath(QStringLiteral("wrong.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"format\": \"blockscope circuit\", \"version\": 1}");
    file.close();
    EXPECT_TRUE(is_circuit_file(path));
    bool refused = false;
    CircuitWindow wrong(path, desk.appearance, nullptr);
    QObject::connect(&wrong, &CircuitWindow::refused,
                     [&](const Problems& problems) { refused = !problems.empty(); });
    EXPECT_TRUE(wait_until([&] { return refused; }));
    EXPECT_FALSE(is_circuit_file(QStringLiteral("/nonexistent")));
}

}  // namespace
}  // namespace blockscope
