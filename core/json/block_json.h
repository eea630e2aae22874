// Block programs as JSON values: the body of their own format and of a trace's first state.
#pragma once

#include <memory>

#include "core/graph/graph.h"
#include "core/json/parts.h"

namespace blockscope::json {

constexpr const char* kBlockFormat = "blockscope block program";
constexpr std::size_t kMaxNodes = 100'000;    // at all levels
constexpr std::size_t kMaxEdges = 1'000'000;  // at all levels
constexpr int kMaxMapDepth = 32;              // maps inside each other
// Ids index tables, so they stay in a range that tables can cover.
constexpr std::uint32_t kMaxId = (1U << 24) - 1;

// Spellings in the order of the enumerations.
const std::vector<std::string>& node_kind_names();   // Kind's alternatives
const std::vector<std::string>& functional_names();  // FunctionalOp
const std::vector<std::string>& port_in_names();     // PortIn
const std::vector<std::string>& port_out_names();    // PortOut
const std::vector<std::string>& reduce_names();      // ReduceOp

// Appends the keys dims, next_id and graph.
void add_block_program(Object& object, const BlockProgram& program);

// Reads the keys dims, next_id and graph of `reader`, an object that has them, and verifies the program.
// Null if something is wrong with it, which is then reported.
ProgramPtr read_block_program(const Reader& reader);

// What the verifier does not ask and printing and execution need: names that are unique as a listing
// writes them, one shape per array, sizes that fit 63 bits. `place` is the object that was read.
using NodePointers = std::unordered_map<std::uint32_t, std::string>;  // by id
void check_arrays(const BlockProgram& program, const NodePointers& pointers, const Reader& place);

}  // namespace blockscope::json
