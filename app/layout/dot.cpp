#include "app/layout/dot.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>

#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "core/support/result.h"

extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
}

namespace blockscope {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

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

}  // namespace blockscope
