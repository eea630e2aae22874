#include "core/state/parts.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace blockscope {

namespace {

bool runs(const Node& node) {
    return !node.is<Input>() && !node.is<Output>();
}

// Whether programs are alike but for names and the numbers of their nodes.
class Likeness {
public:
    // Nodes of the top level.
    bool alike(const std::vector<NodePtr>& a, const std::vector<NodePtr>& b) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (!alike(*a[i], *b[i])) return false;
        return true;
    }

    // Equal of programs that are alike.
    static std::size_t hash(const std::vector<NodePtr>& nodes) {
        std::size_t all = nodes.size();
        for (const NodePtr& node : nodes) all = mixed(all, hash(*node));
        return all;
    }

private:
    static std::size_t mixed(std::size_t all, std::size_t more) { return (all ^ more) * 0x100000001b3U; }

    static std::size_t hash(const Node& node) {
        std::size_t all = node.kind.index();
        if (const auto* functional = node.as<Functional>())
            all = mixed(all, static_cast<std::size_t>(functional->op));
        for (const ValueRef& ref : node.inputs) all = mixed(all, std::size_t{ref.port} * 8 + ref.first);
        for (const Type& type : node.outputs) all = mixed(all, static_cast<std::size_t>(type.rank()));
        const Map* map = node.as<Map>();
        if (!map) return all;
        all = mixed(all, std::size_t{map->dim.value} * 2 + static_cast<std::size_t>(map->start));
        for (const NodePtr& inner : map->body->nodes()) all = mixed(all, hash(*inner));
        return all;
    }

    bool alike(const Node& a, const Node& b) {
        counterpart_[a.id.value] = b.id.value;
        const bool same_inputs =
            std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                       [this](const ValueRef& x, const ValueRef& y) { return same_value(x, y); });
        return same_inputs && a.outputs == b.outputs && same_work(a, b);
    }

    bool same_value(const ValueRef& a, const ValueRef& b) const {
        const auto found = counterpart_.find(a.node.value);
        return found != counterpart_.end() && found->second == b.node.value && a.port == b.port &&
               a.first == b.first;
    }

    bool same_work(const Node& a, const Node& b) {
        if (a.kind.index() != b.kind.index()) return false;
        if (const auto* input = a.as<Input>()) {
            Input renamed = *input;
            renamed.name = b.as<Input>()->name;
            return renamed == *b.as<Input>();
        }
        if (a.is<Output>()) return true;
        if (!same_kind(a.kind, b.kind)) return false;
        const Map* map = a.as<Map>();
        return !map || map->body == b.as<Map>()->body ||
               alike(map->body->nodes().vector(), b.as<Map>()->body->nodes().vector());
    }

    std::unordered_map<std::uint32_t, std::uint32_t> counterpart_;  // by id
};

// The nodes of one part, in their order.
using PartNodes = std::vector<NodePtr>;

// Which nodes hang together.
class Connections {
public:
    explicit Connections(std::size_t nodes) : leader_(nodes) {
        for (std::size_t i = 0; i < nodes; ++i) leader_[i] = i;
    }
    // Of all nodes of its group the first.
    std::size_t leader(std::size_t node) {
        while (leader_[node] != node) node = leader_[node] = leader_[leader_[node]];
        return node;
    }
    void join(std::size_t a, std::size_t b) {
        a = leader(a);
        b = leader(b);
        leader_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> leader_;
};

}  // namespace

class PartsOfStates::Taker {
public:
    const IndependentParts& of(const ProgramPtr& program) {
        if (program == program_) return parts_;
        const bool same_dims = program_ && program_->dims == program->dims;
        if (!same_dims) {
            known_.clear();
            groups_.clear();
            parts_.clear();
        }
        std::vector<const Node*> nodes;
        nodes.reserve(program->graph->nodes().size());
        for (const NodePtr& node : program->graph->nodes()) nodes.push_back(node.get());
        if (!same_dims || parts_.empty() || !one_part_changes(*program, nodes)) take_apart(*program, nodes);
        program_ = program;
        nodes_ = std::move(nodes);
        return parts_;
    }

private:
    struct Known {
        PartNodes nodes;
        IndependentPart part;
    };

    std::size_t& group_of(const Node& node) { return number_of(node.id); }
    std::size_t& number_of(NodeId id) {
        if (id.value >= numbers_.size()) numbers_.resize(id.value + std::size_t{1});
        return numbers_[id.value];
    }
    // An output that is no operator's result is copied where the output stands.
    static bool is_copied(const Node& output, const Node& producer) {
        return output.is<Output>() && (output.inputs[0].first > 0 || producer.is<Input>());
    }

