#include "app/layout/arrange.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "core/support/index.h"

namespace blockscope {

namespace {

constexpr double kTrack = 12;        // between edges that leave their columns side by side
constexpr double kFirstTrack = 14;   // from a column to the first of them
constexpr double kBetween = 30;      // between columns without edges between them
constexpr double kRound = 9;         // radius of the corners of an edge on its way
constexpr double kBelowInputs = 18;  // from inputs above a column to edges that pass below them
constexpr double kEntry = 20;        // from edges above a column to its first box
constexpr std::size_t kMostRoots = 600;

void go_straight(Curve& curve, Point to) {
    const Point from = curve.back();
    if (from == to) return;
    curve.push_back({from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
    curve.push_back({from.x + (to.x - from.x) * 2 / 3, from.y + (to.y - from.y) * 2 / 3});
    curve.push_back(to);
}

Point towards(Point from, Point to, double by) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length <= by) return to;
    return {from.x + (to.x - from.x) * by / length, from.y + (to.y - from.y) * by / length};
}

Curve moved(Curve curve, Point by) {
    for (Point& p : curve) p = {p.x + by.x, p.y + by.y};
    return curve;
}

}  // namespace

void go_along(Curve& curve, std::vector<Point> way) {
    way.insert(way.begin(), curve.back());
    way.erase(std::unique(way.begin(), way.end()), way.end());
    for (std::size_t i = 1; i < way.size(); ++i) {
        if (i + 1 == way.size()) return go_straight(curve, way[i]);
        const double before = std::hypot(way[i].x - way[i - 1].x, way[i].y - way[i - 1].y);
        const double after = std::hypot(way[i + 1].x - way[i].x, way[i + 1].y - way[i].y);
        const double radius = std::min({kRound, before / 2, after / 2});
        const Point end = towards(way[i], way[i + 1], radius);
        go_straight(curve, towards(way[i], way[i - 1], radius));
        curve.push_back(towards(curve.back(), way[i], radius * 0.55));
        curve.push_back(towards(end, way[i], radius * 0.55));
        curve.push_back(end);
    }
}

Wrapper::Wrapper(const Picture& picture)
    : figure_(picture.figure), geometry_(picture.geometry), section_of_(picture.figure.boxes.size(), -1) {
    if (figure_.roots.size() <= kMostRoots) find_sections();
}

void Wrapper::find_sections() {
    std::vector<int> boxes;
    double first = std::numeric_limits<double>::infinity();
    for (const int root : figure_.roots) {
        const BoxKind kind = figure_.boxes[at(root)].kind;
        if (kind == BoxKind::Input || kind == BoxKind::Output) continue;
        boxes.push_back(root);
        first = std::min(first, geometry_.boxes[at(root)].top());
    }
    inputs_top_ = first;
    for (const int root : figure_.roots)
        if (figure_.boxes[at(root)].kind == BoxKind::Input)
            inputs_top_ = std::min(inputs_top_, geometry_.boxes[at(root)].top());
    std::sort(boxes.begin(), boxes.end(),
              [&](int a, int b) { return geometry_.boxes[at(a)].top() < geometry_.boxes[at(b)].top(); });
    for (const int box : boxes) {
        const Rect& rect = geometry_.boxes[at(box)];
        if (sections_.empty() || rect.top() > sections_.back().bottom + 2 * kRound)
            sections_.push_back({rect.top(), rect.bottom(), {}});
        Section& section = sections_.back();
        section.bottom = std::max(section.bottom, rect.bottom());
        section.boxes.push_back(box);
        section_of_[at(box)] = sections() - 1;
    }
}

std::vector<int> Wrapper::balanced(int columns) const {
    const int count = sections();
    const auto height = [&](int from, int to) {  // of sections from .. to - 1
        return sections_[at(to - 1)].bottom - sections_[at(from)].top;
    };
    // highest[k][i]: of the first i sections in k columns; cut[k][i]: where the last of these begins.
    const double never = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> highest(at(columns + 1), std::vector<double>(at(count + 1), never));
    std::vector<std::vector<int>> cut(at(columns + 1), std::vector<int>(at(count + 1), 0));
    highest[0][0] = 0;
    for (int k = 1; k <= columns; ++k)
        for (int i = k; i <= count; ++i)
            for (int from = k - 1; from < i; ++from) {
                const double tried = std::max(highest[at(k - 1)][at(from)], height(from, i));
                if (tried >= highest[at(k)][at(i)]) continue;
                highest[at(k)][at(i)] = tried;
                cut[at(k)][at(i)] = from;
            }
    std::vector<int> starts;
    for (int k = columns, i = count; k > 1; --k) {
        i = cut[at(k)][at(i)];
        starts.push_back(i);
    }
    return {starts.rbegin(), starts.rend()};
}

Columns Wrapper::columns(const std::vector<int>& starts) const {
    Columns columns;
    for (const int start : starts)
        columns.push_back(figure_.boxes[at(sections_[at(start)].boxes.front())].id());
    return columns;
}

std::optional<std::vector<int>> Wrapper::starts(const Columns& columns,
                                                const std::vector<Lineage>& made) const {
    std::vector<int> starts;
    for (const NodeId first : columns) {
        int box = figure_.find(first);
        for (const Lineage& line : made)
            if (box < 0 && std::find(line.from.begin(), line.from.end(), first) != line.from.end())
                box = figure_.find(line.made);
        while (box >= 0 && figure_.boxes[at(box)].parent >= 0) box = figure_.boxes[at(box)].parent;
        const int section = box < 0 ? -1 : section_of_[at(box)];
        if (section < 1) continue;
        if (starts.empty() || section > starts.back()) starts.push_back(section);
    }
    if (starts.empty()) return std::nullopt;
    return starts;
}

// One way to wrap a picture, on its way to a plan.
class Wrapping {
public:
    Wrapping(const Wrapper& wrapper, const std::vector<int>& starts)
        : w_(wrapper), figure_(wrapper.figure_), geometry_(wrapper.geometry_) {
        column_of_.assign(figure_.boxes.size(), -1);
        plan_.shift.assign(figure_.boxes.size(), {});
        for (std::size_t i = 0; i <= starts.size(); ++i) {
            Column column;
            column.first = i == 0 ? 0 : starts[i - 1];
            column.end = i < starts.size() ? starts[i] : w_.sections();
            column.top = w_.sections_[at(column.first)].top;
            column.bottom = w_.sections_[at(column.end - 1)].bottom;
            for (int s = column.first; s < column.end; ++s)
                for (const int box : w_.sections_[at(s)].boxes) column_of_[at(box)] = static_cast<int>(i);
            columns_.push_back(column);
        }
    }

