// Which temporaries a plan's operations read and write.
#pragma once

#include "core/engine/plan.h"

namespace blockscope::engine {

// Calls use(temp) and made(temp); `summed(temp)` for accumulators, which live from the start of their loop.
template <class Use, class Made, class Summed>
void visit_temps(const PlanOp& op, const Use& use, const Made& made, const Summed& summed) {
    const auto result = [&](int temp, const Accumulation& add) { add.active ? summed(temp) : made(temp); };
    if (const auto* load = std::get_if<LoadOp>(&op.what)) made(load->to);
    if (const auto* mask = std::get_if<MaskOp>(&op.what)) made(mask->to);
    if (const auto* fill = std::get_if<FillOp>(&op.what)) made(fill->to);
    if (const auto* store = std::get_if<StoreOp>(&op.what)) use(store->from);
    if (const auto* transpose = std::get_if<TransposeOp>(&op.what)) use(transpose->temp);
    if (const auto* dot = std::get_if<DotOp>(&op.what)) {
        use(dot->a);
        use(dot->b);
        result(dot->to, dot->add);
    }
    if (const auto* eval = std::get_if<EvalOp>(&op.what)) {
        for (const int temp : eval->args)
            if (temp > 0) use(temp);
        result(eval->to, eval->add);
    }
    if (const auto* fold = std::get_if<FoldOp>(&op.what)) {
        use(fold->a);
        result(fold->to, fold->add);
    }
    if (const auto* copy = std::get_if<CopyOp>(&op.what)) {
        use(copy->from);
        made(copy->to);
    }
}

}  // namespace blockscope::engine
