#include "core/rules/rule.h"

#include <algorithm>
#include <charconv>
#include <deque>

#include "core/support/result.h"

namespace blockscope {

// The rules, each in a file of its own or with its twin; their order here is that of lists.
Rule rule_1();
Rule rule_2();
Rule rule_3();
Rule rule_4();
Rule rule_5();
Rule rule_6(char variant);  // 'a', 'b', 'c'
Rule rule_7(char variant);
Rule rule_8();
Rule rule_8_shift();
Rule rule_9();
// Additions.
Rule rule_10();
Rule rule_11();
Rule rule_12();
Rule rule_13();
Rule rule_14();

const std::vector<Rule>& rules() {
    static const std::vector<Rule> kRules = {
        rule_1(),    rule_2(),    rule_3(),    rule_4(),    rule_5(), rule_6('a'),    rule_6('b'),
        rule_6('c'), rule_7('a'), rule_7('b'), rule_7('c'), rule_8(), rule_8_shift(), rule_9(),
        rule_10(),   rule_11(),   rule_12(),   rule_13(),   rule_14()};
    return kRules;
}

std::string rule_numbers() {
    return std::to_string(rules().front().id.number) + " .. " + std::to_string(rules().back().id.number);
}

std::string to_string(RuleSet set) {
    if (!set.additions) return "paper";
    return set.rounding ? "extended with rounding" : "extended";
}

std::string to_string(RuleId id) {
    return std::to_string(id.number) + (id.variant ? std::string(1, id.variant) : "");
}

std::optional<RuleId> parse_rule_id(const std::string& text) {
    if (text.empty() || text[0] < '1' || text[0] > '9') return std::nullopt;  // no sign, no zeros
    RuleId id;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, id.number);
    if (error != std::errc() || end - rest > 1) return std::nullopt;
    if (rest != end) id.variant = *rest;
    for (const Rule& rule : rules())
        if (rule.id == id || (id.variant == 0 && rule.id.number == id.number)) return id;
    return std::nullopt;
}

NodeId Match::role(const std::string& name) const {
    for (const Role& role : roles)
        if (role.name == name) return role.node;
    throw InternalError("the match of rule " + to_string(rule) + " has no " + name);
}

const Rule& rule(RuleId id) {
    for (const Rule& rule : rules())
        if (rule.id == id) return rule;
    throw InternalError("there is no rule " + to_string(id));
}

std::vector<Match> matches_in(const Rule& rule, const Level& level, const std::vector<NodeId>& path) {
    std::vector<Match> matches;
    for (const NodePtr& node : level.index.graph().nodes()) {
        level.stop.check();
        rule.matches_at(level, level.index.position(node->id), matches);
    }
    for (Match& match : matches) match.path = path;
    return matches;
}

namespace {

bool wanted(const Rule& rule, const MatchFilter& filter) {
    if (!filter.rule) return true;
    return rule.id.number == filter.rule->number &&
           (filter.rule->variant == 0 || filter.rule->variant == rule.id.variant);
}

}  // namespace

std::vector<Match> all_matches(const BlockProgram& program, const MatchFilter& filter, const StopSign& stop) {
    std::vector<Match> found;
    std::deque<std::pair<GraphPtr, std::vector<NodeId>>> queue{{program.graph, {}}};
    for (; !queue.empty(); queue.pop_front()) {
        const GraphPtr graph = queue.front().first;
        const std::vector<NodeId> path = queue.front().second;
        for (const NodePtr& node : graph->nodes()) {
            const Map* map = node->as<Map>();
            if (!map) continue;
            queue.emplace_back(map->body, path);
            queue.back().second.push_back(node->id);
        }
        if (filter.path && *filter.path != path) continue;
        const GraphIndex index(*graph);
        const Level level{program.dims, index, stop};
        for (const Rule& rule : rules()) {
            if (!wanted(rule, filter)) continue;
            for (Match& match : matches_in(rule, level, path))
                if (!filter.dim || match.dim == *filter.dim) found.push_back(std::move(match));
        }
    }
    return found;
}

bool applies(const Level& level, const Match& match) {
    // A match is anchored at one of its nodes; which one is the rule's affair.
    for (const Role& role : match.roles)
        if (!level.index.find(role.node)) return false;
    for (const Role& role : match.roles) {
        std::vector<Match> found;
        rule(match.rule).matches_at(level, level.index.position(role.node), found);
        for (Match& other : found) other.path = match.path;
        if (std::find(found.begin(), found.end(), match) != found.end()) return true;
    }
    return false;
}

bool applies(const BlockProgram& program, const Match& match) {
    const GraphPtr graph = graph_at(program, match.path);
    return graph && applies(Level{program.dims, GraphIndex(*graph)}, match);
}

}  // namespace blockscope
