// What the readers of models promise: whatever is accepted becomes a program that the language reads, or is
// refused with reasons.
#pragma once

#include <utility>

#include "core/import/import.h"
#include "core/program/array_program.h"
#include "tests/fuzz/require.h"

namespace blockscope::fuzz {

inline void require_model(Result<model::TensorGraph> graph) {
    if (!graph) return require_reasons(graph, "f");
    const Result<model::ImportedModel> imported = model::import_model(std::move(graph).value(), {}, "f");
    if (!imported) return require_reasons(imported, "f");
    require(static_cast<bool>(parse_program(imported->text, "written")),
            "what was written is refused:\n" + imported->text);
}

}  // namespace blockscope::fuzz
