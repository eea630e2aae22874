// The chain inside of a map in columns: the map becomes lower and wider, and what is around it follows.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "app/layout/arrange.h"
#include "app/layout/shape.h"
#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kReadable = 11.0 / 12;  // from which scale on names of blocks have 11 pixels
constexpr double kMuchShorter = 0.85, kAboutAsMuch = 0.85;  // than the picture without columns; of it is seen
constexpr double kWorthIt = 1.15;                           // as large, where all of it is seen
constexpr int kMostInside = 6;                              // columns
constexpr double kMostOfPicture = 0.5;     // of its height: what a map has at least that is worth it
constexpr double kPortRow = 12;            // between the ways from a port to the column that it is for
constexpr double kPortPin = 6;             // half of the width of a port that stands for an array
constexpr std::size_t kMostWrapped = 400;  // boxes

// What a map holds as a picture of its own: its ports are inputs and outputs. The rest of the picture with
// the map as one block.
class Inside {
public:
    Inside(const Picture& whole, int frame)
        : whole_(whole), frame_(frame), child_(whole.figure.boxes.size(), -1) {
        for (std::size_t i = 0; i < whole.figure.boxes.size(); ++i) {
            const int parent = whole.figure.boxes[i].parent;
            if (parent == frame)
                child_[i] = static_cast<int>(i);
            else if (parent >= 0)
                child_[i] = child_[at(parent)];
        }
        take_boxes();
        take_edges();
    }

    const Picture& held() const { return held_; }
    // Puts the map's inside in these columns.
    void wrap(const Wrapper& wrapper, const std::vector<int>& starts) {
        plan_ = wrapper.plan(starts);
        wrapper.apply(plan_, held_.geometry);
        const Rect content = plan_.bounds.grown(-Measures::kMargin);
        left_ = content.left();
        inner_ = {content.width, content.height};
        above_ = Measures::kPadTop / 2 + kPortRow * static_cast<double>(in_.size());
        below_ = Measures::kPadBottom / 2 + kPortRow * static_cast<double>(out_.size());
    }
    Size size() const {
        const Size& least = whole_.figure.boxes[at(frame_)].size;
        return {std::max(least.width, std::ceil(inner_.width) + 2 * Measures::kPadX),
                std::max(least.height,
                         std::ceil(inner_.height + above_ + std::max(below_, Measures::kPadBottom)))};
    }
    // The picture around, laid out with the map as a block of its new size, and in it what the map holds.
    Picture composed(Layouter& layouter) const;

private:
    int sub(int box) const { return sub_.at(box); }
    void take_boxes();
    void take_edges();
    Picture around(std::vector<int>& index) const;
    Curve from_rim(const Edge& edge, Curve way, const Geometry& made) const;
    void place_held(Geometry& made, const Rect& map) const;

    const Picture& whole_;
    const int frame_;
    std::vector<int> child_;  // by box: the map's child that it is, or is in; -1 elsewhere
    Picture held_;
    std::map<int, int> sub_;     // by child of the map: its box in held_
    std::vector<int> in_, out_;  // boxes in held_ that stand for the map's ports
    std::vector<int> edges_;     // of the map, those of held_ in their order
    Wrapper::Plan plan_;
    double left_ = 0, above_ = 0, below_ = 0;
    Size inner_;
};

void Inside::take_boxes() {
    const auto add = [&](Box box, const Rect& rect) {
        held_.figure.boxes.push_back(std::move(box));
        held_.geometry.boxes.push_back(rect);
        const int index = static_cast<int>(held_.figure.boxes.size()) - 1;
        held_.figure.roots.push_back(index);
        return index;
    };
    for (const int child : whole_.figure.boxes[at(frame_)].children) {
        Box box = whole_.figure.boxes[at(child)];
        box.parent = -1;
        box.children.clear();
        sub_[child] = add(std::move(box), whole_.geometry.boxes[at(child)]);
    }
    const auto port = [&](BoxKind kind, const Point& at_rim) {
        Box box;
        box.kind = kind;
        const double top = kind == BoxKind::Input ? at_rim.y - 1 : at_rim.y;
        return add(std::move(box), {at_rim.x - kPortPin, top, 2 * kPortPin, 1});
    };
    for (const Point& p : whole_.geometry.in[at(frame_)]) in_.push_back(port(BoxKind::Input, p));
    for (const Point& p : whole_.geometry.out[at(frame_)]) out_.push_back(port(BoxKind::Output, p));
    held_.geometry.in.resize(held_.figure.boxes.size());
    held_.geometry.out.resize(held_.figure.boxes.size());
}

