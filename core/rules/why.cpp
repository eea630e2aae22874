#include "core/rules/why.h"

#include <algorithm>

namespace blockscope {

Selection select(const Level& level, const std::vector<NodeId>& nodes, std::size_t least, std::size_t most,
                 const std::string& needs) {
    Selection selection;
    for (const NodeId id : nodes) {
        const int at = level.index.position(id);
        if (at < 0) {
            selection.refusal = {
                to_string(id) + " is not in this graph; a rule sees one level of the hierarchy at a time",
                {id}};
            return selection;
        }
        selection.positions.push_back(at);
    }
    std::sort(selection.positions.begin(), selection.positions.end());
    selection.positions.erase(std::unique(selection.positions.begin(), selection.positions.end()),
                              selection.positions.end());
    if (selection.positions.size() < least || selection.positions.size() > most)
        selection.refusal = {"the rule needs " + needs, nodes};
    return selection;
}

}  // namespace blockscope
