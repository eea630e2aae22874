#include "core/graph/graph.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/graph/level_change.h"
#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

template <class K>
std::vector<NodePtr> of_kind(const NodeList& nodes) {
    std::vector<NodePtr> found;
    for (const NodePtr* node : nodes.all_of<K>()) found.push_back(*node);
    return found;
}

int count_buffered(const Graph& graph, bool top_level) {
    const GraphIndex index(graph);
    int count = 0;
    for (const NodePtr& node : graph.nodes()) {
        if (!top_level && node->is<Output>()) continue;
        for (std::size_t port = 0; port < node->inputs.size(); ++port) {
            const Node& producer = *index.find(node->inputs[port].node);
            if (!top_level && producer.is<Input>()) continue;
            count += is_buffered(producer, *node, static_cast<int>(port), top_level);
        }
        if (const Map* map = node->as<Map>()) count += count_buffered(*map->body, false);
    }
    return count;
}

void add_needs(const Graph& graph, BlockNeeds& needs) {
    for (const NodePtr& node : graph.nodes()) {
        if (const Map* map = node->as<Map>()) add_needs(*map->body, needs);
        const auto* functional = node->as<Functional>();
        if (functional && form_of(functional->op) == FunctionalForm::Rotate)
            add_need(needs, node->outputs.at(0).item().cols, functional_operator(functional->op).cols);
    }
}

int count_nodes(const Graph& graph) {
    int count = static_cast<int>(graph.nodes().size());
    for (const NodePtr& node : graph.nodes())
        if (const Map* map = node->as<Map>()) count += count_nodes(*map->body);
    return count;
}

GraphPtr replace_at(const GraphPtr& graph, const std::vector<NodeId>& path, std::size_t depth,
                    GraphPtr inner) {
    if (depth == path.size()) return inner;
    const NodeList& nodes = graph->nodes();
    const auto place = nodes.position(path[depth]);
    if (!place || !nodes[*place]->is<Map>())
        throw InternalError("no map " + to_string(path[depth]) + " on the path");
    Node node = *nodes[*place];
    Map& map = std::get<Map>(node.kind);
    map.body = replace_at(map.body, path, depth + 1, std::move(inner));
    return std::make_shared<const Graph>(
        nodes.replaced(*place, *place + 1, {std::make_shared<const Node>(std::move(node))}));
}

bool find_path_in(const Graph& graph, NodeId id, std::vector<NodeId>& path) {
    if (graph.find(id)) return true;
    for (const NodePtr& node : graph.nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        path.push_back(node->id);
        if (find_path_in(*map->body, id, path)) return true;
        path.pop_back();
    }
    return false;
}

bool identical_nodes(const Node& a, const Node& b) {
    if (&a == &b) return true;
    if (a.id != b.id || a.inputs != b.inputs || a.outputs != b.outputs || !same_kind(a.kind, b.kind))
        return false;
    const Map* map = a.as<Map>();
    return !map || map->body == b.as<Map>()->body || identical(*map->body, *b.as<Map>()->body);
}

}  // namespace

std::vector<NodePtr> Graph::inputs() const {
    return of_kind<Input>(nodes_);
}

std::vector<NodePtr> Graph::outputs() const {
    return of_kind<Output>(nodes_);
}

const Node* Graph::find(NodeId id) const {
    const auto place = nodes_.position(id);
    return place ? nodes_[*place].get() : nullptr;
}

Type edge_type(const Node& producer, const ValueRef& ref) {
    return producer.outputs.at(ref.port).element(ref.first);
}

bool is_buffered(const Node& producer, const Node& consumer, int port, bool top_level) {
    const ValueRef& ref = consumer.inputs.at(static_cast<std::size_t>(port));
    if (ref.first > 0 || producer.outputs.at(ref.port).is_list()) return true;
    if (top_level && (producer.is<Input>() || consumer.is<Output>())) return true;
    const Map* map = consumer.as<Map>();
    if (!map) return false;
    const MapInput& input = map->inputs.at(static_cast<std::size_t>(port));
    if (input.mode != PortIn::Continued) return false;
    return map->outputs.at(static_cast<std::size_t>(input.continues)).mode == PortOut::Collected;
}

