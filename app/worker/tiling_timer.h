// Times of tilings on this machine's processor (core/tilings/blocked_run.h). As everywhere, no time is given
// of a result that is known to be wrong, and whoever asks learns whether others used the machine meanwhile.
#pragma once

#include <memory>
#include <optional>

#include "core/measure/reference.h"
#include "core/measure/sampling.h"
#include "core/support/text.h"
#include "core/tilings/space.h"

namespace blockscope::worker {

class TilingTimer {
public:
    // `threads`: 0: all. The float64 reference is made for the first candidate; a result that is further from
    // it than `tolerance`, as measure::tolerance() has it, is wrong.
    explicit TilingTimer(const tilings::Chain& chain, int threads = 0,
                         double tolerance = measure::tolerance(ElemType::F32));
    ~TilingTimer();
    TilingTimer(const TilingTimer&) = delete;
    TilingTimer& operator=(const TilingTimer&) = delete;

    // Seconds, the best of at least five runs; none: the result is wrong, as wrong() says.
    std::optional<double> seconds(const tilings::Space& space, const tilings::Candidate& candidate);
    // "mn(k,h) m=16 ...: The result differs from the reference: ..."; empty: all were right.
    const Text& wrong() const { return wrong_; }
    // "all 262144 elements against the float64 reference"; empty before the first candidate, and where
    // nothing is.
    const Text& how_checked() const { return how_checked_; }
    // Why results were held against nothing; empty where they were.
    const Text& unchecked() const { return unchecked_; }
    // Processors that others kept busy, on average since this was made; none: the system does not tell.
    std::optional<double> others() const;

private:
    struct Known;
    const Known& known();

    const tilings::Chain& chain_;
    const int threads_;
    const double tolerance_;
    std::unique_ptr<const Known> known_;
    Text wrong_, how_checked_, unchecked_;
    std::optional<measure::CpuTimes> start_;
};

// "Others kept 1.3 processors busy meanwhile: these figures are not to be trusted."; empty: nobody disturbed.
Text distrust_of(const std::optional<double>& others);

}  // namespace blockscope::worker