void Inside::take_edges() {
    for (std::size_t i = 0; i < whole_.figure.edges.size(); ++i) {
        Edge edge = whole_.figure.edges[i];
        if (edge.container != frame_) continue;
        edge.container = -1;
        edge.from = edge.from.box == frame_ ? End{in_.at(at(edge.from.port)), -1}
                                            : End{sub(edge.from.box), edge.from.port};
        edge.to =
            edge.to.box == frame_ ? End{out_.at(at(edge.to.port)), -1} : End{sub(edge.to.box), edge.to.port};
        edges_.push_back(static_cast<int>(i));
        held_.figure.edges.push_back(std::move(edge));
        held_.geometry.edges.push_back(whole_.geometry.edges[i]);
    }
}

// `index`: of each box that is left, where it is in the whole picture.
Picture Inside::around(std::vector<int>& index) const {
    Picture rest;
    std::vector<int> now(whole_.figure.boxes.size(), -1);
    for (std::size_t i = 0; i < whole_.figure.boxes.size(); ++i) {
        if (child_[i] >= 0) continue;
        now[i] = static_cast<int>(index.size());
        index.push_back(static_cast<int>(i));
        Box box = whole_.figure.boxes[i];
        if (box.parent >= 0) box.parent = now[at(box.parent)];
        if (static_cast<int>(i) == frame_) {
            box.kind = BoxKind::Cloud;
            box.children.clear();
            box.size = size();
        }
        for (const NodeId node : box.nodes) rest.figure.box_of[node.value] = now[i];
        rest.figure.boxes.push_back(std::move(box));
    }
    for (Box& box : rest.figure.boxes)
        for (int& child : box.children) child = now[at(child)];
    for (const int root : whole_.figure.roots) rest.figure.roots.push_back(now[at(root)]);
    for (const Edge& old : whole_.figure.edges) {
        if (old.container >= 0 && (old.container == frame_ || child_[at(old.container)] >= 0)) continue;
        Edge edge = old;
        edge.container = old.container < 0 ? -1 : now[at(old.container)];
        edge.from.box = now[at(old.from.box)];
        edge.to.box = now[at(old.to.box)];
        edge.bundle = -1;
        rest.figure.edges.push_back(std::move(edge));
    }
    return rest;
}

// From the port on the rim, beside those of the other ports, to where the way of the columns begins; and on
// from where that ends.
Curve Inside::from_rim(const Edge& edge, Curve way, const Geometry& made) const {
    const Rect& map = made.boxes[at(frame_)];
    if (edge.from.box == frame_) {
        const Point port = made.in[at(frame_)][at(edge.from.port)], begin = way.front();
        const double y = map.top() + Measures::kPadTop / 4 + kPortRow * (edge.from.port + 0.5);
        Curve whole = {port};
        go_along(whole, {{port.x, y}, {begin.x, y}, begin});
        whole.insert(whole.end(), way.begin() + 1, way.end());
        way = std::move(whole);
    }
    if (edge.to.box == frame_) {
        const Point port = made.out[at(frame_)][at(edge.to.port)];
        const double y = map.bottom() - Measures::kPadBottom / 4 - kPortRow * (edge.to.port + 0.5);
        go_along(way, {{way.back().x, y}, {port.x, y}, port});
    }
    return way;
}

