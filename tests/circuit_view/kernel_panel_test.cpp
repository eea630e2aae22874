// The kernel of the circuit step by step in its dock, its performance models, the words of kernels.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QScrollBar>
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
#include "app/circuit/kernel_panel.h"
#include "app/circuit/model_view.h"
#include "app/costs/cost_table.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "core/diagram/arrange.h"
#include "core/diagram/document.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/json/value.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "tests/panels/text_support.h"
#include "tests/support/templates.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

struct Docked : testing::Test {
    Desk desk;
    std::unique_ptr<KernelPanel> panel = std::make_unique<KernelPanel>(desk.document, desk.services);
    KernelTables& tables() { return panel->tables(); }
    void settle() {
        ASSERT_TRUE(wait_until(
            [&] { return tables().study() && !tables().busy() && !CircuitSteps::of(desk.document).busy(); }));
    }
};

// The tables of a program with many axes have the widths that their columns need.
TEST_F(Docked, TablesShowTheirLastColumns) {
    desk.open("gqa");
    panel->resize(1920, 480);
    panel->show();
    settle();
    for (const int tab : {1, 3}) {
        tables().tabs().setCurrentIndex(tab);
        QCoreApplication::processEvents();
        for (QTableWidget* table : tables().tabs().currentWidget()->findChildren<QTableWidget*>()) {
            const int last = table->columnCount() - 1;
            int widest = 0;
            for (int row = 0; row < table->rowCount(); ++row)
                widest =
                    std::max(widest, table->fontMetrics().horizontalAdvance(table->item(row, last)->text()));
            EXPECT_GT(table->columnWidth(last), widest) << table->accessibleName().toStdString();
            EXPECT_FALSE(table->horizontalScrollBar()->isVisible()) << table->accessibleName().toStdString();
        }
    }
}

// The schedule is ideal, the costs page's time is of what is built: both stand here, of the same state on the
// same device, with what lies between them.
TEST_F(Docked, SaysWhatTheCostsPagePredictsForTheSameState) {
    desk.open("attention");
    desk.document.end();
    Forecast& forecast = Forecast::of(desk.document);
    forecast.set_device("h100-sxm5");
    panel->show();
    settle();
    const StateId state = desk.document.content().current;
    ASSERT_TRUE(wait_until([&] {
        const PredictionPtr known = forecast.of(state);
        return known && tables().prediction().contains(time_text(known->seconds));
    }));
    const std::string said = tables().prediction().toStdString();
    const auto products =
        static_cast<double>(Costs::of(desk.document).of(state)->state.counts().flops.matrix);
    const double alone = products / scheduled_rate(*tables().study()->kernel);
    EXPECT_LT(alone, forecast.of(state)->seconds) << "it has no launches and no transfers";
    EXPECT_THAT(said, testing::HasSubstr("those products alone take " + time_text(alone).toStdString()));
    EXPECT_THAT(said, testing::HasSubstr("says where the two times part."));
    EXPECT_THAT(said, testing::HasSubstr("by the model \"Blockscope\""));
    // Term by term, in the words of the comparison; both columns add up to both times.
    const circuit::ComparedTimes compared = circuit::compared_with_costs(
        *tables().study()->kernel, tables().study()->flow, *forecast.of(state), forecast.device());
    QTableWidget& table = tables().comparison();
    ASSERT_EQ(table.rowCount(), static_cast<int>(compared.parts.size() + compared.units.size()) + 1);
    EXPECT_EQ(table.item(0, 1)->text(), table.item(0, 2)->text()) << "the same products at the same peak";
    const int all = static_cast<int>(compared.parts.size());
    EXPECT_EQ(table.item(all, 1)->text(), time_text(alone));
    EXPECT_EQ(table.item(all, 2)->text(), time_text(forecast.of(state)->seconds));
    EXPECT_EQ(table.item(1, 3)->text().toStdString(), compared.parts[1].why);
    // Of another model there are no such terms: its time stands alone, with its name.
    forecast.set_model("roofline");
    EXPECT_EQ(table.rowCount(), 0);
    EXPECT_TRUE(tables().prediction().contains(QStringLiteral("by the model \"Roofline\"")));
    EXPECT_THAT(tables().prediction().toStdString(), testing::HasSubstr(forecast.of(state)->sentence.str()));
    forecast.set_model(kUsualModel);
    // Another state, another device.
    desk.document.home();
    EXPECT_TRUE(wait_until([&] { return tables().prediction().contains(QStringLiteral("Initial program")); }))
        << tables().prediction().toStdString();
    forecast.set_device("l4");
    EXPECT_EQ(tables().study(), nullptr) << "a schedule of the device before beside this one's time";
    EXPECT_EQ(tables().comparison().rowCount(), 0);
    EXPECT_FALSE(tables().prediction().contains(QStringLiteral("predicts")));
    EXPECT_TRUE(wait_until([&] {
        const PredictionPtr known = forecast.of(StateId{0});
        return known && tables().prediction().contains(time_text(known->seconds));
    }));
}

