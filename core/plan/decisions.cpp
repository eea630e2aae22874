#include "core/plan/decisions.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace blockscope::plan {

namespace {

// Nodes of the smaller problem, and what they stand for. Kernels that are decided come first.
struct Contracted {
    std::vector<FusionGroup> members;  // by new node
    std::vector<int> new_node;         // by old one
    std::vector<bool> is_decided;      // by new node
    Dag dag;
};

Contracted contracted(const Dag& dag, const Decisions& made) {
    Contracted result;
    result.new_node.assign(slot(dag.nodes()), -1);
    const auto add = [&result](const FusionGroup& kernel, bool is_decided) {
        for (const int node : kernel) result.new_node[slot(node)] = static_cast<int>(result.members.size());
        result.members.push_back(kernel);
        result.is_decided.push_back(is_decided);
    };
    for (const FusionGroup& kernel : made.kernels) add(kernel, true);
    for (int node = 0; node < dag.nodes(); ++node)
        if (result.new_node[slot(node)] < 0) add({node}, false);
    for (const FusionGroup& members : result.members) {
        std::set<int> before, after;
        const int own = result.new_node[slot(members.front())];
        for (const int node : members) {
            for (const int from : dag.before[slot(node)]) before.insert(result.new_node[slot(from)]);
            for (const int to : dag.after[slot(node)]) after.insert(result.new_node[slot(to)]);
        }
        before.erase(own);
        after.erase(own);
        result.dag.before.emplace_back(before.begin(), before.end());
        result.dag.after.emplace_back(after.begin(), after.end());
    }
    return result;
}

// The old nodes that these new ones stand for.
FusionGroup all_members(const Contracted& contracted, const std::vector<int>& nodes) {
    FusionGroup all;
    for (const int node : nodes) {
        const FusionGroup& some = contracted.members[slot(node)];
        all.insert(all.end(), some.begin(), some.end());
    }
    std::sort(all.begin(), all.end());
    return all;
}

bool has(const FusionGroup& kernel, int node) {
    return std::binary_search(kernel.begin(), kernel.end(), node);
}

// Of the smaller problem: a kernel that is decided together with another node, or two that stay apart.
bool disobeys(const Contracted& contracted, const Decisions& made, const FusionGroup& kernel) {
    const auto is_decided = [&](int node) { return contracted.is_decided[slot(node)]; };
    if (kernel.size() > 1 && std::any_of(kernel.begin(), kernel.end(), is_decided)) return true;
    return std::any_of(made.apart.begin(), made.apart.end(), [&](const std::pair<int, int>& pair) {
        return has(kernel, contracted.new_node[slot(pair.first)]) &&
               has(kernel, contracted.new_node[slot(pair.second)]);
    });
}

}  // namespace

std::optional<Text> problem_with(const Dag& dag, const Decisions& made,
                                 const std::vector<std::string>& names) {
    std::set<int> seen;
    for (const FusionGroup& kernel : made.kernels) {
        if (!is_candidate(dag, kernel))
            return Text(
                "%1 cannot be one kernel: it falls into parts that do not read each other, or a path leaves "
                "it and comes back",
                names_of(kernel, names));
        for (const int node : kernel)
            if (!seen.insert(node).second) return Text("%1 cannot be in two kernels", names[slot(node)]);
    }
    for (const auto& [a, b] : made.apart) {
        if (a == b) return Text("%1 cannot be apart from itself", names[slot(a)]);
        for (const FusionGroup& kernel : made.kernels)
            if (has(kernel, a) && has(kernel, b))
                return Text("%1 and %2 cannot be apart and in one kernel", names[slot(a)], names[slot(b)]);
    }
    const Contracted smaller = contracted(dag, made);
    if (topological_order(smaller.dag).size() < smaller.members.size())
        return Text("these kernels cannot be launched one after the other: each waits for another");
    return std::nullopt;
}

Plan decided_plan(const Problem& problem, const Decisions& made, const Way& way) {
    const Contracted smaller = contracted(problem, made);
    Problem rest = problem;
    rest.alike.clear();  // what is decided of one branch is not decided of another
    static_cast<Dag&>(rest) = smaller.dag;
    const auto of_old = [&smaller](const auto& ask) {
        return [&smaller, &ask](const std::vector<int>& nodes) { return ask(all_members(smaller, nodes)); };
    };
    rest.cost = [&](const FusionGroup& kernel) {
        return disobeys(smaller, made, kernel) ? kNever : problem.cost(all_members(smaller, kernel));
    };
    rest.can_fuse = [&](const FusionGroup& kernel) {
        return !disobeys(smaller, made, kernel) && problem.can_fuse(all_members(smaller, kernel));
    };
    rest.bytes = of_old(problem.bytes);
    rest.bound = of_old(problem.bound);
    rest.least = of_old(problem.least);
    rest.too_large = [&](const FusionGroup& kernel) {
        return disobeys(smaller, made, kernel) || problem.too_large(all_members(smaller, kernel));
    };
    Plan plan = way.decide(rest);
    for (FusionGroup& kernel : plan.kernels) kernel = all_members(smaller, kernel);
    return plan;
}

namespace {

std::vector<std::string> parts_of(const std::string& text, char between) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, between);) {
        const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
        parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
    }
    return parts;
}

Result<std::vector<int>> nodes_of(const std::vector<std::string>& parts,
                                  const std::vector<std::string>& names) {
    std::vector<int> nodes;
    for (const std::string& part : parts) {
        const auto found = std::find(names.begin(), names.end(), part);
        if (found == names.end()) return blockscope::Problem{{}, Text("there is no operator %1", part)};
        nodes.push_back(static_cast<int>(found - names.begin()));
    }
    return nodes;
}

}  // namespace

Result<FusionGroup> read_kernel(const std::string& text, const std::vector<std::string>& names) {
    Result<FusionGroup> read = nodes_of(parts_of(text, ','), names);
    if (!read) return read;
    FusionGroup kernel = std::move(read).value();
    std::sort(kernel.begin(), kernel.end());
    if (kernel.empty() || std::adjacent_find(kernel.begin(), kernel.end()) != kernel.end())
        return blockscope::Problem{{}, Text("%1 is no list of different operators, as in A,B", text)};
    return kernel;
}

Result<std::pair<int, int>> read_pair(const std::string& text, const std::vector<std::string>& names) {
    const Result<std::vector<int>> read = nodes_of(parts_of(text, ':'), names);
    if (!read) return read.problems();
    if (read->size() != 2) return blockscope::Problem{{}, Text("%1 is not two operators, as in A:B", text)};
    return std::pair(read->front(), read->back());
}

}  // namespace blockscope::plan
