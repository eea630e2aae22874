#include "core/circuit/check.h"

#include <algorithm>

#include "core/circuit/print.h"
#include "core/support/cases.h"

namespace blockscope::circuit {

namespace {

int occurrences(const Segment& segment, bool own, int index) {
    return static_cast<int>(std::count(segment.slots.begin(), segment.slots.end(), Slot{own, index}));
}

class Checker {
public:
    explicit Checker(const Circuit& circuit) : circuit_(circuit) {}

    std::vector<std::string> run() {
        axes();
        if (!circuit_.root) return {"The circuit has no diagram."};
        if (!known_axes(*circuit_.root)) return std::move(problems_);
        term(*circuit_.root);
        if (circuit_.inputs.size() != circuit_.root->domain.size()) add("The inputs are not all named.");
        if (circuit_.outputs.size() != circuit_.root->codomain.size()) add("The outputs are not all named.");
        return std::move(problems_);
    }

private:
    void add(std::string sentence) { problems_.push_back(std::move(sentence)); }
    std::string text(const Tuple& tuple) const { return to_string(circuit_.axes, tuple); }
    std::string name(AxisId id) const { return axis_of(circuit_.axes, id).name; }

    bool known(AxisId id) const { return id.value >= 0 && id.value < static_cast<int>(circuit_.axes.size()); }

    void axes() {
        for (const Axis& axis : circuit_.axes) {
            if (axis.size < 1) add("The axis " + axis.name + " has no size.");
            level_sizes(axis);
            if (axis.whole && !known(*axis.whole)) add("The axis " + axis.name + " is a part of none.");
            if (axis.whole && known(*axis.whole) && axis_of(circuit_.axes, *axis.whole).size < axis.size)
                add("The axis " + axis.name + " is larger than the one that it is a part of.");
        }
    }

    void level_sizes(const Axis& axis) {
        for (std::size_t level = 0; level < axis.level_sizes.size(); ++level) {
            const std::int64_t size = axis.level_sizes[level];
            if (size == 0) continue;
            if (level >= axis.at_levels.size() || axis.at_levels[level].empty())
                add("The axis " + axis.name + " has a size at level " + std::to_string(level) +
                    ", but no name there.");
            if (size < 0 ||
                (axis.whole && known(*axis.whole) && axis_of(circuit_.axes, *axis.whole).size < size))
                add("The axis " + axis.name + " is larger at level " + std::to_string(level) +
                    " than the one that it is a part of.");
        }
    }

    bool known_axes(const Term& t) {
        for (const Tuple* tuple : {&t.domain, &t.codomain})
            for (const ArrayType& array : *tuple)
                for (const AxisId id : array.axes)
                    if (!known(id)) {
                        add("An array has an axis that is not there.");
                        return false;
                    }
        const auto all = [&](const std::vector<TermPtr>& parts) {
            return std::all_of(parts.begin(), parts.end(),
                               [&](const TermPtr& part) { return part && known_axes(*part); });
        };
        return std::visit(Cases{[](const Apply&) { return true; }, [](const Rearrange&) { return true; },
                                [&](const Compose& what) { return all(what.parts); },
                                [&](const Product& what) { return all(what.parts); },
                                [&](const Block& what) { return all({what.body}); },
                                [&](const Partition& what) {
                                    return known(what.whole) && known(what.part) && all({what.body});
                                }},
                          t.what);
    }

    void term(const Term& t) {
        std::visit(
            Cases{[&](const Apply& what) { apply(what); }, [](const Rearrange&) {},
                  [&](const Compose& what) { compose(what); },
                  [&](const Product& what) {
                      for (const TermPtr& part : what.parts) term(*part);
                  },
                  [&](const Block& what) { block(what); }, [&](const Partition& what) { partition(what); }},
            t.what);
    }

    void compose(const Compose& what) {
        for (std::size_t i = 0; i < what.parts.size(); ++i) {
            term(*what.parts[i]);
            if (i > 0 && what.parts[i - 1]->codomain != what.parts[i]->domain)
                add("Column " + std::to_string(i) + " gives " + text(what.parts[i - 1]->codomain) +
                    ", the next one takes " + text(what.parts[i]->domain) + ".");
        }
    }

    void block(const Block& what) {
        term(*what.body);
        if (what.style == BlockStyle::Repeat && what.body->codomain.size() > what.body->domain.size())
            add("The repeated block " + what.title + " gives more than it takes.");
    }

