// A diagram read from left to right: the data of every column, and what runs between them.
#pragma once

#include <vector>

#include "core/circuit/term.h"

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

}  // namespace blockscope::circuit
