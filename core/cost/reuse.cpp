#include "core/cost/reuse.h"

#include <algorithm>
#include <cmath>

namespace blockscope {

namespace {

using Volumes = std::vector<double>;  // per entry of KernelWork::buffers

double sum(const Volumes& volumes) {
    double total = 0;
    for (const double v : volumes) total += v;
    return total;
}

struct Moved {
    Volumes distinct;  // bytes touched
    Volumes missed;    // bytes moved past the cache
};

class Walk {
public:
    Walk(const StateWork& state, const KernelWork& kernel, const CacheView& cache)
        : kernel_(kernel), cache_(cache), slots_(kernel.buffers.size()) {
        for (std::size_t i = 0; i < kernel.accesses.size(); ++i)
            slot_of_.push_back(slot(state, kernel.accesses[i]));
        split_tasks();
    }

    Volumes run() {
        Moved all = block(kernel_.roots);
        return std::move(all.missed);
    }

private:
    // The entry of an access, -1 for generated masks.
    int slot(const StateWork& state, const WorkAccess& access) const {
        if (state.buffers[static_cast<std::size_t>(access.buffer)].generated) return -1;
        for (std::size_t i = 0; i < slots_; ++i)
            if (kernel_.buffers[i].buffer == access.buffer) return static_cast<int>(i);
        return -1;
    }

    // Iterations of the task loops that run at once, innermost loops first, and how many such waves follow.
    void split_tasks() {
        spans_.assign(kernel_.loops.size(), 1);
        double left = std::max(1.0, std::min(cache_.wave, kernel_.tasks));
        for (std::size_t i = kernel_.loops.size(); i-- > 0;) {
            if (!kernel_.loops[i].task) continue;
            spans_[i] = std::max(1.0, std::min(kernel_.loops[i].trips, left));
            left = std::ceil(left / spans_[i]);
        }
    }

    double trips(int loop) const {
        const auto at = static_cast<std::size_t>(loop);
        return kernel_.loops[at].trips / spans_[at];
    }

    // What one statement moves: its item, for all tasks of the wave.
    Moved access(int index) const {
        const WorkAccess& access = kernel_.accesses[static_cast<std::size_t>(index)];
        Moved moved{Volumes(slots_, 0), Volumes(slots_, 0)};
        const int to = slot_of_[static_cast<std::size_t>(index)];
        if (to < 0) return moved;
        double bytes = access.bytes;
        for (const int id : access.varies) bytes *= spans_[static_cast<std::size_t>(id)];
        double runs = 1;  // without a cache every task of the wave moves it
        if (cache_.bytes <= 0)
            for (std::size_t i = 0; i < spans_.size(); ++i)
                if (std::find(access.varies.begin(), access.varies.end(), static_cast<int>(i)) ==
                    access.varies.end())
                    runs *= spans_[i];
        moved.distinct[static_cast<std::size_t>(to)] = bytes;
        moved.missed[static_cast<std::size_t>(to)] = bytes * runs;
        return moved;
    }

    // Whether any access below indexes with the loop.
    void mark_varying(const std::vector<WorkNode>& nodes, int loop, std::vector<bool>& varying) const {
        for (const WorkNode& node : nodes) {
            if (node.loop >= 0) {
                mark_varying(kernel_.loops[static_cast<std::size_t>(node.loop)].body, loop, varying);
                continue;
            }
            const int to = slot_of_[static_cast<std::size_t>(node.access)];
            const std::vector<int>& varies = kernel_.accesses[static_cast<std::size_t>(node.access)].varies;
            if (to >= 0 && std::find(varies.begin(), varies.end(), loop) != varies.end())
                varying[static_cast<std::size_t>(to)] = true;
        }
    }

    bool fits(const Volumes& distinct) const { return cache_.bytes > 0 && sum(distinct) <= cache_.bytes; }

    Moved block(const std::vector<WorkNode>& nodes) const {
        Moved all{Volumes(slots_, 0), Volumes(slots_, 0)};
        for (const WorkNode& node : nodes) {
            const Moved part = node.loop >= 0 ? loop(node.loop) : access(node.access);
            for (std::size_t i = 0; i < slots_; ++i) {
                all.distinct[i] = std::max(all.distinct[i], part.distinct[i]);
                all.missed[i] += part.missed[i];
            }
        }
        if (fits(all.distinct)) all.missed = all.distinct;
        return all;
    }

    Moved loop(int id) const {
        const std::vector<WorkNode>& body = kernel_.loops[static_cast<std::size_t>(id)].body;
        const Moved one = block(body);
        std::vector<bool> varying(slots_, false);
        mark_varying(body, id, varying);
        const double count = trips(id);
        const bool reused = fits(one.distinct);
        Moved all = one;
        for (std::size_t i = 0; i < slots_; ++i) {
            if (varying[i]) all.distinct[i] *= count;
            if (varying[i] || !reused) all.missed[i] *= count;
        }
        if (fits(all.distinct)) all.missed = all.distinct;
        return all;
    }

    const KernelWork& kernel_;
    CacheView cache_;
    std::size_t slots_;
    std::vector<int> slot_of_;
    std::vector<double> spans_;
};

}  // namespace

std::vector<double> misses(const StateWork& state, const KernelWork& kernel, const CacheView& cache) {
    return Walk(state, kernel, cache).run();
}

}  // namespace blockscope
