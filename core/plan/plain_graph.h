// A program as plain numbers, for deciding which operators become one kernel without asking how: nodes with
// what they compute, hold and write, and edges from the node that writes a result to those that read it.
//
//     {"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,8,8,2], "in_bytes": [4,0,0,0],
//      "work": [5,1,1,3], "local": [4,4,4,4], "outputs": [3], "cap": 10, "launch": 10.0}
//
// A kernel of nodes S costs launch + max(bytes / bandwidth, work / peak), and more than anything where its
// local memory is above the cap. Its bytes are those of the program's inputs that its nodes read, of the
// results of other kernels that it reads, each once, and of its own results that another kernel reads or
// that are outputs, each once.
#pragma once

#include <string>
#include <vector>

#include "core/plan/problem.h"
#include "core/support/result.h"

namespace blockscope::plan {

constexpr int kMaxPlainNodes = 10'000;

struct PlainGraph : Dag {
    std::vector<double> out_bytes;  // of a node's result
    std::vector<double> in_bytes;   // of the program's inputs that a node reads
    std::vector<double> work;       // operations
    std::vector<double> local;      // bytes of local memory; a kernel needs the sum of its nodes'
    std::vector<bool> output;       // whether the result is needed after the last kernel
    double cap = kNever;            // bytes of local memory that a kernel may have; itself allowed
    double launch = 0;              // seconds, as are bytes / bandwidth and work / peak
    double bandwidth = 1;
    double peak = 1;
};

// Without "in_bytes", "work" and "local" they are 0, without "outputs" those are the results that nobody
// reads, without a "cap" there is none, without a "launch" it costs nothing. What is wrong has its place; an
// edge that closes a cycle is wrong.
Result<PlainGraph> read_plain_graph(const std::string& text, const std::string& file);

double bytes_of(const PlainGraph& graph, const FusionGroup& kernel);
// kNever above the cap.
double cost_of(const PlainGraph& graph, const FusionGroup& kernel);
// No plan of these nodes costs less: as many launches as the local memory asks for, all work, and every
// input, output and result from outside once.
double least_cost(const PlainGraph& graph, const std::vector<int>& nodes);

}  // namespace blockscope::plan
