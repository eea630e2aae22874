// What the algorithm finds by looking only at what a step touched is what it would find by looking at
// everything: matches, indices, checks of rewrites and counts.
#include <gmock/gmock.h>

#include <functional>

#include "core/fusion/trace.h"
#include "core/graph/level_change.h"
#include "core/program/convert.h"
#include "tests/support/random.h"
#include "tests/support/random_blocks.h"
#include "tests/support/random_program.h"

namespace blockscope::test {
namespace {

constexpr std::uint64_t kPrograms = 160;
constexpr std::uint64_t kLarge = 16;  // every so many, one whose levels take several pieces of a list

// Some fifty operators over a few inputs: elementwise ones, products, softmax; what nothing uses is an
// output.
std::string many_operators(std::uint64_t seed) {
    Random random(seed);
    std::string text = "dim M = 4 / 2\ndim D = 6 / 2\ninput x0[M, D], x1[M, D], W0[D, D], W1[D, D] : f32\n";
    std::vector<bool> used(2, true);
    const auto any = [&] {
        const int count = static_cast<int>(used.size());
        const int value =
            random.chance(60) ? random.between(std::max(0, count - 4), count - 1) : random.below(count);
        used[static_cast<std::size_t>(value)] = true;
        return "x" + std::to_string(value);
    };
    const int operators = random.between(35, 55);
    for (int i = 0; i < operators; ++i) {
        const std::string name = "x" + std::to_string(used.size());
        const int kind = random.weighted({4, 1, 3, 2, 3, 1});
        if (kind == 0) text += name + " = exp(" + any() + ")\n";
        if (kind == 1) text += name + " = tanh(" + any() + ")\n";
        if (kind == 2) text += name + " = " + any() + " + " + any() + "\n";
        if (kind == 3) text += name + " = " + any() + " * " + any() + "\n";
        if (kind == 4) text += name + " = " + any() + " @ W" + std::to_string(random.below(2)) + "\n";
        if (kind == 5) text += name + " = softmax(" + any() + " @ " + any() + ".T) @ " + any() + "\n";
        used.push_back(false);
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i]) text += "output x" + std::to_string(i) + "\n";
    return text;
}

ArrayProgram array_program(std::uint64_t seed) {
    if (seed % kLarge != 1) return random_array_program(seed);
    Result<ArrayProgram> program = parse_program(many_operators(seed), "random");
    if (!program) throw std::runtime_error(many_operators(seed));
    return std::move(program).value();
}

ProgramPtr random_program(std::uint64_t seed) {
    return std::make_shared<const BlockProgram>(
        seed % 2 == 0 ? random_block_program(seed) : to_block_program(array_program(seed)).program);
}

using Rewrites = std::function<void(const ProgramPtr& before, const Match& match)>;

// All steps of the algorithm on random programs, and one rewrite of every other kind that matches on the way.
void for_many_rewrites(const Rewrites& see) {
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        Random random(seed);
        const ProgramPtr initial = random_program(seed);
        const Trace trace = fuse(initial);
        for (const Step& step : trace.steps) see(step.before, step.match);
        for (const ProgramPtr& state : {trace.initial, trace.last()}) {
            const std::vector<Match> matches = all_matches(*state);
            if (!matches.empty()) see(state, random.pick(matches));
        }
    }
}

// The chain of section 4.1 on one level, from the start, behind all rules that are not in the paper.
std::optional<Match> first_of_the_chain(const BlockProgram& program, const std::vector<NodeId>& path) {
    const GraphPtr graph = graph_at(program, path);
    const GraphIndex index(*graph);
    for (const RuleId id : std::vector<RuleId>{{12, 0},
                                               {10, 0},
                                               {11, 0},
                                               {13, 0},
                                               {8, 0},
                                               {8, 's'},
                                               {4, 0},
                                               {5, 0},
                                               {9, 0},
                                               {3, 0},
                                               {1, 0},
                                               {2, 0}}) {
        const std::vector<Match> matches = matches_in(rule(id), {program.dims, index}, path);
        if (!matches.empty()) return matches.front();
    }
    return std::nullopt;
}

// What is left when no rule of the chain matches: rule 6 at the first place, level by level.
std::optional<Match> first_extension(const BlockProgram& program) {
    std::vector<std::vector<NodeId>> paths{{}};
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const GraphPtr graph = graph_at(program, paths[i]);
        const GraphIndex index(*graph);
        for (const char variant : {'a', 'b', 'c'}) {
            const std::vector<Match> matches =
                matches_in(rule({6, variant}), {program.dims, index}, paths[i]);
            if (!matches.empty()) return matches.front();
        }
        for (const NodePtr& node : graph->nodes()) {
            if (!node->is<Map>()) continue;
            std::vector<NodeId> inner = paths[i];
            inner.push_back(node->id);
            paths.push_back(std::move(inner));
        }
    }
    return std::nullopt;
}

