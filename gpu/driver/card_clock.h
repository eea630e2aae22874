// The clock of a card while it works, and what its events measure where there is nothing: what times are
// judged by.
#pragma once

#include <memory>
#include <string>

#include "core/measure/sampling.h"
#include "gpu/driver/card_session.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// CUDA of its kernels.
std::string clock_source();

class CardClock {
public:
    static measure::Outcome<CardClock> load(const std::shared_ptr<CardSession>& session,
                                            const Compiled& compiled);

    // One thread counts the cycles of 20 microseconds, behind whatever is in the stream: the clock of that
    // multiprocessor, and the highest one that was found so far. Waits for it.
    measure::Outcome<measure::Clock> read();
    // Between two events around an empty kernel: the median of 25, found once.
    measure::Outcome<double> empty_seconds();

private:
    CardClock(std::shared_ptr<CardSession> session, CardModule module, CardMemory counts)
        : session_(std::move(session)), module_(std::move(module)), counts_(std::move(counts)) {}

    std::shared_ptr<CardSession> session_;
    CardModule module_;
    CardMemory counts_;  // cycles and nanoseconds
    double best_ = 0;
    double empty_ = 0;
};

}  // namespace blockscope::gpu
