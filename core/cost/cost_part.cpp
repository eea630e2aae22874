#include "core/cost/cost_part.h"

#include <algorithm>
#include <map>

namespace blockscope {

namespace {

void list(const Block& block, int outer, std::vector<ListedLine>& listed) {
    for (const Statement& statement : block) {
        const auto line = static_cast<int>(listed.size());
        listed.push_back({statement.node, line + 1, outer, &statement});
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) list((*loop)->body, line, listed);
        listed[static_cast<std::size_t>(line)].end = static_cast<int>(listed.size());
    }
}

// Temporaries that a line reads, and the one that it makes.
struct Temps {
    std::vector<Temp> read;
    std::optional<Temp> made;

    void operator()(const Load&) {}
    void operator()(const Store&) {}
    void operator()(const Compute& s) { read = s.args, made = s.to; }
    void operator()(const Evaluate& s) { read = s.args, made = s.to; }
    void operator()(const Accumulate& s) { read = s.args, made = s.to; }
    void operator()(const Initialise& s) { made = s.to; }
    void operator()(const Assign& s) { read = {s.from}, made = s.to; }
    void operator()(const CallMisc&) {}
    void operator()(const LoopPtr&) {}
};

}  // namespace

bool CostPart::meets(int first, int end) const {
    if (!lines) return true;
    const auto found = lines->lower_bound(first);
    return found != lines->end() && *found < end;
}

bool CostPart::has(const Term& term) const {
    if (!has_line(term.line)) return false;
    if (buffers && buffers->count(term.buffer) == 0) return false;
    return !value || (term.value && term.value->same_value(*value));
}

std::vector<ListedLine> listed_lines(const LoopProgram& program) {
    std::vector<ListedLine> listed;
    list(program.body, -1, listed);
    return listed;
}

std::set<int> lines_showing(const std::vector<ListedLine>& listed, const std::set<NodeId>& nodes,
                            bool loads) {
    std::set<int> lines;
    for (std::size_t i = 0; i < listed.size(); ++i)
        if (nodes.count(listed[i].node) > 0 && (loads || !std::get_if<Load>(&listed[i].statement->what)))
            for (int line = static_cast<int>(i); line < listed[i].end; ++line) lines.insert(line);
    return lines;
}

Transferring::Transferring(const std::vector<ListedLine>& listed) : users_(listed.size()) {
    std::map<int, std::vector<int>> readers;
    std::map<int, std::vector<int>> makers;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        Temps temps;
        std::visit(temps, listed[i].statement->what);
        for (const Temp temp : temps.read) readers[temp.id].push_back(static_cast<int>(i));
        if (temps.made) makers[temps.made->id].push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < listed.size(); ++i) {
        if (const auto* load = std::get_if<Load>(&listed[i].statement->what))
            users_[i] = readers[load->to.id];
        if (const auto* store = std::get_if<Store>(&listed[i].statement->what))
            users_[i] = makers[store->from.id];
    }
}

std::set<int> with_transfers(const std::vector<ListedLine>& listed, std::set<int> lines) {
    const Transferring transferring(listed);
    std::set<int> more;
    for (std::size_t i = 0; i < listed.size(); ++i) {
        const std::vector<int>& users = transferring.users(static_cast<int>(i));
        if (std::any_of(users.begin(), users.end(), [&](int user) { return lines.count(user) > 0; }))
            more.insert(static_cast<int>(i));
    }
    lines.merge(more);
    return lines;
}

}  // namespace blockscope
