// The calibration of this machine, in a hurry: figures are there and make sense, whatever the machine.
#include "app/worker/backends.h"

#include <gmock/gmock.h>

#include <set>

#include "core/json/device_files.h"

namespace blockscope::test {
namespace {

worker::CalibrationOptions hurried() {
    worker::CalibrationOptions options;
    options.seconds = 0.001;
    options.memory_bytes = std::int64_t{8} << 20;
    options.matmul_sides = {16, 32};
    return options;
}

TEST(Calibration, DescribesThisMachine) {
    std::set<std::string> phases;
    int last = -1;
    int said = 0;  // of the last step, which goes on for long
    const auto device = worker::calibrate_cpu(
        [&](const std::string& phase, int done, int total) {
            phases.insert(phase);
            if (done == last) ++said;
            EXPECT_EQ(done, phase == "programs" && done == last ? last : last + 1) << phase;
            last = done;
            EXPECT_GT(total, done);
            return true;
        },
        hurried());
    ASSERT_TRUE(device) << device.failure().message;
    EXPECT_GE(said, 8) << "before each program";
    EXPECT_THAT(phases, testing::IsSupersetOf({"memory", "multiply-add", "exp", "block products", "passes",
                                               "calls", "programs"}));
    EXPECT_EQ(device->name, kLocalCpu);
    EXPECT_GE(device->processors.value, 1);
    EXPECT_TRUE(device->calibration);
    EXPECT_EQ(global_memory(*device).role, LevelRole::Memory);
    for (const Unit unit : {Unit::Matrix, Unit::Vector, Unit::Special})
        EXPECT_GT(device_rate(*device, unit, ElemType::F32), 1e7);
    EXPECT_EQ(device->matmul.size(), 4U);
    EXPECT_GT(device->launch.value, 0);
    EXPECT_GT(parameter(*device, "call", 0), 0);
    for (const char* name : {"simple_cycles", "exp_cycles", "transpose_cycles", "row_cycles", "overlap"})
        EXPECT_GT(parameter(*device, name, 0), 0) << name;
    for (const NamedFigure& figure : known_figures(*device))
        EXPECT_NE(source_of(*device, *figure.figure), nullptr) << figure.name;
    // What is written is read again.
    const Result<Device> read = read_device(write_json(*device), "device");
    ASSERT_TRUE(read) << to_string(read.problems()[0]);
    EXPECT_EQ(write_json(*read), write_json(*device));
}

TEST(Calibration, StopsWhenToldTo) {
    int steps = 0;
    const auto device =
        worker::calibrate_cpu([&](const std::string&, int, int) { return ++steps < 3; }, hurried());
    ASSERT_FALSE(device);
    EXPECT_EQ(device.failure().cls, measure::FailureClass::Cancelled);
    EXPECT_EQ(steps, 3);
}

}  // namespace
}  // namespace blockscope::test
