// Every number that the cost counter knows, by name: what an interface can ask to have derived.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/algebra/polynomial.h"
#include "core/cost/counts.h"
#include "core/cost/terms.h"
#include "core/support/result.h"

namespace blockscope {

struct CostQuantity {
    enum class Kind : std::uint8_t {
        Loads,
        Stores,  // of one buffer
        Inputs,
        Outputs,
        Intermediates,
        Moved,  // by kind, and all together
        Matrix,
        Vector,
        Special,
        Operations,  // by unit, and all together; of one operator if there is a node
        LocalMemory,
        Tasks,
        Launches,
        Replication,
        Intensity,
    };
    enum class Measure : std::uint8_t { Items, Values, Bytes };

    Kind kind = Kind::Moved;
    Measure measure = Measure::Values;  // of transfers and local memory (which has no items)
    int buffer = -1;                    // of Loads and Stores: index in LoopProgram::buffers
    std::optional<NodeId> node;         // of operations
    bool operator==(const CostQuantity&) const = default;
};

// "Q.loads.values", "inputs.bytes", "matrix", "operations.n12", "local.bytes", "tasks".
std::string to_string(const CostQuantity& quantity, const LoopProgram& program);

// The same, without a measure: values. A problem says what is possible.
Result<CostQuantity> parse_quantity(const std::string& text, const CountedLoops& state);

// All of a state's, those without a term (no loads from an output, say) left out.
std::vector<CostQuantity> quantities(const CountedLoops& state);

// A part of a state that a number is about: some lines of its listing, one edge, some arrays.

// What is not given does not limit: an empty part is all of the state.
struct CostPart {
    std::optional<std::set<int>> lines;    // of the listing, from 0
    std::optional<std::set<int>> buffers;  // loads from them and stores to them; nothing else
    std::optional<ValueRef> value;         // loads and stores of this value; nothing else

    bool all() const { return !lines && !buffers && !value; }
    bool has_line(int line) const { return !lines || lines->count(line) > 0; }
    // Whether one of the lines from `first` to before `end` is of the part.
    bool meets(int first, int end) const;
    bool has(const Term& term) const;
};

// The lines of a listing in a row, each with what stands in it.
struct ListedLine {
    NodeId node;                           // that it shows
    int end = 0;                           // behind the last line that stands in it
    int outer = -1;                        // the loop that it stands in
    const Statement* statement = nullptr;  // of the program, which has to outlive this
};
std::vector<ListedLine> listed_lines(const LoopProgram& program);

// Lines that show one of the nodes, with all that stands in them. A load shows where its value comes from;
// `loads` says whether that counts.
std::set<int> lines_showing(const std::vector<ListedLine>& listed, const std::set<NodeId>& nodes,
                            bool loads = true);

// Which lines belong to an operator's or a map's transfers although they show something else: the loads of
// what it reads and the stores of what it makes.
class Transferring {
public:
    explicit Transferring(const std::vector<ListedLine>& listed);
    // Lines that read what line `load` loads, or make what it stores; none of other lines.
    const std::vector<int>& users(int line) const { return users_.at(static_cast<std::size_t>(line)); }

private:
    std::vector<std::vector<int>> users_;
};
// `lines`, and the loads and stores of theirs.
std::set<int> with_transfers(const std::vector<ListedLine>& listed, std::set<int> lines);

// Where a number comes from: the formula, the values put in, and the lines of the listing that it sums.

// A symbol of a formula and its value: M = 8192, m = 64, M/m = 128.
struct SymbolValue {
    std::string symbol;
    std::int64_t value = 0;
    bool operator==(const SymbolValue&) const = default;
};

// What one line of the listing contributes.
struct Summand {
    NodeId node;                         // that the line shows
    int line = -1;                       // of the listing, from 0; -1 for none
    int buffer = -1;                     // that is loaded from or stored to
    std::optional<ValueRef> value = {};  // the edge: what is moved, as its level names it
    Temp temp = {};                      // that is alive, of local memory; 0 otherwise
    Polynomial polynomial;
    std::int64_t amount = 0;
};

// A sum: its formula is that of its summands added up, and its value theirs.
struct Sum {
    std::string title;  // "values loaded from Q"
    Polynomial polynomial;
    std::string formula;
    std::vector<SymbolValue> symbols;  // of the formula, in order of first appearance
    std::int64_t value = 0;
    std::vector<Summand> summands;  // in order of the listing
};

struct CostDerivation {
    CostQuantity quantity;
    std::string name;                 // to_string(quantity)
    std::string unit;                 // "items", "values", "bytes", "operations", "tasks", "launches", ""
    Sum sum;                          // the number, or what is divided
    std::optional<Sum> divisor = {};  // of a quotient: replication, intensity

    double result() const;
    std::string formula() const;  // "M·D·N/n", "(2·M·N·D) / (2·M·D)"
};

// Derives a quantity of `state`. Replication compares with `unfused`, the initial state lowered at the same
// sizes. Throws InternalError if that is needed and null.
CostDerivation derive(const CountedLoops& state, const CostQuantity& quantity,
                      const CountedLoops* unfused = nullptr);

// The same of a part of the state: its terms alone; of local memory the most that is alive while one of its
// lines runs; of launches and tasks those of the top-level operators that have one of its lines. Replication
// compares with `unfused_part`.
struct DerivedPart {
    CostPart part;
    CostPart unfused_part;
};
CostDerivation derive(const CountedLoops& state, const CostQuantity& quantity, const DerivedPart& of,
                      const CountedLoops* unfused = nullptr);

// "M·D·N/n = 16777216 values, with M = 4096, D = 128, N/n = 32", and a line for each summand with its part
// of the formula, its value, its node and its listing line.
std::vector<std::string> derivation_text(const CostDerivation& derivation, const LoopProgram& program,
                                         const LoopProgram& unfused);

}  // namespace blockscope
