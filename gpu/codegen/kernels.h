// How a loop program is cut into kernels, and which values a loop hands from one iteration to the next.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/loops/loop_program.h"

namespace blockscope::gpu {

// How values of a loop's iteration depend on one of them: as a factor exp(k m), as a summand k m, or not.

// t = t' * exp(times * m), or t = t' + plus * m, with t' that does not depend on m; along rows where m is a
// vector. Not known: in another way, or on what the loop carries from one iteration to the next.
struct Dependence {
    bool known = true;
    double times = 0;
    double plus = 0;
    bool independent() const { return known && times == 0 && plus == 0; }
};

// An expression over a line's arguments.
struct Term {
    const Expr* expr = nullptr;  // null: the temporary args[0]
    std::vector<Temp> args;
};

// s * factors[0] * ... + added[0] + ...
struct Continued {
    std::vector<Temp> factors;
    std::vector<Term> added;
};

class Relative {
public:
    explicit Relative(const Loop& loop);

    // From now on the temporary is one that iterations hand on.
    void carry(Temp temp) { carried_.insert(temp.id); }

    const std::set<int>& temps() const { return set_; }  // that the loop sets
    int reads(Temp temp) const;
    int sets(Temp temp) const;
    // The one line that sets it; null if there is none or more.
    const Statement* setter(Temp temp) const;

    // `m` without a number: on nothing in particular, hence whether it depends on what is carried.
    Dependence depends_on(Temp temp, Temp m) const;
    Dependence depends_on(const Term& term, Temp m) const;
    Dependence of_statement(const Statement& line, Temp m) const;  // of the value that the line makes or adds

    // The new value of the carried `s` as a sum in which `s` occurs once; nullopt if it is none.
    std::optional<Continued> continued(Temp s, Temp value) const;

private:
    Dependence of_expr(const Expr& expr, const std::vector<Temp>& args, Temp m) const;
    std::optional<Continued> continued(Temp s, const Term& term) const;
    std::optional<Continued> sum(Temp s, const Term& a, const Term& b) const;
    std::optional<Continued> scaled(Temp s, const Term& a, const Term& factor) const;
    bool holds(const Term& term, Temp s) const;
    bool reaches(Temp s, Temp temp) const;

    std::map<int, std::vector<const Statement*>> setters_;
    std::map<int, int> reads_;
    std::set<int> set_, carried_;
    // What was found out, so that values that are used twice are looked at once.
    mutable std::map<std::pair<int, int>, Dependence> known_;  // by temporary and m
    mutable std::map<std::pair<int, int>, bool> reached_;      // by temporary and s
};

// What a serial loop hands from one iteration to the next, and whether parts of the loop that run side by
// side can be put together afterwards (docs/gpu.md, "Reductions in parts").

struct Kernel;

// A value that is known behind the loop only.
struct Carried {
    enum class How : std::uint8_t {
        Sum,       // parts are added
        Largest,   // the largest of the parts: a running maximum of exponents
        Rescaled,  // added after each is multiplied by exp(its own maximum - the largest of all)
    };
    Temp temp;
    How how = How::Sum;
    Temp largest = {};  // Rescaled: the running maximum that it is relative to
};

// All that `loop`, a line of the kernel's body, hands on; or why parts of it cannot be put together: what
// follows "since ". Sums of the loop's own `+=`, and the running sums and maxima of online softmax
// (Blockbuster, appendix), which are recognised by what their lines compute and not by how they came about.
std::variant<std::vector<Carried>, std::string> carried_by(const Kernel& kernel, const Loop& loop);

// A reduction in parts: a launch whose thread blocks compute a part each, and one that puts parts together.
struct Split {
    const Loop* loop = nullptr;  // a line of the kernel's body
    int parts = 1;
    std::int64_t length = 1;  // iterations of a part; the last one may have fewer
    std::vector<Carried> carried;
    std::map<int, int> workspaces;  // of each carried temporary: the array that parts leave it in
    // Whether parts are added up in one place by atomics, so that there is nothing to put together; the
    // second launch takes the sums from there and leaves zeros. All that is carried are sums then.
    bool adds = false;
    bool combines = false;  // the second of the two launches
    double rest = 0;        // share of the other loops in what the kernel loads
};

// One launch. Iterations of `grid` (core/loops/loop_program.h) are thread blocks, each of them as many times
// as a split has parts; they run `before` and then `body`.
struct Kernel {
    std::vector<const Loop*> grid;         // outermost first
    std::vector<const Statement*> before;  // loads and cheap operators between the grid's loops
    std::vector<const Statement*> body;
    std::vector<const Statement*> loop_lines;  // the statements that hold the grid's loops
    NodeId node;
    std::optional<Split> split;
};

// Top-level parallel loops are kernels of their own, and so are miscellaneous operators; what stands between
// them is a kernel of one thread block.
std::vector<Kernel> cut_into_kernels(const LoopProgram& program);

// Temporaries that lines of a kernel name, those in its loops, too.
struct TempsOfKernel {
    std::set<int> used;
    std::set<int> set;
};
TempsOfKernel temps_of(const Kernel& kernel);

// The lines of a program's listing by their statements. It is printed when the first is asked for.
class Listing {
public:
    explicit Listing(const LoopProgram& program) : program_(&program) {}
    const std::string& at(const Statement* statement) const;

private:
    const LoopProgram* program_;  // which outlives it
    mutable std::map<const Statement*, std::string> lines_;
};

// Where in a kernel each temporary is declared.

// A temporary belongs to the innermost body that holds all statements that name it, and is declared before
// the first of them. (Accumulators are named by the loop that they are zeroed before.)
class Scopes {
public:
    explicit Scopes(const Kernel& kernel);

    // Temporaries to declare before `statement`, in order of their numbers.
    const std::vector<int>& declared_before(const Statement* statement) const;
    // Taken from or left to other kernels: these are declared before everything else.
    void declare_first(const std::set<int>& temps);

private:
    using Path = std::vector<const Statement*>;  // the loops around a statement, then itself
    void visit(const Statement* statement, Path& path);
    void named(int temp, const Path& path);
    void settle();

    std::map<int, std::vector<Path>> places_;
    std::map<const Statement*, std::vector<int>> before_;
};

// The accumulators that the body of `loop` adds to itself: zero on entry.
std::vector<Temp> accumulators(const Loop& loop);

}  // namespace blockscope::gpu
