// Threads that wait for work and do it together.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace blockscope::engine {

class Pool {
public:
    // `threads` in all, the caller's among them. With `pin` each to a core of its own, the caller's excepted.
    Pool(int threads, bool pin);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads() const { return static_cast<int>(others_.size()) + 1; }

    // Calls work(context, thread) on every thread and returns when all have. Memory written before is seen by
    // all, what they write by the caller.
    using Work = void (*)(void* context, int thread);
    void run(Work work, void* context);

private:
    void wait_for_work(int thread);

    std::vector<std::thread> others_;
    std::atomic<std::uint32_t> round_{0};
    std::atomic<std::uint32_t> busy_{0};
    Work work_ = nullptr;
    void* context_ = nullptr;
    bool stop_ = false;
};

// Cores that this process may use.
int usable_cores();

}  // namespace blockscope::engine
