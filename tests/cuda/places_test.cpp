// Where programs are measured: found, chosen, and what runs there.

#include <gmock/gmock.h>

#include <QFile>
#include <QInputDialog>
#include <QMessageBox>
#include <QPointer>

#include "app/costs/choosers.h"
#include "app/costs/measurements.h"
#include "app/cuda/cuda_page.h"
#include "tests/cuda/fake_card.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::FakeCard;
using test::wait_until;
using testing::HasSubstr;

constexpr const char* kSoftmaxProgram = R"(dim M = 32 / 16
dim N = 32 / 16
input A[M, N] : f16
output B = softmax(A)
)";

struct CardDesk : Desk {
    CardDesk() {
        document.reset(run_algorithm(content_of_source(kSoftmaxProgram, "small.bp").value(), 0), {});
        measurements.set_worker({BLOCKSCOPE_CLI, "worker"}, file, "cpu");
        measurements.set_waiting(false);
        measurements.set_calibration_file(folder.filePath(QStringLiteral("local-cpu.json")).toStdString());
        QObject::connect(&measurements, &Measurements::finished, [this](const QString& text) {
            problem = text;
            ++finished;
        });
    }
    bool look() {
        measurements.places().look();
        return wait_until(
            [this] { return measurements.places().looked() && !measurements.places().looking(); });
    }
    void choose_card() {
        ASSERT_TRUE(look());
        ASSERT_EQ(measurements.places().all().size(), 2U);
        measurements.choose(measurements.places().all().back());
    }
    bool wait() {
        return wait_until([this] { return finished > 0 && !measurements.busy(); });
    }

    const FakeCard card;
    std::string file = folder.filePath(QStringLiteral("results.jsonl")).toStdString();
    Measurements& measurements = Measurements::of(document);
    QString problem;
    int finished = 0;
};

TEST(MeasurePlaces, CardsAreFoundAndNamed) {
    CardDesk desk;
    PlaceChooser chooser(desk.measurements, nullptr);
    ASSERT_TRUE(desk.look());
    const auto& all = desk.measurements.places().all();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_FALSE(all[0].is_card());
    EXPECT_EQ(all[1].architecture, "sm_80");
    EXPECT_EQ(MeasurePlaces::title(all[1]), QStringLiteral("cuda0: Emulated card"));
    EXPECT_EQ(chooser.itemText(1), QStringLiteral("cuda0: Emulated card"));
    EXPECT_EQ(chooser.currentIndex(), 0);
    chooser.setCurrentIndex(1);
    Q_EMIT chooser.activated(1);
    EXPECT_TRUE(desk.measurements.place().is_card());
}

TEST(MeasurePlaces, WithoutACardThereIsTheProcessor) {
    CardDesk desk;
    setenv("BLOCKSCOPE_FAKE_CUDA", "no-card", 1);
    ASSERT_TRUE(desk.look());
    EXPECT_EQ(desk.measurements.places().all().size(), 1U);
    EXPECT_TRUE(desk.measurements.places().problems().isEmpty());
}

TEST(MeasurePlaces, AMachineThatDoesNotAnswerIsNamed) {
    CardDesk desk;
    PlaceChooser chooser(desk.measurements, nullptr);
    EXPECT_FALSE(desk.measurements.places().add_host(QStringLiteral("-oProxyCommand=x")));
    ASSERT_TRUE(desk.measurements.finding()) << "and that is said";
    setenv("PATH", desk.folder.path().toUtf8().constData(), 1);  // no ssh there
    EXPECT_TRUE(desk.measurements.places().add_host(QStringLiteral("far")));
    ASSERT_TRUE(wait_until([&] { return !desk.measurements.places().looking(); }));
    ASSERT_EQ(desk.measurements.places().problems().size(), 1);
    EXPECT_TRUE(desk.measurements.places().problems().front().contains(QStringLiteral("far")));
    EXPECT_EQ(desk.measurements.places().all().size(), 2U) << "this machine is still there";
    ASSERT_TRUE(desk.measurements.finding());
    EXPECT_TRUE(desk.measurements.finding()->text.startsWith(QStringLiteral("far does not answer: ")))
        << desk.measurements.finding()->text.toStdString();
    EXPECT_TRUE(desk.measurements.places().hosts().isEmpty()) << "a slip is not asked for ever";
    const int item = chooser.findText(QStringLiteral("far (does not answer)"));
    ASSERT_GE(item, 0);
    EXPECT_FALSE(chooser.model()->flags(chooser.model()->index(item, 0)).testFlag(Qt::ItemIsEnabled));
    EXPECT_EQ(chooser.currentIndex(), 0);
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
}

// One that was known before and is off for a while stays, until it is forgotten.
TEST(MeasurePlaces, AKnownMachineThatDoesNotAnswerStaysUntilItIsForgotten) {
    CardDesk desk;
    setenv("PATH", desk.folder.path().toUtf8().constData(), 1);
    desk.measurements.places().set_hosts({QStringLiteral("far")});
    ASSERT_TRUE(desk.look());
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    EXPECT_EQ(desk.measurements.places().hosts(), QStringList(QStringLiteral("far")));
    EXPECT_EQ(desk.measurements.places().silent(), QStringList(QStringLiteral("far")));
    desk.measurements.places().forget_silent();
    EXPECT_TRUE(desk.measurements.places().hosts().isEmpty());
    EXPECT_TRUE(desk.measurements.places().problems().isEmpty());
}

