// Turns statements into routine calls; make_plan() is the only user.
#pragma once

#include <optional>

#include "core/cost/extents.h"
#include "core/engine/plan.h"
#include "core/engine/regions.h"

namespace blockscope::engine {

class Planner {
public:
    Planner(const LoopProgram& program, Precision precision);
    Result<Plan> run();

    void operator()(const Load& s);
    void operator()(const Store& s);
    void operator()(const Compute& s);
    void operator()(const Evaluate& s);
    void operator()(const Accumulate& s);
    void operator()(const Initialise& s);
    void operator()(const Assign& s);
    void operator()(const CallMisc& s);
    void operator()(const LoopPtr& loop);

private:
    // The loop whose body is being planned.
    struct Level {
        const Loop* loop = nullptr;
        std::vector<PlanOp> ops;
        std::vector<int> accumulated;
    };

    std::vector<PlanOp> block(const Block& statements);
    void add(decltype(PlanOp::what) what);
    void finish(int temp);  // the transposed form, if it is wanted
    void refuse(const Text& what, const Text& why);

    int slot(const LoopVar& var) const;  // 0 outside that loop
    std::vector<AddressTerm> terms(const Region& region, const std::vector<Index>& at) const;
    ItemExtent extent(Temp temp) const;
    ExtentRef axis(const Extent& extent) const;
    ItemExtent stored_extent(const Buffer& buffer, const std::vector<Index>& at) const;
    int rank(Temp temp) const;  // axes; -1 if nothing tells

    void mask(const Load& s);
    void functional(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add);
    void dot(int to, const std::vector<Temp>& args, const Accumulation& add);
    void combine(int to, FunctionalOp op, const std::vector<Temp>& args, const Accumulation& add);
    void elementwise(EvalOp op, const Expr& expr, const Accumulation& add);
    int code(const Expr& expr, int args);
    int matmul(int a, int b, int to);
    std::array<int, 2> sizes(const Extent& extent) const;

    const LoopProgram& program_;
    TempUses uses_;
    TempExtents extents_;
    Precision precision_;
    Plan plan_;
    std::vector<Level> levels_;
    std::vector<std::array<std::int64_t, 2>> step_;  // by temporary and form: from row to row
    NodeId node_;
    Problems problems_;
};

}  // namespace blockscope::engine