int buffered_edges(const BlockProgram& program) {
    return count_buffered(*program.graph, true);
}

int buffered_edges(const Graph& level, bool top_level) {
    return count_buffered(level, top_level);
}

int node_count(const BlockProgram& program) {
    return count_nodes(*program.graph);
}

BlockNeeds block_needs(const BlockProgram& program) {
    BlockNeeds needs;
    add_needs(*program.graph, needs);
    return needs;
}

GraphPtr graph_at(const BlockProgram& program, const std::vector<NodeId>& path) {
    GraphPtr graph = program.graph;
    for (const NodeId id : path) {
        const Node* node = graph->find(id);
        if (!node || !node->is<Map>()) return nullptr;
        graph = node->as<Map>()->body;
    }
    return graph;
}

BlockProgram with_graph_at(const BlockProgram& program, const std::vector<NodeId>& path, GraphPtr graph) {
    BlockProgram result = program;
    result.graph = replace_at(program.graph, path, 0, std::move(graph));
    return result;
}

bool find_path(const BlockProgram& program, NodeId id, std::vector<NodeId>& path) {
    path.clear();
    return find_path_in(*program.graph, id, path);
}

bool identical(const Graph& a, const Graph& b) {
    return &a == &b || std::equal(a.nodes().begin(), a.nodes().end(), b.nodes().begin(), b.nodes().end(),
                                  [](const NodePtr& x, const NodePtr& y) { return identical_nodes(*x, *y); });
}

std::vector<NodePtr> topological(std::vector<NodePtr> nodes, bool whole) {
    std::unordered_map<std::uint32_t, std::size_t> place;
    for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]->id.value] = i;
    std::vector<std::vector<std::size_t>> consumers(nodes.size());
    std::vector<int> waiting(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueRef& ref : nodes[i]->inputs) {
            const auto producer = place.find(ref.node.value);
            if (producer == place.end() && !whole) continue;
            if (producer == place.end())
                throw InternalError(to_string(nodes[i]->id) + " reads a value that is not there");
            consumers[producer->second].push_back(i);
            ++waiting[i];
        }
    }
    std::vector<std::size_t> ready;  // a heap: the earliest in the given order leaves first
    const auto later = std::greater<>();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (waiting[i] == 0) ready.push_back(i);
    std::make_heap(ready.begin(), ready.end(), later);
    std::vector<NodePtr> sorted;
    while (!ready.empty()) {
        std::pop_heap(ready.begin(), ready.end(), later);
        const std::size_t i = ready.back();
        ready.pop_back();
        for (const std::size_t consumer : consumers[i]) {
            if (--waiting[consumer] > 0) continue;
            ready.push_back(consumer);
            std::push_heap(ready.begin(), ready.end(), later);
        }
        sorted.push_back(std::move(nodes[i]));
    }
    if (sorted.size() != consumers.size()) throw InternalError("the graph has a cycle");
    return sorted;
}

namespace {

// Ids per node up to which a level's positions are a table. Levels whose ids lie further apart, as after
// many rewrites, are searched instead.
constexpr std::size_t kDense = 64;

}  // namespace

