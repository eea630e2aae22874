// Fewer passes over blocks: an elementwise operation whose result only another one reads becomes part of it,
// and what a loop carries is computed where it stays instead of being copied there.
#include <algorithm>
#include <iterator>
#include <set>

#include "core/engine/temp_visit.h"

namespace blockscope::engine {

namespace {

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

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
            if (reads(ops[j], inner->to) || writes(ops[j], inner->args)) return false;
        }
        return false;
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

void find_imports(Plan& plan) {
    find_imports(plan.body);
}

}  // namespace blockscope::engine
