#include <cmath>

#include "app/export/strip.h"
#include "app/export/strip_text.h"

namespace blockscope {

namespace {

constexpr Size kLandscape{1123, 794};  // A4 at 96 pixels to the inch
constexpr Size kPortrait{794, 1123};
constexpr double kMargin = 44;
constexpr double kGap = 26;           // between columns
constexpr double kRowGap = 22;        // between rows
constexpr double kPictureGap = 10;    // between words and picture
constexpr double kReadable = 0.7;     // labels of 13 pixels are 9 pixels high then; larger is no better
constexpr double kNarrowest = 190;    // a panel, so that its words have room
constexpr double kWidestPanel = 560;  // on sheets
constexpr int kMostColumns = 6;

Size largest(const Derivation& derivation) {
    Size size{1, 1};
    for (const Stage& stage : derivation.stages) {
        size.width = std::max(size.width, stage.picture->geometry.bounds.width);
        size.height = std::max(size.height, stage.picture->geometry.bounds.height);
    }
    return size;
}

double column_width(double page_width, int columns) {
    return (page_width - 2 * kMargin - (columns - 1) * kGap) / columns;
}

double words_height(const Derivation& derivation, double width) {
    double height = 0;
    for (const Stage& stage : derivation.stages) height = std::max(height, stage_words_height(stage, width));
    return height;
}

struct Choice {
    Size paper;
    int columns = 1;
    double title = 0;
    double scale = 0;
    double worth = -1;
};

// Pictures as large as fits `columns` columns, on one row of the first page. What counts is how large they
// are and how many a page holds.
Choice choice(const Derivation& derivation, Size paper, int columns) {
    const Size most = largest(derivation);
    const double width = column_width(paper.width, columns);
    const double words = kStageHeader + kPictureGap + words_height(derivation, width);
    Choice made{paper, columns, strip_title_height(derivation, paper.width - 2 * kMargin)};
    const double room = paper.height - 2 * kMargin - made.title;
    made.scale = std::min({1.0, width / most.width, std::max(room - words, 100.0) / most.height});
    const double rows = std::max(1.0, std::floor(room / (words + most.height * made.scale + kRowGap)));
    const double held = std::min(columns * rows, static_cast<double>(derivation.stages.size()));
    made.worth = std::min(made.scale, kReadable) * std::sqrt(held);
    return made;
}

Choice best_choice(const Derivation& derivation) {
    Choice best;
    const int most = std::min(kMostColumns, static_cast<int>(derivation.stages.size()));
    for (const Size& paper : {kLandscape, kPortrait})
        for (int columns = 1; columns <= most; ++columns) {
            if (columns > 1 && column_width(paper.width, columns) < kNarrowest) break;
            const Choice next = choice(derivation, paper, columns);
            if (next.worth > best.worth + 1e-9) best = next;
        }
    return best;
}

// Fills rows from left to right; `bottom`: where pages end.
void place(const Derivation& derivation, StripLayout& layout, int columns, double bottom) {
    const double width = column_width(layout.size.width, columns);
    const int count = static_cast<int>(derivation.stages.size());
    double y = kMargin + layout.title;
    layout.pages.push_back({});
    for (int first = 0; first < count; first += columns) {
        const int end = std::min(count, first + columns);
        double picture = 0;
        double words = 0;
        for (int i = first; i < end; ++i) {
            const Stage& stage = derivation.stages[static_cast<std::size_t>(i)];
            picture = std::max(picture, stage.picture->geometry.bounds.height * layout.scale);
            words = std::max(words, stage_words_height(stage, width));
        }
        const double height = kStageHeader + words + kPictureGap + picture;
        if (y + height > bottom + 0.5 && !layout.pages.back().panels.empty()) {
            layout.pages.push_back({});
            y = kMargin;
        }
        for (int i = first; i < end; ++i)
            layout.pages.back().panels.push_back({i,
                                                  {kMargin + (i - first) * (width + kGap), y, width, height},
                                                  y + kStageHeader,
                                                  y + kStageHeader + words + kPictureGap});
        y += height + kRowGap;
    }
    layout.size.height = std::max(layout.size.height, std::ceil(y - kRowGap + kMargin));
}

}  // namespace

StripLayout lay_out_pages(const Derivation& derivation) {
    const Choice best = best_choice(derivation);
    StripLayout layout;
    layout.size = best.paper;
    layout.title = best.title;
    layout.scale = best.scale;
    place(derivation, layout, best.columns, best.paper.height - kMargin);
    layout.size = best.paper;
    return layout;
}

StripLayout lay_out_sheet(const Derivation& derivation) {
    StripLayout layout;
    const Size most = largest(derivation);
    const double width = std::clamp(most.width, kNarrowest, kWidestPanel);
    layout.scale = std::min(1.0, width / most.width);
    // About as wide as it is high.
    const double panel = most.height * layout.scale * 0.8 + kStageHeader + 60;
    const auto count = static_cast<double>(derivation.stages.size());
    const int columns = std::clamp(static_cast<int>(std::lround(std::sqrt(count * panel / width))), 1,
                                   std::min(kMostColumns, static_cast<int>(count)));
    layout.size.width = std::ceil(2 * kMargin + columns * width + (columns - 1) * kGap);
    layout.title = strip_title_height(derivation, layout.size.width - 2 * kMargin);
    place(derivation, layout, columns, 1e9);
    return layout;
}

}  // namespace blockscope
