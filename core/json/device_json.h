// Device descriptions as JSON ("blockscope device", version 1; docs/devices.md). Readers refuse what is no
// device: unknown keys, figures that are not positive or have no source, no global memory, no rates.
#pragma once

#include <string>

#include "core/cost/device.h"
#include "core/support/result.h"

namespace blockscope {

std::string write_json(const Device& device);
Result<Device> read_device(const std::string& text, const std::string& file);

}  // namespace blockscope
