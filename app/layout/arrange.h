// From rough or remembered places to a picture without overlaps: first up and down, then from side to side.
// Both know the places closest to the wishes and the tidiest ones in the same order, and go from the first
// towards the second.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/figure/figure.h"
#include "app/layout/layout.h"
#include "app/layout/shape.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// ---- A figure by containers, and the measures of a picture.

// Pixels at scale 1.
struct Measures {
    static constexpr double kGapX = 26;       // between boxes side by side
    static constexpr double kGapY = 34;       // between a box and one that reads from it
    static constexpr double kPadX = 22;       // from a frame's rim to its children
    static constexpr double kPadTop = 32;     // below the input ports
    static constexpr double kPadBottom = 34;  // above the output ports, beside the dimension's name
    static constexpr double kPortStep = 16;   // between ports of one rim
    static constexpr double kPortEnd = 12;    // from a frame's corner to its first port
    static constexpr double kLane = 12;       // between two edges that run side by side
    static constexpr double kLaneGap = 16;    // between an edge and a box that it passes
    static constexpr double kMargin = 24;     // around the picture
};

// The top level, or the inside of one frame.
struct Container {
    int box = -1;
    std::vector<int> children;
    std::vector<int> edges;
};

class Tree {
public:
    explicit Tree(const Figure& figure);

    const Container& of(int box) const { return containers_[static_cast<std::size_t>(box + 1)]; }
    int boxes() const { return static_cast<int>(containers_.size()) - 1; }
    // Leaf boxes, clouds, and frames without children.
    bool childless(int box) const { return of(box).children.empty(); }

private:
    std::vector<Container> containers_;
};

// Where edges meet boxes: pins along the top and bottom sides. A frame or cloud has one pin per port; any
// other box has one per operand above and one per result below.

class Pins {
public:
    // About where the boxes are, and x of each edge's way (NaN if unknown), for the order of operands.
    Pins(const Figure& figure, const Tree& tree, const std::vector<Rect>& boxes,
         const std::vector<double>& lanes);

