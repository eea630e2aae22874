#include "tests/support/random_blocks.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "core/graph/graph.h"
#include "tests/support/random_items.h"

namespace blockscope {

GraphPtr without_dead_nodes(const Graph& graph, bool keep_inputs) {
    std::set<NodeId> alive;
    std::vector<NodePtr> kept;
    for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node) {
        const bool port = (*node)->is<Output>() || (keep_inputs && (*node)->is<Input>());
        if (!port && !alive.contains((*node)->id)) continue;
        for (const ValueRef& ref : (*node)->inputs) alive.insert(ref.node);
        kept.push_back(*node);
    }
    std::reverse(kept.begin(), kept.end());
    return std::make_shared<const Graph>(std::move(kept));
}

namespace {

using Body = std::function<Values(Builder&, const Values&)>;

struct Entry {
    ValueRef value;
    PortIn mode;
};

constexpr int kDeepest = 3;

class BlockGenerator {
public:
    explicit BlockGenerator(std::uint64_t seed) : random_(seed), ids_(1) {}

    BlockProgram run() {
        make_dims();
        Builder builder(dims_, ids_);
        Values inputs;
        const int count = random_.between(2, 4);
        for (int i = 0; i < count; ++i)
            inputs.push_back(builder.input(input_type(), Input{"X" + std::to_string(i + 1)}));
        const Values results = level(builder, inputs, 0, random_.between(3, 7));
        for (std::size_t i = 0; i < results.size(); ++i)
            builder.output(results[i], "Y" + std::to_string(i + 1));
        return {dims_, without_dead_nodes(*builder.finish(), false), ids_.next()};
    }

private:
    void make_dims() {
        const std::vector<std::string> names{"M", "N", "K"};
        const int count = random_.between(2, 3);
        for (int i = 0; i < count; ++i) {
            const int blocks = random_.pick(std::vector<int>{2, 2, 3, 3, 3, 1});
            const int block = random_.between(1, 2);
            dims_.push_back(
                {names[static_cast<std::size_t>(i)], std::int64_t{blocks} * block, block, DimKind::Blocked});
        }
    }

    DimId dim() { return DimId{static_cast<std::uint16_t>(random_.below(static_cast<int>(dims_.size())))}; }

    // Mostly arrays as a converted program has them; some lists of anything.
    Type input_type() {
        const int shape = random_.below(10);
        const DimId a = dim();
        const DimId b = dim();
        if (shape < 5) return Type(Item::block(a, b), ElemType::F32).list_over(b).list_over(a);
        if (shape < 7) return Type(Item::vector(a), ElemType::F32).list_over(a);
        const Item item = random_.chance(60) ? Item::block(a, b) : Item::vector(a);
        Type type(item, ElemType::F32);
        const int rank = random_.between(1, 2);
        for (int i = 0; i < rank; ++i) type = type.list_over(dim());
        return type;
    }

    // ---- choosing values ----

    std::optional<ValueRef> choose(const Builder& b, const Values& values, const Condition& fits) {
        return choose_value(random_, b, values, fits);
    }

    static bool is_list(const Type& type) { return type.is_list(); }

    // ---- maps ----

    Values make_map(Builder& outer, DimId over, const std::vector<Entry>& entries, const Body& body,
                    int percent_reduced = 0) {
        Builder inner(dims_, ids_);
        Map map;
        map.dim = over;
        Values inputs;
        Values ports;
        for (const Entry& entry : entries) {
            const Type type = outer.type(entry.value);
            ports.push_back(inner.input(entry.mode == PortIn::Iterated ? type.element() : type));
            map.inputs.push_back({entry.mode});
            inputs.push_back(entry.value);
        }
        for (const ValueRef& result : body(inner, ports)) {
            const bool reduce = is_item(inner.type(result)) && random_.chance(percent_reduced);
            const PortOut reduced = random_.chance(80) ? PortOut::ReducedSum : PortOut::ReducedMax;
            map.outputs.push_back({reduce ? reduced : PortOut::Collected});
            inner.output(result);
        }
        map.body = without_dead_nodes(*inner.finish(), true);
        return outer.map(std::move(map), inputs);
    }

