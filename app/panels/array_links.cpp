#include "app/panels/array_links.h"

#include "app/document/ancestry.h"

namespace blockscope {

namespace {

constexpr int kQuickNodes = 1000;  // links of fewer nodes take a few milliseconds

using OpsOf = std::map<NodeId, std::set<int>>;

void add_inside(const Node& node, int op, OpsOf& ops) {
    ops[node.id].insert(op);
    if (const Map* map = node.as<Map>())
        for (const NodePtr& inner : map->body->nodes()) add_inside(*inner, op, ops);
}

void add_level(const Graph& graph, bool top_level, const Ancestry& ancestry, const OpsOf& initial,
               const StopSign& stop, ArrayLinks& links) {
    for (const NodePtr& node : graph.nodes()) {
        stop.check();
        const bool port = !top_level && (node->is<Input>() || node->is<Output>());
        for (const NodeId origin : ancestry.origins(node->id)) {
            const auto it = initial.find(origin);
            if (it == initial.end() || port) continue;
            links.ops[node->id].insert(it->second.begin(), it->second.end());
            if (node->is<Map>()) continue;
            for (const int op : it->second) links.nodes[op].insert(node->id);
        }
        if (const Map* map = node->as<Map>()) add_level(*map->body, false, ancestry, initial, stop, links);
    }
}

}  // namespace

ArrayLinks array_links(const Content& content, const StopSign& stop) {
    ArrayLinks links;
    if (!content.array) return links;
    const BlockProgram& initial = *content.history.state(0).program;
    OpsOf ops;
    for (const Origin& origin : content.origins)
        if (const Node* node = initial.graph->find(origin.node)) add_inside(*node, origin.op, ops);
    const Ancestry ancestry(content.history, 0, content.current, stop);
    add_level(*content.program()->graph, true, ancestry, ops, stop, links);
    if (content.current != 0) return links;
    links.nodes.clear();
    for (const Origin& origin : content.origins) links.nodes[origin.op].insert(origin.node);
    return links;
}

CurrentLinks::CurrentLinks(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::opened, this, &CurrentLinks::forget);
}

void CurrentLinks::forget() {
    background_.cancel();
    asked_ = nullptr;
    links_ = {};
    given_up_ = false;
}

CurrentLinks& CurrentLinks::of(Document& document) {
    if (auto* found = document.findChild<CurrentLinks*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new CurrentLinks(document);
}

const ArrayLinks& CurrentLinks::links() {
    const ProgramPtr program = document_.empty() ? nullptr : document_.content().program();
    if (program == asked_) return links_;
    forget();
    asked_ = program;
    if (!program || !document_.content().array) return links_;
    if (node_count(*program) < kQuickNodes) {
        links_ = array_links(document_.content());
        return links_;
    }
    background_.start(tr("Finding what belongs to which operator"),
                      [this, content = document_.snapshot()](const Stop& stop) -> Background::Finish {
                          return [this, links = array_links(*content, stop.sign())]() mutable {
                              links_ = std::move(links);
                              Q_EMIT found();
                          };
                      });
    return links_;
}

void CurrentLinks::cancel() {
    background_.cancel();
    given_up_ = true;
    Q_EMIT found();
}

void CurrentLinks::find_again() {
    forget();
    links();
    Q_EMIT found();
}

}  // namespace blockscope
