// What a card reaches at best, measured by small kernels: the figures that time models start from.
#pragma once

#include <memory>
#include <string>

#include "gpu/driver/card_session.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

// CUDA of the kernels; with tensor cores from sm_80 on.
std::string micro_source(bool tensor_cores);

class MicroKernels {
public:
    static measure::Outcome<MicroKernels> load(const std::shared_ptr<CardSession>& session,
                                               const Compiled& compiled, bool tensor_cores);

    // The best of some runs of a few milliseconds each.
    measure::Outcome<double> launch_seconds();               // from one kernel to the next
    measure::Outcome<double> read_rate(std::int64_t bytes);  // bytes/s, of an array that is read again
    measure::Outcome<double> multiply_add_rate();            // FLOP/s, float32
    measure::Outcome<double> exp_rate();                     // results a second
    measure::Outcome<double> tensor_rate();                  // FLOP/s of mma.sync, f16; with tensor cores
    bool tensor_cores() const { return tensor_cores_; }

private:
    MicroKernels(std::shared_ptr<CardSession> session, CardModule module, CardMemory result,
                 bool tensor_cores)
        : session_(std::move(session)),
          module_(std::move(module)),
          result_(std::move(result)),
          tensor_cores_(tensor_cores) {}
    measure::Outcome<double> rate(const char* kernel, double work_of_round);
    int blocks() const;

    std::shared_ptr<CardSession> session_;
    CardModule module_;
    CardMemory result_;  // a word that is never written, but could be
    bool tensor_cores_;
};

}  // namespace blockscope::gpu
