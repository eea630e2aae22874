// Measurements in the window: the real worker with its fake device.
#include "app/costs/measurements.h"

#include <gmock/gmock.h>

#include <set>

#include "app/costs/cost_page.h"
#include "app/costs/forecast.h"
#include "core/json/device_files.h"
#include "core/measure/record.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

constexpr const char* kSmall = R"(dim M = 16 / 8
dim N = 12 / 4
input A[M, N] : f32
B = exp(A)
output C = B * B
)";

struct MeasureDesk : Desk {
    explicit MeasureDesk(const char* faults = "") {
        qputenv("BLOCKSCOPE_FAKE_DEVICE", faults);
        document.reset(run_algorithm(content_of_source(kSmall, "small.bp").value(), 0), {});
        measurements.set_worker({BLOCKSCOPE_CLI, "worker"}, file, "fake");
        QObject::connect(&measurements, &Measurements::finished, [this](const QString& text) {
            problem = text;
            ++finished;
        });
    }
    bool wait() {
        return wait_until([this] { return finished > 0 && !measurements.busy(); });
    }

    std::string file = folder.filePath(QStringLiteral("results.jsonl")).toStdString();
    Measurements& measurements = Measurements::of(document);
    QString problem;
    int finished = 0;
};

TEST(Measurements, a_state_is_measured_shown_and_kept) {
    MeasureDesk desk;
    EXPECT_FALSE(desk.measurements.of(0));
    desk.measurements.measure({0});
    EXPECT_TRUE(desk.measurements.busy());
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty()) << desk.problem.toStdString();
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->stale.isEmpty()) << result->stale.toStdString();
    ASSERT_TRUE(result->record.warm);
    EXPECT_GT(result->record.warm->summary.median, 0);
    const QString text = record_text(result->record);
    EXPECT_TRUE(text.contains(QStringLiteral("float64 reference"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QString::fromStdString(result->record.time)));
    EXPECT_EQ(measure::read_results(desk.file).value().records.size(), 1u);
}

TEST(Measurements, a_cards_clock_stands_with_its_times) {
    measure::Record record;
    record.warm = measure::Timing{measure::summarize({1e-5, 1.1e-5}), {false, 3, false, 1.75e9}, 12, 2e-6};
    record.cold = measure::Timing{measure::summarize({2e-5}), {false, 0, true, 9e8}};
    const QString text = record_text(record);
    for (const char* part : {"clock 1.75", "left out: 3", "12 runs a sample", "an empty kernel takes 2",
                             "clock 0.90", "less than three quarters of its best all the while"})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part << "\n" << text.toStdString();
    record.warm->course = record.cold->course = {};
    EXPECT_FALSE(record_text(record).contains(QStringLiteral("quarters"))) << "a processor's";
}

TEST(Measurements, results_of_other_sizes_are_stale_and_say_why) {
    MeasureDesk desk;
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    DimTable dims = desk.document.content().program()->dims;
    dims[0].size = 32;
    desk.document.set_dims(dims);
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->stale.contains(QStringLiteral("M was 16/8 and is 32/8")))
        << result->stale.toStdString();
    desk.document.undo();
    EXPECT_TRUE(desk.measurements.of(0)->stale.isEmpty());
}

// An edit makes another program of the document: what was measured of the one before stays beside the states.
TEST(Measurements, results_of_the_program_before_an_edit_are_stale_and_say_so) {
    MeasureDesk desk;
    const StateId tip = desk.document.content().history.branch(desk.document.content().branch).tip;
    desk.measurements.measure({0, tip});
    ASSERT_TRUE(desk.wait());
    const std::string time = desk.measurements.of(0)->record.time;
    QString edited = QString::fromUtf8(kSmall);
    edited.replace(QStringLiteral("exp(A)"), QStringLiteral("exp(A + A)"));
    edited.replace(QStringLiteral("M = 16"), QStringLiteral("M = 24"));
    desk.document.set_source(edited);
    desk.document.wait();
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result) << "the time vanished";
    EXPECT_EQ(result->stale,
              QStringLiteral("The program has changed. The sizes differ: M was 16/8 and is 24/8."));
    EXPECT_EQ(result->record.time, time);

    desk.services.say = [](const QString&) {};
    CostPage page(desk.document, desk.services);
    page.show();
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    const QModelIndex cell = page.table().index(page.table().row_of(0), CostTable::Measured);
    EXPECT_TRUE(cell.data().toString().contains(QStringLiteral("stale")))
        << cell.data().toString().toStdString();
    EXPECT_TRUE(cell.data(CostTable::StaleRole).toBool());
    const QString tip_text = cell.data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip_text.contains(QStringLiteral("The program has changed."))) << tip_text.toStdString();
    EXPECT_TRUE(tip_text.contains(QString::fromStdString(time))) << "when, where and how stay";
    EXPECT_TRUE(page.table().csv().contains(QStringLiteral(",yes\n")));

    // What is measured now takes its place; the program of before has its own again after an undo.
    desk.finished = 0;
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    EXPECT_EQ(desk.measurements.of(0)->stale, QString());
    EXPECT_FALSE(cell.data().toString().contains(QStringLiteral("stale")));
    desk.document.undo();
    EXPECT_EQ(desk.measurements.of(0)->stale, QString());
    EXPECT_EQ(desk.measurements.of(0)->record.time, time);
}