TEST(MeasurePlaces, AMachineThatAnswersIsChosenAndAnnounced) {
    CardDesk desk;
    const QString ssh = desk.folder.filePath(QStringLiteral("ssh"));
    QFile script(ssh);
    ASSERT_TRUE(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\nexec " BLOCKSCOPE_CLI " worker\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    setenv("PATH",
           (desk.folder.path() + QStringLiteral(":/usr/local/bin:/usr/bin:/bin")).toUtf8().constData(), 1);
    EXPECT_TRUE(desk.measurements.places().add_host(QStringLiteral("near")));
    ASSERT_TRUE(wait_until([&] { return !desk.measurements.places().looking(); }));
    setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
    EXPECT_EQ(desk.measurements.place().host, "near");
    EXPECT_TRUE(desk.measurements.place().is_card()) << "its card, as it has one";
    ASSERT_TRUE(desk.measurements.finding());
    EXPECT_TRUE(desk.measurements.finding()->text.startsWith(QStringLiteral("near answers: ")))
        << desk.measurements.finding()->text.toStdString();
}

TEST(MeasureOnACard, TheSafeFormIsCheckedAndTimedInTheDeclaredType) {
    CardDesk desk;
    desk.choose_card();
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty()) << desk.problem.toStdString();
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result && result->record.warm);
    EXPECT_TRUE(result->stale.isEmpty()) << result->stale.toStdString();
    EXPECT_EQ(result->record.subject.elem, "f16");
    EXPECT_THAT(result->record.prepared, HasSubstr("for sm_80"));
    // The same state on the processor is another measurement.
    desk.measurements.choose(desk.measurements.places().all().front());
    const auto here = desk.measurements.of(0);
    EXPECT_TRUE(!here || !here->stale.isEmpty());
}

// Another arithmetic than float32's: its own measurement, and none that predictions are compared with.
TEST(MeasureOnACard, ProductsInTf32AreAMeasurementOfTheirOwn) {
    CardDesk desk;
    desk.document.reset(
        run_algorithm(content_of_source("dim M = 32 / 16\ndim K = 32 / 32\ninput A[M, K], B[K, M] : f32\n"
                                        "output C = A @ B\n",
                                        "product.bp")
                          .value(),
                      0),
        {});
    desk.measurements.set_tf32(true);
    EXPECT_FALSE(desk.measurements.tf32()) << "processors have no such products";
    desk.choose_card();
    EXPECT_TRUE(desk.measurements.tf32());
    EXPECT_TRUE(desk.measurements.not_comparable().contains(QStringLiteral("tf32")));
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty()) << desk.problem.toStdString();
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result && result->record.warm);
    EXPECT_EQ(result->record.subject.elem, "tf32");
    EXPECT_FALSE(result->record.predicted_seconds);
    EXPECT_THAT(result->record.prepared, HasSubstr("target sm_80"));
    desk.measurements.set_tf32(false);
    ASSERT_TRUE(desk.measurements.of(0));
    EXPECT_THAT(desk.measurements.of(0)->stale.toStdString(), HasSubstr("tf32"));
    desk.measurements.set_tf32(true);
    Costs::of(desk.document).set_type(ElemType::F16);
    EXPECT_FALSE(desk.measurements.tf32()) << "of float32 alone";
}

TEST(MeasureOnACard, ASearchForBlockSizesIsShownAsItRuns) {
    CardDesk desk;
    desk.choose_card();
    TuneView view(desk.measurements, nullptr);
    int seen = 0;
    QObject::connect(&desk.measurements, &Measurements::searched, [&] { ++seen; });
    desk.measurements.tune(desk.document.content().history.path(0).back());
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty()) << desk.problem.toStdString();
    const auto& rows = desk.measurements.search();
    ASSERT_GE(rows.size(), 2U);
    EXPECT_GT(seen, 2);
    int measured = 0;
    for (const TunedRow& row : rows) {
        measured += row.measured_seconds ? 1 : 0;
        EXPECT_TRUE(row.row.compiled || !row.row.refused.empty());
    }
    EXPECT_GE(measured, 2);
    EXPECT_EQ(view.topLevelItemCount(), static_cast<int>(rows.size()));
    ASSERT_TRUE(desk.measurements.finding());
    // A row says where its numbers come from, and stays chosen while the search goes on.
    EXPECT_TRUE(view.explanation().isEmpty());
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
        const TunedRow& row = rows[static_cast<std::size_t>(i)];
        view.setCurrentItem(view.topLevelItem(i));
        Q_EMIT desk.measurements.searched();
        const std::string said = view.explanation().toStdString();
        EXPECT_THAT(said, testing::StartsWith(dims_text(row.row.dims).toStdString()));
        EXPECT_THAT(said, HasSubstr(row.row.refused));
        if (row.row.compiled) {
            EXPECT_THAT(said, HasSubstr("by the model \"Blockscope"));
        }
        EXPECT_EQ(row.record.has_value(), row.measured_seconds.has_value());
        if (row.record) {
            EXPECT_THAT(said, HasSubstr(record_text(*row.record).toStdString()));
        }
    }
    // The sizes of the search: nothing is said. Others: the rows are of these no more.
    DimTable dims = rows.front().row.dims;
    view.show_program(dims);
    EXPECT_EQ(view.topLevelItemCount(), static_cast<int>(rows.size()));
    dims.front().block = 1;
    view.show_program(dims);
    EXPECT_EQ(view.topLevelItemCount(), static_cast<int>(rows.size())) << "blocks are what is searched";
    dims.front().size *= 2;
    view.show_program(dims);
    ASSERT_EQ(view.topLevelItemCount(), static_cast<int>(rows.size()) + 1);
    EXPECT_THAT(view.topLevelItem(0)->text(0).toStdString(), HasSubstr("the program has other sizes now"));
    EXPECT_FALSE(view.topLevelItem(1)->font(0).bold());
}

}  // namespace
}  // namespace blockscope
