#include "core/circuit/expand.h"

#include <algorithm>
#include <set>

#include "core/circuit/lists.h"
#include "core/circuit/stream.h"

namespace blockscope::circuit {

namespace {

class Expander {
public:
    Expander(const Flow& flow, AxisId rows, AxisId stream, AxisVerdict verdict, ExpansionOptions options)
        : flow_(flow), rows_(rows), stream_(stream), verdict_(std::move(verdict)), options_(options) {}

    Expansion run() {
        result_.rows = name(rows_);
        result_.stream = name(stream_);
        loop_ = {CodeNode::Kind::Loop, "", Tier::Shared, -1, "s_" + result_.stream, result_.stream, {}};
        sub_ = {CodeNode::Kind::SubLoop, "", Tier::Shared, -1, "u_" + result_.stream,
                "s_" + result_.stream,   {}};
        for (const int input : flow_.inputs) load(input);
        auxiliary();
        for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) operate(i);
        result_.code = head_;
        if (!sub_.body.empty()) loop_.body.push_back(sub_);
        result_.code.push_back(loop_);
        tails();
        result_.code.insert(result_.code.end(), tail_.begin(), tail_.end());
        return std::move(result_);
    }

private:
    const std::string& name(AxisId axis) const { return axis_of(flow_.axes, axis).name; }
    const FlowOp& op(int i) const { return flow_.ops.at(at(i)); }
    const FlowArray& array(int a) const { return flow_.arrays.at(at(a)); }
    bool matrix(int i) const { return op(i).apply.op.kind == OperatorKind::Contraction; }
    bool touches(int i) const { return has(op(i).apply.own, stream_) || has(op(i).apply.weave, stream_); }
    bool accumulator(int i) const {
        const auto& list = verdict_.accumulators;
        return std::find(list.begin(), list.end(), i) != list.end();
    }
    // Whether results so far are scaled when a new maximum comes.
    bool rescales() const {
        return std::any_of(flow_.ops.begin(), flow_.ops.end(), [&](const FlowOp& one) {
            return one.apply.op.kind == OperatorKind::Softmax && has(one.apply.own, stream_);
        });
    }

    // A nameless array is called after what elementwise operators make of it.
    std::string label(int a) const {
        if (!array(a).name.empty()) return array(a).name;
        for (const FlowOp& one : flow_.ops)
            if (one.apply.op.kind == OperatorKind::Elementwise && one.inputs.front() == a)
                return label(one.outputs.at(0));
        return "a" + std::to_string(a);
    }
    std::string what(int i) const {
        return op(i).apply.op.label + " that makes " + label(op(i).outputs.at(0));
    }

    // Symbols of an array's axes: `rows` and `stream` for those two, a tile of the last other axis if given.
    std::vector<std::string> symbols(int a, const std::string& rows, const std::string& stream,
                                     const std::string& tile = "") const {
        std::vector<std::string> result;
        int tiled = -1;
        const std::vector<AxisId>& axes = array(a).type.axes;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (axes[i] != rows_ && axes[i] != stream_) tiled = static_cast<int>(i);
            result.push_back(axes[i] == rows_     ? rows + "_" + name(rows_)
                             : axes[i] == stream_ ? stream + "_" + name(stream_)
                                                  : extent(flow_.axes, axes[i]).text());
        }
        if (tiled >= 0) result[at(tiled)] += tile;
        return result;
    }

    void variable(Variable made) {
        made.values = Formula::number(made.doubled ? 2 : 1);
        const std::string rows = "_" + result_.rows;
        for (std::string symbol : made.axes) {
            // A warpgroup's share: all its threads' variables, and its part of what all warpgroups share.
            if (made.per_warpgroup && (symbol == "t" + rows || symbol == "g" + rows)) symbol = "w" + rows;
            made.values = made.values * (symbol.find_first_not_of("0123456789") == std::string::npos
                                             ? Formula::number(std::stod(symbol))
                                             : Formula::symbol(symbol));
        }
        if (seen_.insert(made.name).second) result_.variables.push_back(std::move(made));
    }

    // What is computed has 16 bits at least.
    ElemType computed(int a) const {
        const ElemType elem = array(a).type.elem;
        return bytes_per_element(elem) < 2 ? ElemType::F16 : elem;
    }

    // What each warpgroup has of its own.
    void of_warpgroup(const std::string& name, const std::string& array, const std::string& role,
                      std::vector<std::string> axes, Tier place, ElemType elem = ElemType::F16) {
        variable({name, array, role, std::move(axes), place, true, false, elem, {}});
    }

