// Archives of torch.export (.pt2): a zip whose JSON is the exported program, after PyTorch's
// torch/_export/serde/schema.py, version 8.
#pragma once

#include <cstdint>
#include <string>

#include "core/import/stored_zip.h"
#include "core/import/tensor_graph.h"
#include "core/support/result.h"

namespace blockscope::model {

// Whether these are the first bytes of a zip archive.
bool looks_like_pt2(const std::string& beginning);

// The graph of the exported program. Of parameters the type and the extents are enough; buffers and constants
// have their values where the archive has them as plain bytes, of `most_constants` bytes in all. Problems
// name the member and the place in it.
constexpr std::uint64_t kMostConstants = std::uint64_t{1} << 29U;
Result<TensorGraph> read_pt2(ByteSource source, const std::string& file,
                             std::uint64_t most_constants = kMostConstants);

}  // namespace blockscope::model
