#include "core/diagram/block_drawer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

void move_places(BlockValue& value, int from, int by) {
    for (std::vector<int>* places : {&value.lists, &value.item})
        for (int& place : *places)
            if (place >= from) place += by;
}

bool item_has(const BlockValue& value, int place) {
    return std::find(value.item.begin(), value.item.end(), place) != value.item.end();
}

// What a diagram takes a fold for; all but sums are compared one by one, as maxima are.
OperatorKind fold_kind(Fn fn) {
    if (fn == Fn::Add) return OperatorKind::Sum;
    if (fn == Fn::Max) return OperatorKind::Max;
    throw InternalError("no operator of a diagram folds by " + std::string(primitive(fn).name));
}

}  // namespace

BlockValue list_value(const Type& type, const std::vector<AxisId>& count) {
    BlockValue value;
    value.type.elem = type.elem();
    std::vector<DimId> item;
    if (type.item().kind != ItemKind::Scalar) item.push_back(type.item().rows);
    if (type.item().kind == ItemKind::Block) item.push_back(type.item().cols);
    value.item.assign(item.size(), -1);
    for (int i = 0; i < type.rank(); ++i) {
        const DimId dim = type.dim(i);
        value.lists.push_back(i);
        value.dims.push_back(dim);
        std::size_t merged = 0;
        while (merged < item.size() && (item[merged] != dim || value.item[merged] >= 0)) ++merged;
        value.type.axes.push_back(merged < item.size() ? AxisId{dim.value} : count.at(dim.value));
        if (merged < item.size()) value.item[merged] = i;
    }
    for (std::size_t i = 0; i < item.size(); ++i) {
        if (value.item[i] >= 0) continue;
        value.item[i] = static_cast<int>(value.type.axes.size());
        value.type.axes.push_back({item[i].value});
    }
    return value;
}

BlockValue without_list(BlockValue value, std::size_t list) {
    const int place = value.lists.at(list);
    value.lists.erase(value.lists.begin() + static_cast<std::ptrdiff_t>(list));
    value.dims.erase(value.dims.begin() + static_cast<std::ptrdiff_t>(list));
    ++value.hidden;
    if (item_has(value, place)) return value;
    value.type.axes.erase(value.type.axes.begin() + place);
    move_places(value, place, -1);
    return value;
}

BlockValue element(BlockValue list, AxisId part, Cut& cut) {
    cut.place = list.lists.front();
    list.lists.erase(list.lists.begin());
    list.dims.erase(list.dims.begin());
    if (item_has(list, cut.place)) {
        list.type.axes.at(at(cut.place)) = part;
        return list;
    }
    cut.dropped = true;
    list.type.axes.erase(list.type.axes.begin() + cut.place);
    move_places(list, cut.place, -1);
    return list;
}

BlockValue collected(BlockValue item, DimId dim, AxisId part, AxisId whole, AxisId count, Cut& cut) {
    item.dims.insert(item.dims.begin(), dim);
    const auto found = std::find(item.type.axes.begin(), item.type.axes.end(), part);
    if (found != item.type.axes.end()) {
        cut.place = static_cast<int>(found - item.type.axes.begin());
        *found = whole;
        item.lists.insert(item.lists.begin(), cut.place);
        return item;
    }
    cut = {0, true};
    item.type.axes.insert(item.type.axes.begin(), count);
    move_places(item, 0, 1);
    item.lists.insert(item.lists.begin(), 0);
    return item;
}

Segment item_segment(const BlockValue& value, const std::vector<int>& axes) {
    Segment segment{.slots = std::vector<Slot>(value.type.axes.size()),
                    .elem = value.type.elem,
                    .level = 1,
                    .cached = false,
                    .name = value.name};
    for (std::size_t i = 0; i < value.item.size(); ++i)
        segment.slots.at(at(value.item[i])) = {axes.at(i) < 0, std::max(axes.at(i), 0)};
    return segment;
}

