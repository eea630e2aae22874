// The schedule of a kernel beside the time that the costs page predicts: the same products at the same peak,
// and term by term what one of the two counts and the other does not.
#pragma once

#include <vector>

#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/napkin/study.h"
#include "core/support/text.h"

namespace blockscope::circuit {

struct ComparedTerm {
    Text name;
    double here = 0;   // seconds
    double costs = 0;  // seconds
    Text why;          // they differ, or are the same: a sentence without a full stop
};

struct ComparedTimes {
    std::vector<ComparedTerm> parts;  // that add up to both times
    std::vector<ComparedTerm> units;  // other units at their peak, which run beside the products
    double here = 0;
    double costs = 0;
};

// `predicted` is of Blockscope's own model, on the card `device`, which the kernel is of, too; `program` is
// the flow that the kernel was made of. The schedule's rate is taken for all of the program's products.
ComparedTimes compared_with_costs(const WarpgroupKernel& kernel, const Flow& program,
                                  const Prediction& predicted, const Device& device);

// Operations of matrices that the kernel does on all of the program, what it repeats included.
double scheduled_operations(const WarpgroupKernel& kernel, const Flow& program);

}  // namespace blockscope::circuit
