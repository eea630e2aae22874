// Where the statements of an expression stand, and the expression's text with them.
#include <algorithm>
#include <map>

#include "core/tilings/expression.h"

namespace blockscope::tilings {

namespace {

using Path = std::vector<int>;

// The path to the deepest of `loops` that the forest has; they lie on one path.
Path deepest(const LoopForest& forest, const std::vector<int>& loops) {
    Path longest = {};
    for (const int loop : loops) {
        Path path = path_to(forest, loop);
        if (path.size() > longest.size()) longest = std::move(path);
    }
    return longest;
}

// A compute block, or (after the last one) the store, with the loads just before it.
struct Carrier {
    Path at = {};
    int first = 0;  // of Placer::statements: the loads, then itself
    int last = 0;
};

class Placer {
public:
    Placer(const Chain& chain, const LoopForest& forest, Stage stage)
        : chain_(chain), forest_(forest), stage_(stage) {}

    Placed placed() {
        for (std::size_t i = 0; i < chain_.products.size(); ++i) add_product(static_cast<int>(i));
        add_store();
        placed_.loops.push_back({});
        fill(0, forest_, {});
        return std::move(placed_);
    }

private:
    void add_product(int index) {
        const Product& product = chain_.products[static_cast<std::size_t>(index)];
        const std::vector<int> loops{product.row, product.col, product.depth};
        Carrier carrier{.at = deepest(forest_, loops), .first = count()};
        for (const int input : product.loads) add_load(input, carrier.at);
        placed_.statements.push_back({.kind = StatementKind::Compute,
                                      .array = product.name,
                                      .loops = loops,
                                      .around = carrier.at,
                                      .product = index});
        carrier.last = count() - 1;
        carriers_.push_back(std::move(carrier));
    }

    void add_store() {
        const StoredResult& output = chain_.output;
        const std::vector<int> loops{output.row, output.col};
        Path at = deepest(forest_, loops);
        if (stage_ == Stage::Default)
            for (const int need : output.needs)
                if (carriers_[static_cast<std::size_t>(need)].at.size() > at.size())
                    at = carriers_[static_cast<std::size_t>(need)].at;
        Carrier carrier{.at = at, .first = count()};
        for (const int input : output.loads) add_load(input, at);
        placed_.statements.push_back(
            {.kind = StatementKind::Store, .array = output.name, .loops = loops, .around = at});
        carrier.last = count() - 1;
        carriers_.push_back(std::move(carrier));
    }

    // Two blocks that read one tile at the same place load it once.
    void add_load(int input, const Path& compute) {
        const TiledArray& array = chain_.inputs[static_cast<std::size_t>(input)];
        Path at = compute;
        if (stage_ != Stage::Default) {
            at = deepest(forest_, array.loops);
            at.resize(std::min(at.size(), compute.size()));
        }
        for (const Statement& other : placed_.statements)
            if (other.kind == StatementKind::Load && other.input == input && other.around == at) return;
        placed_.statements.push_back({.kind = StatementKind::Load,
                                      .array = array.name,
                                      .loops = array.loops,
                                      .around = at,
                                      .input = input});
    }

    int count() const { return static_cast<int>(placed_.statements.size()); }

    static bool inside(const Path& path, const Path& of) {
        return path.size() >= of.size() && std::equal(of.begin(), of.end(), path.begin());
    }

