#include "app/costs/state_costs.h"

#include <utility>

#include "app/costs/kept_types.h"
#include "core/engine/plan_work.h"

namespace blockscope {

LoopProgram lower_as_kept(const BlockProgram& program, std::optional<ElemType> type, bool on_processor) {
    LoopProgram loops = lower(program);
    for (Buffer& buffer : loops.buffers) {
        const bool input = buffer.kind == Buffer::Kind::Input;
        if (on_processor)
            buffer.type = buffer.type.with_elem(input ? cpu_type(type) : ElemType::F32);
        else if (type)
            buffer.type = buffer.type.with_elem(*type);
    }
    return loops;
}

StateCostsPtr state_costs(const BlockProgram& program, std::optional<ElemType> type, bool on_processor) {
    auto costs = std::make_shared<StateCosts>();
    costs->loops = lower_as_kept(program, type, on_processor);
    CostBasis basis(costs->loops);
    costs->counts = count(costs->loops, basis.terms, basis.alive);
    costs->work = state_work(costs->loops, {}, basis);
    costs->cpu_work = engine_work(costs->loops, {cpu_type(type), ElemType::F32}, basis);
    costs->terms = std::move(basis.terms);
    costs->alive = std::move(basis.alive);
    return costs;
}

// What the CPU engine keeps inputs in: it knows float32 and bfloat16.
ElemType cpu_type(std::optional<ElemType> type) {
    return type == ElemType::BF16 ? ElemType::BF16 : ElemType::F32;
}

std::optional<ElemType> declared_type(const BlockProgram& program) {
    std::optional<ElemType> found;
    for (const NodePtr& node : program.graph->inputs()) {
        if (node->as<Input>()->source != InputSource::Array) continue;
        const ElemType elem = node->outputs[0].elem();
        if (found && *found != elem) return {};
        found = elem;
    }
    return found;
}

}  // namespace blockscope
