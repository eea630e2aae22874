// A document that is parsed already.
#pragma once

#include "app/document/content.h"
#include "core/json/value.h"

namespace blockscope {

Result<Content> read_document(const json::Value& document, const std::string& file,
                              const StepObserver& observer);

}  // namespace blockscope
