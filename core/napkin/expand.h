// Pseudocode expansion (Sections 5.1 to 5.6): a streamed algorithm as a loop with head, accumulator and tail,
// its operators given to tensor cores and threads, its variables with their sizes and levels, and how many
// warpgroups of them fit a device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/diagram/flow.h"
#include "core/support/result.h"

namespace blockscope::circuit {

// The colours of Section 5.3.
enum class Tier : std::uint8_t { Global, Shared, Threads, Tensor };

// A column of the expansion, or a bracket around columns.
struct CodeNode {
    enum class Kind : std::uint8_t {
        Column,   // an operation or a transfer
        Loop,     // large parentheses: once per s of the stream
        SubLoop,  // inner parentheses: once per u of s
        Split,    // dotted box: a multiply-add that can be split along any axis
    };
    Kind kind = Kind::Column;
    Text text = {};
    Tier place = Tier::Threads;
    int op = -1;             // index in Flow::ops
    std::string part = {};   // of loops: "s_x", "u_x"
    std::string whole = {};  // "x", "s_x"
    std::vector<CodeNode> body = {};
};

struct Variable {
    std::string name;   // "Q", "S'", "ΔO'"
    std::string array;  // of the program, or "auxiliary"
    Text role;          // "input", "tensor cores", "shared copy", "threads", "operand", "accumulator", ...
    std::vector<std::string> axes;  // symbols: w_x of a warpgroup, t_x of a thread, g_x of all warpgroups
    Tier place = Tier::Shared;      // Tensor variables lie in registers, fragmented
    bool per_warpgroup = false;
    bool doubled = false;  // loaded while the one before is used
    bool inner = false;    // with the parts of the inner stream: again in every part of the outer one
    ElemType elem = ElemType::F16;
    Formula values = {};  // of one thread block, or of one warpgroup
};

struct Divisor {
    std::string symbol;
    std::int64_t by = 1;
    Text because;
};

struct Expansion {
    std::string rows;            // the grouped axis that threads and warpgroups share: "q"
    std::string stream;          // "x"
    std::string inner;           // streamed in every part of that; empty: none
    std::vector<CodeNode> code;  // head, loop, tail
    std::vector<Variable> variables;
    // What the clock analysis needs of each operator in the loop.
    struct Operation {
        int op = -1;
        Text name;
        Unit unit = Unit::Matrix;
        Formula per_thread;                      // per row and part of the stream
        std::vector<std::string> operands = {};  // variables whose types set the rate of a matrix unit
    };
    std::vector<Operation> operations;
};

struct ExpansionOptions {
    // Whether threads can work on what tensor cores hold, as FlashAttention-3 does: then nothing goes through
    // shared memory in between, and the scaling of results counts as overhead.
    bool fragments = false;
    // An axis that is streamed in every part of the stream, all of it each time: what does not have the
    // stream's axis is done again. None: -1.
    AxisId inner = {};
    // Whether a warpgroup does the next iteration's first product before this one's last (Overlap::Intra): it
    // then holds the scores of both (S_next, Section 6.1).
    bool ahead = false;
};

// The expansion of `flow` (separated) grouped along `rows` and streamed along `stream`. A problem says why
// not.
Result<Expansion> expand(const Flow& flow, AxisId rows, AxisId stream, const ExpansionOptions& options = {});

// Sizes by symbol and element types by variable; both can be edited.
struct Configuration {
    Values sizes;
    std::map<std::string, ElemType> elems;
    ElemType elem(const Variable& variable) const;
};

// A warpgroup of 128 rows, one per thread; sub-loops as long as the stream's parts, of `stream`; result tiles
// of a quarter and a sixteenth of the axis (Section 5.6).
Configuration default_configuration(const Expansion& expansion, const Flow& flow, double stream);

double bytes_of(const Variable& variable, const Configuration& configuration);

// One row of Table 2; all in bytes.
struct LevelUse {
    std::string level;
    double limit = 0;          // bytes
    double per_block = 0;      // M_TB
    double per_warpgroup = 0;  // M_WG
    double warpgroups() const { return (limit - per_block) / per_warpgroup; }
    double excess(double groups) const { return limit - per_block - groups * per_warpgroup; }
    double excess_per_warpgroup(double groups) const { return excess(groups) / groups; }
    // Of that, bytes for each thread.
    double excess_per_thread(double groups, double threads) const {
        return excess(groups) / (groups * threads);
    }
};

// Shared memory, then registers. A problem says what the device lacks.
Result<std::vector<LevelUse>> level_uses(const Expansion& expansion, const Configuration& configuration,
                                         const Device& device);
// The whole warpgroups that fit all levels.
int warpgroups(const std::vector<LevelUse>& uses);

// Section 5.4: coalesced transfers divide the lowest axis of what is loaded, tensor cores all three of
// theirs; of several divisors of one symbol the least common multiple is meant.
std::vector<Divisor> divisors(const Expansion& expansion, const Flow& flow,
                              const Configuration& configuration, const Device& device);
// Which sizes of a configuration break a divisor, as sentences.
std::vector<Text> broken_divisors(const std::vector<Divisor>& divisors, const Configuration& configuration);

}  // namespace blockscope::circuit
