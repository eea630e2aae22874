// Where each node of a program is, and which names at different levels mean one value.
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/document/document.h"
#include "app/shell/code_view.h"

namespace blockscope {

class ProgramLinks {
public:
    ProgramLinks() = default;
    explicit ProgramLinks(ProgramPtr program);

    const BlockProgram* program() const { return program_.get(); }
    const Node* find(NodeId id) const;
    // The map whose body holds the node; none at the top level.
    NodeId parent(NodeId id) const;
    // The maps around the node, outermost first.
    std::vector<NodeId> path(NodeId id) const;

    // The output of the operator or program input that makes the value, through all ports of maps.
    ValueRef origin(const ValueRef& value) const;
    // Some consumer of the value at its own level.
    NodeId user(const ValueRef& value) const;

    // What to light for a line that shows `node` and, if it is a load or store, moves `value`.
    Spot spot(NodeId node, const std::optional<ValueRef>& value) const;
    // The values that `spot` means: its edge's, and those of program inputs, outputs and ports among its
    // nodes.
    std::vector<ValueRef> origins(const Spot& spot) const;

private:
    void add_level(const Graph& graph, const Node* map);

    ProgramPtr program_;
    struct Where {
        NodePtr node;
        NodeId parent;
    };
    std::unordered_map<std::uint32_t, Where> nodes_;
    std::map<ValueRef, ValueRef> through_;  // from a port to what it passes on
    std::map<ValueRef, NodeId> users_;
};

// Lines of code and the nodes that they are of light each other: of the listing, of CUDA.

class CodeLinks : public QObject {
    Q_OBJECT

public:
    struct Line {
        NodeId node;                    // none: the line is of no node
        std::optional<ValueRef> value;  // that the line moves
        bool gone = false;              // of another state: points at its node, but is not lit
    };
    // Belongs to the view.
    CodeLinks(Document& document, CodeView& view);

    // The view shows these lines of that program from now on, or is about to: refresh() once it does.
    void show(ProgramLinks program, std::vector<Line> lines);
    const ProgramLinks& program() const { return program_; }
    // Lights what is pointed at, selected and glowing, and brings what is selected into sight.
    void refresh();
    void relight();

private:
    Spot spot_of(int line) const;
    void light(const Spot& spot, CodeView::Light how, std::map<int, CodeView::Light>& lights) const;
    void scroll_to_selection();

    Document& document_;
    CodeView& view_;
    ProgramLinks program_;
    std::vector<Line> lines_;
    bool selecting_ = false;  // the selection comes from here
};

}  // namespace blockscope
