// Measures a graphics card with micro-kernels, and fits the model's free parameters to programs that run on
// it: the description that time models read.
#pragma once

#include "core/cost/device.h"
#include "core/measure/backend.h"
#include "gpu/driver/micro_kernels.h"

namespace blockscope::worker {

// `base`: a description of the card, or of one of its generation, for what no kernel measures (limits, tiles
// of instructions). The result is called as calibrated_name() says of this machine's card.
measure::Outcome<Device> measured_card(gpu::MicroKernels& kernels, const gpu::Card& card, const Device& base,
                                       const measure::WorkProgress& progress);

// Runs some programs, unfused and fused, in f16 and f32, through `backend`, and fits the model to their
// times. The device with the same parameters if none ran; a failure if it was cancelled.
measure::Outcome<Device> fitted_to_card(const Device& device, measure::Backend& backend,
                                        const measure::WorkProgress& progress);

}  // namespace blockscope::worker
