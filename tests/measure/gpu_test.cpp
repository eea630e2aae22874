// The whole way from a program to a card and back (gpu_fixture.h), and what goes wrong on it.
#include <gmock/gmock.h>

#include <cstdio>

#include "app/worker/backends.h"
#include "app/worker/probe.h"
#include "core/json/device_files.h"
#include "core/measure/reference.h"
#include "core/safety/safety.h"
#include "gpu/driver/driver.h"
#include "gpu/driver/for_card.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/measure/gpu_fixture.h"

namespace blockscope::test {
namespace {

using measure::FailureClass;
using measure::Record;
using testing::HasSubstr;
using testing::StartsWith;

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
        return worker::predicted_on_card(task.blocks, *task.card, ElemType::F16, task.model, kernels);
    };
    ASSERT_TRUE(record.predicted_seconds);
    EXPECT_EQ(*record.predicted_seconds, with(prepared->kernels));
    std::vector<measure::PreparedKernel> in_parts = prepared->kernels;
    in_parts.at(0).parts = 7;
    in_parts.at(0).part_bytes = 1 << 20;
    EXPECT_GT(with(in_parts), with(prepared->kernels)) << "a second launch, and what parts leave for it";
    EXPECT_TRUE(prepared->kernels.at(0).computed_in.empty());
    // Without tensor cores products of 16 bits are in float32, for which `cost` predicts another time, too.
    task.options.target = "f32";
    const auto plain =
        client.prepare({"cuda0", task.blocks, measure::Reference(task.initial), task.options, task.seed});
    ASSERT_TRUE(plain);
    const ModelSetting setting = worker::setting_of(plain->kernels);
    ASSERT_FALSE(setting.computed_in.empty());
    EXPECT_EQ(setting.computed_in.begin()->second, ElemType::F32);
    EXPECT_EQ(setting.by_warps.size(), setting.resident.size());
}

// Inputs of 8 bits, and float32 by tensor cores: the tolerance is that of what products take.
TEST_F(GpuTest, EightBitsAndTf32AreChecked) {
    worker::Client client(command());
    worker::Session session(client, "");
    const Record small = session.run(on_card(ElemType::E4M3));
    ASSERT_FALSE(small.failure) << small.failure->message << small.failure->log;
    EXPECT_EQ(small.check->tolerance, measure::tolerance(ElemType::E4M3, *task().blocks));
    worker::Task task = on_card(ElemType::F32);
    const Record exact = session.run(task);
    task.options.tf32 = true;
    const Record record = session.run(task);
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    EXPECT_THAT(record.prepared, HasSubstr("target sm_80 for sm_80"));
    EXPECT_EQ(record.subject.elem, "tf32");
    EXPECT_EQ(record.check->tolerance, measure::kTf32Tolerance);
    EXPECT_GT(record.check->error, 10 * exact.check->error) << "operands have 11 bits";
    EXPECT_EQ(gpu::target_for({9, 0}, ElemType::F32, true), gpu::Target::Sm90);
}