// What the schedule computes again takes its time, too.
TEST_F(Docked, SaysHowMuchMoreTheScheduleComputes) {
    desk.open("rmsnorm-swiglu");
    Forecast& forecast = Forecast::of(desk.document);
    forecast.set_device("h100-sxm5");
    panel->show();
    settle();
    ASSERT_TRUE(wait_until([&] {
        return tables().prediction().contains(QStringLiteral("schedule computes"));
    })) << tables().prediction().toStdString();
    const auto& study = *tables().study();
    const double scheduled = circuit::scheduled_operations(*study.kernel, study.flow);
    const auto products = static_cast<double>(
        Costs::of(desk.document).of(desk.document.content().current)->state.counts().flops.matrix);
    ASSERT_GT(scheduled, 2 * products);
    EXPECT_THAT(tables().prediction().toStdString(),
                testing::HasSubstr("This schedule computes " + times_text(scheduled / products) +
                                   " times as many products, which alone take it " +
                                   time_text(scheduled / scheduled_rate(*study.kernel)).toStdString()));
}

// The tables are of all operators as one kernel, whatever the picture's state is.
TEST_F(Docked, SaysHowManyKernelsTheStateIs) {
    desk.open("attention");
    panel->show();
    settle();
    const auto says = [&](const std::string& text) {
        return wait_until([&] { return tables().summary().toStdString().find(text) != std::string::npos; });
    };
    EXPECT_TRUE(says("as one kernel; the state in the picture is 7 kernels."))
        << tables().summary().toStdString();
    desk.document.end();
    EXPECT_TRUE(says("as one kernel, as the state in the picture is.")) << tables().summary().toStdString();
    desk.open("decoder-block");
    settle();
    EXPECT_TRUE(wait_until([&] { return tables().message().contains(QStringLiteral(" kernels.")); }));
    EXPECT_TRUE(tables().message().startsWith(QStringLiteral("The whole program is no single kernel")))
        << tables().message().toStdString();
}

// A study takes a moment: what is typed meanwhile counts, too.
TEST_F(Docked, TwoEditsInARowBothCount) {
    desk.open("attention");
    panel->show();
    settle();
    ASSERT_TRUE(tables().study() && tables().study()->kernel);
    tables().special_box().setValue(10);
    tables().special_box().setValue(25);
    tables().warpgroups_box().setValue(1);
    settle();
    ASSERT_TRUE(tables().study() && tables().study()->kernel);
    EXPECT_EQ(tables().study()->kernel->execution.special_overhead, 0.25);
    EXPECT_EQ(tables().study()->kernel->execution.warpgroups, 1);
}

TEST_F(Docked, FollowsTheGroupsAndStreamsOfTheSteps) {
    desk.open("attention");
    panel->show();
    settle();
    ASSERT_TRUE(tables().study()->kernel);
    EXPECT_EQ(tables().study()->kernel->rows, "M");
    EXPECT_EQ(tables().study()->kernel->stream, "N");
    EXPECT_GT(tables().code().topLevelItemCount(), 3);
    EXPECT_EQ(tables().levels().rowCount(), 2);
    EXPECT_GT(tables().pipelines().rowCount(), 2);
    EXPECT_FALSE(tables().summary().isEmpty());
    // Renaming in the diagram renames here.
    CircuitSteps& steps = CircuitSteps::of(desk.document);
    for (const circuit::AxisVerdict& verdict : steps.verdicts())
        if (circuit::axis_of(steps.session()->current().flow->axes, verdict.axis).name == "M")
            steps.rename(verdict.axis, QStringLiteral("q"));
    ASSERT_TRUE(wait_until([&] { return steps.session()->count() == 2; }));
    settle();
    EXPECT_EQ(tables().study()->kernel->rows, "q");
}

