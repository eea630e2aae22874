// With a card and a compiler that are the emulator's.
#pragma once

#include <cstdlib>
#include <string>

namespace blockscope::test {

struct FakeCard {
    explicit FakeCard(const char* driver = BLOCKSCOPE_FAKE_CUDA_LIBRARY,
                      const char* compiler = BLOCKSCOPE_FAKE_NVRTC_LIBRARY) {
        setenv("BLOCKSCOPE_CUDA_DRIVER", driver, 1);
        setenv("BLOCKSCOPE_NVRTC", compiler, 1);
        setenv("XDG_CACHE_HOME", BLOCKSCOPE_CUBIN_FOLDER, 1);  // kernels are compiled once for all tests
    }
    ~FakeCard() {
        for (const char* name : {"BLOCKSCOPE_CUDA_DRIVER", "BLOCKSCOPE_NVRTC", "BLOCKSCOPE_FAKE_CUDA"})
            unsetenv(name);
        setenv("XDG_CACHE_HOME", "/nonexistent/blockscope-tests", 1);
    }
};

}  // namespace blockscope::test
