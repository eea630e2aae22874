#include "app/window/fuzzy.h"

namespace blockscope {
namespace {

constexpr int kWordStart = 8;
constexpr int kInRow = 8;
constexpr int kLetter = 1;
constexpr int kLongest = 256;  // of texts; longer ones are cut

bool starts_word(const QString& text, int at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

int gain(const QString& text, int at, int previous) {
    return kLetter + (starts_word(text, at) ? kWordStart : 0) +
           (previous >= 0 && at == previous + 1 ? kInRow : 0);
}

}  // namespace

// best[j]: the best score of the letters so far with the last one at j; from[i][j]: where the letter before
// it is then.
std::optional<FuzzyHit> fuzzy_match(const QString& query, const QString& text) {
    QString letters = query.toLower();
    letters.remove(QLatin1Char(' '));
    const QString lower = text.left(kLongest).toLower();
    const int n = static_cast<int>(lower.size());
    const int m = static_cast<int>(letters.size());
    if (m == 0) return FuzzyHit{};
    constexpr int kNone = -1;
    std::vector<int> best(n, kNone);
    std::vector<std::vector<int>> from(m, std::vector<int>(n, kNone));
    for (int i = 0; i < m; ++i) {
        std::vector<int> next(n, kNone);
        int reached = kNone;  // the best place of the letter before, left of the one in a row
        for (int j = 0; j < n; ++j) {
            if (j >= 2 && best[j - 2] != kNone && (reached == kNone || best[j - 2] > best[reached]))
                reached = j - 2;
            if (lower[j] != letters[i]) continue;
            if (i == 0) {
                next[j] = gain(lower, j, kNone) - j / 8;
                continue;
            }
            const auto consider = [&](int k) {
                if (k == kNone || best[k] == kNone) return;
                const int score = best[k] + gain(lower, j, k);
                if (score > next[j]) {
                    next[j] = score;
                    from[i][j] = k;
                }
            };
            consider(reached);
            consider(j - 1 >= 0 ? j - 1 : kNone);
        }
        best = std::move(next);
    }
    int end = kNone;
    for (int j = 0; j < n; ++j)
        if (best[j] != kNone && (end == kNone || best[j] > best[end])) end = j;
    if (end == kNone) return std::nullopt;
    FuzzyHit hit{best[end] * 4 - n / 4, std::vector<int>(m)};
    for (int i = m - 1, j = end; i >= 0; j = from[i][j], --i) hit.positions[i] = j;
    return hit;
}

}  // namespace blockscope
