// The whole way from a program to a card and back, with libraries in the place of CUDA's driver and compiler
// that run the generated kernels in the emulator (tests/gpu/fake).
#include <gmock/gmock.h>

#include <set>

#include "app/worker/card_search.h"
#include "app/worker/gpu_backend.h"
#include "app/worker/predict.h"
#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/json/device_json.h"
#include "core/measure/reference.h"
#include "gpu/driver/diagnostics.h"
#include "gpu/driver/elements.h"
#include "gpu/driver/for_card.h"
#include "gpu/driver/occupancy.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using measure::FailureClass;
using measure::Record;
using testing::HasSubstr;
using testing::StartsWith;

class GpuTest : public WorkerTest {
protected:
    GpuTest() {
        setenv("BLOCKSCOPE_CUDA_DRIVER", BLOCKSCOPE_FAKE_CUDA_LIBRARY, 1);
        setenv("BLOCKSCOPE_NVRTC", BLOCKSCOPE_FAKE_NVRTC_LIBRARY, 1);
        setenv("XDG_CACHE_HOME", BLOCKSCOPE_CUBIN_FOLDER, 1);  // kernels are compiled once for all tests
        unsetenv("BLOCKSCOPE_FAKE_CUDA");
    }
    ~GpuTest() override {
        for (const char* name :
             {"BLOCKSCOPE_CUDA_DRIVER", "BLOCKSCOPE_NVRTC", "XDG_CACHE_HOME", "BLOCKSCOPE_FAKE_CUDA"})
            unsetenv(name);
    }

    worker::Task on_card(ElemType elem = ElemType::F32) const {
        worker::Task task = this->task();
        task.device = "cuda0";
        task.options.elem = elem;
        task.plan = {1, 0, 3, 0, 20};
        return task;
    }
};

TEST_F(GpuTest, ARunIsCompiledCheckedAndTimed) {
    worker::Client client(command());
    worker::Session session(client, "");
    for (const ElemType elem : {ElemType::F32, ElemType::F16, ElemType::BF16}) {
        const Record record = session.run(on_card(elem));
        ASSERT_FALSE(record.failure) << to_string(elem) << ": " << record.failure->message
                                     << record.failure->log;
        ASSERT_TRUE(record.warm && record.cold);
        EXPECT_GT(record.warm->summary.median, 0);
        EXPECT_THAT(record.prepared, HasSubstr("registers"));
        // Tensor cores wherever the type has them.
        const char* target = elem == ElemType::F32 ? "target f32 for sm_80" : "target sm_80 for sm_80";
        EXPECT_THAT(record.prepared, HasSubstr(target));
    }
}

// What is predicted are the kernels that the card has: how many of their thread blocks a multiprocessor
// holds, and in how many parts their reductions are.
TEST_F(GpuTest, ForecastsAreOfTheKernelsThatWereCompiled) {
    worker::Client client(command());
    worker::Session session(client, "");
    worker::Task task = on_card(ElemType::F16);
    task.card = *find_device(builtin_devices(), "a100-sxm-80gb");
    task.model = worker::kCpuModel;
    task.predicted_seconds = 1;
    const Record record = session.run(task);
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    const auto prepared =
        client.prepare({"cuda0", task.blocks, measure::Reference(task.initial), task.options, task.seed});
    ASSERT_TRUE(prepared);
    ASSERT_FALSE(prepared->kernels.empty());
    EXPECT_GT(prepared->kernels.at(0).resident, 0);
    const auto with = [&](const std::vector<measure::PreparedKernel>& kernels) {
        return worker::predicted_on_card(*task.blocks, *task.card, ElemType::F16, task.model, kernels);
    };
    ASSERT_TRUE(record.predicted_seconds);
    EXPECT_EQ(*record.predicted_seconds, with(prepared->kernels));
    std::vector<measure::PreparedKernel> in_parts = prepared->kernels;
    in_parts.at(0).parts = 7;
    in_parts.at(0).part_bytes = 1 << 20;
    EXPECT_GT(with(in_parts), with(prepared->kernels)) << "a second launch, and what parts leave for it";
}

TEST_F(GpuTest, ATargetCanBeAskedFor) {
    worker::Client client(command());
    worker::Session session(client, "");
    worker::Task task = on_card(ElemType::F16);
    task.options.target = "f32";
    const Record plain = session.run(task);
    ASSERT_FALSE(plain.failure) << plain.failure->message << plain.failure->log;
    EXPECT_THAT(plain.prepared, HasSubstr("target f32 for sm_80"));
    EXPECT_EQ(plain.subject.device, "cuda0, f32") << "results of two targets are not comparable";
    task.options.target = "sm_1";
    const Record none = session.run(task);
    ASSERT_TRUE(none.failure);
    EXPECT_EQ(none.failure->cls, FailureClass::Refused);
}

