#include "core/story/recognised.h"

#include <algorithm>
#include <functional>
#include <map>

#include "core/cost/models/model.h"

namespace blockscope {

namespace {

bool uses_function(const Expr& expr, Fn fn) {
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return false;
    return call->fn == fn || std::any_of(call->args.begin(), call->args.end(),
                                         [&](const ExprPtr& part) { return uses_function(*part, fn); });
}

// What a loop's body says, by the temporary that each statement makes.
class Makers {
public:
    explicit Makers(const Block& body) {
        for_each_statement(body, [this](const Statement& statement) {
            if (std::get_if<LoopPtr>(&statement.what)) return;
            const StatementUses uses = uses_of(statement);
            if (uses.makes.id > 0) makers_[uses.makes.id].push_back(&statement);
        });
    }

    // The one statement of this kind that makes the temporary; null if there is none.
    template <class Kind>
    const Kind* made_by(Temp temp) const {
        const auto found = makers_.find(temp.id);
        if (found == makers_.end()) return nullptr;
        for (const Statement* statement : found->second)
            if (const Kind* kind = std::get_if<Kind>(&statement->what)) return kind;
        return nullptr;
    }

    // The operator that makes the temporary; none if it comes from outside.
    NodeId node_of(Temp temp) const {
        const auto found = makers_.find(temp.id);
        if (found == makers_.end()) return {};
        for (const Statement* statement : found->second)
            if (!std::get_if<Assign>(&statement->what)) return statement->node;
        return {};
    }

