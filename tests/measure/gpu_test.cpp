// The whole way from a program to a card and back, with libraries in the place of CUDA's driver and compiler
// that run the generated kernels in the emulator (tests/gpu/fake).
#include <gmock/gmock.h>

#include "app/worker/gpu_backend.h"
#include "gpu/driver/driver.h"
#include "gpu/driver/elements.h"
#include "gpu/nvrtc/nvrtc.h"
#include "tests/measure/worker_fixture.h"

namespace blockscope::test {
namespace {

using measure::FailureClass;
using measure::Record;
using testing::HasSubstr;

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
    }
}

TEST_F(GpuTest, TheCardIsAmongTheDevices) {
    worker::Client client(command());
    const auto hello = client.hello();
    ASSERT_TRUE(hello);
    ASSERT_EQ(hello->devices.size(), 2U);
    EXPECT_EQ(hello->devices[1], (measure::BackendInfo{"cuda0", "Emulated card"}));
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
    if (nvrtc) GTEST_SKIP() << "the search goes on and finds " << nvrtc.search().found;
    for (const auto& backend : worker::gpu_backends()) {
        const auto prepared = backend->prepare(*task().blocks, {});
        ASSERT_FALSE(prepared);
        EXPECT_EQ(prepared.failure().cls, FailureClass::Compile);
        EXPECT_THAT(prepared.failure().log, HasSubstr("lacks nvrtcVersion"));
    }
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
