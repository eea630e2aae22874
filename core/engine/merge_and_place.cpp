// Passes over a finished plan: fewer passes over blocks, and where each temporary lies.
#include <algorithm>
#include <iterator>
#include <set>

#include "core/engine/plan.h"
#include "core/support/index.h"

namespace blockscope::engine {

// Which temporaries a plan's operations read and write.

// Calls use(temp) and made(temp); `summed(temp)` for accumulators, which live from the start of their loop.
template <class Use, class Made, class Summed>
void visit_temps(const PlanOp& op, const Use& use, const Made& made, const Summed& summed) {
    const auto result = [&](int temp, const Accumulation& add) { add.active ? summed(temp) : made(temp); };
    if (const auto* load = std::get_if<LoadOp>(&op.what)) made(load->to);
    if (const auto* mask = std::get_if<MaskOp>(&op.what)) made(mask->to);
    if (const auto* fill = std::get_if<FillOp>(&op.what)) made(fill->to);
    if (const auto* store = std::get_if<StoreOp>(&op.what)) use(store->from);
    if (const auto* transpose = std::get_if<TransposeOp>(&op.what)) use(transpose->temp);
    if (const auto* dot = std::get_if<DotOp>(&op.what)) {
        use(dot->a);
        use(dot->b);
        result(dot->to, dot->add);
    }
    if (const auto* eval = std::get_if<EvalOp>(&op.what)) {
        for (const int temp : eval->args)
            if (temp > 0) use(temp);
        result(eval->to, eval->add);
    }
    if (const auto* fold = std::get_if<FoldOp>(&op.what)) {
        if (!fold->of) use(fold->a);
        if (fold->of)
            for (const int temp : fold->of->args)
                if (temp > 0) use(temp);
        result(fold->to, fold->add);
    }
    if (const auto* copy = std::get_if<CopyOp>(&op.what)) {
        use(copy->from);
        made(copy->to);
    }
    if (const auto* rotate = std::get_if<RotateOp>(&op.what)) {
        use(rotate->a);
        made(rotate->to);
    }
}

// Fewer passes over blocks: an elementwise operation whose result only another one reads becomes part of it,
// and what a loop carries is computed where it stays instead of being copied there.

namespace {

// Calls f(op) for `op` and everything in it.
template <class F>
void for_each_op(const PlanOp& op, const F& f) {
    f(op);
    if (const auto* loop = std::get_if<std::vector<LoopOp>>(&op.what))
        for (const PlanOp& inner : loop->front().body) for_each_op(inner, f);
}

bool writes(const PlanOp& op, const std::vector<int>& temps) {
    bool found = false;
    const auto made = [&](int temp) {
        found = found || std::find(temps.begin(), temps.end(), temp) != temps.end();
    };
    for_each_op(op, [&](const PlanOp& inner) {
        visit_temps(
            inner, [](int) {}, made, made);
    });
    return found;
}

bool reads(const PlanOp& op, int temp) {
    bool found = false;
    const auto use = [&](int used) { found = found || used == temp; };
    for_each_op(op, [&](const PlanOp& inner) {
        visit_temps(
            inner, use, [](int) {}, use);
    });
    return found;
}

// `outer` with argument `position` computed by `inner`. Its arguments are outer's without that one (the
// accumulator, if there is one, is the last), with inner's before the accumulator.
ExprCode inlined(const ExprCode& outer, int position, const ExprCode& inner, int outer_args) {
    ExprCode result;
    result.args = outer.args - 1 + inner.args;
    result.constants = inner.constants;
    result.constants.insert(result.constants.end(), outer.constants.begin(), outer.constants.end());
    result.registers = inner.registers + outer.registers;
    const auto own = [&](CodeValue v) {  // of inner
        if (v.kind == CodeValue::Kind::Argument) v.index += outer_args - 1;
        return v;
    };
    const auto other = [&](CodeValue v) {  // of outer
        if (v.kind == CodeValue::Kind::Constant) v.index += static_cast<int>(inner.constants.size());
        if (v.kind == CodeValue::Kind::Register) v.index += inner.registers;
        if (v.kind != CodeValue::Kind::Argument) return v;
        if (v.index == position) return CodeValue{CodeValue::Kind::Register, inner.lines.back().to};
        if (v.index >= outer_args) v.index += inner.args;
        if (v.index > position) --v.index;
        return v;
    };
    for (const CodeLine& line : inner.lines)
        result.lines.push_back({line.op, own(line.a), own(line.b), line.to});
    for (const CodeLine& line : outer.lines)
        result.lines.push_back({line.op, other(line.a), other(line.b), line.to + inner.registers});
    return result;
}

class Fusing {
public:
    explicit Fusing(Plan& plan) : plan_(plan), uses_(plan.temps.size()), made_(plan.temps.size()) {
        const auto use = [&](int temp) { ++uses_[at(temp)]; };
        const auto made = [&](int temp) { ++made_[at(temp)]; };
        for (const PlanOp& op : plan.body)
            for_each_op(op, [&](const PlanOp& inner) { visit_temps(inner, use, made, made); });
    }

