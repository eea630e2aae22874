#include "app/cli/selection.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <utility>

#include "app/cli/terminal.h"

namespace blockscope::cli {

namespace {

NodeId parse_node(const std::string& text) {
    NodeId id;
    const char* const end = text.data() + text.size();
    if (text.size() > 1 && text[0] == 'n') {
        const auto [rest, error] = std::from_chars(text.data() + 1, end, id.value);
        if (error == std::errc{} && rest == end && id) return id;
    }
    throw UsageError("'" + text +
                     "' is no node; nodes are written n1, n2, ... (see `blockscope-cli matches`)");
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t start = 0;
    for (std::size_t at = text.find(separator); at != std::string::npos; at = text.find(separator, start)) {
        parts.push_back(text.substr(start, at - start));
        start = at + 1;
    }
    parts.push_back(text.substr(start));
    return parts;
}

std::vector<NodeId> parse_nodes(const std::string& text, char separator) {
    std::vector<NodeId> nodes;
    for (const std::string& part : split(text, separator)) nodes.push_back(parse_node(part));
    return nodes;
}

bool includes(const Match& match, const std::vector<NodeId>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId node) {
        return std::any_of(match.roles.begin(), match.roles.end(),
                           [&](const Role& role) { return role.node == node; });
    });
}

bool consists_of(const Match& match, const std::vector<NodeId>& nodes) {
    return includes(match, nodes) &&
           std::all_of(match.roles.begin(), match.roles.end(), [&](const Role& role) {
               return std::find(nodes.begin(), nodes.end(), role.node) != nodes.end();
           });
}

std::string refusals(const BlockProgram& program, RuleId rule, const Selection& selection) {
    std::string sentences;
    for (const RuleId variant : variants(rule)) {
        const auto refusal = diagnose(program, variant, selection);
        if (refusal) sentences += "\n  rule " + to_string(variant) + ": " + refusal->sentence.str();
    }
    return sentences;
}

std::int64_t parsed_size(const std::string& text, const std::string& whole) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole_number = end == text.data() + text.size() && !text.empty();
    if (whole_number && (error == std::errc::result_out_of_range || value > INT32_MAX))
        throw UsageError("'" + whole + "': a size is at most " + std::to_string(INT32_MAX));
    if (error != std::errc() || !whole_number || value < 1)
        throw UsageError("'" + whole +
                         "' is no size; expected NAME=SIZE or NAME=SIZE/BLOCK, as in M=8192/64");
    return value;
}

void set(DimTable& dims, const BlockNeeds& needs, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto dim = std::find_if(dims.begin(), dims.end(), [&](const Dim& d) { return d.name == name; });
    if (equals == std::string::npos || equals == 0) parsed_size("", text);
    if (dim == dims.end()) throw UsageError("the program has no dimension " + name);
    const std::size_t slash = text.find('/', equals);
    const bool block = slash != std::string::npos;
    dim->size = parsed_size(text.substr(equals + 1, block ? slash - equals - 1 : std::string::npos), text);
    if (block) dim->block = parsed_size(text.substr(slash + 1), text);
    const BlockNeed need = need_of(needs, static_cast<std::size_t>(dim - dims.begin()));
    if (!block) dim->block = need == BlockNeed::Whole ? dim->size : std::min(dim->block, dim->size);
    if (dim->block > dim->size) throw UsageError("'" + text + "': a block is larger than the dimension");
    if (dim->kind != DimKind::Blocked && dim->block != 1)
        throw UsageError("'" + text + "': blocks of a batch dimension have size 1");
    if (!meets(*dim, need))
        throw UsageError("'" + text + "': the program needs " + dim->name + " in " + described(need));
}

}  // namespace

std::string to_string(const std::vector<NodeId>& path) {
    if (path.empty()) return "/";
    std::string text;
    for (const NodeId id : path) text += "/" + blockscope::to_string(id);
    return text;
}

std::vector<NodeId> find_path_argument(const BlockProgram& program, const std::string& text) {
    if (text == "/") return {};
    std::vector<NodeId> path = parse_nodes(text.substr(text[0] == '/' ? 1 : 0), '/');
    if (graph_at(program, path) == nullptr)
        throw UsageError("there is no path of maps " + text + " in this state");
    return path;
}

Selection find_selection(const BlockProgram& program, const std::string& text) {
    const std::size_t slash = text.rfind('/');
    const std::string last = slash == std::string::npos ? text : text.substr(slash + 1);
    auto found = find_level(program, parse_nodes(last, ','));
    if (const Refusal* refusal = std::get_if<Refusal>(&found)) throw UsageError(refusal->sentence.str());
    Selection selection = std::get<LevelNodes>(std::move(found));
    if (slash != std::string::npos) {
        const std::string given = slash == 0 ? "/" : text.substr(0, slash);
        if (find_path_argument(program, given) != selection.path) {
            throw UsageError(blockscope::to_string(selection.nodes.front()) + " is at " +
                             to_string(selection.path) + ", not at " + given);
        }
    }
    return selection;
}

