#include "tests/plan/random_graph.h"

#include <algorithm>

namespace blockscope::test {

using plan::PlainGraph;

namespace {

PlainGraph empty_graph(int nodes) {
    const auto count = static_cast<std::size_t>(nodes);
    PlainGraph graph;
    graph.before.resize(count);
    graph.after.resize(count);
    for (auto* amounts : {&graph.out_bytes, &graph.in_bytes, &graph.work, &graph.local})
        amounts->assign(count, 0);
    graph.output.assign(count, false);
    return graph;
}

void add_edge(PlainGraph& graph, int from, int to) {
    graph.after[static_cast<std::size_t>(from)].push_back(to);
    graph.before[static_cast<std::size_t>(to)].push_back(from);
}

}  // namespace

PlainGraph random_graph(Random& random, int most) {
    const int nodes = random.between(1, most);
    PlainGraph graph = empty_graph(nodes);
    const int dense = random.between(10, 70);
    for (int to = 1; to < nodes; ++to)
        for (int from = 0; from < to; ++from)
            if (random.chance(dense)) add_edge(graph, from, to);
    for (int i = 0; i < nodes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        graph.out_bytes[at] = random.between(0, 20);
        graph.in_bytes[at] = random.chance(50) ? random.between(0, 20) : 0;
        graph.work[at] = random.between(0, 40);
        graph.local[at] = random.between(0, 6);
        graph.output[at] = graph.after[at].empty() || random.chance(15);
    }
    graph.cap = random.chance(20) ? plan::kNever : random.between(4, 20);
    graph.launch = random.between(0, 12);
    graph.bandwidth = random.chance(50) ? 1 : 2;
    graph.peak = random.chance(50) ? 1 : 4;
    return graph;
}

PlainGraph layered_graph(int layers, int width) {
    PlainGraph graph = empty_graph(1 + layers * (2 * width + 2));
    int residual = 0, next = 1;
    for (int layer = 0; layer < layers; ++layer) {
        const int joined = next + 2 * width, sum = joined + 1;
        for (int i = 0; i < width; ++i) {
            add_edge(graph, residual, next + i);
            add_edge(graph, next + i, next + width + i);
        }
        for (int i = 0; i < width; ++i) add_edge(graph, next + width + i, joined);
        add_edge(graph, residual, sum);
        add_edge(graph, joined, sum);
        residual = sum;
        next = sum + 1;
    }
    for (auto* edges : {&graph.before, &graph.after})
        for (std::vector<int>& nodes : *edges) std::sort(nodes.begin(), nodes.end());
    for (std::size_t i = 0; i < graph.out_bytes.size(); ++i) {
        graph.out_bytes[i] = 10 + static_cast<double>(i % 7);
        graph.in_bytes[i] = i % 3 == 0 ? 5 : 0;
        graph.work[i] = static_cast<double>(i % 5) * 8;
        graph.local[i] = 2 + static_cast<double>(i % 3);
    }
    graph.output[static_cast<std::size_t>(residual)] = true;
    graph.cap = 16;
    graph.launch = 6;
    return graph;
}

}  // namespace blockscope::test
