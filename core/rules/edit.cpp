#include "core/rules/edit.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope {

Node& LevelEdit::edited(int position) {
    const auto found = edited_.find(position);
    if (found != edited_.end()) return found->second;
    return edited_.emplace(position, index_.node(position)).first->second;
}

void LevelEdit::remove(NodeId id) {
    removed_.push_back(id);
}

void LevelEdit::replace(NodeId id, Node node) {
    if (node.id != id) removed_.push_back(id);
    edited(index_.position(id)) = std::move(node);
}

void LevelEdit::insert_before(NodeId anchor, Node node) {
    before_[index_.position(anchor)].push_back(std::make_shared<const Node>(std::move(node)));
}

void LevelEdit::insert_after(NodeId anchor, Node node) {
    after_[index_.position(anchor)].push_back(std::make_shared<const Node>(std::move(node)));
}

void LevelEdit::redirect(ValueRef from, ValueRef to) {
    same_.push_back({from, to});
    for (const GraphIndex::Use& use : index_.uses(index_.position(from.node))) {
        const ValueRef& old = index_.node(use.node).inputs[static_cast<std::size_t>(use.port)];
        if (old.port != from.port) continue;
        edited(use.node).inputs.own()[static_cast<std::size_t>(use.port)] = composed(to, old);
    }
}

void LevelEdit::rewire(NodeId consumer, int port, ValueRef to) {
    edited(index_.position(consumer)).inputs.own()[static_cast<std::size_t>(port)] = to;
}

bool LevelEdit::stays(NodeId id) const {
    return std::find(removed_.begin(), removed_.end(), id) == removed_.end();
}

// What takes the place of every node that was edited, in the order of the nodes.
std::vector<LevelEdit::Put> LevelEdit::puts() {
    std::map<std::size_t, int> positions;  // by place
    const auto take = [&](int position) { positions.emplace(index_.place(position), position); };
    for (const auto& entry : edited_) take(entry.first);
    for (const auto& entry : before_) take(entry.first);
    for (const auto& entry : after_) take(entry.first);
    for (const NodeId id : removed_)
        if (const int position = index_.position(id); position >= 0) take(position);
    std::vector<Put> puts;
    std::ptrdiff_t shift = 0;  // of what follows
    for (const auto& [place, edited] : positions) {
        const int position = edited;  // lambdas take no part of a binding
        Put put{position, place, static_cast<std::size_t>(static_cast<std::ptrdiff_t>(place) + shift), {}};
        const auto append = [&](const std::map<int, std::vector<NodePtr>>& extra) {
            const auto found = extra.find(position);
            if (found != extra.end())
                put.nodes.insert(put.nodes.end(), found->second.begin(), found->second.end());
        };
        append(before_);
        const auto edit = edited_.find(position);
        if (edit == edited_.end()) {
            const NodePtr& old = index_.graph().nodes()[place];
            if (stays(old->id)) put.nodes.push_back(old);
        } else if (stays(edit->second.id)) {
            put.nodes.push_back(std::make_shared<const Node>(std::move(edit->second)));
        }
        append(after_);
        shift += static_cast<std::ptrdiff_t>(put.nodes.size()) - 1;
        puts.push_back(std::move(put));
    }
    return puts;
}

// Restores the topological order of the new graph. Only nodes that were put there can stand before a
// producer; only what stands from the first of them to the last such producer moves.
NodeList LevelEdit::in_order(NodeList nodes, const std::vector<Put>& puts) const {
    std::unordered_map<std::uint32_t, std::size_t> put_at;
    for (const Put& put : puts)
        for (std::size_t i = 0; i < put.nodes.size(); ++i) put_at[put.nodes[i]->id.value] = put.place + i;
    const auto place_now = [&](NodeId id, NodeId reader) -> std::size_t {
        if (const auto found = put_at.find(id.value); found != put_at.end()) return found->second;
        const int position = index_.position(id);
        if (position < 0 || !stays(id))
            throw InternalError(to_string(reader) + " reads a value that is not there");
        std::size_t place = index_.place(position);
        for (auto put = puts.rbegin(); put != puts.rend(); ++put)
            if (put->old_place < place) return place - put->old_place - 1 + put->place + put->nodes.size();
        return place;
    };
    // What stood before and is neither new nor moved: of the many inputs of a merged map that is nearly all.
    const auto surely_before = [&](NodeId id, const Put& put) {
        const int position = index_.position(id);
        return position >= 0 && stays(id) && index_.before(position, put.position);
    };
    std::size_t first = nodes.size();
    std::size_t last = 0;
    for (const Put& put : puts) {
        for (std::size_t i = 0; i < put.nodes.size(); ++i) {
            for (const ValueRef& ref : put.nodes[i]->inputs) {
                if (surely_before(ref.node, put)) continue;
                const std::size_t producer = place_now(ref.node, put.nodes[i]->id);
                if (producer < put.place + i) continue;
                first = std::min(first, put.place + i);
                last = std::max(last, producer + 1);
            }
        }
    }
    if (first >= last) return nodes;
    return nodes.replaced(first, last, topological(nodes.slice(first, last).vector(), false));
}