GraphIndex::GraphIndex(const Graph& graph) : graph_(&graph) {
    nodes_.reserve(graph.nodes().size());
    std::uint32_t lowest = UINT32_MAX;
    std::uint32_t highest = 0;
    for (const NodePtr& node : graph.nodes()) {
        nodes_.push_back(node.get());
        lowest = std::min(lowest, node->id.value);
        highest = std::max(highest, node->id.value);
    }
    if (nodes_.empty()) lowest = 0;
    lowest_ = lowest;
    const std::size_t range = nodes_.empty() ? 0 : std::size_t{highest} - lowest + 1;
    if (range <= kDense * nodes_.size()) {
        position_.assign(range, -1);
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            position_[nodes_[i]->id.value - lowest] = static_cast<int>(i);
    } else {
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            sorted_.emplace_back(nodes_[i]->id.value, static_cast<int>(i));
        std::sort(sorted_.begin(), sorted_.end());
    }

    first_use_.assign(nodes_.size() + 1, 0);
    for (const Node* node : nodes_)
        for (const ValueRef& ref : node->inputs)
            if (const int producer = position(ref.node); producer >= 0)
                ++first_use_[static_cast<std::size_t>(producer) + 1];
    for (std::size_t i = 0; i < nodes_.size(); ++i) first_use_[i + 1] += first_use_[i];
    uses_.resize(static_cast<std::size_t>(first_use_.back()));
    std::vector<int> next(first_use_.begin(), first_use_.end() - 1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        for (std::size_t port = 0; port < nodes_[i]->inputs.size(); ++port) {
            const int producer = position(nodes_[i]->inputs[port].node);
            if (producer < 0) continue;
            const int at = next[static_cast<std::size_t>(producer)]++;
            uses_[static_cast<std::size_t>(at)] = {static_cast<int>(i), static_cast<int>(port)};
        }
    }
}

int GraphIndex::position(NodeId id) const {
    const int found = position_of_any(id);
    return found >= 0 && holds(found) ? found : -1;
}

// The position that a node with this id has or, before updates removed it, had.
int GraphIndex::position_of_any(NodeId id) const {
    if (!sorted_.empty()) {
        const auto entry = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(id.value, 0));
        if (entry != sorted_.end() && entry->first == id.value) return entry->second;
    } else if (const std::uint32_t offset = id.value - lowest_;
               offset < position_.size() && position_[offset] >= 0) {
        return position_[offset];
    }
    const auto entry = new_positions_.find(id.value);
    return entry == new_positions_.end() ? -1 : entry->second;
}

const Node* GraphIndex::find(NodeId id) const {
    const int at = position(id);
    return at < 0 ? nullptr : &node(at);
}

std::size_t GraphIndex::place(int position) const {
    if (labels_.empty()) return static_cast<std::size_t>(position);
    return graph_->nodes().partition_point(
        [&](const Node& node) { return before(this->position(node.id), position); });
}

GraphIndex::UseRange GraphIndex::uses(int position) const {
    const auto at = static_cast<std::size_t>(position);
    if (at < changed_.size() && changed_[at] >= 0) {
        const std::vector<Use>& changed = changed_uses_[static_cast<std::size_t>(changed_[at])];
        return {changed.data(), changed.data() + changed.size()};
    }
    if (at + 1 >= first_use_.size()) return {nullptr, nullptr};
    return {uses_.data() + first_use_[at], uses_.data() + first_use_[at + 1]};
}

GraphIndex::UseRange GraphIndex::uses_by(int position, int consumer) const {
    const UseRange all = uses(position);
    const Use* first = std::lower_bound(all.first, all.last, consumer,
                                        [this](const Use& use, int node) { return before(use.node, node); });
    const Use* last = first;
    while (last != all.last && last->node == consumer) ++last;
    return {first, last};
}

std::vector<GraphIndex::Use> GraphIndex::uses_of(int position, int port) const {
    std::vector<Use> found;
    for (const Use& use : uses(position))
        if (node(use.node).inputs[static_cast<std::size_t>(use.port)].port == port) found.push_back(use);
    return found;
}

