// A worker with a card: libraries in the place of CUDA's driver and compiler that run the generated kernels
// in the emulator (tests/gpu/fake).
#pragma once

#include "tests/measure/worker_fixture.h"

namespace blockscope::test {

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

}  // namespace blockscope::test
