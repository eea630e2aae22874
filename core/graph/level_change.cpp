#include "core/graph/level_change.h"

#include <algorithm>
#include <map>
#include <memory>
#include <type_traits>
#include <variant>

#include "core/graph/verify.h"

namespace blockscope {

namespace {

// A map that came whose first inputs are those of a map that went, taken in the same way: it has grown from
// that one, as when map after map is merged into one with thousands of inputs. What the two have in common
// was right and needs no second look.
struct Growth {
    const Node* from;
    std::size_t before;  // the place of `from`
    const Node* to;
    std::size_t common;  // inputs
};

std::size_t common_inputs(const Node& a, const Node& b) {
    const Map* from = a.as<Map>();
    const Map* to = b.as<Map>();
    if (!from || !to || from->dim != to->dim || from->start != 0 || to->start != 0) return 0;
    const std::size_t most = std::min({a.inputs.size(), b.inputs.size(), to->inputs.size()});
    if (a.inputs.shares(b.inputs) && from->inputs.shares(to->inputs)) return most;
    std::size_t count = 0;
    while (count < most && a.inputs[count] == b.inputs[count] && from->inputs[count] == to->inputs[count])
        ++count;
    return count;
}

// No map has grown from two, and from no map two have grown.
std::vector<Growth> growths(const NodeList& before, const NodeList& after, const ListDifference& difference) {
    std::vector<std::size_t> gone = difference.gone(0);
    std::vector<Growth> found;
    for (const ListDifference::Come& come : difference.come) {
        Growth growth{nullptr, 0, after[come.place].get(), 0};
        for (const std::size_t place : gone) {
            const std::size_t common = common_inputs(*before[place], *growth.to);
            if (common > growth.common) growth = {before[place].get(), place, growth.to, common};
        }
        if (!growth.from) continue;
        gone.erase(std::find(gone.begin(), gone.end(), growth.before));
        found.push_back(growth);
    }
    return found;
}

// Of a map that has grown, or from which another has.
std::size_t common_inputs(const std::vector<Growth>& growths, const Node& node) {
    for (const Growth& growth : growths)
        if (growth.from == &node || growth.to == &node) return growth.common;
    return 0;
}

// Buffered edges into `node`, inner graphs apart; `find` gives the producer of an input. Inputs before
// `first` are not counted.
template <class Find>
int edges_into(const Node& node, bool top_level, const Find& find, std::size_t first = 0) {
    if (!top_level && node.is<Output>()) return 0;
    int count = 0;
    for (std::size_t port = first; port < node.inputs.size(); ++port) {
        const Node& producer = *find(node.inputs[port].node);
        if (!top_level && producer.is<Input>()) continue;
        count += is_buffered(producer, node, static_cast<int>(port), top_level);
    }
    return count;
}

const Node* find_in(const NodeList& nodes, NodeId id) {
    const auto place = nodes.position(id);
    return place ? nodes[*place].get() : nullptr;
}

constexpr unsigned kInputOnly = 1;  // of Piece::kinds: a bit for the first kind
static_assert(std::is_same_v<std::variant_alternative_t<0, Kind>, Input>);

bool is_port(const Node& node) {
    return node.is<Input>() || node.is<Output>();
}

// Whether a node that came for another with its id stands among what is kept of that origin as the other did.
bool stands_alike(const ListDifference& difference, const ListDifference::Come& come) {
    return std::all_of(difference.kept.begin(), difference.kept.end(), [&](const ListDifference::Kept& part) {
        if (part.origin != come.origin) return true;
        return part.after < come.place ? part.before + part.size <= come.before : part.before > come.before;
    });
}

bool type_exists(const Type& type, const DimTable& dims) {
    const auto exists = [&](DimId dim) { return dim.value < dims.size(); };
    for (int i = 0; i < type.rank(); ++i)
        if (!exists(type.dim(i))) return false;
    const Item& item = type.item();
    return item.kind == ItemKind::Scalar ||
           (exists(item.rows) && (item.kind == ItemKind::Vector || exists(item.cols)));
}

}  // namespace

LevelChange::LevelChange(const GraphIndex& before, const Graph& after, bool top_level)
    : top_level_(top_level), level_before_(&before.graph().nodes()) {
    parts_.push_back({&after.nodes(), difference({{level_before_, &before}}, after.nodes()), false, 1});
    const auto find = [&](NodeId id) { return before.find(id); };
    const std::vector<Growth> grown = growths(*level_before_, after.nodes(), level());
    for (const std::size_t place : level().gone(0)) {
        const Node& node = *(*level_before_)[place];
        edges_gone_ += edges_into(node, top_level, find, common_inputs(grown, node));
        if (node.is<Output>())
            read_before_.emplace_back(&node, edge_type(*find(node.inputs[0].node), node.inputs[0]));
    }
    for (std::size_t part = 0; part < parts_.size(); ++part) compare_inner_graphs(before, part);
}

// The inner graphs of maps that came are compared with those of the maps that went and, one level down, with
// the level itself, as rule 6 takes its nodes in.
void LevelChange::compare_inner_graphs(const GraphIndex& before, std::size_t part) {
    const ListDifference& outer = parts_[part].difference;
    const auto is_map = [&](const ListDifference::Come& come) {
        return (*parts_[part].nodes)[come.place]->is<Map>();
    };
    if (std::none_of(outer.come.begin(), outer.come.end(), is_map)) return;
    std::vector<ListDifference::Origin> origins;
    for (std::size_t origin = 0; origin < parts_[part].own_origins; ++origin) {
        if (!outer.uses(origin)) continue;
        for (const std::size_t place : outer.gone(origin)) {
            const Map* map = (*outer.origins[origin].nodes)[place]->as<Map>();
            if (map) origins.push_back({&map->body->nodes(), nullptr});
        }
    }
    const std::size_t own = origins.size();
    if (!parts_[part].inner) origins.push_back({level_before_, &before});
    for (const ListDifference::Come& come : outer.come) {
        const Map* map = (*parts_[part].nodes)[come.place]->as<Map>();
        if (map && map->body)
            parts_.push_back({&map->body->nodes(), difference(origins, map->body->nodes()), true, own});
    }
}

// The nodes of one part that came, one by one.
struct LevelChange::Check {
    const Part& part;
    const GraphIndex& index;  // of the level
    const BlockProgram& program;
    bool top_level;
    std::vector<Growth> grown;  // in the level
    const std::deque<Part>& parts;

