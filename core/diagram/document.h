// Circuits as JSON, both ways (docs/json.md). A term is one of these, by its `kind`; `?` marks what may be
// missing:
//
//   apply:     "operator": elementwise, contraction, sum, mean, max, softmax, rmsnorm, layernorm, mask, cast,
//              transfer, reindex or custom, "label", "own" and "weave": axes,
//              "inputs" and "outputs": [{"slots", "type", "level", "cached"?, "name"?}],
//              "vector_work"?, "special_work"?: per item, "op"?, "node"?: where it comes from
//   rearrange: "from": [{"axes", "type", "level", "cached"?}], "take": output i is input take[i]
//   compose, product: "parts"
//   block:     "title", "style": group, repeat, kernel or split, "count"?, "body"
//   groups, stream: "whole", "part" and "count": axes, "split" and "join": [{"place", "dropped"?}], "carry",
//              "body"
//
// A slot is the index of an own axis, or -1 - the index of a weaved one. `split` and `join` give for each
// array of the body the place of the axis, -1 for none, and `dropped` where the body's array has no such
// axis. `carry` gives for each output the input that it is carried to, -1 for none.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/diagram/resources.h"
#include "core/json/value.h"
#include "core/support/result.h"

namespace blockscope::circuit {

// How one warpgroup orders its iterations (Figures 36 and 37).
enum class Overlap : std::uint8_t {
    Inter,  // matrix products in order; other warpgroups use the tensor cores meanwhile
    Intra,  // the next iteration's first product comes before this one's last: it needs room for its result
};

// How a drawn algorithm runs on a device: what Section 5.6 configures and Section 6 compares.
struct Deployment {
    std::string device;      // a name that `devices` lists
    Values sizes;            // of symbols: w_q, s_x, u_x, ...
    bool fragments = false;  // threads work on what tensor cores hold (FlashAttention-3)
    int warpgroups = 1;      // of one processor; asked for as 0: as many as fit
    Overlap overlap = Overlap::Inter;
    double special_overhead = 0;  // parts of a task's clocks: 0.5 is half as long again
    double vector_overhead = 0;
    bool operator==(const Deployment&) const = default;
};

struct CircuitDocument {
    std::string title;  // may be empty
    Circuit circuit;
    std::optional<Deployment> execution;
};

// {"format": "blockscope circuit", "version": 1, "axes": [...], "inputs": [...], "outputs": [...], "diagram":
// {...}}
json::Value to_json(const Circuit& circuit);
json::Value to_json(const CircuitDocument& document);

// The document in `text`: what to_json wrote comes out as the same text again. Problems name their place, as
// a JSON pointer; what verify() finds in the diagram has the place /diagram.
Result<CircuitDocument> read_circuit(const std::string& text, const std::string& file);

// What it costs: formulas, their values at the circuit's sizes, and the transfers and columns that they sum.
json::Value to_json(const Circuit& circuit, const Resources& resources);

}  // namespace blockscope::circuit
