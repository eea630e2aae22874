// Counts of a document's states, the rows of tables, times that a model predicts.
#include "app/costs/costs.h"

#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTranslator>

#include "app/costs/best.h"
#include "app/costs/cost_page.h"
#include "app/costs/cost_table.h"
#include "app/costs/forecast.h"
#include "app/costs/step_cost.h"
#include "app/shell/timeline_model.h"
#include "app/worker/predict.h"
#include "core/cost/lifetime.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "tests/costs/best_desk.h"
#include "tests/panels/text_support.h"
#include "tests/support/decoder_stack.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

struct CostDesk : Desk {
    CostDesk(const char* sample = "attention") {
        open(sample);
        EXPECT_TRUE(wait_until([this] { return !costs.busy(); }));
    }
    StateId last() const {
        const Content& content = document.content();
        return content.history.branch(content.branch).tip;
    }
    Costs& costs = Costs::of(document);
    Forecast& forecast = Forecast::of(document);
};

// Puts a sign in front of every sentence of the core.
class SignedTexts : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int) const override {
        return QByteArray(context) == "Core" ? QStringLiteral("~") + QString::fromUtf8(text) : QString();
    }
};

TEST(Costs, problems_of_device_descriptions_are_said_in_the_users_language) {
    const QTemporaryDir home;
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    ASSERT_TRUE(QDir(home.path()).mkpath(QStringLiteral("blockscope/devices")));
    QFile file(home.filePath(QStringLiteral("blockscope/devices/mine.json")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{}");
    file.close();
    CostDesk desk;
    SignedTexts translator;
    qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
    QCoreApplication::installTranslator(&translator);
    desk.forecast.reload();
    QCoreApplication::removeTranslator(&translator);
    before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    ASSERT_FALSE(desk.forecast.problems().isEmpty());
    EXPECT_TRUE(desk.forecast.problems().front().startsWith(file.fileName()));
    EXPECT_TRUE(desk.forecast.problems().front().contains(QStringLiteral(": ~")));
}

TEST(Costs, rows_are_the_start_the_snapshots_and_what_is_looked_at) {
    CostDesk desk;
    EXPECT_EQ(desk.costs.rows().size(), 3u);  // attention has two snapshots
    desk.document.forward();
    EXPECT_EQ(desk.costs.rows().size(), 4u);
    desk.costs.set_all_steps(true);
    EXPECT_EQ(desk.costs.rows().size(), 18u);
}

TEST(Costs, every_step_of_the_branch_is_counted) {
    CostDesk desk;
    for (const StateId id : desk.document.content().history.path(desk.last())) {
        const StateCostsPtr costs = desk.costs.of(id);
        ASSERT_TRUE(costs) << id;
        const BlockProgram& program = *desk.document.content().history.state(id).program;
        EXPECT_EQ(costs->state.counts().bytes(), count(built(lower(program))).bytes());
    }
}

// The listing, a page of CUDA, an export that take a state as it is counted find what is made already.
TEST(Costs, what_is_counted_is_shared) {
    CostDesk desk;
    const StateCostsPtr costs = desk.costs.of(desk.last());
    ASSERT_TRUE(costs);
    const State again(desk.document.content().history.state(desk.last()).program);
    EXPECT_EQ(&again.loops(), &costs->state.loops());
    EXPECT_EQ(&again.counts(), &costs->state.counts());
}

// One number for one thing: the caption, the chapters and the listing have that form's bytes, too.
TEST(Costs, are_of_the_form_that_is_shown) {
    CostDesk desk;
    const StateId at = desk.document.content().history.path(desk.last())[7];  // the last one is equal in both
    const ProgramPtr program = desk.document.content().history.state(at).program;
    const State as_is(program), in_safe_form(program, safe_form());
    const std::int64_t plain = as_is.counts().bytes(), safe = in_safe_form.counts().bytes();
    ASSERT_NE(plain, safe);
    CostTable table(desk.document, desk.costs);
    desk.costs.set_all_steps(true);
    const auto moved = [&] {
        return table.index(table.row_of(at), CostTable::Moved).data(CostTable::NumberRole).toDouble();
    };
    const auto header = [&](int column) {
        return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    const PredictionPtr time = desk.forecast.at_once(at);
    EXPECT_EQ(moved(), static_cast<double>(plain));
    EXPECT_EQ(header(CostTable::Moved), QStringLiteral("Moved"));
    const QSignalSpy headers(&table, &QAbstractItemModel::headerDataChanged);
    desk.document.show_safe(true);
    EXPECT_EQ(moved(), static_cast<double>(safe));
    EXPECT_EQ(header(CostTable::Moved), QStringLiteral("Moved\nsafe form"));
    EXPECT_FALSE(header(CostTable::Predicted).contains(QStringLiteral("safe form")));
    EXPECT_GE(headers.count(), 1);
    EXPECT_EQ(desk.forecast.at_once(at), time) << "what is built is the same";
    EXPECT_EQ(desk.costs.plain(program)->state.counts().bytes(), plain);
    desk.document.show_safe(false);
    EXPECT_EQ(moved(), static_cast<double>(plain));
}

TEST(Costs, safety_that_changes_nothing_is_not_named) {
    CostDesk desk("gemm-relu");
    desk.document.show_safe(true);
    EXPECT_EQ(desk.costs.shown_form(), QString());
    EXPECT_EQ(desk.costs.of(desk.last()), desk.costs.plain(desk.costs.of(desk.last())->state.source()));
}

// Groups are of what operators stand for: the safe form has others.
TEST(Costs, replicated_work_of_the_safe_form_stems_from_the_same_operators) {
    CostDesk desk;
    desk.document.end();
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    desk.document.show_safe(true);
    const StateCostsPtr costs = desk.costs.of(desk.last());
    const ReplicatedPtr replicated = desk.costs.replicated(desk.last());
    ASSERT_TRUE(costs && replicated);
    for (const NodeFlops& each : costs->state.counts().operators) {
        if (each.flops.total() == 0) continue;
        EXPECT_FALSE(replicated->group_of({each.node}).unfused.empty()) << to_string(each.node);
    }
}

TEST(Costs, another_type_halves_or_doubles_the_bytes) {
    CostDesk desk;  // bf16
    const std::int64_t before = desk.costs.of(StateId{0})->state.counts().inputs.bytes;
    desk.costs.set_type(ElemType::F32);
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    EXPECT_EQ(desk.costs.of(StateId{0})->state.counts().inputs.bytes, 2 * before);
    desk.costs.set_type({});
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    EXPECT_EQ(desk.costs.of(StateId{0})->state.counts().inputs.bytes, before);
}

TEST(Costs, other_sizes_are_counted_again) {
    CostDesk desk;
    const std::int64_t before = desk.costs.of(StateId{0})->state.counts().inputs.bytes;
    DimTable dims = desk.document.content().program()->dims;
    dims[0].size *= 2;
    desk.document.set_dims(dims);
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    EXPECT_GT(desk.costs.of(StateId{0})->state.counts().inputs.bytes, before);
}

// Whoever steps fast would else wait for the counts of all other steps until the last one.
TEST(Costs, a_step_leaves_what_is_being_counted_as_it_is) {
    Desk desk;
    Costs& costs = Costs::of(desk.document);
    desk.open("decoder-block");
    // What the step goes to is counted: else that would come first where counting takes long.
    ASSERT_TRUE(wait_until([&] { return costs.work().busy() && costs.of(StateId{1}) != nullptr; }));
    const QSignalSpy ended(&costs.work(), &Work::finished);
    desk.document.forward();
    EXPECT_TRUE(costs.work().busy());
    EXPECT_EQ(ended.count(), 0);
    ASSERT_TRUE(wait_until([&] { return !costs.busy(); }));
    const Content& content = desk.document.content();
    for (const StateId id : content.history.path(content.history.branch(content.branch).tip))
        EXPECT_TRUE(costs.of(id)) << id;
}

// Tables and charts are there before the other steps of the branch, which wait until sizes come to rest:
// while a slider is dragged nothing is counted that nobody sees.
TEST(Costs, what_can_be_seen_is_counted_before_the_rest) {
    CostDesk desk("decoder-block");
    const Content& content = desk.document.content();
    const std::vector<StateId> path = content.history.path(desk.last());
    const auto is_seen = [&](StateId id) {
        const std::vector<StateId> rows = desk.costs.rows();
        return std::count(rows.begin(), rows.end(), id) > 0 || id == content.current ||
               id == content.history.state(content.current).parent;
    };
    ASSERT_LT(std::count_if(path.begin(), path.end(), is_seen), std::ssize(path) / 2);
    DimTable dims = content.program()->dims;
    for (int move = 0; move < 3; ++move) {
        dims[0].size *= 2;
        desk.document.set_dims(dims);
        ASSERT_TRUE(wait_until([&] { return desk.costs.counted_rows(); }));
        EXPECT_TRUE(desk.costs.busy()) << "the rest is still to come";
        for (const StateId id : path) EXPECT_EQ(desk.costs.of(id) != nullptr, is_seen(id)) << id;
    }
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    for (const StateId id : path) EXPECT_TRUE(desk.costs.of(id)) << id;
}

TEST(StepCost, says_what_a_step_changes) {
    CostDesk desk;
    desk.costs.set_heat(HeatMetric::Moved);
    const TimelineModel model(desk.document);
    const auto first = step_cost(desk.document, model, 0);
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->change_text.isEmpty());
    const auto last = step_cost(desk.document, model, model.size() - 1);
    ASSERT_TRUE(last);
    EXPECT_LT(last->change, -0.3);
    EXPECT_TRUE(last->change_text.startsWith(QChar(0x25bc)));
    EXPECT_TRUE(last->sentence.contains(QStringLiteral("less than before")));
}

// Without a heat map cells show the objective: the same number as the star's.
TEST(StepCost, is_of_the_objective_without_a_heat_map) {
    CostDesk desk;
    Best& best = Best::of(desk.document);
    ASSERT_TRUE(wait_until([&] { return best.value_of(desk.last()).has_value(); }));
    const TimelineModel model(desk.document);
    EXPECT_EQ(step_cost(desk.document, model, model.size() - 1)->amount,
              best.value_text(*best.value_of(desk.last())));
    best.set_objective(ObjectiveKind::Traffic);
    EXPECT_EQ(step_cost(desk.document, model, 0)->amount, best.value_text(*best.value_of(0)));
}

TEST(StepCost, is_of_the_heat_map_and_follows_the_device) {
    CostDesk desk;
    const TimelineModel model(desk.document);
    QSignalSpy spy(&desk.costs, &Costs::heat_changed);
    desk.costs.set_heat(HeatMetric::Predicted);
    desk.forecast.set_device("h100-sxm5");
    const auto before = spy.count();
    const auto fast = step_cost(desk.document, model, 0);
    ASSERT_TRUE(fast && fast->amount.endsWith(QLatin1Char('s'))) << fast->amount.toStdString();
    desk.forecast.set_device("l4");
    EXPECT_GT(spy.count(), before);  // pictures, listing and timeline follow
    EXPECT_NE(step_cost(desk.document, model, 0)->amount, fast->amount);
    desk.costs.set_heat(HeatMetric::Intermediates);
    EXPECT_TRUE(step_cost(desk.document, model, model.size() - 1)->amount.startsWith(QLatin1Char('0')));
}

TEST(Forecast, every_model_predicts_every_snapshot_on_every_device) {
    CostDesk desk;
    EXPECT_GE(desk.forecast.devices().size(), 12u);
    for (const Device& device : builtin_devices())
        for (const TimeModel& model : time_models()) {
            desk.forecast.set_device(device.name);
            desk.forecast.set_model(model.name);
            ASSERT_EQ(desk.forecast.device().name, device.name);
            ASSERT_TRUE(wait_until([&] { return desk.costs.counted_rows(); }));  // in the device's types
            for (const StateId id : desk.costs.rows()) {
                const auto prediction = desk.forecast.of(id);
                ASSERT_TRUE(prediction);
                EXPECT_GT(prediction->seconds, 0) << device.name << ' ' << model.name;
                const QString details = prediction_details(*prediction, device, model);
                EXPECT_TRUE(details.contains(QString::fromStdString(formula_on(model, device).str())));
            }
        }
}

// The window goes on meanwhile, and a choice made meanwhile counts.
TEST(Forecast, times_of_hundreds_of_kernels_are_predicted_later) {
    CostDesk desk;
    desk.document.reset(content_of_blocks(to_block_program(decoder_stack(20)).program, "stack"), {});
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    const StateId start{0};
    const StateCostsPtr costs = desk.costs.of(start);
    const auto expected = [&] {
        return worker::predict_as_built(desk.forecast.model(), costs->built, desk.forecast.device()).seconds;
    };
    desk.forecast.set_device("h100-sxm5");
    desk.forecast.set_model("blockscope");
    EXPECT_FALSE(desk.forecast.of(start)) << "at once";
    ASSERT_TRUE(wait_until([&] { return desk.forecast.of(start) != nullptr; }));
    EXPECT_DOUBLE_EQ(desk.forecast.of(start)->seconds, expected());
    desk.forecast.set_model("roofline");
    EXPECT_FALSE(desk.forecast.of(start)) << "that of the model before";
    desk.forecast.set_model("mcfuser");
    EXPECT_FALSE(desk.forecast.of(start));
    ASSERT_TRUE(wait_until([&] { return desk.forecast.of(start) != nullptr; }));
    EXPECT_DOUBLE_EQ(desk.forecast.of(start)->seconds, expected());
    desk.forecast.set_model("roofline");
    EXPECT_DOUBLE_EQ(desk.forecast.at_once(start)->seconds, expected());
}

// Of a few kernels each, of many together.
TEST(Forecast, times_of_many_states_are_predicted_in_turns) {
    constexpr std::size_t kMostInATurn = 1200;
    CostDesk desk;
    desk.document.reset(content_of_blocks(to_block_program(decoder_stack(6)).program, "stack"), {});
    for (int step = 0; step < 6; ++step) {
        const StateId before = desk.document.content().current;
        desk.document.apply(all_matches(*desk.document.content().program()).front());
        ASSERT_TRUE(wait_until([&] { return desk.document.content().current != before; }));
    }
    desk.costs.set_all_steps(true);
    desk.forecast.set_device("h100-sxm5");
    desk.forecast.set_model("roofline");  // which generates no kernels
    ASSERT_TRUE(wait_until([&] { return desk.costs.counted_rows(); }));
    std::size_t at_once = 0, later = 0;
    for (const StateId id : desk.costs.rows())
        (desk.forecast.of(id) ? at_once : later) += desk.costs.of(id)->work().kernels.size();
    EXPECT_GT(at_once, 0u);
    EXPECT_LE(at_once, kMostInATurn);
    EXPECT_GT(later, 0u);
    const auto all_there = [&] {
        const std::vector<StateId> rows = desk.costs.rows();
        return std::all_of(rows.begin(), rows.end(),
                           [&](StateId id) { return desk.forecast.of(id) != nullptr; });
    };
    ASSERT_TRUE(wait_until(all_there));
    for (const StateId id : desk.costs.rows())
        EXPECT_DOUBLE_EQ(
            desk.forecast.of(id)->seconds,
            predict(desk.forecast.model(), desk.costs.of(id)->work(), desk.forecast.device()).seconds);
}

TEST(Forecast, ceilings_are_the_devices_own) {
    CostDesk desk;
    desk.forecast.set_device("h100-sxm5");
    bool memory = false;
    bool matrix = false;
    for (const RooflineCeiling& ceiling : desk.forecast.ceilings()) {
        memory = memory || (ceiling.level && std::abs(ceiling.rate - 3.352e12) < 1e10);
        matrix = matrix || (!ceiling.level && std::abs(ceiling.rate - 989e12) < 1e12);
    }
    EXPECT_TRUE(memory);
    EXPECT_TRUE(matrix);
    EXPECT_NEAR(desk.forecast.local_limit().bytes, 227 * 1024, 1024);
}

// With the figures of the description and their sources; of an epyc the cores' own bandwidth counts, too.
TEST(Forecast, ceilings_say_where_they_come_from) {
    const auto derivation = [](const char* name, ElemType elem, const QString& ceiling) {
        const Device& device = *find_device(builtin_devices(), name);
        for (const RooflineCeiling& one : ceilings_of(device, elem))
            if (one.name.contains(ceiling)) return one.derivation.toStdString();
        return std::string("none");
    };
    const auto nbsp = [](std::string text) {
        for (std::size_t at; (at = text.find("\u00a0")) != std::string::npos;) text.replace(at, 2, " ");
        return text;
    };
    const std::string memory = nbsp(derivation("h100-sxm5", ElemType::F16, QStringLiteral("HBM")));
    EXPECT_EQ(memory.find("3.35 TB/s = 3.35 TB/s \u00b7 1\n"), 0U) << memory;
    EXPECT_NE(memory.find("5,120 bits x 2,619 MHz x 2 / 8"), std::string::npos) << memory;
    EXPECT_NE(memory.find("https://"), std::string::npos) << memory;
    const std::string vector = nbsp(derivation("h100-sxm5", ElemType::F16, QStringLiteral("vector")));
    EXPECT_EQ(vector.find("66.9 TFLOP/s = 256 \u00b7 132 \u00b7 1.98 GHz\n"), 0U) << vector;
    EXPECT_NE(nbsp(derivation("epyc-9755", ElemType::F32, QStringLiteral("L3"))).find(" = min("),
              std::string::npos);
    const std::string bytes = derivation("a100-sxm-80gb", ElemType::E4M3, QStringLiteral("matrix"));
    EXPECT_NE(bytes.find("No rate is listed for e4m3: that of bf16 stands for it."), std::string::npos)
        << bytes;
    for (const Device& device : builtin_devices())
        for (const RooflineCeiling& one : ceilings_of(device, ElemType::BF16)) {
            EXPECT_TRUE(one.derivation.contains(QStringLiteral(" = "))) << one.title.toStdString();
            EXPECT_TRUE(one.derivation.contains(QStringLiteral("\n    "))) << "a source";
        }
}

TEST(CostCharts, bars_add_up_to_the_bytes_moved) {
    for (const char* sample : {"attention", "decoder-block"}) {
        CostDesk desk(sample);
        const TrafficBars chart = traffic_of(desk.document.content(), desk.costs);
        EXPECT_LE(chart.series.size(), 8u);
        ASSERT_EQ(chart.bars.size(), desk.costs.rows().size());
        for (const TrafficBar& bar : chart.bars) {
            double all = 0;
            for (const double part : bar.parts) all += part;
            EXPECT_EQ(all, static_cast<double>(desk.costs.of(bar.key)->state.counts().bytes()));
        }
    }
}

TEST(CostTable, times_at_other_sizes_have_no_ratio) {
    CostDesk desk;
    CostTable table(desk.document, desk.costs);
    Baselines::of(desk.document).choose(BaselineKind::Unfused);
    bool stale = false;
    table.set_times([&](StateId id) {
        StateTimes known;
        known.predicted = id == 0 ? 4e-3 : 1e-3;
        known.measured = id == 0 ? 8e-3 : 1e-3;
        known.stale = stale && id != 0;
        return known;
    });
    const QModelIndex ratio = table.index(1, CostTable::Ratio);
    const QModelIndex measured = table.index(1, CostTable::Measured);
    EXPECT_EQ(ratio.data(CostTable::NumberRole), 0.125);
    EXPECT_TRUE(
        measured.data(Qt::ToolTipRole).toString().contains(QStringLiteral("against Initial program")));
    stale = true;
    EXPECT_EQ(ratio.data(CostTable::NumberRole), 0.25);  // of the predictions
    EXPECT_FALSE(
        measured.data(Qt::ToolTipRole).toString().contains(QStringLiteral("against Initial program")));
}

// A card keeps sums in registers and operands in shared memory: what both hold together is over no limit.
TEST(CostTable, local_memory_of_a_card_has_a_limit_for_each_place) {
    CostDesk desk;
    desk.forecast.set_device("h100-sxm5");
    CostTable table(desk.document, desk.costs);
    const StateId last = desk.last();
    const LocalLimit limit = desk.forecast.local_limit();
    ASSERT_TRUE(limit.split());
    table.set_limit(limit);
    desk.costs.set_all_steps(true);
    const QModelIndex cell = table.index(table.row_of(last), CostTable::Local);
    EXPECT_FALSE(cell.data(CostTable::OverRole).toBool());
    const std::vector<LocalMemory>& alive = desk.costs.of(last)->state.alive();
    const QString in_registers =
        QStringLiteral("Registers, for sums: %1 of ")
            .arg(
                with_unit(static_cast<double>(most_of(alive, &LocalMemory::registers)), QStringLiteral("B")));
    const QString tip = cell.data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(in_registers)) << tip.toStdString();
    EXPECT_EQ(memory_of(desk.costs, last, limit).places, limit.places(alive));
    // Either place may be too small.
    for (double LocalLimit::*place : {&LocalLimit::bytes, &LocalLimit::registers}) {
        LocalLimit small = limit;
        small.*place = 1024;
        table.set_limit(small);
        EXPECT_TRUE(cell.data(CostTable::OverRole).toBool());
        const MemoryStrip strip = memory_of(desk.costs, last, small);
        EXPECT_TRUE(std::any_of(strip.moments.begin(), strip.moments.end(),
                                [](const MemoryMoment& moment) { return moment.over; }));
    }
    desk.forecast.set_device("epyc-9755");
    EXPECT_FALSE(desk.forecast.local_limit().split());
}

TEST(CostTable, sorts_by_the_numbers_of_a_column_and_back) {
    CostDesk desk;
    CostTable table(desk.document, desk.costs);
    Baselines::of(desk.document).choose(BaselineKind::Unfused);
    table.set_times([&](StateId id) {
        StateTimes known;
        if (id != 0) known.predicted = 1.0 / (1 + id);
        return known;
    });
    const auto rows = [&] {
        std::vector<StateId> all;
        for (int row = 0; row < table.rowCount(); ++row) all.push_back(table.state(row));
        return all;
    };
    const std::vector<StateId> own = rows();
    ASSERT_GT(own.size(), 2U);
    const QPersistentModelIndex kept(table.index(0, CostTable::Moved));
    table.sort(CostTable::Predicted, Qt::AscendingOrder);
    for (int row = 0; row + 2 < table.rowCount(); ++row)
        EXPECT_LT(table.index(row, CostTable::Predicted).data(CostTable::NumberRole).toDouble(),
                  table.index(row + 1, CostTable::Predicted).data(CostTable::NumberRole).toDouble());
    EXPECT_EQ(table.state(table.rowCount() - 1), StateId{0}) << "without a time";
    EXPECT_EQ(table.state(kept.row()), StateId{0}) << "who has chosen a state keeps it";
    table.sort(CostTable::Predicted, Qt::DescendingOrder);
    EXPECT_EQ(table.state(table.rowCount() - 1), StateId{0});
    EXPECT_NE(rows(), own);
    table.sort(-1, Qt::AscendingOrder);
    EXPECT_EQ(rows(), own);
}

TEST(CostTable, headers_name_the_devices_of_times_and_a_column_has_the_part_of_the_peak) {
    CostDesk desk;
    CostTable table(desk.document, desk.costs);
    table.set_devices(QStringLiteral("h100-sxm5"), QStringLiteral("This processor"));
    const auto header = [&](int column) {
        return table.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    };
    EXPECT_EQ(header(CostTable::Predicted), QStringLiteral("Predicted\nh100-sxm5"));
    EXPECT_EQ(header(CostTable::Measured), QStringLiteral("Measured\nThis processor"));
    EXPECT_EQ(header(CostTable::Ratio), QStringLiteral("Ratio\nLibrary kernels"));
    // Where two forms stand beside each other all of them say which they are of.
    table.set_devices(QStringLiteral("h100-sxm5"), QStringLiteral("This processor"),
                      QStringLiteral("safe form"));
    EXPECT_EQ(header(CostTable::Predicted), QStringLiteral("Predicted\nh100-sxm5, safe form"));
    EXPECT_EQ(header(CostTable::Moved), QStringLiteral("Moved\nplain form"));
    table.set_devices(QStringLiteral("h100-sxm5"), QStringLiteral("This processor"));
    EXPECT_EQ(header(CostTable::Moved), QStringLiteral("Moved"));
    const auto matrix = static_cast<double>(desk.costs.of(StateId{0})->state.counts().flops.matrix);
    bool comparable = false;
    table.set_times([&](StateId) {
        StateTimes known;
        known.predicted = 1;
        known.measured = 2;
        known.peak = 4 * matrix;
        known.comparable = comparable;
        return known;
    });
    const QModelIndex cell = table.index(0, CostTable::OfPeak);
    EXPECT_EQ(cell.data(CostTable::NumberRole).toDouble(), 0.25)
        << "of the prediction: another device measured";
    comparable = true;
    EXPECT_EQ(cell.data(CostTable::NumberRole).toDouble(), 0.125);
    EXPECT_TRUE(cell.data().toString().startsWith(QStringLiteral("1")));
}

// One type for counts, predictions and charts: what the processor's engine keeps.
TEST(Forecast, on_a_processor_counts_and_predictions_are_of_the_same_bytes) {
    CostDesk desk;  // bf16
    const std::int64_t declared = desk.costs.of(StateId{0})->state.counts().bytes();
    desk.forecast.set_device("ryzen-9-9950x");
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    EXPECT_EQ(desk.costs.of(StateId{0})->state.counts().bytes(), 2 * declared);
    for (const auto type : {std::optional<ElemType>(), std::optional(ElemType::BF16)}) {
        desk.costs.set_type(type);
        ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
        for (const StateId id : desk.costs.rows()) {
            const StateCostsPtr costs = desk.costs.of(id);
            double predicted = 0;
            for (const KernelWork& kernel : costs->work().kernels) predicted += kernel.bytes();
            EXPECT_EQ(moved_bytes(costs->built), predicted) << id;
        }
    }
    desk.costs.set_type({});
    desk.forecast.set_device("h100-sxm5");
    ASSERT_TRUE(wait_until([&] { return !desk.costs.busy(); }));
    EXPECT_EQ(desk.costs.of(StateId{0})->state.counts().bytes(), declared);
}

// What has one rate has one line, and one name.
TEST(Forecast, equal_ceilings_are_one) {
    CostDesk desk;
    for (const Device& device : desk.forecast.devices()) {
        desk.forecast.set_device(device.name);
        const std::vector<RooflineCeiling> ceilings = desk.forecast.ceilings();
        EXPECT_FALSE(ceilings.empty()) << device.name;
        for (std::size_t i = 0; i < ceilings.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_FALSE(ceilings[i].level == ceilings[j].level && ceilings[i].rate == ceilings[j].rate)
                    << device.name << ": " << ceilings[i].name.toStdString();
    }
}

// No "=" between what is not equal.
TEST(Forecast, details_of_a_time_say_how_its_terms_make_it) {
    CostDesk desk;
    desk.forecast.set_device("h100-sxm5");
    const auto details = [&](const char* model) {
        desk.forecast.set_model(model);
        EXPECT_TRUE(wait_until([&] { return desk.forecast.of(desk.last()) != nullptr; }));
        return prediction_details(*desk.forecast.of(desk.last()), desk.forecast.device(),
                                  desk.forecast.model());
    };
    EXPECT_TRUE(details("roofline").contains(QStringLiteral(", the longest of ")));
    EXPECT_TRUE(details("mcfuser").contains(QStringLiteral(" + ")));
    const QString own = details("blockscope");
    EXPECT_TRUE(own.contains(QStringLiteral(", as they overlap, of "))) << own.toStdString();
    EXPECT_TRUE(own.contains(QStringLiteral("w = 0.30"))) << own.toStdString();
    EXPECT_TRUE(own.contains(QStringLiteral("idle "))) << "32 thread blocks for 132 processors";
    desk.forecast.set_device("xeon-8480");
    EXPECT_TRUE(details("blockscope").contains(QStringLiteral("t = launch + tasks + busy + idle")));
}

// Two states, 1 and 2 ms predicted, 2 and 1 ms measured: every statistic with the values put in.
TEST(CostCharts, statistics_of_the_scatter_open_what_they_are_made_of) {
    CostDesk desk;
    const std::vector<StateId> rows = desk.costs.rows();
    ASSERT_GE(rows.size(), 3u);
    const TimesOf times = [&](StateId state) {
        StateTimes known;
        known.predicted = state == rows[0] ? 2e-3 : 1e-3;
        known.measured = state == rows[0] ? 1e-3 : 2e-3;
        known.comparable = true;
        known.stale = state != rows[0] && state != rows[1];
        return known;
    };
    EXPECT_EQ(compared_times(desk.costs, times).states, (std::vector<StateId>{rows[0], rows[1]}));
    const QString text = agreement_derivation(desk.document, times);
    for (const char* part :
         {"(rank 2), measured", "(100.0\u00a0% + 50.0\u00a0%) / 2 = 75.0\u00a0%", "x and y their ranks",
          "= -0.500 / \u221a(0.500 \u00b7 0.500) = -1.000", "\u2212 1 = 100.0\u00a0%"})
        EXPECT_TRUE(text.contains(QString::fromUtf8(part))) << part << " in\n" << text.toStdString();
    const Scatter scatter = scatter_of(desk.document.content(), desk.costs, times);
    EXPECT_FALSE(scatter.statistics.empty());
    EXPECT_FALSE(scatter.statistics_tip.isEmpty());
    const TimesOf none = [](StateId) { return StateTimes(); };
    EXPECT_EQ(agreement_derivation(desk.document, none), QString());
}

// A roof is what nothing stands above: points are placed by what comes from memory, as its ceiling is. By
// what the listing moves, of which caches serve most, fused attention stood above it.
TEST(CostCharts, no_point_of_the_roofline_stands_above_the_ceiling_of_the_memory) {
    test::BestDesk desk("multihead-attention");
    const TimesOf times = [&](StateId id) {
        const PredictionPtr prediction = desk.forecast.of(id);
        StateTimes known;
        known.predicted = prediction->seconds;
        known.levels = prediction->levels;
        return known;
    };
    const double bandwidth = desk.forecast.device().memory.back().bandwidth.value;
    const Roofline roofline = roofline_of(desk.document.content(), desk.costs, times, {});
    ASSERT_GE(roofline.points.size(), 3u);
    for (const RooflinePoint& point : roofline.points) {
        EXPECT_LE(point.predicted, 1.001 * point.intensity * bandwidth) << point.label.toStdString();
        EXPECT_TRUE(point.tip.contains(QStringLiteral(" per byte from HBM3"))) << point.tip.toStdString();
    }
}

TEST(CostCharts, measured_times_stand_beside_predictions_of_what_measured_alone) {
    CostDesk desk;
    bool comparable = true;
    bool stale = false;
    const TimesOf times = [&](StateId) {
        StateTimes known;
        known.predicted = 1e-3;
        known.measured = 2e-3;
        known.comparable = comparable;
        known.stale = stale;
        return known;
    };
    EXPECT_EQ(scatter_of(desk.document.content(), desk.costs, times).points.size(), 3u);
    EXPECT_TRUE(roofline_of(desk.document.content(), desk.costs, times, {}).points[0].measured);
    stale = true;  // at other sizes: other operations
    EXPECT_FALSE(roofline_of(desk.document.content(), desk.costs, times, {}).points[0].measured);
    EXPECT_TRUE(roofline_of(desk.document.content(), desk.costs, times, {}).points[0].predicted);
    stale = false;
    comparable = false;
    const Scatter none =
        scatter_of(desk.document.content(), desk.costs, times, QStringLiteral("Another device."));
    EXPECT_TRUE(none.points.empty());
    EXPECT_EQ(none.title, QStringLiteral("Nothing to compare")) << "something was measured";
    EXPECT_EQ(none.missing, QStringLiteral("Another device."));
    EXPECT_FALSE(roofline_of(desk.document.content(), desk.costs, times, {}).points[0].measured);
}

}  // namespace
}  // namespace blockscope
