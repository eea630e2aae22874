#include "core/json/match_json.h"

#include "core/json/block_json.h"

namespace blockscope::json {
namespace {

constexpr std::size_t kMaxRoles = 64;

std::optional<std::vector<NodeId>> read_ids(const Reader& list, std::size_t most) {
    if (!list.array(0, most)) return std::nullopt;
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto id = list.at(i).integer(1, kMaxId);
        if (!id) return std::nullopt;
        ids.push_back(NodeId{static_cast<std::uint32_t>(*id)});
    }
    return ids;
}

const Rule* read_rule(const Reader& reader) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const Rule& rule : rules()) result.push_back(to_string(rule.id));
        return result;
    }();
    const auto index = reader.choice(names);
    return index ? &rules()[static_cast<std::size_t>(*index)] : nullptr;
}

bool read_roles(const Reader& list, Match& match) {
    if (!list.array(1, kMaxRoles)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader reader = list.at(i);
        if (!reader.object({"role", "node"})) return false;
        const auto name = reader.member("role").string(kMaxNameBytes);
        const auto node = reader.member("node").integer(1, kMaxId);
        if (!name || !node) return false;
        match.roles.push_back({*name, NodeId{static_cast<std::uint32_t>(*node)}});
    }
    return true;
}

}  // namespace

Value id_values(const std::vector<NodeId>& ids) {
    Array values;
    for (const NodeId id : ids) values.push_back(id.value);
    return values;
}

void add_match(Object& object, const Match& match, const DimTable& dims) {
    object.push_back({"rule", to_string(match.rule)});
    object.push_back({"path", id_values(match.path)});
    if (!dims.empty()) object.push_back({"dim", dim_value(match.dim, dims)});
    Array roles;
    for (const Role& role : match.roles) {
        roles.push_back(Object{{"role", role.name}, {"node", role.node.value}});
    }
    object.push_back({"roles", std::move(roles)});
}

std::optional<Match> read_match(const Reader& reader, const Dims& dims) {
    Match match;
    const Rule* rule = read_rule(reader.member("rule"));
    const auto path = read_ids(reader.member("path"), kMaxMapDepth);
    if (!rule || !path || !read_roles(reader.member("roles"), match)) return std::nullopt;
    match.rule = rule->id;
    match.path = *path;
    if (reader.has("dim")) {
        const auto dim = dims.find(reader.member("dim"));
        if (!dim) return std::nullopt;
        match.dim = *dim;
    }
    return match;
}

bool check_match(const Reader& reader, const BlockProgram& program, const Match& match) {
    const GraphPtr graph = graph_at(program, match.path);
    if (!graph) {
        reader.member("path").problem(
            "at this step the program has no maps with these ids inside each other");
        return false;
    }
    const GraphIndex index(*graph);
    for (std::size_t i = 0; i < match.roles.size(); ++i) {
        if (index.find(match.roles[i].node)) continue;
        const Reader roles = reader.member("roles");
        roles.at(i).problem("at this step the graph at the given path has no node " +
                            to_string(match.roles[i].node));
        return false;
    }
    if (applies({program.dims, index}, match)) return true;
    reader.problem("rule " + to_string(match.rule) +
                   " has no match with these roles and this dimension at this step");
    return false;
}

}  // namespace blockscope::json