Apply functional_apply(FunctionalOp op, const std::vector<BlockValue>& args) {
    const BlockValue& a = args.at(0);
    Apply apply;
    for (std::size_t i = 0; i < a.item.size(); ++i) apply.weave.push_back(a.axis(i));
    const auto input = [&](std::size_t n, const std::vector<int>& axes) {
        apply.inputs.push_back(item_segment(args.at(n), axes));
    };
    const std::vector<int> same = {0, 1};
    const FunctionalOperator& row = functional_operator(op);
    const std::string label(row.label.empty() ? row.name : row.label);
    apply.op = {OperatorKind::Elementwise, label, 1, 0};
    switch (row.form) {
        case FunctionalForm::ByElement:
            input(0, same);
            input(1, same);
            break;
        case FunctionalForm::WithRows:
            input(0, same);
            input(1, {0});
            break;
        case FunctionalForm::WithCols:
            input(0, same);
            input(1, {1});
            break;
        case FunctionalForm::FoldRows:
            apply.op = {fold_kind(row.fn), label};
            apply.own = {apply.weave.back()};
            apply.weave.pop_back();
            input(0, {0, -1});
            break;
        case FunctionalForm::FoldAll:
            apply.op = {fold_kind(row.fn), label};
            apply.own.swap(apply.weave);
            apply.inputs.push_back(item_segment(a, {-1, -1}));
            for (std::size_t i = 1; i < a.item.size(); ++i)
                apply.inputs[0].slots.at(at(a.item[i])).index = static_cast<int>(i);
            break;
        case FunctionalForm::Contract:
            apply.op = {OperatorKind::Contraction, label};
            apply.own = {apply.weave.back()};
            apply.weave.back() = args.at(1).axis(0);
            input(0, {0, -1});
            input(1, {1, -1});
            break;
        case FunctionalForm::Outer:
            apply.weave.push_back(args.at(1).axis(0));
            input(0, {0});
            input(1, {1});
            break;
        case FunctionalForm::Rotate:
            apply.op = {OperatorKind::Rotate, label, 1, 0};
            apply.own = {apply.weave.back()};
            apply.weave.pop_back();
            input(0, {0, -1});
            break;
    }
    return apply;
}

// Operators of a block program as operators of a diagram.

void BlockDrawer::finish(Sheet& sheet, const Node& node, Apply apply, std::vector<int> inputs) {
    BlockValue made;
    made.type = {apply.weave, node.outputs[0].elem(), 1, false};
    Segment segment{.slots = {}, .elem = made.type.elem, .level = 1, .cached = false, .name = ""};
    for (int i = 0; i < static_cast<int>(apply.weave.size()); ++i) {
        made.item.push_back(i);
        segment.slots.push_back({false, i});
    }
    if (apply.op.kind == OperatorKind::Rotate) {  // its own axis stays
        made.item.push_back(static_cast<int>(made.type.axes.size()));
        made.type.axes.push_back(apply.own.front());
        segment.slots.push_back({true, 0});
    }
    apply.outputs = {segment};
    apply.origin.node = node.id;
    const int to = sheet.add(std::move(made));
    sheet.of[{node.id, 0}] = to;
    sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
}

std::vector<int> BlockDrawer::items(Sheet& sheet, const Node& node) {
    std::vector<int> arrays;
    for (const ValueRef& ref : node.inputs) arrays.push_back(item(sheet, ref));
    return arrays;
}

void BlockDrawer::functional(Sheet& sheet, const Node& node, FunctionalOp op) {
    const std::vector<int> arrays = items(sheet, node);
    std::vector<BlockValue> args;
    for (const int array : arrays) args.push_back(sheet.value(array));
    finish(sheet, node, functional_apply(op, args), arrays);
}