    Wrapper::Plan run() {
        place_arrays();
        find_crossings();
        measure();
        place_columns();
        place_floating();
        route();
        find_bounds();
        return std::move(plan_);
    }

private:
    struct Column {
        int first = 0, end = 0;      // sections
        double top = 0, bottom = 0;  // in the picture of one column
        double left = 1e300, right = -1e300;
        double x = 0, y = 0;  // what is added to places in it
        double tracks = 0;    // edges that leave it
    };
    // All edges of one value that leave a column: they run together until they part.
    struct Group {
        int column = 0;
        double x = 0;   // where they leave it, in the picture of one column
        int track = 0;  // below the column and beside it, from the inside
        int top = 0;    // above the columns, from the bottom
    };
    using Source = std::tuple<int, int, int>;  // box, port, result

    const Rect& rect(int box) const { return geometry_.boxes[at(box)]; }
    const Edge& edge(int i) const { return figure_.edges[at(i)]; }
    const Curve& curve(int i) const { return geometry_.edges[at(i)]; }
    static Source source(const Edge& e) {
        return {e.from.box, e.from.port, e.from.port < 0 ? e.value.port : 0};
    }
    bool floats(int box) const { return floating_[at(box)]; }
    int column_of(int box) const { return column_of_[at(box)]; }

