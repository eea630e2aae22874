#include "core/plan/plain_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/json/reader.h"

namespace blockscope::plan {

namespace {

using json::Reader;

class GraphReader {
public:
    GraphReader(const json::Value& root, json::Report& report) : root_(root, report) {}

    PlainGraph read() {
        if (!root_.object({"n", "edges", "out_bytes", "in_bytes?", "work?", "local?", "outputs?", "cap?",
                           "launch?", "bandwidth?", "peak?"}))
            return {};
        const auto count = root_.member("n").integer(1, kMaxPlainNodes);
        if (!count) return {};
        count_ = static_cast<std::size_t>(*count);
        graph_.before.resize(count_);
        graph_.after.resize(count_);
        amounts("out_bytes", graph_.out_bytes);
        amounts("in_bytes", graph_.in_bytes);
        amounts("work", graph_.work);
        amounts("local", graph_.local);
        number("cap", graph_.cap);
        number("launch", graph_.launch);
        above_zero("bandwidth", graph_.bandwidth);
        above_zero("peak", graph_.peak);
        edges();
        outputs();
        sums();
        return std::move(graph_);
    }

private:
    // What any plan of the graph adds up stays a number: a result is written once and read by each reader.
    void sums() {
        double out = 0, in = 0, work = 0, local = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            out += graph_.out_bytes[i] * (1 + static_cast<double>(graph_.after[i].size()));
            in += graph_.in_bytes[i];
            work += graph_.work[i];
            local += graph_.local[i];
        }
        const double launches = graph_.launch * static_cast<double>(count_);
        const std::pair<const char*, double> all[] = {{"out_bytes", out},
                                                      {"in_bytes", in},
                                                      {"work", work},
                                                      {"local", local},
                                                      {"launch", launches},
                                                      {"bandwidth", (out + in) / graph_.bandwidth},
                                                      {"peak", work / graph_.peak}};
        for (const auto& [key, sum] : all)
            if (!(sum < kNever)) return too_large(key);
        const double most = launches + (out + in) / graph_.bandwidth + work / graph_.peak;
        if (!(most < kNever)) too_large("launch");
    }

    void too_large(const char* key) {
        const Reader named = root_.has(key) ? root_.member(key) : root_.member("out_bytes");
        named.problem(Text("with this a plan costs more than a number can say, 1.8e308"));
    }

    void number(const char* key, double& to) {
        if (!root_.has(key)) return;
        const Reader member = root_.member(key);
        const auto value = member.number();
        if (value && *value < 0) member.problem(Text("this is below 0"));
        if (value) to = *value;
    }

    void above_zero(const char* key, double& to) {
        number(key, to);
        if (to == 0) root_.member(key).problem(Text("this has to be above 0"));
    }

    void amounts(const char* key, std::vector<double>& to) {
        to.assign(count_, 0);
        if (!root_.has(key)) return;
        const Reader list = root_.member(key);
        if (!list.array(count_, count_)) return;
        for (std::size_t i = 0; i < count_; ++i) {
            const Reader element = list.at(i);
            const auto value = element.number();
            if (value && *value < 0) element.problem(Text("this is below 0"));
            if (value) to[i] = *value;
        }
    }