void Inside::place_held(Geometry& made, const Rect& map) const {
    const double spare = map.width - inner_.width;
    const Point offset{std::round(map.left() + spare / 2 - left_), std::round(map.top() + above_)};
    const auto shift_of = [&](int child) {
        const Point by = plan_.shift[at(sub(child))];
        return Point{by.x + offset.x, by.y + offset.y};
    };
    for (std::size_t i = 0; i < child_.size(); ++i) {
        if (child_[i] < 0) continue;
        const Point by = shift_of(child_[i]);
        made.boxes[i] = whole_.geometry.boxes[i].moved(by.x, by.y);
        for (auto* ports : {&made.in[i], &made.out[i]})
            for (Point& p : *ports) p = {p.x + by.x, p.y + by.y};
    }
    for (std::size_t i = 0; i < whole_.figure.edges.size(); ++i) {
        const int container = whole_.figure.edges[i].container;
        if (container < 0 || child_[at(container)] < 0) continue;
        const Point by = shift_of(child_[at(container)]);
        for (Point& p : made.edges[i]) p = {p.x + by.x, p.y + by.y};
    }
    for (std::size_t k = 0; k < edges_.size(); ++k) {
        Curve way = held_.geometry.edges[k];
        for (Point& p : way) p = {p.x + offset.x, p.y + offset.y};
        made.edges[at(edges_[k])] = from_rim(whole_.figure.edges[at(edges_[k])], std::move(way), made);
    }
}

Picture Inside::composed(Layouter& layouter) const {
    std::vector<int> index;
    const Picture rest = around(index);
    const Geometry laid = layouter.fold(rest.figure, whole_);
    Picture picture = whole_;
    Geometry& made = picture.geometry;
    for (std::size_t i = 0; i < index.size(); ++i) {
        const std::size_t box = at(index[i]);
        made.boxes[box] = laid.boxes[i];
        made.in[box] = laid.in[i];
        made.out[box] = laid.out[i];
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < whole_.figure.edges.size(); ++i) {
        const int container = whole_.figure.edges[i].container;
        if (container >= 0 && (container == frame_ || child_[at(container)] >= 0)) continue;
        made.edges[i] = laid.edges[next++];
    }
    place_held(made, made.boxes[at(frame_)]);
    made.bounds = laid.bounds;
    return picture;
}

// Where the chain inside of a map is cut, and what that is worth.
struct InsideChoice {
    int frame = -1;
    std::vector<int> starts;
    double value = 0;
};

// How much of a picture is in view where its names can be read.
double share_seen(const Rect& bounds, const Size& room) {
    return std::min(1.0, room.width / (kReadable * bounds.width)) *
           std::min(1.0, room.height / (kReadable * bounds.height));
}

// Of the frames that are candidates and their columns those with the largest value, which is of the size that
// the whole picture would have then, about.
InsideChoice best_inside(const Picture& laid_out, const std::function<bool(int frame)>& is_candidate,
                         const std::function<double(const Size& about)>& value) {
    InsideChoice best;
    const Rect& bounds = laid_out.geometry.bounds;
    for (std::size_t i = 0; i < laid_out.figure.boxes.size(); ++i) {
        const Rect& old = laid_out.geometry.boxes[i];
        const int frame = static_cast<int>(i);
        if (laid_out.figure.boxes[i].kind != BoxKind::Frame || !is_candidate(frame)) continue;
        const Inside inside(laid_out, frame);
        const Wrapper wrapper(inside.held());
        for (int columns = 2; columns <= std::min(kMostInside, wrapper.sections()); ++columns) {
            InsideChoice tried{frame, wrapper.balanced(columns), 0};
            Inside wrapped = inside;
            wrapped.wrap(wrapper, tried.starts);
            const Size size = wrapped.size();
            tried.value =
                value({bounds.width + size.width - old.width, bounds.height + size.height - old.height});
            if (tried.value > best.value) best = std::move(tried);
        }
    }
    return best;
}

// Whether the frame has at least this share of the picture's height.
bool is_high(const Picture& laid_out, int frame, double share) {
    return laid_out.geometry.boxes[at(frame)].height >= share * laid_out.geometry.bounds.height;
}

