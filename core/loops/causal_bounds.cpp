// Which loops may leave out blocks that a causal mask hides: an iteration is interpreted with values of which
// no more is known than what decides it (known.cpp).
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/graph/type.h"
#include "core/loops/built_loops.h"
#include "core/loops/loop_program.h"
#include "core/loops/lowering.h"
#include "core/support/cases.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

using lowering::constant;
using lowering::kNothing;
using lowering::Known;
using lowering::KnownValues;
using lowering::loop_of;
using Kind = Known::Kind;

// The mask of a loop over its columns, and the rows that it is read for.
struct MaskOfLoop {
    CausalBounds bounds;
    bool transposed = false;
};

// Temporaries that lines of a loop make, and those that they read before, as the text goes: what one
// iteration hands to the next.
struct MadeTemps {
    std::set<int> set;
    std::set<int> carried;
    std::set<int> sums;  // that lines of the loop's own body add to

    explicit MadeTemps(const Loop& loop) {
        for_each_statement(loop.body, [&](const Statement& line) {
            const StatementUses uses = uses_of(line);
            for (const Temp temp : uses.reads)
                if (set.count(temp.id) == 0) read_first_.insert(temp.id);
            if (uses.makes.id > 0) set.insert(uses.makes.id);
        });
        for (const int temp : read_first_)
            if (set.count(temp) > 0) carried.insert(temp);
        for (const Statement& line : loop.body)
            if (const auto* sum = std::get_if<Accumulate>(&line.what)) sums.insert(sum->to.id);
    }

private:
    std::set<int> read_first_;
};

using State = std::map<int, Known>;  // by temporary

// One iteration of a loop, of whose mask no more is known than `mask` says; `by_rows`: of one of its rows.
class Iteration {
public:
    Iteration(const LoopProgram& program, const Loop& loop, const MaskOfLoop& about, const Known& mask,
              KnownValues& values, State before)
        : program_(program),
          loop_(loop),
          about_(about),
          mask_(mask),
          known_(values),
          state_(std::move(before)) {
        block(loop.body, &loop);
    }

    bool stores() const { return stores_; }
    Known get(Temp temp) const {
        const auto found = state_.find(temp.id);
        return found != state_.end() ? found->second : known_.before(temp);
    }

private:
    void block(const Block& lines, const Loop* loop) {
        for (const Statement& line : lines)
            std::visit(Cases{[&](const Load& s) { state_[s.to.id] = loaded(s); },
                             [&](const Store&) { stores_ = true; }, [&](const CallMisc&) { stores_ = true; },
                             [&](const Compute& s) { state_[s.to.id] = of(s.op, s.args); },
                             [&](const Evaluate& s) { state_[s.to.id] = evaluated(s); },
                             [&](const Initialise& s) { state_[s.to.id] = constant(s.value); },
                             [&](const Assign& s) { state_[s.to.id] = get(s.from); },
                             [&](const Accumulate& s) { accumulate(s, *loop); },
                             [&](const LoopPtr& inner) { nested(*inner); }},
                       line.what);
    }

    void accumulate(const Accumulate& s, const Loop& loop) {
        const Known added = s.functional ? of(s.op, s.args) : get(s.args.at(0));
        state_[s.to.id] =
            &loop == &loop_ ? known_.applied(Fn::Add, get(s.to), added) : known_.summed(loop.node, added);
    }

    // What an inner loop hands from one of its iterations to the next is nothing that is known, unless it
    // stays the same.
    void nested(const Loop& inner) {
        const std::set<int> carried = MadeTemps(inner).carried;
        const State entry = state_;
        std::set<int> unknown;
        for (bool grows = true; grows;) {
            grows = false;
            state_ = entry;
            for (const int temp : unknown) state_[temp] = kNothing;
            State begin;
            for (const int temp : carried) begin[temp] = get({temp});
            block(inner.body, &inner);
            for (const int temp : carried)
                if (!get({temp}).same(begin[temp])) grows = unknown.insert(temp).second || grows;
        }
    }