    // Places the ports of the frame `box` for its children at `boxes`, whose pins are placed. `lanes`: x of
    // the vertical part of each edge, NaN if it has none.
    void place_ports(int box, const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    void place_all_ports(const std::vector<Rect>& boxes, const std::vector<double>& lanes);

    // Shifts pins of operators by a few pixels where that makes an edge straight.
    void straighten(const std::vector<Rect>& boxes);

    // Offset of an edge's ends from the left of the box they are on.
    double start(int edge) const;
    double end(int edge) const;
    double start(int edge, const std::vector<Rect>& boxes) const;
    double end(int edge, const std::vector<Rect>& boxes) const;

    const std::vector<double>& in(int box) const { return in_[static_cast<std::size_t>(box)]; }
    const std::vector<double>& out(int box) const { return out_[static_cast<std::size_t>(box)]; }

private:
    void outside_first(const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    void order_operands(const std::vector<Rect>& boxes, const std::vector<double>& lanes);
    double origin(int edge, const std::vector<Rect>& boxes, const std::vector<double>& lanes) const;
    double target(int edge, const std::vector<Rect>& boxes) const;
    void place_side(int box, const std::vector<Rect>& boxes, bool top,
                    const std::vector<std::vector<double>>& wanted);

    void shift(double& pin, const std::vector<double>& side, double width, double by) const;

    const Figure& figure_;
    const Tree& tree_;
    std::vector<std::vector<double>> in_, out_;   // offsets, by box and pin
    std::vector<std::vector<double>> from_, to_;  // by frame and port: x of what it is connected with outside
    std::vector<int> start_pin_, end_pin_;        // by edge
};

// Values closest to `wanted` (ascending), at least `step` apart and within [low, high]; evenly spread if they
// cannot be so far apart.
std::vector<double> spaced(const std::vector<double>& wanted, double step, double low, double high);

struct Wishes {
    std::vector<Rect> boxes;    // absolute; frames around their children
    std::vector<bool> kept;     // childless boxes that were at boxes[i] in the picture before
    std::vector<double> lanes;  // x about where each edge runs; NaN if unknown
    std::set<int> sided;        // edges that keep to their lanes' side though others are shorter
    // The farthest that a kept box moves for tidiness.
    double most = std::numeric_limits<double>::infinity();
};

// Fits every frame of `boxes` around its children, where these are.
void enclose(const Figure& figure, const Tree& tree, std::vector<Rect>& boxes);

// Gives `boxes` (the wishes to begin with) their final y and height.
void arrange_vertically(const Figure& figure, const Tree& tree, const Wishes& wishes,
                        std::vector<Rect>& boxes);

// Gives `boxes` their final x and width; returns x of the vertical part of each edge, NaN for those without.
std::vector<double> arrange_horizontally(const Figure& figure, const Tree& tree, const Wishes& wishes,
                                         std::vector<Rect>& boxes);

// ---- Edges that cross in a picture, as it draws them.

// A curve that never turns upwards, as a function of y.
class Way {
public:
    explicit Way(const Curve& curve);
    double top() const { return points_.front().y; }
    double bottom() const { return points_.back().y; }
    double x(double y) const;
    // Whether all of it is left or right of the other.
    bool beside(const Way& other) const { return right_ < other.left_ || other.right_ < left_; }

private:
    std::vector<Point> points_;
    double left_ = 0, right_ = 0;
};

// Whether one is left of the other at one height and right of it at another.
bool cross(const Way& a, const Way& b);
// How many edges of other values `edge` would cross along this curve.
int crossed_by(const Figure& figure, const Container& container, const Geometry& geometry, int edge,
               const Curve& curve);

// Two edges of one container; edges of one value never count.
struct Crossing {
    int container = -1;
    int a = 0, b = 0;
};

// None of containers with so many edges that it would take long, and could not be seen.
std::vector<Crossing> crossings(const Figure& figure, const Container& container, const Geometry& geometry);
// Of all containers, outer ones first.
std::vector<Crossing> crossings(const Figure& figure, const Tree& tree, const Geometry& geometry);

// Other ways for edges that cross: around the other side of a box, or with two boxes in each other's place.

// `wishes` without those about where the edges run that cross.
Wishes other_ways(const Wishes& wishes, const std::vector<Crossing>& crossings);

// `wishes` with one of the edges that cross on the other side of the boxes that it passes next: those first
// that promise fewest crossings. No box moves but to make room.
std::vector<Wishes> other_sides(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                const Wishes& wishes, const std::vector<Crossing>& crossings);

// `wishes` with two boxes of a container swapped that stand side by side at the ends of edges that cross:
// those first that promise most. Frames take along what they hold.
std::vector<Wishes> other_neighbours(const Figure& figure, const Tree& tree, const Geometry& geometry,
                                     const Wishes& wishes, const std::vector<Crossing>& crossings);

// The order of a program's inputs. It stays from step to step, until a rewrite has made it wrong.

// Other places in their row for inputs whose edges cross those of other inputs: `wishes` with one input
// elsewhere each, those that promise fewest crossings first. None if the order is as good as it gets, or the
// program has too many inputs for it to be seen.
std::vector<Wishes> other_orders(const Figure& figure, const Geometry& geometry, const Wishes& wishes);

// ---- One container laid out alone, as a flat graph: ranks, order and rough places.

// Extents of the boxes in a container, and where along their rims the ports are.
struct Extents {
    std::vector<Size> boxes;
    std::vector<std::vector<double>> in, out;  // from the left end of the box
};

// Centres from the container's top left corner, without padding; parallel to the container's lists.
struct Places {
    Size size;
    std::vector<Point> children;
    std::vector<double> edges;    // x in the middle of each edge's way
    std::vector<double> in, out;  // x of the container's own ports
};

// Owns a Graphviz context.
class Dot {
public:
    explicit Dot(StopSign sign);
    ~Dot();
    Dot(const Dot&) = delete;
    Dot& operator=(const Dot&) = delete;

    // Throws Stopped if its sign is up.
    Places place(const Figure& figure, const Container& container, const Extents& extents);

private:
    struct Context;
    StopSign sign_;
    std::unique_ptr<Context> context_;
};

// The same without Graphviz, for containers on which it would take long: ranks by longest path, order by
// barycentres.
Places place_in_layers(const Figure& figure, const Container& container, const Extents& extents);

// Rough places for everything of a figure, laid out from nothing: what the arrangement starts from.
struct Rough {
    std::vector<Rect> boxes;    // absolute
    std::vector<double> lanes;  // x about where each edge runs
};

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree);
// Only what is in the frame `box`, from its top left corner; boxes elsewhere and all lanes are left out.
std::vector<Rect> rough_inside(Dot& dot, const Figure& figure, const Tree& tree, int box);

// ---- The ways of edges: down from one pin to another, vertical at both ends, around the boxes between them.

// Fills in geometry.edges. `lanes`: x of the vertical part of each edge if it has one, else NaN; edges of
// `sided` keep to theirs.
void route_edges(const Figure& figure, const Tree& tree, const Pins& pins, const std::vector<double>& lanes,
                 const std::set<int>& sided, Geometry& geometry);

// Fills in geometry.labels: beside the edges, clear of boxes, of other edges and of each other where there is
// room. Returns about the room that they take.
std::vector<Rect> place_labels(const Figure& figure, const Tree& tree, Geometry& geometry);

// Around all boxes, edges and `labels`, with a margin.
Rect extent_of(const Geometry& geometry, const std::vector<Rect>& labels);

// The point of `curve` at `t`, 0 <= t <= 1, each piece taking the same share.
Point point_on(const Curve& curve, double t);

// Adds straight lines with rounded corners to the curve, from its end through these places.
void go_along(Curve& curve, std::vector<Point> way);

// A picture of one column, cut between the boxes of its top level and put side by side again. Internal to
// app/layout.
//
// An edge that leaves its column runs below it, up between the columns and along the top into the column that
// it is for. An input stands above the first column that reads it, an output below the one that makes it.

class Wrapper {
public:
    explicit Wrapper(const Picture& picture);

    // Rows of boxes of the top level that nothing but edges connects.
    int sections() const { return static_cast<int>(sections_.size()); }
    // The first section of each column but the first, for columns as equally high as can be.
    std::vector<int> balanced(int columns) const;
    Columns columns(const std::vector<int>& starts) const;
    // Where these columns begin here, with what a step made of their first boxes. None if nowhere.
    std::optional<std::vector<int>> starts(const Columns& columns, const std::vector<Lineage>& made) const;

    struct Plan {
        std::vector<Point> shift;       // by box of the top level
        std::map<int, Curve> rerouted;  // the edges that leave their column or whose input has moved
        Rect bounds;                    // about
    };
    Plan plan(const std::vector<int>& starts) const;
    void apply(const Plan& plan, Geometry& geometry) const;

private:
    struct Section {
        double top = 0, bottom = 0;
        std::vector<int> boxes;
    };
    void find_sections();

    const Figure& figure_;
    const Geometry& geometry_;
    std::vector<Section> sections_;
    std::vector<int> section_of_;  // by box; -1 for inputs and outputs and for boxes within others
    double inputs_top_ = 0;

    friend class Wrapping;
};

}  // namespace blockscope