// Whether a path leads from `from` to `to` whose first edge is not the direct edge to `to` (or, if
// `direct_counts`, any path). Visits what depends on `from` and stands before `to`, in order.
bool GraphIndex::path(int from, int to, bool direct_counts) const {
    const auto later = [this](int a, int b) { return before(b, a); };
    std::vector<int> open{from};  // a heap: the earliest first; a node may stand in it more than once
    int last = -1;
    while (!open.empty()) {
        std::pop_heap(open.begin(), open.end(), later);
        const int at = open.back();
        open.pop_back();
        if (at == last) continue;
        last = at;
        for (const Use& use : uses(at)) {
            if (use.node == to && (direct_counts || at != from)) return true;
            if (!before(use.node, to)) break;  // uses are in order
            open.push_back(use.node);
            std::push_heap(open.begin(), open.end(), later);
        }
    }
    return false;
}

bool GraphIndex::indirect_path(int from, int to) const {
    return path(from, to, false);
}

bool GraphIndex::reaches(int from, int to) const {
    return path(from, to, true);
}

std::vector<GraphIndex::Use>& GraphIndex::changing_uses(int position) {
    changed_.resize(nodes_.size(), -1);
    int& entry = changed_[static_cast<std::size_t>(position)];
    if (entry < 0) {
        const UseRange now = uses(position);
        changed_uses_.emplace_back(now.begin(), now.end());
        entry = static_cast<int>(changed_uses_.size()) - 1;
    }
    return changed_uses_[static_cast<std::size_t>(entry)];
}

void GraphIndex::take_uses(int position, const Node& node) {
    const auto earlier = [this](const Use& a, const Use& b) {
        return a.node == b.node ? a.port < b.port : before(a.node, b.node);
    };
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const int producer = this->position(node.inputs[port].node);
        if (producer < 0) continue;
        std::vector<Use>& uses = changing_uses(producer);
        const Use use{position, static_cast<int>(port)};
        uses.insert(std::lower_bound(uses.begin(), uses.end(), use, earlier), use);
    }
}

void GraphIndex::drop_uses(int position, const Node& node) {
    for (const ValueRef& ref : node.inputs) {
        const int producer = this->position(ref.node);
        if (producer < 0) continue;
        std::vector<Use>& uses = changing_uses(producer);
        const UseRange here = uses_by(producer, position);
        uses.erase(uses.begin() + (here.first - uses.data()), uses.begin() + (here.last - uses.data()));
    }
}

void GraphIndex::relabel() {
    std::uint64_t next = kRoom;
    for (const NodePtr& node : graph_->nodes()) {
        labels_[static_cast<std::size_t>(position(node->id))] = next;
        next += kRoom;
    }
    ++relabelled_;
    crowded_ = false;
    const auto earlier = [this](const Use& a, const Use& b) {
        return a.node == b.node ? a.port < b.port : before(a.node, b.node);
    };
    for (std::vector<Use>& uses : changed_uses_) std::sort(uses.begin(), uses.end(), earlier);
}

void GraphIndex::update(const Graph& after, const ListDifference& difference) {
    if (labels_.empty())
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            labels_.push_back((i + 1) * kRoom);  // as label() had it
    const NodeList& now = after.nodes();
    std::vector<int> gone;
    for (const std::size_t place : difference.gone(0)) {
        const Node& node = *graph_->nodes()[place];
        gone.push_back(position(node.id));
        drop_uses(gone.back(), node);
    }
    for (const int position : gone) {
        nodes_[static_cast<std::size_t>(position)] = nullptr;
    }
    graph_ = &after;
    for (std::size_t i = 0; i < difference.come.size(); ++i) {
        // The nodes before have their labels; those that come right after do not.
        const std::size_t place = difference.come[i].place;
        std::size_t next = i + 1;
        while (next < difference.come.size() && difference.come[next].place == place + (next - i)) ++next;
        const std::size_t follower = place + (next - i);
        const std::uint64_t low = place == 0 ? 0 : label(position(now[place - 1]->id));
        const std::uint64_t high =
            follower < now.size() ? label(position(now[follower]->id)) : low + 2 * kRoom;
        come(*now[place], low, high);
    }
    if (crowded_) relabel();
    for (const ListDifference::Come& come : difference.come)
        take_uses(position(now[come.place]->id), *now[come.place]);
    for (const int position : gone) dangling_ = dangling_ || (!holds(position) && !uses(position).empty());
}

