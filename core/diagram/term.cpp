#include "core/diagram/term.h"

#include <algorithm>
#include <numeric>

#include "core/support/cases.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

ArrayType array_of(const Apply& apply, const Segment& segment) {
    ArrayType type{{}, segment.elem, segment.level, segment.cached};
    for (const Slot& slot : segment.slots)
        type.axes.push_back((slot.own ? apply.own : apply.weave).at(static_cast<std::size_t>(slot.index)));
    return type;
}

TermPtr made(Term term) {
    return std::make_shared<const Term>(std::move(term));
}

Tuple with_whole(Tuple tuple, const std::vector<Cut>& cuts, const Partition& what) {
    for (std::size_t i = 0; i < tuple.size(); ++i) {
        if (!cuts.at(i).any()) continue;
        if (cuts[i].dropped)
            tuple[i].axes.insert(tuple[i].axes.begin() + cuts[i].place, what.count);
        else
            tuple[i].axes.at(static_cast<std::size_t>(cuts[i].place)) = what.whole;
    }
    return tuple;
}

}  // namespace

TermPtr apply(Apply what) {
    Tuple domain;
    Tuple codomain;
    for (const Segment& segment : what.inputs) domain.push_back(array_of(what, segment));
    for (const Segment& segment : what.outputs) codomain.push_back(array_of(what, segment));
    return made({std::move(what), std::move(domain), std::move(codomain)});
}

TermPtr rearrange(Tuple from, std::vector<int> take) {
    Tuple codomain;
    for (const int i : take) codomain.push_back(from.at(static_cast<std::size_t>(i)));
    return made({Rearrange{from, std::move(take)}, from, std::move(codomain)});
}

TermPtr identity(Tuple on) {
    std::vector<int> take(on.size());
    std::iota(take.begin(), take.end(), 0);
    return rearrange(std::move(on), std::move(take));
}

TermPtr compose(std::vector<TermPtr> parts) {
    if (parts.empty()) throw InternalError("a composition of nothing");
    if (parts.size() == 1) return parts.front();
    Tuple domain = parts.front()->domain;
    Tuple codomain = parts.back()->codomain;
    return made({Compose{std::move(parts)}, std::move(domain), std::move(codomain)});
}

TermPtr product(std::vector<TermPtr> parts) {
    if (parts.size() == 1) return parts.front();
    Tuple domain;
    Tuple codomain;
    for (const TermPtr& part : parts) {
        domain.insert(domain.end(), part->domain.begin(), part->domain.end());
        codomain.insert(codomain.end(), part->codomain.begin(), part->codomain.end());
    }
    return made({Product{std::move(parts)}, std::move(domain), std::move(codomain)});
}

TermPtr block(Block what) {
    Tuple domain = what.body->domain;
    Tuple codomain = what.body->codomain;
    return made({std::move(what), std::move(domain), std::move(codomain)});
}

TermPtr partition(Partition what) {
    Tuple domain = with_whole(what.body->domain, what.split, what);
    Tuple codomain = with_whole(what.body->codomain, what.join, what);
    return made({std::move(what), std::move(domain), std::move(codomain)});
}

bool is_identity(const Rearrange& what) {
    if (what.take.size() != what.from.size()) return false;
    for (std::size_t i = 0; i < what.take.size(); ++i)
        if (what.take[i] != static_cast<int>(i)) return false;
    return true;
}

Formula extent(const Axes& axes, AxisId id) {
    const Axis& axis = axis_of(axes, id);
    if (axis.name.empty()) return Formula::number(static_cast<double>(axis.size));
    if (axis.whole && !axis.open && axis_of(axes, *axis.whole).size == axis.size)
        return extent(axes, *axis.whole);
    return Formula::symbol(axis.symbol.empty() ? axis.name : axis.symbol);
}

Formula extent(const Axes& axes, AxisId id, int level) {
    const Axis& axis = axis_of(axes, id);
    const auto at = static_cast<std::size_t>(level);
    if (at >= axis.level_sizes.size() || axis.level_sizes[at] == 0) return extent(axes, id);
    if (axis.whole && axis_of(axes, *axis.whole).size == axis.level_sizes[at])
        return extent(axes, *axis.whole);
    return Formula::symbol(axis.at_levels.at(at));
}

Formula parts_of(const Axes& axes, const Partition& partition) {
    return extent(axes, partition.whole) * extent(axes, partition.part).to_the(-1);
}

Formula parts_of(const Axes& axes, const Partition& partition, int level) {
    return extent(axes, partition.whole) * extent(axes, partition.part, level).to_the(-1);
}

Formula size_of_array(const Axes& axes, const ArrayType& array) {
    Formula product = Formula::number(1);
    for (const AxisId id : array.axes) product = product * extent(axes, id, array.level);
    return product;
}

Values sizes(const Axes& axes) {
    Values values;
    for (const Axis& axis : axes) {
        if (!axis.name.empty())
            values[axis.symbol.empty() ? axis.name : axis.symbol] = static_cast<double>(axis.size);
        for (std::size_t level = 0; level < axis.level_sizes.size(); ++level)
            if (axis.level_sizes[level] > 0)
                values[axis.at_levels.at(level)] = static_cast<double>(axis.level_sizes[level]);
    }
    return values;
}

