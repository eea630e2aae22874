// Matches as JSON: the keys rule, path, dim and roles of a step.
#pragma once

#include "core/json/parts.h"
#include "core/rules/rule.h"

namespace blockscope::json {

Value id_values(const std::vector<NodeId>& ids);

// Appends the keys rule, path, dim (if there are dimensions) and roles.
void add_match(Object& object, const Match& match, const DimTable& dims);

// Reads these keys of `reader`, an object that has them. Reported if they name no rule or dimension.
std::optional<Match> read_match(const Reader& reader, const Dims& dims);

// Whether `match`, which was read from `reader`, is there in `program`. Reported otherwise.
bool check_match(const Reader& reader, const BlockProgram& program, const Match& match);

}  // namespace blockscope::json
