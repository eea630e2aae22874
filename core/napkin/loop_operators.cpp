// Loops being written: operators in the head, the loop, the sub-loop and the tail.
#include <algorithm>

#include "core/napkin/loop_writer.h"

namespace blockscope::circuit {

namespace {

bool loops_over(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace

bool LoopWriter::along(const FlowOp& op, const Stream& stream) const {
    return loops_over(op.apply.own, stream.axis()) || loops_over(op.apply.weave, stream.axis());
}

bool LoopWriter::streamed_by(int value, const Stream& stream) const {
    return loops_over(values_.at(static_cast<std::size_t>(value)).type.axes, stream.axis());
}

bool LoopWriter::streamed(int value) const {
    return std::any_of(streams_.begin(), streams_.end(),
                       [&](const Stream& stream) { return streamed_by(value, stream); });
}

bool LoopWriter::accumulates(int op) const {
    const std::vector<int>& list = now().verdict.accumulators;
    return std::find(list.begin(), list.end(), op) != list.end();
}

bool LoopWriter::is_late(const FlowOp& op) const {
    return std::any_of(op.inputs.begin(), op.inputs.end(), [&](int input) { return late_.count(input) > 0; });
}

int LoopWriter::tier(const FlowOp& op) const {
    return op.apply.op.kind == OperatorKind::Contraction ? hierarchy_.matrix : hierarchy_.threads;
}

// Products that only prepare what is accumulated (E of Figure 16) take a whole part of the stream. Everything
// else belongs to the accumulator (B), which can stream that part again in smaller parts.
LoopWriter::Depth LoopWriter::depth_of(int i) const {
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    if (!along(op, now())) return kAround;
    const bool prepares = op.apply.op.kind == OperatorKind::Contraction && !accumulates(i) && !is_late(op);
    return prepares ? now().loop : now().sub;
}

// The operators of the inner stream, and what they take.
std::vector<int> LoopWriter::before_inner() const {
    std::vector<int> ops;
    std::set<int> wanted;  // arrays
    for (int i = static_cast<int>(flow_.ops.size()) - 1; i >= 0; --i) {
        const FlowOp& op = flow_.ops[static_cast<std::size_t>(i)];
        const bool taken = std::any_of(op.outputs.begin(), op.outputs.end(),
                                       [&](int output) { return wanted.count(output) > 0; });
        if (!taken && !along(op, streams_[1])) continue;
        wanted.insert(op.inputs.begin(), op.inputs.end());
        ops.insert(ops.begin(), i);
    }
    return ops;
}

// Writes the operators of the stream, and of what stands around it, that do not need its end; those that do
// are added to `tail`.
void LoopWriter::write(const std::vector<int>& ops, std::vector<int>& tail) {
    for (const int i : ops) {
        const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
        if (along(op, now()) || !is_late(op)) {
            operate(i, depth_of(i));
            continue;
        }
        late_.insert(op.outputs.begin(), op.outputs.end());
        tail.push_back(i);
    }
}

// The loop that is being written is complete: its results are there, scaled, where it stands.
void LoopWriter::close() {
    const Stream& stream = now();
    if (!scope(stream.sub).results.empty())
        scope(stream.loop).steps.push_back(closed(stream.sub, stream.part, stream.sub_part));
    scope(stream.head).steps.push_back(closed(stream.loop, stream.axis(), stream.part));
    finish();
    late_.clear();
    norm_of_.clear();
    to_scale_.clear();
    to_divide_.clear();
}

Apply LoopWriter::at_depth(const FlowOp& op, Depth depth) const {
    Apply made = op.apply;
    made.own = axes_at(std::move(made.own), depth);
    made.weave = axes_at(std::move(made.weave), depth);
    for (std::vector<Segment>* segments : {&made.inputs, &made.outputs})
        for (Segment& segment : *segments) segment.level = tier(op), segment.cached = false;
    return made;
}

int LoopWriter::put(Step step, Depth depth) {
    const int made = step.outputs.front();
    scope(depth).steps.push_back(std::move(step));
    return made;
}

void LoopWriter::operate(int i, Depth depth) {
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    const OperatorKind kind = op.apply.op.kind;
    if (depth == now().sub) late_.insert(op.outputs.begin(), op.outputs.end());
    for (const int input : op.inputs)
        if (norm_of_.count(input) > 0 && depth == now().sub) norm_of_[op.outputs.at(0)] = norm_of_[input];
    const bool along = loops_over(op.apply.own, now().axis());
    if (kind == OperatorKind::Contraction) return contract(i, depth);
    if (along && diagram_operator(kind).normalises) return normalise(i);
    if (along && accumulates(i)) return add_up(i);
    Step step{circuit::apply(at_depth(op, depth)), {}, {}};
    for (const int input : op.inputs) step.inputs.push_back(fetch(input, tier(op), depth));
    for (const int output : op.outputs) {
        step.outputs.push_back(array(output, tier(op), depth));
        scope(depth).there[{output, tier(op)}] = step.outputs.back();
    }
    scope(depth).steps.push_back(std::move(step));
}

// Table 4's auxiliary softmax, and norms in the same way: a step takes a part of the row, and gives it back
// unscaled with what is kept of the row brought up to date.
void LoopWriter::normalise(int i) {
    const Depth sub = now().sub;
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    const int out = op.outputs.at(0);
    const KeptNumbers& kept = diagram_operator(op.apply.op.kind).kept;
    Axis numbers_axis;
    numbers_axis.size = kept.count;
    axes_.push_back(numbers_axis);
    const AxisId count{static_cast<int>(axes_.size()) - 1};
    std::vector<AxisId> axes = op.apply.weave;
    axes.insert(axes.begin(), count);
    kept_[i] = value("α", std::move(axes), values_.at(static_cast<std::size_t>(out)).type.elem);
    const int level = hierarchy_.threads;
    const Carried carried = begin(kept_[i], level, kept.first);

    Apply apply = at_depth(op, sub);
    apply.op = {OperatorKind::Custom, kept.glyph};
    const int own = static_cast<int>(apply.own.size());
    apply.own.push_back(count);
    Segment numbers{.slots = {{true, own}},
                    .elem = values_[static_cast<std::size_t>(kept_[i])].type.elem,
                    .level = level,
                    .cached = false,
                    .name = "α"};
    for (int w = 0; w < static_cast<int>(apply.weave.size()); ++w) numbers.slots.push_back({false, w});
    apply.inputs.push_back(numbers);
    apply.outputs.push_back(numbers);
    Step step{nullptr, {}, {array(out, level, sub), array(kept_[i], level, sub)}};
    for (const int input : op.inputs) step.inputs.push_back(fetch(input, level, sub));
    step.inputs.push_back(carried.array);
    step.term = circuit::apply(std::move(apply));
    scope(sub).there[{out, level}] = step.outputs[0];
    kept_now_[i] = step.outputs[1];
    norm_of_[out] = i;
    scope(sub).steps.push_back(std::move(step));
    end(carried, kept_now_[i]);
}

// A sum or a maximum, added to what it was so far.
void LoopWriter::add_up(int i) {
    const Depth sub = now().sub;
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    const int out = op.outputs.at(0);
    const bool most = op.apply.op.kind == OperatorKind::Max;
    const int level = hierarchy_.threads;
    const Carried carried = begin(out, level, most ? "−∞" : "0");
    Apply apply = at_depth(op, sub);
    // A mean is streamed as a sum, which is divided in the tail.
    if (apply.op.kind == OperatorKind::Mean) {
        apply.op = {OperatorKind::Sum, "Σ"};
        to_divide_.push_back(out);
    }
    const int more = array(out, level, sub);
    scope(sub).steps.push_back(
        {circuit::apply(std::move(apply)), {fetch(op.inputs.at(0), level, sub)}, {more}});
    Step add = named({.kind = OperatorKind::Elementwise,
                      .label = most ? "max" : "+",
                      .takes = {{out, carried.array}, {out, more}},
                      .makes = out,
                      .level = level},
                     sub);
    end(carried, put(std::move(add), sub));
}

// ---- multiply-adds ----

// A box with a dotted rim: its multiply-add can be split along any axis (Section 5.2).
int LoopWriter::split_box(std::vector<Step> steps, std::vector<int> inputs, int output, Depth depth) {
    Block box{"", BlockStyle::Split, "", arrange(types_, std::move(steps), inputs, {output})};
    return put({block(std::move(box)), std::move(inputs), {output}}, depth);
}

void LoopWriter::contract(int i, Depth depth) {
    if (accumulates(i)) return accumulate(i);
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    const int out = op.outputs.at(0);
    const int level = hierarchy_.matrix;
    std::vector<int> inputs;
    for (const int input : op.inputs) inputs.push_back(fetch(input, level, depth));
    const int made = array(out, level, depth);
    scope(depth).there[{out, level}] = made;
    split_box({{circuit::apply(at_depth(op, depth)), inputs, {made}}}, inputs, made, depth);
}

void LoopWriter::accumulate(int i) {
    const Depth sub = now().sub;
    const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
    const int out = op.outputs.at(0);
    const FlowArray result = values_.at(static_cast<std::size_t>(out));
    const auto norm = norm_of_.find(out);
    const bool scaled =
        norm != norm_of_.end() &&
        flow_.ops.at(static_cast<std::size_t>(norm->second)).apply.op.kind == OperatorKind::Softmax;
    if (norm != norm_of_.end()) to_scale_.emplace_back(out, norm->second);
    const int matrix = hierarchy_.matrix;
    std::vector<int> inputs;
    for (const int input : op.inputs) inputs.push_back(fetch(input, matrix, sub));
    const Carried carried = begin(out, scaled ? hierarchy_.threads : matrix, "0");
    const int more = value("Δ" + result.name, result.type.axes, result.type.elem);
    const int product = array(more, matrix, sub);
    std::vector<Step> steps = {{circuit::apply(at_depth(op, sub)), inputs, {product}}};
    if (!scaled) {
        steps.push_back(named({.kind = OperatorKind::Elementwise,
                               .label = "+",
                               .takes = {{out, carried.array}, {more, product}},
                               .makes = out,
                               .level = matrix},
                              sub));
        const int made = steps.back().outputs.front();
        inputs.push_back(carried.array);
        end(carried, split_box(std::move(steps), std::move(inputs), made, sub));
        return;
    }
    scope(sub).there[{more, matrix}] = product;
    split_box(std::move(steps), std::move(inputs), product, sub);
    const int kept = kept_.at(norm->second);
    const std::string label = "δ" + result.name + " + Δ" + result.name;
    Step add = named({.kind = OperatorKind::Custom,
                      .label = label,
                      .takes = {{out, carried.array},
                                {kept, kept_now_.at(norm->second)},
                                {more, fetch(more, hierarchy_.threads, sub)}},
                      .makes = out,
                      .level = hierarchy_.threads},
                     sub);
    end(carried, put(std::move(add), sub));
}

// ---- what is only named ----

Step LoopWriter::named(const Named& what, Depth depth) {
    Apply apply;
    apply.op = {what.kind, what.label};
    const std::vector<AxisId> result = values_.at(static_cast<std::size_t>(what.makes)).type.axes;
    apply.weave = axes_at(result, depth);
    const auto segment = [&](int value) {
        const FlowArray& of = values_.at(static_cast<std::size_t>(value));
        Segment made{
            .slots = {}, .elem = of.type.elem, .level = what.level, .cached = false, .name = of.name};
        for (const AxisId axis : of.type.axes) {
            const auto weaved = std::find(result.begin(), result.end(), axis);
            if (weaved != result.end()) {
                made.slots.push_back({false, static_cast<int>(weaved - result.begin())});
                continue;
            }
            made.slots.push_back({true, static_cast<int>(apply.own.size())});
            apply.own.push_back(axes_at({axis}, depth).front());
        }
        return made;
    };
    Step step;
    for (const auto& [value, number] : what.takes) {
        apply.inputs.push_back(segment(value));
        step.inputs.push_back(number);
    }
    apply.outputs = {segment(what.makes)};
    step.outputs = {array(what.makes, what.level, depth)};
    step.term = circuit::apply(std::move(apply));
    return step;
}

// ---- the tail ----

void LoopWriter::scale_at_the_end(int value, int norm) {
    const int level = hierarchy_.threads;
    const Depth head = now().head;
    const OperatorKind kind = flow_.ops.at(static_cast<std::size_t>(norm)).apply.op.kind;
    const int kept = kept_.at(norm);
    const int from = fetch(value, level, head);
    Step step = named({.kind = OperatorKind::Custom,
                       .label = diagram_operator(kind).kept.at_last,
                       .takes = {{value, from}, {kept, fetch(kept, level, head)}},
                       .makes = value,
                       .level = level},
                      head);
    auto& there = scope(head).there;
    std::erase_if(there, [&](const auto& entry) { return entry.first.first == value; });
    there[{value, level}] = put(std::move(step), head);
}

void LoopWriter::finish() {
    for (const auto& [value, norm] : to_scale_) scale_at_the_end(value, norm);
    for (const int value : to_divide_) {
        const int level = hierarchy_.threads;
        const Depth head = now().head;
        const std::string by = "/ " + axis_of(flow_.axes, now().axis()).name;
        Step step = named({.kind = OperatorKind::Elementwise,
                           .label = by,
                           .takes = {{value, fetch(value, level, head)}},
                           .makes = value,
                           .level = level},
                          head);
        scope(head).there[{value, level}] = put(std::move(step), head);
    }
}

}  // namespace blockscope::circuit
