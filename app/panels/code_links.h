// Lines of code and the nodes that they are of light each other: of the listing, of CUDA.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "app/document/document.h"
#include "app/panels/code_view.h"
#include "app/panels/program_links.h"

namespace blockscope {

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
