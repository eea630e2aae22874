#include "core/napkin/correspond.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/diagram/arrange.h"
#include "core/diagram/term.h"

namespace blockscope::circuit {

namespace {

using Wires = std::set<ProgramWire>;
using StatePart = StateAlgorithm::Part;

Problem not_one(const Text& what) {
    return {{}, Text("found %1; expected one algorithm of groups and streams", what)};
}

bool includes(const Wires& all, const Wires& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// What splits the executions of a diagram, outermost first.
std::vector<StatePart> parts_in(const Circuit& circuit, const Columns& columns, const StateWires& wires) {
    std::map<const Partition*, std::size_t> around;  // how many executions
    for (const Execution& execution : columns.executions)
        for (const Partition* partition : execution.around) ++around[partition];
    std::vector<StatePart> groups, others;
    std::set<const Partition*> seen;
    for (const Execution& execution : columns.executions) {
        bool streamed = false;
        for (const Partition* partition : execution.around) {
            const bool group = partition->kind == PartitionKind::Group;
            const bool inner = group ? around[partition] < columns.executions.size() : streamed;
            streamed = streamed || !group;
            if (!seen.insert(partition).second) continue;
            (group && !inner ? groups : others)
                .push_back({.axis = axis_of(circuit.axes, partition->whole).name,
                            .kind = partition->kind,
                            .size = axis_of(circuit.axes, partition->part).size,
                            .inner = inner,
                            .wires = wires.split.at(partition)});
        }
    }
    groups.insert(groups.end(), others.begin(), others.end());
    return groups;
}

Formula moved_by(const Resources& resources, const std::set<const Apply*>& transfers) {
    Formula sum;
    for (const TransferCost& transfer : resources.transfers)
        if (transfers.count(transfer.apply) > 0) sum += transfer.total;
    return sum;
}

// "intermediate results that go through global memory (I1, I2)"
Text stored_text(const std::vector<StateAlgorithm::Stored>& stored) {
    std::string names;
    for (const StateAlgorithm::Stored& one : stored) names += (names.empty() ? "" : ", ") + one.name;
    return stored.size() == 1 ? Text("an intermediate result that goes through global memory (%1)", names)
                              : Text("intermediate results that go through global memory (%1)", names);
}

std::map<AxisId, Wires> wires_of(const Flow& flow) {
    std::map<AxisId, Wires> wires;
    const auto add = [&](int array, const std::string& name) {
        const std::vector<AxisId>& axes = flow.arrays.at(static_cast<std::size_t>(array)).type.axes;
        std::map<std::string, int> along;
        for (const AxisId id : axes) {
            const Axis& axis = axis_of(flow.axes, id);
            const std::string& dim = axis.symbol.empty() ? axis.name : axis.symbol;
            wires[id].insert({name, dim, along[dim]++});
        }
    };
    for (const int input : flow.inputs) add(input, flow.arrays.at(static_cast<std::size_t>(input)).name);
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) add(flow.outputs[i], flow.output_names.at(i));
    return wires;
}

// The axis that a loop splits: it has just the loop's wires, or it alone has all of them.
std::optional<AxisId> axis_for(const std::map<AxisId, Wires>& axes, const Wires& loop) {
    std::optional<AxisId> found;
    if (loop.empty()) return found;
    for (const auto& [axis, wires] : axes) {
        if (wires == loop) return axis;
        if (!includes(wires, loop)) continue;
        if (found) return std::nullopt;
        found = axis;
    }
    return found;
}

// The smallest loop that has all of these wires, of several alike the one that has least so far.
std::optional<std::size_t> loop_for(const std::vector<const StatePart*>& loops, const std::vector<int>& load,
                                    const Wires& wires) {
    std::optional<std::size_t> best;
    for (std::size_t l = 0; l < loops.size(); ++l) {
        if (!includes(loops[l]->wires, wires)) continue;
        const auto rank = [&](std::size_t i) { return std::pair(loops[i]->wires.size(), load[i]); };
        if (!best || rank(l) < rank(*best)) best = l;
    }
    return best;
}

// The flow with a copy of its inputs for each of several loops along one axis. With a copy for every use,
// the axis falls apart into what each use is connected with, which says in which loop it is.
Result<Flow> apart(const Flow& whole, AxisId axis, const std::vector<const StatePart*>& loops) {
    const Flow flow = in_two_passes(whole, axis);
    const std::vector<InputUse> uses = input_uses(flow, axis);
    std::vector<int> copies;
    for (std::size_t u = 0; u < uses.size(); ++u) copies.push_back(static_cast<int>(u));
    const Flow copied = separated(with_copies(flow, uses, copies));
    const std::map<AxisId, Wires> wires = wires_of(copied);
    std::vector<int> load(loops.size(), 0);
    std::vector<int> loop_of;
    for (const InputUse& use : uses) {
        const FlowOp& op = copied.ops.at(static_cast<std::size_t>(use.op));
        const FlowArray& array = copied.arrays.at(static_cast<std::size_t>(op.inputs.at(use.input)));
        const int input = flow.ops.at(static_cast<std::size_t>(use.op)).inputs.at(use.input);
        const std::vector<AxisId>& axes = flow.arrays.at(static_cast<std::size_t>(input)).type.axes;
        const auto place = std::find(axes.begin(), axes.end(), axis) - axes.begin();
        const AxisId own = array.type.axes.at(static_cast<std::size_t>(place));
        const std::optional<std::size_t> loop = loop_for(loops, load, wires.at(own));
        if (!loop) return not_one(Text("loops along %1 that share an operator", loops.front()->axis));
        ++load[*loop];
        loop_of.push_back(static_cast<int>(*loop));
    }
    return with_copies(flow, uses, loop_of);
}

}  // namespace

Result<StateAlgorithm> algorithm_of(const BlockProgram& state) {
    Result<Circuit> circuit = circuit_of(state, LoadPlacement::Hoisted);
    if (!circuit) return circuit.problems();
    StateAlgorithm made{std::move(circuit).value(), {}, {}};
    const StateWires wires = state_wires(state, made.circuit);
    made.resources = resources(made.circuit);
    made.parts = parts_in(made.circuit, made.resources.columns, wires);
    for (const StateWires::Stored& stored : wires.stored)
        made.stored.push_back({stored.name, moved_by(made.resources, stored.transfers)});
    return made;
}

Result<PlannedAlgorithm> algorithm_of(const Flow& flow, const Plan& plan) {
    std::vector<AxisId> streamed;
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Stream) streamed.push_back(part.axis);
    Result<Circuit> circuit = fused(with_accumulators(flow, streamed), plan);
    if (!circuit) return circuit.problems();
    PlannedAlgorithm made{std::move(circuit).value(), {}};
    made.resources = resources(made.circuit);
    return made;
}

