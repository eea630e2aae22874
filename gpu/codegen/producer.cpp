// Kernels for sm_90a: a thread of its own brings the tiles, in the order in which the others want them.
#include <algorithm>

#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

bool holds(const Statement& around, const Statement* what) {
    if (&around == what) return true;
    const auto* loop = std::get_if<LoopPtr>(&around.what);
    if (!loop) return false;
    return std::any_of((*loop)->body.begin(), (*loop)->body.end(),
                       [&](const Statement& inner) { return holds(inner, what); });
}

std::vector<const Statement*> pointers(const Block& body) {
    std::vector<const Statement*> list;
    for (const Statement& statement : body) list.push_back(&statement);
    return list;
}

bool overlap(const TileSlot& a, const TileSlot& b) {
    return a.offset < b.offset + b.bytes * b.stages && b.offset < a.offset + a.bytes * a.stages;
}

}  // namespace

// The form of the kernel: with rings where all its tiles can come in boxes, else as for sm_80, and why.
void KernelWriter::choose_form() {
    const std::int64_t reserved = generation_.scratch_bytes;
    tiles_ = TilePlan(
        sources(), kernel_,
        {reserved, generation_.shared_limit, generation_.warp_specialised, false, generation_.stages});
    if (!generation_.warp_specialised || tiles_.slots().empty()) return;
    if (why_not_ = reason_against_rings(); why_not_) return;
    std::map<const Statement*, Box> boxes;
    for (const TileSlot& slot : tiles_.slots()) {
        if (slot.in_place && operands_of(*slot.at)) continue;
        std::variant<Box, std::string> box = box_of(slot, generation_.program, generation_.arrays);
        if (const auto* why = std::get_if<std::string>(&box)) {
            why_not_ = {slot.at, *why};
            return;
        }
        boxes[slot.at] = std::get<Box>(std::move(box));
    }
    constexpr std::int64_t kBarriers = 64;  // bytes of a ring of four stages
    const auto slots = static_cast<std::int64_t>(tiles_.slots().size());
    const TileRoom room{(reserved + 15) / 16 * 16 + kBarriers * slots, generation_.shared_limit, true, true,
                        generation_.stages};
    TilePlan rings(sources(), kernel_, room);
    if (rings.shared_bytes() > room.limit) {
        why_not_ = {rings.largest()->at,
                    "the tiles take " + std::to_string((rings.shared_bytes() + 1023) / 1024) + " KiB"};
        return;
    }
    tiles_ = std::move(rings);
    name_rings(std::move(boxes));
}

std::optional<KernelWriter::Reason> KernelWriter::reason_against_rings() const {
    std::optional<Reason> reason;
    const auto check = [&](const Statement& at) {
        if (reason || !operands_of(at)) return;
        const Arithmetic arithmetic = generation_.products.of(at);
        if (arithmetic == Arithmetic::TF32) reason = {&at, "wgmma reads numbers of 32 bits along rows only"};
    };
    for (const Statement* statement : kernel_.body) {
        check(*statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement->what))
            for_each_statement((*loop)->body, check);
    }
    return reason;
}

void KernelWriter::name_rings(std::map<const Statement*, Box> boxes) {
    std::int64_t barriers = (generation_.scratch_bytes + 15) / 16 * 16;
    for (const TileSlot& slot : tiles_.slots()) {
        const auto box = boxes.find(slot.at);
        if (box == boxes.end()) continue;
        Ring ring;
        ring.name = "ring_" + std::to_string(rings_.size() + 1);
        ring.barriers = barriers;
        ring.box = std::move(box->second);
        barriers += 16 * static_cast<std::int64_t>(slot.stages);
        const auto same = std::find(launch_.maps.begin(), launch_.maps.end(), ring.box.map);
        ring.map = "m_" + std::to_string(same - launch_.maps.begin() + 1);
        if (same == launch_.maps.end()) launch_.maps.push_back(ring.box.map);
        rings_[&slot] = std::move(ring);
    }
    if (!rings_.empty()) launch_.threads = generation_.threads + kProducerThreads;
}

const KernelWriter::Ring* KernelWriter::ring(const TileSlot& slot) const {
    const auto found = rings_.find(&slot);
    return found == rings_.end() ? nullptr : &found->second;
}

