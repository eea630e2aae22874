#include "core/circuit/term.h"

#include <numeric>

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

}  // namespace blockscope::circuit