    // Whether the temporary, or what it is made of in the body, is made as `is_it` says. Loops that carry
    // values have no cycle here: what an iteration begins with is made outside.
    bool comes_from(Temp temp, const std::function<bool(const Statement&)>& is_it, int depth = 0) const {
        constexpr int kDeepest = 40;
        const auto found = makers_.find(temp.id);
        if (found == makers_.end() || depth > kDeepest) return false;
        for (const Statement* statement : found->second) {
            if (is_it(*statement)) return true;
            if (std::get_if<Assign>(&statement->what)) continue;
            for (const Temp read : uses_of(*statement).reads)
                if (comes_from(read, is_it, depth + 1)) return true;
        }
        return false;
    }

private:
    std::map<int, std::vector<const Statement*>> makers_;
};

// Every loop, with the block that it stands in.
void for_each_loop(const Block& block, const std::function<void(const Loop&, const Block&)>& visit) {
    for (const Statement& statement : block) {
        const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) continue;
        visit(**loop, block);
        for_each_loop((*loop)->body, visit);
    }
}

bool is_op(const Statement& statement, FunctionalOp op) {
    if (const Compute* compute = std::get_if<Compute>(&statement.what)) return compute->op == op;
    const Accumulate* sum = std::get_if<Accumulate>(&statement.what);
    return sum && sum->functional && sum->op == op;
}

// The buffer that a temporary of this loop is loaded from, by the loop's own variable; -1 for none.
int loaded_from(Temp temp, const Loop& loop) {
    int buffer = -1;
    for_each_statement(loop.body, [&](const Statement& statement) {
        const Load* load = std::get_if<Load>(&statement.what);
        if (!load || load->to != temp) return;
        if (std::any_of(load->at.begin(), load->at.end(),
                        [&](const Index& index) { return !index.zero && index.var == loop.var; }))
            buffer = load->buffer;
    });
    return buffer;
}

// One weight of attention in a loop: the exponential, what it is multiplied by, and where both sums go.
struct Weights {
    Temp exponential;
    int keys = -1, values = -1;
};

// Both operands of the products in a loop, accumulated or not.
std::vector<std::vector<Temp>> products_in(const Block& body) {
    std::vector<std::vector<Temp>> products;
    for_each_statement(body, [&](const Statement& statement) {
        if (!is_op(statement, FunctionalOp::Dot)) return;
        if (const Compute* compute = std::get_if<Compute>(&statement.what)) products.push_back(compute->args);
        if (const Accumulate* sum = std::get_if<Accumulate>(&statement.what)) products.push_back(sum->args);
    });
    return products;
}

bool sums_rows_of(const Block& body, Temp exponential) {
    bool found = false;
    for_each_statement(body, [&](const Statement& statement) {
        if (!is_op(statement, FunctionalOp::RowSum)) return;
        const TempsRead reads = uses_of(statement).reads;
        found = found || std::find(reads.begin(), reads.end(), exponential) != reads.end();
    });
    return found;
}

// What this loop loads and rotates to make the temporary; -1 for none.
int rotated_from(Temp temp, const Loop& loop, const Makers& makers) {
    int buffer = -1;
    makers.comes_from(temp, [&](const Statement& statement) {
        const Compute* compute = std::get_if<Compute>(&statement.what);
        if (compute && form_of(compute->op) == FunctionalForm::Rotate)
            buffer = loaded_from(compute->args.at(0), loop);
        return buffer >= 0;
    });
    return buffer;
}

// The buffer of keys that the scores come from: a product's operand that this loop loads, or rotates first.
int keys_of(const Loop& loop, const Makers& makers, Temp exponential) {
    int keys = -1;
    makers.comes_from(exponential, [&](const Statement& statement) {
        if (!is_op(statement, FunctionalOp::Dot)) return false;
        for (const Temp read : uses_of(statement).reads)
            if (const int buffer = loaded_from(read, loop); buffer >= 0) keys = buffer;
        for (const Temp read : uses_of(statement).reads)
            if (keys < 0) keys = rotated_from(read, loop, makers);
        return keys >= 0;
    });
    return keys;
}

std::optional<Weights> weights_in(const Loop& loop) {
    const Makers makers(loop.body);
    for (const std::vector<Temp>& product : products_in(loop.body)) {
        const Temp weight = product[0];
        const Evaluate* made = makers.made_by<Evaluate>(weight);
        if (!made || !uses_function(*made->expr, Fn::Exp) || !sums_rows_of(loop.body, weight)) continue;
        const Weights found{weight, keys_of(loop, makers, weight), loaded_from(product[1], loop)};
        if (found.keys >= 0 && found.values >= 0) return found;
    }
    return std::nullopt;
}

// Whether a row scaling by a reciprocal follows the loop in its block, or around it.
bool is_divided_afterwards(const LoopProgram& program, const Loop& loop) {
    bool seen = false, divides = false;
    const Makers makers(program.body);
    std::function<void(const Block&)> walk = [&](const Block& block) {
        for (const Statement& statement : block) {
            if (const LoopPtr* inner = std::get_if<LoopPtr>(&statement.what)) {
                if (inner->get() == &loop)
                    seen = true;
                else
                    walk((*inner)->body);
                continue;
            }
            const Compute* compute = std::get_if<Compute>(&statement.what);
            if (!seen || !compute || compute->op != FunctionalOp::RowScale) continue;
            const Evaluate* factor = makers.made_by<Evaluate>(compute->args[1]);
            divides = divides || (factor && uses_function(*factor->expr, Fn::Div));
        }
    };
    walk(program.body);
    return divides;
}

// A value that a loop carries: what it begins with, and what the iteration gives it.
struct Carried {
    Temp value, next;
};

std::vector<Carried> carried_by(const Loop& loop) {
    std::vector<Carried> carried;
    for (const Statement& statement : loop.body)
        if (const Assign* assign = std::get_if<Assign>(&statement.what))
            carried.push_back({assign->to, assign->from});
    return carried;
}

bool reads(const Makers& makers, Temp temp, Temp wanted) {
    return makers.comes_from(temp, [&](const Statement& statement) {
        const TempsRead read = uses_of(statement).reads;
        return std::find(read.begin(), read.end(), wanted) != read.end();
    });
}

std::optional<OnlineSoftmax> online_softmax(const Loop& loop) {
    const Makers makers(loop.body);
    const std::vector<Carried> carried = carried_by(loop);
    const auto comes_from_op = [&](Temp temp, FunctionalOp op) {
        return makers.comes_from(temp, [op](const Statement& statement) { return is_op(statement, op); });
    };
    for (const Carried& m : carried) {
        const Evaluate* greater = makers.made_by<Evaluate>(m.next);
        if (!greater || !uses_function(*greater->expr, Fn::Max) || !reads(makers, m.next, m.value) ||
            !comes_from_op(m.next, FunctionalOp::RowMax))
            continue;
        OnlineSoftmax found{};
        found.loop = loop.node;
        found.maximum = m.value;
        found.maximum_node = makers.node_of(m.next);
        for (const Statement& statement : loop.body) {
            const Evaluate* evaluate = std::get_if<Evaluate>(&statement.what);
            if (!evaluate || !uses_function(*evaluate->expr, Fn::Exp)) continue;
            const bool of_both =
                std::find(evaluate->args.begin(), evaluate->args.end(), m.value) != evaluate->args.end() &&
                std::find(evaluate->args.begin(), evaluate->args.end(), m.next) != evaluate->args.end();
            if (of_both) found.rescale = evaluate->to, found.rescale_node = statement.node;
        }
        for (const Carried& other : carried) {
            if (other.value == m.value || !reads(makers, other.next, other.value) ||
                !reads(makers, other.next, found.rescale))
                continue;
            const bool scaled = makers.comes_from(other.next, [&](const Statement& statement) {
                const Compute* compute = std::get_if<Compute>(&statement.what);
                return compute && compute->op == FunctionalOp::RowScale && compute->args[0] == other.value;
            });
            if (scaled)
                found.accumulator = other.value, found.accumulator_node = makers.node_of(other.next);
            else if (comes_from_op(other.next, FunctionalOp::RowSum))
                found.sum = other.value, found.sum_node = makers.node_of(other.next);
        }
        if (found.rescale.id > 0 && found.sum.id > 0) return found;
    }
    return std::nullopt;
}

std::string temp_name(Temp temp) {
    return "t" + std::to_string(temp.id);
}

}  // namespace