Result<SplitAlike> split_alike(const Flow& whole, const StateAlgorithm& state) {
    const Flow flow = state.stored.empty() ? whole : separated(with_stored_exponentials(whole));
    if (flow.stored.size() != state.stored.size()) return not_one(stored_text(state.stored));
    std::map<AxisId, std::vector<const StatePart*>> loops;
    const std::map<AxisId, Wires> known = wires_of(flow);
    for (const StatePart& part : state.parts) {
        const std::optional<AxisId> axis = axis_for(known, part.wires);
        if (!axis) return not_one(Text("a loop along %1", part.axis));
        loops[*axis].push_back(&part);
    }
    SplitAlike made{flow, {}};
    for (const auto& [axis, along] : loops) {
        if (along.size() == 1) continue;
        Result<Flow> copied = apart(made.flow, axis, along);
        if (!copied) return copied.problems();
        made.flow = std::move(copied).value();
    }
    made.flow = separated(made.flow);
    const std::map<AxisId, Wires> now = wires_of(made.flow);
    for (const StatePart& part : state.parts) {
        const std::optional<AxisId> axis = axis_for(now, part.wires);
        if (!axis) return not_one(Text("a loop along %1", part.axis));
        made.plan.push_back({*axis, part.kind, part.size, part.inner});
    }
    if (Problems problems = impossible(made.flow, made.plan); !problems.empty()) return problems;
    return made;
}

HM hm_of(const Circuit& circuit, const Resources& resources) {
    const Values at = sizes(circuit.axes);
    return {resources.transferred.value(at), resources.widest(1).value(at)};
}

namespace {

// The dimension that an axis is a part of.
const std::string& dimension(const Axes& axes, AxisId id) {
    const Axis* axis = &axis_of(axes, id);
    while (axis->whole) axis = &axis_of(axes, *axis->whole);
    return axis->name;
}

// Wires are followed from column to column: through transfers and partitions they stay what they are, every
// operator's result has new ones.
class Following {
public:
    StateWires run(const BlockProgram& state, const Circuit& circuit) {
        axes_ = &circuit.axes;
        Arrays inputs;
        const std::vector<NodePtr> nodes = state.graph->inputs();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Input& input = *nodes[i]->as<Input>();
            inputs.push_back({true, fresh(circuit.root->domain.at(i))});
            if (input.source != InputSource::CausalMask)
                name(circuit.root->domain[i], inputs.back().wires, {input.name, input.transposed});
        }
        const Arrays outputs = walk(*circuit.root, inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            name(circuit.root->codomain.at(i), outputs[i].wires, {circuit.outputs.at(i), false});
        number_stored();
        for (const auto& [partition, wires] : split_) add_names(result_.split[partition], wires);
        return std::move(result_);
    }

private:
    struct Array {
        bool input = false;  // of the program
        std::vector<int> wires;
        int save = -1;  // number of the transfer that saved it
    };
    using Arrays = std::vector<Array>;

