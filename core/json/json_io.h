// JSON in and out: array programs, block programs, traces. Versioned (docs/json.md). Writing what was
// read gives the same bytes. Readers refuse hostile input: depth over 128, 64 MiB, map nesting
// over 32, the limits of check_program; each problem has a JSON pointer.
#pragma once

#include <string>

#include "core/fusion/trace.h"
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