    // Inputs stand with the first column that reads them, outputs with the one that makes them.
    void place_arrays() {
        floating_.assign(figure_.boxes.size(), false);
        for (std::size_t i = 0; i < figure_.edges.size(); ++i) {
            const Edge& e = figure_.edges[i];
            if (e.container >= 0) continue;
            top_edges_.push_back(static_cast<int>(i));
            if (figure_.boxes[at(e.from.box)].kind == BoxKind::Input && column_of(e.to.box) >= 0) {
                int& home = column_of_[at(e.from.box)];
                home = home < 0 ? column_of(e.to.box) : std::min(home, column_of(e.to.box));
            }
            if (figure_.boxes[at(e.to.box)].kind == BoxKind::Output)
                column_of_[at(e.to.box)] = column_of(e.from.box);
        }
        for (const int root : figure_.roots) {
            int& home = column_of_[at(root)];
            home = std::max(home, 0);
            floating_[at(root)] = figure_.boxes[at(root)].kind == BoxKind::Input && home > 0;
        }
    }

    bool leaves(const Edge& e) const {
        return !floats(e.from.box) && column_of(e.from.box) != column_of(e.to.box);
    }

    // The part of an edge from its start to the lower end of its column, and x there.
    double exit_x(int i) const {
        const Column& column = columns_[at(column_of(edge(i).from.box))];
        const Curve& whole = curve(i);
        double x = whole.front().x;
        for (std::size_t k = 3; k < whole.size(); k += 3)
            if (whole[k].y <= column.bottom + 1) x = whole[k].x;
        return x;
    }
    double entry_x(int i) const {
        const Column& column = columns_[at(column_of(edge(i).to.box))];
        const Curve& whole = curve(i);
        double x = whole.back().x;
        for (std::size_t k = whole.size() - 1; k >= 3; k -= 3)
            if (whole[k - 3].y >= column.top - 1) x = whole[k - 3].x;
        return x;
    }