// The command line names the file, the window the document.
TEST(Measurements, results_of_the_command_line_are_stale_after_an_edit_too) {
    MeasureDesk desk;
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    measure::Record record = desk.measurements.of(0)->record;
    record.subject.program = "/some/where/small.bp";
    const std::string file = desk.folder.filePath(QStringLiteral("other.jsonl")).toStdString();
    ASSERT_FALSE(measure::append_record(file, record));
    desk.measurements.set_worker({BLOCKSCOPE_CLI, "worker"}, file, "fake");
    ASSERT_TRUE(desk.measurements.of(0));
    QString edited = QString::fromUtf8(kSmall);
    edited.replace(QStringLiteral("exp(A)"), QStringLiteral("exp(A + A)"));
    desk.document.set_source(edited);
    desk.document.wait();
    ASSERT_TRUE(desk.measurements.of(0)) << "the time vanished";
    EXPECT_EQ(desk.measurements.of(0)->stale, QStringLiteral("The program has changed."));
    // Of another program by that name there is none.
    record.subject.program = "/some/where/other.bp";
    const std::string others = desk.folder.filePath(QStringLiteral("others.jsonl")).toStdString();
    ASSERT_FALSE(measure::append_record(others, record));
    desk.measurements.set_worker({BLOCKSCOPE_CLI, "worker"}, others, "fake");
    EXPECT_FALSE(desk.measurements.of(0));
}

// Results name their states whatever the language, as the command line does.
TEST(Measurements, results_name_their_states_as_the_command_line_does) {
    MeasureDesk desk;
    const StateId tip = desk.document.content().history.branch(desk.document.content().branch).tip;
    desk.measurements.measure({0, tip});
    ASSERT_TRUE(desk.wait());
    const auto records = measure::read_results(desk.file).value().records;
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(records[0].subject.state, "step 0");
    EXPECT_EQ(records[1].subject.state, "snapshot 1");
    EXPECT_EQ(recorded_name_in_words("step 0"), QStringLiteral("Initial program"));
    EXPECT_EQ(recorded_name_in_words("snapshot 1"), QStringLiteral("Snapshot 1"));
    EXPECT_EQ(recorded_name_in_words("step 12"), QStringLiteral("Step 12"));
    EXPECT_EQ(recorded_name_in_words("snapshot 2, safe"), QStringLiteral("snapshot 2, safe"));
}

TEST(Measurements, what_failed_at_other_sizes_does_not_hide_a_time) {
    MeasureDesk desk;
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    const auto resize = [&](std::int64_t size) {
        DimTable dims = desk.document.content().program()->dims;
        dims[0].size = size;
        desk.document.set_dims(dims);
    };
    resize(32);
    qputenv("BLOCKSCOPE_FAKE_DEVICE", "oom@prepare");
    desk.measurements.set_worker({BLOCKSCOPE_CLI, "worker"}, desk.file, "fake");
    desk.finished = 0;
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    ASSERT_TRUE(desk.measurements.of(0)->record.failure) << "of these sizes";
    resize(64);
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->record.failure);
    EXPECT_TRUE(result->stale.contains(QStringLiteral("M was 16/8 and is 64/8")))
        << result->stale.toStdString();
}

TEST(Measurements, a_wrong_result_is_a_failure_and_never_a_time) {
    MeasureDesk desk("wrong@check");
    desk.measurements.measure({0});
    ASSERT_TRUE(desk.wait());
    const auto result = desk.measurements.of(0);
    ASSERT_TRUE(result);
    ASSERT_TRUE(result->record.failure);
    EXPECT_EQ(result->record.failure->cls, measure::FailureClass::Mismatch);
    EXPECT_FALSE(result->record.warm);
    EXPECT_FALSE(desk.problem.isEmpty());
}

TEST(Measurements, a_crash_costs_one_state) {
    MeasureDesk desk("crash@measure");
    const StateId tip = desk.document.content().history.branch(desk.document.content().branch).tip;
    desk.measurements.measure({0, tip});
    ASSERT_TRUE(desk.wait());
    for (const StateId state : {0, tip}) {
        ASSERT_TRUE(desk.measurements.of(state));
        EXPECT_EQ(desk.measurements.of(state)->record.failure->cls, measure::FailureClass::LostWorker);
    }
}