namespace {

std::string array_text(const Axes& axes, const ArrayType& array) {
    std::string text = "[";
    for (const AxisId id : array.axes) {
        const Axis& axis = axis_of(axes, id);
        text += (text.size() > 1 ? " " : "") + (axis.name.empty() ? std::to_string(axis.size) : axis.name);
    }
    text += "]";
    if (array.cached) text += "*";
    if (array.level != 0) text += "@" + std::to_string(array.level);
    return text;
}

class Printer {
public:
    explicit Printer(const Circuit& circuit) : axes_(circuit.axes) {}

    std::string run(const Circuit& circuit) {
        std::string names;
        for (const std::string& name : circuit.inputs) names += (names.empty() ? "" : " ⊗ ") + name;
        line("in   " + names + " : " + to_string(axes_, circuit.root->domain));
        print(*circuit.root);
        names.clear();
        for (const std::string& name : circuit.outputs) names += (names.empty() ? "" : " ⊗ ") + name;
        line("out  " + names + " : " + to_string(axes_, circuit.root->codomain));
        return std::move(text_);
    }

private:
    void line(const std::string& content) {
        text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + "\n";
    }

    void print(const Term& term) {
        std::visit(Cases{[&](const Apply& what) { apply(what, term); },
                         [&](const Rearrange& what) { rearrange(what); },
                         [&](const Compose& what) {
                             for (const TermPtr& part : what.parts) print(*part);
                         },
                         [&](const Product& what) { product(what); },
                         [&](const Block& what) { inner(block_title(what), *what.body); },
                         [&](const Partition& what) { inner(partition_title(what), *what.body); }},
                   term.what);
    }

    void apply(const Apply& what, const Term& term) {
        std::string weave;
        for (const AxisId id : what.weave) weave += " " + axis_of(axes_, id).name;
        std::string own;
        for (const AxisId id : what.own) own += " " + axis_of(axes_, id).name;
        std::string content = what.op.label.empty() ? to_string(what.op.kind) : what.op.label;
        if (!own.empty()) content += " along" + own;
        if (!weave.empty()) content += ", weaved over" + weave;
        line(content + " : " + to_string(axes_, term.domain) + " → " + to_string(axes_, term.codomain));
    }

    void rearrange(const Rearrange& what) {
        if (is_identity(what)) return;
        std::string places;
        for (const int i : what.take) places += " " + std::to_string(i);
        line("take" + places + " of " + std::to_string(what.from.size()));
    }

    // Identities beside an operator go without saying.
    void product(const Product& what) {
        for (const TermPtr& part : what.parts) print(*part);
    }

    void inner(const std::string& title, const Term& body) {
        line(title + " {");
        ++depth_;
        print(body);
        --depth_;
        line("}");
    }

    static std::string block_title(const Block& what) {
        return what.style == BlockStyle::Repeat ? what.title + " × " + what.count : what.title;
    }

    std::string partition_title(const Partition& what) const {
        std::string title = what.kind == PartitionKind::Group ? "groups of " : "stream of ";
        title += extent(axes_, what.part).text() + " along " + axis_of(axes_, what.whole).name;
        std::string carried;
        for (std::size_t i = 0; i < what.join.size(); ++i)
            if (!what.join[i].any()) carried += " " + array_text(axes_, what.body->codomain.at(i));
        return carried.empty() ? title : title + ", carrying (" + carried.substr(1) + ")";
    }

    const Axes& axes_;
    std::string text_;
    int depth_ = 0;
};

}  // namespace

std::string to_string(const Axes& axes, const Tuple& tuple) {
    std::string text;
    for (const ArrayType& array : tuple) text += (text.empty() ? "" : " ⊗ ") + array_text(axes, array);
    return text.empty() ? "()" : text;
}

std::string to_string(const Circuit& circuit) {
    return Printer(circuit).run(circuit);
}

namespace {

int occurrences(const Segment& segment, bool own, int index) {
    return static_cast<int>(std::count(segment.slots.begin(), segment.slots.end(), Slot{own, index}));
}

class Checker {
public:
    explicit Checker(const Circuit& circuit) : circuit_(circuit) {}

    std::vector<Text> run() {
        axes();
        if (!circuit_.root) return {Text("The circuit has no diagram.")};
        if (!known_axes(*circuit_.root)) return std::move(problems_);
        term(*circuit_.root);
        if (circuit_.inputs.size() != circuit_.root->domain.size())
            add(Text("The inputs are not all named."));
        if (circuit_.outputs.size() != circuit_.root->codomain.size())
            add(Text("The outputs are not all named."));
        return std::move(problems_);
    }

private:
    void add(Text sentence) { problems_.push_back(std::move(sentence)); }
    std::string text(const Tuple& tuple) const { return to_string(circuit_.axes, tuple); }
    std::string name(AxisId id) const { return axis_of(circuit_.axes, id).name; }

