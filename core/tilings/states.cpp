#include "core/tilings/states.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/loops/loop_program.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "core/tilings/schedule.h"

namespace blockscope::tilings {

namespace {

// The program with several blocks in every dimension, so that every loop is one.
ArrayProgram in_blocks(ArrayProgram program) {
    for (Dim& dim : program.dims)
        if (dim.kind == DimKind::Blocked) dim.block = std::max<std::int64_t>(1, (dim.size + 3) / 4);
    return program;
}

// The loops of a listing that are loops of the chain; those of a batch give way to what is inside them.
LoopForest forest_of(const Block& block, const LoopProgram& program, const Chain& chain) {
    LoopForest forest;
    for (const blockscope::Statement& statement : block) {
        const auto* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) continue;
        LoopForest inner = forest_of((*loop)->body, program, chain);
        const std::string variable = name((*loop)->var, program);
        const auto known = std::find_if(chain.loops.begin(), chain.loops.end(),
                                        [&](const Loop& each) { return each.name == variable; });
        if (known == chain.loops.end())
            forest.insert(forest.end(), inner.begin(), inner.end());
        else
            forest.push_back({static_cast<int>(known - chain.loops.begin()), std::move(inner)});
    }
    return forest;
}

// A loop that stands twice is no expression.
bool each_once(const LoopForest& forest, std::vector<int>& seen) {
    for (const LoopNode& node : forest) {
        if (contains(seen, node.loop)) return false;
        seen.push_back(node.loop);
        if (!each_once(node.inner, seen)) return false;
    }
    return true;
}

}  // namespace

std::vector<std::optional<MatchedState>> matched_states(const Space& space) {
    std::vector<std::optional<MatchedState>> matches(space.expressions.size());
    const auto initial =
        std::make_shared<const BlockProgram>(to_block_program(in_blocks(space.chain.program)).program);
    const Trace trace = fuse(initial);
    const Prover prover(*initial, 1);
    for (int step = static_cast<int>(trace.steps.size()); step >= 0; --step) {
        const State state(trace.state(step));
        const LoopProgram& lowered = state.loops();
        if (lowered.body.size() != 1) continue;
        const LoopForest forest = forest_of(lowered.body, lowered, space.chain);
        std::vector<int> seen;
        if (!each_once(forest, seen) || static_cast<int>(seen.size()) != space.chain.loop_count()) continue;
        const Expression expression{.roots = forest, .flat = false};
        const std::vector<int> grid = grid_loops(expression, space.chain);
        const std::string inside = to_string(without(forest, grid), space.chain);
        const MatchedState match{.step = step,
                                 .same_order = false,
                                 .listing = listing(state),
                                 .proven = !prover.check(*trace.state(step))};
        for (std::size_t i = 0; i < matches.size(); ++i) {
            const JudgedExpression& judged = space.expressions[i];
            if (matches[i] || judged.sub_tiling != inside || judged.grid.size() != grid.size()) continue;
            matches[i] = match;
            matches[i]->same_order = judged.grid == grid;
        }
    }
    return matches;
}

std::vector<std::optional<BuiltProgram>> built_programs(
    const Space& space, const std::vector<std::optional<MatchedState>>& states) {
    std::vector<std::optional<BuiltProgram>> built(space.expressions.size());
    std::map<std::pair<std::vector<int>, std::string>, BuiltProgram> known;  // by grid and sub-tiling
    for (std::size_t i = 0; i < built.size(); ++i) {
        if (states[i]) continue;
        const JudgedExpression& judged = space.expressions[i];
        const auto [entry, fresh] = known.try_emplace({judged.grid, judged.sub_tiling});
        if (fresh) {
            const Result<Schedule> schedule = schedule_of(space.chain, judged, few_tiles(space.chain));
            if (schedule)
                entry->second = {.listing = listing(*schedule->program),
                                 .proven = !difference(space.chain, *schedule, 1),
                                 .missing = missing_rules(*schedule)};
            else
                entry->second.why_not = schedule.problems().front().message;
        }
        built[i] = entry->second;
    }
    return built;
}

}  // namespace blockscope::tilings
