// Where a number of a state comes from, beside the costs table: formula, values, and what it sums.
#pragma once

#include "app/costs/cost_place.h"
#include "app/costs/cost_table.h"
#include "core/cost/derivation.h"
#include "core/cost/quantity.h"

namespace blockscope {

class DerivationView;

// The count that a column of CostTable shows; none for times and ratios.
std::optional<CostQuantity> quantity_of(int column);

// The lines, arrays or edge of the state that a number of the column is about. Nothing of the state may be
// meant: a node that it has no longer.
CostPart part_of(const StateCosts& costs, int column, const CostPlace& place);

// The same, and what replication compares it with: the operators of the unfused program whose work it does.
DerivedPart derived_part(const StateCosts& costs, const StateCosts& unfused, const Replicated& replicated,
                         int column, const CostPlace& place);

// A number of the table, or the part of it that belongs to a place.
struct ShownNumber {
    StateId state = 0;
    int column = 0;
    CostPlace place = {};
};
void show_number(DerivationView& view, Document& document, const CostTable& table, const TimesOf& times_of,
                 const ShownNumber& number);

}  // namespace blockscope