RuleId find_rule(const std::string& text) {
    const auto id = parse_rule_id(text);
    if (!id || variants(*id).empty()) {
        throw UsageError("there is no rule '" + text + "'; `blockscope-cli rules` lists all of them");
    }
    return *id;
}

DimId find_dim(const BlockProgram& program, const std::string& name) {
    for (std::size_t i = 0; i < program.dims.size(); ++i) {
        if (program.dims[i].name == name) return DimId{static_cast<std::uint16_t>(i)};
    }
    throw UsageError("the program has no dimension '" + name + "'");
}

Match find_match(const BlockProgram& program, const std::string& choice) {
    const std::size_t at = choice.find('@');
    if (at == std::string::npos)
        throw UsageError("'" + choice + "' is not of the form RULE@NODES, as in 1@n3,n5");
    const RuleId rule = find_rule(choice.substr(0, at));
    const Selection selection = find_selection(program, choice.substr(at + 1));
    const auto matches = all_matches(program, {rule, {}, selection.path});
    std::vector<Match> including;
    for (const Match& match : matches) {
        if (consists_of(match, selection.nodes)) return match;
        if (includes(match, selection.nodes)) including.push_back(match);
    }
    if (including.size() == 1) return including.front();
    if (including.empty()) {
        throw UsageError("rule " + to_string(rule) + " has no match at " + choice.substr(at + 1) +
                         refusals(program, rule, selection));
    }
    std::string candidates;
    for (const Match& match : including) candidates += "\n  " + selector(match);
    throw UsageError(choice + " could be any of" + candidates);
}

std::string selector(const Match& match) {
    std::string text = to_string(match.rule) + "@";
    for (const NodeId id : match.path) text += "/" + blockscope::to_string(id);
    if (!match.path.empty()) text += "/";
    std::vector<NodeId> nodes;
    for (const Role& role : match.roles) {
        if (std::find(nodes.begin(), nodes.end(), role.node) == nodes.end()) nodes.push_back(role.node);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        text += (i == 0 ? "" : ",") + blockscope::to_string(nodes[i]);
    return text;
}

std::string where(const BlockProgram& program, const std::vector<NodeId>& path) {
    if (path.empty()) return "top";
    std::string text;
    for (const std::string& name : path_dims(program, path)) text += (text.empty() ? "" : "/") + name;
    return text;
}

namespace {

std::pair<std::string, std::string> names_in(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
        throw UsageError("'" + text + "' does not say which dimensions are the same; expected D=L");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

const std::string& symbol_of(const circuit::Axis& axis) {
    return axis.symbol.empty() ? axis.name : axis.symbol;
}

const circuit::Axis& axis_called(const circuit::Axes& axes, const std::string& name) {
    const auto found = std::find_if(axes.begin(), axes.end(), [&](const circuit::Axis& axis) {
        return !axis.name.empty() && symbol_of(axis) == name;
    });
    if (found == axes.end()) throw UsageError("there is no axis '" + name + "'");
    return *found;
}

}  // namespace

std::pair<DimId, DimId> same_dims(const BlockProgram& program, const std::string& text) {
    const auto [kept_name, other_name] = names_in(text);
    const DimId kept = find_dim(program, kept_name);
    const DimId other = find_dim(program, other_name);
    const Dim& a = program.dims[kept.value];
    const Dim& b = program.dims[other.value];
    if (a.size != b.size || a.block != b.block)
        throw UsageError("'" + text + "': " + a.name + " and " + b.name +
                         " are not the same: they have other sizes or block sizes");
    return {kept, other};
}

void write_alike(circuit::Axes& axes, const std::vector<std::string>& same) {
    for (const std::string& text : same) {
        const auto [kept, other] = names_in(text);
        if (axis_called(axes, kept).size != axis_called(axes, other).size)
            throw UsageError("'" + text + "': " + kept + " and " + other + " have other sizes");
        for (circuit::Axis& axis : axes)
            if (!axis.name.empty() && symbol_of(axis) == other) axis.symbol = kept;
    }
}

ProgramPtr resized(const ProgramPtr& program, const std::vector<std::string>& sizes) {
    BlockProgram result = *program;
    const BlockNeeds needs = block_needs(result);
    for (const std::string& size : sizes) set(result.dims, needs, size);
    return std::make_shared<const BlockProgram>(std::move(result));
}

}  // namespace blockscope::cli