    void block(std::vector<PlanOp>& ops) {
        for (PlanOp& op : ops)
            if (auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) block(loop->front().body);
        for (std::size_t i = 0; i < ops.size();) i += inline_one(ops, i) ? 0 : 1;
        for (std::size_t i = 0; i < ops.size();) i += settle(ops, i) ? 0 : 1;
    }

private:
    // Makes ops[i] part of the operation that alone reads its result. (A line that reads its own accumulator
    // is its only reader, too, but no producer.)
    bool inline_one(std::vector<PlanOp>& ops, std::size_t i) {
        const auto* inner = std::get_if<EvalOp>(&ops[i].what);
        if (!inner || inner->add.active || uses_[at(inner->to)] != 1 || made_[at(inner->to)] != 1)
            return false;
        if (plan_.temps[at(inner->to)].needed[kTransposed]) return false;
        for (std::size_t j = i + 1; j < ops.size(); ++j) {
            if (auto* outer = std::get_if<EvalOp>(&ops[j].what); outer && reads(ops[j], inner->to)) {
                if (!merge(*inner, *outer)) return false;
                ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
            if (auto* fold = std::get_if<FoldOp>(&ops[j].what); fold && reads(ops[j], inner->to)) {
                if (!fold_alone(*inner, *fold)) return false;
                ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
            if (reads(ops[j], inner->to) || writes(ops[j], inner->args)) return false;
        }
        return false;
    }

    // The rows of `inner`, a block, are folded as they are computed.
    static bool fold_alone(const EvalOp& inner, FoldOp& fold) {
        if (form_of(fold.op) != FunctionalForm::FoldRows || fold.of || inner.shape_cols < 0) return false;
        fold.of = inner;
        return true;
    }

    bool merge(const EvalOp& inner, EvalOp& outer) {
        const auto found = std::find(outer.args.begin(), outer.args.end(), inner.to);
        const auto position = static_cast<int>(found - outer.args.begin());
        const int args = static_cast<int>(outer.args.size()) - (outer.add.active ? 1 : 0);
        if (position >= args || outer.modes[at(position)] != ArgMode::Full) return false;
        if (inner.shape_cols < 0 || outer.rows_from_cols) return false;
        const ExprCode code = plan_.codes[at(inner.code)];
        const auto with_inner = [&](int number) {
            if (number < 0) return number;
            ExprCode result = inlined(plan_.codes[at(number)], position, code, args);
            result.text = text(plan_.codes[at(number)].text, position, code, args);
            plan_.codes.push_back(std::move(result));
            return static_cast<int>(plan_.codes.size()) - 1;
        };
        outer.code = with_inner(outer.code);
        outer.first_code = with_inner(outer.first_code);
        const auto place = [&](int index) { return index > position ? index - 1 : index; };
        if (outer.shape_cols == position) {
            outer.shape_rows = inner.shape_rows + args - 1;
            outer.shape_cols = inner.shape_cols + args - 1;
            outer.rows_from_cols = inner.rows_from_cols;
        } else {
            outer.shape_rows = place(outer.shape_rows);
            outer.shape_cols = place(outer.shape_cols);
        }
        outer.args.insert(outer.args.begin() + args, inner.args.begin(), inner.args.end());
        outer.modes.insert(outer.modes.begin() + args, inner.modes.begin(), inner.modes.end());
        outer.args.erase(outer.args.begin() + position);
        outer.modes.erase(outer.modes.begin() + position);
        return true;
    }

    // The plan shows arguments as $1, $2, ...: those of `outer` but the one at `position`, then inner's.
    static std::string text(const std::string& outer, int position, const ExprCode& inner, int args) {
        const auto renumbered = [](const std::string& from, const auto& name) {
            std::string result;
            for (std::size_t i = 0; i < from.size(); ++i) {
                if (from[i] != '$') {
                    result += from[i];
                    continue;
                }
                int number = 0;
                for (; i + 1 < from.size() && from[i + 1] >= '0' && from[i + 1] <= '9'; ++i)
                    number = 10 * number + (from[i + 1] - '0');
                result += name(number - 1);
            }
            return result;
        };
        const std::string within =
            renumbered(inner.text, [&](int i) { return "$" + std::to_string(i + args); });
        return renumbered(outer, [&](int i) {
            if (i == position) return "(" + within + ")";
            const int number = i >= args ? i + inner.args : i;
            return "$" + std::to_string(number > position ? number : number + 1);
        });
    }

    // A copy to what the loop carries, of a value that nothing else reads: it is computed there, if the old
    // value has been read by then.
    bool settle(std::vector<PlanOp>& ops, std::size_t i) {
        const auto* copy = std::get_if<CopyOp>(&ops[i].what);
        if (!copy || uses_[at(copy->from)] != 1 || made_[at(copy->from)] != 1) return false;
        const TempPlan& from = plan_.temps[at(copy->from)];
        const TempPlan& to = plan_.temps[at(copy->to)];
        if (!from.known || !to.known || from.rows != to.rows || from.cols != to.cols) return false;
        for (std::size_t j = i; j-- > 0;) {
            auto* producer = std::get_if<EvalOp>(&ops[j].what);
            if (producer && producer->to == copy->from) {
                if (producer->add.active || !in_place(*producer, copy->to)) return false;
                producer->to = copy->to;
                ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
                return true;
            }
            if (reads(ops[j], copy->to) || writes(ops[j], {copy->to, copy->from})) return false;
        }
        return false;
    }

    // Element by element a value may be replaced by what is computed of it.
    static bool in_place(const EvalOp& op, int temp) {
        for (std::size_t i = 0; i < op.args.size(); ++i)
            if (op.args[i] == temp && op.modes[i] != ArgMode::Full) return false;
        return true;
    }

    Plan& plan_;
    std::vector<int> uses_;
    std::vector<int> made_;
};

// Sums that add an item of a causal mask, and what they are without it.
class LeavingOut {
public:
    explicit LeavingOut(Plan& plan) : plan_(plan) {}

    void run() {
        for_each(plan_.body, [&](PlanOp& op) {
            if (const auto* mask = std::get_if<MaskOp>(&op.what)) masks_.insert(mask->to);
        });
        if (masks_.empty()) return;
        for_each(plan_.body, [&](PlanOp& op) {
            if (auto* eval = std::get_if<EvalOp>(&op.what)) without_mask(*eval);
            if (auto* fold = std::get_if<FoldOp>(&op.what); fold && fold->of) without_mask(*fold->of);
        });
        for_each(plan_.body, [&](PlanOp& op) {
            const int left_out = cleared(op);
            if (std::holds_alternative<std::vector<LoopOp>>(op.what)) return;
            for (const int mask : masks_)
                if (mask != left_out && reads(op, mask)) wanted_.insert(mask);
        });
        for_each(plan_.body, [&](PlanOp& op) {
            if (auto* mask = std::get_if<MaskOp>(&op.what))
                mask->may_be_left_out = wanted_.count(mask->to) == 0;
        });
    }

private:
    template <class F>
    static void for_each(std::vector<PlanOp>& ops, const F& f) {
        for (PlanOp& op : ops) {
            f(op);
            if (auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) for_each(loop->front().body, f);
        }
    }

    void without_mask(EvalOp& op) {
        for (std::size_t i = 0; i < op.args.size() && !op.clear; ++i) {
            const int mask = op.args[i];
            if (masks_.count(mask) == 0 || std::count(op.args.begin(), op.args.end(), mask) != 1) continue;
            const auto code = without_argument(plan_.codes[at(op.code)], static_cast<int>(i));
            if (!code) continue;
            op.clear = EvalOp::Clear{mask, added(*code), -1};
            if (op.first_code >= 0)
                if (const auto first = without_argument(plan_.codes[at(op.first_code)], static_cast<int>(i)))
                    op.clear->first_code = added(*first);
            if (op.first_code >= 0 && op.clear->first_code < 0) op.clear.reset();
        }
    }
    int added(ExprCode code) {
        plan_.codes.push_back(std::move(code));
        return static_cast<int>(plan_.codes.size()) - 1;
    }
    static int cleared(const PlanOp& op) {
        const auto* eval = std::get_if<EvalOp>(&op.what);
        const auto* fold = std::get_if<FoldOp>(&op.what);
        if (fold && fold->of) eval = &*fold->of;
        return eval && eval->clear ? eval->clear->mask : -1;
    }

    Plan& plan_;
    std::set<int> masks_;   // temporaries
    std::set<int> wanted_;  // of them those that something else reads
};

void find_imports(std::vector<PlanOp>& ops) {
    for (PlanOp& op : ops) {
        auto* loops = std::get_if<std::vector<LoopOp>>(&op.what);
        if (!loops) continue;
        LoopOp& loop = loops->front();
        find_imports(loop.body);
        if (loop.serial) continue;
        std::set<int> used;
        std::set<int> made;
        const auto use = [&](int temp) { used.insert(temp); };
        const auto make = [&](int temp) { made.insert(temp); };
        for (const PlanOp& inner : loop.body)
            for_each_op(inner, [&](const PlanOp& one) { visit_temps(one, use, make, make); });
        std::set_difference(used.begin(), used.end(), made.begin(), made.end(),
                            std::back_inserter(loop.imports));
    }
}

}  // namespace

void fuse_elementwise(Plan& plan) {
    Fusing(plan).block(plan.body);
}

void leave_out_zeros(Plan& plan) {
    LeavingOut(plan).run();
}

void find_imports(Plan& plan) {
    find_imports(plan.body);
}

// Places for temporaries in a worker's local memory: two that are never alive at once may share one.

namespace {

constexpr std::int64_t kAlignment = 16;  // floats: a cache line

struct Life {
    int first = -1;
    int last = -1;
};

class Lives {
public:
    explicit Lives(const Plan& plan) : lives_(plan.temps.size()) { block(plan.body); }
    const std::vector<Life>& all() const { return lives_; }

private:
    Life& life(int temp) { return lives_.at(static_cast<std::size_t>(temp)); }
    void use(int temp) {
        used_.push_back(temp);
        life(temp).last = std::max(life(temp).last, now_);
    }
    void begin(int temp, int position) {
        if (life(temp).first < 0) life(temp).first = position;
        use(temp);
    }

