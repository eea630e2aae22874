// Two states on one page: side by side or one above the other, whichever is larger, with what differs marked
// and what each of them costs.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "app/export/derivation.h"

namespace blockscope {

// Which states, and what is known of their times.
struct ComparisonRequest {
    StateId before = 0, after = 0;
    std::map<StateId, QString> times;  // "105 µs"; of states without, no time is given
    std::optional<StateId> best;       // gets a star
    QString by;  // "predicted time on NVIDIA H100 SXM5 80 GB": what times and best are of
};

struct ComparisonCell {
    Rect rect;  // of the heading and the picture
    PicturePtr picture;
    Lights lights;
    QString title;    // "Step 17 · rule 3"
    QString numbers;  // "4 red edges · 102 MB moved · 1 kernel · 105 µs"
    bool best = false;
};

struct ComparisonPage {
    std::string title;  // "attention: initial program and step 17"
    QString summary;    // "3 removed, 1 added", and what times are of
    Signs signs;
    Size paper;          // A4 to A0, upright or not; larger if nothing else can be read
    bool beside = true;  // else one above the other
    double scale = 1;    // of both pictures
    std::array<ComparisonCell, 2> cells;
};

// Names of pictures are at least 7 points high in print, on as small a paper as that allows. Empty if
// `pictures` gave none.
std::optional<ComparisonPage> compare_on_paper(const Content& content, const ComparisonRequest& request,
                                               const PictureSource& pictures);
// The height of the smallest names, in points.
double smallest_print(const ComparisonPage& page);

// In a format that is painted: "pdf", "svg", "png".
QByteArray comparison_bytes(const std::string& format, const ComparisonPage& page, const Theme& theme);

}  // namespace blockscope
