#include "core/graph/peeled.h"

#include <algorithm>
#include <set>

namespace blockscope {

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

}  // namespace blockscope