    // ---- all of it

    void take_apart(const BlockProgram& program, const std::vector<const Node*>& nodes) {
        std::unordered_map<const Node*, std::size_t> before;  // groups by their first nodes
        for (std::size_t i = 0; i < parts_.size(); ++i) before[groups_[i].front().get()] = i;
        const std::vector<PartNodes> old_groups = std::move(groups_);
        const IndependentParts old_parts = std::move(parts_);
        groups_.clear();
        parts_.clear();
        std::vector<PartNodes> groups = groups_in(program, nodes);
        if (groups.size() < 2) return;
        for (PartNodes& group : groups) {
            const auto old = before.find(group.front().get());
            const bool same = old != before.end() && old_groups[old->second] == group;
            parts_.push_back(same ? old_parts[old->second] : part_of(program, group));
            for (const NodePtr& node : group) group_of(*node) = groups_.size();
            groups_.push_back(std::move(group));
        }
    }

    // In the order of their kernels; none if the program cannot be taken apart.
    std::vector<PartNodes> groups_in(const BlockProgram& program, const std::vector<const Node*>& nodes) {
        Connections together(nodes.size());
        for (std::size_t place = 0; place < nodes.size(); ++place) {
            number_of(nodes[place]->id) = place;
            for (const ValueRef& ref : nodes[place]->inputs) {
                const std::size_t producer = number_of(ref.node);
                if (is_copied(*nodes[place], *nodes[producer])) return {};
                together.join(place, producer);
            }
        }
        constexpr std::size_t kNone = SIZE_MAX;
        std::vector<std::size_t> which(nodes.size(), kNone);  // of the groups to come, by leader
        std::size_t count = 0;
        for (std::size_t place = 0, last = kNone; place < nodes.size(); ++place) {
            if (!runs(*nodes[place])) continue;
            const std::size_t leader = together.leader(place);
            if (leader == last) continue;
            if (which[leader] != kNone) return {};  // another part's kernel stands in between
            which[leader] = count++;
            last = leader;
        }
        for (std::size_t place = 0; place < nodes.size(); ++place)  // inputs that nothing reads
            if (together.leader(place) == place && which[place] == kNone) which[place] = count++;
        if (count < 2) return {};
        std::vector<PartNodes> groups(count);
        std::size_t place = 0;
        for (const NodePtr& node : program.graph->nodes())
            groups[which[together.leader(place++)]].push_back(node);
        return groups;
    }

    IndependentPart part_of(const BlockProgram& program, const PartNodes& nodes) {
        const std::size_t hash = Likeness::hash(nodes);
        const auto [begin, end] = known_.equal_range(hash);
        for (auto known = begin; known != end; ++known)
            if (Likeness().alike(known->second.nodes, nodes)) return known->second.part;
        IndependentPart part{std::make_shared<const BlockProgram>(BlockProgram{
                                 program.dims, std::make_shared<const Graph>(nodes), program.next_id}),
                             ++made_};
        known_.emplace(hash, Known{nodes, part});
        return part;
    }

    // ---- one part

    // Whether `nodes` differ from those before in nodes of one part, which stays one: then that part is
    // another one, and all else is as it was.
    bool one_part_changes(const BlockProgram& program, const std::vector<const Node*>& nodes) {
        const auto [old_first, new_first] =
            std::mismatch(nodes_.begin(), nodes_.end(), nodes.begin(), nodes.end());
        auto old_last = nodes_.end();
        auto new_last = nodes.end();
        while (old_last != old_first && new_last != new_first && *(old_last - 1) == *(new_last - 1)) {
            --old_last;
            --new_last;
        }
        if (old_first == old_last) return false;
        const Stretch old{&*old_first, static_cast<std::size_t>(old_last - old_first)};
        const Stretch now{nodes.data() + (new_first - nodes.begin()),
                          static_cast<std::size_t>(new_last - new_first)};
        const std::size_t which = group_of(*old.front());
        std::optional<PartNodes> group =
            replaced(program, which, old, now, static_cast<std::size_t>(new_first - nodes.begin()));
        if (!group) return false;
        const bool within =
            std::all_of(old.begin(), old.end(), [&](const Node* node) { return group_of(*node) == which; }) &&
            std::any_of(old.begin(), old.end(), [](const Node* node) { return runs(*node); });
        for (const NodePtr& node : *group) group_of(*node) = which;
        if (!within && !in_order(nodes)) return false;
        parts_[which] = part_of(program, *group);
        groups_[which] = std::move(*group);
        return true;
    }