TEST(Measurements, two_states_in_turn_give_a_ratio) {
    MeasureDesk desk;
    const StateId tip = desk.document.content().history.branch(desk.document.content().branch).tip;
    desk.measurements.compare(tip, 0);
    ASSERT_TRUE(desk.wait());
    ASSERT_TRUE(desk.measurements.finding()) << desk.problem.toStdString();
    const Measurements::Finding found = *desk.measurements.finding();
    EXPECT_TRUE(found.text.contains(QStringLiteral("the true ratio is between"))) << found.text.toStdString();
    EXPECT_EQ(found.dims.size(), 0u);
    // The ratio stays with the result, which says when and where.
    const auto result = desk.measurements.of(tip);
    ASSERT_TRUE(result && result->record.against);
    EXPECT_TRUE(record_text(result->record).contains(found.text));
    EXPECT_TRUE(found.how.contains(QString::fromStdString(result->record.time)));
    ASSERT_TRUE(desk.measurements.of(0)) << "the other one's times are kept, too";
    desk.measurements.forget_finding();
    EXPECT_FALSE(desk.measurements.finding());
}

TEST(Measurements, tuning_measures_other_block_sizes_and_offers_the_fastest) {
    MeasureDesk desk;
    desk.measurements.tune(0);
    ASSERT_TRUE(desk.wait());
    ASSERT_TRUE(desk.measurements.finding()) << desk.problem.toStdString();
    // The program's own block sizes, and what the model takes for the fastest others.
    const auto records = measure::read_results(desk.file).value().records;
    ASSERT_GE(records.size(), 2U);
    EXPECT_EQ(records[0].subject.dims[0].block, 8);
    std::set<std::pair<std::int64_t, std::int64_t>> measured;
    std::size_t fastest = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto& dims = records[i].subject.dims;
        EXPECT_TRUE(measured.insert({dims[0].block, dims[1].block}).second) << "measured twice";
        ASSERT_TRUE(records[i].warm);
        if (records[i].warm->summary.median < records[fastest].warm->summary.median) fastest = i;
    }
    EXPECT_EQ(desk.measurements.finding()->dims.empty(), fastest == 0);
}

TEST(Measurements, a_calibration_describes_this_machine_for_predictions) {
    MeasureDesk desk;
    const QString file = desk.folder.filePath(QStringLiteral("cache/local-cpu.json"));
    desk.measurements.set_calibration_file(file.toStdString());
    desk.measurements.calibrate();
    EXPECT_TRUE(desk.measurements.busy());
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty()) << desk.problem.toStdString();
    const auto device = read_device_file(file.toStdString());
    ASSERT_TRUE(device);
    ASSERT_TRUE(desk.measurements.finding()) << "what was found is said";
    EXPECT_TRUE(desk.measurements.finding()->text.contains(QString::fromStdString(device->title)))
        << desk.measurements.finding()->text.toStdString();
    EXPECT_TRUE(desk.measurements.finding()->text.contains(QStringLiteral("FLOP/s")));
}

TEST(Measurements, a_calibration_that_fails_says_so_until_it_is_read) {
    MeasureDesk desk("oom@calibrate");
    desk.measurements.calibrate();
    ASSERT_TRUE(desk.wait());
    ASSERT_TRUE(desk.measurements.finding());
    EXPECT_TRUE(desk.measurements.finding()->text.contains(QStringLiteral("not enough memory")));
}

// Both of processors, but of different ones: that is no comparison.
TEST(Measurements, times_are_compared_with_predictions_of_the_same_device_alone) {
    MeasureDesk desk;
    Forecast& forecast = Forecast::of(desk.document);
    forecast.set_device("xeon-8480");
    EXPECT_TRUE(desk.measurements.not_comparable().contains(QStringLiteral("only predicted")))
        << desk.measurements.not_comparable().toStdString();
    forecast.set_device("h100-sxm5");
    EXPECT_TRUE(desk.measurements.not_comparable().contains(QStringLiteral("calibrate")));
}

TEST(Measurements, cancel_ends_it) {
    MeasureDesk desk("run=50");  // a second and more for all samples
    desk.measurements.measure({0});
    bool measuring = false;
    QObject::connect(&desk.measurements, &Measurements::progressed, [&] {
        measuring = measuring || desk.measurements.progress().what.contains(QStringLiteral("warm"));
    });
    wait_until([&] { return measuring || desk.finished > 0; });
    desk.measurements.cancel();
    ASSERT_TRUE(desk.wait());
    EXPECT_TRUE(desk.problem.isEmpty());
    EXPECT_FALSE(desk.measurements.of(0));
    EXPECT_TRUE(desk.measurements.cancelled());
}

}  // namespace
}  // namespace blockscope
