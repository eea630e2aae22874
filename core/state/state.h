// A state as it is to be used: its program, the form it is taken in, and what follows from both.
//
//     const State state(trace.last(), safe_form().kept_in(ElemType::F16));
//     state.counts().bytes();  // moved by the safe form with float16 arrays
//     state.listing();         // its loops as text, made once however often it is asked for
//     state.in_form({});       // the same program as it is
//
// This is the only place that lowers a program or makes it numerically safe: whoever needs loops, counts or a
// listing asks a State for them (tests/source insists on it).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/cost/counts.h"
#include "core/cost/kernel_work.h"
#include "core/print/print.h"
#include "core/safety/safety.h"

namespace blockscope {

// Its loops: those that are built, where nothing is loaded twice that can be kept (core/loops/built_loops.h),
// or the paper's, line by line of the block program (docs/listing.md).
enum class LoopForm : std::uint8_t { Built, Paper };
std::string to_string(LoopForm form);  // "built", "paper"
std::optional<LoopForm> loop_form_named(const std::string& name);

// How a program is taken.
struct Form {
    // The numerically safe form, with exponents shared by row or by block (Blockbuster, appendix); none: the
    // program as it is.
    std::optional<SharedExponent> safe;
    // The element types that arrays are kept in; none: those that the program declares.
    StoredTypes stored;
    LoopForm loops = LoopForm::Built;

    // The same with all arrays, inputs included, in `elem`; none: as the program declares.
    Form kept_in(std::optional<ElemType> elem) const { return {safe, {elem, elem}, loops}; }
    // The same with the paper's loops.
    Form as_in_paper() const { return {safe, stored, LoopForm::Paper}; }
    auto operator<=>(const Form&) const = default;
};

// The safe form, or with `safe` false the program as it is.
inline Form safe_form(bool safe = true, SharedExponent sharing = SharedExponent::PerRow) {
    return safe ? Form{sharing, {}, LoopForm::Built} : Form{};
}

// The form that is built and recommended: the numerically safe one, unless `safe` is false. A state without
// an exponential that safety rewrites (State::exponentials), as softmax has one and a sigmoid has not, is the
// same program in both forms (actual_form); the plain form of any other overflows where scores are high.
inline Form computable_form(Form asked, bool safe = true) {
    if (!safe)
        asked.safe.reset();
    else if (!asked.safe)
        asked.safe = SharedExponent::PerRow;
    return asked;
}

// "safe form", "plain form"; "safe form, one exponent per block", "plain form, the paper's loops": what
// outputs call the form that a time is of.
std::string form_title(const Form& form);
// The same in results: "safe", "plain".
std::string form_name(const Form& form);

struct StateParts;

// A small value: copies share everything. What it gives is made when first asked for, once, and lives as long
// as any State of the same program and form; references stay valid as long. States that different places make
// of the same program (the same pointer) and form share it, too, and forms that differ in element types alone
// share the safe program and its lowering. All of it may be used from several threads at once: who asks while
// another thread is making a part waits for that thread.
//
// Programs are valid (core/graph/verify.h). Nothing here fails for those; InternalError otherwise, as from
// lower() and make_safe().
class State {
public:
    // Throws InternalError if `program` is null.
    explicit State(const ProgramPtr& program, const Form& form = {});
    // Of a program that nobody else has a pointer to.
    explicit State(BlockProgram program, const Form& form = {});

    // The program that the state is about, and how it is taken.
    ProgramPtr source() const;
    Form form() const;
    // The same program in another form.
    State in_form(const Form& form) const { return State(source(), form); }
    // The same program with other sizes or blocks, of the same dimensions. What does not depend on them is
    // not made again: the safe form and, where only block sizes change and loops stay as they are
    // (same_loops, core/loops/built_loops.h), those.
    State with_dims(const DimTable& dims) const;

    // The program in its form: the safe one where that is asked for. source() itself where there is nothing
    // to make safe. Element types are those that it declares.
    ProgramPtr program() const;
    // Elementwise operators that were made safe.
    int exponentials() const;
    // The node of source() that a node of program() stands for: itself, or where the safe form's came from.
    NodeId origin(NodeId node) const;
    // The nodes that the safe form made, and what they stand for, as a step of rewriting has them.
    const std::vector<Lineage>& made() const&;

    // program() lowered, in the form's loops and its buffers in the form's element types.
    const LoopProgram& loops() const&;
    // The lines of loops(), their nodes being those of program().
    const std::vector<ListingLine>& listing() const&;
    // What loops() move, compute and keep, exactly (core/cost); bytes with the element types of the form.
    const Counts& counts() const&;
    // What they are sums of, and the sets of values alive in local memory by line of the listing.
    const std::vector<Term>& terms() const& { return cost_basis().terms; }
    const std::vector<LocalMemory>& alive() const& { return cost_basis().alive; }
    const CostBasis& cost_basis() const&;
    // Both together, as numbers are derived of them (core/cost/derivation.h).
    CountedLoops counted() const& { return {loops(), cost_basis()}; }
    // What each kernel does, for time models of cards.
    const StateWork& work() const&;

    // Not of temporary states, which may be the last of their program and form.
    void made() const&& = delete;
    void loops() const&& = delete;
    void listing() const&& = delete;
    void counts() const&& = delete;
    void terms() const&& = delete;
    void alive() const&& = delete;
    void cost_basis() const&& = delete;
    void counted() const&& = delete;
    void work() const&& = delete;

    // Of the same program (the same pointer) in the same form.
    bool operator==(const State&) const = default;

private:
    explicit State(std::shared_ptr<const StateParts> parts) : parts_(std::move(parts)) {}
    std::optional<State> with_same_loops() const;

    std::shared_ptr<const StateParts> parts_;  // one for each program and form
};

// The form that a state is really in: the plain one, too, where the safe one has nothing to make safe.
Form actual_form(const State& state);

// The listing as one text, each line with its end; of a program in its built form.
std::string listing(const State& state);
std::string listing(const BlockProgram& program, const Form& form = {});

}  // namespace blockscope