std::vector<OnlineSoftmax> online_softmaxes(const LoopProgram& program) {
    std::vector<OnlineSoftmax> found;
    for_each_loop(program.body, [&](const Loop& loop, const Block&) {
        if (const auto softmax = online_softmax(loop)) found.push_back(*softmax);
    });
    return found;
}

std::map<NodeId, std::string> online_names(const State& safe) {
    std::map<NodeId, std::string> names;
    for (const OnlineSoftmax& softmax : online_softmaxes(safe.loops())) {
        names[softmax.maximum_node] = "m";
        names[softmax.sum_node] = "l";
        names[softmax.rescale_node] = "rescale";
        if (softmax.accumulator) names[softmax.accumulator_node] = "acc";
    }
    names.erase(NodeId{});
    return names;
}

std::vector<FlashAttention> flash_attentions(const LoopProgram& program) {
    std::vector<FlashAttention> found;
    for_each_loop(program.body, [&](const Loop& loop, const Block&) {
        if (!loop.serial) return;
        const auto weights = weights_in(loop);
        if (!weights || !is_divided_afterwards(program, loop)) return;
        const auto name = [&](int buffer) { return program.buffers[static_cast<std::size_t>(buffer)].name; };
        found.push_back({.loop = loop.node,
                         .over = loop.var.dim,
                         .keys = name(weights->keys),
                         .values = name(weights->values),
                         .online = online_softmax(loop).has_value()});
    });
    return found;
}

int passes_over(const LoopProgram& program, DimId dim) {
    int passes = 0;
    for_each_loop(program.body,
                  [&](const Loop& loop, const Block&) { passes += loop.var.dim == dim ? 1 : 0; });
    return passes;
}

Text flash_attention_text(const State& unfused, const State& state) {
    const std::vector<FlashAttention> found = flash_attentions(state.loops());
    if (found.empty()) return {};
    const Counts& before = unfused.counts();
    const Counts& after = state.counts();
    const auto bytes = [](const Counts& counts) {
        return bytes_text_of(static_cast<double>(counts.bytes()));
    };
    const DimId keys = found.front().over;
    return Text("This is Flash Attention: %1 → %2, kernels %3 → %4, loops over %5 (%6 and %7) %8 → %9.",
                bytes(before), bytes(after), before.launches, after.launches,
                state.program()->dims.at(keys.value).name, found.front().keys, found.front().values,
                passes_over(unfused.loops(), keys), passes_over(state.loops(), keys));
}

Text online_softmax_text(const State& safe) {
    const std::vector<OnlineSoftmax> found = online_softmaxes(safe.loops());
    if (found.empty()) return {};
    const OnlineSoftmax& softmax = found.front();
    if (!softmax.accumulator)
        return Text(
            "This is online softmax: %1 is the running maximum m, %2 the running sum l, rescaled by %3.",
            temp_name(softmax.maximum), temp_name(softmax.sum), temp_name(softmax.rescale));
    return Text(
        "This is online softmax: %1 is the running maximum m, %2 the running sum l, %3 the accumulator acc, "
        "both rescaled by %4.",
        temp_name(softmax.maximum), temp_name(softmax.sum), temp_name(*softmax.accumulator),
        temp_name(softmax.rescale));
}

Text online_softmax_legend(const State& safe) {
    const std::vector<OnlineSoftmax> found = online_softmaxes(safe.loops());
    if (found.empty()) return {};
    return found.front().accumulator
               ? Text(
                     "m is the running maximum, l the running sum, acc the accumulator; rescale corrects "
                     "them.")
               : Text("m is the running maximum, l the running sum; rescale corrects it.");
}

Text real_kernel_adds(const State& state) {
    const std::vector<FlashAttention> found = flash_attentions(state.loops());
    if (found.empty()) return {};
    return found.front().online
               ? Text("Real kernels also tile in shared memory and overlap loads.")
               : Text("Real kernels add online softmax, loads that overlap, and tiles in shared memory.");
}

}  // namespace blockscope
