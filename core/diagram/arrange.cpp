#include "core/diagram/arrange.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

constexpr std::size_t kMostInputWires = 9;  // as the layout has it

bool contains(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

class Arranger {
public:
    Arranger(const std::vector<ArrayType>& types, std::vector<Step> steps, std::vector<int> outputs)
        : types_(types), steps_(std::move(steps)), outputs_(std::move(outputs)) {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            for (const int input : steps_[i].inputs) last_taken_[input] = i;
    }

    TermPtr run(const std::vector<int>& inputs) {
        alive_ = inputs;
        for (std::size_t i = 0; i < steps_.size(); ++i) column(i);
        std::vector<int> take;
        for (const int output : outputs_) take.push_back(place(output));
        move(take);
        if (parts_.empty()) return identity(tuple(alive_));
        return compose(std::move(parts_));
    }

    // Between columns, after run().
    std::size_t crossings() const { return crossings_; }

private:
    Tuple tuple(const std::vector<int>& arrays) const {
        Tuple result;
        for (const int array : arrays) result.push_back(types_.at(at(array)));
        return result;
    }

    int place(int array) const {
        const auto found = std::find(alive_.begin(), alive_.end(), array);
        if (found == alive_.end()) throw InternalError("array " + std::to_string(array) + " is not there");
        return static_cast<int>(found - alive_.begin());
    }

    std::size_t wires(int array) const { return types_.at(at(array)).axes.size(); }

    bool alive(int array) const { return contains(alive_, array); }

    bool needed_after(int array, std::size_t step) const {
        const auto last = last_taken_.find(array);
        return (last != last_taken_.end() && last->second > step) || contains(outputs_, array);
    }

    void move(const std::vector<int>& take) {
        TermPtr moved = rearrange(tuple(alive_), take);
        std::vector<int> next;
        for (const int i : take) next.push_back(alive_[at(i)]);
        for (std::size_t lower = 0; lower < take.size(); ++lower)
            for (std::size_t upper = 0; upper < lower; ++upper)
                if (take[upper] > take[lower]) crossings_ += wires(next[upper]) * wires(next[lower]);
        if (!is_identity(*moved->as<Rearrange>())) parts_.push_back(std::move(moved));
        alive_ = std::move(next);
    }

    // Contractions, sums and products of two arrays take them in the order in which they stand.
    void order_operands(Step& step) const {
        const Apply* found = step.term->as<Apply>();
        if (!found || found->inputs.size() != 2) return;
        const bool commutes =
            found->op.kind == OperatorKind::Contraction || found->op.label == "+" || found->op.label == "×";
        if (!commutes || place(step.inputs[0]) <= place(step.inputs[1])) return;
        Apply swapped = *found;
        std::swap(swapped.inputs[0], swapped.inputs[1]);
        std::swap(step.inputs[0], step.inputs[1]);
        step.term = apply(std::move(swapped));
    }

    // The operand with the most wires stays where it is.
    int pivot(const Step& step) const {
        int best = place(step.inputs[0]);
        for (const int input : step.inputs)
            if (types_[at(input)].axes.size() > types_[at(alive_[at(best)])].axes.size()) best = place(input);
        return best;
    }

    // Where an array that comes from nowhere is wanted: beside what it meets next.
    int source_place(std::size_t i) const {
        for (std::size_t later = i + 1; later < steps_.size(); ++later) {
            const std::vector<int>& inputs = steps_[later].inputs;
            const auto mine = std::find(inputs.begin(), inputs.end(), steps_[i].outputs[0]);
            if (mine == inputs.end()) continue;
            for (auto before = mine; before != inputs.begin();)
                if (alive(*--before)) return place(*before) + 1;
            for (auto after = mine; after != inputs.end(); ++after)
                if (alive(*after)) return place(*after);
            return static_cast<int>(alive_.size());
        }
        return static_cast<int>(alive_.size());
    }

    // Where an array stands, or what it will be made of after step i; -1: nowhere yet.
    int place_later(int array, std::size_t i) const {
        if (alive(array)) return place(array);
        for (std::size_t later = i + 1; later < steps_.size(); ++later)
            if (contains(steps_[later].outputs, array))
                return steps_[later].inputs.size() == 1 ? place_later(steps_[later].inputs[0], i) : -1;
        return -1;
    }

    // Whether the kept copy of an operand should stand below the operator: what it meets next does.
    bool kept_below(int array, std::size_t i, int pivot_place) const {
        for (std::size_t later = i + 1; later < steps_.size(); ++later) {
            if (!contains(steps_[later].inputs, array)) continue;
            return std::any_of(steps_[later].inputs.begin(), steps_[later].inputs.end(), [&](int input) {
                return input != array && place_later(input, i) > pivot_place;
            });
        }
        return false;
    }

    void column(std::size_t i) {
        for (const int input : steps_[i].inputs)
            if (!alive(input)) throw InternalError("array " + std::to_string(input) + " is not there yet");
        order_operands(steps_[i]);
        const Step& step = steps_[i];
        const int at_place = step.inputs.empty() ? source_place(i) : pivot(step);
        std::vector<int> before;
        std::vector<int> after;
        for (int p = 0; p < static_cast<int>(alive_.size()); ++p) {
            const int array = alive_[at(p)];
            if (!needed_after(array, i)) continue;
            const bool here = p == at_place && !step.inputs.empty();
            const bool below = here ? kept_below(array, i, at_place) : p >= at_place;
            (below ? after : before).push_back(p);
        }
        std::vector<int> take = before;
        for (const int input : step.inputs) take.push_back(place(input));
        take.insert(take.end(), after.begin(), after.end());
        move(take);
        put(step, before.size(), after.size());
    }

    void put(const Step& step, std::size_t before, std::size_t after) {
        const auto split = alive_.begin() + static_cast<std::ptrdiff_t>(before);
        const std::vector<int> above(alive_.begin(), split);
        const std::vector<int> below(alive_.end() - static_cast<std::ptrdiff_t>(after), alive_.end());
        std::vector<TermPtr> beside;
        if (!above.empty()) beside.push_back(past(above, above_));
        beside.push_back(step.term);
        if (!below.empty()) beside.push_back(past(below, below_));
        parts_.push_back(product(std::move(beside)));
        alive_ = above;
        alive_.insert(alive_.end(), step.outputs.begin(), step.outputs.end());
        alive_.insert(alive_.end(), below.begin(), below.end());
    }

    // What runs past an operator mostly runs past the next one, too: one term for both, as large programs
    // have hundreds of arrays there.
    struct Past {
        std::vector<int> arrays;
        TermPtr term;
    };
    TermPtr past(const std::vector<int>& arrays, Past& last) const {
        if (last.arrays != arrays) last = {arrays, identity(tuple(arrays))};
        return last.term;
    }

    const std::vector<ArrayType>& types_;
    std::vector<Step> steps_;
    std::map<int, std::size_t> last_taken_;  // by array: the last step that takes it
    std::vector<int> outputs_;
    std::vector<int> alive_;
    Past above_, below_;
    std::vector<TermPtr> parts_;
    std::size_t crossings_ = 0;
};

// What comes from nowhere (a mask, the first value of an accumulator) right before it is used first.
std::vector<Step> with_late_sources(const std::vector<Step>& steps) {
    std::vector<Step> waiting, result;
    for (const Step& step : steps) {
        for (auto source = waiting.begin(); source != waiting.end();) {
            const bool used = std::any_of(source->outputs.begin(), source->outputs.end(),
                                          [&](int made) { return contains(step.inputs, made); });
            if (used) result.push_back(*source);
            source = used ? waiting.erase(source) : source + 1;
        }
        (step.inputs.empty() ? waiting : result).push_back(step);
    }
    result.insert(result.end(), waiting.begin(), waiting.end());
    return result;
}

// Groups of operators first .. last as blocks, recursively.
class Blocks {
public:
    explicit Blocks(const Flow& flow) : flow_(flow) {
        for (const FlowArray& array : flow.arrays) types_.push_back(array.type);
        for (const int input : flow.inputs) input_wires_ += types_[at(input)].axes.size();
    }

    TermPtr run() {
        return arranged(steps(0, static_cast<int>(flow_.ops.size()) - 1, -1), flow_.inputs, flow_.outputs);
    }

private:
    // Sources wait for the wires of inputs that stand there from the left rim on, not for those that begin
    // where they are used, or that the layout leaves where they are made.
    TermPtr arranged(std::vector<Step> steps, const std::vector<int>& inputs,
                     const std::vector<int>& outputs) const {
        const bool from_rim = input_wires_ <= kMostInputWires &&
                              std::all_of(inputs.begin(), inputs.end(),
                                          [&](int input) { return contains(flow_.inputs, input); });
        if (from_rim) return arrange(types_, std::move(steps), inputs, outputs);
        return Arranger(types_, std::move(steps), outputs).run(inputs);
    }

    std::vector<Step> steps(int first, int last, int inside) {
        std::vector<Step> result;
        for (int i = first; i <= last;) {
            const int group = outermost(i, last, inside);
            if (group < 0) {
                const FlowOp& op = flow_.ops[at(i)];
                result.push_back({apply(op.apply), op.inputs, op.outputs});
                ++i;
                continue;
            }
            result.push_back(block_step(group));
            i = flow_.groups[at(group)].last + 1;
        }
        return result;
    }

    // The first group after `inside` that begins at operator i and ends by `last`; outer ones come first.
    int outermost(int i, int last, int inside) const {
        for (int g = inside + 1; g < static_cast<int>(flow_.groups.size()); ++g)
            if (flow_.groups[at(g)].first == i && flow_.groups[at(g)].last <= last) return g;
        return -1;
    }

    Step block_step(int g) {
        const FlowGroup& group = flow_.groups[at(g)];
        std::vector<int> inputs;
        std::vector<int> made;
        for (int i = group.first; i <= group.last; ++i) {
            const FlowOp& op = flow_.ops[at(i)];
            for (const int input : op.inputs)
                if (!contains(made, input) && !contains(inputs, input)) inputs.push_back(input);
            made.insert(made.end(), op.outputs.begin(), op.outputs.end());
        }
        std::vector<int> outputs;
        for (const int array : made)
            if (used_outside(array, group)) outputs.push_back(array);
        Block what{group.title, BlockStyle::Group, "", nullptr};
        what.body = arranged(steps(group.first, group.last, g), inputs, outputs);
        return {block(std::move(what)), inputs, outputs};
    }

    bool used_outside(int array, const FlowGroup& group) const {
        for (int i = group.last + 1; i < static_cast<int>(flow_.ops.size()); ++i)
            if (contains(flow_.ops[at(i)].inputs, array)) return true;
        return contains(flow_.outputs, array);
    }

    const Flow& flow_;
    std::vector<ArrayType> types_;
    std::size_t input_wires_ = 0;
};

}  // namespace