    // Fills a loop: its subtrees and the blocks that stand in it, by the first block that each holds.
    void fill(std::size_t index, const LoopForest& inner, const Path& here) {
        std::map<std::pair<int, int>, int> order;  // {first carrier, 1 for a subtree}: subtree or -1
        for (std::size_t i = 0; i < carriers_.size(); ++i)
            if (carriers_[i].at == here) order[{static_cast<int>(i), 0}] = -1;
        for (std::size_t child = 0; child < inner.size(); ++child) {
            Path path = here;
            path.push_back(inner[child].loop);
            for (std::size_t i = 0; i < carriers_.size(); ++i)
                if (inside(carriers_[i].at, path)) {
                    order[{static_cast<int>(i), 1}] = static_cast<int>(child);
                    break;
                }
        }
        for (const auto& [key, child] : order) {
            if (child < 0) {
                add_statements(index, here, [&, carrier = key.first](int i) { return i == carrier; });
                continue;
            }
            Path path = here;
            path.push_back(inner[static_cast<std::size_t>(child)].loop);
            add_statements(index, here,
                           [&](int i) { return inside(carriers_[static_cast<std::size_t>(i)].at, path); });
            const int made = static_cast<int>(placed_.loops.size());
            placed_.loops.push_back({.loop = path.back()});
            placed_.loops[index].items.push_back({.loop = made});
            fill(static_cast<std::size_t>(made), inner[static_cast<std::size_t>(child)].inner, path);
        }
    }

    // The statements of these carriers that stand right here.
    template <class Chosen>
    void add_statements(std::size_t index, const Path& here, const Chosen& chosen) {
        for (std::size_t i = 0; i < carriers_.size(); ++i) {
            if (!chosen(static_cast<int>(i))) continue;
            for (int statement = carriers_[i].first; statement <= carriers_[i].last; ++statement)
                if (placed_.statements[static_cast<std::size_t>(statement)].around == here)
                    placed_.loops[index].items.push_back({.statement = statement});
        }
    }

    const Chain& chain_;
    const LoopForest& forest_;
    Stage stage_;
    Placed placed_;
    std::vector<Carrier> carriers_;
};

std::string loop_text(const Placed& placed, const Chain& chain, int index) {
    const PlacedLoop& loop = placed.loops[static_cast<std::size_t>(index)];
    std::string text = loop.loop < 0 ? "" : chain.loops[static_cast<std::size_t>(loop.loop)].name;
    const bool letters = std::all_of(chain.loops.begin(), chain.loops.end(),
                                     [](const Loop& other) { return other.name.size() == 1; });
    // A loop that holds nothing but another one stands before it, as in mhn(...).
    if (loop.items.size() == 1 && loop.items.front().loop >= 0)
        return text + (letters || text.empty() ? "" : " ") +
               loop_text(placed, chain, loop.items.front().loop);
    std::string inner = {};
    for (const PlacedLoop::Item& item : loop.items) {
        if (!inner.empty()) inner += ",";
        inner += item.loop >= 0 ? loop_text(placed, chain, item.loop)
                                : to_string(placed.statements[static_cast<std::size_t>(item.statement)]);
    }
    return loop.loop < 0 || inner.empty() ? text + inner : text + "(" + inner + ")";
}

void add_tree(const Placed& placed, const Chain& chain, int index, int depth, std::string& text) {
    const auto line = [&](const std::string& words, int indent) {
        text += std::string(static_cast<std::size_t>(indent) * 2, ' ') + words + "\n";
    };
    const PlacedLoop& loop = placed.loops[static_cast<std::size_t>(index)];
    if (loop.loop >= 0) line("for " + chain.loops[static_cast<std::size_t>(loop.loop)].name, depth++);
    for (const PlacedLoop::Item& item : loop.items) {
        if (item.loop >= 0)
            add_tree(placed, chain, item.loop, depth, text);
        else
            line(to_string(placed.statements[static_cast<std::size_t>(item.statement)]), depth);
    }
}

}  // namespace

std::string to_string(const Statement& statement) {
    constexpr const char* kLetters[] = {"L_", "C_", "S_"};
    return kLetters[static_cast<int>(statement.kind)] + statement.array;
}

Placed place(const Chain& chain, const LoopForest& forest, Stage stage, const std::vector<int>& ones) {
    const LoopForest left = stage == Stage::Reduced ? without(forest, ones) : forest;
    return Placer(chain, left, stage).placed();
}

std::string to_string(const Placed& placed, const Chain& chain) {
    return loop_text(placed, chain, 0);
}

std::string tree_text(const Placed& placed, const Chain& chain) {
    std::string text = {};
    add_tree(placed, chain, 0, 0, text);
    return text;
}

}  // namespace blockscope::tilings
