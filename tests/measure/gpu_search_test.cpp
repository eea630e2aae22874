// Block sizes of a card: searched, compiled, ranked; and the card calibrated for that.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "app/worker/backends.h"
#include "app/worker/card_search.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "gpu/driver/for_card.h"
#include "gpu/driver/microbenchmarks.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/measure/gpu_fixture.h"

namespace blockscope::test {
namespace {

using measure::FailureClass;
using measure::Record;
using testing::HasSubstr;

TEST_F(GpuTest, BlockSizesAreRankedCompiledAndRankedOnceMore) {
    const worker::Task task = on_card(ElemType::F16);
    worker::CardSearch search{"sm_80", worker::description_for(builtin_devices(), {}, "x", "sm_80"), 2,
                              command()};
    std::vector<worker::SearchRow> seen;
    search.watch = [&](const std::vector<worker::SearchRow>& rows) { seen = rows; };
    std::set<std::string> phases;
    const auto watch = [&](const std::string& phase, int, int) { return phases.insert(phase), true; };
    const auto found = worker::search_card(task, search, watch);
    ASSERT_TRUE(found) << found.failure().message;
    EXPECT_TRUE(found->compiled);
    EXPECT_EQ(phases.size(), 3U);
    EXPECT_EQ(found->considered, 3U * 2 * 2 * 2) << "M: 8 16 32, the others: 8 16";
    ASSERT_EQ(found->choices.size(), 2U);
    // Threads and stages, too: rows of one choice of block sizes whose kernels differ.
    std::set<std::pair<int, int>> forms;
    for (const worker::SearchRow& row : seen)
        if (row.dims == seen.at(0).dims) forms.insert({row.threads, row.stages});
    EXPECT_GE(forms.size(), 2U);
    EXPECT_LE(seen.size(), 8U) << "as many are compiled as four times what is measured";
    EXPECT_LE(found->choices[0].row.predicted_seconds, found->choices[1].row.predicted_seconds);
    for (const worker::CardChoice& choice : found->choices) {
        EXPECT_TRUE(choice.row.compiled);
        EXPECT_EQ(choice.row.registers, 64);
        EXPECT_GT(choice.row.resident, 0);
        EXPECT_EQ(choice.task.blocks->dims, choice.row.dims);
    }
    worker::Client client(command());
    const Record record = worker::Session(client, "").run(found->choices[0].task);
    EXPECT_FALSE(record.failure) << record.failure->message;
    EXPECT_THAT(record.prepared, HasSubstr("compiled before")) << "the search has compiled it";
    const auto stopped = worker::search_card(task, search, [](const auto&, int, int) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.failure().cls, FailureClass::Cancelled);
}

// Compilers that crash take their kernels along, and nothing else.
TEST_F(GpuTest, ASearchOutlivesItsCompilers) {
    setenv("BLOCKSCOPE_FAKE_NVRTC", "crash", 1);
    setenv("XDG_CACHE_HOME", "/nonexistent/blockscope-tests", 1);  // nothing was compiled before
    const worker::CardSearch search{"sm_80", worker::description_for(builtin_devices(), {}, "x", "sm_80"), 1,
                                    command()};
    const auto found =
        worker::search_card(on_card(ElemType::F16), search, [](const auto&, int, int) { return true; });
    unsetenv("BLOCKSCOPE_FAKE_NVRTC");
    ASSERT_TRUE(found) << found.failure().message;
    EXPECT_TRUE(found->choices.empty());
    ASSERT_FALSE(found->refused.empty());
    EXPECT_THAT(found->refused.at(0).refused, HasSubstr("ended while compiling"));
}

// What fits an SM decides how many waves there are.
TEST(CardModel, TakesThreadBlocksAtOnceFromTheCompiler) {
    const Device card = *find_device(builtin_devices(), "a100-sxm-80gb");
    BlockProgram program = *block_sample("attention");
    program.dims.at(0).size = 1 << 17;  // several thread blocks for every SM
    const StateWork work = state_work(lower(*fuse(std::make_shared<const BlockProgram>(program)).last()));
    ModelSetting one, eight;
    for (const KernelWork& kernel : work.kernels) {
        one.resident[kernel.node] = 1;
        eight.resident[kernel.node] = 8;
    }
    const TimeModel& model = *find_time_model("blockscope");
    EXPECT_NE(predict(model, work, card, one).seconds, predict(model, work, card, eight).seconds);
}

TEST_F(GpuTest, ACardIsCalibratedByKernelsThatRunOnIt) {
    const auto backends = worker::gpu_backends();
    ASSERT_EQ(backends.size(), 1U);
    std::set<std::string> phases;
    const auto described = backends[0]->calibrate(
        [&](const std::string& phase, int, int) { return phases.insert(phase), true; });
    ASSERT_TRUE(described) << described.failure().message << described.failure().log;
    EXPECT_TRUE(phases.count("tensor cores") > 0 && phases.count("programs") > 0);
    const auto device = read_device(json::print(*described), "calibration");
    ASSERT_TRUE(device) << to_string(device.problems().front());
    EXPECT_EQ(device->name, "local-cuda0");
    EXPECT_EQ(device->title, "Emulated card");
    ASSERT_TRUE(device->calibration);
    EXPECT_EQ(device->processors.value, 2);
    for (const Unit unit : {Unit::Vector, Unit::Special})
        EXPECT_GT(processor_rate(*device, unit, ElemType::F32), 0);
    // An emulator is slower than any card: the figures are not those of the description it starts from.
    EXPECT_LT(device_rate(*device, Unit::Matrix, ElemType::F16), 1e11);
    EXPECT_LT(global_memory(*device).bandwidth.value, 1e12);
    EXPECT_NE(parameter(*device, "launch_scale", -1), -1) << "fitted to programs";
    const auto rate = std::find_if(device->rates.begin(), device->rates.end(), [](const PeakRate& one) {
        return one.unit == Unit::Matrix && one.elem == ElemType::BF16;
    });
    ASSERT_NE(rate, device->rates.end());
    EXPECT_EQ(rate->peak.how, "mma.sync m16n8k16 in f16");
    const auto stopped = backends[0]->calibrate([](const auto&, int, int) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.failure().cls, FailureClass::Cancelled);
}

// On Hopper that is what products by groups of warps reach, which mma.sync does not.
TEST_F(GpuTest, HoppersTensorCoresAreCalibratedByTheirOwnInstruction) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "hopper", 1);
    const auto backends = worker::gpu_backends();
    ASSERT_EQ(backends.size(), 1U);
    // Programs that the model is fitted to are another test's.
    const auto driver = gpu::Driver::open();
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open();
    const auto session = gpu::CardSession::start(driver, driver.cards().at(0));
    ASSERT_TRUE(session);
    const gpu::Target target = gpu::target_for({9, 0}, ElemType::F16);
    const auto compiled =
        gpu::CubinCache(gpu::cubin_folder()).compile(nvrtc, gpu::microbenchmark_source(target), "sm_90a");
    ASSERT_TRUE(compiled) << compiled.problems().at(0).message;
    auto kernels = gpu::Microbenchmarks::load(*session, *compiled, target);
    ASSERT_TRUE(kernels);
    const auto rate = kernels->tensor_rate();
    ASSERT_TRUE(rate) << rate.failure().message;
    EXPECT_GT(*rate, 0);
    EXPECT_EQ(kernels->tensor_instruction(), "wgmma m64n256k16");
}

}  // namespace
}  // namespace blockscope::test
