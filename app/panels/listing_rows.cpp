#include "app/panels/listing_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/loops/loop_program.h"
#include "core/print/line_diff.h"
#include "core/safety/safety.h"

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

class Comparison {
public:
    Comparison(const Lines& before, const Lines& after, const Ancestry& ancestry, bool show_removed)
        : before_(before),
          after_(after),
          old_texts_(normalised(before)),
          new_texts_(normalised(after)),
          ancestry_(ancestry),
          show_removed_(show_removed) {}

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
        if (old_texts_[static_cast<std::size_t>(x)] != new_texts_[static_cast<std::size_t>(y)]) return false;
        const ListingLine& line = at(after_, y);
        return line.value || ancestry_.related(at(before_, x).node, line.node);
    }

    // Whether a line that went and one that came are one line that changed.
    bool counterpart(int x, int y) const {
        const ListingLine& was = at(before_, x);
        const ListingLine& is = at(after_, y);
        if (was.value.has_value() != is.value.has_value()) return false;
        if (is.value) {
            return unindented(old_texts_[static_cast<std::size_t>(x)]) ==
                   unindented(new_texts_[static_cast<std::size_t>(y)]);
        }
        return ancestry_.related(was.node, is.node);
    }

    // Lines that came, each with the first line that went and is the same line but for what changed.
    void pair(const std::vector<LineChange>& changes) {
        std::vector<int> removed;
        for (const LineChange& change : changes)
            if (change.kind == LineChange::Kind::Removed) removed.push_back(change.before);
        for (const LineChange& change : changes) {
            if (change.kind != LineChange::Kind::Added) continue;
            const auto partner = std::find_if(removed.begin(), removed.end(),
                                              [&](int x) { return counterpart(x, change.after); });
            if (partner == removed.end()) {
                ++result_.added;
                continue;
            }
            ++result_.changed;
            changed_.insert(change.after);
            moved_.insert(*partner);
            removed.erase(partner);
        }
        result_.removed = static_cast<int>(removed.size());
    }

    void add_line(int y, RowKind kind) {
        const ListingLine& line = at(after_, y);
        result_.rows.push_back({kind, line.text, y + 1, line.node, line.value, std::exchange(gap_, false)});
    }

    void add_removed(int x) {
        if (!show_removed_) {
            gap_ = gap_ || moved_.count(x) == 0;
            return;
        }
        const ListingLine& line = at(before_, x);
        result_.rows.push_back({RowKind::Removed, line.text, 0, line.node, line.value, false});
    }

    const Lines& before_;
    const Lines& after_;
    const std::vector<std::string> old_texts_, new_texts_;
    const Ancestry& ancestry_;
    const bool show_removed_;
    std::set<int> changed_, moved_;  // lines that came and went as the same line
    bool gap_ = false;
    ListingComparison result_;
};

}  // namespace

StateLines state_lines(const BlockProgram& program, bool safe) {
    if (!safe) return {listing_lines(lower(program)), 0};
    const SafeProgram made = make_safe(program);
    std::vector<ListingLine> lines = listing_lines(lower(made.program));
    std::map<NodeId, NodeId> from;
    for (const Lineage& lineage : made.made)
        if (!lineage.from.empty()) from[lineage.made] = lineage.from.front();
    for (ListingLine& line : lines) {
        // What the pass makes may be made anew by its later parts.
        for (auto it = from.find(line.node); it != from.end(); it = from.find(line.node)) {
            if (it->second == line.node) break;
            line.node = it->second;
        }
        if (line.value && made.exponentials > 0) line.value.reset();
    }
    return {std::move(lines), made.exponentials};
}

ListingComparison listing_rows(const std::vector<ListingLine>& after) {
    ListingComparison result;
    int number = 0;
    for (const ListingLine& line : after)
        result.rows.push_back({RowKind::Same, line.text, ++number, line.node, line.value, false});
    return result;
}

ListingComparison listing_rows(const std::vector<ListingLine>& before, const std::vector<ListingLine>& after,
                               const Ancestry& ancestry, bool show_removed) {
    return Comparison(before, after, ancestry, show_removed).run();
}

}  // namespace blockscope