    void enter(std::vector<Entry>& entries, ValueRef value, PortIn mode) {
        const bool there = std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
            return entry.value == value && entry.mode == mode;
        });
        if (!there) entries.push_back({value, mode});
    }

    // `value` and up to two more, each iterated or broadcast or both.
    std::vector<Entry> entries_for(const Builder& b, const Values& values, ValueRef value) {
        std::vector<Entry> entries{{value, PortIn::Iterated}};
        const DimId over = b.type(value).dim(0);
        const int more = random_.below(3);
        for (int i = 0; i < more; ++i) {
            const ValueRef other = random_.pick(values);
            const Type type = b.type(other);
            const bool iterable = type.is_list() && type.dim(0) == over;
            const bool iterated = iterable && random_.chance(75);
            if (iterated) enter(entries, other, PortIn::Iterated);
            if (!iterated || random_.chance(15)) enter(entries, other, PortIn::Broadcast);
        }
        return entries;
    }

    Values random_map(Builder& b, const Values& values, int depth) {
        const auto list = choose(b, values, is_list);
        if (!list) return {};
        const std::vector<Entry> entries = entries_for(b, values, *list);
        const int steps = random_.between(1, depth == 0 ? 4 : 2);
        const auto body = [&](Builder& inner, const Values& ports) {
            return level(inner, ports, depth + 1, steps);
        };
        return make_map(b, b.type(*list).dim(0), entries, body, 12);
    }

    // A map with one operator on items in its body, as conversion makes them; lists of lists get nested maps.
    Values single_map(Builder& b, const Values& values) {
        const auto list = choose(b, values, is_list);
        if (!list) return {};
        const std::vector<Entry> entries = entries_for(b, values, *list);
        const auto body = [&](Builder& inner, const Values& ports) -> Values {
            if (is_item(inner.type(ports[0]))) return {item_operator(inner, ports, ports[0])};
            return single_map(inner, {ports[0]});
        };
        return make_map(b, b.type(*list).dim(0), entries, body);
    }

    // ---- items ----

    ValueRef item_operator(Builder& b, const Values& values, ValueRef a) {
        return random_item_operator(random_, b, values, a);
    }

    Values item_step(Builder& b, const Values& values) {
        const auto a = choose(b, values, is_item);
        if (!a) return {};
        ValueRef result = item_operator(b, values, *a);
        if (random_.chance(25)) result = b.elementwise(random_unary(random_), {result});
        return {result};
    }

    Values reduction(Builder& b, const Values& values) {
        const auto list = choose(b, values, is_list);
        if (!list) return {};
        return {b.reduce(random_.chance(85) ? ReduceOp::Sum : ReduceOp::Max, b.type(*list).dim(0), *list)};
    }

    // ---- what the rules look for ----

    static bool is_block_row(const Type& type) {
        return type.rank() == 1 && type.item().kind == ItemKind::Block && type.dim(0) == type.item().cols;
    }

    // The row sums of each block of a row.
    ValueRef block_sums(Builder& b, ValueRef row) {
        const auto body = [](Builder& inner, const Values& ports) -> Values {
            return {inner.functional(FunctionalOp::RowSum, {ports[0]})};
        };
        return make_map(b, b.type(row).dim(0), {{row, PortIn::Iterated}}, body)[0];
    }

    // What the innermost map of a product holds: dot, sometimes with its operands swapped, rarely another
    // operator.
    Body product_body(Builder& b, ValueRef row, ValueRef rows) {
        const bool alike = b.type(row).item() == b.type(rows).item();
        const FunctionalOp op = alike && random_.chance(15) ? FunctionalOp::Mul : FunctionalOp::Dot;
        const bool swapped = random_.chance(15);
        return [op, swapped](Builder& inner, const Values& ports) -> Values {
            return {inner.functional(op, {ports[swapped ? 1 : 0], ports[swapped ? 0 : 1]})};
        };
    }

    // N-map { K-map { dot }; sum over K } of a row of blocks and a list of rows.
    ValueRef row_product(Builder& b, ValueRef row, ValueRef rows) {
        const DimId k = b.type(row).dim(0);
        const Body dot = product_body(b, row, rows);
        const ReduceOp reduce = random_.chance(90) ? ReduceOp::Sum : ReduceOp::Max;
        const auto body = [&](Builder& inner, const Values& ports) -> Values {
            const Values products =
                make_map(inner, k, {{ports[0], PortIn::Iterated}, {ports[1], PortIn::Iterated}}, dot);
            return {inner.reduce(reduce, k, products[0])};
        };
        return make_map(b, b.type(rows).dim(0), {{row, PortIn::Broadcast}, {rows, PortIn::Iterated}},
                        body)[0];
    }

    // A map of row_scale or row_shift over a row of blocks: by one vector, or by one for each block.
    ValueRef scaled_row(Builder& b, const Values& values, ValueRef row) {
        const DimId k = b.type(row).dim(0);
        const Item vector = Item::vector(b.type(row).item().rows);
        const FunctionalOp op = random_.chance(55) ? FunctionalOp::RowScale : FunctionalOp::RowShift;
        const auto body = [&](Builder& inner, const Values& ports) -> Values {
            return {inner.functional(op, {ports[0], ports[1]})};
        };
        if (random_.chance(15)) {
            const ValueRef each = block_sums(b, row);
            return make_map(b, k, {{row, PortIn::Iterated}, {each, PortIn::Iterated}}, body)[0];
        }
        const auto given =
            choose(b, values, [&](const Type& type) { return is_item(type) && type.item() == vector; });
        const ValueRef c =
            given && random_.chance(70) ? *given : b.reduce(ReduceOp::Sum, k, block_sums(b, row));
        return make_map(b, k, {{row, PortIn::Iterated}, {c, PortIn::Broadcast}}, body)[0];
    }

    // A scaled or shifted row of blocks, with one to three products as its consumers and sometimes another.
    Values scaled_products(Builder& b, const Values& values) {
        const auto row = choose(b, values, is_block_row);
        if (!row) return {};
        const Item item = b.type(*row).item();
        const DimId k = item.cols;
        const auto rows = choose(b, values, [&](const Type& type) {
            return type.rank() == 2 && type.dim(1) == k && type.item().kind == ItemKind::Block &&
                   type.item().cols == k;
        });
        if (!rows) return {};
        const ValueRef scaled = scaled_row(b, values, *row);
        Values results;
        const int products = random_.pick(std::vector<int>{1, 1, 1, 2, 2, 3});
        for (int i = 0; i < products; ++i) results.push_back(row_product(b, scaled, *rows));
        if (random_.chance(15)) results.push_back(scaled);
        return results;
    }

    // U over Y and V over X with a Y-map inside that meets U's output (a) or what U iterates over (b, c). All
    // outputs of the graph come from V, so that the rules 6 and 7 apply.
    Values extension(Builder& b, const Values& inputs, const Values& values, int depth) {
        const Values computed(values.begin() + static_cast<std::ptrdiff_t>(inputs.size()), values.end());
        auto list = choose(b, random_.chance(50) ? computed : values, is_list);
        if (!list) list = choose(b, values, is_list);
        const auto iterated = choose(b, inputs, is_list);
        if (!list || !iterated) return {};
        const DimId y = b.type(*list).dim(0);
        const auto single = [&](Builder& inner, const Values& ports) -> Values {
            if (is_item(inner.type(ports[0]))) return {item_operator(inner, ports, ports[0])};
            return single_map(inner, {ports[0]});
        };
        const ValueRef u = make_map(b, y, {{*list, PortIn::Iterated}}, single)[0];
        const ValueRef met = random_.chance(45) ? u : *list;
        std::vector<Entry> entries{{*iterated, PortIn::Iterated}, {met, PortIn::Broadcast}};
        enter(entries, met == u && random_.chance(70) ? u : b.reduce(ReduceOp::Sum, y, u), PortIn::Broadcast);
        if (random_.chance(30)) enter(entries, random_.pick(inputs), PortIn::Broadcast);
        const auto body = [&](Builder& inner, const Values& ports) -> Values {
            std::vector<Entry> all{{ports[1], PortIn::Iterated}};
            for (std::size_t i = 0; i < ports.size(); ++i)
                if (i != 1) all.push_back({ports[i], PortIn::Broadcast});
            const auto nested = [&](Builder& most_inner, const Values& most) {
                return level(most_inner, most, depth + 2, random_.between(1, 2));
            };
            Values results = make_map(inner, y, all, nested, 20);
            if (random_.chance(40)) return level(inner, results, depth + 1, 1);
            return results;
        };
        return make_map(b, b.type(*iterated).dim(0), entries, body, 10);
    }

    Values miscellaneous(Builder& b, const Values& values) {
        const auto list = choose(b, values, is_list);
        if (!list) return {};
        std::vector<ValueRef> inputs{*list};
        const auto second = choose(b, values, is_list);
        if (second && random_.chance(30)) inputs.push_back(*second);
        return b.misc("mystery", inputs, {b.type(*list)});
    }

    // ---- one level ----

    Values step(Builder& b, const Values& values, int depth) {
        const bool deep = depth >= kDeepest;
        const std::vector<int> weights{deep ? 0 : 16, deep ? 0 : 22,    14, 22,
                                       deep ? 0 : 14, depth > 1 ? 0 : 2};
        switch (random_.weighted(weights)) {
            case 0:
                return random_map(b, values, depth);
            case 1:
                return single_map(b, values);
            case 2:
                return reduction(b, values);
            case 3:
                return item_step(b, values);
            case 4:
                return scaled_products(b, values);
            default:
                return miscellaneous(b, values);
        }
    }

    // Adds some steps and returns at least one value that they computed.
    Values level(Builder& b, const Values& inputs, int depth, int steps) {
        Values values = inputs;
        Values last;
        for (int i = 0; i < steps; ++i) {
            Values results = step(b, values, depth);
            if (results.empty()) continue;
            values.insert(values.end(), results.begin(), results.end());
            last = std::move(results);
        }
        if (depth < kDeepest - 1 && random_.chance(depth == 0 ? 35 : 15)) {
            Values results = extension(b, inputs, values, depth);
            if (!results.empty()) return results;
        }
        if (last.empty()) last = fallback(b, inputs);
        if (random_.chance(8)) last.push_back(last.front());
        if (random_.chance(50)) return last;
        return sinks(values, inputs.size(), last);
    }

    Values fallback(Builder& b, const Values& inputs) {
        const auto item = choose(b, inputs, is_item);
        if (item) return {b.elementwise(random_unary(random_), {*item})};
        return single_map(b, inputs);
    }

    // `last` and some other computed values.
    Values sinks(const Values& values, std::size_t inputs, Values last) {
        for (std::size_t i = inputs; i < values.size() && last.size() < 4; ++i) {
            const bool there = std::find(last.begin(), last.end(), values[i]) != last.end();
            if (!there && random_.chance(35)) last.push_back(values[i]);
        }
        return last;
    }

    Random random_;
    IdSource ids_;
    DimTable dims_;
};

}  // namespace

BlockProgram random_block_program(std::uint64_t seed) {
    return BlockGenerator(seed).run();
}

}  // namespace blockscope