    Known loaded(const Load& load) const {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(load.buffer));
        const ItemKind kind = buffer.type.item().kind;
        const int rank = kind == ItemKind::Block ? 2 : kind == ItemKind::Scalar ? 0 : 1;
        if (buffer.source != InputSource::CausalMask) return known_.loaded(load, rank);
        const auto mask = mask_of(program_, buffer, load, loop_);
        if (!mask || !(mask->bounds == about_.bounds)) return kNothing;
        Known block = known_.loaded(load, rank, mask_.kind);
        block.by_rows = mask_.by_rows;
        return block;
    }

    Known of(FunctionalOp op, const std::vector<Temp>& args) const {
        return known_.applied(op, get(args.front()), get(args.back()));
    }
    Known evaluated(const Evaluate& s) const {
        const Known result = of(*s.expr, s.args);
        return s.cast ? known_.cast(*s.cast, result) : result;
    }
    Known of(const Expr& expr, const std::vector<Temp>& args) const {
        if (const auto* argument = std::get_if<Arg>(&expr.value))
            return get(args.at(static_cast<std::size_t>(argument->index)));
        if (const auto* number = std::get_if<Number>(&expr.value)) return constant(number->value);
        if (const auto* size = std::get_if<SizeOf>(&expr.value))
            return constant(static_cast<double>(program_.dims.at(size->dim.value).size));
        const Call& inner = std::get<Call>(expr.value);
        return known_.applied(inner.fn, of(*inner.args.front(), args), of(*inner.args.back(), args));
    }

public:
    // Of a load of a causal mask whose columns `loop` runs over: its rows, and how far they see.
    static std::optional<MaskOfLoop> mask_of(const LoopProgram& program, const Buffer& buffer,
                                             const Load& load, const Loop& loop) {
        if (buffer.source != InputSource::CausalMask || load.at.size() != 2) return {};
        const std::size_t rows = buffer.transposed ? 1 : 0;
        const Index& row = load.at[rows];
        const Index& column = load.at[1 - rows];
        if (column.zero || !(column.var == loop.var)) return {};
        MaskOfLoop mask{{row.var, row.zero, buffer.window}, buffer.transposed};
        if (row.zero) mask.bounds.row = {buffer.dims.at(rows), 1};
        const bool one_block = program.dims.at(mask.bounds.row.dim.value).blocks() == 1;
        return row.zero && !one_block ? std::nullopt : std::optional(mask);
    }

private:
    const LoopProgram& program_;
    const Loop& loop_;
    const MaskOfLoop& about_;
    Known mask_;
    KnownValues& known_;
    State state_;  // what is known so far
    bool stores_ = false;
};

// What may be left out of a loop.
class Hidden {
public:
    // `initial`: what carried temporaries hold before the loop. `outside`: temporaries that lines outside of
    // the loop read.
    Hidden(const LoopProgram& program, const Loop& loop, const MaskOfLoop& mask, State initial,
           const std::set<int>& outside)
        : program_(program), loop_(loop), mask_(mask), made_(loop), initial_(std::move(initial)) {
        handed_on_ = made_.carried;
        for (const int temp : made_.carried) initial_.try_emplace(temp, values_.before({temp}));
        for (const int temp : made_.set)
            if (outside.count(temp) > 0) handed_on_.insert(temp);
        for (const int temp : made_.sums) {
            handed_on_.insert(temp);
            initial_[temp] = constant(0);
        }
    }

    // Blocks behind the last one that a row sees: whatever there was before, they leave it as it was.
    bool changes_nothing_behind() {
        const Iteration hidden = iteration(kHidden, {});
        return !hidden.stores() && std::all_of(handed_on_.begin(), handed_on_.end(), [&](int temp) {
            return hidden.get({temp}).same(values_.before({temp}));
        });
    }

    // Blocks before the first one that a row sees: what they leave of what there was before the loop makes no
    // difference to what the first block that the row sees leaves. The safe form of attention keeps a maximum
    // that is very low, and sums of any size, which are multiplied by exp(very low - a maximum) = 0 then.
    bool changes_nothing_before() {
        if (mask_.transposed) return false;  // rows of the mask are columns of its blocks
        const Iteration once = iteration(kHidden, initial_);
        State left = initial_;
        for (const int temp : handed_on_) {
            const Known now = once.get({temp});
            if (starts(temp) && now.same(initial_.at(temp))) continue;
            left[temp] = {.kind = now.is(Kind::VeryLow) ? Kind::VeryLow : Kind::Finite,
                          .rank = now.rank,
                          .by_rows = true};
        }
        const Iteration again = iteration({.kind = Kind::VeryLow, .by_rows = true}, left);
        const Iteration first = iteration({.kind = Kind::Partly}, initial_);
        const Iteration later = iteration({.kind = Kind::Partly, .by_rows = true}, left);
        return !again.stores() && std::all_of(handed_on_.begin(), handed_on_.end(), [&](int temp) {
            return stays(left.at(temp), again.get({temp})) && first.get({temp}).same(later.get({temp}));
        });
    }

private:
    static constexpr Known kHidden{.kind = Kind::VeryLow};

