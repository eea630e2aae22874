// MCFuser's estimate of a candidate's time (section IV-A, equations 2 to 5) and its test for memory-bound
// products (section II).
#pragma once

#include <vector>

#include "core/tilings/space.h"

namespace blockscope::tilings {

// How often a statement runs.
enum class TripCounts {
    Block,  // the grid's loops surround every statement; a tile of the output is stored once, after its sum
    Paper,  // the loops of the tree above it, as the paper's text reads
};

struct StatementCost {
    std::string text = {};   // "L_A"
    std::int64_t tile = 0;   // elements
    std::int64_t trips = 0;  // of one chain of the batch
    double bytes = 0;        // all of it, the batch included; of a compute block 0
    double flops = 0;        // of loads and stores 0
};

struct Estimate {
    std::vector<StatementCost> statements = {};
    double bytes = 0;
    double flops = 0;
    double blocks = 1;   // thread blocks
    double alpha = 1;    // (blocks + processors) / blocks
    double memory = 0;   // seconds, equation 3
    double compute = 0;  // seconds, equation 4
    double seconds = 0;  // (memory + compute) * alpha, equation 2
};

Estimate estimate(const Space& space, const Candidate& candidate, TripCounts counts = TripCounts::Block);

// Estimates many candidates of one space: placing the statements is done once for each expression and each
// set of loops of extent one.
std::vector<double> estimated_seconds(const Space& space, const std::vector<Candidate>& candidates,
                                      TripCounts counts = TripCounts::Block);

// phi of a product with tiles TM x TN over the whole depth, section II. As printed C counts twice, loaded and
// stored: 204.8 at K = 1024 and 1.0 at K = 1, with tiles of 256 x 256. The paper's 227 to 2 come out if it
// counts once.
struct Intensity {
    double printed = 0;  // FLOPs per element
    double once = 0;     // FLOPs per element, C counted once: 227.6 and 1.98
    double machine = 0;  // P / W of the device, FLOPs per byte
    int bytes = 2;       // of one element

    double per_byte(double per_element) const { return per_element / bytes; }
    // As the paper compares them, elements against bytes; and in the same unit.
    bool memory_bound_as_printed() const { return printed < machine; }
    bool memory_bound() const { return per_byte(once) < machine; }
};
Intensity intensity(double tile_rows, double tile_cols, double depth, ElemType elem,
                    const TargetDevice& device);

}  // namespace blockscope::tilings
