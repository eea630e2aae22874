#include "core/print/print.h"

#include <gmock/gmock.h>

#include "tests/support/random.h"

namespace blockscope {
namespace {

using Kind = LineChange::Kind;
using Text = std::vector<int>;

std::vector<LineChange> diff(const Text& before, const Text& after) {
    return diff_lines(static_cast<int>(before.size()), static_cast<int>(after.size()), [&](int x, int y) {
        return before[static_cast<std::size_t>(x)] == after[static_cast<std::size_t>(y)];
    });
}

// The length of a longest common subsequence, by the textbook's table.
std::size_t common(const Text& a, const Text& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (const int x : a) {
        std::size_t diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t best = x == b[j] ? diagonal + 1 : std::max(row[j], row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row.back();
}

// Walks along the changes: every line of both texts occurs once, in order.
void expect_leads_from_to(const Text& before, const Text& after, const std::vector<LineChange>& changes) {
    int x = 0;
    int y = 0;
    Text made;
    for (const LineChange& change : changes) {
        if (change.kind != Kind::Added) {
            ASSERT_EQ(change.before, x);
            ++x;
        } else {
            ASSERT_EQ(change.before, -1);
        }
        if (change.kind != Kind::Removed) {
            ASSERT_EQ(change.after, y);
            const bool kept = change.kind == Kind::Same;
            made.push_back(kept ? before[static_cast<std::size_t>(change.before)]
                                : after[static_cast<std::size_t>(y)]);
            ++y;
        } else {
            ASSERT_EQ(change.after, -1);
        }
    }
    ASSERT_EQ(x, static_cast<int>(before.size()));
    ASSERT_EQ(made, after);
}

TEST(LineDiff, AppliedToTheOldTextGivesTheNewOneInTheFewestChanges) {
    Random random(7);
    for (int round = 0; round < 3000; ++round) {
        Text before, after;
        const int letters = 1 + random.below(6);
        for (int i = random.below(12); i > 0; --i) before.push_back(random.below(letters));
        for (int i = random.below(12); i > 0; --i) after.push_back(random.below(letters));
        const std::vector<LineChange> changes = diff(before, after);
        ASSERT_NO_FATAL_FAILURE(expect_leads_from_to(before, after, changes));
        const auto same = std::count_if(changes.begin(), changes.end(),
                                        [](const LineChange& change) { return change.kind == Kind::Same; });
        ASSERT_EQ(static_cast<std::size_t>(same), common(before, after));
    }
}

TEST(LineDiff, RemovedLinesStandBeforeWhatComesInTheirPlace) {
    const std::vector<LineChange> expected{{Kind::Same, 0, 0},     {Kind::Removed, 1, -1},
                                           {Kind::Removed, 2, -1}, {Kind::Added, -1, 1},
                                           {Kind::Added, -1, 2},   {Kind::Same, 3, 3}};
    EXPECT_EQ(diff({1, 2, 3, 4}, {1, 5, 6, 4}), expected);
}

TEST(LineDiff, TextsThatDifferTooMuchDifferAsAWhole) {
    Text before{-1}, after{-1};
    for (int i = 0; i < 3000; ++i) {
        before.push_back(i);
        after.push_back(10000 + i);
    }
    before.push_back(-2);
    after.push_back(-2);
    const std::vector<LineChange> changes = diff(before, after);
    expect_leads_from_to(before, after, changes);
    EXPECT_EQ(changes.front().kind, Kind::Same);
    EXPECT_EQ(changes.back().kind, Kind::Same);
}

TEST(LineDiff, NumbersOfTemporariesAndIntermediatesDoNotCount) {
    EXPECT_EQ(without_numbers("  t12 += dot(t3,t4)"), "  t += dot(t,t)");
    EXPECT_EQ(without_numbers("store(t1,I12[m,k])"), "store(t,I[m,k])");
    EXPECT_EQ(without_numbers("t1 = load(VT2[n]) in t range2 It1 tt2 2"),
              "t = load(VT2[n]) in t range2 It1 tt2 2");
}

}  // namespace
}  // namespace blockscope