// A node that comes back, as it was or changed, keeps its position, and its label if it still fits.
void GraphIndex::come(const Node& node, std::uint64_t low, std::uint64_t high) {
    const auto known = position_of_any(node.id);
    crowded_ = crowded_ || high < low + 2;
    const std::uint64_t label = high < low ? low : low + (high - low) / 2;
    if (known < 0) {
        nodes_.push_back(&node);
        labels_.push_back(label);
        new_positions_[node.id.value] = size() - 1;
        return;
    }
    const auto at = static_cast<std::size_t>(known);
    nodes_[at] = &node;
    if (labels_[at] <= low || labels_[at] >= high) labels_[at] = label;
}

namespace {

bool is_operator(const Node& node) {
    return !node.is<Input>() && !node.is<Output>();
}

bool reads_element_0(const GraphIndex& index, const Node& node, DimId dim) {
    return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const ValueRef& ref) {
        const Type& type = index.find(ref.node)->outputs.at(ref.port);
        for (int i = 0; i < ref.first; ++i)
            if (type.dim(i) == dim) return true;
        return false;
    });
}

// Iteration 0 of one dimension in one level, by position.
class FirstIteration {
public:
    FirstIteration(const GraphIndex& index, DimId dim)
        : index_(index), dim_(dim), leads_(count(), false), belongs_(count(), false) {}

    std::vector<bool> run() {
        for (int at = index_.size() - 1; at >= 0; --at) leads_[place(at)] = leads_to_continued(at);
        for (int at = 0; at < index_.size(); ++at) belongs_[place(at)] = reads_or_follows(at);
        for (int at = index_.size() - 1; at >= 0; --at)
            if (serves_it_alone(at)) belongs_[place(at)] = true;
        return belongs_;
    }

private:
    static std::size_t place(int at) { return static_cast<std::size_t>(at); }
    std::size_t count() const { return static_cast<std::size_t>(index_.size()); }

    bool is_rest(const Node& node) const {
        const Map* map = node.as<Map>();
        return map && map->dim == dim_ && map->start != 0;
    }
    bool continues(const GraphIndex::Use& use) const {
        const Node& user = index_.node(use.node);
        return is_rest(user) && user.as<Map>()->inputs[place(use.port)].mode == PortIn::Continued;
    }

    // Whether the node's result becomes one that the rest continues.
    bool leads_to_continued(int at) const {
        for (const GraphIndex::Use& use : index_.uses(at))
            if (continues(use) || leads_[place(use.node)]) return true;
        return false;
    }

    bool reads_or_follows(int at) const {
        const Node& node = index_.node(at);
        if (!is_operator(node) || is_rest(node)) return false;
        if (reads_element_0(index_, node, dim_)) return true;
        if (!leads_[place(at)]) return false;
        return std::any_of(node.inputs.begin(), node.inputs.end(),
                           [&](const ValueRef& ref) { return belongs_[place(index_.position(ref.node))]; });
    }

    bool serves_it_alone(int at) const {
        if (belongs_[place(at)] || !is_operator(index_.node(at)) || is_rest(index_.node(at))) return false;
        bool used = false;
        for (const GraphIndex::Use& use : index_.uses(at)) {
            if (!continues(use) && !belongs_[place(use.node)]) return false;
            used = true;
        }
        return used;
    }

    const GraphIndex& index_;
    DimId dim_;
    std::vector<bool> leads_, belongs_;
};

std::set<DimId> peeled_dims(const GraphIndex& index) {
    std::set<DimId> dims;
    for (const NodePtr& node : index.graph().nodes()) {
        if (const Map* map = node->as<Map>(); map && map->start != 0) dims.insert(map->dim);
        for (const ValueRef& ref : node->inputs)
            for (int i = 0; i < ref.first; ++i)
                dims.insert(index.find(ref.node)->outputs.at(ref.port).dim(i));
    }
    return dims;
}

}  // namespace

