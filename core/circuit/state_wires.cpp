#include "core/circuit/state_wires.h"

#include <utility>

#include "core/circuit/through.h"

namespace blockscope::circuit {

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
    StateWires run(const BlockProgram& state, const Circuit& drawn) {
        axes_ = &drawn.axes;
        Arrays inputs;
        const std::vector<NodePtr> nodes = state.graph->inputs();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Input& input = *nodes[i]->as<Input>();
            inputs.push_back({true, fresh(drawn.root->domain.at(i))});
            if (input.source != InputSource::CausalMask)
                name(drawn.root->domain[i], inputs.back().wires, {input.name, input.transposed});
        }
        const Arrays outputs = walk(*drawn.root, inputs);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            name(drawn.root->codomain.at(i), outputs[i].wires, {drawn.outputs.at(i), false});
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
        return through(
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

StateWires state_wires(const BlockProgram& state, const Circuit& drawn) {
    return Following().run(state, drawn);
}

}  // namespace blockscope::circuit
