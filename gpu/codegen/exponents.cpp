#include "gpu/codegen/exponents.h"

#include <algorithm>

#include "core/exec/evaluate.h"
#include "core/graph/expr.h"
#include "gpu/codegen/values.h"

namespace blockscope::gpu {

std::optional<double> constant_value(const Expr& expr, const DimTable& dims) {
    if (const auto* number = std::get_if<Number>(&expr.value)) return number->value;
    if (const auto* size = std::get_if<SizeOf>(&expr.value))
        return static_cast<double>(dims.at(size->dim.value).size);
    const auto* inner = std::get_if<Call>(&expr.value);
    if (!inner) return std::nullopt;
    const std::optional<double> a = constant_value(*inner->args.front(), dims);
    if (!a) return std::nullopt;
    const std::optional<double> b = inner->args.size() == 1 ? a : constant_value(*inner->args.back(), dims);
    if (!b) return std::nullopt;
    return apply(inner->fn, *a, *b);
}

// Looks at temporaries that one line of a loop's body sets, and lines of the same body read.
class Exponents::Finder {
public:
    Finder(const LoopProgram& program, const DeviceValues& values, Exponents& to)
        : program_(program), values_(values), to_(to) {
        for_each_statement(program.body, [&](const Statement& line) {
            if (const auto* loop = std::get_if<LoopPtr>(&line.what)) add_body((*loop)->body);
        });
        for_each_statement(program.body, [&](const Statement& line) {
            const StatementUses uses = uses_of(line);
            if (uses.makes.id > 0) setters_[uses.makes.id].push_back(&line);
            for (const Temp temp : uses.reads) readers_[temp.id].push_back(&line);
        });
    }

    void run() {
        for (const auto& [line, body] : bodies_) {
            take_exponential(*line);
            take_rescaling(*line);
        }
        for (const Statement* line : to_.rescaled_) let_lag(*line);
        for (const auto& [line, args] : to_.exponentials_) leave_products(args->front());
    }

private:
    void add_body(const Block& body) {
        for (const Statement& line : body) bodies_[&line] = &body;
    }

    // The line that sets it, if there is one only and it is in the same body as `other`.
    const Statement* setter(Temp temp, const Statement& other) const {
        const auto found = setters_.find(temp.id);
        if (found == setters_.end() || found->second.size() != 1) return nullptr;
        const Statement* line = found->second.front();
        return same_body(*line, other) ? line : nullptr;
    }

    bool same_body(const Statement& a, const Statement& b) const {
        const auto one = bodies_.find(&a), other = bodies_.find(&b);
        return one != bodies_.end() && other != bodies_.end() && one->second == other->second;
    }

    bool is_block(Temp temp) const { return values_.of(temp).kind == Value::Kind::Block; }

    const std::vector<const Statement*>& readers(Temp temp) const {
        static const std::vector<const Statement*> none;
        const auto found = readers_.find(temp.id);
        return found == readers_.end() ? none : found->second;
    }

    // exp(x), x being all that the line reads.
    static bool is_exponential(const Statement& line) {
        const auto* made = std::get_if<Evaluate>(&line.what);
        if (!made || made->cast || made->args.size() != 1) return false;
        const auto* call = std::get_if<Call>(&made->expr->value);
        return call && call->fn == Fn::Exp && std::holds_alternative<Arg>(call->args.front()->value);
    }

    void take_exponential(const Statement& line) {
        if (!is_exponential(line)) return;
        const Temp exponent = std::get<Evaluate>(line.what).args.front();
        if (!is_block(exponent) || readers(exponent).size() != 1) return;
        const Statement* shift = setter(exponent, line);
        const auto* made = shift ? std::get_if<Compute>(&shift->what) : nullptr;
        if (!made || made->op != FunctionalOp::RowShift) return;
        for (const Temp arg : made->args)
            if (!setter(arg, line)) return;
        to_.shifts_.insert(shift);
        to_.exponentials_[&line] = &made->args;
        to_.in_courses_.insert({made->args.front().id, std::get<Evaluate>(line.what).to.id});
    }

    // Rows times exp(...): how far a maximum has moved.
    void take_rescaling(const Statement& line) {
        const auto* made = std::get_if<Compute>(&line.what);
        if (!made || made->op != FunctionalOp::RowScale || !is_block(made->args.front())) return;
        const Statement* factor = setter(made->args.back(), line);
        const auto* evaluated = factor ? std::get_if<Evaluate>(&factor->what) : nullptr;
        const auto* call = evaluated ? std::get_if<Call>(&evaluated->expr->value) : nullptr;
        if (call && call->fn == Fn::Exp) to_.rescaled_.insert(&line);
    }

    // The arguments of a line fn(x, y), no more.
    static const std::vector<Temp>* arguments_of(const Statement* line, Fn fn) {
        const auto* made = line ? std::get_if<Evaluate>(&line->what) : nullptr;
        const auto* call = made ? std::get_if<Call>(&made->expr->value) : nullptr;
        if (!call || call->fn != fn || made->args.size() != call->args.size()) return nullptr;
        const bool plain = std::all_of(call->args.begin(), call->args.end(), [](const ExprPtr& arg) {
            return std::holds_alternative<Arg>(arg->value);
        });
        return plain ? &made->args : nullptr;
    }

