// Whether the user has asked the system for less motion.
#pragma once

#include "app/scene/paint.h"

namespace blockscope {

// True if BLOCKSCOPE_REDUCED_MOTION is set (and not to 0), or if the desktop's settings files
// (gtk-enable-animations, AnimationDurationFactor of KDE) switch animations off. Reads the files.
bool asks_for_less_motion();
// The same as the program found it first.
bool motion_reduced();

// The way from one picture to the next: what belongs together is found once, then every moment is cheap.

// A picture at rest, as a blend.
Blend at_rest(const Picture& picture);

// Boxes belong together that show the same node; edges that lead into the same input of the same node. What a
// rewrite made starts where its ancestors (`made`) were, and they move to where it is; what has no ancestors
// moves with its frame. What looks different afterwards (a map folded, an edge that is no longer buffered)
// fades into its successor.
class Transition {
public:
    // `before` may itself be a moment of another transition.
    Transition(const Blend& before, const Picture& after, const std::vector<Lineage>& made);

    // The moment `t`, 0 <= t <= 1. The reference stays valid until the next call.
    const Blend& at(double t);

private:
    struct BoxWay {
        Rect from, to;
        std::vector<Point> in_from, in_to, out_from, out_to;
        double opacity_from = 0, opacity_to = 1;
    };
    struct EdgeWay {
        Curve from, to;
        Point label_from, label_to;
        double opacity_from = 0, opacity_to = 1;
    };
    struct Matching;

    void place_boxes(const Blend& before, const Picture& after, Matching& matching);
    void add_ghost_boxes(const Blend& before, const Picture& after, Matching& matching);
    void place_edges(const Blend& before, const Picture& after, Matching& matching);
    void add_ghost_edges(const Blend& before, const Picture& after, const Matching& matching);
    // How far an end of an edge moves: its port, or the middle of its box.
    Point shift(const End& end, bool source, int container) const;
    void add_edge(EdgeWay way);

    Blend now_;
    std::vector<BoxWay> boxes_;
    std::vector<EdgeWay> edges_;
};

}  // namespace blockscope
