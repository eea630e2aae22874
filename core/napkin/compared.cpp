#include "core/napkin/compared.h"

#include <algorithm>
#include <cmath>

#include "core/diagram/flow.h"
#include "core/diagram/term.h"

namespace blockscope::circuit {

namespace {

constexpr double kSame = 2e-3;  // as a part of the larger: makers round the peaks that they state

bool same(double a, double b) {
    return std::abs(a - b) <= kSame * std::max(std::abs(a), std::abs(b));
}

bool has_mask(const Flow& flow) {
    return std::any_of(flow.ops.begin(), flow.ops.end(),
                       [](const FlowOp& op) { return op.apply.op.kind == OperatorKind::Mask; });
}

// The prediction's terms, of all kernels together.
struct Predicted {
    UnitWork matrix, vector, special;
    double matrix_seconds = 0;  // below the peak
    double busy = 0;
    double start = 0;  // launches, first operands
    double parts = 0;  // of reductions that are split: putting them together, and what each does again
    double idle = 0;   // processors without a task
    double seconds = 0;
};

Predicted summed(const Prediction& prediction) {
    Predicted sum;
    const auto add = [](UnitWork& to, const UnitWork& more) {
        to.operations += more.operations;
        to.at_peak += more.at_peak;
    };
    for (const KernelTime& kernel : prediction.kernels) {
        add(sum.matrix, kernel.matrix);
        add(sum.vector, kernel.vector);
        add(sum.special, kernel.special);
        sum.matrix_seconds += seconds_of(kernel.terms, "matrix");
        sum.busy += kernel.busy;
        sum.start += seconds_of(kernel.terms, "launch") + seconds_of(kernel.terms, "fill");
        sum.idle += seconds_of(kernel.terms, "idle");
        for (const char* term : {"combine", "atomics", "again"}) sum.parts += seconds_of(kernel.terms, term);
        sum.seconds += kernel.seconds;
    }
    return sum;
}

// The kernel's share of a processor's clocks on all of the program.
class Scheduled {
public:
    Scheduled(const WarpgroupKernel& kernel, const Flow& program, const Device& device)
        : kernel_(kernel),
          operations_(scheduled_operations(kernel, program)),
          // Threads and parts of the stream, over the processors.
          parts_(operations_ / kernel.clocks.operations),
          clocks_((device.matrix_clock.known() ? device.matrix_clock : device.clock).value *
                  device.processors.value) {}

