#include "app/panels/listing_rows.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/graph/node.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

using Lines = std::vector<ListingLine>;
using RowKind = ListingRow::Kind;

std::vector<std::string> normalised(const Lines& lines) {
    std::vector<std::string> texts;
    texts.reserve(lines.size());
    for (const ListingLine& line : lines) texts.push_back(without_numbers(line.text));
    return texts;
}

std::string_view unindented(std::string_view text) {
    const std::size_t start = text.find_first_not_of(' ');
    return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

const ListingLine& at(const Lines& lines, int index) {
    return lines[static_cast<std::size_t>(index)];
}

// Lines that went, each to be found by one that came and is the same line but for what changed: loads and
// stores by what they say, others by the nodes that theirs stands for (Ancestry::related). Of large programs
// tens of thousands of lines come and go at once.
class Gone {
public:
    void add_move(int line, std::string_view text) { moves_[text].push_back(line); }
    void add(int line, NodeId node, std::set<NodeId> origins) {
        origins.insert(node);
        for (const NodeId origin : origins) nodes_[origin].push_back(line);
    }
    // The first of them, which nobody else gets; -1 if there is none.
    int take_move(std::string_view text) { return take(first_of(moves_, text)); }
    int take(NodeId node, std::set<NodeId> origins) {
        origins.insert(node);
        int first = -1;
        for (const NodeId origin : origins) {
            const int line = first_of(nodes_, origin);
            if (line >= 0 && (first < 0 || line < first)) first = line;
        }
        return take(first);
    }

private:
    template <class Map, class Key>
    int first_of(Map& map, const Key& key) {
        const auto it = map.find(key);
        if (it == map.end()) return -1;
        std::deque<int>& lines = it->second;
        while (!lines.empty() && taken_.count(lines.front()) > 0) lines.pop_front();
        return lines.empty() ? -1 : lines.front();
    }
    int take(int line) {
        if (line >= 0) taken_.insert(line);
        return line;
    }

    std::unordered_map<std::string_view, std::deque<int>> moves_;
    std::map<NodeId, std::deque<int>> nodes_;
    std::unordered_set<int> taken_;
};

class Comparison {
public:
    Comparison(const Lines& before, const Lines& after, const Ancestry& ancestry, bool show_removed,
               const std::function<bool()>& stopped)
        : before_(before),
          after_(after),
          old_texts_(normalised(before)),
          new_texts_(normalised(after)),
          ancestry_(ancestry),
          show_removed_(show_removed),
          stopped_(stopped) {}

    ListingComparison run() {
        const auto same = [this](int x, int y) { return same_line(x, y); };
        const std::vector<LineChange> changes =
            diff_lines(static_cast<int>(before_.size()), static_cast<int>(after_.size()), same);
        pair(changes);
        for (const LineChange& change : changes) {
            if (change.kind == LineChange::Kind::Removed)
                add_removed(change.before);
            else if (change.kind == LineChange::Kind::Same)
                add_line(change.after, RowKind::Same);
            else
                add_line(change.after, changed_.count(change.after) > 0 ? RowKind::Changed : RowKind::Added);
        }
        result_.removed_at_end = gap_;
        return std::move(result_);
    }

private:
    bool same_line(int x, int y) const {
        if (stopped()) return true;  // so that the search ends at once
        if (old_texts_[static_cast<std::size_t>(x)] != new_texts_[static_cast<std::size_t>(y)]) return false;
        const ListingLine& line = at(after_, y);
        return line.value || ancestry_.related(at(before_, x).node, line.node);
    }

    bool stopped() const { return stopped_ && stopped_(); }

    Gone gone(const std::vector<LineChange>& changes) const {
        Gone gone;
        for (const LineChange& change : changes) {
            if (change.kind != LineChange::Kind::Removed) continue;
            const ListingLine& was = at(before_, change.before);
            if (was.value)
                gone.add_move(change.before, unindented(old_texts_[static_cast<std::size_t>(change.before)]));
            else
                gone.add(change.before, was.node, ancestry_.origins_in_a(was.node));
        }
        return gone;
    }

    // Lines that came, each with the first line that went and is the same line but for what changed.
    void pair(const std::vector<LineChange>& changes) {
        Gone lines = gone(changes);
        for (const LineChange& change : changes) {
            result_.removed += change.kind == LineChange::Kind::Removed;
            if (change.kind != LineChange::Kind::Added) continue;
            const ListingLine& is = at(after_, change.after);
            const int partner =
                is.value ? lines.take_move(unindented(new_texts_[static_cast<std::size_t>(change.after)]))
                         : lines.take(is.node, ancestry_.origins(is.node));
            if (partner < 0) {
                ++result_.added;
                continue;
            }
            ++result_.changed;
            changed_.insert(change.after);
            moved_.insert(partner);
        }
        result_.removed -= result_.changed;
    }

    void add_line(int y, RowKind kind) {
        const ListingLine& line = at(after_, y);
        result_.rows.push_back({.kind = kind,
                                .text = line.text,
                                .number = y + 1,
                                .node = line.node,
                                .value = line.value,
                                .gap = std::exchange(gap_, false)});
    }

    void add_removed(int x) {
        if (!show_removed_) {
            gap_ = gap_ || moved_.count(x) == 0;
            return;
        }
        const ListingLine& line = at(before_, x);
        result_.rows.push_back({.kind = RowKind::Removed,
                                .text = line.text,
                                .number = 0,
                                .node = line.node,
                                .value = line.value});
    }

    const Lines& before_;
    const Lines& after_;
    const std::vector<std::string> old_texts_, new_texts_;
    const Ancestry& ancestry_;
    const bool show_removed_;
    const std::function<bool()>& stopped_;
    std::set<int> changed_, moved_;  // lines that came and went as the same line
    bool gap_ = false;
    ListingComparison result_;
};

}  // namespace

StateLines state_lines(const State& state) {
    StateLines made{state.listing(), state.exponentials()};
    for (ListingLine& line : made.lines) {
        line.node = state.origin(line.node);
        if (made.exponentials > 0) line.value.reset();
    }
    return made;
}

ListingComparison listing_rows(const std::vector<ListingLine>& after) {
    ListingComparison result;
    int number = 0;
    for (const ListingLine& line : after)
        result.rows.push_back({.kind = RowKind::Same,
                               .text = line.text,
                               .number = ++number,
                               .node = line.node,
                               .value = line.value});
    return result;
}

ListingComparison listing_rows(const std::vector<ListingLine>& before, const std::vector<ListingLine>& after,
                               const Ancestry& ancestry, bool show_removed,
                               const std::function<bool()>& stopped) {
    return Comparison(before, after, ancestry, show_removed, stopped).run();
}

ListingComparison marked_as(const ListingComparison& own, const std::vector<ListingLine>& safe) {
    using Line = std::pair<NodeId, std::optional<ValueRef>>;
    std::map<Line, RowKind> kinds;
    for (const ListingRow& row : own.rows)
        if (row.kind != RowKind::Removed && row.kind != RowKind::Same)
            kinds[{row.node, row.value}] = row.kind;
    ListingComparison result = listing_rows(safe);
    for (ListingRow& row : result.rows) {
        const auto found = kinds.find({row.node, row.value});
        if (found == kinds.end()) continue;
        row.kind = found->second;
        ++(row.kind == RowKind::Added ? result.added : result.changed);
    }
    result.removed = own.removed;
    return result;
}

}  // namespace blockscope