void BlockDrawer::elementwise(Sheet& sheet, const Node& node, const Elementwise& op) {
    const std::vector<int> arrays = items(sheet, node);
    Apply apply;
    for (const int array : arrays) {
        const BlockValue& value = sheet.value(array);
        if (!apply.weave.empty()) break;
        for (std::size_t i = 0; i < value.item.size(); ++i) apply.weave.push_back(value.axis(i));
    }
    const auto [vector, special] = expression_work(*op.expr);
    apply.op = {OperatorKind::Elementwise, expression_label(*op.expr, program_.dims), vector, special};
    for (const int array : arrays) apply.inputs.push_back(item_segment(sheet.value(array), {0, 1}));
    finish(sheet, node, std::move(apply), arrays);
}

// An array operator on whole arrays in global memory: each operand comes down once, each result goes up once.
void BlockDrawer::misc(Sheet& sheet, const Node& node, const Misc& op) {
    Apply apply;
    apply.op = {OperatorKind::Custom, op.name};
    apply.origin.node = node.id;
    const auto own = [&](const BlockValue& value) {
        Segment segment{
            .slots = {}, .elem = value.type.elem, .level = 1, .cached = false, .name = value.name};
        for (const AxisId axis : value.type.axes) {
            segment.slots.push_back({true, static_cast<int>(apply.own.size())});
            apply.own.push_back(axis);
        }
        return segment;
    };
    std::vector<int> arrays;
    for (const ValueRef& ref : node.inputs) {
        const int array = array_of(sheet, ref);
        const bool stored = sheet.value(array).type.level == 0;
        arrays.push_back(load(sheet, stored ? array : save(sheet, array, node.id), node.id));
        apply.inputs.push_back(own(sheet.value(arrays.back())));
    }
    std::vector<int> made;
    for (const Type& type : node.outputs) {
        BlockValue value = list_of(type);
        value.type.level = 1;
        apply.outputs.push_back(own(value));
        made.push_back(sheet.add(std::move(value)));
    }
    sheet.steps.push_back({circuit::apply(std::move(apply)), arrays, made});
    for (std::size_t port = 0; port < made.size(); ++port)
        sheet.of[{node.id, static_cast<int>(port)}] = save(sheet, made[port], node.id);
}

// Maps and reductions of a block program as groups and streams.

namespace {

std::vector<AxisId> sorted(std::vector<AxisId> axes) {
    std::sort(axes.begin(), axes.end());
    return axes;
}

// The port of `node` that output `port` of a peeled map goes on from, null if there is none.
const ValueRef* continued(const Node& node, const Map& map, std::size_t port) {
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
        if (map.inputs[i].mode == PortIn::Continued && map.inputs[i].continues == static_cast<int>(port))
            return &node.inputs[i];
    return nullptr;
}

}  // namespace

void BlockDrawer::map(Sheet& sheet, const Node& node, const Map& what) {
    const bool peeled = what.start > 0;
    if (peeled && hoisted_) throw NotHoisted{Text("a loop whose first iteration stands by itself")};
    if (single(what.dim)) return map_in_place(sheet, node, what);
    if (peeled && program_.dims.at(what.dim.value).blocks() == 1) return only_first(sheet, node, what);
    const PartitionKind kind = what.serial() ? PartitionKind::Stream : PartitionKind::Group;
    const Whole whole = peeled ? rest(what.dim) : Whole{{what.dim.value}, count_.at(what.dim.value)};
    MapParts parts;
    parts.made = {.kind = kind,
                  .whole = whole.axis,
                  .part = new_part(what.dim, whole.axis, kind),
                  .count = whole.count,
                  .split = {},
                  .join = {},
                  .body = nullptr,
                  .origin = {-1, node.id}};
    bind_inputs(sheet, node, what, parts);
    around_.push_back({what.dim, parts.made.part});
    const Inner body = draw_body(sheet, node, what, parts);
    around_.pop_back();
    parts.made.body = body.term;
    std::vector<int> outputs;
    for (std::size_t port = 0; port < what.outputs.size(); ++port) {
        Cut cut;
        BlockValue value = body.outputs[port];
        if (what.outputs[port].mode == PortOut::Collected)
            value = collected(std::move(value), what.dim, parts.made.part, whole.axis, whole.count, cut);
        parts.made.join.push_back(cut);
        outputs.push_back(sheet.add(std::move(value)));
    }
    sheet.steps.push_back({partition(std::move(parts.made)), parts.arrays, outputs});
    for (std::size_t port = 0; port < outputs.size(); ++port) {
        int made = outputs[port];
        const ValueRef* first = peeled ? continued(node, what, port) : nullptr;
        if (first && what.outputs[port].mode == PortOut::Collected) {
            BlockValue list = sheet.value(made);
            AxisId& axis = list.type.axes.at(static_cast<std::size_t>(list.lists.at(0)));
            axis = axis == whole.axis ? AxisId{what.dim.value} : count_.at(what.dim.value);
            int one = array_of(sheet, *first);
            if (!sheet.value(one).is_list()) one = save(sheet, item(sheet, *first), node.id);
            made = rejoined(sheet, one, made, list, node.id);
        }
        sheet.of[{node.id, static_cast<int>(port)}] = made;
    }
}

