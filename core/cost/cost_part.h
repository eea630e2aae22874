// A part of a state that a number is about: some lines of its listing, one edge, some arrays.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "core/cost/terms.h"

namespace blockscope {

// What is not given does not limit: an empty part is all of the state.
struct CostPart {
    std::optional<std::set<int>> lines;    // of the listing, from 0
    std::optional<std::set<int>> buffers;  // loads from them and stores to them; nothing else
    std::optional<ValueRef> value;         // loads and stores of this value; nothing else

    bool all() const { return !lines && !buffers && !value; }
    bool has_line(int line) const { return !lines || lines->count(line) > 0; }
    // Whether one of the lines from `first` to before `end` is of the part.
    bool meets(int first, int end) const;
    bool has(const Term& term) const;
};

// The lines of a listing in a row, each with what stands in it.
struct ListedLine {
    NodeId node;                           // that it shows
    int end = 0;                           // behind the last line that stands in it
    int outer = -1;                        // the loop that it stands in
    const Statement* statement = nullptr;  // of the program, which has to outlive this
};
std::vector<ListedLine> listed_lines(const LoopProgram& program);

// Lines that show one of the nodes, with all that stands in them. A load shows where its value comes from;
// `loads` says whether that counts.
std::set<int> lines_showing(const std::vector<ListedLine>& listed, const std::set<NodeId>& nodes,
                            bool loads = true);

// Which lines belong to an operator's or a map's transfers although they show something else: the loads of
// what it reads and the stores of what it makes.
class Transferring {
public:
    explicit Transferring(const std::vector<ListedLine>& listed);
    // Lines that read what line `load` loads, or make what it stores; none of other lines.
    const std::vector<int>& users(int line) const { return users_.at(static_cast<std::size_t>(line)); }

private:
    std::vector<std::vector<int>> users_;
};
// `lines`, and the loads and stores of theirs.
std::set<int> with_transfers(const std::vector<ListedLine>& listed, std::set<int> lines);

}  // namespace blockscope