std::map<NodeId, std::vector<DimId>> first_iterations(const GraphIndex& index) {
    std::map<NodeId, std::vector<DimId>> found;
    for (const DimId dim : peeled_dims(index)) {
        const std::vector<bool> belongs = FirstIteration(index, dim).run();
        for (int at = 0; at < index.size(); ++at)
            if (belongs[static_cast<std::size_t>(at)]) found[index.node(at).id].push_back(dim);
    }
    return found;
}

const Node& Builder::find(NodeId id) const {
    if (ascending_) {
        const auto node = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                           [](const NodePtr& a, NodeId b) { return a->id < b; });
        if (node != nodes_.end() && (*node)->id == id) return **node;
    } else {
        for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
            if ((*node)->id == id) return **node;
    }
    throw InternalError("the graph under construction has no node " + to_string(id));
}

void Builder::push(NodePtr node) {
    ascending_ = ascending_ && (nodes_.empty() || nodes_.back()->id < node->id);
    nodes_.push_back(std::move(node));
}

Type Builder::type(ValueRef ref) const {
    return edge_type(find(ref.node), ref);
}

ValueRef Builder::input(const Type& type, Input input) {
    const NodeId id = ids_.fresh();
    push(std::make_shared<const Node>(Node{id, std::move(input), {}, {type}}));
    return {id};
}

NodeId Builder::output(ValueRef value, std::string name) {
    return add(Output{std::move(name)}, {value});
}

ValueRef Builder::functional(FunctionalOp op, std::vector<ValueRef> inputs) {
    return {add(Functional{op}, std::move(inputs))};
}

ValueRef Builder::elementwise(ExprPtr expr, std::vector<ValueRef> inputs) {
    return {add(Elementwise{std::move(expr)}, std::move(inputs))};
}

ValueRef Builder::cast(ElemType to, ValueRef input) {
    return {add(Elementwise{arg(0), to}, {input})};
}

ValueRef Builder::reduce(ReduceOp op, DimId dim, ValueRef input) {
    return {add(Reduce{op, dim}, {input})};
}

std::vector<ValueRef> Builder::misc(std::string name, std::vector<ValueRef> inputs,
                                    std::vector<Type> outputs) {
    for (const ValueRef& ref : inputs) type(ref);
    const NodeId id = ids_.fresh();
    std::vector<ValueRef> refs;
    for (std::size_t port = 0; port < outputs.size(); ++port)
        refs.push_back({id, static_cast<std::uint16_t>(port)});
    push(
        std::make_shared<const Node>(Node{id, Misc{std::move(name)}, std::move(inputs), std::move(outputs)}));
    return refs;
}

std::vector<ValueRef> Builder::map(Map map, std::vector<ValueRef> inputs) {
    const std::size_t count = map.outputs.size();
    const NodeId id = add(std::move(map), std::move(inputs));
    std::vector<ValueRef> refs;
    for (std::size_t port = 0; port < count; ++port) refs.push_back({id, static_cast<std::uint16_t>(port)});
    return refs;
}

NodeId Builder::add(Kind kind, std::vector<ValueRef> inputs) {
    std::vector<Type> types;
    types.reserve(inputs.size());
    for (const ValueRef& ref : inputs) types.push_back(type(ref));
    TypeCheck check = check_types(kind, types, dims_);
    if (!check.error.empty()) throw InternalError(check.error.str());
    const NodeId id = ids_.fresh();
    push(
        std::make_shared<const Node>(Node{id, std::move(kind), std::move(inputs), std::move(check.outputs)}));
    return id;
}

void Builder::keep(NodePtr node) {
    push(std::move(node));
}

GraphPtr Builder::finish() {
    return std::make_shared<const Graph>(std::move(nodes_));
}

}  // namespace blockscope
