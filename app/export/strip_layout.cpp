#include <cmath>

#include "app/export/strip.h"
#include "app/export/strip_text.h"

namespace blockscope {

namespace {

constexpr Size kPaper{1123, 794};  // A4, landscape, at 96 pixels to the inch
constexpr double kMargin = 44;
constexpr double kGap = 26;           // between columns
constexpr double kRowGap = 22;        // between rows
constexpr double kPictureGap = 10;    // between words and picture
constexpr double kReadable = 0.62;    // labels of 13 pixels are 8 pixels high then
constexpr double kNarrowest = 240;    // a panel, so that its words have room
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

// The scale at which every picture fits a panel on a page of its own row.
double scale_on_paper(const Derivation& derivation, int columns, double title) {
    const Size most = largest(derivation);
    const double width = column_width(kPaper.width, columns);
    const double room =
        kPaper.height - 2 * kMargin - title - kStageHeader - kPictureGap - words_height(derivation, width);
    return std::min({1.0, width / most.width, std::max(room, 100.0) / most.height});
}

int columns_on_paper(const Derivation& derivation, double title) {
    int best = 1;
    double best_scale = 0;
    const int most = std::min(kMostColumns, static_cast<int>(derivation.stages.size()));
    for (int columns = 1; columns <= most; ++columns) {
        if (column_width(kPaper.width, columns) < kNarrowest && columns > 1) break;
        const double scale = scale_on_paper(derivation, columns, title);
        // More columns are better as long as all can be read, or nothing gets smaller by them.
        if (scale >= kReadable || scale >= best_scale * 0.98) best = columns, best_scale = scale;
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
    StripLayout layout;
    layout.size = kPaper;
    layout.title = strip_title_height(derivation, kPaper.width - 2 * kMargin);
    const int columns = columns_on_paper(derivation, layout.title);
    layout.scale = scale_on_paper(derivation, columns, layout.title);
    place(derivation, layout, columns, kPaper.height - kMargin);
    layout.size = kPaper;
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