    void block(const std::vector<PlanOp>& ops) {
        for (const PlanOp& op : ops) {
            ++now_;
            if (const auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) {
                const int start = now_;
                const std::size_t first_inside = used_.size();
                loops_.push_back(start);
                block(loop->at(0).body);
                loops_.pop_back();
                ++now_;
                // What was made before the loop and is used in it is needed until it ends; so are its sums.
                for (std::size_t i = first_inside; i < used_.size(); ++i)
                    if (Life& one = life(used_[i]); one.first >= 0 && one.first <= start && one.last > start)
                        one.last = now_;
                continue;
            }
            visit_temps(
                op, [&](int temp) { use(temp); }, [&](int temp) { begin(temp, now_); },
                [&](int temp) { begin(temp, loops_.back()); });
        }
    }

    std::vector<Life> lives_;
    std::vector<int> used_;  // temporaries, in the order of the operations that use them
    std::vector<int> loops_;
    int now_ = 0;
};

struct Piece {
    int temp;
    Form form;
    std::int64_t size;
    Life life;
    std::int64_t offset = 0;
};

// The forms that need a place: all but the views that loads give.
void mark_owned(const std::vector<PlanOp>& ops, std::vector<std::array<bool, 2>>& owned) {
    const auto both = [&](int temp) { owned.at(static_cast<std::size_t>(temp))[kPlain] = true; };
    for (const PlanOp& op : ops) {
        if (const auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) {
            mark_owned(loop->at(0).body, owned);
        } else if (const auto* load = std::get_if<LoadOp>(&op.what)) {
            for (const LoadOp::Piece& piece : load->pieces)
                if (piece.how != LoadOp::How::View)
                    owned.at(static_cast<std::size_t>(load->to))[piece.form] = true;
        } else if (const auto* transpose = std::get_if<TransposeOp>(&op.what)) {
            owned.at(static_cast<std::size_t>(transpose->temp))[kTransposed] = true;
        } else {
            visit_temps(
                op, [](int) {}, both, both);
        }
    }
}

// The lowest gap between those that live at the same time.
std::int64_t first_fit(std::vector<const Piece*>& alive, std::int64_t size) {
    std::sort(alive.begin(), alive.end(),
              [](const Piece* a, const Piece* b) { return a->offset < b->offset; });
    std::int64_t offset = 0;
    for (const Piece* piece : alive) {
        if (piece->offset >= offset + size) break;
        offset = std::max(offset, piece->offset + piece->size);
    }
    return offset;
}

}  // namespace

void place_temps(Plan& plan) {
    const Lives lives(plan);
    std::vector<std::array<bool, 2>> owned(plan.temps.size());
    mark_owned(plan.body, owned);
    std::vector<Piece> pieces;
    for (std::size_t id = 1; id < plan.temps.size(); ++id)
        for (const Form form : {kPlain, kTransposed}) {
            if (!owned[id][form]) continue;
            // A line more than it needs, so that large blocks do not all begin at multiples of 4 KiB.
            const std::int64_t size = plan.temps[id].rows * plan.temps[id].cols + kAlignment;
            pieces.push_back({.temp = static_cast<int>(id),
                              .form = form,
                              .size = (size + kAlignment - 1) / kAlignment * kAlignment,
                              .life = lives.all()[id]});
        }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.life.first < b.life.first; });
    std::vector<const Piece*> alive;
    for (Piece& piece : pieces) {
        std::erase_if(alive, [&](const Piece* other) { return other->life.last < piece.life.first; });
        piece.offset = first_fit(alive, piece.size);
        alive.push_back(&piece);
        plan.temps[static_cast<std::size_t>(piece.temp)].offset[piece.form] = piece.offset;
        plan.arena_floats = std::max(plan.arena_floats, piece.offset + piece.size);
    }
}

}  // namespace blockscope::engine