// How large the room shows the picture, in the columns in which it is largest.
double scale_in(const Picture& laid_out, const Size& room) {
    const Columns columns = columns_of(laid_out, Flow::Down, room, {}, {});
    return fitting_scale(shaped(laid_out, Flow::Down, columns).geometry.bounds, room);
}

// The picture with a map's inside in the columns that were chosen.
Picture in_columns(Layouter& layouter, const Picture& laid_out, const InsideChoice& choice) {
    Inside inside(laid_out, choice.frame);
    const Picture held = inside.held();
    inside.wrap(Wrapper(held), choice.starts);
    return inside.composed(layouter);
}

}  // namespace

Picture wrapped_inside(Layouter& layouter, const Picture& laid_out, Flow flow, const Size& view) {
    const Size room = flow == Flow::Down ? view : Size{view.height, view.width};
    if (room.width <= 0 || room.height <= 0 || laid_out.figure.boxes.size() > kMostWrapped) return laid_out;
    const Rect& bounds = laid_out.geometry.bounds;
    if (bounds.height * kReadable <= room.height) return laid_out;
    const double as_is = scale_in(laid_out, room);
    if (as_is >= kReadable) return laid_out;
    const InsideChoice best = best_inside(
        laid_out, [&](int frame) { return is_high(laid_out, frame, kMostOfPicture); },
        [&](const Size& about) {
            return share_seen({0, 0, about.width, about.height}, room);
        });
    if (best.frame < 0) return laid_out;
    Picture composed = in_columns(layouter, laid_out, best);
    // As it has come out: what is around it may have needed more room than was thought.
    const double scale = fitting_scale(composed.geometry.bounds, room);
    const bool shorter =
        composed.geometry.bounds.height <= kMuchShorter * bounds.height &&
        share_seen(composed.geometry.bounds, room) >= kAboutAsMuch * share_seen(bounds, room);
    return shorter || scale >= kWorthIt * as_is ? composed : laid_out;
}

namespace {

constexpr double kLeastOfPicture =
    0.3;                          // of its height: what a map has at least that is put in columns to fit
constexpr int kMostWraps = 3;     // of maps within one another
constexpr double kLarger = 1.05;  // what each must gain

bool is_around(const Figure& figure, int frame, int inner) {
    for (int box = figure.boxes[at(inner)].parent; box >= 0; box = figure.boxes[at(box)].parent)
        if (box == frame) return true;
    return false;
}

// The map, and its columns, with which all of the picture is largest, about. `inner`: a map in columns, that
// it must be around; -1: none.
InsideChoice fitting_inside(const Picture& laid_out, const Size& room, int inner) {
    return best_inside(
        laid_out,
        [&](int frame) {
            return is_high(laid_out, frame, kLeastOfPicture) &&
                   (inner < 0 || is_around(laid_out.figure, frame, inner));
        },
        [&](const Size& about) {
            return fitting_scale({0, 0, std::max(laid_out.geometry.bounds.width, about.width), about.height},
                                 room);
        });
}

}  // namespace

Picture wrapped_to_fit(Layouter& layouter, const Picture& laid_out, Flow flow, const Size& view) {
    const Size room = flow == Flow::Down ? view : Size{view.height, view.width};
    if (room.width <= 0 || room.height <= 0 || laid_out.figure.boxes.size() > kMostWrapped) return laid_out;
    Picture best = laid_out;
    double scale = scale_in(best, room);
    int inner = -1;
    for (int wraps = 0; wraps < kMostWraps && scale < 1; ++wraps) {
        const InsideChoice choice = fitting_inside(best, room, inner);
        if (choice.frame < 0) break;
        Picture composed = in_columns(layouter, best, choice);
        const double now = scale_in(composed, room);
        if (now < kLarger * scale) break;
        best = std::move(composed);
        scale = now;
        inner = choice.frame;
    }
    return best;
}

}  // namespace blockscope
