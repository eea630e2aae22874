// What a device's rates and bandwidths are made of: for whoever shows such a number and where it comes from.
#pragma once

#include "core/cost/device.h"

namespace blockscope {

// device_rate() as a product: `rate.peak` where the maker states one; else per clock and processor, times
// processors, times this clock.
struct RateParts {
    const PeakRate* rate = nullptr;       // the one that stands for the type asked for; null: none does
    const DeviceFigure* clock = nullptr;  // null where the peak is stated
};
RateParts rate_parts(const Device& device, Unit unit, ElemType elem);

// How many instances of a level `processors` busy processors spread over: what bandwidth_for() multiplies the
// bandwidth of one with.
double instances_of(const Device& device, const MemoryLevel& level, double processors);

}  // namespace blockscope