TermPtr arrange(const std::vector<ArrayType>& types, std::vector<Step> steps, const std::vector<int>& inputs,
                const std::vector<int>& outputs) {
    // Where sources stand late their wires do not cross those of what happens before, unless what comes then
    // stands worse.
    const bool sources =
        std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.inputs.empty(); });
    Arranger late(types, sources ? with_late_sources(steps) : std::vector<Step>{}, outputs);
    Arranger early(types, std::move(steps), outputs);
    TermPtr arranged = early.run(inputs);
    if (!sources || early.crossings() == 0) return arranged;
    TermPtr other = late.run(inputs);
    return late.crossings() < early.crossings() ? other : arranged;
}

Circuit circuit_of(const Flow& flow) {
    Circuit circuit{.axes = flow.axes,
                    .root = Blocks(flow).run(),
                    .inputs = {},
                    .outputs = flow.output_names,
                    .lowest_level = 0};
    for (const int input : flow.inputs) circuit.inputs.push_back(flow.arrays[at(input)].name);
    return circuit;
}

Circuit repeated(const Circuit& circuit, const std::string& title, const std::string& count) {
    if (circuit.root->domain.empty() || circuit.root->codomain.empty() ||
        circuit.root->domain[0] != circuit.root->codomain[0])
        throw InternalError("a repeated block has to give what it takes");
    Circuit result = circuit;
    result.root = block({title, BlockStyle::Repeat, count, circuit.root});
    return result;
}

}  // namespace blockscope::circuit