    void partition(const Partition& what) {
        term(*what.body);
        const Axis& part = axis_of(circuit_.axes, what.part);
        if (part.whole != what.whole && what.part != what.whole)
            add(part.name + " is not a part of " + name(what.whole) + ".");
        const auto fits = [&](const ArrayType& array, const Cut& cut) {
            return !cut.any() || cut.dropped ||
                   (cut.place < static_cast<int>(array.axes.size()) &&
                    array.axes[static_cast<std::size_t>(cut.place)] == what.part);
        };
        for (std::size_t i = 0; i < what.split.size(); ++i)
            if (!fits(what.body->domain.at(i), what.split[i]))
                add("The partition of " + name(what.whole) + " splits an array that lacks it.");
        for (std::size_t i = 0; i < what.join.size(); ++i) {
            if (!fits(what.body->codomain.at(i), what.join[i]))
                add("The partition of " + name(what.whole) + " joins an array that lacks it.");
            if (!what.join[i].any() && what.kind == PartitionKind::Group)
                add("The groups of " + name(what.whole) + " do not join an output.");
        }
        carried(what);
    }

    void apply(const Apply& what) {
        const std::string& label = what.op.label;
        for (const Segment& output : what.outputs)
            for (std::size_t i = 0; i < what.weave.size(); ++i)
                if (occurrences(output, false, static_cast<int>(i)) != 1)
                    add(label + " is weaved over " + name(what.weave[i]) + ", which its output lacks.");
        levels(what);
        signature(what);
    }

    void levels(const Apply& what) {
        std::vector<int> levels;
        for (const Segment& segment : what.inputs) levels.push_back(segment.level);
        for (const Segment& segment : what.outputs) levels.push_back(segment.level);
        std::sort(levels.begin(), levels.end());
        const bool one = levels.empty() || levels.front() == levels.back();
        if (what.op.kind == OperatorKind::Transfer ? one : !one)
            add(what.op.label + (one ? " transfers to the level that it comes from."
                                     : " has its arrays at different levels."));
    }

    static bool all_own(const Segment& segment, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            if (occurrences(segment, true, static_cast<int>(i)) != 1) return false;
        return true;
    }

    // What is carried from one part to the next is the same array again, its wires in any order.
    void carried(const Partition& what) {
        const auto sorted = [](ArrayType array) {
            std::sort(array.axes.begin(), array.axes.end());
            return array;
        };
        for (std::size_t i = 0; i < what.carry.size(); ++i) {
            if (what.carry[i] < 0) continue;
            const auto input = static_cast<std::size_t>(what.carry[i]);
            if (i >= what.join.size() || input >= what.split.size() || what.split[input].any() ||
                what.join[i].any() || sorted(what.body->domain[input]) != sorted(what.body->codomain[i]))
                add("The stream of " + name(what.whole) + " carries an array to where another one is taken.");
        }
    }

    // Own axes: how many, and in which arrays.
    void signature(const Apply& what) {
        const auto in = [&](std::size_t i) { return occurrences(what.inputs.at(i), true, 0); };
        const auto out = [&] { return occurrences(what.outputs.at(0), true, 0); };
        bool fits = what.outputs.size() == 1;
        const bool one = what.own.size() == 1;
        const std::size_t inputs = what.inputs.size();
        switch (what.op.kind) {
            case OperatorKind::Elementwise:
                fits = fits && what.own.empty() && inputs >= 1;
                break;
            case OperatorKind::Cast:
            case OperatorKind::Transfer:
                fits = fits && what.own.empty() && inputs == 1;
                break;
            case OperatorKind::Reindex:
                fits = fits && (what.own.empty() ? inputs == 1 : inputs >= 1);
                break;
            case OperatorKind::Mask:
                fits = fits && what.own.empty() && inputs == 0;
                break;
            case OperatorKind::Contraction:
                fits = fits && one && inputs == 2 && in(0) == 1 && in(1) == 1 && out() == 0;
                break;
            case OperatorKind::Max:
                fits = fits && !what.own.empty() && inputs == 1 && all_own(what.inputs[0], what.own.size()) &&
                       out() == 0;
                break;
            case OperatorKind::Sum:
            case OperatorKind::Mean:
                fits = fits && one && inputs == 1 && in(0) == 1 && out() == 0;
                break;
            case OperatorKind::Softmax:
                fits = fits && one && inputs == 1 && in(0) == 1 && out() == 1;
                break;
            case OperatorKind::RmsNorm:
            case OperatorKind::LayerNorm:
                fits = fits && one && inputs >= 1 && in(0) == 1 && out() == 1;
                break;
            case OperatorKind::Custom:
                fits = true;
                break;
        }
        if (!fits) add(what.op.label + " has other arrays than its kind of operator takes.");
    }

    const Circuit& circuit_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> verify(const Circuit& circuit) {
    return Checker(circuit).run();
}

}  // namespace blockscope::circuit