// Arrays are described for the copy engine when a program is loaded.
TEST_F(GpuTest, TilesComeInBoxesOnSm90a) {
    worker::Client client(command());
    worker::Session session(client, "");
    worker::Task task = on_card(ElemType::F16);
    BlockProgram program = *fused();
    for (Dim& dim : program.dims) dim.size = 48, dim.block = 32;
    task.blocks = std::make_shared<const BlockProgram>(program);
    BlockProgram initial = *task.initial;
    initial.dims = program.dims;
    task.initial = std::make_shared<const BlockProgram>(initial);
    task.options.target = "sm_90a";
    const Record record = session.run(task);
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    EXPECT_THAT(record.prepared, HasSubstr("target sm_90a for sm_80"));
    EXPECT_GT(record.warm->summary.median, 0);
}

// On 9.0 that is what 16 bits get. Where results are wrong, the kernels without take over, and the record
// says so.
TEST_F(GpuTest, OnHopperWhatIsWrongGivesWayToTheKernelsForSm90) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "hopper", 1);
    const auto run = [&](const std::string& target) {
        worker::Client client(command());
        worker::Task task = on_card(ElemType::F16);
        task.options.target = target;
        return worker::Session(client, "").run(task);
    };
    const Record own = run("");
    ASSERT_FALSE(own.failure) << own.failure->message << own.failure->log;
    EXPECT_THAT(own.prepared, HasSubstr("target sm_90a for sm_90a"));
    setenv("BLOCKSCOPE_FAKE_CUDA", ("hopper,wrong,once=" + file("once")).c_str(), 1);
    std::ofstream(file("once")) << "x";
    const Record other = run("");
    ASSERT_FALSE(other.failure) << other.failure->message;
    EXPECT_TRUE(other.warm);
    EXPECT_THAT(other.prepared, StartsWith("not what suits the card best: "));
    EXPECT_THAT(other.prepared, HasSubstr("differs from the reference"));
    EXPECT_THAT(other.prepared, HasSubstr("target sm_90 for sm_90a"));
    std::ofstream(file("once")) << "x";
    const Record asked = run("sm_90a");
    ASSERT_TRUE(asked.failure) << "what was asked for does not give way";
    EXPECT_EQ(asked.failure->cls, FailureClass::Mismatch);
}

TEST_F(GpuTest, OnHopperWhatDoesNotCompileGivesWay) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "hopper", 1);
    setenv("BLOCKSCOPE_FAKE_NVRTC", "no-groups", 1);
    setenv("XDG_CACHE_HOME", "/nonexistent/blockscope-tests", 1);  // nothing was compiled before
    worker::Client client(command());
    worker::Session session(client, "");
    worker::Task task = on_card(ElemType::F16);
    const Record other = session.run(task);
    task.options.target = "sm_90a";
    const Record asked = session.run(task);
    unsetenv("BLOCKSCOPE_FAKE_NVRTC");
    ASSERT_FALSE(other.failure) << other.failure->message << other.failure->log;
    EXPECT_TRUE(other.warm);
    EXPECT_THAT(other.prepared, HasSubstr("target sm_90 for sm_90a (not sm_90a: The kernels do not compile"));
    ASSERT_TRUE(asked.failure) << "what was asked for does not give way";
    EXPECT_EQ(asked.failure->cls, FailureClass::Compile);
    EXPECT_THAT(asked.failure->log, HasSubstr("there is no wgmma here"));
}

TEST_F(GpuTest, TheCardIsAmongTheDevices) {
    worker::Client client(command());
    const auto hello = client.hello();
    ASSERT_TRUE(hello);
    ASSERT_EQ(hello->devices.size(), 2U);
    EXPECT_EQ(hello->devices[1], (measure::BackendInfo{"cuda0", "Emulated card", "sm_80"}));
    EXPECT_THAT(gpu::diagnostics(), HasSubstr("cuda0: Emulated card, sm_80"));
}

TEST_F(GpuTest, WithoutACardThereIsNoneAndTheSearchSaysWhy) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "no-card", 1);
    EXPECT_TRUE(worker::gpu_backends().empty());
    EXPECT_THAT(gpu::diagnostics(), HasSubstr("it has no card"));
    setenv("BLOCKSCOPE_CUDA_DRIVER", "/nowhere/libcuda.so", 1);
    EXPECT_THAT(gpu::diagnostics(), HasSubstr("/nowhere/libcuda.so: "));
}

