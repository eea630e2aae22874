// A listing beside the one it is compared with, as rows of text. No widgets.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/document/history.h"
#include "core/state/state.h"

namespace blockscope {

struct ListingRow {
    enum class Kind : std::uint8_t {
        Same,
        Added,
        Changed,  // the same node's line says something else, or stands elsewhere
        Removed,  // a line of the other listing
    } kind = Kind::Same;
    std::string text;
    int number = 0;  // of the line in its listing, from 1; 0 of removed ones
    NodeId node;     // of the state that is shown; of removed rows the other state's
    std::optional<ValueRef> value;
    bool gap = false;  // something that no row shows was removed directly before this one
};

struct ListingComparison {
    std::vector<ListingRow> rows;
    int added = 0, removed = 0, changed = 0;
    bool removed_at_end = false;  // like `gap`, behind the last row
};

struct StateLines {
    std::vector<ListingLine> lines;
    int exponentials = 0;  // that the numerically safe form rewrites
};
// The listing of a state. In a numerically safe form each line that the safety pass makes has the node of
// the state's source that it stands for.
StateLines state_lines(const State& state);

// `after` alone.
ListingComparison listing_rows(const std::vector<ListingLine>& after);
// `after` with what differs from `before`. Lines are the same if they read the same, renumbering apart, and
// their nodes are related (`ancestry` of both states, `before` first); of loads and stores the text decides.
// With `show_removed` the lines that went are rows of their own. `stopped` says whether nobody waits for the
// result any more: it then comes soon, and is worth nothing.
ListingComparison listing_rows(const std::vector<ListingLine>& before, const std::vector<ListingLine>& after,
                               const Ancestry& ancestry, bool show_removed,
                               const std::function<bool()>& stopped = {});

// The safe form's lines with the marks that those of the state itself have which they stand for (`own`):
// what a step did is the same in every form.
ListingComparison marked_as(const ListingComparison& own, const std::vector<ListingLine>& safe);

}  // namespace blockscope
