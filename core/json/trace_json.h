// Parts of traces that the writer writes and the reader compares.
#pragma once

#include "core/fusion/trace.h"
#include "core/json/block_json.h"

namespace blockscope::json {

constexpr const char* kTraceFormat = "blockscope trace";

Value lineage_value(const std::vector<Lineage>& made);

}  // namespace blockscope::json