Rewrite LevelEdit::finish() {
    const std::vector<Put> all = puts();
    NodeList nodes = index_.graph().nodes();
    for (auto put = all.rbegin(); put != all.rend(); ++put)
        nodes = nodes.replaced(put->old_place, put->old_place + 1, put->nodes);
    return {std::make_shared<const Graph>(in_order(std::move(nodes), all)), std::move(made_),
            std::move(removed_), std::move(same_)};
}

GraphPtr copy_fresh(const GraphPtr& body, IdSource& ids, std::vector<Lineage>& made) {
    std::map<NodeId, NodeId> fresh;
    std::vector<NodePtr> nodes;
    for (const NodePtr& old : body->nodes()) {
        Node node = *old;
        node.id = ids.fresh();
        fresh[old->id] = node.id;
        made.push_back({node.id, {old->id}});
        for (ValueRef& ref : node.inputs.own()) ref.node = fresh.at(ref.node);
        if (Map* map = std::get_if<Map>(&node.kind)) map->body = copy_fresh(map->body, ids, made);
        nodes.push_back(std::make_shared<const Node>(std::move(node)));
    }
    return std::make_shared<const Graph>(std::move(nodes));
}

namespace {

Type inner_type(const MapOperand& operand) {
    return operand.mode == PortIn::Iterated ? operand.type.element() : operand.type;
}

}  // namespace

Node collected_map(DimId dim, const std::vector<MapOperand>& operands, GraphPtr body, const DimTable& dims,
                   IdSource& ids) {
    Map map;
    map.dim = dim;
    map.outputs = {MapOutput{}};
    map.body = std::move(body);
    Node node;
    node.id = ids.fresh();
    std::vector<Type> types;
    for (const MapOperand& operand : operands) {
        node.inputs.push_back(operand.value);
        map.inputs.push_back({operand.mode});
        types.push_back(operand.type);
    }
    node.kind = std::move(map);
    TypeCheck check = check_types(node.kind, types, dims);
    if (!check.error.empty()) throw InternalError(check.error.str());
    node.outputs = std::move(check.outputs);
    return node;
}

Node map_of(FunctionalOp op, DimId dim, const std::vector<MapOperand>& operands, const DimTable& dims,
            IdSource& ids) {
    Builder body(dims, ids);
    std::vector<ValueRef> args;
    args.reserve(operands.size());
    for (const MapOperand& operand : operands) args.push_back(body.input(inner_type(operand)));
    body.output(body.functional(op, args));
    return collected_map(dim, operands, body.finish(), dims, ids);
}

Node row_sums(DimId dim, DimId contraction, const MapOperand& b, const DimTable& dims, IdSource& ids) {
    Builder body(dims, ids);
    const Type row = inner_type(b);
    const ValueRef in = body.input(row);
    Node sums = map_of(FunctionalOp::RowSum, contraction, {{in, PortIn::Iterated, row}}, dims, ids);
    const NodeId id = sums.id;
    body.keep(std::make_shared<const Node>(std::move(sums)));
    body.output(body.reduce(ReduceOp::Sum, contraction, {id}));
    return collected_map(dim, {b}, body.finish(), dims, ids);
}

Node scaled_columns(DimId dim, DimId contraction, const MapOperand& b, const MapOperand& r,
                    const DimTable& dims, IdSource& ids) {
    if (b.mode == PortIn::Broadcast)
        return map_of(FunctionalOp::ColScale, contraction, {{b.value, PortIn::Iterated, b.type}, r}, dims,
                      ids);
    Builder body(dims, ids);
    const Type row = inner_type(b);
    const ValueRef blocks = body.input(row);
    const ValueRef vectors = body.input(r.type);
    Node scaled = map_of(FunctionalOp::ColScale, contraction,
                         {{blocks, PortIn::Iterated, row}, {vectors, r.mode, r.type}}, dims, ids);
    const NodeId id = scaled.id;
    body.keep(std::make_shared<const Node>(std::move(scaled)));
    body.output({id});
    return collected_map(dim, {b, {r.value, PortIn::Broadcast, r.type}}, body.finish(), dims, ids);
}

