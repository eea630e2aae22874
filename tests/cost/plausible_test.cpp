// Figures that cannot be are found; those of every description that comes with the program can.
#include "core/cost/device.h"

#include <gmock/gmock.h>

#include "core/json/device_files.h"

namespace blockscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Device processor(std::vector<double> one_core_reads, std::vector<double> products) {
    Device device;
    device.kind = DeviceKind::Cpu;
    for (const double rate : one_core_reads) {
        MemoryLevel level;
        level.name = "L" + std::to_string(device.memory.size() + 1);
        level.bandwidth.value = rate;
        device.memory.push_back(level);
    }
    int side = 32;
    for (const double rate : products) {
        side *= 2;
        device.matmul.push_back({ElemType::F32, side, side, side, {rate, "", ""}});
    }
    return device;
}

TEST(Contradictions, CachesGetNoFasterFurtherOut) {
    EXPECT_THAT(contradictions(processor({109e9, 92e9, 132e9}, {})),
                ElementsAre(Text("One core reads L3 at 132 GB/s, faster than L2 at 92 GB/s.")));
    EXPECT_THAT(contradictions(processor({109e9, 112e9, 40e9}, {})), IsEmpty()) << "3% is scatter";
    // All cores together read a shared cache faster than one core its own.
    Device shared = processor({100e9, 90e9, 300e9}, {});
    shared.memory[2].processor_bandwidth.value = 60e9;
    EXPECT_THAT(contradictions(shared), IsEmpty());
}

TEST(Contradictions, LargerBlocksAreNotMuchSlower) {
    EXPECT_THAT(contradictions(processor({}, {100e9, 104e9, 95e9})), IsEmpty());
    EXPECT_THAT(
        contradictions(processor({}, {100e9, 104e9, 60e9})),
        ElementsAre(
            Text("Products of blocks of 256 run at 60 GFLOP/s, slower than those of 128 at 104 GFLOP/s.")));
}

TEST(Contradictions, DescriptionsThatComeWithTheProgramHaveNone) {
    for (const Device& device : builtin_devices())
        EXPECT_THAT(contradictions(device), IsEmpty()) << device.name;
}

}  // namespace
}  // namespace blockscope