    bool known(AxisId id) const { return id.value >= 0 && id.value < static_cast<int>(circuit_.axes.size()); }

    void axes() {
        for (const Axis& axis : circuit_.axes) {
            if (axis.size < 1) add(Text("The axis %1 has no size.", axis.name));
            level_sizes(axis);
            if (axis.whole && !known(*axis.whole)) add(Text("The axis %1 is a part of none.", axis.name));
            if (axis.whole && known(*axis.whole) && axis_of(circuit_.axes, *axis.whole).size < axis.size)
                add(Text("The axis %1 is larger than the one that it is a part of.", axis.name));
        }
    }

    void level_sizes(const Axis& axis) {
        for (std::size_t level = 0; level < axis.level_sizes.size(); ++level) {
            const std::int64_t size = axis.level_sizes[level];
            if (size == 0) continue;
            if (level >= axis.at_levels.size() || axis.at_levels[level].empty())
                add(Text("The axis %1 has a size at level %2, but no name there.", axis.name, level));
            if (size < 0 ||
                (axis.whole && known(*axis.whole) && axis_of(circuit_.axes, *axis.whole).size < size))
                add(Text("The axis %1 is larger at level %2 than the one that it is a part of.", axis.name,
                         level));
        }
    }

    bool known_axes(const Term& t) {
        for (const Tuple* tuple : {&t.domain, &t.codomain})
            for (const ArrayType& array : *tuple)
                for (const AxisId id : array.axes)
                    if (!known(id)) {
                        add(Text("An array has an axis that is not there."));
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
                add(Text("Column %1 gives %2, the next one takes %3.", i, text(what.parts[i - 1]->codomain),
                         text(what.parts[i]->domain)));
        }
    }

    void block(const Block& what) {
        term(*what.body);
        if (what.style == BlockStyle::Repeat && what.body->codomain.size() > what.body->domain.size())
            add(Text("The repeated block %1 gives more than it takes.", what.title));
    }

    void partition(const Partition& what) {
        term(*what.body);
        const Axis& part = axis_of(circuit_.axes, what.part);
        if (part.whole != what.whole && what.part != what.whole)
            add(Text("%1 is not a part of %2.", part.name, name(what.whole)));
        const auto fits = [&](const ArrayType& array, const Cut& cut) {
            return !cut.any() || cut.dropped ||
                   (cut.place < static_cast<int>(array.axes.size()) &&
                    array.axes[static_cast<std::size_t>(cut.place)] == what.part);
        };
        for (std::size_t i = 0; i < what.split.size(); ++i)
            if (!fits(what.body->domain.at(i), what.split[i]))
                add(Text("The partition of %1 splits an array that lacks it.", name(what.whole)));
        for (std::size_t i = 0; i < what.join.size(); ++i) {
            if (!fits(what.body->codomain.at(i), what.join[i]))
                add(Text("The partition of %1 joins an array that lacks it.", name(what.whole)));
            if (!what.join[i].any() && what.kind == PartitionKind::Group)
                add(Text("The groups of %1 do not join an output.", name(what.whole)));
        }
        carried(what);
    }

    void apply(const Apply& what) {
        const std::string& label = what.op.label;
        for (const Segment& output : what.outputs)
            for (std::size_t i = 0; i < what.weave.size(); ++i)
                if (occurrences(output, false, static_cast<int>(i)) != 1)
                    add(Text("%1 is weaved over %2, which its output lacks.", label, name(what.weave[i])));
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
            add(one ? Text("%1 transfers to the level that it comes from.", what.op.label)
                    : Text("%1 has its arrays at different levels.", what.op.label));
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
                add(Text("The stream of %1 carries an array to where another one is taken.",
                         name(what.whole)));
        }
    }

    // Own axes, inputs and outputs as the table of operators has them.
    static bool fits(const Apply& what) {
        if (what.op.kind == OperatorKind::Custom) return true;
        const DiagramOperator& row = diagram_operator(what.op.kind);
        if (what.outputs.size() != 1 || !row.inputs.allow(what.inputs.size()) ||
            !row.own.allow(what.own.size()))
            return false;
        if (what.op.kind == OperatorKind::Reindex && what.own.empty()) return what.inputs.size() == 1;
        if (row.owners == 0) return true;
        const std::size_t owners = std::min(what.inputs.size(), static_cast<std::size_t>(row.owners));
        for (std::size_t i = 0; i < owners; ++i)
            if (!all_own(what.inputs[i], what.own.size())) return false;
        return occurrences(what.outputs[0], true, 0) == (row.keeps ? 1 : 0);
    }

    void signature(const Apply& what) {
        if (!fits(what)) add(Text("%1 has other arrays than its kind of operator takes.", what.op.label));
    }

    const Circuit& circuit_;
    std::vector<Text> problems_;
};

}  // namespace

std::vector<Text> verify(const Circuit& circuit) {
    return Checker(circuit).run();
}

}  // namespace blockscope::circuit
