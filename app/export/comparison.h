// Prints two states: side by side or one above the other, whichever is larger, with their differences marked
// and their costs. Maps that do not fit on the first page are folded there and follow on pages of their own.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/export/derivation.h"

namespace blockscope {

// Which states, and what is known of their times.
struct ComparisonRequest {
    StateId before = 0, after = 0;
    std::map<StateId, QString> times;  // "105 µs"; a state without an entry shows no time
    std::optional<StateId> best;       // gets a star
    QString by;  // what `times` are and `best` is chosen by: "predicted time on NVIDIA H100 SXM5 80 GB"
};

struct ComparisonCell {
    Rect rect;     // of the heading and the picture
    int side = 0;  // 1: of the state after
    PicturePtr picture;
    Rect part;  // the part of the picture that the cell shows
    Lights lights;
    QString title;    // "Step 17 · rule 3"
    QString numbers;  // "4 red edges · 102 MB moved · 1 kernel · 105 µs"
    bool best = false;
};

struct ComparisonPage {
    std::string title;  // "attention: initial program and step 17"
    QString summary;    // "3 removed, 1 added", and what times are of; "Part 2 of 5: Q, K"
    Signs signs;
    Size paper;        // A4, portrait or landscape; larger if even folded maps cannot be read on A4
    double scale = 1;  // of the pictures
    std::vector<ComparisonCell> cells;  // one or both
};

// Names of pictures are at least 7 points high in print. Where two whole pictures cannot be read on A4, the
// first page has them with maps folded, or, if that is too much, one state after the other on several sheets;
// the others have those maps that became one another, a page for each such group, unfolded as far as there is
// room. All pages are equally large. Empty if `pictures` gave none.
std::vector<ComparisonPage> compare_on_paper(const Content& content, const ComparisonRequest& request,
                                             const PictureSource& pictures);
// The height of the smallest names, in points.
double smallest_print(const ComparisonPage& page);

// The pages as a file of the format "pdf", "svg" or "png". A format without pages has them below each other.
QByteArray comparison_bytes(const std::string& format, const std::vector<ComparisonPage>& pages,
                            const Theme& theme);

// The pages below each other.
void paint_comparison(QPainter& painter, const std::vector<ComparisonPage>& pages, const Theme& theme);

// ---- How a page is divided. Internal to app/export.

inline constexpr double kPaperEdge = 40;
inline constexpr double kPageHead = 66;
inline constexpr double kCellHead = 62;

// The size of the legend on a page of this width.
Size comparison_legend(const ComparisonPage& page, double width);

}  // namespace blockscope
