// JSON in and out: array programs, block programs, traces. Versioned (docs/json.md). Writing what was
// read gives the same bytes. Readers refuse hostile input: depth over 128, 64 MiB, map nesting
// over 32, the limits of check_program; each problem has a JSON pointer.
#pragma once

#include <memory>
#include <string>

#include "core/fusion/trace.h"
#include "core/graph/graph.h"
#include "core/json/parts.h"
#include "core/program/array_program.h"

namespace blockscope {

std::string write_json(const ArrayProgram& program);
std::string write_json(const BlockProgram& program);
std::string write_json(const Trace& trace);

Result<ArrayProgram> read_array_program(const std::string& text, const std::string& file);
Result<BlockProgram> read_block_program(const std::string& text, const std::string& file);
// Replays the trace's matches: a trace that does not follow from its initial program is refused.
Result<Trace> read_trace(const std::string& text, const std::string& file);

}  // namespace blockscope

// Block programs as JSON values: the body of their own format and of a trace's first state.

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

// ---- Parts of traces that the writer writes and the reader compares.

constexpr const char* kTraceFormat = "blockscope trace";

Value lineage_value(const std::vector<Lineage>& made);

}  // namespace blockscope::json
