#include "app/layout/arrange.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr std::size_t kMostChildren = 1500;
constexpr double kLargestBox = 30000;  // pixels; the cells of Graphviz's tables end at 65535
constexpr long kMostRanks = 2500;      // crossed by all edges of a container: what Graphviz's time grows with

// Ranks that edges cross, by longest paths.
long ranks_crossed(const Figure& figure, const Container& container) {
    std::vector<int> rank(figure.boxes.size(), 0);
    std::vector<std::vector<int>> into(figure.boxes.size());
    for (const int edge : container.edges) {
        const Edge& e = figure.edges[at(edge)];
        if (e.from.box != container.box && e.to.box != container.box)
            into[at(e.to.box)].push_back(e.from.box);
    }
    long crossed = 0;
    for (const int child : container.children)
        for (const int from : into[at(child)])
            rank[at(child)] = std::max(rank[at(child)], rank[at(from)] + 1);
    for (const int child : container.children)
        for (const int from : into[at(child)]) crossed += rank[at(child)] - rank[at(from)];
    return crossed;
}

class Rougher {
public:
    Rougher(Dot& dot, const Figure& figure, const Tree& tree) : dot_(dot), figure_(figure), tree_(tree) {
        extents_.boxes.resize(figure.boxes.size());
        extents_.in.resize(figure.boxes.size());
        extents_.out.resize(figure.boxes.size());
        places_.resize(figure.boxes.size() + 1);
    }

    std::vector<Rect> inside(int box) {
        std::vector<int> frames = {box};
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const std::vector<int>& children = tree_.of(frames[i]).children;
            frames.insert(frames.end(), children.begin(), children.end());
        }
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) measure(*frame);
        Rough rough;
        rough.boxes.resize(figure_.boxes.size());
        rough.lanes.resize(figure_.edges.size());
        rough.boxes[at(box)] = {0, 0, extents_.boxes[at(box)].width, extents_.boxes[at(box)].height};
        for (const int frame : frames) set(frame, rough);
        return std::move(rough.boxes);
    }

    Rough run() {
        for (int box = tree_.boxes() - 1; box >= 0; --box) measure(box);
        places_[0] = place(tree_.of(-1));
        Rough rough;
        rough.boxes.resize(figure_.boxes.size());
        rough.lanes.resize(figure_.edges.size());
        for (int box = -1; box < tree_.boxes(); ++box) set(box, rough);
        return rough;
    }

private:
    Places place(const Container& container) {
        const auto huge = [&](int child) {
            const Size& size = extents_.boxes[at(child)];
            return std::max(size.width, size.height) > kLargestBox;
        };
        const bool large = container.children.size() > kMostChildren ||
                           ranks_crossed(figure_, container) > kMostRanks ||
                           std::any_of(container.children.begin(), container.children.end(), huge);
        return large ? place_in_layers(figure_, container, extents_)
                     : dot_.place(figure_, container, extents_);
    }

    void measure(int box) {
        const Box& b = figure_.boxes[at(box)];
        Size& size = extents_.boxes[at(box)];
        size = b.size;
        if (tree_.childless(box)) {
            const auto spread = [&](std::size_t count) {
                std::vector<double> offsets;
                for (std::size_t i = 0; i < count; ++i)
                    offsets.push_back(size.width * static_cast<double>(i + 1) /
                                      static_cast<double>(count + 1));
                return offsets;
            };
            extents_.in[at(box)] = spread(b.in.size());
            extents_.out[at(box)] = spread(b.out.size());
            return;
        }
        Places& places = places_[at(box) + 1];
        places = place(tree_.of(box));
        const double more = std::max(0.0, b.size.width - places.size.width - 2 * Measures::kPadX);
        size = {places.size.width + 2 * Measures::kPadX + more, places.size.height};
        for (double x : places.in) extents_.in[at(box)].push_back(x + Measures::kPadX + more / 2);
        for (double x : places.out) extents_.out[at(box)].push_back(x + Measures::kPadX + more / 2);
    }

    void set(int box, Rough& rough) const {
        const Container& container = tree_.of(box);
        if (box >= 0 && container.children.empty()) return;
        const Places& places = places_[at(box + 1)];
        Point origin;
        if (box >= 0) {
            const Rect& rect = rough.boxes[at(box)];
            origin = {rect.x + (rect.width - places.size.width) / 2, rect.y};
        }
        for (std::size_t i = 0; i < container.children.size(); ++i) {
            const Size& size = extents_.boxes[at(container.children[i])];
            rough.boxes[at(container.children[i])] = {origin.x + places.children[i].x - size.width / 2,
                                                      origin.y + places.children[i].y - size.height / 2,
                                                      size.width, size.height};
        }
        for (std::size_t i = 0; i < container.edges.size(); ++i)
            rough.lanes[at(container.edges[i])] = origin.x + places.edges[i];
    }

    Dot& dot_;
    const Figure& figure_;
    const Tree& tree_;
    Extents extents_;
    std::vector<Places> places_;  // by container
};

}  // namespace