    double operations() const { return operations_; }
    double seconds() const { return operations_ / scheduled_rate(kernel_); }
    double at_peak(Unit unit) const { return parts_ * kernel_.clocks.of(unit) / clocks_; }
    double operations_of(Unit unit) const {
        double count = 0;
        for (const PipelineWork& work : kernel_.clocks.pipelines)
            if (work.unit == unit) count += work.count;
        return parts_ * count;
    }

private:
    const WarpgroupKernel& kernel_;
    double operations_, parts_, clocks_;
};

Text why_products(const Scheduled& here, const UnitWork& there, const WarpgroupKernel& kernel,
                  const Flow& program) {
    if (there.operations <= 0) return Text("the prediction has no products of the tensor cores");
    if (same(here.operations(), there.operations))
        return same(here.at_peak(Unit::Matrix), there.at_peak)
                   ? Text("the same products at the same peak")
                   : Text("the same products, at the rates of other element types");
    const std::string times = times_text(std::max(here.operations(), there.operations) /
                                         std::min(here.operations(), there.operations));
    if (here.operations() > there.operations && has_mask(program))
        return Text("the state leaves out blocks that its mask hides: %1 times fewer products", times);
    if (here.operations() > there.operations && kernel.repeats > 1 + kSame)
        return Text("this schedule computes products %1 times", times);
    if (here.operations() < there.operations) return Text("the state computes products %1 times", times);
    return Text("the state computes %1 times fewer products", times);
}

// Whether it normalises rows part by part, with a correction of what came before.
bool streams_rows(const Flow& program) {
    return std::any_of(program.ops.begin(), program.ops.end(),
                       [](const FlowOp& op) { return op.apply.op.kind == OperatorKind::Softmax; });
}

Text why_special(const Scheduled& here, const UnitWork& there, const Flow& program) {
    if (same(here.operations_of(Unit::Special), there.operations))
        return Text("the same functions; the prediction has the clock of these units");
    if (!streams_rows(program))
        return Text(
            "the schedule counts the functions of its own operators, the state those that it is made of");
    return Text("a row's correction is computed for every part of the stream here, for every block there");
}

ComparedTerm product_term(const Scheduled& here, const Predicted& there, const WarpgroupKernel& kernel,
                          const Flow& program) {
    return {.name = Text("products at peak"),
            .here = here.at_peak(Unit::Matrix),
            .costs = there.matrix.at_peak,
            .why = why_products(here, there.matrix, kernel, program)};
}

}  // namespace

double scheduled_operations(const WarpgroupKernel& kernel, const Flow& program) {
    double needed = 0;
    for (const FlowOp& op : program.ops) {
        if (op.apply.op.kind != OperatorKind::Contraction) continue;
        double pairs = 1;
        for (const std::vector<AxisId>* axes : {&op.apply.own, &op.apply.weave})
            for (const AxisId axis : *axes) pairs *= static_cast<double>(axis_of(program.axes, axis).size);
        needed += 2 * pairs;
    }
    return needed * kernel.repeats;
}

ComparedTimes compared_with_costs(const WarpgroupKernel& kernel, const Flow& program,
                                  const Prediction& predicted, const Device& device) {
    const Scheduled here(kernel, program, device);
    const Predicted there = summed(predicted);
    ComparedTimes made;
    made.here = here.seconds();
    made.costs = there.seconds;
    const double waits = made.here - here.at_peak(Unit::Matrix);
    made.parts = {
        product_term(here, there, kernel, program),
        {.name = Text("below the peak"),
         .here = 0,
         .costs = there.matrix_seconds - there.matrix.at_peak,
         .why = Text("a sustained clock, what instructions reach, padded sides")},
        {.name = Text("tensor cores wait"),
         .here = waits,
         .costs = there.busy - there.matrix_seconds,
         .why = Text("warpgroups take turns here without a gap; there a part of the other units' time, and "
                     "shared memory that feeds the tensor cores more slowly, do not hide")},
        {.name = Text("launch and first operands"),
         .here = 0,
         .costs = there.start,
         .why = Text("the schedule is of the loop alone")},
        {.name = Text("idle processors"),
         .here = 0,
         .costs = there.idle,
         .why = Text("the schedule is of a processor that has work")},
    };
    if (there.parts > 0)
        made.parts.push_back(
            {.name = Text("parts of reductions"),
             .here = 0,
             .costs = there.parts,
             .why = Text("what is built splits a reduction among processors, and adds a launch "
                         "that puts its parts together")});
    double rest = there.seconds;
    for (const ComparedTerm& term : made.parts) rest -= term.costs;
    made.parts.push_back(
        {.name = Text("memory and caches"),
         .here = 0,
         .costs = rest,
         .why = Text("here transfers run ahead of all work; there they count where they take longer")});
    const std::vector<ComparedTerm> units = {
        {.name = Text("special functions"),
         .here = here.at_peak(Unit::Special),
         .costs = there.special.at_peak,
         .why = why_special(here, there.special, program)},
        {.name = Text("vector operations"),
         .here = here.at_peak(Unit::Vector),
         .costs = there.vector.at_peak,
         .why = streams_rows(program)
                    ? Text("the paper counts sums of results in half precision; the state also maxima, "
                           "differences and scalings, all in float32")
                    : Text("the paper counts sums of results in half precision; the state what it "
                           "computes between products, in float32")}};
    for (const ComparedTerm& unit : units)
        if (unit.here > 0 || unit.costs > 0) made.units.push_back(unit);
    return made;
}

}  // namespace blockscope::circuit