    const Node* find(NodeId id) const { return part.inner ? find_in(*part.nodes, id) : index.find(id); }

    // The producer of an input, if it comes before; `at` is the position of the node that reads it.
    const Node* producer_before(NodeId producer, const ListDifference::Come& come, int at) const {
        if (part.inner) {
            const auto place = part.nodes->position(producer);
            return place && *place < come.place ? (*part.nodes)[*place].get() : nullptr;
        }
        const int from = index.position(producer);
        return from >= 0 && index.before(from, at) ? &index.node(from) : nullptr;
    }

    // Inputs before `first` are not looked at, here and below.
    bool reads_what_is_there(const Node& node, const ListDifference::Come& come, std::size_t first) const {
        const int at = part.inner ? -1 : index.position(node.id);
        const auto begin = node.inputs.begin() + static_cast<std::ptrdiff_t>(first);
        return std::all_of(begin, node.inputs.end(), [&](const ValueRef& ref) {
            const Node* producer = producer_before(ref.node, come, at);
            return producer && ref.port < producer->outputs.size() &&
                   ref.first <= producer->outputs[ref.port].rank();
        });
    }

    // How many of the first input ports of a map that has grown are those of the map that it grew from.
    std::size_t inherited_ports(const Growth& growth) const {
        const NodeList& nodes = growth.to->as<Map>()->body->nodes();
        const NodeList& old = growth.from->as<Map>()->body->nodes();
        const auto of_body = [&](const Part& one) { return one.inner && one.nodes == &nodes; };
        const auto body = std::find_if(parts.begin(), parts.end(), of_body);
        if (body == parts.end() || body->difference.kept.empty()) return 0;
        const ListDifference::Kept& kept = body->difference.kept.front();
        const bool same =
            kept.before == 0 && kept.after == 0 && body->difference.origins[kept.origin].nodes == &old;
        const std::size_t count = same ? std::min(kept.size, growth.common) : 0;
        const NodeList ports = nodes.slice(0, count);
        return count > 0 && ports.root()->kinds == kInputOnly ? count : 0;
    }

