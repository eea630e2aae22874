// The models' entries, one function per file; time_models() collects them.
#pragma once

#include "core/cost/models/model.h"

namespace blockscope {

TimeModel roofline_model();
TimeModel mcfuser_model();
TimeModel fusion_benefit_model();
TimeModel blockscope_model();

// ---- MCFuser, section IV-A and section II.

// alpha = (N_block + N_SM) / N_block, equation 5: few thread blocks leave processors idle.
double mcfuser_alpha(double blocks, double processors);
// phi = 2 T_M T_N K / (2 T_M T_N + T_M K + T_N K), section II: operations per access of a tiled matmul. It is
// memory-bound if phi is under P / W, FLOPs and bytes per second, as the paper compares them.
double mcfuser_phi(double tile_rows, double tile_cols, double depth);
bool mcfuser_memory_bound(double tile_rows, double tile_cols, double depth, const Device& device,
                          ElemType elem);

// ---- Blockscope's own model, by kind of device. A launch or setup before the first kernel has kernel -1.

std::vector<KernelTime> blockscope_gpu(const ModelInput& input);
std::vector<KernelTime> blockscope_cpu(const ModelInput& input);

// The model's formula for a kind of device: its own one is another for processors than for cards.
std::string formula_on(const TimeModel& model, const Device& device);

// Its free parameters: defaults for a kind of device, what they mean, and between what bounds a fit may move
// them.
struct ModelParameter {
    std::string name;
    std::string meaning;
    double otherwise;  // where a device says nothing
    double least;
    double most;
};
const std::vector<ModelParameter>& blockscope_parameters(DeviceKind kind);
// The device's value, else the default. Throws InternalError for a name that is not listed.
double blockscope_parameter(const Device& device, const std::string& name);

}  // namespace blockscope