TEST_F(GpuTest, WhatTouchesForeignMemoryCostsTheWorkerAndNothingElse) {
    std::ofstream(file("once")) << "x";
    setenv("BLOCKSCOPE_FAKE_CUDA", ("illegal,once=" + file("once")).c_str(), 1);
    worker::Client client(command());
    worker::Session session(client, "");
    const Record record = session.run(on_card());
    ASSERT_TRUE(record.failure);
    EXPECT_EQ(record.failure->cls, FailureClass::IllegalAddress);
    EXPECT_THAT(record.failure->message, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS (700)"));
    const Record next = session.run(on_card());
    EXPECT_FALSE(next.failure) << next.failure->message;
    EXPECT_EQ(client.generation(), 2) << "a context that is lost stays so until the process ends";
}

TEST_F(GpuTest, EveryFaultOfACardHasItsClassAndTheNextMeasurementWorks) {
    struct Fault {
        std::string word;
        FailureClass cls;
        std::string sentence;
    };
    const std::vector<Fault> faults = {
        {"illegal", FailureClass::IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {"hang", FailureClass::Timeout, "for checking the result"},
        {"crash", FailureClass::LostWorker, "was ended by signal 9"},
        {"wrong", FailureClass::Mismatch, "differs from the reference"},
    };
    ASSERT_FALSE(worker::Session(*std::make_unique<worker::Client>(command()), "").run(on_card()).failure)
        << "kernels are compiled from here on";
    worker::TimeLimits limits;
    limits.check = 3;
    for (const Fault& fault : faults) {
        std::ofstream(file("once")) << "x";
        setenv("BLOCKSCOPE_FAKE_CUDA", (fault.word + ",once=" + file("once")).c_str(), 1);
        worker::Client client(command(), limits);
        worker::Session session(client, "");
        const Record record = session.run(on_card());
        ASSERT_TRUE(record.failure) << fault.word;
        EXPECT_EQ(record.failure->cls, fault.cls) << fault.word << ": " << record.failure->message;
        EXPECT_THAT(record.failure->message, HasSubstr(fault.sentence)) << fault.word;
        EXPECT_FALSE(record.warm) << "a time of something that went wrong";
        const Record next = session.run(on_card());
        EXPECT_FALSE(next.failure) << fault.word << ": " << next.failure->message;
    }
}

TEST_F(GpuTest, ACardThatIsTooSmallSaysSo) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "memory=1000", 1);
    worker::Client client(command());
    const Record record = worker::Session(client, "").run(on_card());
    ASSERT_TRUE(record.failure);
    EXPECT_EQ(record.failure->cls, FailureClass::OutOfMemory);
}

TEST_F(GpuTest, WithoutACompilerTheFailureSaysWhereItWasLookedFor) {
    setenv("BLOCKSCOPE_NVRTC", BLOCKSCOPE_FAKE_CUDA_LIBRARY, 1);  // a library, but not this one
    const gpu::Nvrtc nvrtc = gpu::Nvrtc::open();
    EXPECT_THAT(nvrtc.search().lines(), HasSubstr("lacks nvrtcVersion"));
    EXPECT_FALSE(nvrtc) << "the search goes on and finds " << nvrtc.search().found;
    for (const auto& backend : worker::gpu_backends()) {
        const auto prepared = backend->prepare(*task().blocks, {});
        ASSERT_FALSE(prepared);
        EXPECT_EQ(prepared.failure().cls, FailureClass::Compile);
        EXPECT_THAT(prepared.failure().log, HasSubstr("lacks nvrtcVersion"));
    }
}

TEST(CardTargets, FollowTheCardAndTheType) {
    using gpu::Target;
    const auto target = [](const char* architecture, ElemType elem) {
        return gpu::target_for(*gpu::capability_of(architecture), elem);
    };
    EXPECT_EQ(target("sm_75", ElemType::F16), Target::F32) << "its tensor cores are of another kind";
    EXPECT_EQ(target("sm_80", ElemType::F32), Target::F32);
    EXPECT_EQ(target("sm_80", ElemType::BF16), Target::Sm80);
    EXPECT_EQ(target("sm_86", ElemType::F16), Target::Sm86);
    EXPECT_EQ(target("sm_89", ElemType::F16), Target::Sm89);
    EXPECT_EQ(target("sm_90a", ElemType::BF16), Target::Sm90a);
    EXPECT_EQ(target("sm_90a", ElemType::E4M3), Target::Sm90a);
    EXPECT_EQ(target("sm_100", ElemType::F16), Target::Sm100);
    EXPECT_EQ(target("sm_121", ElemType::F16), Target::Sm120);
    EXPECT_EQ(gpu::capability_of("sm_90a"), (gpu::Capability{9, 0}));
    EXPECT_EQ(gpu::capability_of("sm_120"), (gpu::Capability{12, 0}));
    for (const char* other : {"", "cpu", "sm_", "sm_x", "sm_9"}) EXPECT_FALSE(gpu::capability_of(other));
}

