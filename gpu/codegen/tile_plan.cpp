#include "gpu/codegen/tile_plan.h"

#include <algorithm>
#include <set>

namespace blockscope::gpu {

namespace {

constexpr std::int64_t kTileLineBytes = 128;
constexpr int kMostStages = 3;
constexpr int kMostInRings = 4;

std::int64_t padded_extent(std::int64_t n, std::int64_t to) {
    return (n + to - 1) / to * to;
}

// As SharedTile::at counts them (resources/cuda/tiles.cuh).
std::int64_t bytes_of(const TileSlot& slot, bool warpgroups) {
    const std::int64_t lines =
        slot.transposed ? padded_extent(slot.cols, 16) : padded_extent(slot.rows, row_lines(warpgroups));
    const int step = bytes_per_element(slot.elem) == 1 ? 32 : 16;
    const std::int64_t length = padded_extent(slot.transposed ? slot.rows : slot.cols, step);
    const std::int64_t panels =
        padded_extent(length * bytes_per_element(slot.elem), kTileLineBytes) / kTileLineBytes;
    return padded_extent(panels * lines * kTileLineBytes, 1024);
}

bool uses(const Load& load, const LoopVar& var) {
    return std::any_of(load.at.begin(), load.at.end(),
                       [&](const Index& index) { return !index.zero && index.var == var; });
}

// Finds the tiles of one kernel.
class Finder {
public:
    Finder(const TileSources& sources, const Kernel& kernel, bool warpgroups)
        : sources_(sources), warpgroups_(warpgroups) {
        for (const auto* list : {&kernel.before, &kernel.body})
            for (const Statement* statement : *list) find_stores(*statement);
        for (const auto* list : {&kernel.before, &kernel.body})
            for (const Statement* statement : *list) visit(*statement);
    }

    std::vector<TileSlot> slots;
    std::map<const Statement*, const Loop*> bodies;

private:
    void find_stores(const Statement& statement) {
        const std::span<const int> stored = stored_buffers(statement);
        stored_.insert(stored.begin(), stored.end());
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what))
            for (const Statement& inner : (*loop)->body) find_stores(inner);
    }

    void visit(const Statement& statement) {
        if (const auto* load = std::get_if<Load>(&statement.what)) loaded(statement, *load);
        if (const std::vector<Temp>* operands = operands_of(statement)) computed(statement, operands->at(1));
        const auto* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) return;
        path_.push_back(loop->get());
        for (const Statement& inner : (*loop)->body) visit(inner);
        path_.pop_back();
    }

    void loaded(const Statement& at, const Load& load) {
        const std::optional<ElemType> elem = sources_.products.tile(load.to);
        if (!elem) return;
        TileSlot slot = shaped(at, load.to, *elem);
        slot.transposed = !sources_.along_rows(load.buffer);
        const bool never_runs = std::any_of(path_.begin(), path_.end(), [&](const Loop* loop) {
            return iterations(*loop, sources_.program.dims) < 1;
        });
        slot.in_place = stored_.count(load.buffer) > 0 || never_runs;
        std::size_t depth = path_.size();
        const auto decides = [&](const Loop& loop) {
            return iterations(loop, sources_.program.dims) > 1 && uses(load, loop.var);
        };
        while (depth > 0 && !decides(*path_[depth - 1])) --depth;
        if (depth > 0) slot.loop = path_[depth - 1];
        slot.crossed.assign(path_.begin() + static_cast<std::ptrdiff_t>(depth), path_.end());
        if (slot.in_place) bodies[&at] = path_.empty() ? nullptr : path_.back();
        slot.bytes = bytes_of(slot, warpgroups_);
        slots.push_back(std::move(slot));
    }

    void computed(const Statement& at, Temp right) {
        const Arithmetic arithmetic = sources_.products.of(at);
        if (arithmetic == Arithmetic::Float32 || sources_.products.tile(right)) return;
        TileSlot slot = shaped(at, right, tile_elem(arithmetic));
        slot.in_place = true;
        bodies[&at] = path_.empty() ? nullptr : path_.back();
        slot.bytes = bytes_of(slot, warpgroups_);
        slots.push_back(std::move(slot));
    }

    TileSlot shaped(const Statement& at, Temp temp, ElemType elem) const {
        const std::vector<Extent>& axes = sources_.values.of(temp).extents.axes;
        TileSlot slot;
        slot.at = &at;
        slot.depth = static_cast<int>(path_.size());
        slot.elem = elem;
        slot.rows = sources_.program.dims.at(axes.at(0).dim.value).block_size(0);
        slot.cols = sources_.program.dims.at(axes.at(1).dim.value).block_size(0);
        return slot;
    }

    const TileSources& sources_;
    bool warpgroups_;
    std::set<int> stored_;
    std::vector<const Loop*> path_;
};

}  // namespace

