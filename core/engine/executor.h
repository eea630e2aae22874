// Runs a plan on all threads.
#pragma once

#include <deque>
#include <memory>
#include <span>

#include "core/engine/pool.h"
#include "core/engine/worker.h"

namespace blockscope::engine {

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
