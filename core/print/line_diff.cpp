#include "core/print/line_diff.h"

#include <algorithm>
#include <cstddef>

namespace blockscope {

namespace {

constexpr int kMaxChanges = 2000;  // the search keeps the square of this many integers

using ChangeKind = LineChange::Kind;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// The part of two texts between what they begin and end with.
struct Middle {
    int first, before, after;  // its place in both texts, and its length in each
    const SameLine& same;

    bool equal(int x, int y) const { return same(first + x, first + y); }
};

// Furthest-reaching x on each diagonal k = x - y; entry k + offset.
using Front = std::vector<int>;

// The fronts after 0, 1, 2, ... changes, the last of which reaches the end; empty if that takes too many.
std::vector<Front> fronts(const Middle& middle) {
    const int most = std::min(middle.before + middle.after, kMaxChanges);
    std::vector<Front> reached;
    for (int d = 0; d <= most; ++d) {
        Front front(static_cast<std::size_t>(2 * d + 1), -1);
        for (int k = -d; k <= d; k += 2) {
            const auto from = [&](int diagonal) {
                return reached.back()[static_cast<std::size_t>(diagonal + d - 1)];
            };
            int x = 0;
            if (d > 0) x = k == -d || (k != d && from(k - 1) < from(k + 1)) ? from(k + 1) : from(k - 1) + 1;
            while (x < middle.before && x - k < middle.after && middle.equal(x, x - k)) ++x;
            front[static_cast<std::size_t>(k + d)] = x;
            if (x < middle.before || x - k < middle.after) continue;
            reached.push_back(std::move(front));
            return reached;
        }
        reached.push_back(std::move(front));
    }
    return {};
}

// The way back from the end, last change first.
std::vector<LineChange> way(const Middle& middle, const std::vector<Front>& reached) {
    std::vector<LineChange> changes;
    int x = middle.before;
    int y = middle.after;
    const auto take = [&](ChangeKind kind) {
        const bool old_line = kind != ChangeKind::Added;
        const bool new_line = kind != ChangeKind::Removed;
        x -= old_line;
        y -= new_line;
        changes.push_back({kind, old_line ? middle.first + x : -1, new_line ? middle.first + y : -1});
    };
    for (int d = static_cast<int>(reached.size()) - 1; d > 0; --d) {
        const Front& front = reached[static_cast<std::size_t>(d - 1)];
        const auto from = [&](int diagonal) { return front[static_cast<std::size_t>(diagonal + d - 1)]; };
        const int k = x - y;
        const bool added = k == -d || (k != d && from(k - 1) < from(k + 1));
        const int start = added ? from(k + 1) : from(k - 1) + 1;
        while (x > start) take(ChangeKind::Same);
        take(added ? ChangeKind::Added : ChangeKind::Removed);
    }
    while (x > 0) take(ChangeKind::Same);
    return changes;
}

// Within each run of changes the removed lines first.
void order_runs(std::vector<LineChange>& changes) {
    for (auto at = changes.begin(); at != changes.end();) {
        const auto changed = [](const LineChange& change) { return change.kind != ChangeKind::Same; };
        at = std::find_if(at, changes.end(), changed);
        const auto end = std::find_if_not(at, changes.end(), changed);
        std::stable_partition(at, end, [](const LineChange& c) { return c.kind == ChangeKind::Removed; });
        at = end;
    }
}

}  // namespace

std::vector<LineChange> diff_lines(int before, int after, const SameLine& same) {
    int first = 0;
    while (first < before && first < after && same(first, first)) ++first;
    int last = 0;
    while (last < before - first && last < after - first && same(before - last - 1, after - last - 1)) ++last;
    const Middle middle{first, before - first - last, after - first - last, same};

    std::vector<LineChange> changes;
    for (int i = 0; i < first; ++i) changes.push_back({ChangeKind::Same, i, i});
    const std::vector<Front> reached = fronts(middle);
    if (reached.empty()) {
        for (int i = 0; i < middle.before; ++i) changes.push_back({ChangeKind::Removed, first + i, -1});
        for (int i = 0; i < middle.after; ++i) changes.push_back({ChangeKind::Added, -1, first + i});
    } else {
        const std::vector<LineChange> back = way(middle, reached);
        changes.insert(changes.end(), back.rbegin(), back.rend());
    }
    for (int i = last; i > 0; --i) changes.push_back({ChangeKind::Same, before - i, after - i});
    order_runs(changes);
    return changes;
}

std::string without_numbers(std::string_view line) {
    std::string text;
    for (std::size_t i = 0; i < line.size();) {
        std::size_t end = i;
        while (end < line.size() && is_word(line[end])) ++end;
        if (end == i) {
            text += line[i++];
            continue;
        }
        const std::string_view word = line.substr(i, end - i);
        const bool numbered = word.size() > 1 && (word[0] == 't' || word[0] == 'I') &&
                              std::all_of(word.begin() + 1, word.end(), is_digit);
        text += numbered ? word.substr(0, 1) : word;
        i = end;
    }
    return text;
}

}  // namespace blockscope