    // exp(x0 - x1)
    static bool is_difference(const Evaluate& made) {
        const auto* of = std::get_if<Call>(&std::get<Call>(made.expr->value).args.front()->value);
        if (!of || of->fn != Fn::Sub || made.args.size() != 2) return false;
        const auto* a = std::get_if<Arg>(&of->args.front()->value);
        const auto* b = std::get_if<Arg>(&of->args.back()->value);
        return a && b && a->index == 0 && b->index == 1;
    }

    // row_scale(o, exp(m - m2)), m2 = max(m, x) and m = m2, where exponentials alone read m and m2 else.
    void let_lag(const Statement& rescaling) {
        const Statement* factor = setter(std::get<Compute>(rescaling.what).args.back(), rescaling);
        const auto& made = std::get<Evaluate>(factor->what);
        if (!is_difference(made)) return;
        const auto [before, after] = std::pair{made.args.front(), made.args.back()};
        const Statement* largest = setter(after, rescaling);
        const std::vector<Temp>* of = arguments_of(largest, Fn::Max);
        if (!of || values_.of(after).kind != Value::Kind::Rows || of->front() == of->back()) return;
        if (of->front() != before) return;
        for (const Statement* line : readers(before))
            if (line != largest && line != factor) return;
        for (const Statement* line : readers(after))
            if (line != factor && !is_end(*line, before, after) && !only_shifts(*line)) return;
        to_.lagging_.insert(largest);
    }

    // m = m2
    static bool is_end(const Statement& line, Temp to, Temp from) {
        const auto* assign = std::get_if<Assign>(&line.what);
        return assign && assign->to == to && assign->from == from;
    }

    // -m2, which is added to exponents.
    bool only_shifts(const Statement& line) const {
        if (!arguments_of(&line, Fn::Neg)) return false;
        const std::vector<const Statement*>& lines = readers(std::get<Evaluate>(line.what).to);
        return std::all_of(lines.begin(), lines.end(),
                           [&](const Statement* one) { return to_.shifts_.count(one) > 0; });
    }

    // From an exponential's block up, through a mask, to the product by a number.
    void leave_products(Temp block) {
        std::vector<Temp> chain{block};
        Temp mask;
        const Statement* line = setters_.at(block.id).front();
        if (const auto* add = std::get_if<Compute>(&line->what); add && add->op == FunctionalOp::Add) {
            mask = mask_of(*add, *line);
            if (mask.id == 0) return;
            chain.push_back(add->args.front() == mask ? add->args.back() : add->args.front());
            line = setter(chain.back(), *line);
        }
        const std::optional<double> factor = line ? product(*line) : std::nullopt;
        if (!factor || !all_can_multiply(chain)) return;
        to_.products_.insert(line);
        for (const Temp temp : chain) to_.factors_[temp.id] = *factor;
        if (mask.id > 0) to_.factors_[mask.id] = *factor;
    }

    // Of t4 + t5 the operand that is a block of a causal mask, and of use to nobody else.
    Temp mask_of(const Compute& add, const Statement& line) const {
        for (const Temp temp : add.args) {
            const Statement* made = setter(temp, line);
            const auto* load = made ? std::get_if<Load>(&made->what) : nullptr;
            if (!load || readers(temp).size() != 1) continue;
            const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(load->buffer));
            if (buffer.source != InputSource::Array) return temp;
        }
        return {};
    }

    // x of t7 = t6*x, if it is positive: then it leaves maxima where they are.
    std::optional<double> product(const Statement& line) const {
        const auto* made = std::get_if<Evaluate>(&line.what);
        if (!made || made->cast || made->args.size() != 1 || !setter(made->args.front(), line)) return {};
        const auto* call = std::get_if<Call>(&made->expr->value);
        if (!call || call->fn != Fn::Mul || !is_block(made->args.front())) return {};
        for (const bool first : {true, false}) {
            const Expr& number = first ? *call->args.front() : *call->args.back();
            const Expr& argument = first ? *call->args.back() : *call->args.front();
            const std::optional<double> factor = constant_value(number, program_.dims);
            if (factor && *factor > 0 && std::holds_alternative<Arg>(argument.value)) return factor;
        }
        return {};
    }

    // Whether maxima, exponentials and the sums of the chain itself are all that reads it.
    bool all_can_multiply(const std::vector<Temp>& chain) const {
        for (const Temp temp : chain) {
            const Statement* set = setters_.at(temp.id).front();
            for (const Statement* line : readers(temp)) {
                const auto* made = std::get_if<Compute>(&line->what);
                if (!made || !same_body(*line, *set)) return false;
                const bool known = made->op == FunctionalOp::RowMax || to_.shifts_.count(line) > 0 ||
                                   made->to == chain.front();
                if (!known) return false;
            }
        }
        return true;
    }

    const LoopProgram& program_;
    const DeviceValues& values_;
    Exponents& to_;
    std::map<const Statement*, const Block*> bodies_;  // of loops
    std::map<int, std::vector<const Statement*>> setters_, readers_;
};

Exponents::Exponents(const LoopProgram& program, const DeviceValues& values) {
    Finder(program, values, *this).run();
}

double Exponents::factor(Temp temp) const {
    const auto found = factors_.find(temp.id);
    return found == factors_.end() ? 1.0 : found->second;
}

const std::vector<Temp>* Exponents::shifted(const Statement& line) const {
    const auto found = exponentials_.find(&line);
    return found == exponentials_.end() ? nullptr : found->second;
}

}  // namespace blockscope::gpu
