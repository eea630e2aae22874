// The numbers of a device that charts show, and where each comes from: the ceilings of the roofline, and the
// limit of local memory.
#pragma once

#include <vector>

#include "app/charts/roofline.h"
#include "core/cost/device.h"

namespace blockscope {

// Memory levels with all processors at work, and units; matrices in `elem`, vectors in float32.
std::vector<RooflineCeiling> ceilings_of(const Device& device, ElemType elem);

// What one task may have of local_level(), and who says so. Empty if the device has none.
QString limit_derivation(const Device& device);

}  // namespace blockscope
