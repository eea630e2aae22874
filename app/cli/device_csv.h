// Devices as comma-separated values, for `devices --csv` and `calibrate --csv`.
#pragma once

#include <string>
#include <vector>

#include "core/cost/device.h"

namespace blockscope::cli {

// A line per known figure: the device, the figure as its description names it ("memory/2/bandwidth"), its
// value in SI units, its source and how it follows from that.
std::string devices_csv(const std::vector<Device>& devices);

}  // namespace blockscope::cli
