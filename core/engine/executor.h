// Threads that wait for work and do it together.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "core/engine/worker.h"

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

// Runs a plan on all threads.

class Executor {
public:
    Executor(const Shared& shared, int threads, bool pin);

    void run();
    RunProfile run_profiled();
    // Like run(), with the seconds of each operation of the plan's body; as many as there are.
    void run_timed(std::span<double> seconds);

    // Drops all threads' local memory from the caches.
    bool evict() const;

    int threads() const { return pool_.threads(); }
    std::int64_t bytes() const;
    std::int64_t worker_bytes() const { return workers_.front().bytes(); }

private:
    struct Region;
    struct Packing;

    void everything();
    void pack();
    void block(const std::vector<PlanOp>& ops);
    void operation(const PlanOp& op);
    void loop(const LoopOp& loop);
    void parallel(const LoopOp& loop, std::int64_t tasks);
    static void work_on(const Region& region, Worker& worker);

    const Shared& shared_;
    std::deque<Worker> workers_;  // the first is the caller's
    Pool pool_;
    bool profiled_ = false;
};

}  // namespace blockscope::engine
