#include "app/panels/search.h"

#include <QRegularExpression>
#include <QString>
#include <algorithm>
#include <cctype>
#include <functional>
#include <sstream>

#include "core/print/label.h"

namespace blockscope {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

bool contains(const std::string& text, const std::string& part) {
    return lower(text).find(part) != std::string::npos;
}

// A node with what a query can ask about its surroundings.
struct Candidate {
    const Node& node;
    const GraphIndex& index;
    int position;
    const std::vector<std::string>& maps;  // dimensions of the maps around it
    const DimTable& dims;
};

std::string kind_name(const Node& node) {
    struct Names {
        std::string operator()(const Input&) const { return "input"; }
        std::string operator()(const Output&) const { return "output"; }
        std::string operator()(const Functional& f) const { return to_string(f.op); }
        std::string operator()(const Elementwise&) const { return "elementwise"; }
        std::string operator()(const Map&) const { return "map"; }
        std::string operator()(const Reduce& r) const { return r.op == ReduceOp::Sum ? "sum" : "max"; }
        std::string operator()(const Misc& m) const { return m.name; }
    };
    return std::visit(Names{}, node.kind);
}

bool is_buffered(const Candidate& candidate) {
    for (const GraphIndex::Use& use : candidate.index.uses(candidate.position)) {
        const Node& consumer = candidate.index.node(use.node);
        if (is_buffered(candidate.node, consumer, use.port, candidate.maps.empty())) return true;
    }
    return false;
}

bool has_type(const Candidate& candidate, const std::string& part) {
    return std::any_of(candidate.node.outputs.begin(), candidate.node.outputs.end(),
                       [&](const Type& type) { return contains(to_string(type, candidate.dims), part); });
}

bool in_map(const Candidate& candidate, const std::string& dim) {
    return std::any_of(candidate.maps.begin(), candidate.maps.end(),
                       [&](const std::string& around) { return lower(around) == dim; });
}

using Condition = std::function<bool(const Candidate&)>;

// Empty if `word` begins with "x:" for an x that means nothing.
Condition condition_of(const std::string& word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) {
        if (word == "buffered") return [](const Candidate& c) { return is_buffered(c); };
        return [word](const Candidate& c) {
            return to_string(c.node.id) == word || contains(label(c.node, c.dims), word);
        };
    }
    const std::string key = word.substr(0, colon);
    const std::string part = word.substr(colon + 1);
    if (key == "op") {
        return [part](const Candidate& c) {
            const bool formula = c.node.is<Elementwise>() && contains(label(c.node, c.dims), part);
            return formula || contains(kind_name(c.node), part);
        };
    }
    if (key == "type") return [part](const Candidate& c) { return has_type(c, part); };
    if (key == "in") return [part](const Candidate& c) { return in_map(c, part); };
    return {};
}

Result<Condition> conditions_of(const std::string& text) {
    std::vector<Condition> all;
    std::istringstream words(lower(text));
    std::string word;
    while (words >> word) {
        Condition condition = condition_of(word);
        if (!condition) {
            const auto column = static_cast<int>(lower(text).find(word)) + 1;
            return Problem{{{}, 1, column, {}},
                           "Found \"" + word + "\"; expected op:, type: or in: before the colon."};
        }
        all.push_back(std::move(condition));
    }
    return Condition([all = std::move(all)](const Candidate& c) {
        return std::all_of(all.begin(), all.end(), [&](const Condition& condition) { return condition(c); });
    });
}

Result<Condition> regular(const std::string& text) {
    const QRegularExpression expression(QString::fromStdString(text),
                                        QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        return Problem{{{}, 1, static_cast<int>(expression.patternErrorOffset()) + 1, {}},
                       "The regular expression is wrong at character " +
                           std::to_string(expression.patternErrorOffset() + 1) + ": " +
                           expression.errorString().toStdString() + "."};
    }
    return Condition([expression](const Candidate& c) {
        return expression.match(QString::fromStdString(describe_for_search(c.node, c.dims))).hasMatch();
    });
}

class Search {
public:
    Search(const BlockProgram& program, const Condition& condition)
        : dims_(program.dims), condition_(condition) {
        level(*program.graph);
    }
    std::vector<NodeId> found;

private:
    void level(const Graph& graph) {
        const GraphIndex index(graph);
        for (int position = 0; position < index.size(); ++position) {
            const Node& node = index.node(position);
            const bool port = !maps_.empty() && (node.is<Input>() || node.is<Output>());
            if (!port && condition_({node, index, position, maps_, dims_})) found.push_back(node.id);
            const Map* map = node.as<Map>();
            if (!map) continue;
            maps_.push_back(dims_.at(map->dim.value).name);
            level(*map->body);
            maps_.pop_back();
        }
    }

    const DimTable& dims_;
    const Condition& condition_;
    std::vector<std::string> maps_;
};

}  // namespace

std::string describe_for_search(const Node& node, const DimTable& dims) {
    std::string text = to_string(node.id) + " " + label(node, dims);
    for (const Type& type : node.outputs) text += " " + to_string(type, dims);
    return text;
}

Result<std::vector<NodeId>> search(const BlockProgram& program, const SearchQuery& query) {
    if (query.text.find_first_not_of(" \t") == std::string::npos) return std::vector<NodeId>{};
    Result<Condition> condition = query.regular ? regular(query.text) : conditions_of(query.text);
    if (!condition) return condition.problems();
    return Search(program, *condition).found;
}

}  // namespace blockscope