// A loop of one block is none: its body stands where the map is.
void BlockDrawer::map_in_place(Sheet& sheet, const Node& node, const Map& what) {
    const std::vector<NodePtr> inputs = what.body->inputs();
    std::size_t port = 0;
    for (const ValueRef& ref : node.inputs) sheet.of[{inputs.at(port++)->id, 0}] = array_of(sheet, ref);
    std::vector<PortOut> modes;
    for (const MapOutput& output : what.outputs) {
        if (output.mode == PortOut::Carried) throw NotHoisted{Text("what a loop of one block carries along")};
        modes.push_back(output.mode == PortOut::Collected ? PortOut::Collected : PortOut::Carried);
    }
    const std::vector<int> made = draw_nodes(sheet, *what.body, modes, std::vector<int>(modes.size(), -1));
    for (std::size_t i = 0; i < made.size(); ++i) {
        sheet.of[{node.id, static_cast<int>(i)}] = made[i];
        if (modes[i] == PortOut::Collected) ++sheet.values.at(static_cast<std::size_t>(made[i])).hidden;
    }
}

// Loads stand before what is done, as in the napkin's diagrams, where a streamed axis is relabelled as it is
// transferred (Section 2.4).
void BlockDrawer::load_at_head(Sheet& sheet, const Graph& graph) {
    for (const NodePtr& node : graph.inputs()) {
        const int array = sheet.of.at({node->id, 0});
        const BlockValue& value = sheet.value(array);
        if (!value.is_list() && !value.mask && value.type.level == 0 && takes_item(graph, node->id))
            item(sheet, array, node->id);
    }
}

bool BlockDrawer::takes_item(const Graph& graph, NodeId node) const {
    for (const NodePtr& user : graph.nodes())
        for (std::size_t i = 0; i < user->inputs.size(); ++i) {
            if (user->inputs[i].node != node) continue;
            const Map* map = user->as<Map>();
            if (!map && !user->is<Output>() && !user->is<Misc>()) return true;
            if (!map) continue;
            if (!single(map->dim) && map->serial()) return true;
            if (single(map->dim) && takes_item(*map->body, map->body->inputs().at(i)->id)) return true;
        }
    return false;
}

// The lists of a peeled map without an iteration but the first, and its sums.
void BlockDrawer::only_first(Sheet& sheet, const Node& node, const Map& what) {
    for (std::size_t port = 0; port < what.outputs.size(); ++port) {
        const ValueRef* first = continued(node, what, port);
        if (!first) throw InternalError("a peeled map that continues nothing");
        int made = array_of(sheet, *first);
        if (what.outputs[port].mode != PortOut::Collected) {
            made = item(sheet, *first);
        } else {
            if (!sheet.value(made).is_list()) made = save(sheet, item(sheet, *first), node.id);
            Cut cut;
            const BlockValue list = collected(sheet.value(made), what.dim, first_axis(what.dim),
                                              {what.dim.value}, count_.at(what.dim.value), cut);
            made = rejoined(sheet, made, -1, list, node.id);
        }
        sheet.of[{node.id, static_cast<int>(port)}] = made;
    }
}