TEST(Incremental, MatchingFindsWhatMatchingFromTheStartFinds) {
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        const Trace trace = fuse(random_program(seed), {}, {.rounding = true});
        for (const Step& step : trace.steps) {
            const bool extends = step.match.rule.number == 6;
            EXPECT_EQ(
                extends ? first_extension(*step.before) : first_of_the_chain(*step.before, step.match.path),
                step.match)
                << "program " << seed;
        }
        EXPECT_EQ(first_extension(*trace.last()), std::nullopt);
        for (const Match& match : all_matches(*trace.last()))
            EXPECT_EQ(match.rule.number, 7) << "program " << seed;
    }
}

void expect_same_index(const GraphIndex& updated, const GraphIndex& fresh) {
    const auto ids = [](const GraphIndex& index, NodeId id) {
        std::vector<std::pair<NodeId, int>> uses;
        for (const GraphIndex::Use& use : index.uses(index.position(id)))
            uses.emplace_back(index.node(use.node).id, use.port);
        return uses;
    };
    EXPECT_FALSE(updated.dangling());
    for (int at = 0; at < fresh.size(); ++at) {
        const NodeId id = fresh.node(at).id;
        ASSERT_EQ(updated.find(id), &fresh.node(at));
        EXPECT_EQ(updated.place(updated.position(id)), static_cast<std::size_t>(at));
        EXPECT_EQ(ids(updated, id), ids(fresh, id));
        for (int other = 0; other < fresh.size(); ++other) {
            const int position = updated.position(fresh.node(other).id);
            EXPECT_EQ(updated.before(updated.position(id), position), at < other);
            EXPECT_EQ(updated.reaches(updated.position(id), position), fresh.reaches(at, other));
            EXPECT_EQ(updated.indirect_path(updated.position(id), position), fresh.indirect_path(at, other));
        }
    }
}

TEST(Incremental, AnUpdatedIndexIsThatOfTheNewLevel) {
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        const Trace trace = fuse(random_program(seed));
        std::map<std::vector<NodeId>, GraphIndex> indices;  // of each level since it was first seen
        for (const Step& step : trace.steps) {
            const GraphPtr before = graph_at(*step.before, step.match.path);
            const GraphPtr after = graph_at(*step.after, step.match.path);
            GraphIndex& index = indices.try_emplace(step.match.path, *before).first->second;
            for (const GraphPtr& next : {before, after}) {
                if (&index.graph() == next.get()) continue;
                const NodeList& now = index.graph().nodes();
                index.update(*next, difference({{&now, &index}}, next->nodes()));
                expect_same_index(index, GraphIndex(*next));
            }
        }
    }
}

TEST(Incremental, AlmostEveryRewriteIsJudgedByWhatItTouched) {
    int judged = 0;
    int all = 0;
    for_many_rewrites([&](const ProgramPtr& before, const Match& match) {
        const Step step = checked_apply(before, match);
        EXPECT_EQ(buffered_edges(*before) + step.buffered_edges, buffered_edges(*step.after));
        const GraphPtr old_level = graph_at(*before, match.path);
        const GraphPtr level = graph_at(*step.after, match.path);
        GraphIndex index(*old_level);
        const LevelChange change(index, *level, match.path.empty());
        index.update(*level, change.level());
        ++all;
        if (change.is_surely_valid(index, *step.after, before->next_id))
            ++judged;
        else if (match.rule.number != 6)
            ADD_FAILURE() << "rule " << to_string(match.rule) << " is verified as a whole";
    });
    EXPECT_GT(all, 1000);
    EXPECT_GT(judged * 10, all * 9);
}

// Attentions, each on the result of the one before. All are merged into one map, which gets two inputs for
// each.
std::string attentions_in_sequence(int count) {
    std::string text = "dim M = 4 / 2\ndim N = 4 / 2\ndim D = 4 / 2\ninput O0[M, D] : f32\n";
    for (int i = 1; i <= count; ++i) {
        const std::string n = std::to_string(i);
        text += "input K" + n + "[N, D], V" + n + "[N, D] : f32\nP" + n + " = softmax(O" +
                std::to_string(i - 1) + " @ K" + n + ".T)\nO" + n + " = P" + n + " @ V" + n + "\n";
    }
    return text + "output O" + std::to_string(count) + "\n";
}

const Node* only_map(const Graph& graph) {
    const std::vector<const NodePtr*> maps = graph.nodes().all_of<Map>();
    return maps.size() == 1 ? maps.front()->get() : nullptr;
}

