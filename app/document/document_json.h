// What the writer and the reader of documents share (docs/documents.md).
#pragma once

#include "app/document/content.h"

namespace blockscope {

constexpr const char* kDocumentFormat = "blockscope document";
constexpr std::size_t kMaxStates = 100'000;
constexpr std::size_t kMaxTitleBytes = 1024;                 // names of documents and branches
constexpr std::size_t kMaxNoteBytes = std::size_t{1} << 20;  // of one note
constexpr std::size_t kMaxCompared = 3;

}  // namespace blockscope
