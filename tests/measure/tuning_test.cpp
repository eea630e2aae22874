// The block sizes that `tune` measures on a processor.
#include <gmock/gmock.h>

#include "app/worker/predict.h"
#include "app/worker/session.h"
#include "core/fusion/trace.h"
#include "core/program/array_program.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

// A machine that nobody calibrated, with 2 MiB of level-2 cache.
measure::Machine unknown_machine() {
    measure::Machine machine;
    machine.cpu = "of no make";
    machine.cores = 2;
    machine.caches = {{2, "Unified", std::int64_t{2} << 20}};
    return machine;
}

worker::Task task_of(ProgramPtr state) {
    worker::Task task;
    task.state = "last";
    task.blocks = std::move(state);
    return task;
}

// Fully fused, the hidden layer is computed once per block of output columns: once, with all of them in one.
TEST(TuningCandidates, RepeatNoWorkWhereThatIsPossible) {
    ArrayProgram array = read_sample("rmsnorm-swiglu");
    for (Dim& dim : array.dims) dim.size = dim.name == "N" ? 2048 : 1024, dim.block = 64;
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(array).program));
    const auto tasks = worker::tuning_candidates(task_of(trace.last()), unknown_machine(), 3);
    ASSERT_EQ(tasks.size(), 4U);
    EXPECT_EQ(tasks[0].blocks->dims, trace.last()->dims) << "its own come first";
    for (const Dim& dim : tasks[1].blocks->dims)
        if (dim.name == "N") {
            EXPECT_EQ(dim.block, 2048);
        }
    // Times of another processor would say nothing about this one.
    for (const worker::Task& task : tasks) EXPECT_EQ(task.predicted_seconds, 0);
}

TEST(TuningCandidates, LeaveWholeWhatHasToBe) {
    const DimTable dims = {{"M", 1024, 128}, {"D", 128, 128}};
    const BlockNeeds needs{BlockNeed::Any, BlockNeed::Whole};
    for (const DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Gpu}) {
        EXPECT_GT(worker::block_candidates(dims, {}, kind, 1000)[1].size(), 1U);
        EXPECT_THAT(worker::block_candidates(dims, needs, kind, 1000)[1], testing::ElementsAre(128));
        EXPECT_GT(worker::block_candidates(dims, needs, kind, 1000)[0].size(), 1U);
    }
}

TEST(TuningCandidates, TakeSmallAndBatchDimensionsWhole) {
    const Result<ArrayProgram> array = parse_program(
        "batch B = 4\ndim M = 10 / 5\ndim N = 100 / 5\ninput X[B,M,N]\noutput Y = exp(X)\n", "test.bp");
    ASSERT_TRUE(array);
    const auto program = std::make_shared<const BlockProgram>(to_block_program(*array).program);
    const ChoiceLists lists = worker::block_candidates(program->dims, {}, DeviceKind::Cpu, 1000);
    ASSERT_EQ(lists.size(), 3U);
    EXPECT_THAT(lists[0], testing::ElementsAre(1));
    EXPECT_THAT(lists[1], testing::Contains(10));
    EXPECT_THAT(lists[2], testing::Contains(100));
    for (const worker::Task& task : worker::tuning_candidates(task_of(program), unknown_machine(), 4))
        EXPECT_EQ(task.blocks->dims[0].block, 1);
}

}  // namespace
}  // namespace blockscope::test