    struct Save {
        const Apply* by = nullptr;
        std::set<const Apply*> loads;
        std::map<int, ProgramWire> wires;  // without the name
    };

    std::vector<int> fresh(const ArrayType& type) {
        std::vector<int> wires;
        for (std::size_t i = 0; i < type.axes.size(); ++i) wires.push_back(next_++);
        return wires;
    }

    struct Name {
        std::string array;
        bool transposed = false;
    };

    void name(const ArrayType& type, std::vector<int> wires, const Name& name) {
        std::vector<AxisId> order = type.axes;
        if (name.transposed) {
            std::swap(order.at(order.size() - 1), order.at(order.size() - 2));
            std::swap(wires.at(wires.size() - 1), wires.at(wires.size() - 2));
        }
        std::map<std::string, int> along;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::string& dim = dimension(*axes_, order[i]);
            names_[wires[i]].insert({name.array, dim, along[dim]++});
        }
    }

    // A wire of something stored is what it is where that is whole: before the outermost loop that loads it.
    void note_stored(const Array& array, const ArrayType& type) {
        if (array.save < 0) return;
        std::map<std::string, int> along;
        for (std::size_t i = 0; i < array.wires.size(); ++i) {
            const std::string& dim = dimension(*axes_, type.axes.at(i));
            saves_[static_cast<std::size_t>(array.save)].wires.try_emplace(
                array.wires[i], ProgramWire{"", dim, along[dim]++});
        }
    }

    void number_stored() {
        for (const Save& save : saves_) {
            if (save.loads.empty()) continue;
            StateWires::Stored stored{"I" + std::to_string(result_.stored.size() + 1), save.loads};
            stored.transfers.insert(save.by);
            for (const auto& [wire, what] : save.wires)
                names_[wire].insert({stored.name, what.dim, what.number});
            result_.stored.push_back(std::move(stored));
        }
    }

    void add_names(std::set<ProgramWire>& named, const std::set<int>& wires) const {
        for (const int wire : wires)
            if (const auto found = names_.find(wire); found != names_.end())
                named.insert(found->second.begin(), found->second.end());
    }

    Arrays walk(const Term& term, const Arrays& in) {
        return follow(
            term, in, [&](const Term& part, const Arrays& now) { return walk(part, now); },
            [&](const Apply& what) { return apply(what, term, in); },
            [&](const Product& what) { return product(what, in); },
            [&](const Partition& what) { return partition(what, term, in); });
    }

    Arrays apply(const Apply& what, const Term& term, const Arrays& in) {
        if (what.op.kind == OperatorKind::Transfer) return {transferred(what, term, in.at(0))};
        Arrays out;
        for (const ArrayType& type : term.codomain) out.push_back({false, fresh(type)});
        return out;
    }

    Array transferred(const Apply& what, const Term& term, Array array) {
        if (what.inputs.at(0).level > 0) {
            array.save = static_cast<int>(saves_.size());
            saves_.push_back({&what, {}, {}});
        } else if (array.save >= 0) {
            note_stored(array, term.domain.at(0));
            saves_[static_cast<std::size_t>(array.save)].loads.insert(&what);
            array.save = -1;
        }
        return array;
    }

    Arrays product(const Product& what, const Arrays& in) {
        Arrays out;
        auto next = in.begin();
        for (const TermPtr& part : what.parts) {
            const auto end = next + static_cast<std::ptrdiff_t>(part->domain.size());
            const Arrays made = walk(*part, {next, end});
            out.insert(out.end(), made.begin(), made.end());
            next = end;
        }
        return out;
    }

    Arrays partition(const Partition& what, const Term& term, Arrays arrays) {
        for (std::size_t i = 0; i < arrays.size(); ++i) note_stored(arrays[i], term.domain.at(i));
        std::set<int>& cut = split_[&what];
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            if (!what.split[i].any()) continue;
            const auto wire = arrays[i].wires.begin() + what.split[i].place;
            cut.insert(*wire);
            if (what.split[i].dropped) arrays[i].wires.erase(wire);
        }
        arrays = walk(*what.body, arrays);
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            if (!what.join[i].any()) continue;
            const auto place = arrays[i].wires.begin() + what.join[i].place;
            cut.insert(what.join[i].dropped ? *arrays[i].wires.insert(place, next_++) : *place);
        }
        return arrays;
    }

    const Axes* axes_ = nullptr;
    StateWires result_;
    std::vector<Save> saves_;
    std::map<const Partition*, std::set<int>> split_;
    std::map<int, std::set<ProgramWire>> names_;  // by wire
    int next_ = 0;
};

}  // namespace

StateWires state_wires(const BlockProgram& state, const Circuit& circuit) {
    return Following().run(state, circuit);
}

}  // namespace blockscope::circuit
