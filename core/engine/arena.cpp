// Places for temporaries in a worker's local memory: two that are never alive at once may share one.
#include <algorithm>

#include "core/engine/temp_visit.h"

namespace blockscope::engine {

namespace {

constexpr std::int64_t kAlignment = 16;  // floats: a cache line

struct Life {
    int first = -1;
    int last = -1;
};

class Lives {
public:
    explicit Lives(const Plan& plan) : lives_(plan.temps.size()) { block(plan.body); }
    const std::vector<Life>& all() const { return lives_; }

private:
    Life& life(int temp) { return lives_.at(static_cast<std::size_t>(temp)); }
    void use(int temp) { life(temp).last = std::max(life(temp).last, now_); }
    void begin(int temp, int position) {
        if (life(temp).first < 0) life(temp).first = position;
        use(temp);
    }

    void block(const std::vector<PlanOp>& ops) {
        for (const PlanOp& op : ops) {
            ++now_;
            if (const auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) {
                const int start = now_;
                loops_.push_back(start);
                block(loop->at(0).body);
                loops_.pop_back();
                ++now_;
                // What was made before the loop and is used in it is needed until it ends; so are its sums.
                for (Life& life : lives_)
                    if (life.first >= 0 && life.first <= start && life.last > start) life.last = now_;
                continue;
            }
            visit_temps(
                op, [&](int temp) { use(temp); }, [&](int temp) { begin(temp, now_); },
                [&](int temp) { begin(temp, loops_.back()); });
        }
    }

    std::vector<Life> lives_;
    std::vector<int> loops_;
    int now_ = 0;
};

struct Piece {
    int temp;
    Form form;
    std::int64_t size;
    Life life;
    std::int64_t offset = 0;
};

// The forms that need a place: all but the views that loads give.
void mark_owned(const std::vector<PlanOp>& ops, std::vector<std::array<bool, 2>>& owned) {
    const auto both = [&](int temp) { owned.at(static_cast<std::size_t>(temp))[kPlain] = true; };
    for (const PlanOp& op : ops) {
        if (const auto* loop = std::get_if<std::vector<LoopOp>>(&op.what)) {
            mark_owned(loop->at(0).body, owned);
        } else if (const auto* load = std::get_if<LoadOp>(&op.what)) {
            for (const LoadOp::Piece& piece : load->pieces)
                if (piece.how != LoadOp::How::View)
                    owned.at(static_cast<std::size_t>(load->to))[piece.form] = true;
        } else if (const auto* transpose = std::get_if<TransposeOp>(&op.what)) {
            owned.at(static_cast<std::size_t>(transpose->temp))[kTransposed] = true;
        } else {
            visit_temps(
                op, [](int) {}, both, both);
        }
    }
}

// The lowest gap between those that live at the same time.
std::int64_t first_fit(std::vector<const Piece*>& alive, std::int64_t size) {
    std::sort(alive.begin(), alive.end(),
              [](const Piece* a, const Piece* b) { return a->offset < b->offset; });
    std::int64_t offset = 0;
    for (const Piece* piece : alive) {
        if (piece->offset >= offset + size) break;
        offset = std::max(offset, piece->offset + piece->size);
    }
    return offset;
}

}  // namespace

void place_temps(Plan& plan) {
    const Lives lives(plan);
    std::vector<std::array<bool, 2>> owned(plan.temps.size());
    mark_owned(plan.body, owned);
    std::vector<Piece> pieces;
    for (std::size_t id = 1; id < plan.temps.size(); ++id)
        for (const Form form : {kPlain, kTransposed}) {
            if (!owned[id][form]) continue;
            // A line more than it needs, so that large blocks do not all begin at multiples of 4 KiB.
            const std::int64_t size = plan.temps[id].rows * plan.temps[id].cols + kAlignment;
            pieces.push_back({static_cast<int>(id), form, (size + kAlignment - 1) / kAlignment * kAlignment,
                              lives.all()[id]});
        }
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.life.first < b.life.first; });
    std::vector<const Piece*> alive;
    for (Piece& piece : pieces) {
        std::erase_if(alive, [&](const Piece* other) { return other->life.last < piece.life.first; });
        piece.offset = first_fit(alive, piece.size);
        alive.push_back(&piece);
        plan.temps[static_cast<std::size_t>(piece.temp)].offset[piece.form] = piece.offset;
        plan.arena_floats = std::max(plan.arena_floats, piece.offset + piece.size);
    }
}

}  // namespace blockscope::engine
