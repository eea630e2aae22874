// What the writer and the reader of documents share (docs/json.md).
#pragma once

#include <optional>

#include "app/document/content.h"
#include "core/diagram/step_tree.h"
#include "core/json/reader.h"
#include "core/json/value.h"

namespace blockscope {

constexpr const char* kDocumentFormat = "blockscope document";
constexpr std::size_t kMaxStates = 100'000;
constexpr std::size_t kMaxTitleBytes = 1024;                 // names of documents and branches
constexpr std::size_t kMaxNoteBytes = std::size_t{1} << 20;  // of one note
constexpr std::size_t kMaxCompared = 3;

// A document that is parsed already.

Result<Content> read_document(const json::Value& document, const std::string& file,
                              const StepObserver& observer);

// The steps of a document's circuit: on which axes they are, and how a document writes them
// (docs/json.md).

// What the steps are of: the program as the array language has it; without one, the initial block program. A
// problem says why it has no such form.
Result<circuit::Flow> circuit_flow(const Content& content);

// `content` without the steps that its program does not allow (any more).
Content with_possible_steps(Content content);

// The keys circuit, circuit_state and circuit_tip; none if there are no steps and notes.
void add_circuit_steps(json::Object& document, const Content& content);
// Those of `document`, which has the key circuit; each step is checked on `content`'s program. None if
// something is wrong, which is reported.
circuit::StepTreePtr read_circuit_steps(const json::Reader& document, const Content& content);

}  // namespace blockscope
