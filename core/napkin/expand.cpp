#include "core/napkin/expand.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "core/diagram/flow.h"
#include "core/diagram/place.h"
#include "core/diagram/term.h"

namespace blockscope::circuit {

namespace {

// A stream as it is written down: what comes before its loop, what it loads, does, and does in its sub-loop.
struct Stream {
    AxisVerdict verdict;
    std::string name;
    std::vector<CodeNode> head, loads, body, sub;

    AxisId axis() const { return verdict.axis; }
    bool accumulates(int op) const {
        const auto& list = verdict.accumulators;
        return std::find(list.begin(), list.end(), op) != list.end();
    }
    CodeNode loop(const std::vector<CodeNode>& inner) const {
        CodeNode made{.kind = CodeNode::Kind::Loop,
                      .text = {},
                      .place = Tier::Shared,
                      .op = -1,
                      .part = "s_" + name,
                      .whole = name,
                      .body = loads};
        made.body.insert(made.body.end(), inner.begin(), inner.end());
        made.body.insert(made.body.end(), body.begin(), body.end());
        if (!sub.empty())
            made.body.push_back({.kind = CodeNode::Kind::SubLoop,
                                 .place = Tier::Shared,
                                 .part = "u_" + name,
                                 .whole = "s_" + name,
                                 .body = sub});
        return made;
    }
};

class Expander {
public:
    Expander(const Flow& flow, AxisId rows, AxisVerdict stream, std::optional<AxisVerdict> inner,
             ExpansionOptions options)
        : flow_(flow), rows_(rows), options_(options) {
        outer_.verdict = std::move(stream);
        outer_.name = name(outer_.axis());
        if (!inner) return;
        inner_.emplace();
        inner_->verdict = *std::move(inner);
        inner_->name = name(inner_->axis());
    }

    Result<Expansion> run() {
        result_.rows = name(rows_);
        result_.stream = outer_.name;
        if (inner_) result_.inner = inner_->name;
        for (const int input : flow_.inputs) load(input);
        auxiliary(outer_);
        if (inner_) auxiliary(*inner_);
        for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) operate(i);
        if (!problem_.empty()) return Problem{{}, problem_};
        std::vector<CodeNode> nested;
        if (inner_) {
            nested = inner_->head;
            nested.push_back(inner_->loop({}));
            if (inner_->verdict.auxiliary > 0)
                column(nested, Text("scale by %1", kept(*inner_)), Tier::Threads);
        }
        result_.code = outer_.head;
        result_.code.push_back(outer_.loop(nested));
        tails();
        result_.code.insert(result_.code.end(), tail_.begin(), tail_.end());
        return std::move(result_);
    }

private:
    const std::string& name(AxisId axis) const { return axis_of(flow_.axes, axis).name; }
    const FlowOp& op(int i) const { return flow_.ops.at(at(i)); }
    const FlowArray& array(int a) const { return flow_.arrays.at(at(a)); }
    bool matrix(int i) const { return op(i).apply.op.kind == OperatorKind::Contraction; }
    bool along(int i, const Stream& stream) const {
        return has(op(i).apply.own, stream.axis()) || has(op(i).apply.weave, stream.axis());
    }
    bool in_inner() const { return inner_ && now_ == &*inner_; }
    std::string kept(const Stream& stream) const {
        return &stream == &outer_ || outer_.verdict.auxiliary == 0 ? "α" : "α_" + stream.name;
    }
    // Whether results so far are scaled when a new maximum comes.
    bool rescales() const {
        return std::any_of(flow_.ops.begin(), flow_.ops.end(), [&](const FlowOp& one) {
            return one.apply.op.kind == OperatorKind::Softmax && has(one.apply.own, now_->axis());
        });
    }

    // A nameless array is called after what elementwise operators and casts make of it.
    std::string label(int a) const {
        if (!array(a).name.empty()) return array(a).name;
        for (const FlowOp& one : flow_.ops)
            if (of_items(one) && one.inputs.front() == a) return label(one.outputs.at(0));
        return "a" + std::to_string(a);
    }
    static bool of_items(const FlowOp& one) {
        return one.apply.op.kind == OperatorKind::Elementwise || one.apply.op.kind == OperatorKind::Cast;
    }
    Text what(int i) const {
        return Text("%1 that makes %2", op(i).apply.op.label, label(op(i).outputs.at(0)));
    }

