// The levels of a device for the performance models of core/napkin/power_law.h (Section 4 and Appendix A.2),
// and arithmetic intensity (Appendix B.1).
#pragma once

#include <string>
#include <vector>

#include "core/circuit/power_law.h"
#include "core/cost/device.h"

namespace blockscope::circuit {

// A level that data is transferred to, in bytes, as devices are described.
struct ByteLevel {
    std::string name;
    double memory = 0;     // bytes
    double bandwidth = 0;  // bytes per second
    double instances = 1;
};

// Equation 3: levels as values of `bytes` bytes each: M = M_bytes/q, w = q/bandwidth.
std::vector<napkin::TransferLevel> transfer_levels(const std::vector<ByteLevel>& levels, double bytes);

// The levels below global memory of a device, outermost first: the capacity of one instance each, and the
// bandwidth at which the level above feeds all instances together (its own, times its instances). A level
// whose feeder's bandwidth or whose capacity is not known is left out. Of a CPU the vector registers of its
// cores are the innermost level, where it says how wide they are and how fast its nearest cache is.
std::vector<ByteLevel> byte_levels(const Device& device);

// Transfers per operation, H*/K (Appendix B.1): "M^-1/2 + 0.5·b^-1" for a matmul.
Formula transfers_per_operation(const PowerLaw& law, const Formula& work, const std::string& memory = "M");

// `symbol` is the memory's in all of these.
//
// The least memory with which an algorithm of these transfers per operation is not bound by `values` per
// second where `operations` per second can be done, all other symbols as in `sizes`; 0 if no memory is
// enough.
double least_memory(const Formula& per_operation, const Values& sizes, double values, double operations,
                    const std::string& symbol = "M");
// The same for the size of one axis, at a memory of `memory` values.
double least_axis(const Formula& per_operation, const std::string& axis, Values sizes, double memory,
                  double values, double operations, const std::string& symbol = "M");

}  // namespace blockscope::circuit
