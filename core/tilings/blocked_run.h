// Runs a tiling expression on this machine's processor: its loops in its order, its tiles as blocks, each
// product as calls of the engine's block product. What a loop order keeps alive is kept: partial tiles of a
// reduction that stands outside other loops of its product lie side by side.
//
// Which iterations a statement runs in, where loops around it are not its own:
//     a reduction of a product that it waits for    the last one only
//     any other loop inside its own reduction       the first one only
//     any other loop outside                        all of them: it is computed again
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/support/stop_sign.h"
#include "core/tilings/space.h"

namespace blockscope::tilings {

class BlockedRun {
public:
    // Copies nothing of the arrays yet. `threads`: 0: one per usable core. Only the loops of the output that
    // stand outermost, and the batch, are shared out between threads.
    BlockedRun(const Chain& chain, const LoopForest& forest, const std::vector<std::int64_t>& tiles,
               int threads = 0);
    BlockedRun(BlockedRun&&) noexcept;
    BlockedRun& operator=(BlockedRun&&) noexcept;
    ~BlockedRun();

    // Row-major, as the program declares it; batch dimensions first.
    void set_input(const std::string& name, std::vector<float> values);
    // All inputs by a fixed rule, in [-1, 1].
    void fill_inputs();
    void run();
    std::span<const float> output() const;

    std::int64_t tasks() const;        // that threads share out
    std::int64_t local_bytes() const;  // of tiles of one thread
    // Calls of the block product and its operations in the last run, of all threads.
    std::int64_t products_run() const;
    std::int64_t flops_run() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Seconds of a run, the best of some; whoever measures has run it before, so that it is warm. Runs until
// `least_seconds` have passed, but `least_runs` at least, so that one disturbance does not decide, and
// `most_runs` at most.
struct MeasureOptions {
    double least_seconds = 0.003;
    int least_runs = 5;
    int most_runs = 20;
};
double best_seconds(const std::function<void()>& run, const MeasureOptions& options = {});

}  // namespace blockscope::tilings
