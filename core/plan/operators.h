// The operators of an array program as nodes of a graph, and some of them as a program of their own.
//
//     S = Q @ K.T * D^-0.5        nodes: Q @ K.T, its scale, softmax, P @ V. The transpose of K is none: the
//     P = softmax(S)              products that read it read K the other way round.
//     output O = P @ V
//
//     The kernel {softmax, P @ V} as a program: input S, V; P = softmax(S); output O = P @ V
#pragma once

#include <string>
#include <vector>

#include "core/plan/problem.h"
#include "core/program/array_program.h"

namespace blockscope::plan {

// Operators whose results reach an output, but inputs and transposes that products alone read. An output that
// is an input takes no kernel, nor does a second name of a result.
struct OperatorGraph : Dag {
    std::vector<int> op;             // by node: index in ArrayProgram::ops
    std::vector<std::string> names;  // by node: its result as other kernels call it, unique in the program
    std::vector<bool> output;        // by node: the program gives it out
    // What a node computes at least: FLOPs of products; of those under a mask, which skip blocks, none.
    std::vector<double> flops;
    std::vector<std::vector<int>> reads;  // by node: the arrays, as indices in ArrayProgram::ops
    std::vector<double>
        bytes;  // by index in ArrayProgram::ops: of the array; 0 of masks and of what they hide parts of
};

// `program` is valid.
OperatorGraph operator_graph(const ArrayProgram& program);

// What the node does: "matmul", "softmax", the name of a custom operator.
std::string what_it_does(const ArrayProgram& program, const OperatorGraph& graph, int node);

// The operators of a kernel: inputs are what they read from outside, as they read it, outputs what others or
// the program's caller need of them, by the names of OperatorGraph. Dimensions are those that occur in it, in
// the order in which they do. Problems if that is no program, as where two listing names are the same.
Result<ArrayProgram> group_program(const ArrayProgram& program, const OperatorGraph& graph,
                                   const FusionGroup& kernel);

// The same text for programs that are the same but for names, comments and places: repeated layers. Such
// programs have their dimensions in the same order if group_program() made them.
std::string key_up_to_names(ArrayProgram program);

// Of arrays that the kernel reads from outside and of those that it gives out, each once.
double least_bytes(const OperatorGraph& graph, const FusionGroup& kernel);

}  // namespace blockscope::plan