// A mask is no array of the card's: kernels know what it holds.
TEST_F(GpuTest, CausalAttentionRunsWithoutItsMask) {
    const ProgramPtr initial = block_sample("causal-attention");
    worker::Task task = on_card(ElemType::BF16);
    BlockProgram small = *initial;
    for (Dim& dim : small.dims) dim.size = dim.kind == DimKind::Blocked ? 32 : 2, dim.block = dim.size / 2;
    task.initial = std::make_shared<const BlockProgram>(small);
    task.array = std::nullopt;
    task.blocks = std::make_shared<const BlockProgram>(make_safe(*fuse(task.initial).last()).program);
    worker::Client client(command());
    const Record record = worker::Session(client, "").run(task);
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    EXPECT_GT(record.check->error, 0);
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

TEST_F(GpuTest, WhatDoesNotFitATargetIsRefusedWithBlocksThatDo) {
    measure::PrepareOptions options;
    options.elem = ElemType::F16;
    options.target = "sm_86";
    const BlockProgram program = make_safe(*fuse(block_sample("rmsnorm-swiglu")).last()).program;
    const auto prepared = worker::gpu_backends().at(0)->prepare(program, options);
    ASSERT_FALSE(prepared);
    EXPECT_THAT(prepared.failure().message, HasSubstr("sm_86 has 99 KiB"));
    EXPECT_THAT(prepared.failure().message, HasSubstr(" These fit: --set "));
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

// What is timed while the card's clock is low does not count; the results say what the clock was.
TEST_F(GpuTest, TimesAreOfTheCardsFullClock) {
    const auto run = [&] {
        worker::Client client(command());
        worker::Task task = on_card(ElemType::F16);
        task.plan = {1, 0, 6, 0, 20};
        return worker::Session(client, "").run(task);
    };
    setenv("BLOCKSCOPE_FAKE_CUDA", "throttled", 1);
    const Record record = run();
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    for (const auto& timing : {record.warm, record.cold}) {
        ASSERT_TRUE(timing);
        EXPECT_EQ(timing->summary.count, 6);
        EXPECT_GE(timing->course.discarded, 5);
        EXPECT_FALSE(timing->course.slow);
        EXPECT_NEAR(timing->course.clock_hz, 1.5e9, 1e8);
        EXPECT_GT(timing->empty_seconds, 0);
        EXPECT_EQ(timing->runs, 1) << "an emulator takes longer than 20 microseconds";
    }
    setenv("BLOCKSCOPE_FAKE_CUDA", "slow", 1);
    const Record slow = run();
    ASSERT_FALSE(slow.failure) << slow.failure->message << slow.failure->log;
    EXPECT_TRUE(slow.cold->course.slow);
    EXPECT_EQ(slow.cold->course.discarded, 0);
    EXPECT_EQ(slow.cold->summary.count, 24) << "four times the plan";
    EXPECT_NEAR(slow.cold->course.clock_hz, 0.5e9, 1e8);
}

TEST_F(GpuTest, TheCommandLineSaysWhatTheClockWas) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "throttled", 1);
    FILE* stream =
        popen(BLOCKSCOPE_CLI " run " BLOCKSCOPE_SOURCE_DIR
                             "/samples/softmax.bp --on cuda0 --set M=32/16 --set N=32/16 --snapshot 1 "
                             "--samples 4 --seconds 0 --no-results",
              "r");
    ASSERT_NE(stream, nullptr);
    std::string said;
    for (char text[256]; std::fgets(text, sizeof text, stream);) said += text;
    EXPECT_EQ(pclose(stream), 0) << said;
    EXPECT_THAT(said, HasSubstr("clock 1.50 GHz while it worked"));
    EXPECT_THAT(said, HasSubstr(" samples at less than three quarters of its best left out"));
    EXPECT_THAT(said, HasSubstr("an empty kernel takes "));
}

// Short runs are timed several at once, warm ones; a cold one is a single run.
TEST_F(GpuTest, ShortRunsAreTimedSeveralAtOnce) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "quick", 1);
    worker::Client client(command());
    const Record record = worker::Session(client, "").run(on_card(ElemType::F16));
    ASSERT_FALSE(record.failure) << record.failure->message << record.failure->log;
    EXPECT_GT(record.warm->runs, 1);
    EXPECT_LT(record.warm->summary.median, 20e-6);
    EXPECT_NEAR(record.warm->runs * record.warm->summary.median, 200e-6, 10e-6);
    EXPECT_EQ(record.cold->runs, 1);
}

TEST_F(GpuTest, WhereCachesCannotBeEmptiedNothingIsAColdTime) {
    setenv("BLOCKSCOPE_FAKE_CUDA", "memory=100000000", 1);
    worker::Client client(command());
    worker::Session session(client, "");
    worker::Task task = on_card(ElemType::F16);
    const Record record = session.run(task);
    ASSERT_TRUE(record.failure);
    EXPECT_EQ(record.failure->cls, FailureClass::OutOfMemory);
    EXPECT_THAT(record.failure->message, HasSubstr("256 MiB that are written to empty its caches"));
    task.cold = false;
    EXPECT_FALSE(session.run(task).failure);
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
    ASSERT_TRUE(other.fallback);
    EXPECT_EQ(other.fallback->target, "sm_90");
    EXPECT_EQ(other.fallback->failure.cls, FailureClass::Mismatch);
    EXPECT_EQ(*measure::read_record(measure::write_record(other), ""), other);
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
    struct CardFault {
        std::string word;
        FailureClass cls;
        std::string sentence;
    };
    const std::vector<CardFault> faults = {
        {"illegal", FailureClass::IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {"hang", FailureClass::Timeout, "for checking the result"},
        {"crash", FailureClass::LostWorker, "was ended by signal 9"},
        {"wrong", FailureClass::Mismatch, "differs from the reference"},
    };
    ASSERT_FALSE(worker::Session(*std::make_unique<worker::Client>(command()), "").run(on_card()).failure)
        << "kernels are compiled from here on";
    worker::TimeLimits limits;
    limits.check = 3;
    for (const CardFault& fault : faults) {
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

}  // namespace
}  // namespace blockscope::test
