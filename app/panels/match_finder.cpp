#include "app/panels/match_finder.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "app/panels/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

// "the N-map n12 (dot)" without its article.
QString short_description(const Node& node, const DimTable& dims) {
    const QString text = in_words(describe(node, dims));
    return text.startsWith(QStringLiteral("the ")) ? text.mid(4) : text;
}

// The levels' indices, each made once.
class Levels {
public:
    explicit Levels(const BlockProgram& program) : program_(program) {}
    const GraphIndex& at(const std::vector<NodeId>& path) {
        auto found = levels_.find(path);
        if (found == levels_.end()) {
            const GraphPtr graph = graph_at(program_, path);
            found = levels_.emplace(path, std::pair{graph, GraphIndex(*graph)}).first;
        }
        return found->second.second;
    }

private:
    const BlockProgram& program_;
    std::map<std::vector<NodeId>, std::pair<GraphPtr, GraphIndex>> levels_;
};

MatchLine make_line(const BlockProgram& program, const GraphIndex& index, const Match& match) {
    const Level level{program.dims, index};
    QStringList nodes, roles;
    for (const Role& role : match.roles) {
        nodes << short_description(*index.find(role.node), program.dims);
        roles << in_words(role.name);
    }
    const QString arrow = QStringLiteral(" → ");
    return {match,
            nodes.join(arrow),
            roles.join(arrow),
            place_text(program, match.path),
            in_words(rule(match.rule).explain(level, match)),
            false};
}

// What the algorithm does first in this state.
std::optional<Match> next_match(const ProgramPtr& program) {
    const Trace trace = fuse(program, [](const Step&) { return false; });
    if (trace.steps.empty()) return std::nullopt;
    return trace.steps.front().match;
}

}  // namespace

std::vector<NodeId> nodes_of(const Match& match) {
    std::vector<NodeId> nodes;
    for (const Role& role : match.roles)
        if (std::find(nodes.begin(), nodes.end(), role.node) == nodes.end()) nodes.push_back(role.node);
    return nodes;
}

MatchReport find_matches(const ProgramPtr& program, const Stop& stop) {
    MatchReport report{program, {}};
    const StopSign sign = stop.sign();
    const std::vector<Match> matches = all_matches(*program, {}, sign);
    const std::optional<Match> next = next_match(program);
    Levels levels(*program);
    for (const Match& match : matches) {
        sign.check();
        report.lines.push_back(make_line(*program, levels.at(match.path), match));
        report.lines.back().next = match == next;
        stop.done(report.lines.size(), matches.size());
    }
    return report;
}

MatchFinder::MatchFinder(Document& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document, &Document::current_changed, this, &MatchFinder::refresh);
    connect(&work_, &Work::failed, this, &MatchFinder::give_up);
    refresh();
}

void MatchFinder::set_active(bool active) {
    active_ = active;
    if (active) refresh();
}

void MatchFinder::refresh() {
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
    if (!active_ || program == asked_) return;
    asked_ = program;
    trouble_.clear();
    if (!program) {
        work_.cancel();
        report_ = std::make_shared<MatchReport>();
        return Q_EMIT changed();
    }
    work_.start(tr("Looking for matches"), [this, program](const Stop& stop) -> Work::Finish {
        return [this, report = std::make_shared<const MatchReport>(find_matches(program, stop))] {
            report_ = report;
            Q_EMIT changed();
        };
    });
    Q_EMIT changed();
}

void MatchFinder::cancel() {
    work_.cancel();
    give_up(tr("Cancelled. Any step looks again."));
}

void MatchFinder::give_up(const QString& why) {
    asked_ = nullptr;
    report_ = std::make_shared<MatchReport>();
    trouble_ = why;
    Q_EMIT changed();
}

}  // namespace blockscope