void BlockDrawer::bind_inputs(Sheet& sheet, const Node& node, const Map& what, MapParts& parts) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (what.inputs[i].mode == PortIn::Continued) continue;
        const bool iterated = what.inputs[i].mode == PortIn::Iterated;
        int array = array_of(sheet, node.inputs[i]);
        if (iterated && what.start > 0) array = sliced(sheet, array, what.dim, false, node.id);
        // Groups load for themselves what is a list but for loops of one block.
        const bool whole = sheet.value(array).hidden > 0 && !what.serial();
        if (!iterated && !sheet.value(array).is_list() && !whole) array = item(sheet, node.inputs[i]);
        const auto [place, fresh] =
            parts.known.try_emplace({array, iterated}, static_cast<int>(parts.arrays.size()));
        parts.ports.inputs.push_back(place->second);
        if (!fresh) continue;
        Cut cut;
        parts.ports.arrays.push_back(iterated ? element(sheet.value(array), parts.made.part, cut)
                                              : sheet.value(array));
        parts.arrays.push_back(array);
        parts.made.split.push_back(cut);
    }
    for (const MapOutput& output : what.outputs) parts.ports.modes.push_back(output.mode);
    parts.ports.starts.resize(what.outputs.size(), -1);
    parts.made.carry.resize(what.outputs.size(), -1);
}

// What carried outputs begin with comes in like an input: the first iteration's value of a peeled map, or a
// constant, whose axes the body's own result says.
BlockDrawer::Inner BlockDrawer::draw_body(Sheet& sheet, const Node& node, const Map& what, MapParts& parts) {
    const auto begin = [&](std::size_t port, int array) {
        const int place = static_cast<int>(parts.arrays.size());
        parts.arrays.push_back(array);
        parts.ports.arrays.push_back(sheet.value(array));
        parts.made.split.push_back({});
        parts.made.carry[port] = place;
        return place;
    };
    std::vector<std::size_t> constants;
    for (std::size_t port = 0; port < what.outputs.size(); ++port) {
        const PortOut mode = what.outputs[port].mode;
        if (mode == PortOut::Collected) continue;
        if (const ValueRef* first = continued(node, what, port)) {
            const int place = begin(port, item(sheet, *first));
            if (mode == PortOut::Carried)
                parts.ports.inputs.push_back(place);
            else
                parts.ports.starts[port] = place;
        } else if (mode == PortOut::Carried) {
            constants.push_back(port);
            const int array =
                beginning(sheet, node, port, what.outputs[port].init, likely_axes(node.outputs[port]));
            parts.ports.inputs.push_back(begin(port, array));
        }
    }
    Inner body = draw(*what.body, parts.ports);
    bool guessed = true;
    for (const std::size_t port : constants) {
        const int place = parts.made.carry[port];
        const std::vector<AxisId>& axes = body.outputs[port].type.axes;
        if (sorted(axes) == sorted(parts.ports.arrays[static_cast<std::size_t>(place)].type.axes)) continue;
        guessed = false;
        const int array = beginning(sheet, node, port, what.outputs[port].init, axes);
        parts.arrays[static_cast<std::size_t>(place)] = array;
        parts.ports.arrays[static_cast<std::size_t>(place)] = sheet.value(array);
    }
    return guessed ? body : draw(*what.body, parts.ports);
}

// An item that is `init` everywhere.
int BlockDrawer::beginning(Sheet& sheet, const Node& node, std::size_t port, double init,
                           const std::vector<AxisId>& axes) {
    BlockValue value;
    value.type = {axes, node.outputs[port].elem(), 1, false};
    Apply apply;
    apply.op = {OperatorKind::Custom, std::isinf(init) ? "−∞" : number_text(init)};
    apply.weave = axes;
    apply.origin.node = node.id;
    Segment segment{.slots = {}, .elem = value.type.elem, .level = 1, .cached = false, .name = ""};
    for (int i = 0; i < static_cast<int>(axes.size()); ++i) {
        value.item.push_back(i);
        segment.slots.push_back({false, i});
    }
    apply.outputs = {segment};
    const int to = sheet.add(std::move(value));
    sheet.steps.push_back({circuit::apply(std::move(apply)), {}, {to}});
    return to;
}

