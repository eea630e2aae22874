#include "app/document/circuit_steps_json.h"
#include "app/document/document_json.h"
#include "core/json/block_json.h"
#include "core/json/match_json.h"

namespace blockscope {
namespace {

// One line each; a text that ends in a newline has an empty last one.
json::Array lines_of(const std::string& text) {
    json::Array lines;
    std::size_t start = 0;
    for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
        end = text.find('\n', start);
        lines.push_back(text.substr(start, end - start));
    }
    return lines;
}

json::Value branch_value(const Branch& branch) {
    return json::Object{
        {"id", branch.id}, {"name", branch.name}, {"tip", branch.tip}, {"stopped", branch.stopped}};
}

json::Value state_value(const HistoryState& state) {
    json::Object object = {{"id", state.id}};
    if (state.step) {
        object.push_back({"parent", state.parent});
        json::add_match(object, state.step->match, state.program->dims);
    }
    if (state.snapshot) object.push_back({"snapshot", json::Value(true)});
    if (state.tidy) object.push_back({"tidy", json::Value(true)});
    if (!state.note.empty()) object.push_back({"note", state.note});
    return object;
}

json::Object view_value(const SavedView& view) {
    json::Object object;
    if (view.camera)
        object.push_back(
            {"camera",
             json::Object{{"x", view.camera->x}, {"y", view.camera->y}, {"scale", view.camera->scale}}});
    if (!view.selection.empty()) object.push_back({"selection", json::id_values(view.selection)});
    if (view.edge) {
        json::Object edge = {{"node", view.edge->value.node.value}, {"port", view.edge->value.port}};
        if (view.edge->value.first > 0) edge.push_back({"first", view.edge->value.first});
        edge.push_back({"consumer", view.edge->consumer.value});
        object.push_back({"edge", std::move(edge)});
    }
    if (view.edge_labels) object.push_back({"edge_labels", json::Value(*view.edge_labels)});
    return object;
}

json::Value program_value(const BlockProgram& program) {
    json::Object object;
    json::add_block_program(object, program);
    return object;
}

}  // namespace

std::string write_document(const Content& content) {
    const History& history = content.history;
    json::Array branches;
    for (const Branch& branch : history.branches()) branches.push_back(branch_value(branch));
    json::Array states;
    for (const auto& [id, state] : history.states()) states.push_back(state_value(*state));
    json::Array compared;
    for (const StateId id : content.compared) compared.push_back(id);

    json::Object document = {{"format", kDocumentFormat}, {"version", 1}, {"name", content.name}};
    if (content.array)
        document.push_back({"source", lines_of(content.source)});
    else
        document.push_back({"program", program_value(*history.state(0).program)});
    document.push_back({"current", content.current});
    document.push_back({"branch", content.branch});
    document.push_back({"folds", json::id_values({content.folds.begin(), content.folds.end()})});
    document.push_back({"compared", std::move(compared)});
    if (content.baseline) document.push_back({"baseline", *content.baseline});
    if (!(content.view == SavedView())) document.push_back({"view", view_value(content.view)});
    document.push_back({"next_state", history.next_state()});
    document.push_back({"next_branch", history.next_branch()});
    document.push_back({"branches", std::move(branches)});
    document.push_back({"states", std::move(states)});
    add_circuit_steps(document, content);
    return json::print_rows(document, {"source", "branches", "states", "circuit"});
}

}  // namespace blockscope
