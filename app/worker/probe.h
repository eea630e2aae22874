// What this machine is, and what it is doing right now.
#pragma once

#include <optional>
#include <string>

#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/engine/micro.h"
#include "core/graph/graph.h"
#include "core/measure/backend.h"
#include "core/measure/failure.h"
#include "core/measure/sampling.h"

namespace blockscope::worker {

measure::Machine this_machine();
measure::Conditions current_conditions();
// The times of this moment; none where the system does not say them.
std::optional<measure::CpuTimes> cpu_times();
// Seconds that all processors together were not idle, from the first line of /proc/stat; what a hypervisor
// gave to other machines counts, too. None if the line is not the one of all processors.
std::optional<double> busy_seconds(const std::string& line, double ticks_per_second);
// "2026-01-31T12:34:56Z"
std::string utc_now();

// The clock of the core that runs this, in GHz, by a chain of dependent additions of about a millisecond,
// which take a cycle each; 0 on processors for which this is not written.
double clock_ghz();

// The form that is not made safe, with its loops as `loops` says.
Form in_loops(LoopForm loops);

// What Blockscope's own model expects of this machine, if it was calibrated.

// This machine's description; nothing if there is none, or if it is of another processor than `cpu`.
std::optional<Device> calibrated_cpu(const std::string& cpu);

// Seconds with warm caches, by the model "blockscope". `threads` 0: all. Intermediates are float32, as in the
// engine.
constexpr const char* kCpuModel = "blockscope";
double predicted_seconds(const ProgramPtr& program, const Device& device, ElemType inputs, int threads,
                         LoopForm loops = LoopForm::Built);

// How the models know of a card's kernels.
ModelSetting setting_of(const std::vector<measure::PreparedKernel>& kernels);

// Seconds on a card with warm caches, by the model `model` (the own one where there is none of this name).
// With `kernels`, as they were compiled there; without them as they would be generated (predict.h).
double predicted_on_card(const ProgramPtr& program, const Device& card, ElemType elem,
                         const std::string& model = kCpuModel,
                         const std::vector<measure::PreparedKernel>& kernels = {},
                         LoopForm loops = LoopForm::Built);

}  // namespace blockscope::worker