// An item has the innermost part of each of its dimensions, unless a program nests a dimension in itself.
std::vector<AxisId> BlockDrawer::likely_axes(const Type& type) const {
    std::vector<DimId> dims;
    if (type.item().kind != ItemKind::Scalar) dims.push_back(type.item().rows);
    if (type.item().kind == ItemKind::Block) dims.push_back(type.item().cols);
    std::vector<AxisId> axes;
    for (const DimId dim : dims) {
        AxisId axis{dim.value};
        for (std::size_t i = 0; i + 1 < around_.size(); ++i)
            if (around_[i].first == dim) axis = around_[i].second;
        axes.push_back(axis);
    }
    return axes;
}

// Items one after the other, inside groups over the lists that they hold.
void BlockDrawer::reduce(Sheet& sheet, const Node& node, const Reduce& what) {
    const int array = array_of(sheet, node.inputs[0]);
    BlockValue value = sheet.value(array);
    if (!single(what.dim)) {  // the summed one innermost
        std::rotate(value.lists.begin(), value.lists.begin() + 1, value.lists.end());
        std::rotate(value.dims.begin(), value.dims.begin() + 1, value.dims.end());
    }
    std::vector<DimId> dims;
    const Type& type = node.outputs[0];
    for (int i = 0; i < type.rank(); ++i)
        if (!single(type.dim(i))) dims.push_back(type.dim(i));
    if (single(what.dim) && dims.empty()) {
        sheet.of[{node.id, 0}] = item(sheet, array, node.id);
        return;
    }
    BlockValue result;
    const TermPtr term = reduction(value, dims, 0, what, node.id, result);
    const int to = sheet.add(result);
    sheet.of[{node.id, 0}] = to;
    sheet.steps.push_back({term, {array}, {to}});
}

TermPtr BlockDrawer::reduction(const BlockValue& value, const std::vector<DimId>& dims, std::size_t depth,
                               const Reduce& what, NodeId node, BlockValue& result) {
    const bool last = depth == dims.size();
    const DimId dim = last ? what.dim : dims[depth];
    const PartitionKind kind = last ? PartitionKind::Stream : PartitionKind::Group;
    const AxisId whole{dim.value};
    Partition made{.kind = kind,
                   .whole = whole,
                   .part = new_part(dim, whole, kind),
                   .count = count_.at(dim.value),
                   .split = {},
                   .join = {},
                   .body = nullptr,
                   .origin = {-1, node}};
    Cut split;
    Cut join;
    const BlockValue inner = element(value, made.part, split);
    Sheet sheet;
    sheet.add(inner);
    if (last) {
        const PortOut mode = what.op == ReduceOp::Sum ? PortOut::ReducedSum : PortOut::ReducedMax;
        const int sum = accumulated(sheet, item(sheet, 0, node), node, mode, -1);
        made.body = closed(sheet, {0}, {sum});
        result = sheet.value(sum);
    } else {
        BlockValue out;
        int to_place = static_cast<int>(sheet.values.size());
        if (depth + 1 == dims.size() && single(what.dim)) {
            to_place = item(sheet, 0, node);
            out = sheet.value(to_place);
        } else {
            const TermPtr term = reduction(inner, dims, depth + 1, what, node, out);
            sheet.add(out);
            sheet.steps.push_back({term, {0}, {to_place}});
        }
        const int stored = out.type.level > 0 ? save(sheet, to_place, node) : to_place;
        made.body = closed(sheet, {0}, {stored});
        result = collected(sheet.value(stored), dim, made.part, whole, made.count, join);
    }
    made.split = {split};
    made.join = {join};
    return partition(std::move(made));
}

}  // namespace blockscope::circuit