namespace {

// Stand-ins for the inner input ports that the merged body does not keep.
using Substitution = std::map<NodeId, ValueRef>;

NodePtr substitute_inputs(const NodePtr& node, const Substitution& stand_ins) {
    const bool touched = std::any_of(node->inputs.begin(), node->inputs.end(),
                                     [&](const ValueRef& ref) { return stand_ins.count(ref.node) > 0; });
    if (!touched) return node;
    Node copy = *node;
    for (ValueRef& ref : copy.inputs.own()) {
        const auto stand_in = stand_ins.find(ref.node);
        if (stand_in != stand_ins.end()) ref = composed(stand_in->second, ref);
    }
    return std::make_shared<const Node>(std::move(copy));
}

class Merger {
public:
    Merger(const Level& level, const Node& first, const Node& second, IdSource& ids)
        : level_(level), first_(first), second_(second), ids_(ids) {}

    Rewrite run() {
        merged_.id = ids_.fresh();
        map_.dim = map(first_).dim;
        map_.start = map(first_).start;
        LevelEdit edit(level_);
        keep_outputs(first_, edit);
        keep_outputs(second_, edit);
        if (keeps_all_inputs(first_))
            take_all_inputs(first_);
        else
            take_inputs(first_);
        take_inputs(second_);
        take_nodes(first_);
        take_nodes(second_);
        map_.body = body();
        merged_.kind = std::move(map_);
        edit.made(merged_.id, {first_.id, second_.id});
        edit.remove(first_.id);
        edit.replace(second_.id, std::move(merged_));
        return edit.finish();
    }

private:
    static const Map& map(const Node& node) { return *node.as<Map>(); }

    bool keeps(const Node& node, int port) const {
        if (&node == &second_) return true;
        for (const GraphIndex::Use& use : level_.index.uses(level_.index.position(node.id))) {
            const Node& consumer = level_.index.node(use.node);
            if (consumer.inputs[static_cast<std::size_t>(use.port)].port == port && consumer.id != second_.id)
                return true;
        }
        return false;
    }

    void keep_outputs(const Node& node, LevelEdit& edit) {
        std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            const bool keep = keeps(node, static_cast<int>(port));
            kept.push_back(keep ? static_cast<int>(map_.outputs.size()) : -1);
            if (!keep) continue;
            const ValueRef now{merged_.id, static_cast<std::uint16_t>(map_.outputs.size())};
            edit.redirect({node.id, static_cast<std::uint16_t>(port)}, now);
            map_.outputs.push_back(map(node).outputs[port]);
            merged_.outputs.push_back(node.outputs[port]);
        }
    }