// The performance models (Section 4, Appendices A.2 and B.1) are those of the analysis, and every number says
// where it comes from.
TEST_F(Docked, ModelsSayWhereTheirNumbersComeFrom) {
    desk.open("matmul");
    panel->show();
    settle();
    const circuit::Study& study = *tables().study();
    ModelView& models = tables().models();
    const std::vector<ModelSection>& sections = models.sections();
    ASSERT_EQ(sections.size(), 6U);  // H*, levels, quantisation, caches, links, intensity
    EXPECT_EQ(sections[0].rows.size(), 1 + study.law->choices.size());
    EXPECT_EQ(sections[0].rows[0][2].text, amount_text(transfers(*study.clipped, study.memory)));
    EXPECT_EQ(sections[1].rows.size(), study.models->levels.size() + 1);
    EXPECT_EQ(sections[1].rows.back().back().text, duration_text(study.models->seconds));
    EXPECT_EQ(sections[2].rows.size(), 3U);
    EXPECT_EQ(sections[3].rows.size(), study.models->caches.size());
    EXPECT_EQ(sections[3].rows[0].back().text, amount_text(study.models->caches[0].transfers_cached));
    EXPECT_EQ(sections[4].rows.size(), study.models->cross.size());
    EXPECT_EQ(sections[5].rows.size(), 3U);  // the one axis, into each level
    // Into the L2, with all that its children hold (Appendix B.1).
    EXPECT_TRUE(sections[5].rows[0][2].text.endsWith(QLatin1Char('*')));
    // The L2 has room for whole axes: every array is moved once, and the page says why.
    EXPECT_EQ(sections[1].rows[0][3].text, amount_text(3 * 4096.0 * 4096) + QStringLiteral(" *"));
    models.derive(1, 0, 3);
    EXPECT_TRUE(models.derivation().toPlainText().contains(
        QStringLiteral("No group is larger than its axis; whole axes: ")));
    models.derive(1, 0, 5);
    EXPECT_TRUE(models.derivation().toPlainText().contains(duration_text(study.models->levels[0].seconds)));
    EXPECT_TRUE(models.derivation().toPlainText().contains(amount_text(study.models->levels[0].transfers)));
    models.tables().anchorClicked(QUrl(QStringLiteral("2.1.2")));
    EXPECT_TRUE(models.derivation().toPlainText().contains(sections[2].rows[1][2].text));
    // A link's bandwidth lowers what linked instances save.
    const double free = study.models->cross[0].saved;
    tables().link_box().setValue(6);
    settle();
    EXPECT_LT(tables().study()->models->cross[0].saved, free);
    // The number that was asked for last is still derived.
    EXPECT_TRUE(models.derivation().toPlainText().contains(models.sections()[2].rows[1][2].text));
}

TEST_F(Docked, ModelsSayWhyTheyAreLeftOut) {
    desk.open("decoder-block");
    panel->show();
    ASSERT_TRUE(wait_until([&] { return !tables().models().sections().empty(); }));
    const std::vector<ModelSection>& sections = tables().models().sections();
    ASSERT_EQ(sections.size(), 3U);
    for (const ModelSection& section : sections) {
        EXPECT_TRUE(section.rows.empty());
        EXPECT_FALSE(section.note.isEmpty());
    }
}

TEST(KernelWords, EveryTextCanBeTranslated) {
    std::set<std::string> missing;
    const auto expect = [&](const Text& text) { test::look_for_untranslated(text, missing); };
    const std::function<void(const std::vector<circuit::CodeNode>&)> expect_code =
        [&](const std::vector<circuit::CodeNode>& code) {
            for (const circuit::CodeNode& node : code) {
                if (node.kind == circuit::CodeNode::Kind::Column) expect(node.text);
                expect_code(node.body);
            }
        };
    int kernels = 0;
    for (const char* name :
         {"attention", "matmul", "rmsnorm-swiglu", "layernorm-matmul", "softmax", "decoder-block"})
        for (const Device& device : builtin_devices()) {
            const Content content = content_of_source(test::sample_source(name), name).value();
            const auto made = circuit::study(circuit::separated(circuit::flow_of(*content.array)), device);
            ASSERT_TRUE(made);
            if (!made->no_law.empty()) expect(made->no_law);
            if (!made->no_intensity.empty()) expect(made->no_intensity);
            if (!made->kernel) {
                expect(made->no_kernel);
                continue;
            }
            ++kernels;
            expect_code(made->kernel->expansion.code);
            for (const circuit::Variable& variable : made->kernel->expansion.variables) expect(variable.role);
            for (const circuit::Divisor& divisor : made->kernel->divisors) expect(divisor.because);
            for (const Text& sentence : made->kernel->broken) expect(sentence);
            for (const circuit::PipelineWork& work : made->kernel->clocks.pipelines) expect(work.operation);
        }
    EXPECT_GT(kernels, 3);
    EXPECT_THAT(missing, testing::IsEmpty());
}

// A device without warpgroups says so.
TEST_F(Docked, SaysWhyThereIsNoKernel) {
    desk.open("attention");
    panel->show();
    settle();
    QComboBox& devices = tables().device_box();
    for (int i = 0; i < devices.count(); ++i) {
        devices.setCurrentIndex(i);
        settle();
        if (!tables().study()->kernel) {
            EXPECT_FALSE(tables().study()->no_kernel.empty());
            desk.appearance.set_presenting(true);  // another look of tables that have no clocks
            return;
        }
    }
    FAIL() << "every built-in device has a kernel: this test needs another device";
}

}  // namespace
}  // namespace blockscope
