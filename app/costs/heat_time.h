// Predicted times spread over the lines of a listing: what a heat map shows, and what its numbers sum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/costs/state_costs.h"
#include "core/cost/models/model.h"

namespace blockscope {

// What one term of a kernel's time gives to one line.
struct TimeShare {
    int line = 0;
    NodeId node;                    // that the line shows
    std::optional<ValueRef> value;  // of loads and stores
    int buffer = -1;                // of loads and stores
    std::string term;               // of the model; empty: the kernel's whole time, which no line causes
    double seconds = 0;             // of the line
    double whole = 0;               // of the term, scaled so that a kernel's terms add up to its time
    double amount = 0;              // the line's operations or bytes
    double all = 0;                 // those of all of the kernel's lines that the term is about
};

// In the order of the kernels and their terms. Terms overlap or leave out what no line causes (launches), so
// that they are scaled to the kernel's time.
std::vector<TimeShare> time_shares(const StateCosts& costs, const Prediction& predicted);

// The bytes that a load or store moves between global and local memory; 0 of everything else.
double moved_bytes(const StateCosts& costs, const Term& term);
const Buffer& buffer_of(const StateCosts& costs, const Term& term);

}  // namespace blockscope
