#include "core/measure/record.h"

#include <algorithm>
#include <unordered_map>

#include "core/json/json_io.h"

namespace blockscope::measure {
namespace {

// Gives all nodes new numbers in the order in which they stand, from 1, across all levels.
class Renumbering {
public:
    GraphPtr graph(const Graph& graph) {
        for (const NodePtr& node : graph.nodes()) ids_[node->id.value] = ++last_;
        std::vector<NodePtr> nodes;
        for (const NodePtr& node : graph.nodes()) nodes.push_back(renumbered(*node));
        return std::make_shared<const Graph>(std::move(nodes));
    }
    std::uint32_t last() const { return last_; }

private:
    NodePtr renumbered(const Node& node) {
        Node copy = node;
        copy.id = NodeId{ids_.at(node.id.value)};
        for (ValueRef& input : copy.inputs) input.node = NodeId{ids_.at(input.node.value)};
        if (auto* map = std::get_if<Map>(&copy.kind)) map->body = graph(*map->body);
        return std::make_shared<const Node>(std::move(copy));
    }

    std::unordered_map<std::uint32_t, std::uint32_t> ids_;
    std::uint32_t last_ = 0;
};

// FNV-1a, 64 bits.
std::string hashed(const std::string& text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    constexpr char kDigits[] = "0123456789abcdef";
    std::string result(16, '0');
    for (std::size_t i = 16; i-- > 0; hash >>= 4U) result[i] = kDigits[hash & 15U];
    return result;
}

std::string dims_text(const DimTable& dims) {
    std::string text;
    for (const Dim& dim : dims)
        text += dim.name + "=" + std::to_string(dim.size) + "/" + std::to_string(dim.block) + ";";
    return text;
}

std::string size_text(const Dim& dim) {
    return std::to_string(dim.size) + "/" + std::to_string(dim.block);
}

// Of dimensions that both have, by name: an edited program may have others.
void add_sizes(const DimTable& measured, const DimTable& now, std::vector<Text>& reasons) {
    bool first = true;
    for (const Dim& dim : now) {
        const auto was = std::find_if(measured.begin(), measured.end(),
                                      [&](const Dim& other) { return other.name == dim.name; });
        if (was == measured.end() || (was->size == dim.size && was->block == dim.block)) continue;
        reasons.push_back(
            first ? Text("The sizes differ: %1 was %2 and is %3.", dim.name, size_text(*was), size_text(dim))
                  : Text("%1 was %2 and is %3.", dim.name, size_text(*was), size_text(dim)));
        first = false;
    }
}

}  // namespace

std::string structure_key(const BlockProgram& program) {
    BlockProgram plain = program;
    for (Dim& dim : plain.dims) dim.size = dim.block = 1;
    Renumbering renumbering;
    plain.graph = renumbering.graph(*program.graph);
    plain.next_id = renumbering.last() + 1;
    return hashed(write_json(plain));
}

std::string subject_key(const Subject& subject) {
    return hashed(subject.program_key + "|" + subject.state_key + "|" + dims_text(subject.dims) + "|" +
                  subject.elem + "|" + subject.device + "|" + subject.machine + "|" +
                  std::to_string(subject.threads));
}

std::vector<Text> stale_reasons(const Subject& measured, const Subject& now) {
    std::vector<Text> reasons;
    if (measured.program_key != now.program_key)
        reasons.emplace_back(Text("The program has changed."));
    else if (measured.state_key != now.state_key)
        reasons.emplace_back(Text("The state has changed."));
    add_sizes(measured.dims, now.dims, reasons);
    if (reasons.empty() && dims_text(measured.dims) != dims_text(now.dims))
        reasons.emplace_back(Text("The dimensions differ."));
    if (measured.elem != now.elem) reasons.push_back(Text("The type differs: it was %1.", measured.elem));
    if (measured.device != now.device)
        reasons.push_back(Text("It was measured on another device: %1.", measured.device));
    if (measured.machine != now.machine)
        reasons.push_back(Text("It was measured on another machine: %1.", measured.machine));
    if (measured.threads != now.threads) reasons.emplace_back(Text("The number of threads differs."));
    return reasons;
}

}  // namespace blockscope::measure