// In memory and in time: of thousands of inputs a step makes new only those that it adds.
TEST(Incremental, StatesShareTheInputsOfAMapThatGrows) {
    constexpr int kCount = 20;
    Result<ArrayProgram> parsed = parse_program(attentions_in_sequence(kCount), "sequence");
    ASSERT_TRUE(parsed);
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(parsed.value()).program));
    int inside = 0, merges = 0;
    for (const Step& step : trace.steps) {
        const Node* now = only_map(*step.after->graph);
        const Node* old = only_map(*step.before->graph);
        if (step.match.path.empty() && step.match.rule == RuleId{1, 0}) {
            const Node& first = *step.before->graph->find(step.match.role("producer"));
            const Node& merged = *step.after->graph->find(step.made.front().made);
            merges += merged.inputs.size() == first.inputs.size();
            EXPECT_EQ(merged.inputs.shares(first.inputs), merged.inputs.size() == first.inputs.size());
            EXPECT_EQ(merged.as<Map>()->body->nodes()[0], first.as<Map>()->body->nodes()[0]);
        }
        if (!now || !old || step.match.path.empty()) continue;
        ++inside;
        EXPECT_TRUE(now->inputs.shares(old->inputs));
        EXPECT_TRUE(now->as<Map>()->inputs.shares(old->as<Map>()->inputs));
    }
    EXPECT_GT(merges, 3 * kCount);
    EXPECT_GT(inside, 3 * kCount);
}

// One random fault in a level or in an inner graph of it.
GraphPtr broken(const Graph& graph, Random& random, std::uint32_t next_id) {
    const NodeList& nodes = graph.nodes();
    const auto place = static_cast<std::size_t>(random.below(static_cast<int>(nodes.size())));
    Node node = *nodes[place];
    if (Map* map = std::get_if<Map>(&node.kind); map && random.chance(50)) {
        map->body = broken(*map->body, random, next_id);
    } else {
        const auto any = [&] {
            return nodes[static_cast<std::size_t>(random.below(static_cast<int>(nodes.size())))];
        };
        switch (random.below(8)) {
            case 0:
                if (!node.inputs.empty()) node.inputs.own()[0].node = any()->id;
                break;
            case 1:
                node.id = any()->id;
                break;
            case 2:
                node.id = {next_id + static_cast<std::uint32_t>(random.below(3))};
                break;
            case 3:
                if (!node.outputs.empty()) node.outputs[0] = node.outputs[0].with_elem(ElemType::BF16);
                break;
            case 4:
                if (!node.inputs.empty()) node.inputs.own().pop_back();
                break;
            case 5:
                return std::make_shared<const Graph>(nodes.replaced(place, place + 1, {}));
            case 6:
                return std::make_shared<const Graph>(nodes.slice(place, nodes.size()) +
                                                     nodes.slice(0, place));
            default:
                return std::make_shared<const Graph>(nodes.replaced(place, place, {any()}));
        }
    }
    return std::make_shared<const Graph>(
        nodes.replaced(place, place + 1, {std::make_shared<const Node>(std::move(node))}));
}

// A rule that does what it should and something else, too: whatever the full verifier finds, the quick check
// does not call valid.
TEST(Incremental, NoBrokenRewriteIsCalledValid) {
    Random random(1);
    int found = 0;
    for_many_rewrites([&](const ProgramPtr& before, const Match& match) {
        const GraphPtr old_level = graph_at(*before, match.path);
        const Step step = checked_apply(before, match);
        for (int i = 0; i < 8; ++i) {
            const GraphPtr level =
                broken(*graph_at(*step.after, match.path), random, step.after->next_id - random.below(2));
            BlockProgram after = with_graph_at(*step.after, match.path, level);
            GraphIndex index(*old_level);
            const LevelChange change(index, *level, match.path.empty());
            index.update(*level, change.level());
            const bool valid = verify(after).empty();
            found += !valid;
            EXPECT_FALSE(!valid && change.is_surely_valid(index, after, before->next_id))
                << to_string(match.rule) << ": " << verify(after).front().sentence;
        }
    });
    EXPECT_GT(found, 1000);
}

// A level that looks right by itself but has other outputs is not what checked_apply may let through.
TEST(Incremental, AnotherOrderOfOutputsIsNotCalledValid) {
    int tried = 0;
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
        const ProgramPtr program = random_program(seed);
        const NodeList& nodes = program->graph->nodes();
        const std::vector<std::size_t> outputs = nodes.positions_of<Output>();
        if (outputs.size() < 2 || outputs.back() != nodes.size() - 1) continue;
        ++tried;
        const NodePtr last = nodes.back();
        const NodeList others = nodes.slice(0, nodes.size() - 1);
        const Graph level(others.replaced(outputs.front(), outputs.front(), {}).slice(0, outputs.front()) +
                          others.slice(outputs.front() + 1, others.size()) + NodeList({last}) +
                          NodeList({nodes[outputs.front()]}));
        GraphIndex index(*program->graph);
        const LevelChange change(index, level, true);
        index.update(level, change.level());
        BlockProgram after = *program;
        after.graph = std::make_shared<const Graph>(level);
        EXPECT_FALSE(change.is_surely_valid(index, after, program->next_id));
    }
    EXPECT_GT(tried, 5);
}

}  // namespace
}  // namespace blockscope::test