// Ring<3, 32768> ring_1{128};
void KernelWriter::open_rings() {
    if (rings_.empty()) return;
    std::string all;
    for (const TileSlot& slot : tiles_.slots()) {
        const Ring* one = ring(slot);
        if (!one) continue;
        line("Ring<" + std::to_string(slot.stages) + ", " + std::to_string(one->box.bytes) + "> " +
                 one->name + "{" + std::to_string(one->barriers) + "};",
             slot.at->node, slot.at);
        all += (all.empty() ? "" : ", ") + one->name;
    }
    line("set_up(" + all + ");");
    line("if (is_producer()) {");
    ++depth_;
    const Registers registers = registers_of(generation_.threads);
    if (registers.consumer > 0) line("fewer_registers<" + std::to_string(registers.producer) + ">();");
    line("if (!is_one_of_producers()) return;");
    produce(kernel_.before, nullptr);
    produce(kernel_.body, nullptr);
    line("return;");
    --depth_;
    line("}");
    if (registers.consumer > 0) line("more_registers<" + std::to_string(registers.consumer) + ">();");
}

// The tiles of an iteration of `owner`, each where its load stands, and those of the loops in it.
void KernelWriter::produce(const std::vector<const Statement*>& body, const Loop* owner) {
    for (const Statement* statement : body) {
        for (const TileSlot* slot : tiles_.copied_ahead(owner))
            if (holds(*statement, slot->at)) fill(*slot);
        const auto* loop = std::get_if<LoopPtr>(&statement->what);
        if (loop && feeds(**loop)) produce_loop(*statement, **loop);
    }
}

bool KernelWriter::feeds(const Loop& loop) const {
    if (!tiles_.copied_ahead(&loop).empty()) return true;
    return std::any_of(loop.body.begin(), loop.body.end(), [&](const Statement& inner) {
        const auto* deeper = std::get_if<LoopPtr>(&inner.what);
        return deeper && feeds(**deeper);
    });
}

void KernelWriter::produce_loop(const Statement& at, const Loop& loop) {
    for (const auto& [slot, one] : rings_) {
        const bool takes_its_place =
            slot->loop != &loop &&
            std::any_of(rings_.begin(), rings_.end(), [&, other = slot](const auto& entry) {
                return entry.first->loop == &loop && overlap(*entry.first, *other);
            });
        if (takes_its_place) line(one.name + ".drain();", loop.node);
    }
    open_loop(loop, at.node, nullptr);
    produce(pointers(loop.body), &loop);
    close_loop(at.node);
}

void KernelWriter::fill(const TileSlot& slot) {
    const auto& load = std::get<Load>(slot.at->what);
    const Ring& to = *ring(slot);
    for (const Loop* loop : slot.crossed) fixed_.emplace_back(loop->var, loop->start);
    std::string corners;
    for (const Box::Corner& corner : to.box.corners) {
        const std::string at =
            corner.index < 0 ? "0" : index(load.at.at(static_cast<std::size_t>(corner.index)));
        corners += ", " + at + (at == "0" || corner.step == 1 ? "" : " * " + std::to_string(corner.step));
    }
    line(to.name + ".acquire();", slot.at->node);
    line("fetch_boxes<" + std::to_string(to.box.map.box.at(1)) + ">(" + tile(slot, load.to) + ", " + to.map +
             ", " + to.name + ".full()" + corners + ");",
         slot.at->node);
    line(to.name + ".next();", slot.at->node);
    fixed_.clear();
}

void KernelWriter::release_rings(const Loop& loop) {
    for (const TileSlot* slot : tiles_.copied_ahead(&loop))
        if (const Ring* one = ring(*slot)) line(one->name + ".release();", loop.node);
}

// "t5 = load(YT[n,k])` (n12)", and why its kernel is as for sm_80.
std::optional<std::string> KernelWriter::note() const {
    if (!why_not_) return std::nullopt;
    const std::string& text = generation_.listing.at(why_not_->at);
    return launch_.kernel + " is written as for sm_80, without TMA and wgmma, because of `" +
           text.substr(text.find_first_not_of(' ')) + "` (" + to_string(why_not_->at->node) +
           "): " + why_not_->why + ".";
}

}  // namespace blockscope::gpu