    // Whether every input of the map is one of the merged map, as it is: no two are the same, and none
    // continues an output, which may have another number now.
    bool keeps_all_inputs(const Node& node) const {
        const NodeList& nodes = map(node).body->nodes();
        if (map(node).start != 0 || nodes.slice(port_count(map(node)), nodes.size()).first_of<Input>())
            return false;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const int producer = level_.index.position(node.inputs[i].node);
            if (level_.index.uses(producer).size() == 1) continue;
            if (input_like(node, node.inputs[i], map(node).inputs[i].mode) != i) return false;
        }
        return true;
    }

    // The first input of a map that takes this value in this way.
    std::optional<std::size_t> input_like(const Node& node, const ValueRef& ref, PortIn mode) const {
        const GraphIndex& index = level_.index;
        for (const GraphIndex::Use& use : index.uses_by(index.position(ref.node), index.position(node.id))) {
            const auto input = static_cast<std::size_t>(use.port);
            if (node.inputs[input] == ref && map(node).inputs[input].mode == mode) return input;
        }
        return std::nullopt;
    }

    // The lists of inputs and of ports stay what they are, shared with the map.
    void take_all_inputs(const Node& node) {
        const NodeList& nodes = map(node).body->nodes();
        merged_.inputs = node.inputs;
        map_.inputs = map(node).inputs;
        ports_ = nodes.slice(0, node.inputs.size());
        for (std::size_t i = ports_.size(); i < port_count(map(node)); ++i) carried_.push_back(nodes[i]);
    }

    // Input ports of the inner graph.
    static std::size_t port_count(const Map& map) {
        const auto carried = [](const MapOutput& output) { return output.mode == PortOut::Carried; };
        const std::size_t continued = map.start == 0 ? 0 : map.outputs.size();
        return map.inputs.size() - continued +
               static_cast<std::size_t>(std::count_if(map.outputs.begin(), map.outputs.end(), carried));
    }

    void take_inputs(const Node& node) {
        const std::vector<NodePtr> ports = map(node).body->inputs();
        const std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        std::size_t port = 0;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            MapInput input = map(node).inputs[i];
            if (input.mode == PortIn::Continued) {
                input.continues = kept[static_cast<std::size_t>(input.continues)];
                if (input.continues >= 0) add_input(node.inputs[i], input);
                continue;
            }
            take_port(node, node.inputs[i], input, ports[port++]);
        }
        for (; port < ports.size(); ++port) carried_.push_back(ports[port]);
    }

    void add_input(const ValueRef& ref, const MapInput& input) {
        merged_.inputs.push_back(ref);
        map_.inputs.push_back(input);
    }

    // A value as a map takes it. The element that `first` counts lies below kMaxRank.
    static std::uint64_t key(const ValueRef& ref, PortIn mode) {
        const std::uint64_t value = std::uint64_t{ref.node.value} << 32 | std::uint64_t{ref.port} << 16;
        return value | std::uint64_t{ref.first} << 2 | static_cast<std::uint64_t>(mode);
    }

    // The port of the merged map, if it has one, that takes this value in this way.
    std::optional<NodeId> taken(const ValueRef& ref, PortIn mode) const {
        if (!ports_.empty())
            if (const auto same = input_like(first_, ref, mode)) return ports_[*same]->id;
        const auto same = taken_.find(key(ref, mode));
        return same == taken_.end() ? std::nullopt : std::optional(same->second);
    }

    void take_port(const Node& node, const ValueRef& ref, const MapInput& input, const NodePtr& port) {
        Substitution& stand_ins = stand_ins_[&node == &second_];
        if (&node == &second_ && ref.node == first_.id) {
            stand_ins[port->id] = map(first_).body->outputs()[ref.port]->inputs[0];
            return;
        }
        if (const auto same = taken(ref, input.mode)) {
            stand_ins[port->id] = {*same};
            return;
        }
        taken_.emplace(key(ref, input.mode), port->id);
        inputs_.push_back(port);
        add_input(ref, input);
    }

    // Stand-ins of the second map may name ports of the first that have stand-ins themselves.
    void take_nodes(const Node& node) {
        Substitution& stand_ins = stand_ins_[&node == &second_];
        for (auto& [port, ref] : stand_ins) {
            const auto further = stand_ins_[0].find(ref.node);
            if (further != stand_ins_[0].end()) ref = composed(further->second, ref);
        }
        const std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        const NodeList& nodes = map(node).body->nodes();
        std::size_t output = 0;
        for (const std::size_t place : nodes.positions_of<Output>())
            if (kept[output++] >= 0) outputs_.push_back(substitute_inputs(nodes[place], stand_ins));
        inside_ = inside_ + without_ports(map(node), stand_ins);
    }

    // The operators of a body; shared with it if none of them reads a port that has a stand-in.
    static NodeList without_ports(const Map& map, const Substitution& stand_ins) {
        const NodeList& nodes = map.body->nodes();
        NodeList between = nodes.slice(port_count(map), nodes.size() - map.outputs.size());
        const auto has_stand_in = [&](const auto& entry) {
            return nodes.reads(0, nodes.size(), entry.first);
        };
        const bool shared = !between.first_of<Input>() && !between.first_of<Output>() &&
                            std::none_of(stand_ins.begin(), stand_ins.end(), has_stand_in);
        if (shared) return between;
        std::vector<NodePtr> inside;
        for (const NodePtr& node : nodes)
            if (!node->is<Input>() && !node->is<Output>())
                inside.push_back(substitute_inputs(node, stand_ins));
        return inside;
    }

    GraphPtr body() const {
        return std::make_shared<const Graph>(ports_ + NodeList(inputs_) + NodeList(carried_) + inside_ +
                                             NodeList(outputs_));
    }

    const Level& level_;
    const Node& first_;
    const Node& second_;
    IdSource& ids_;
    Node merged_;
    Map map_;
    std::vector<int> kept_first_;  // new port of each output, or -1
    std::vector<int> kept_second_;
    NodeList ports_;  // of the first map, if the merged map takes all its inputs
    std::unordered_map<std::uint64_t, NodeId> taken_;  // other inner ports by what they take
    std::array<Substitution, 2> stand_ins_;            // for ports of the first map, of the second
    std::vector<NodePtr> inputs_, carried_, outputs_;
    NodeList inside_;
};

}  // namespace

Rewrite merge_maps(const Level& level, const Node& first, const Node& second, IdSource& ids) {
    return Merger(level, first, second, ids).run();
}

bool same_range(const Map& a, const Map& b) {
    return a.dim == b.dim && a.start == b.start;
}

}  // namespace blockscope
