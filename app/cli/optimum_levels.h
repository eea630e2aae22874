// A device's memory levels as the napkin's model sees them, and what a program's least traffic costs there.
#pragma once

#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "core/cost/device.h"
#include "core/napkin/power_law.h"

namespace blockscope::cli {

// Local memory first, then what caches for it (section 4.4), outwards. A level's weight is what a value that
// is moved into it costs: seconds, by the bandwidth of the level behind it.
struct DeviceLevel {
    napkin::TransferLevel level;
    std::string from;  // the level behind it
};
std::vector<DeviceLevel> device_levels(const Device& device, double bytes_per_value);

// Bytes that one thread block (or core) may hold. Throws UsageError if the description does not say.
std::int64_t local_bytes(const Device& device);

// H* and seconds of each level, and the sum (equation 2).
void print_levels(const std::vector<DeviceLevel>& levels, const napkin::PowerLaw& law, const Device& device);
Json levels_json(const std::vector<DeviceLevel>& levels, const napkin::PowerLaw& law);

}  // namespace blockscope::cli