std::vector<Rect> rough_inside(Dot& dot, const Figure& figure, const Tree& tree, int box) {
    return Rougher(dot, figure, tree).inside(box);
}

Rough rough_places(Dot& dot, const Figure& figure, const Tree& tree) {
    return Rougher(dot, figure, tree).run();
}

}  // namespace blockscope

extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
}

namespace blockscope {

namespace {

// Graphviz takes char* where it only reads.
char* text(const char* s) {
    return const_cast<char*>(s);
}
char* text(const std::string& s) {
    return const_cast<char*>(s.c_str());
}

std::string inches(double pixels) {
    return std::to_string(pixels / 72);
}

// One row of a table with a cell of 4 pixels at each port. Record nodes would be shorter and lose edges.
std::string port_row(const std::vector<double>& ports, char tag, int width) {
    std::string row =
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" CELLSPACING=\"0\" FIXEDSIZE=\"TRUE\" "
        "WIDTH=\"" +
        std::to_string(width) + "\" HEIGHT=\"4\"><TR>";
    int reached = 0;
    const auto cell = [&](int cell_width, const std::string& attributes) {
        if (cell_width <= 0) return;
        row += "<TD" + attributes + " FIXEDSIZE=\"TRUE\" WIDTH=\"" + std::to_string(cell_width) +
               "\" HEIGHT=\"4\"></TD>";
        reached += cell_width;
    };
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < ports.size(); ++i) order.emplace_back(ports[i], i);
    std::sort(order.begin(), order.end());
    for (const auto& [x, port] : order) {
        cell(static_cast<int>(std::lround(x)) - 2 - reached, "");
        cell(4, std::string(" PORT=\"") + tag + std::to_string(port) + "\"");
    }
    cell(width - reached, "");
    return row + "</TR></TABLE>";
}

std::string port_table(const Extents& extents, int box) {
    const int width = static_cast<int>(std::lround(extents.boxes[at(box)].width));
    const int height = static_cast<int>(std::lround(extents.boxes[at(box)].height));
    const std::string plain = " FIXEDSIZE=\"TRUE\" WIDTH=\"" + std::to_string(width) + "\" HEIGHT=\"";
    const auto row = [&](const std::vector<double>& ports, char tag) {
        return ports.empty() ? "<TR><TD" + plain + "4\"></TD></TR>"
                             : "<TR><TD>" + port_row(ports, tag, width) + "</TD></TR>";
    };
    return "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLPADDING=\"0\" CELLSPACING=\"0\">" +
           row(extents.in[at(box)], 'i') + "<TR><TD" + plain + std::to_string(std::max(1, height - 8)) +
           "\"></TD></TR>" + row(extents.out[at(box)], 'o') + "</TABLE>";
}

// Graphs share strings and attributes in global tables of Graphviz, contexts or not: one thread at a time.
std::mutex& graphviz_mutex() {
    static std::mutex mutex;
    return mutex;
}

// One graph of Graphviz's, closed in the end.
class FlatGraph {
public:
    FlatGraph(GVC_t* context, const Figure& figure, const Container& container, const Extents& extents)
        : context_(context), figure_(figure), container_(container), extents_(extents) {
        graph_ = agopen(text("container"), Agdirected, nullptr);
        declare();
        add_children();
        add_ports();
        for (const int edge : container.edges) add_edge(figure.edges[at(edge)]);
    }
    ~FlatGraph() {
        if (laid_out_) gvFreeLayout(context_, graph_);
        agclose(graph_);
    }
    FlatGraph(const FlatGraph&) = delete;
    FlatGraph& operator=(const FlatGraph&) = delete;