// Tiles that do not fit a thread block's shared memory: no tensor cores, and the log says why.
TEST(CardTargets, GiveWayWhereTilesDoNotFit) {
    BlockProgram large = *block_sample("attention");
    for (Dim& dim : large.dims) dim.size = dim.block = dim.name == "M" || dim.name == "N" ? 128 : 256;
    const LoopProgram program = lower(*fuse(std::make_shared<const BlockProgram>(large)).last());
    const auto wanted = gpu::kernels_for(program, {8, 6}, ElemType::F16, {gpu::Target::Sm86});
    ASSERT_FALSE(wanted);
    const auto chosen = gpu::kernels_for(program, {8, 6}, ElemType::F16);
    ASSERT_TRUE(chosen) << to_string(chosen.problems().front());
    EXPECT_EQ(chosen->set.target, gpu::Target::F32);
    EXPECT_THAT(chosen->instead_of, HasSubstr("not sm_86: "));
}

// NVIDIA's occupancy calculator says the same.
TEST(Occupancy, FollowsRegistersSharedMemoryAndThreads) {
    const auto a100 = gpu::limits_of({8, 0}), ga102 = gpu::limits_of({8, 6}), h100 = gpu::limits_of({9, 0});
    EXPECT_EQ(gpu::blocks_per_processor(a100, {256, 64, 0}), 4);
    EXPECT_DOUBLE_EQ(gpu::occupancy(a100, {256, 64, 0}), 0.5);
    EXPECT_EQ(gpu::blocks_per_processor(a100, {256, 32, 0}), 8) << "2048 threads";
    EXPECT_EQ(gpu::blocks_per_processor(ga102, {256, 32, 0}), 6) << "1536 threads";
    EXPECT_EQ(gpu::blocks_per_processor(h100, {128, 255, 0}), 2) << "65536 registers";
    EXPECT_EQ(gpu::blocks_per_processor(h100, {128, 64, 100 * 1024}), 2) << "228 KiB";
    EXPECT_EQ(gpu::blocks_per_processor(a100, {128, 64, 163 * 1024}), 1) << "and a reserved KiB";
    EXPECT_EQ(gpu::blocks_per_processor(ga102, {128, 64, 163 * 1024}), 0);
    EXPECT_EQ(gpu::blocks_per_processor(a100, {32, 16, 0}), 32) << "no more than 32 thread blocks";
}

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
    const auto stopped = backends[0]->calibrate([](const auto&, int, int) { return false; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.failure().cls, FailureClass::Cancelled);
}

TEST(CardElements, EveryPatternOfEightBitsSurvives) {
    for (const ElemType elem : {ElemType::E4M3, ElemType::E5M2}) {
        for (unsigned bits = 0; bits < 0x100U; ++bits) {
            const std::vector<unsigned char> bytes = {static_cast<unsigned char>(bits)};
            const std::vector<double> values = gpu::from_bytes(elem, bytes);
            if (!std::isfinite(values.at(0))) continue;
            ASSERT_EQ(gpu::to_bytes(elem, values), bytes) << to_string(elem) << " " << bits;
        }
        const double largest = elem == ElemType::E4M3 ? 448 : 57344;
        EXPECT_EQ(gpu::from_bytes(elem, gpu::to_bytes(elem, std::vector<double>{-1e9})).at(0), -largest);
    }
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.34), 0.34375);
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.0009), 0.0);
    EXPECT_EQ(measure::round_to(ElemType::E4M3, 0.003), 0.00390625) << "multiples of 2^-9, ties to even";
}

TEST(CardElements, EveryPatternOfSixteenBitsSurvives) {
    for (const ElemType elem : {ElemType::F16, ElemType::BF16})
        for (unsigned bits = 0; bits < 0x10000U; ++bits) {
            const std::vector<unsigned char> bytes = {static_cast<unsigned char>(bits & 255U),
                                                      static_cast<unsigned char>(bits >> 8U)};
            const std::vector<double> values = gpu::from_bytes(elem, bytes);
            ASSERT_EQ(values.size(), 1U);
            if (std::isnan(values[0])) continue;
            ASSERT_EQ(gpu::to_bytes(elem, values), bytes) << to_string(elem) << " " << bits;
        }
    EXPECT_EQ(gpu::from_bytes(ElemType::F16, gpu::to_bytes(ElemType::F16, std::vector<double>{0.1})).at(0),
              0.0999755859375);
}

}  // namespace
}  // namespace blockscope::test