    using Stretch = std::span<const Node* const>;

    // The nodes of a part whose nodes in `old` have become those of `now`, which begins at `place`; none if
    // nodes of other parts have changed, too, or it is no part of its own any more.
    std::optional<PartNodes> replaced(const BlockProgram& program, std::size_t which, Stretch old,
                                      Stretch now, std::size_t place) {
        const PartNodes& before = groups_[which];
        const auto gone = std::find_if(before.begin(), before.end(),
                                       [&](const NodePtr& node) { return node.get() == old.front(); });
        PartNodes group(before.begin(), gone);
        std::size_t removed = 0;
        auto next = old.begin();  // of another part
        const auto skip_own = [&] {
            for (; next != old.end() && group_of(**next) == which; ++next) ++removed;
        };
        skip_own();
        for (std::size_t i = 0; i < now.size(); ++i) {
            if (next == old.end() || now[i] != *next) {
                group.push_back(program.graph->nodes()[place + i]);
                continue;
            }
            ++next;
            skip_own();
        }
        if (next != old.end() || static_cast<std::size_t>(before.end() - gone) < removed) return std::nullopt;
        group.insert(group.end(), gone + static_cast<std::ptrdiff_t>(removed), before.end());
        return hangs_together(group) ? std::optional(std::move(group)) : std::nullopt;
    }

    // Whether the kernels of each part stand together, in the order of groups_.
    bool in_order(const std::vector<const Node*>& nodes) {
        std::size_t last = 0;
        for (const Node* node : nodes) {
            if (!runs(*node)) continue;
            if (group_of(*node) < last) return false;
            last = group_of(*node);
        }
        return true;
    }

    static bool hangs_together(const PartNodes& group) {
        std::unordered_map<std::uint32_t, std::size_t> places;
        Connections together(group.size());
        bool any_runs = false;
        for (std::size_t place = 0; place < group.size(); ++place) {
            const Node& node = *group[place];
            places[node.id.value] = place;
            any_runs = any_runs || runs(node);
            for (const ValueRef& ref : node.inputs) {
                const auto producer = places.find(ref.node.value);
                if (producer == places.end() || is_copied(node, *group[producer->second])) return false;
                together.join(place, producer->second);
            }
        }
        for (std::size_t place = 0; place < group.size(); ++place)
            if (together.leader(place) != 0) return false;
        return any_runs;
    }

    ProgramPtr program_;  // that was asked for last,
    std::vector<const Node*> nodes_;
    std::vector<PartNodes> groups_;
    IndependentParts parts_;
    std::vector<std::size_t> numbers_;  // by id: the group; while it is taken apart the place
    std::unordered_multimap<std::size_t, Known> known_;  // by Likeness::hash()
    std::uint64_t made_ = 0;
};

PartsOfStates::PartsOfStates() : taker_(std::make_unique<Taker>()) {}
PartsOfStates::PartsOfStates(PartsOfStates&& other) noexcept = default;
PartsOfStates& PartsOfStates::operator=(PartsOfStates&& other) noexcept = default;
PartsOfStates::~PartsOfStates() = default;

const IndependentParts& PartsOfStates::of(const ProgramPtr& program) {
    return taker_->of(program);
}

BytesOfStates::BytesOfStates(const Form& form)
    : form_(form), moved_([form](const IndependentPart& part) {
          const State state(part.program, form);
          const Counts& counts = state.counts();
          return Moved{counts.inputs.bytes, counts.outputs.bytes, counts.intermediates.bytes};
      }) {}

std::int64_t BytesOfStates::of(const ProgramPtr& program) {
    if (program == last_) return bytes_of_last_;
    const IndependentParts& parts = taker_.of(program);
    if (!parts.empty()) return of(parts);
    const State state(program, form_);
    last_ = program;
    return bytes_of_last_ = state.counts().bytes();
}

std::int64_t BytesOfStates::of(const IndependentParts& parts) {
    Moved all;
    for (const IndependentPart& part : parts) {
        const Moved& moved = moved_(part);
        all.inputs = saturating_add(all.inputs, moved.inputs);
        all.outputs = saturating_add(all.outputs, moved.outputs);
        all.intermediates = saturating_add(all.intermediates, moved.intermediates);
    }
    return all.inputs + all.outputs + all.intermediates;
}

}  // namespace blockscope