    Places run() {
        if (gvLayout(context_, graph_, "dot") != 0)
            throw InternalError("Graphviz could not lay out a container");
        laid_out_ = true;
        const double height = GD_bb(graph_).UR.y;
        const auto place = [&](Agnode_t* node) { return Point{ND_coord(node).x, height - ND_coord(node).y}; };
        Places places;
        places.size = {GD_bb(graph_).UR.x, height};
        for (const int child : container_.children) places.children.push_back(place(nodes_.at(child)));
        for (std::size_t i = 0; i < edges_.size(); ++i) places.edges.push_back(middle(edges_[i]));
        for (Agnode_t* node : in_) places.in.push_back(place(node).x);
        for (Agnode_t* node : out_) places.out.push_back(place(node).x);
        return places;
    }

private:
    void declare() {
        const std::pair<const char*, std::string> graph[] = {{"splines", "true"},
                                                             {"nodesep", inches(Measures::kGapX)},
                                                             {"ranksep", inches(Measures::kGapY)},
                                                             {"nslimit", "4"},
                                                             {"nslimit1", "4"},
                                                             {"mclimit", "0.5"},
                                                             {"searchsize", "30"},
                                                             {"rank", ""}};
        for (const auto& [name, value] : graph) agattr(graph_, AGRAPH, text(name), text(value));
        const std::pair<const char*, const char*> node[] = {{"shape", "box"},  {"fixedsize", "true"},
                                                            {"label", ""},     {"width", "1"},
                                                            {"height", "0.5"}, {"margin", "0"}};
        for (const auto& [name, value] : node) agattr(graph_, AGNODE, text(name), text(value));
        const std::pair<const char*, const char*> edge[] = {
            {"headport", ""}, {"tailport", ""}, {"dir", "none"}};
        for (const auto& [name, value] : edge) agattr(graph_, AGEDGE, text(name), text(value));
    }

    // rank=source and its kind corrupt memory in Graphviz 2.42; rank=same does not.
    Agraph_t* row(const char* name) {
        Agraph_t* sub = agsubg(graph_, text(name), 1);
        agset(sub, text("rank"), text("same"));
        return sub;
    }

    void add_children() {
        Agraph_t* inputs = nullptr;
        Agraph_t* outputs = nullptr;
        for (const int child : container_.children) {
            const BoxKind kind = figure_.boxes[at(child)].kind;
            Agraph_t* where = graph_;
            if (kind == BoxKind::Input) where = inputs = inputs ? inputs : row("inputs");
            if (kind == BoxKind::Output) where = outputs = outputs ? outputs : row("outputs");
            Agnode_t* node = agnode(where, text("b" + std::to_string(child)), 1);
            nodes_[child] = node;
            if (extents_.in[at(child)].empty() && extents_.out[at(child)].empty()) {
                agset(node, text("width"), text(inches(extents_.boxes[at(child)].width)));
                agset(node, text("height"), text(inches(extents_.boxes[at(child)].height)));
                continue;
            }
            agset(node, text("shape"), text("plain"));
            agset(node, text("fixedsize"), text("false"));
            char* html = agstrdup_html(graph_, text(port_table(extents_, child)));
            agset(node, text("label"), html);
            agstrfree(graph_, html);
        }
    }

