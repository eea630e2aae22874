// Clock analysis (Section 5.7): how many clock cycles each operator of a streamed algorithm takes on its
// pipeline, per thread (one row of the grouped axis) and per part of the stream, and what bounds the whole.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/expand.h"
#include "core/cost/device.h"
#include "core/support/result.h"

namespace blockscope::circuit {

struct PipelineWork {
    std::string operation;  // "· that makes S", "softmax that makes P", "scale and add to O"
    Unit unit = Unit::Matrix;
    ElemType elem = ElemType::F16;
    Formula ops;       // per thread and part of the stream
    double count = 0;  // `ops` at the configuration
    double rate = 0;   // operations per clock of one processor
    double clocks() const { return count / rate; }
};

struct ClockAnalysis {
    std::vector<PipelineWork> pipelines;  // in order of execution
    double bytes =
        0;  // that one part of the stream brings from global memory, however many threads there are
    double thread_bytes = 0;  // and for each thread besides: of rows that are streamed, too
    double operations = 0;    // of matrices, per thread and part

    double of(Unit unit) const;  // clocks on one kind of pipeline
    double bound() const;        // of matrix pipelines: the lower bound of Section 5.7
};

// Per part of the stream of `expansion` on `device`, at its configuration. A problem says what the device
// lacks.
Result<ClockAnalysis> clock_analysis(const Expansion& expansion, const Configuration& configuration,
                                     const Device& device);

// Appendix B.0.1: the number of threads (g) from which on transfers take no longer than the matrix pipelines:
// k g / f >= H / (B / N), without caches; H grows with g where rows are streamed. 0 if no number is enough.
double least_threads(const ClockAnalysis& analysis, const Device& device);

// Operations per second of the device if matrix pipelines never wait.
double ideal_rate(const ClockAnalysis& analysis, const Device& device);

}  // namespace blockscope::circuit
