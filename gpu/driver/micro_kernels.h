// What a card reaches at best, measured by small kernels: the figures that time models start from.
#pragma once

#include <memory>
#include <string>

#include "gpu/codegen/kernel_set.h"
#include "gpu/driver/card_session.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// CUDA of the kernels. The product of tensor cores is the target's own: mma.sync, wgmma for sm_90a, none for
// f32.
std::string micro_source(Target target);

class MicroKernels {
public:
    static measure::Outcome<MicroKernels> load(const std::shared_ptr<CardSession>& session,
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
    MicroKernels(std::shared_ptr<CardSession> session, CardModule module, CardMemory result, Target target)
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