    // Symbols of an array's axes: `rows` and `stream` for those two, a tile of the last other axis if given.
    // The inner stream has parts of parts; what it has of the outer one is a whole part.
    std::vector<std::string> symbols(int a, const std::string& rows, const std::string& stream,
                                     const std::string& tile = "") const {
        std::vector<std::string> result;
        int tiled = -1;
        const std::vector<AxisId>& axes = array(a).type.axes;
        const bool within = in_inner() || (inner_ && has(axes, inner_->axis()));
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const bool inner = inner_ && axes[i] == inner_->axis();
            if (axes[i] != rows_ && axes[i] != outer_.axis() && !inner) tiled = static_cast<int>(i);
            result.push_back(axes[i] == rows_           ? rows + "_" + name(rows_)
                             : inner                    ? stream + "_" + inner_->name
                             : axes[i] == outer_.axis() ? (within ? "s" : stream) + "_" + outer_.name
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

    // A matrix unit adds up in the type that the program casts its result to, if that is wider: with
    // cast(Q @ K.T, f32) the scores are held as f32.
    ElemType accumulated(int a) const {
        ElemType widest = computed(a);
        for (const FlowOp& one : flow_.ops) {
            if (one.apply.op.kind != OperatorKind::Cast || one.inputs.front() != a) continue;
            const ElemType made = array(one.outputs.at(0)).type.elem;
            if (bytes_per_element(made) > bytes_per_element(widest)) widest = made;
        }
        return widest;
    }

    // What each warpgroup has of its own.
    void of_warpgroup(const std::string& name, const std::string& array, const Text& role,
                      std::vector<std::string> axes, Tier place, ElemType elem = ElemType::F16) {
        variable({.name = name,
                  .array = array,
                  .role = role,
                  .axes = std::move(axes),
                  .place = place,
                  .per_warpgroup = true,
                  .elem = elem});
    }

    void column(std::vector<CodeNode>& into, const Text& text, Tier place, int i = -1) {
        into.push_back({.kind = CodeNode::Kind::Column, .text = text, .place = place, .op = i});
    }

    bool feeds_matrix(int a) const {
        return std::any_of(flow_.ops.begin(), flow_.ops.end(), [&](const FlowOp& one) {
            return one.apply.op.kind == OperatorKind::Contraction &&
                   std::find(one.inputs.begin(), one.inputs.end(), a) != one.inputs.end();
        });
    }

    void load(int a) {
        const std::vector<AxisId>& axes = array(a).type.axes;
        const bool inner = inner_ && has(axes, inner_->axis());
        const bool streamed = inner || has(axes, outer_.axis());
        const ElemType elem = array(a).type.elem;
        variable({.name = label(a),
                  .array = label(a),
                  .role = Text("input"),
                  .axes = symbols(a, "w", "s"),
                  .place = Tier::Shared,
                  .per_warpgroup = has(axes, rows_),
                  .doubled = streamed,
                  .inner = inner,
                  .elem = elem,
                  .values = {}});
        column(inner      ? inner_->loads
               : streamed ? outer_.loads
                          : outer_.head,
               Text("load %1", label(a)), Tier::Shared);
        if (feeds_matrix(a)) return;
        of_warpgroup(label(a) + "'", label(a), Text("threads"), symbols(a, "t", "u"), Tier::Threads, elem);
    }

    // What an operator carries along (softmax: maximum and sum) has its result's type.
    ElemType of_auxiliary(const Stream& stream) const {
        for (const FlowOp& one : flow_.ops)
            if (one.apply.op.kind != OperatorKind::Contraction && has(one.apply.own, stream.axis()))
                return computed(one.outputs.at(0));
        return ElemType::F16;
    }

    void auxiliary(Stream& stream) {
        if (stream.verdict.auxiliary == 0) return;
        const std::string count = std::to_string(stream.verdict.auxiliary);
        of_warpgroup(kept(stream), "auxiliary", Text("accumulator"), {"t_" + result_.rows, count},
                     Tier::Threads, of_auxiliary(stream));
        column(stream.head, Text("initialise %1", kept(stream)), Tier::Threads);
    }

    void operate(int i) {
        const bool inner = inner_ && along(i, *inner_);
        now_ = inner ? &*inner_ : &outer_;
        if (inner_ && !in_order(i, inner)) return;
        if (!inner && !along(i, outer_)) {
            column(after_ ? tail_ : outer_.head, what(i), matrix(i) ? Tier::Tensor : Tier::Threads, i);
            return;
        }
        if (matrix(i))
            contraction(i);
        else
            on_threads(i);
        if (!inner && outer_.accumulates(i)) after_ = true;
    }

    // The inner loop stands before what the outer one does: what it takes must be there, and what it makes
    // is of a part of the outer stream.
    bool in_order(int i, bool inner) {
        const auto of = [&](const std::set<int>& made) {
            return std::any_of(op(i).inputs.begin(), op(i).inputs.end(),
                               [&](int input) { return made.count(input) > 0; });
        };
        const bool outer = !inner && along(i, outer_);
        const bool fine = inner ? !of(of_outer_) : outer || !of(of_inner_);
        if (!fine && problem_.empty())
            problem_ = Text("%1 cannot be streamed in every part of %2: %3 stands between the two",
                            inner_->name, outer_.name, what(i));
        if (inner) of_inner_.insert(op(i).outputs.begin(), op(i).outputs.end());
        if (outer) of_outer_.insert(op(i).outputs.begin(), op(i).outputs.end());
        return fine;
    }

    // ---- tensor cores ----

    void contraction(int i) {
        const int out = op(i).outputs.at(0);
        std::vector<std::string> operands;
        for (const int input : op(i).inputs) operands.push_back(operand(input));
        result_.operations.push_back({.op = i,
                                      .name = what(i),
                                      .unit = Unit::Matrix,
                                      .per_thread = ops_per_thread(i, 2),
                                      .operands = operands});
        CodeNode split{.kind = CodeNode::Kind::Split,
                       .text = {},
                       .place = Tier::Tensor,
                       .op = i,
                       .part = "",
                       .whole = "",
                       .body = {}};
        column(split.body, what(i), Tier::Tensor, i);
        if (now_->accumulates(i))
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
        of_warpgroup(made, label(a), Text("operand"), symbols(a, "w", "u"), Tier::Shared, array(a).type.elem);
        column(now_->sub, Text("%1 to tensor cores, through shared memory", label(a)), Tier::Shared);
        return made;
    }

    void scores(int out, CodeNode split) {
        now_->body.push_back(std::move(split));
        of_warpgroup(label(out), label(out), Text("tensor cores"), symbols(out, "w", "s"), Tier::Tensor,
                     accumulated(out));
        on_tensor_[out] = label(out);
        if (options_.ahead)
            of_warpgroup(label(out) + "_next", label(out), Text("tensor cores, next iteration"),
                         symbols(out, "w", "s"), Tier::Tensor, accumulated(out));
    }

    void accumulate(int i, int out, CodeNode split) {
        const bool scaled = rescales() && !options_.fragments;
        const std::string base = label(out);
        now_->sub.push_back(std::move(split));
        if (!scaled) {
            of_warpgroup(base, base, Text("accumulator"), symbols(out, "w", "s"), Tier::Tensor,
                         accumulated(out));
            column(now_->head, Text("initialise %1", base), Tier::Tensor);
            if (in_inner()) on_tensor_[out] = base;
            return;
        }
        of_warpgroup(base + "'", base, Text("accumulator"), symbols(out, "t", "s"), Tier::Threads,
                     accumulated(out));
        of_warpgroup("D of " + base, base, Text("tensor cores, part"), symbols(out, "w", "s", "′"),
                     Tier::Tensor, accumulated(out));
        of_warpgroup("Δ" + base, base, Text("shared copy, part"), symbols(out, "g", "s", "′"), Tier::Shared,
                     accumulated(out));
        of_warpgroup("Δ" + base + "'", base, Text("threads, part"), symbols(out, "t", "s", "″"),
                     Tier::Threads, accumulated(out));
        column(now_->head, Text("initialise %1'", base), Tier::Threads);
        column(now_->sub, Text("Δ%1 to threads, through shared memory", base), Tier::Shared);
        column(now_->sub, Text("scale %1' and add Δ%1'", base), Tier::Threads, i);
        // Scaling and adding, once per sub-loop: the operator's result per row.
        Formula work = Formula::number(2);
        for (const AxisId axis : op(i).apply.weave)
            if (axis != rows_) work = work * length(axis);
        result_.operations.push_back({.op = i,
                                      .name = Text("scale and add to %1", base),
                                      .unit = Unit::Vector,
                                      .per_thread = work * length(now_->axis()) * part("u").to_the(-1)});
    }

    // ---- threads ----

    Formula part(const std::string& letter) const { return Formula::symbol(letter + "_" + now_->name); }
    // Of an axis, what one part of the outer stream has: of the inner one all.
    Formula length(AxisId axis) const {
        return axis == outer_.axis() ? Formula::symbol("s_" + outer_.name) : extent(flow_.axes, axis);
    }

    Formula ops_per_thread(int i, double each) const {
        Formula product = Formula::number(each);
        for (const std::vector<AxisId>* axes : {&op(i).apply.own, &op(i).apply.weave})
            for (const AxisId axis : *axes)
                if (axis != rows_) product = product * length(axis);
        return product;
    }

    void on_threads(int i) {
        const int out = op(i).outputs.at(0);
        for (const int input : op(i).inputs) to_threads(input);
        // A chain of operators works in place.
        column(now_->sub, what(i), Tier::Threads, i);
        chain_[out] = chain(i);
        if (has(op(i).apply.own, now_->axis()) && now_->accumulates(i))
            of_warpgroup(label(out) + "'", label(out), Text("accumulator"), symbols(out, "t", "s"),
                         Tier::Threads, computed(out));
        const OperatorKind kind = op(i).apply.op.kind;
        if (kind == OperatorKind::Softmax) {
            // One exponential per score, and one per sub-loop for the correction of the maximum.
            const Formula rest = ops_per_thread(i, 1);
            result_.operations.push_back({.op = i,
                                          .name = what(i),
                                          .unit = Unit::Special,
                                          .per_thread = rest + rest * part("u").to_the(-1)});
        } else if (kind == OperatorKind::Elementwise && op(i).apply.op.special_work > 0) {
            result_.operations.push_back({.op = i,
                                          .name = what(i),
                                          .unit = Unit::Special,
                                          .per_thread = ops_per_thread(i, op(i).apply.op.special_work)});
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
        of_warpgroup(label(a) + "*", label(a), Text("shared copy"), symbols(a, "g", "s"), Tier::Shared,
                     computed(a));
        of_warpgroup(label(a) + "'", label(a), Text("threads"), symbols(a, "t", "u"), Tier::Threads,
                     computed(a));
        column(now_->sub, Text("%1 to threads, through shared memory", label(a)), Tier::Shared);
    }

    void tails() {
        if (outer_.verdict.auxiliary > 0) column(tail_, Text("scale by α"), Tier::Threads);
        for (std::size_t i = 0; i < flow_.outputs.size(); ++i)
            column(tail_, Text("save %1", flow_.output_names.at(i)), Tier::Global);
    }

    const Flow& flow_;
    AxisId rows_;
    Stream outer_;
    std::optional<Stream> inner_;
    Stream* now_ = &outer_;  // that an operator is written in
    ExpansionOptions options_;
    Expansion result_;
    std::vector<CodeNode> tail_;
    bool after_ = false;
    Text problem_;
    std::set<int> of_inner_, of_outer_;  // arrays that their operators make
    std::set<std::string> seen_;
    std::map<int, std::string> on_tensor_;  // array -> variable in tensor registers
    std::set<int> staged_;
    std::map<int, int> chain_;
};

}  // namespace

Result<Expansion> expand(const Flow& flow, AxisId rows, AxisId stream, const ExpansionOptions& options) {
    Problems problems;
    std::optional<AxisVerdict> outer, inner;
    for (const AxisVerdict& verdict : axis_verdicts(flow)) {
        const std::string& name = axis_of(flow.axes, verdict.axis).name;
        const bool streamed = verdict.axis == stream || verdict.axis == options.inner;
        if (verdict.axis == rows && !verdict.group)
            problems.push_back(
                {{}, Text("%1 cannot be grouped: %2", name, verdict.group_reasons.front().sentence)});
        if (streamed && !verdict.stream)
            problems.push_back(
                {{}, Text("%1 cannot be streamed: %2", name, verdict.stream_reasons.front().sentence)});
        if (verdict.axis == stream) outer = verdict;
        if (verdict.axis == options.inner) inner = verdict;
    }
    if (!outer) problems.push_back({{}, Text("found no axis to stream")});
    if (problems.empty() && inner)
        problems = impossible(flow, {{rows, PartitionKind::Group, 1},
                                     {stream, PartitionKind::Stream, 1},
                                     {options.inner, PartitionKind::Stream, 1, true}});
    if (!problems.empty()) return problems;
    return Expander(flow, rows, *std::move(outer), std::move(inner), options).run();
}

// Configuration tables (Section 5.6) and divisors (Section 5.4).

ElemType Configuration::elem(const Variable& variable) const {
    const auto found = elems.find(variable.name);
    return found == elems.end() ? variable.elem : found->second;
}

Configuration default_configuration(const Expansion& expansion, const Flow& flow, double stream) {
    Configuration result;
    result.sizes = sizes(flow.axes);
    for (const auto& [letter, size] : {std::pair<const char*, double>{"w_", 128}, {"t_", 1}, {"g_", 128}})
        result.sizes[letter + expansion.rows] = size;
    for (const Axis& axis : flow.axes) {
        if (axis.name == expansion.stream || axis.name == expansion.inner)
            for (const char* letter : {"s_", "u_"})
                result.sizes[letter + axis.name] = std::min(stream, static_cast<double>(axis.size));
        const std::string symbol = axis.symbol.empty() ? axis.name : axis.symbol;
        const auto size = static_cast<double>(axis.size);
        result.sizes[symbol + "′"] = std::max(1.0, size / 4);
        result.sizes[symbol + "″"] = std::max(1.0, size / 16);
    }
    for (const Variable& variable : expansion.variables) result.elems[variable.name] = variable.elem;
    return result;
}

double bytes_of(const Variable& variable, const Configuration& configuration) {
    return variable.values.value(configuration.sizes) * bytes_per_element(configuration.elem(variable));
}

Result<std::vector<LevelUse>> level_uses(const Expansion& expansion, const Configuration& configuration,
                                         const Device& device) {
    const MemoryLevel* shared = first_level(device, LevelRole::Shared);
    const MemoryLevel* registers = first_level(device, LevelRole::Registers);
    if (!shared || !registers)
        return Problem{{}, Text("%1 has no shared memory or no registers; expected a GPU", device.name)};
    const auto& limit = shared->block_capacity.known() ? shared->block_capacity : shared->capacity;
    std::vector<LevelUse> uses = {{shared->name, limit.value, 0, 0},
                                  {registers->name, registers->capacity.value, 0, 0}};
    for (const Variable& variable : expansion.variables) {
        LevelUse& use = uses[variable.place == Tier::Shared ? 0 : 1];
        (variable.per_warpgroup ? use.per_warpgroup : use.per_block) += bytes_of(variable, configuration);
    }
    return uses;
}

int warpgroups(const std::vector<LevelUse>& uses) {
    double least = HUGE_VAL;
    for (const LevelUse& use : uses) least = std::min(least, use.warpgroups());
    return least < 0 || !std::isfinite(least) ? 0 : static_cast<int>(least);
}

namespace {

// The largest matrix instruction for a type: that of the most rows.
const MatrixTile* tile_for(const Device& device, ElemType elem) {
    const MatrixTile* best = nullptr;
    for (const MatrixTile& tile : device.tiles)
        if (tile.elem == elem && (!best || tile.rows > best->rows)) best = &tile;
    return best;
}

const Variable* variable_of(const Expansion& expansion, const std::string& name) {
    for (const Variable& variable : expansion.variables)
        if (variable.name == name) return &variable;
    return nullptr;
}

void matrix_divisors(const Expansion& expansion, const Flow& flow, const Expansion::Operation& operation,
                     const Configuration& configuration, const Device& device, std::vector<Divisor>& result) {
    ElemType elem = ElemType::E4M3;
    for (const std::string& name : operation.operands)
        if (const Variable* variable = variable_of(expansion, name))
            if (bytes_per_element(configuration.elem(*variable)) > bytes_per_element(elem))
                elem = configuration.elem(*variable);
    const MatrixTile* tile = tile_for(device, elem);
    if (!tile) return;
    const FlowOp& op = flow.ops.at(static_cast<std::size_t>(operation.op));
    const Apply& apply = op.apply;
    // An instruction multiplies the rows that threads share by the columns of the other operand; what both
    // operands have (a batch, heads), and other rows of the same operand, are further products.
    const auto operand_has = [&](std::size_t input, const AxisId& axis) {
        const std::vector<AxisId>& axes =
            flow.arrays.at(static_cast<std::size_t>(op.inputs.at(input))).type.axes;
        return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    const std::size_t left = std::any_of(apply.weave.begin(), apply.weave.end(), [&](const AxisId& axis) {
        return axis_of(flow.axes, axis).name == expansion.rows && operand_has(1, axis);
    });
    const auto symbol = [&](AxisId axis, bool inner) {
        const std::string& name = axis_of(flow.axes, axis).name;
        if (name == expansion.rows) return "w_" + name;
        if (name == expansion.stream || name == expansion.inner) return (inner ? "u_" : "s_") + name;
        return extent(flow.axes, axis).text();
    };
    result.push_back(
        {symbol(apply.own.at(0), true), tile->depth, Text("%1 of %2", tile->instruction, operation.name)});
    for (const AxisId axis : apply.weave) {
        const bool rows = axis_of(flow.axes, axis).name == expansion.rows;
        if (!rows && (operand_has(left, axis) || !operand_has(1 - left, axis))) continue;
        result.push_back({symbol(axis, false), rows ? tile->rows : tile->cols,
                          Text("%1 of %2", tile->instruction, operation.name)});
    }
}

}  // namespace

std::vector<Divisor> divisors(const Expansion& expansion, const Flow& flow,
                              const Configuration& configuration, const Device& device) {
    std::vector<Divisor> all;
    if (device.limits.threads_per_warp.known()) {
        const auto threads = static_cast<std::int64_t>(4 * device.limits.threads_per_warp.value);
        all.push_back({"w_" + expansion.rows, threads, Text("a warpgroup has %1 threads", threads)});
    }
    for (const Variable& variable : expansion.variables) {
        if (variable.role != "input" || variable.axes.empty() || !device.line.known()) continue;
        const auto by =
            static_cast<std::int64_t>(device.line.value) / bytes_per_element(configuration.elem(variable));
        all.push_back({variable.axes.back(), by, Text("coalesced transfer of %1", variable.name)});
    }
    for (const Expansion::Operation& operation : expansion.operations)
        if (operation.unit == Unit::Matrix)
            matrix_divisors(expansion, flow, operation, configuration, device, all);
    std::vector<Divisor> merged;
    for (const Divisor& divisor : all) {
        const auto same = std::find_if(merged.begin(), merged.end(),
                                       [&](const Divisor& one) { return one.symbol == divisor.symbol; });
        if (same == merged.end()) {
            merged.push_back(divisor);
        } else if (const std::int64_t common = std::lcm(same->by, divisor.by); common != same->by) {
            same->by = common;
            same->because = Text("%1; %2", same->because, divisor.because);
        }
    }
    return merged;
}

std::vector<Text> broken_divisors(const std::vector<Divisor>& divisors, const Configuration& configuration) {
    std::vector<Text> sentences;
    for (const Divisor& divisor : divisors) {
        const auto found = configuration.sizes.find(divisor.symbol);
        if (found == configuration.sizes.end()) continue;
        if (std::fmod(found->second, static_cast<double>(divisor.by)) != 0)
            sentences.push_back(Text("%1 = %2 does not divide by %3 (%4).", divisor.symbol,
                                     number_text(found->second), divisor.by, divisor.because));
    }
    return sentences;
}

}  // namespace blockscope::circuit