    void add_ports() {
        if (container_.box < 0) return;
        const Box& box = figure_.boxes[at(container_.box)];
        const auto add = [&](std::size_t count, const char* name, std::vector<Agnode_t*>& ports) {
            if (count == 0) return;
            Agraph_t* where = row(name);
            for (std::size_t i = 0; i < count; ++i) {
                Agnode_t* node = agnode(where, text(name + std::to_string(i)), 1);
                agset(node, text("width"), text(inches(4)));
                agset(node, text("height"), text(inches(2)));
                ports.push_back(node);
            }
        };
        add(box.in.size(), "in", in_);
        add(box.out.size(), "out", out_);
    }

    void add_edge(const Edge& edge) {
        const bool from_rim = edge.from.box == container_.box, to_rim = edge.to.box == container_.box;
        Agnode_t* tail = from_rim ? in_[at(edge.from.port)] : nodes_.at(edge.from.box);
        Agnode_t* head = to_rim ? out_[at(edge.to.port)] : nodes_.at(edge.to.box);
        Agedge_t* made = agedge(graph_, tail, head, nullptr, 1);
        if (!from_rim && edge.from.port >= 0)
            agset(made, text("tailport"), text("o" + std::to_string(edge.from.port) + ":s"));
        if (!to_rim && edge.to.port >= 0)
            agset(made, text("headport"), text("i" + std::to_string(edge.to.port) + ":n"));
        edges_.push_back(made);
    }

    static double middle(Agedge_t* edge) {
        const splines* ways = ED_spl(edge);
        if (!ways || ways->size == 0) return (ND_coord(agtail(edge)).x + ND_coord(aghead(edge)).x) / 2;
        return ways->list[0].list[ways->list[0].size / 2].x;
    }

    GVC_t* context_;
    const Figure& figure_;
    const Container& container_;
    const Extents& extents_;
    Agraph_t* graph_ = nullptr;
    bool laid_out_ = false;
    std::map<int, Agnode_t*> nodes_;
    std::vector<Agnode_t*> in_, out_;
    std::vector<Agedge_t*> edges_;
};

}  // namespace

struct Dot::Context {
    GVC_t* graphviz = nullptr;
};

Dot::Dot(StopSign sign) : sign_(std::move(sign)), context_(std::make_unique<Context>()) {
    const std::lock_guard lock(graphviz_mutex());
    static lt_symlist_t plugins[] = {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
                                     {nullptr, nullptr}};
    context_->graphviz = gvContextPlugins(plugins, 0);
    agseterr(AGMAX);
}

Dot::~Dot() {
    const std::lock_guard lock(graphviz_mutex());
    gvFreeContext(context_->graphviz);
}

Places Dot::place(const Figure& figure, const Container& container, const Extents& extents) {
    sign_.check();
    const std::lock_guard lock(graphviz_mutex());
    return FlatGraph(context_->graphviz, figure, container, extents).run();
}

namespace {

constexpr int kSweeps = 8;

// Children in rows by longest path from the inputs.
class Layers {
public:
    Layers(const Figure& figure, const Container& container, const Extents& extents)
        : figure_(figure), container_(container), extents_(extents) {
        for (const int child : container.children) {
            position_[child] = static_cast<int>(size_.size());
            size_.push_back(extents.boxes[at(child)]);
        }
        above_.resize(size_.size());
        below_.resize(size_.size());
        for (const int edge : container.edges) {
            const Edge& e = figure.edges[at(edge)];
            if (e.from.box == container.box || e.to.box == container.box) continue;
            const int u = position_.at(e.from.box), v = position_.at(e.to.box);
            above_[at(v)].push_back(u);
            below_[at(u)].push_back(v);
        }
    }

