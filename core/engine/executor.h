// Runs a plan: a pool of threads that wait for work and do it together, and the profile of a run.
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
    // `threads` in all, the caller's among them. As many as the process may use cores: each has one of its
    // own.
    explicit Pool(int threads);
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    int threads() const { return static_cast<int>(others_.size()) + 1; }

    // Calls work(context, thread) on every thread and returns when all have. Memory written before is seen by
    // all, what they write by the caller.
    using Work = void (*)(void* context, int thread);
    void run(Work work, void* context);

    // Keeps the calling thread on the core that the others leave free, where each has its own.
    class Place {
    public:
        explicit Place(const Pool& pool);
        ~Place();
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

    private:
        std::vector<int>
            before_;  // the cores that the thread could use until then; empty: it stays where it is
    };

private:
    void wait_for_work(int thread);

    std::vector<std::thread> others_;
    std::atomic<std::uint32_t> round_{0};
    std::atomic<std::uint32_t> busy_{0};
    Work work_ = nullptr;
    void* context_ = nullptr;
    bool stop_ = false;
    int callers_core_ = -1;  // -1: threads go where the system puts them
};

// Cores that this process may use; their numbers are known on Linux only.
int usable_cores();
std::vector<int> usable_core_numbers();

// Runs a plan on all threads.

class Executor {
public:
    Executor(const Shared& shared, int threads);

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