    // How many of the first inputs of a map need not be checked: it has grown, and has for them the ports
    // that it had. What these inputs read is still there and still comes before. Readers of what is new are
    // checked elsewhere.
    std::size_t inherited(const Node& node, const ListDifference::Come& come) const {
        const auto growth =
            std::find_if(grown.begin(), grown.end(), [&](const Growth& one) { return one.to == &node; });
        if (growth == grown.end()) return 0;
        const auto stays_behind = [&](const ListDifference::Kept& kept) {
            return kept.after < come.place || kept.before > growth->before;
        };
        const std::vector<ListDifference::Kept>& kept = part.difference.kept;
        if (!std::all_of(kept.begin(), kept.end(), stays_behind)) return 0;
        const std::size_t count = inherited_ports(*growth);
        const auto end = node.inputs.begin() + static_cast<std::ptrdiff_t>(count);
        for (const std::size_t place : part.difference.gone(0)) {
            const NodeId gone = (*part.difference.origins[0].nodes)[place]->id;
            const auto reads = [&](const ValueRef& ref) { return ref.node == gone; };
            if (!index.find(gone) && std::any_of(node.inputs.begin(), end, reads)) return 0;
        }
        return count;
    }

    // The map with its new inputs and ports alone: those that it had were found right before it grew.
    static Map without(const Map& map, std::size_t first) {
        Map rest = map;
        rest.inputs =
            std::vector<MapInput>(map.inputs.begin() + static_cast<std::ptrdiff_t>(first), map.inputs.end());
        const NodeList& nodes = map.body->nodes();
        rest.body = std::make_shared<const Graph>(nodes.slice(first, nodes.size()));
        return rest;
    }

    bool has_right_types(const Node& node, std::size_t first) const {
        for (const Type& type : node.outputs)
            if (!type_exists(type, program.dims)) return false;
        if (node.is<Misc>()) return true;
        if (node.is<Input>()) return node.outputs.size() == 1 && node.inputs.empty();
        std::vector<Type> inputs;
        inputs.reserve(node.inputs.size() - first);
        for (std::size_t i = first; i < node.inputs.size(); ++i)
            inputs.push_back(edge_type(*find(node.inputs[i].node), node.inputs[i]));
        const TypeCheck check = first == 0
                                    ? check_types(node.kind, inputs, program.dims)
                                    : check_types(without(*node.as<Map>(), first), inputs, program.dims);
        return check.error.empty() && check.outputs == node.outputs;
    }

    bool fits(const Node& node, const ListDifference::Come& come, std::size_t first) const {
        return reads_what_is_there(node, come, first) && has_right_types(node, first);
    }

    bool is_named_right(const Node& node) const {
        const Input* input = node.as<Input>();
        const Output* output = node.as<Output>();
        if (!input && !output) return true;
        return (input ? input->name : output->name).empty() != top_level;
    }

    bool is_read_later(const Node& node, const ListDifference::Come& come) const {
        if (part.inner) return !come.old || stands_alike(part.difference, come);
        const int position = index.position(node.id);
        const GraphIndex::UseRange uses = index.uses(position);
        return std::all_of(uses.begin(), uses.end(),
                           [&](const GraphIndex::Use& use) { return index.before(position, use.node); });
    }

    bool node(const ListDifference::Come& come) const {
        const Node& node = *(*part.nodes)[come.place];
        if (come.old && (come.old->outputs != node.outputs || come.old->kind.index() != node.kind.index()))
            return false;
        const std::size_t first = inherited(node, come);
        return is_named_right(node) && (fits(node, come, first) || (first > 0 && fits(node, come, 0))) &&
               is_read_later(node, come);
    }

