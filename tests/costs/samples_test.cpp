// What the window says of every sample: the same as the command line, the same on every page.
#include <gtest/gtest.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "app/costs/cost_page.h"
#include "app/costs/step_cost.h"
#include "app/cuda/cuda_source.h"
#include "app/shell/timeline_model.h"
#include "gpu/driver/for_card.h"
#include "tests/costs/best_desk.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

constexpr const char* kCard = "h100-sxm5";

// "best" of `fuse`: which step by this objective, and its value.
struct Chosen {
    int step = -1;
    double value = 0;
};

Chosen of_the_command_line(const std::string& sample, const QStringList& objective) {
    QProcess cli;
    cli.start(QStringLiteral(BLOCKSCOPE_CLI),
              QStringList{
                  QStringLiteral("fuse"),
                  QStringLiteral(BLOCKSCOPE_SOURCE_DIR "/samples/%1.bp").arg(QString::fromStdString(sample)),
                  QStringLiteral("--json"), QStringLiteral("--no-prove"), QStringLiteral("--objective")} +
                  objective);
    EXPECT_TRUE(cli.waitForFinished(-1));
    const QJsonObject printed = QJsonDocument::fromJson(cli.readAllStandardOutput()).object();
    EXPECT_FALSE(printed.isEmpty()) << cli.readAllStandardError().toStdString();
    const QJsonObject best = printed[QStringLiteral("best")].toObject();
    return {best[QStringLiteral("step")].toInt(-1), best[QStringLiteral("value")].toDouble()};
}

class BestOfSamples : public testing::TestWithParam<std::string> {};

TEST_P(BestOfSamples, is_one_state_with_one_number_everywhere) {
    BestDesk desk(GetParam().c_str());
    const auto agrees = [&](const Chosen& chosen) {
        const StateId best = *desk.best.state();
        EXPECT_EQ(desk.history().depth(best), chosen.step);
        EXPECT_DOUBLE_EQ(*desk.best.value_of(best), chosen.value);
    };
    {
        SCOPED_TRACE("time");
        agrees(of_the_command_line(
            GetParam(), {QStringLiteral("time"), QStringLiteral("--device"), QString::fromLatin1(kCard)}));
    }
    const StateId best = *desk.best.state();
    const double seconds = *desk.best.value_of(best);
    // No state is sold as worth building that is slower than what people have.
    Baselines& baselines = Baselines::of(desk.document);
    if (baselines.has_kernels()) {
        ASSERT_TRUE(desk.settle_blocks());
        const double searched = desk.best.other_blocks() ? desk.best.other_blocks()->seconds : seconds;
        bool loses = false;
        for (const BaselineKind kind : all_baselines())
            loses = loses || *baselines.seconds(kind) * (1 + kTie) < std::min(seconds, searched);
        EXPECT_EQ(desk.best.verdict().contains(QStringLiteral("o not fuse this")), loses)
            << desk.best.verdict().toStdString();
    }
    // The table, the timeline and the CUDA page.
    desk.document.go(best);
    CostPage page(desk.document, desk.services);
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy() && page.table().row_of(best) >= 0; }));
    const QModelIndex cell = page.table().index(page.table().row_of(best), CostTable::Predicted);
    EXPECT_DOUBLE_EQ(cell.data(CostTable::NumberRole).toDouble(), seconds);
    const TimelineModel timeline(desk.document);
    const auto cost = step_cost(desk.document, timeline, desk.history().depth(best));
    ASSERT_TRUE(cost);
    EXPECT_EQ(cost->amount, desk.best.value_text(seconds));
    EXPECT_TRUE(desk.best.sentence().contains(cost->amount));
    {
        SCOPED_TRACE("traffic");
        desk.best.set_objective(ObjectiveKind::Traffic);
        ASSERT_TRUE(desk.settle());
        agrees(of_the_command_line(GetParam(), {QStringLiteral("traffic")}));
    }
}

INSTANTIATE_TEST_SUITE_P(All, BestOfSamples, testing::ValuesIn(sample_names()),
                         [](const auto& one) { return test_name(one.param); });

// The CUDA page's kernels are those that every other page's time is of.
TEST(OneNumber, the_cuda_page_predicts_what_the_costs_page_does) {
    for (const char* sample : {"attention", "layernorm-matmul", "gated-mlp"}) {
        for (const char* device : {kCard, "a100-sxm-80gb"}) {
            SCOPED_TRACE(std::string(sample) + " on " + device);
            BestDesk desk(sample);
            desk.forecast.set_device(device);
            ASSERT_TRUE(desk.settle());
            const Device& card = desk.forecast.device();
            CudaChoice choice;
            choice.device = card;
            choice.architecture =
                gpu::architecture_of(gpu::target_for(gpu::capability_of(card), ElemType::F16));
            const ProgramPtr program = desk.history().state(*desk.best.state()).program;
            choice.elem = declared_type(*desk.history().state(0).program).value_or(ElemType::F32);
            const CudaSource source = cuda_source(program, choice);
            ASSERT_TRUE(source.made);
            EXPECT_DOUBLE_EQ(predicted(source, nullptr, card, *find_time_model(kUsualModel)).seconds,
                             desk.forecast.at_once(*desk.best.state())->seconds);
        }
    }
}

}  // namespace
}  // namespace blockscope::test