std::int64_t iterations(const Loop& loop, const DimTable& dims) {
    return dims.at(loop.var.dim.value).blocks() - loop.start;
}

TilePlan::TilePlan(const TileSources& sources, const Kernel& kernel, const TileRoom& room)
    : kernel_(&kernel) {
    Finder finder(sources, kernel, room.warpgroups);
    slots_ = std::move(finder.slots);
    body_of_ = std::move(finder.bodies);
    for (std::size_t i = 0; i < slots_.size(); ++i) by_statement_[slots_[i].at] = i;
    if (room.rings) {
        grow_rings(room);
        return;
    }
    // A third stage where two thread blocks of a multiprocessor have room for it; a second one where it fits.
    const int most = room.stages > 0 ? std::min(room.stages, kMostStages) : kMostStages;
    bytes_ = place(room.reserved, most);
    if (bytes_ <= room.limit / 2) return;
    const bool asked = room.stages > 0;  // then a third stage may cost the second thread block
    while (stages_ > 1 && ((!asked && stages_ == kMostStages) || bytes_ > room.limit))
        bytes_ = place(room.reserved, --stages_);
}

std::vector<const Statement*> TilePlan::all_statements() const {
    std::vector<const Statement*> all = kernel_->before;
    all.insert(all.end(), kernel_->body.begin(), kernel_->body.end());
    return all;
}

std::int64_t TilePlan::place(std::int64_t reserved, int stages) {
    stages_ = stages;
    for (TileSlot& slot : slots_) slot.stages = slot.in_place || !slot.loop ? 1 : stages;
    return allocate(all_statements(), nullptr, slots_.empty() ? reserved : padded_extent(reserved, 1024),
                    Part::All);
}

std::int64_t TilePlan::place_rings(std::int64_t reserved) {
    const std::vector<const Statement*> all = all_statements();
    return allocate(all, nullptr, allocate(all, nullptr, padded_extent(reserved, 1024), Part::InPlace),
                    Part::Ahead);
}

// One stage more for each tile, the innermost loops' first, as long as there is room.
void TilePlan::grow_rings(const TileRoom& room) {
    std::vector<TileSlot*> rings;
    for (TileSlot& slot : slots_)
        if (!slot.in_place && slot.loop) rings.push_back(&slot);
    std::stable_sort(rings.begin(), rings.end(), [](const TileSlot* a, const TileSlot* b) {
        return a->depth - static_cast<int>(a->crossed.size()) >
               b->depth - static_cast<int>(b->crossed.size());
    });
    const int most = room.stages > 0 ? std::min(room.stages, kMostInRings) : kMostInRings;
    for (int stages = 2; stages <= most; ++stages)
        for (TileSlot* ring : rings) {
            if (ring->stages != stages - 1) continue;
            ring->stages = stages;
            if (place_rings(room.reserved) > room.limit) ring->stages = stages - 1;
        }
    bytes_ = place_rings(room.reserved);
}

// Tiles of a loop lie behind those of the loops around it; loops behind each other use the same place.
std::int64_t TilePlan::allocate(const std::vector<const Statement*>& body, const Loop* owner,
                                std::int64_t from, Part part) {
    for (TileSlot& slot : slots_) {
        const auto in_body = body_of_.find(slot.at);
        if ((slot.in_place ? in_body->second : slot.loop) != owner) continue;
        if (part != Part::All && slot.in_place != (part == Part::InPlace)) continue;
        slot.offset = from;
        from += slot.bytes * slot.stages;
    }
    std::int64_t most = from;
    for (const Statement* statement : body) {
        const auto* loop = std::get_if<LoopPtr>(&statement->what);
        if (!loop) continue;
        std::vector<const Statement*> inner;
        for (const Statement& one : (*loop)->body) inner.push_back(&one);
        most = std::max(most, allocate(inner, loop->get(), from, part));
    }
    return most;
}

const TileSlot* TilePlan::slot(const Statement& at) const {
    const auto found = by_statement_.find(&at);
    return found == by_statement_.end() ? nullptr : &slots_[found->second];
}

const TileSlot* TilePlan::largest() const {
    if (slots_.empty()) return nullptr;
    return &*std::max_element(slots_.begin(), slots_.end(),
                              [](const TileSlot& a, const TileSlot& b) { return a.bytes < b.bytes; });
}

std::vector<const TileSlot*> TilePlan::copied_ahead(const Loop* loop) const {
    std::vector<const TileSlot*> found;
    for (const TileSlot& slot : slots_)
        if (!slot.in_place && slot.loop == loop) found.push_back(&slot);
    return found;
}

}  // namespace blockscope::gpu
