// The clock of a GPU while it works, the time that its events measure around an empty kernel, and
// microbenchmarks of its peak rates. Calibration and measured times depend on them.
#pragma once

#include <memory>
#include <string>

#include "core/measure/sampling.h"
#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/driver.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// The CUDA source of the kernels with which CardClock measures.
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

// The CUDA source of the microbenchmarks. The product of tensor cores is the target's own: mma.sync, wgmma
// for sm_90a, none for f32.
std::string microbenchmark_source(Target target);

// Small kernels that measure what a GPU reaches at best: the figures that time models start from.
class Microbenchmarks {
public:
    static measure::Outcome<Microbenchmarks> load(const std::shared_ptr<CardSession>& session,
                                                  const Compiled& compiled, Target target);

    // The best of some runs of a few milliseconds each.
    measure::Outcome<double> launch_seconds();               // from one kernel to the next
    measure::Outcome<double> read_rate(std::int64_t bytes);  // bytes/s, of an array that is read again
    measure::Outcome<double> multiply_add_rate();            // FLOP/s, float32
    measure::Outcome<double> exp_rate();                     // results a second
    measure::Outcome<double> tensor_rate();                  // FLOP/s of f16; with tensor cores
    bool tensor_cores() const { return has_tensor_cores(target_); }
    std::string tensor_instruction() const;  // that was timed: "wgmma m64n256k16"

private:
    Microbenchmarks(std::shared_ptr<CardSession> session, CardModule module, CardMemory result, Target target)
        : session_(std::move(session)),
          module_(std::move(module)),
          result_(std::move(result)),
          target_(target) {}
    measure::Outcome<double> rate(const char* kernel, double work_of_round, int shared_bytes = 0);
    int blocks() const;

    std::shared_ptr<CardSession> session_;
    CardModule module_;
    CardMemory result_;  // a word that is never written, but could be
    Target target_;
};

}  // namespace blockscope::gpu