    void find_crossings() {
        for (const int i : top_edges_) {
            if (!leaves(edge(i))) continue;
            Group group;
            group.column = column_of(edge(i).from.box);
            group.x = exit_x(i);
            groups_.emplace(source(edge(i)), group);
        }
        std::vector<Group*> order;
        for (auto& [from, group] : groups_) order.push_back(&group);
        // The inner ones turn first: the rightmost of a column below it, the leftmost above the next.
        std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
            return std::tuple(a->column, -a->x) < std::tuple(b->column, -b->x);
        });
        for (Group* group : order) group->track = static_cast<int>(columns_[at(group->column)].tracks++);
        std::stable_sort(order.begin(), order.end(), [](const Group* a, const Group* b) {
            return std::tuple(-a->column, a->x) < std::tuple(-b->column, b->x);
        });
        for (Group* group : order) group->top = tracks_++;
    }

    // How wide the columns are: boxes, and edges within.
    void measure() {
        const auto take = [](Column& column, double left, double right) {
            column.left = std::min(column.left, left);
            column.right = std::max(column.right, right);
        };
        for (const int root : figure_.roots)
            if (!floats(root)) take(columns_[at(column_of(root))], rect(root).left(), rect(root).right());
        for (const int i : top_edges_) {
            const Edge& e = edge(i);
            if (floats(e.from.box) || leaves(e)) {
                Column& to = columns_[at(column_of(e.to.box))];
                take(to, entry_x(i), entry_x(i));
                if (floats(e.from.box)) continue;
                Column& from = columns_[at(column_of(e.from.box))];
                take(from, exit_x(i), exit_x(i));
                continue;
            }
            for (const Point& p : curve(i)) take(columns_[at(column_of(e.from.box))], p.x, p.x);
        }
        for (const int root : figure_.roots) {
            if (!floats(root)) continue;
            floating_height_ = std::max(floating_height_, rect(root).height);
            float_x(root);
        }
    }

    // Above the place where its edge enters the column.
    void float_x(int root) {
        Column& column = columns_[at(column_of(root))];
        double pin = rect(root).center().x, x = pin;
        for (const int i : top_edges_)
            if (edge(i).from.box == root && column_of(edge(i).to.box) == column_of(root)) {
                pin = curve(i).front().x;
                x = entry_x(i);
                break;
            }
        floating_x_[root] = x - (pin - rect(root).left());
        column.left = std::min(column.left, floating_x_[root]);
        column.right = std::max(column.right, floating_x_[root] + rect(root).width);
    }

    void place_columns() {
        const double above =
            (floating_height_ > 0 ? floating_height_ + kBelowInputs : 0) + tracks_ * kTrack + kEntry;
        const double first = columns_[0].top - w_.inputs_top_;
        content_y_ = std::max(above, first);
        spread_floating();
        double x = 0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            Column& column = columns_[i];
            column.x = x - column.left;
            column.y = (i == 0 ? first : content_y_) - column.top;
            x += column.right - column.left + std::max(kBetween, 2 * kFirstTrack + column.tracks * kTrack);
        }
        for (const int root : figure_.roots) {
            const Column& column = columns_[at(column_of(root))];
            plan_.shift[at(root)] = {column.x, column.y};
            // An output goes up below what makes it.
            if (figure_.boxes[at(root)].kind == BoxKind::Output && column.end != w_.sections())
                plan_.shift[at(root)].y = column.y + column.bottom - w_.sections_.back().bottom;
        }
    }

    // Inputs above one column do not overlap.
    void spread_floating() {
        std::vector<int> row;
        for (const auto& [root, x] : floating_x_) row.push_back(root);
        std::sort(row.begin(), row.end(), [&](int a, int b) {
            return std::pair(column_of(a), floating_x_.at(a)) < std::pair(column_of(b), floating_x_.at(b));
        });
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (column_of(row[i]) != column_of(row[i - 1])) continue;
            double& x = floating_x_.at(row[i]);
            x = std::max(x, floating_x_.at(row[i - 1]) + rect(row[i - 1]).width + Measures::kGapX);
            Column& column = columns_[at(column_of(row[i]))];
            column.right = std::max(column.right, x + rect(row[i]).width);
        }
    }

    void place_floating() {
        for (const auto& [root, x] : floating_x_) {
            const Column& column = columns_[at(column_of(root))];
            // All in one row, their lower sides aligned.
            plan_.shift[at(root)] = {x + column.x - rect(root).left(),
                                     floating_height_ - rect(root).height - rect(root).top()};
        }
    }

    double top_track(int track) const { return content_y_ - kEntry - (track + 0.5) * kTrack; }

    // Down from the top into the column, and on as before.
    void enter(Curve& way, int i, double y) const {
        const Column& column = columns_[at(column_of(edge(i).to.box))];
        const double x = entry_x(i) + column.x;
        const Curve& whole = curve(i);
        std::size_t rest = whole.size() - 1;
        while (rest >= 3 && whole[rest - 3].y >= column.top - 1) rest -= 3;
        const Point begin{x, whole[rest].y + column.y};
        go_along(way, {{way.back().x, y}, {x, y}, begin});
        for (std::size_t k = rest + 1; k < whole.size(); ++k)
            way.push_back({whole[k].x + column.x, whole[k].y + column.y});
    }

    Curve left_column(int i) const {
        const Column& column = columns_[at(column_of(edge(i).from.box))];
        const Group& group = groups_.at(source(edge(i)));
        const Curve& whole = curve(i);
        std::size_t last = 0;
        while (last + 3 < whole.size() && whole[last + 3].y <= column.bottom + 1) last += 3;
        Curve way(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        way = moved(std::move(way), {column.x, column.y});
        const double low = column.bottom + column.y + kFirstTrack + group.track * kTrack;
        const double side = column.right + column.x + kFirstTrack + group.track * kTrack;
        const double x = way.back().x;
        // The corners up to the top; enter() goes on from there.
        go_along(way, {{x, low}, {side, low}, {side, top_track(group.top) + 2 * kRound}});
        return way;
    }

    void route() {
        for (const int i : top_edges_) {
            const Edge& e = edge(i);
            if (floats(e.from.box)) {
                const Point shift = plan_.shift[at(e.from.box)];
                Curve way = {{curve(i).front().x + shift.x, curve(i).front().y + shift.y}};
                enter(way, i, floating_height_ + kBelowInputs / 2);
                plan_.rerouted[i] = std::move(way);
            } else if (leaves(e)) {
                Curve way = left_column(i);
                enter(way, i, top_track(groups_.at(source(e)).top));
                plan_.rerouted[i] = std::move(way);
            } else if (figure_.boxes[at(e.to.box)].kind == BoxKind::Output) {
                route_output(i);
            }
        }
    }

    // Down from what makes it, if it has gone up.
    void route_output(int i) {
        const Edge& e = edge(i);
        const Column& column = columns_[at(column_of(e.from.box))];
        if (column.end == w_.sections()) return;
        const Curve& whole = curve(i);
        std::size_t last = 0;
        while (last + 3 < whole.size() && whole[last + 3].y <= column.bottom + 1) last += 3;
        Curve way(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        way = moved(std::move(way), {column.x, column.y});
        const Point end{whole.back().x + plan_.shift[at(e.to.box)].x,
                        whole.back().y + plan_.shift[at(e.to.box)].y};
        const double middle = (std::max(way.back().y, column.bottom + column.y) + end.y) / 2;
        go_along(way, {{way.back().x, middle}, {end.x, middle}, end});
        plan_.rerouted[i] = std::move(way);
    }

    void find_bounds() {
        double left = 0, right = 0, top = 0, bottom = 0;
        for (const Column& column : columns_) {
            right = std::max(right, column.right + column.x +
                                        (column.tracks > 0 ? kFirstTrack + column.tracks * kTrack : 0));
            bottom = std::max(bottom, column.bottom + column.y +
                                          (column.tracks > 0 ? kFirstTrack + column.tracks * kTrack : 0));
        }
        for (const int root : figure_.roots) {
            const Point shift = plan_.shift[at(root)];
            const Rect box = rect(root).moved(shift.x, shift.y);
            left = std::min(left, box.left());
            right = std::max(right, box.right());
            bottom = std::max(bottom, box.bottom());
        }
        plan_.bounds = Rect{left, top, right - left, bottom - top}.grown(Measures::kMargin);
    }

    const Wrapper& w_;
    const Figure& figure_;
    const Geometry& geometry_;
    std::vector<Column> columns_;
    std::vector<int> column_of_;  // by box of the top level
    std::vector<bool> floating_;  // inputs above a column other than the first
    std::map<int, double> floating_x_;
    double floating_height_ = 0;
    std::vector<int> top_edges_;
    std::map<Source, Group> groups_;
    int tracks_ = 0;
    double content_y_ = 0;
    Wrapper::Plan plan_;
};

Wrapper::Plan Wrapper::plan(const std::vector<int>& starts) const {
    return Wrapping(*this, starts).run();
}

void Wrapper::apply(const Plan& plan, Geometry& geometry) const {
    std::vector<Point> shift = plan.shift;
    for (std::size_t i = 0; i < figure_.boxes.size(); ++i) {
        const int parent = figure_.boxes[i].parent;
        if (parent >= 0) shift[i] = shift[at(parent)];
        geometry.boxes[i] = geometry.boxes[i].moved(shift[i].x, shift[i].y);
        geometry.in[i] = moved(std::move(geometry.in[i]), shift[i]);
        geometry.out[i] = moved(std::move(geometry.out[i]), shift[i]);
    }
    for (std::size_t i = 0; i < figure_.edges.size(); ++i) {
        const Edge& e = figure_.edges[i];
        const auto way = plan.rerouted.find(static_cast<int>(i));
        if (way != plan.rerouted.end())
            geometry.edges[i] = way->second;
        else
            geometry.edges[i] =
                moved(std::move(geometry.edges[i]), shift[at(e.container >= 0 ? e.container : e.to.box)]);
    }
}

}  // namespace blockscope
