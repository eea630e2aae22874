#include "app/costs/state_costs.h"

#include <utility>

#include "core/engine/plan_work.h"

namespace blockscope {

StateCostsPtr state_costs(const BlockProgram& program, std::optional<ElemType> type) {
    auto costs = std::make_shared<StateCosts>();
    costs->loops = lower(program);
    if (type)
        for (Buffer& buffer : costs->loops.buffers) buffer.type = buffer.type.with_elem(*type);
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
    for (const Buffer& buffer : lower(program).buffers) {
        if (buffer.kind != Buffer::Kind::Input || buffer.source != InputSource::Array) continue;
        if (found && *found != buffer.type.elem()) return {};
        found = buffer.type.elem();
    }
    return found;
}

double replication(const Counts& counts, const Counts& unfused) {
    if (unfused.flops.total() == 0) return 1;
    return static_cast<double>(counts.flops.total()) / static_cast<double>(unfused.flops.total());
}

}  // namespace blockscope