    bool starts(int temp) const { return initial_.count(temp) > 0; }
    static bool stays(const Known& left, const Known& now) {
        if (left.is(Kind::Finite)) return true;
        return left.is(Kind::VeryLow) ? now.is(Kind::VeryLow) : now.same(left);
    }
    Iteration iteration(const Known& mask, State before) {
        return {program_, loop_, mask_, mask, values_, std::move(before)};
    }

    const LoopProgram& program_;
    const Loop& loop_;
    const MaskOfLoop& mask_;
    MadeTemps made_;
    State initial_;
    std::set<int> handed_on_;  // to the next iteration, or to what follows the loop
    KnownValues values_;
};

class Bounding {
public:
    explicit Bounding(const LoopProgram& program) : program_(program) {
        for_each_statement(program.body, [&](const Statement& line) {
            for (const Temp temp : uses_of(line).reads) ++reads_[temp.id];
        });
    }

    Block block(const Block& lines) {
        Block result;
        State initial;
        for (const Statement& line : lines) {
            result.push_back(statement(line, initial));
            for_each_statement({line}, [&](const Statement& one) { initial.erase(uses_of(one).makes.id); });
            if (const auto* first = std::get_if<Initialise>(&line.what))
                initial[first->to.id] = constant(first->value);
        }
        return result;
    }

private:
    // `initial`: constants that lines before it have set.
    Statement statement(const Statement& line, const State& initial) {
        const Loop* loop = loop_of(line);
        if (!loop) return line;
        Loop made = *loop;
        if (!bounded_) made.bounds = bounds_of(*loop, initial);
        const bool outside = bounded_;
        bounded_ = bounded_ || made.bounds.has_value();
        around_.push_back(loop);
        made.body = block(loop->body);
        around_.pop_back();
        bounded_ = outside;
        Statement result = line;
        result.what = std::make_shared<const Loop>(std::move(made));
        return result;
    }

    std::optional<CausalBounds> bounds_of(const Loop& loop, const State& initial) const {
        if (!loop.serial || loop.start != 0) return {};
        std::optional<MaskOfLoop> found;
        for_each_statement(loop.body, [&](const Statement& line) {
            const auto* load = std::get_if<Load>(&line.what);
            if (!load || found) return;
            const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(load->buffer));
            const auto mask = Iteration::mask_of(program_, buffer, *load, loop);
            if (mask && hides(mask->bounds, loop)) found = mask;
        });
        if (!found) return {};
        Hidden hidden(program_, loop, *found, initial, read_outside(loop));
        const bool fine =
            hidden.changes_nothing_behind() && (found->bounds.window == 0 || hidden.changes_nothing_before());
        return fine ? std::optional(found->bounds) : std::nullopt;
    }

    // Some block of rows does not see all blocks of columns.
    bool hides(const CausalBounds& bounds, const Loop& loop) const {
        const auto around = std::find_if(around_.begin(), around_.end(),
                                         [&](const Loop* one) { return one->var == bounds.row; });
        if (!bounds.one_block && (around == around_.end() || (*around)->start != 0)) return false;
        return hides_blocks(program_.dims.at(bounds.row.dim.value), program_.dims.at(loop.var.dim.value),
                            bounds.window);
    }

    std::set<int> read_outside(const Loop& loop) const {
        std::map<int, int> inside;
        for_each_statement(loop.body, [&](const Statement& line) {
            for (const Temp temp : uses_of(line).reads) ++inside[temp.id];
        });
        std::set<int> found;
        for (const auto& [temp, count] : reads_)
            if (count > inside[temp]) found.insert(temp);
        return found;
    }

    const LoopProgram& program_;
    std::map<int, int> reads_;  // by temporary
    std::vector<const Loop*> around_;
    bool bounded_ = false;  // a loop around has such bounds
};

bool is_causal_mask(const Buffer& buffer) {
    return buffer.source == InputSource::CausalMask;
}

}  // namespace

LoopProgram with_causal_bounds(LoopProgram program) {
    if (std::none_of(program.buffers.begin(), program.buffers.end(), is_causal_mask)) return program;
    program.body = Bounding(program).block(program.body);
    return program;
}

}  // namespace blockscope
