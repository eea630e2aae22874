// Paints a picture: a free function of the picture, the theme and what is lit. The window, thumbnails, rule
// cards and all exports use it.
#pragma once

#include <QImage>
#include <QPainter>
#include <functional>
#include <map>
#include <set>

#include "app/figure/note.h"
#include "app/layout/layout.h"
#include "app/scene/theme.h"

namespace blockscope {

enum class Mark : std::uint8_t {
    None,
    Selected,
    Hovered,
    Match,
    Culprit,
    Made,
    Search,
    Removed,
    Added,
    Moved,
    Changed
};

// How much of a quantity a box or an edge causes, on the heat map.
struct HeatLight {
    double share = 0;  // of the largest, 0 .. 1
    std::string text;  // "12.3 MB"; the same again for those who do not see the colours
    bool operator==(const HeatLight&) const = default;
};

// What is lit, by index of the figure.
struct Lights {
    std::map<int, Mark> boxes;
    std::map<int, Mark> around;  // a second mark of boxes that have one: an outline outside the first
    std::set<int> edges;         // of the selected value
    int hovered_edge = -1;
    bool heated = false;                       // a heat map is shown: boxes without an amount are pale
    std::map<int, HeatLight> heat, edge_heat;  // by box, by edge
    std::map<int, PinnedNote> notes;           // pinned to boxes: their first lines
    double strength = 1;                       // of Match and Made glows, 0 .. 1, while they fade
    bool edge_labels = true;                   // when close enough
    bool operator==(const Lights&) const = default;
};

// The first line of each note whose block is in the picture, by box.
std::map<int, PinnedNote> notes_in(const Picture& picture, const std::map<NodeId, PinnedNote>& pinned);

// Paints what of `picture` meets `visible` (picture coordinates); `scale` is pixels per unit, for the level
// of detail. Does not fill the background.
void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale);

// A part of the program: maps of the top level that are called after the same array, with nothing else
// between them; one that goes on in another column has a region in each.
struct PartRegion {
    std::string name;
    Rect rect;  // around them
};
std::vector<PartRegion> part_regions(const Picture& picture);

// Whether painting all of it may take longer than a frame: then it is painted part by part, and does not move
// from one step to the next.
bool has_many_parts(const Picture& picture);

// One piece of a picture, in the order of painting.
struct Part {
    enum class Kind : std::uint8_t {
        Glow,  // under a marked box
        Box,   // frames first
        Edge,
        Ports,  // of a frame or cloud
        EdgeLabel,
        Mark,  // outline and sign of a marked box
    } kind = Kind::Box;
    int index = 0;  // of the box or edge
};
// The same, told before each part: for files in which the parts can be told apart.
void paint(QPainter& painter, const Picture& picture, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale, const std::function<void(const Part&)>& part);

// The index of what is at `p`: the innermost box (frames by their rim and empty inside), an edge within
// `reach`. Look at everything; scene/hit.h has the same with an index.
int box_at(const Picture& picture, Point p);
int edge_at(const Picture& picture, Point p, double reach);

// The heat map's number at `p`, as the box or the edge that it is of; -1 for neither.
struct HeatNumber {
    int box = -1, edge = -1;
    bool found() const { return box >= 0 || edge >= 0; }
};
HeatNumber heat_number_at(const Picture& picture, const Lights& lights, double scale, Point p);

// A picture in between, 0 <= t <= 1: what both have moves, what is only in one fades (`opacity` by box and
// edge).
struct Blend {
    Picture picture;  // of `after`, with what `before` alone has appended
    std::vector<double> box_opacity, edge_opacity;
};
Blend blend(const Picture& before, const Picture& after, const std::vector<Lineage>& made, double t);
void paint(QPainter& painter, const Blend& blend, const Theme& theme, const Lights& lights,
           const Rect& visible, double scale);

// The whole picture on an image of `width` x `height` pixels at most, for thumbnails.
QImage thumbnail(const Picture& picture, const Theme& theme, int width, int height,
                 double device_pixel_ratio);

}  // namespace blockscope
