// The five rules of the taxonomy of fusion ("Fusion Legality Analysis") and the checklist of the PTO guide
// (section 3.2, step 2, and 5.2), for two operators of a graph that says what each is, not how it is
// computed.
//
//     {"nodes": [{"name": "mm", "kind": "matmul", "shape": [128, 3072], "bytes": 12288},
//                {"name": "gelu", "kind": "elementwise", "shape": [128, 3072], "bytes": 2048}],
//      "edges": [[0, 1]]}
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/plan/operators.h"
#include "core/support/result.h"

namespace blockscope::plan {

enum class OperatorKind : std::uint8_t {
    Elementwise,
    Reduction,
    Broadcast,
    Matmul,
    Transpose,
    Reshape,
    Dropout,
    Input,
    Other
};
// As files have them, in the order of the enumeration.
constexpr std::array<const char*, 9> kOperatorKinds{
    "elementwise", "reduction", "broadcast", "matmul", "transpose", "reshape", "dropout", "input", "other"};

struct NamedOperator {
    std::string name;
    OperatorKind kind = OperatorKind::Other;
    std::vector<std::int64_t> shape;  // of its result
    std::int64_t bytes = 0;           // of local memory that it needs
    bool effect = false;  // something besides its result can be observed: a file, a state of random numbers
    bool control_flow = false;  // branches of its own, or loops whose ends depend on data
    std::string type;           // of the result's elements; empty: not said
    // Of a reduction, what it goes over where that is no other operator's result; empty: its operands tell.
    std::vector<std::int64_t> domain = {};
};

struct NamedGraph {
    std::vector<NamedOperator> operators;
    std::vector<std::vector<int>> before, after;  // by operator, ascending
};

constexpr int kMaxNamedOperators = 300;
constexpr std::int64_t kUsableLocalBytes = std::int64_t{48} * 1024;  // the article's figure for an A100

// What is wrong has its place. Edges join operators by number or by name.
Result<NamedGraph> read_named_graph(const std::string& text, const std::string& file);

struct LegalityOptions {
    std::int64_t local_bytes = kUsableLocalBytes;  // a kernel may need as many
    bool training = false;                         // dropout has an effect; else it is the identity
    // What does not fit of two as one kernel, where somebody has looked for block sizes; nothing: all fits.
    // Without it, the bytes of both add up.
    std::function<std::optional<Text>(int a, int b)> misfit = {};
};

// What stands against two operators as one kernel, or is to be known of them.
struct Verdict {
    int rule = 0;  // 1 .. 5 of the article; of the checklist 1 .. 5 in the guide's order
    Text why;
};

// In the order of the article. Rules 1 (producer and consumer) and 3 (shapes) are about the edge between the
// two, 2 (no cycle), 4 (no effects) and 5 (local memory) about both as one kernel. Without an edge rule 3
// says nothing.
std::vector<Verdict> violated_rules(const NamedGraph& graph, int a, int b,
                                    const LegalityOptions& options = {});
// In the guide's order: dependence, single user, memory, type, control flow; all that fail.
std::vector<Verdict> failed_checks(const NamedGraph& graph, int a, int b,
                                   const LegalityOptions& options = {});
// Of what is legal: two products as one kernel need tiles.
std::vector<Text> warnings(const NamedGraph& graph, int a, int b);

// The operators of an array program as those of such a graph, so that the rules of the taxonomy and the
// guide's checklist are read on programs, too.
// `local_bytes` by node: what each needs of local memory. Softmax and norms are reductions, which go over
// what they read; custom operators, of which nothing is known, are of kind "other" and count as control flow.
NamedGraph named_graph(const ArrayProgram& program, const OperatorGraph& graph,
                       const std::vector<std::int64_t>& local_bytes);

}  // namespace blockscope::plan
