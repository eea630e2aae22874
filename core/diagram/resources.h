// A diagram read from left to right: the data of every column, what runs between columns, and what the whole
// costs.
#pragma once

#include <string>
#include <vector>

#include "core/diagram/term.h"

namespace blockscope::circuit {

struct ColumnArray {
    int id = -1;  // copies of one array have one id
    ArrayType type;
    bool carried = false;  // in parentheses: the output of a stream that is carried along
};

struct Column {
    std::vector<ColumnArray> data;         // below global memory
    std::vector<const Partition*> around;  // outermost first
};

struct Execution {
    const Apply* apply = nullptr;
    std::vector<const Partition*> around;
    std::vector<ColumnArray> inputs;
    std::vector<ColumnArray> outputs;
    // Below global memory: what partitions around it take whole, again in their next part.
    std::vector<ColumnArray> waiting = {};
};

struct Columns {
    std::vector<Column> columns;  // one before and one after every execution
    std::vector<Execution> executions;
};

// Pointers refer to the circuit's terms, which must outlive the result.
Columns columns(const Circuit& circuit);

// ---- What a diagram costs, read off it by the napkin's rules (Sections 2.2 to 2.4): transfers are the sizes
// of the arrays that change level, memory is the widest column at a level, compute is an operator's work
// times the axes that it is weaved over; groups and streams run as often as they have parts.

struct TransferCost {
    const Apply* apply = nullptr;
    std::string name;  // of the array
    int from = 0;      // levels
    int to = 0;
    Formula size;  // of one run
    Formula runs;
    Formula total = {};  // their product
};

struct ColumnMemory {
    std::size_t column = 0;  // in Resources::columns
    Formula size;            // at this level
    double value = 0;        // at the sizes of the circuit's axes
};

struct LevelMemory {
    int level = 1;
    std::vector<ColumnMemory> columns;  // those that have something there
    std::size_t widest = 0;             // in `columns`
};

struct WorkFormulas {
    Formula matrix;   // multiply-adds count two
    Formula vector;   // other arithmetic
    Formula special;  // exp, log, roots, ...
};

struct Resources {
    Columns columns;
    std::vector<TransferCost> transfers;
    std::vector<LevelMemory> memory;  // by level, from 1 on
    Formula groups;                   // N_g: the product of the counts of groups around everything
    Formula transferred;              // H, values from and to level 0 in all
    Formula per_group;                // H_g = H / N_g
    WorkFormulas work;

    // What passes between two levels, both ways.
    Formula between(int level, int other) const;
    // What passes between a level and all that are above it, both ways: H of that level (Section 4.2).
    Formula into(int level) const;
    // The widest column of a level; 0 if nothing is ever there.
    Formula widest(int level) const;
};

// `circuit` must outlive the result.
Resources resources(const Circuit& circuit);

// The most that a level holds while something runs there. A column of the paper's has what stands before an
// operator, or after it; this has both, a result beside the operands that it is made of, and what partitions
// around take whole and need again for their next part. It is the local memory that the cost counter counts
// of a listing.
Formula most_while_running(const Circuit& circuit, const Columns& columns, int level);

// The work of one run of an operator: 2 per contracted pair, 1 per summed value; softmax has one exponential
// and four other operations per value, rmsnorm three per value and one root per row, layernorm six and one.
WorkFormulas work_of(const Axes& axes, const Apply& apply);

}  // namespace blockscope::circuit