    void column(std::vector<CodeNode>& into, const std::string& text, Tier place, int i = -1) {
        into.push_back({CodeNode::Kind::Column, text, place, i, "", "", {}});
    }

    bool feeds_matrix(int a) const {
        return std::any_of(flow_.ops.begin(), flow_.ops.end(), [&](const FlowOp& one) {
            return one.apply.op.kind == OperatorKind::Contraction &&
                   std::find(one.inputs.begin(), one.inputs.end(), a) != one.inputs.end();
        });
    }

    void load(int a) {
        const bool streamed = has(array(a).type.axes, stream_);
        const bool rows = has(array(a).type.axes, rows_);
        const ElemType elem = array(a).type.elem;
        variable({label(a), label(a), "input", symbols(a, "w", "s"), Tier::Shared, rows, streamed, elem, {}});
        column(streamed ? loop_.body : head_, "load " + label(a), Tier::Shared);
        if (feeds_matrix(a)) return;
        of_warpgroup(label(a) + "'", label(a), "threads", symbols(a, "t", "u"), Tier::Threads, elem);
    }

    void auxiliary() {
        if (verdict_.auxiliary == 0) return;
        const std::string count = std::to_string(verdict_.auxiliary);
        of_warpgroup("α", "auxiliary", "accumulator", {"t_" + result_.rows, count}, Tier::Threads);
        column(head_, "initialise α", Tier::Threads);
    }

    void operate(int i) {
        if (!touches(i)) {
            column(after_ ? tail_ : head_, what(i), matrix(i) ? Tier::Tensor : Tier::Threads, i);
            return;
        }
        if (matrix(i))
            contraction(i);
        else
            on_threads(i);
        if (accumulator(i)) after_ = true;
    }

    // ---- tensor cores ----

    void contraction(int i) {
        const int out = op(i).outputs.at(0);
        std::vector<std::string> operands;
        for (const int input : op(i).inputs) operands.push_back(operand(input));
        result_.operations.push_back({i, what(i), Unit::Matrix, ops_per_thread(i, 2), operands});
        CodeNode split{CodeNode::Kind::Split, "", Tier::Tensor, i, "", "", {}};
        column(split.body, what(i), Tier::Tensor, i);
        if (accumulator(i))
            accumulate(i, out, std::move(split));
        else
            scores(out, std::move(split));
    }

    // The variable that a tensor core reads an operand from.
    std::string operand(int a) {
        const bool input = std::find(flow_.inputs.begin(), flow_.inputs.end(), a) != flow_.inputs.end();
        if (input) return label(a);
        if (options_.fragments) return on_tensor_.count(a) > 0 ? on_tensor_.at(a) : label(a) + "'";
        std::string made = "A of " + label(a);
        of_warpgroup(made, label(a), "operand", symbols(a, "w", "u"), Tier::Shared, array(a).type.elem);
        column(sub_.body, label(a) + " to tensor cores, through shared memory", Tier::Shared);
        return made;
    }

    void scores(int out, CodeNode split) {
        loop_.body.push_back(std::move(split));
        of_warpgroup(label(out), label(out), "tensor cores", symbols(out, "w", "s"), Tier::Tensor,
                     computed(out));
        on_tensor_[out] = label(out);
    }

    void accumulate(int i, int out, CodeNode split) {
        const bool scaled = rescales() && !options_.fragments;
        const std::string base = label(out);
        sub_.body.push_back(std::move(split));
        if (!scaled) {
            of_warpgroup(base, base, "accumulator", symbols(out, "w", "s"), Tier::Tensor, computed(out));
            column(head_, "initialise " + base, Tier::Tensor);
            return;
        }
        of_warpgroup(base + "'", base, "accumulator", symbols(out, "t", "s"), Tier::Threads, computed(out));
        of_warpgroup("D of " + base, base, "tensor cores, part", symbols(out, "w", "s", "′"), Tier::Tensor,
                     computed(out));
        of_warpgroup("Δ" + base, base, "shared copy, part", symbols(out, "g", "s", "′"), Tier::Shared,
                     computed(out));
        of_warpgroup("Δ" + base + "'", base, "threads, part", symbols(out, "t", "s", "″"), Tier::Threads,
                     computed(out));
        column(head_, "initialise " + base + "'", Tier::Threads);
        column(sub_.body, "Δ" + base + " to threads, through shared memory", Tier::Shared);
        column(sub_.body, "scale " + base + "' and add Δ" + base + "'", Tier::Threads, i);
        // Scaling and adding, once per sub-loop: the operator's result per row.
        Formula work = Formula::number(2);
        for (const AxisId axis : op(i).apply.weave)
            if (axis != rows_) work = work * extent(flow_.axes, axis);
        result_.operations.push_back(
            {i, "scale and add to " + base, Unit::Vector, work * part("s") * part("u").to_the(-1), {}});
    }