    void edges() {
        const Reader list = root_.member("edges");
        if (!list.array(0, std::size_t{64} * kMaxPlainNodes)) return;
        const auto last = static_cast<std::int64_t>(count_) - 1;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Reader edge = list.at(i);
            if (!edge.array(2, 2)) continue;
            const auto from = edge.at(0).integer(0, last), to = edge.at(1).integer(0, last);
            if (!from || !to) continue;
            auto& after = graph_.after[static_cast<std::size_t>(*from)];
            const auto place = std::lower_bound(after.begin(), after.end(), static_cast<int>(*to));
            if (place != after.end() && *place == *to) {
                edge.problem(Text("this edge stands twice"));
                continue;
            }
            after.insert(place, static_cast<int>(*to));
            auto& before = graph_.before[static_cast<std::size_t>(*to)];
            before.insert(std::lower_bound(before.begin(), before.end(), static_cast<int>(*from)),
                          static_cast<int>(*from));
        }
        const std::vector<int> order = topological_order(graph_);
        if (order.size() == count_) return;
        std::vector<bool> reached(count_);
        for (const int node : order) reached[static_cast<std::size_t>(node)] = true;
        const auto stuck = std::find(reached.begin(), reached.end(), false) - reached.begin();
        list.problem(
            Text("node %1 stands on a cycle of edges, or after one", static_cast<std::int64_t>(stuck)));
    }

    void outputs() {
        graph_.output.assign(count_, false);
        if (!root_.has("outputs")) {
            for (std::size_t i = 0; i < count_; ++i) graph_.output[i] = graph_.after[i].empty();
            return;
        }
        const Reader list = root_.member("outputs");
        if (!list.array(0, count_)) return;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Reader element = list.at(i);
            const auto node = element.integer(0, static_cast<std::int64_t>(count_) - 1);
            if (!node) continue;
            if (graph_.output[static_cast<std::size_t>(*node)])
                element.problem(Text("this output stands twice"));
            graph_.output[static_cast<std::size_t>(*node)] = true;
        }
    }

    Reader root_;
    std::size_t count_ = 0;
    PlainGraph graph_;
};

}  // namespace

Result<PlainGraph> read_plain_graph(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    PlainGraph graph = GraphReader(*document, report).read();
    if (!report.clean()) return report.problems();
    return graph;
}

double bytes_of(const PlainGraph& graph, const FusionGroup& kernel) {
    const auto inside = [&](int node) { return std::binary_search(kernel.begin(), kernel.end(), node); };
    double bytes = 0;
    std::vector<int> read;
    for (const int node : kernel) {
        const auto at = static_cast<std::size_t>(node);
        bytes += graph.in_bytes[at];
        for (const int source : graph.before[at])
            if (!inside(source)) read.push_back(source);
        if (graph.output[at] || !std::all_of(graph.after[at].begin(), graph.after[at].end(), inside))
            bytes += graph.out_bytes[at];
    }
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const int source : read) bytes += graph.out_bytes[static_cast<std::size_t>(source)];
    return bytes;
}

double cost_of(const PlainGraph& graph, const FusionGroup& kernel) {
    double local = 0, work = 0;
    for (const int node : kernel) {
        local += graph.local[static_cast<std::size_t>(node)];
        work += graph.work[static_cast<std::size_t>(node)];
    }
    if (local > graph.cap) return kNever;
    return graph.launch + std::max(bytes_of(graph, kernel) / graph.bandwidth, work / graph.peak);
}

// No plan of these nodes costs less: as many launches as the local memory asks for, all work, and every
// input, output and result from outside once.
double least_cost(const PlainGraph& graph, const std::vector<int>& nodes) {
    double local = 0, work = 0, bytes = 0;
    std::vector<int> read;
    for (const int node : nodes) {
        const auto at = static_cast<std::size_t>(node);
        local += graph.local[at];
        work += graph.work[at];
        bytes += graph.in_bytes[at] + (graph.output[at] ? graph.out_bytes[at] : 0);
        for (const int source : graph.before[at])
            if (!std::binary_search(nodes.begin(), nodes.end(), source)) read.push_back(source);
    }
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const int source : read) bytes += graph.out_bytes[static_cast<std::size_t>(source)];
    const double kernels = graph.cap > 0 && graph.cap < kNever ? std::clamp(std::ceil(local / graph.cap), 1.0,
                                                                            static_cast<double>(nodes.size()))
                                                               : 1;
    return graph.launch * kernels + std::max(bytes / graph.bandwidth, work / graph.peak);
}

}  // namespace blockscope::plan