    // Whether nothing that was kept reads what went.
    bool reads_nothing_gone() const {
        if (!part.inner) return !index.dangling();
        const ListDifference& difference = part.difference;
        for (std::size_t origin = 0; origin < difference.origins.size(); ++origin) {
            const auto of_origin = [&](const ListDifference::Kept& kept) { return kept.origin == origin; };
            if (std::none_of(difference.kept.begin(), difference.kept.end(), of_origin)) continue;
            for (const std::size_t place : difference.gone(origin)) {
                const Node& gone = *(*difference.origins[origin].nodes)[place];
                const auto came_again = [&](const ListDifference::Come& come) { return come.old == &gone; };
                if (gone.outputs.empty() ||
                    std::any_of(difference.come.begin(), difference.come.end(), came_again))
                    continue;
                for (const ListDifference::Kept& kept : difference.kept)
                    if (of_origin(kept) && part.nodes->reads(kept.after, kept.after + kept.size, gone.id))
                        return false;
            }
        }
        return true;
    }
};

bool LevelChange::is_surely_valid(const GraphIndex& index, const BlockProgram& after,
                                  std::uint32_t old_ids) const {
    std::vector<NodeId> fresh;
    for (const Part& part : parts_) {
        std::vector<Growth> grown;
        if (!part.inner) grown = growths(*level_before_, *part.nodes, part.difference);
        const Check check{.part = part,
                          .index = index,
                          .program = after,
                          .top_level = top_level_ && !part.inner,
                          .grown = std::move(grown),
                          .parts = parts_};
        for (const ListDifference::Come& come : part.difference.come) {
            const Node& node = *(*part.nodes)[come.place];
            if (!come.old) {
                if (node.id.value < old_ids || node.id.value >= after.next_id) return false;
                fresh.push_back(node.id);
            }
            if (!check.node(come)) return false;
        }
        if (!check.reads_nothing_gone()) return false;
    }
    std::sort(fresh.begin(), fresh.end());
    return std::adjacent_find(fresh.begin(), fresh.end()) == fresh.end() && keeps_each_node_once() &&
           !(top_level_ && took_from_level()) && keeps_ports(index);
}

// No node of the state before stands in two places now, as it was or changed.
bool LevelChange::keeps_each_node_once() const {
    struct Range {
        const NodeList* list;
        std::size_t first, last;
    };
    std::vector<Range> ranges;
    for (const Part& part : parts_) {
        const ListDifference& difference = part.difference;
        for (const ListDifference::Kept& kept : difference.kept)
            ranges.push_back({difference.origins[kept.origin].nodes, kept.before, kept.before + kept.size});
        for (const ListDifference::Come& come : difference.come)
            if (come.old)
                ranges.push_back({difference.origins[come.origin].nodes, come.before, come.before + 1});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
        return a.list == b.list ? a.first < b.first : std::less<>()(a.list, b.list);
    });
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].list == ranges[i - 1].list && ranges[i].first < ranges[i - 1].last) return false;
    return true;
}

// Whether an inner graph has nodes of the level.
bool LevelChange::took_from_level() const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return part.inner &&
               std::any_of(part.difference.kept.begin(), part.difference.kept.end(),
                           [&](const ListDifference::Kept& kept) {
                               return part.difference.origins[kept.origin].nodes == level_before_;
                           });
    });
}

// Whether inputs and outputs of the level are the same as before, in the same order, and of the same types.
bool LevelChange::keeps_ports(const GraphIndex& index) const {
    int gone = 0;
    for (const std::size_t place : level().gone(0)) gone += is_port(*(*level_before_)[place]);
    std::size_t last = 0;
    for (const ListDifference::Come& come : level().come) {
        const Node& node = *(*parts_.front().nodes)[come.place];
        if (!is_port(node)) continue;
        if (!come.old || !stands_alike(level(), come) || !same_kind(come.old->kind, node.kind) ||
            come.old->outputs != node.outputs || come.before < last)
            return false;
        last = come.before;
        --gone;
        const auto read = std::find_if(read_before_.begin(), read_before_.end(),
                                       [&](const auto& before) { return before.first == come.old; });
        if (read != read_before_.end() &&
            read->second != edge_type(*index.find(node.inputs[0].node), node.inputs[0]))
            return false;
    }
    return gone == 0;
}

int LevelChange::buffered_edges(const GraphIndex& index) const {
    int change = -edges_gone_;
    const std::vector<Growth> grown = growths(*level_before_, *parts_.front().nodes, level());
    for (const Part& part : parts_) {
        const auto find = [&](NodeId id) { return part.inner ? find_in(*part.nodes, id) : index.find(id); };
        for (const ListDifference::Come& come : part.difference.come) {
            const Node& node = *(*part.nodes)[come.place];
            const std::size_t first = part.inner ? 0 : common_inputs(grown, node);
            change += edges_into(node, top_level_ && !part.inner, find, first);
        }
    }
    for (const std::size_t place : level().gone(0)) change -= edges_gone_with(*(*level_before_)[place]);
    return change;
}

// Buffered edges in the inner graph of a map that went, into nodes that no part kept.
int LevelChange::edges_gone_with(const Node& node) const {
    const Map* map = node.as<Map>();
    if (!map) return 0;
    const NodeList& nodes = map->body->nodes();
    ListDifference kept;  // of this graph, wherever it is now
    kept.origins.push_back({&nodes, nullptr});
    for (const Part& part : parts_)
        for (const ListDifference::Kept& run : part.difference.kept)
            if (part.difference.origins[run.origin].nodes == &nodes)
                kept.kept.push_back({0, run.before, run.after, run.size});
    int count = 0;
    for (const std::size_t place : kept.gone(0)) {
        count += edges_into(*nodes[place], false, [&](NodeId id) { return find_in(nodes, id); });
        count += edges_gone_with(*nodes[place]);
    }
    return count;
}

}  // namespace blockscope