    // ---- threads ----

    Formula part(const std::string& letter) const { return Formula::symbol(letter + "_" + result_.stream); }

    Formula ops_per_thread(int i, double each) const {
        Formula product = Formula::number(each);
        for (const std::vector<AxisId>* axes : {&op(i).apply.own, &op(i).apply.weave})
            for (const AxisId axis : *axes) {
                if (axis == rows_) continue;
                product = product * (axis == stream_ ? part("s") : extent(flow_.axes, axis));
            }
        return product;
    }

    void on_threads(int i) {
        const int out = op(i).outputs.at(0);
        for (const int input : op(i).inputs) to_threads(input);
        // A chain of operators works in place.
        column(sub_.body, what(i), Tier::Threads, i);
        chain_[out] = chain(i);
        if (has(op(i).apply.own, stream_) && accumulator(i))
            of_warpgroup(label(out) + "'", label(out), "accumulator", symbols(out, "t", "s"), Tier::Threads,
                         computed(out));
        const OperatorKind kind = op(i).apply.op.kind;
        if (kind == OperatorKind::Softmax) {
            // One exponential per score, and one per sub-loop for the correction of the maximum.
            const Formula rest = ops_per_thread(i, 1);
            result_.operations.push_back({i, what(i), Unit::Special, rest + rest * part("u").to_the(-1), {}});
        } else if (kind == OperatorKind::Elementwise && op(i).apply.op.special_work > 0) {
            result_.operations.push_back(
                {i, what(i), Unit::Special, ops_per_thread(i, op(i).apply.op.special_work), {}});
        }
    }

    // The array that the chain of thread operators before operator i began with.
    int chain(int i) const {
        for (const int input : op(i).inputs)
            if (chain_.count(input) > 0) return chain_.at(input);
        return op(i).outputs.at(0);
    }

    void to_threads(int a) {
        if (on_tensor_.count(a) == 0 || !staged_.insert(a).second) return;
        chain_[a] = a;
        if (options_.fragments) return;
        of_warpgroup(label(a) + "*", label(a), "shared copy", symbols(a, "g", "s"), Tier::Shared,
                     computed(a));
        of_warpgroup(label(a) + "'", label(a), "threads", symbols(a, "t", "u"), Tier::Threads, computed(a));
        column(sub_.body, label(a) + " to threads, through shared memory", Tier::Shared);
    }

    void tails() {
        if (verdict_.auxiliary > 0) column(tail_, "scale by α", Tier::Threads);
        for (std::size_t i = 0; i < flow_.outputs.size(); ++i)
            column(tail_, "save " + flow_.output_names.at(i), Tier::Global);
    }

    const Flow& flow_;
    AxisId rows_;
    AxisId stream_;
    AxisVerdict verdict_;
    ExpansionOptions options_;
    Expansion result_;
    std::vector<CodeNode> head_;
    std::vector<CodeNode> tail_;
    CodeNode loop_;
    CodeNode sub_;  // in it: the accumulator, which is streamable itself (Section 5.2)
    bool after_ = false;
    std::set<std::string> seen_;
    std::map<int, std::string> on_tensor_;  // array -> variable in tensor registers
    std::set<int> staged_;
    std::map<int, int> chain_;
};

}  // namespace

Result<Expansion> expand(const Flow& flow, AxisId rows, AxisId stream, const ExpansionOptions& options) {
    Problems problems;
    AxisVerdict found;
    for (const AxisVerdict& verdict : axis_verdicts(flow)) {
        const std::string& name = axis_of(flow.axes, verdict.axis).name;
        if (verdict.axis == rows && !verdict.group)
            problems.push_back({{}, name + " cannot be grouped: " + verdict.group_reasons.front().sentence});
        if (verdict.axis == stream && !verdict.stream)
            problems.push_back(
                {{}, name + " cannot be streamed: " + verdict.stream_reasons.front().sentence});
        if (verdict.axis == stream) found = verdict;
    }
    if (found.axis != stream) problems.push_back({{}, "found no axis to stream"});
    if (!problems.empty()) return problems;
    return Expander(flow, rows, stream, std::move(found), options).run();
}

}  // namespace blockscope::circuit
