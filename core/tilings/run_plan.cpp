#include "core/tilings/run_plan.h"

#include <algorithm>
#include <optional>
#include <set>

namespace blockscope::tilings {

namespace {

class Planner {
public:
    Planner(const Chain& chain, const LoopForest& forest) : chain_(chain), forest_(forest) {}

    RunPlan plan() {
        for (int index = 0; index <= count(); ++index) place(index);
        plan_.loops.push_back({});
        plan_.statements.resize(static_cast<std::size_t>(count()) + 1);
        fill(0, forest_, {});
        for (int index = 0; index < count(); ++index) plan_.alive.push_back(alive(index));
        find_tasks();
        return std::move(plan_);
    }

private:
    int count() const { return static_cast<int>(chain_.products.size()); }
    const Product& product(int index) const { return chain_.products[static_cast<std::size_t>(index)]; }
    const std::vector<int>& needs(int index) const {
        return index == count() ? chain_.output.needs : product(index).needs;
    }
    std::vector<int> loops_of(int index) const {
        if (index == count()) return {chain_.output.row, chain_.output.col};
        return {product(index).row, product(index).col, product(index).depth};
    }

    // The reductions that have to end before a statement runs.
    void awaited(int index, std::set<int>& reductions) const {
        for (const int need : needs(index)) {
            reductions.insert(product(need).depth);
            awaited(need, reductions);
        }
    }

    // Where a statement stands: at the deepest of its loops; as deep as what it waits for, if that stands
    // below, so that it runs between what it waits for and what waits for it.
    void place(int index) {
        std::vector<int> path;
        for (const int loop : loops_of(index)) longer(path, path_to(forest_, loop));
        paths_.push_back(path);
    }
    static void longer(std::vector<int>& path, const std::vector<int>& other) {
        if (other.size() > path.size()) path = other;
    }

    static bool inside(const std::vector<int>& path, const std::vector<int>& of) {
        return path.size() >= of.size() && std::equal(of.begin(), of.end(), path.begin());
    }

    bool waits(int index, int on) const {
        const std::vector<int>& direct = needs(index);
        return std::any_of(direct.begin(), direct.end(),
                           [&](int need) { return need == on || waits(need, on); });
    }

    // A statement of a loop that has something it waits for and something that waits for it in one subtree
    // goes into that subtree.
    std::optional<std::size_t> between(int index, const LoopForest& inner,
                                       const std::vector<int>& here) const {
        for (std::size_t child = 0; child < inner.size(); ++child) {
            std::vector<int> path = here;
            path.push_back(inner[child].loop);
            bool before = false;
            bool after = false;
            for (int other = 0; other <= count(); ++other) {
                if (!inside(paths_[static_cast<std::size_t>(other)], path)) continue;
                before |= waits(index, other);
                after |= waits(other, index);
            }
            if (before && after) return child;
        }
        return std::nullopt;
    }

    void fill(std::size_t at, const LoopForest& inner, const std::vector<int>& here) {
        for (int index = 0; index <= count(); ++index) {
            if (paths_[static_cast<std::size_t>(index)] != here) continue;
            if (const auto child = between(index, inner, here))
                paths_[static_cast<std::size_t>(index)].push_back(inner[*child].loop);
        }
        std::vector<Part> parts;
        for (int index = 0; index <= count(); ++index)
            if (paths_[static_cast<std::size_t>(index)] == here) parts.push_back({.members = {index}});
        for (std::size_t child = 0; child < inner.size(); ++child) {
            std::vector<int> path = here;
            path.push_back(inner[child].loop);
            Part part{.child = static_cast<int>(child)};
            for (int index = 0; index <= count(); ++index)
                if (inside(paths_[static_cast<std::size_t>(index)], path)) part.members.push_back(index);
            parts.push_back(std::move(part));
        }
        while (!parts.empty()) {
            const auto next = next_part(parts);
            if (next->child < 0) {
                add(next->members.front(), at, here);
            } else {
                const LoopNode& node = inner[static_cast<std::size_t>(next->child)];
                std::vector<int> path = here;
                path.push_back(node.loop);
                const std::size_t made = plan_.loops.size();
                plan_.loops.push_back({.loop = node.loop});
                plan_.loops[at].items.push_back({.loop = static_cast<int>(made)});
                fill(made, node.inner, path);
            }
            parts.erase(next);
        }
    }

    // A statement that stands in a loop, or a subtree of it with all that it holds.
    struct Part {
        int child = -1;
        std::vector<int> members = {};
    };

    // The first that waits for no other one.
    std::vector<Part>::iterator next_part(std::vector<Part>& parts) const {
        std::sort(parts.begin(), parts.end(),
                  [](const Part& a, const Part& b) { return a.members < b.members; });
        const auto waits_for = [&](const Part& part, const Part& other) {
            for (const int member : part.members)
                for (const int before : other.members)
                    if (waits(member, before)) return true;
            return false;
        };
        for (auto part = parts.begin(); part != parts.end(); ++part)
            if (std::none_of(parts.begin(), parts.end(),
                             [&](const Part& other) { return &other != &*part && waits_for(*part, other); }))
                return part;
        throw InternalError("subtrees of a tiling expression wait for each other");
    }

    void add(int index, std::size_t at, const std::vector<int>& here) {
        std::set<int> last;
        awaited(index, last);
        const std::vector<int> own = loops_of(index);
        PlannedStatement& statement = plan_.statements[static_cast<std::size_t>(index)];
        statement.index = index;
        const int depth = index == count() ? -1 : product(index).depth;
        bool in_own = false;
        for (const int loop : here) {
            in_own |= loop == depth;
            if (contains(own, loop)) continue;
            if (last.count(loop) > 0)
                statement.guards.push_back({loop, true});
            else if (in_own)
                statement.guards.push_back({loop, false});
        }
        plan_.loops[at].items.push_back({.statement = index});
    }

    // Loops of the result inside the product's reduction.
    std::vector<int> alive(int index) const {
        std::vector<int> loops;
        for (const int loop : {product(index).row, product(index).col})
            if (contains(path_to(forest_, loop), product(index).depth)) loops.push_back(loop);
        return loops;
    }

    void find_tasks() {
        const LoopForest* level = &forest_;
        while (level->size() == 1 && chain_.spatial(level->front().loop)) {
            plan_.tasks.push_back(level->front().loop);
            level = &level->front().inner;
        }
    }

    const Chain& chain_;
    const LoopForest& forest_;
    RunPlan plan_;
    std::vector<std::vector<int>> paths_;
};

}  // namespace

RunPlan plan_run(const Chain& chain, const LoopForest& forest) {
    return Planner(chain, forest).plan();
}

}  // namespace blockscope::tilings