    Places run() {
        rank();
        for (int sweep = 0; sweep < kSweeps; ++sweep) order(sweep % 2 == 0 ? above_ : below_, sweep % 2 == 0);
        return places();
    }

private:
    // Children are in execution order: producers come first.
    void rank() {
        std::vector<int> ranks(size_.size(), 0);
        int last = 0;
        for (std::size_t v = 0; v < size_.size(); ++v) {
            for (const int u : above_[v]) ranks[v] = std::max(ranks[v], ranks[at(u)] + 1);
            last = std::max(last, ranks[v]);
        }
        for (std::size_t v = 0; v < size_.size(); ++v)
            if (figure_.boxes[at(container_.children[v])].kind == BoxKind::Output) ranks[v] = last;
        rows_.resize(at(last) + 1);
        for (std::size_t v = 0; v < size_.size(); ++v) rows_[at(ranks[v])].push_back(static_cast<int>(v));
        x_.assign(size_.size(), 0);
        for (const auto& row : rows_) spread(row, {});
    }

    // Side by side in the given order, about the wished centres on average.
    void spread(const std::vector<int>& row, const std::map<int, double>& wished) {
        double x = 0, off = 0;
        for (const int v : row) {
            x_[at(v)] = x + size_[at(v)].width / 2;
            x += size_[at(v)].width + Measures::kGapX;
            const auto wish = wished.find(v);
            off += (wish == wished.end() ? 0 : wish->second) - x_[at(v)];
        }
        for (const int v : row) x_[at(v)] += off / static_cast<double>(row.size());
    }

    void order(const std::vector<std::vector<int>>& neighbours, bool downwards) {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            std::vector<int>& row = rows_[downwards ? i : rows_.size() - 1 - i];
            std::map<int, double> wished;
            for (const int v : row) {
                double sum = 0;
                for (const int u : neighbours[at(v)]) sum += x_[at(u)];
                const auto count = static_cast<double>(neighbours[at(v)].size());
                wished[v] = count == 0 ? x_[at(v)] : sum / count;
            }
            std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return wished[a] < wished[b]; });
            spread(row, wished);
        }
    }

    Places places() const {
        Places places;
        places.children.resize(size_.size());
        double left = 0, right = 0, y = Measures::kGapY;
        for (std::size_t v = 0; v < size_.size(); ++v) {
            left = std::min(left, x_[v] - size_[v].width / 2);
            right = std::max(right, x_[v] + size_[v].width / 2);
        }
        for (const auto& row : rows_) {
            double height = 0;
            for (const int v : row) height = std::max(height, size_[at(v)].height);
            for (const int v : row) places.children[at(v)] = {x_[at(v)] - left, y + height / 2};
            y += height + Measures::kGapY;
        }
        places.size = {right - left, y};
        for (const int edge : container_.edges)
            places.edges.push_back(middle(places, figure_.edges[at(edge)]));
        if (container_.box >= 0) add_ports(places);
        return places;
    }

    double middle(const Places& places, const Edge& edge) const {
        const bool from_rim = edge.from.box == container_.box, to_rim = edge.to.box == container_.box;
        if (from_rim && to_rim) return places.size.width / 2;
        const double to = to_rim ? 0 : places.children[at(position_.at(edge.to.box))].x;
        const double from = from_rim ? to : places.children[at(position_.at(edge.from.box))].x;
        return to_rim ? from : (from + to) / 2;
    }

    // Each port above (below) the mean of what it is connected with.
    void add_ports(Places& places) const {
        const Box& box = figure_.boxes[at(container_.box)];
        places.in.assign(box.in.size(), places.size.width / 2);
        places.out.assign(box.out.size(), places.size.width / 2);
        for (std::size_t i = 0; i < container_.edges.size(); ++i) {
            const Edge& edge = figure_.edges[at(container_.edges[i])];
            if (edge.from.box == container_.box) places.in[at(edge.from.port)] = places.edges[i];
            if (edge.to.box == container_.box) places.out[at(edge.to.port)] = places.edges[i];
        }
    }

    const Figure& figure_;
    const Container& container_;
    const Extents& extents_;
    std::map<int, int> position_;  // by box
    std::vector<Size> size_;
    std::vector<std::vector<int>> above_, below_;
    std::vector<std::vector<int>> rows_;
    std::vector<double> x_;
};

}  // namespace

Places place_in_layers(const Figure& figure, const Container& container, const Extents& extents) {
    return Layers(figure, container, extents).run();
}

}  // namespace blockscope
