// Rule 1, Fuse Consecutive Maps (Blockbuster section 3.1).
#include <algorithm>
#include <functional>

#include "core/rules/merge.h"
#include "core/rules/table.h"
#include "core/rules/why.h"

namespace blockscope {

namespace {

bool applies(const Level& level, int from, int to, Why& why) {
    const Node& producer = level.index.node(from);
    const Node& consumer = level.index.node(to);
    const Map* u = producer.as<Map>();
    const Map* v = consumer.as<Map>();
    const auto refuse = [&](const std::string& what) {
        return fail(why, {producer.id, consumer.id}, [&] { return what; });
    };
    if (!u || !v)
        return fail(why, {u ? consumer.id : producer.id},
                    [&] { return describe(u ? consumer : producer, level.dims) + " is not a map"; });
    if (!same_range(*u, *v))
        return fail(why, {producer.id, consumer.id}, [&] {
            return describe(producer, level.dims) + " and " + describe(consumer, level.dims) +
                   (u->dim == v->dim ? " do not start at the same iteration"
                                     : " run over different dimensions");
        });
    bool edge = false;
    for (std::size_t i = 0; i < consumer.inputs.size(); ++i) {
        const ValueRef& ref = consumer.inputs[i];
        if (ref.node != producer.id) continue;
        edge = true;
        if (u->outputs[ref.port].mode != PortOut::Collected)
            return fail(why, {producer.id, consumer.id}, [&] {
                return describe(consumer, level.dims) + " needs the finished sum of all iterations of " +
                       describe(producer, level.dims);
            });
        if (v->inputs[i].mode != PortIn::Iterated || ref.first > 0)
            return fail(why, {producer.id, consumer.id}, [&] {
                return describe(consumer, level.dims) + " needs the whole list that " +
                       describe(producer, level.dims) + " makes in every iteration";
            });
    }
    if (!edge)
        return fail(why, {producer.id, consumer.id}, [&] {
            return "no edge leads from " + describe(producer, level.dims) + " to " +
                   describe(consumer, level.dims);
        });
    if (level.index.indirect_path(from, to))
        return refuse("an indirect path leads from " +
                      (why.wanted ? describe(producer, level.dims) + " to " + describe(consumer, level.dims) +
                                        ": fusing them would make a cycle"
                                  : ""));
    return true;
}

void matches_at(const Level& level, int position, std::vector<Match>& matches) {
    const Node& consumer = level.index.node(position);
    if (!consumer.is<Map>()) return;
    // The latest producer first: what merges later goes in front, so operators keep their order.
    std::vector<int> producers;
    for (const ValueRef& ref : consumer.inputs) producers.push_back(level.index.position(ref.node));
    std::sort(producers.begin(), producers.end(), std::greater<>());
    producers.erase(std::unique(producers.begin(), producers.end()), producers.end());
    Why why;
    for (const int from : producers) {
        level.stop.check();
        if (!applies(level, from, position, why)) continue;
        matches.push_back({{1, 0},
                           {},
                           {{"producer", level.index.node(from).id}, {"consumer", consumer.id}},
                           consumer.as<Map>()->dim});
    }
}

Rewrite apply(const Level& level, const Match& match, IdSource& ids) {
    return merge_maps(level, *level.index.find(match.role("producer")),
                      *level.index.find(match.role("consumer")), ids);
}

std::string explain(const Level& level, const Match& match) {
    return "Fuses " + describe(*level.index.find(match.role("producer")), level.dims) +
           " with its consumer " + describe(*level.index.find(match.role("consumer")), level.dims) +
           ": each iteration hands its result on in local memory instead of through a list in global memory.";
}

std::optional<Refusal> diagnose(const Level& level, const std::vector<NodeId>& nodes) {
    const Selection selection = select(level, nodes, 2, 2, "two maps, a producer and its consumer");
    if (selection.refusal) return selection.refusal;
    Why why{true, {}};
    if (applies(level, selection.positions[0], selection.positions[1], why)) return std::nullopt;
    return why.refusal;
}

}  // namespace

Rule rule_1() {
    return {{1, 0},
            "Fuse Consecutive Maps",
            "two maps over one dimension, one feeding the other, become one map",
            "U and V are maps over the same dimension; every edge from U to V carries a list that U collects "
            "and V iterates over; no "
            "indirect path leads from U to V.",
            "Iteration i of V reads only what iteration i of U made, so the two iterations can run one after "
            "the other on the same processor.",
            "Removes the buffered edges between the two maps: the list between them is never materialised in "
            "global memory.",
            "3.1, Rule 1",
            true,
            matches_at,
            apply,
            explain,
            diagnose};
}

}  // namespace blockscope
