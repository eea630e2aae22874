#include "core/circuit/state_wires.h"

#include <utility>

#include "core/support/cases.h"

namespace blockscope::circuit {

namespace {

// Wires are followed from column to column: through transfers and partitions they stay what they are, every
// operator's result has new ones.
class Following {
public:
    StateWires run(const BlockProgram& state, const Circuit& drawn) {
        Arrays inputs;
        const std::vector<NodePtr> nodes = state.graph->inputs();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Input& input = *nodes[i]->as<Input>();
            inputs.push_back({true, fresh(drawn.root->domain.at(i))});
            if (input.source != InputSource::CausalMask)
                name(drawn.axes, drawn.root->domain[i], inputs.back().wires, {input.name, input.transposed});
        }
        const Arrays outputs = walk(*drawn.root, inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            name(drawn.axes, drawn.root->codomain.at(i), outputs[i].wires, {drawn.outputs.at(i), false});
        for (const auto& [partition, wires] : split_) {
            std::set<ProgramWire>& named = result_.split[partition];
            for (const int wire : wires)
                if (const auto found = names_.find(wire); found != names_.end())
                    named.insert(found->second.begin(), found->second.end());
        }
        return std::move(result_);
    }

private:
    struct Array {
        bool input = false;  // of the program
        std::vector<int> wires;
    };
    using Arrays = std::vector<Array>;

    std::vector<int> fresh(const ArrayType& type) {
        std::vector<int> wires;
        for (std::size_t i = 0; i < type.axes.size(); ++i) wires.push_back(next_++);
        return wires;
    }

    struct Name {
        std::string array;
        bool transposed = false;
    };

    void name(const Axes& axes, const ArrayType& type, std::vector<int> wires, const Name& name) {
        std::vector<AxisId> order = type.axes;
        if (name.transposed) {
            std::swap(order.at(order.size() - 1), order.at(order.size() - 2));
            std::swap(wires.at(wires.size() - 1), wires.at(wires.size() - 2));
        }
        std::map<std::string, int> along;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const std::string& dim = axis_of(axes, order[i]).name;
            names_[wires[i]].insert({name.array, dim, along[dim]++});
        }
    }

    Arrays walk(const Term& term, const Arrays& in) {
        return std::visit(Cases{[&](const Apply& what) { return apply(what, term, in); },
                                [&](const Rearrange& what) {
                                    Arrays out;
                                    for (const int i : what.take)
                                        out.push_back(in.at(static_cast<std::size_t>(i)));
                                    return out;
                                },
                                [&](const Compose& what) {
                                    Arrays now = in;
                                    for (const TermPtr& part : what.parts) now = walk(*part, now);
                                    return now;
                                },
                                [&](const Product& what) { return product(what, in); },
                                [&](const Block& what) { return walk(*what.body, in); },
                                [&](const Partition& what) { return partition(what, in); }},
                          term.what);
    }

    Arrays apply(const Apply& what, const Term& term, const Arrays& in) {
        if (what.op.kind == OperatorKind::Transfer) {
            if (what.inputs.at(0).level == 0 && !in.at(0).input) result_.stored = true;
            return in;
        }
        Arrays out;
        for (const ArrayType& type : term.codomain) out.push_back({false, fresh(type)});
        return out;
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

    Arrays partition(const Partition& what, Arrays arrays) {
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

    StateWires result_;
    std::map<const Partition*, std::set<int>> split_;
    std::map<int, std::set<ProgramWire>> names_;  // by wire
    int next_ = 0;
};

}  // namespace

StateWires state_wires(const BlockProgram& state, const Circuit& drawn) {
    return Following().run(state, drawn);
}

}  // namespace blockscope::circuit
