// Lines that bring tiles to shared memory, ahead of their use.
#include <algorithm>
#include <numeric>

#include "core/exec/evaluate.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

// `SharedTile<bf16, 128, 64, false>{1024 + i_n % 2 * 16384, 128, 64}`
std::string KernelWriter::tile(const TileSlot& slot, Temp temp) const {
    std::string place = std::to_string(slot.offset);
    if (const Ring* one = ring(slot); one && slot.stages > 1)
        place += " + " + one->name + ".stage * " + std::to_string(slot.bytes);
    else if (!one && slot.stages > 1)
        place += " + " + variable(slot.loop->var) + " % " + std::to_string(slot.stages) + " * " +
                 std::to_string(slot.bytes);
    return "SharedTile<" + c_type(slot.elem) + ", " + std::to_string(slot.rows) + ", " +
           std::to_string(slot.cols) + ", " + (slot.transposed ? "true" : "false") + ">{" + place + ", " +
           extents_of(temp) + "}";
}

// How many bytes of the array can be copied at once, wherever a block begins: 0 if it has to be element by
// element. (Arrays themselves begin at multiples of 16 bytes.)
int KernelWriter::bytes_at_once(const TileSlot& slot) const {
    const auto& load = std::get<Load>(slot.at->what);
    const auto buffer = static_cast<std::size_t>(load.buffer);
    const ArrayPlan& plan = generation_.arrays.plans.at(buffer);
    const ElemType elem = generation_.arrays.arrays.at(buffer).elem;
    if (elem != slot.elem) return 0;
    const int bytes = bytes_per_element(elem);
    std::int64_t all = (slot.transposed ? plan.col_step : plan.row_step) * bytes;
    for (std::size_t i = 0; i < load.at.size(); ++i)
        if (!load.at[i].zero) all = std::gcd(all, plan.steps.at(i) * bytes);
    const std::int64_t most = std::gcd(all, std::int64_t{16});
    return most >= 4 ? static_cast<int>(most) : 0;
}

void KernelWriter::copy(const TileSlot& slot) {
    const auto& load = std::get<Load>(slot.at->what);
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(load.buffer));
    for (const Loop* loop : slot.crossed) fixed_.emplace_back(loop->var, loop->start);
    const int bytes = slot.in_place ? 0 : bytes_at_once(slot);
    const std::string call = bytes > 0 ? "fetch<" + std::to_string(bytes) + ">(" : "convert(";
    const std::int64_t step = slot.transposed ? plan.col_step : plan.row_step;
    line(call + tile(slot, load.to) + ", " + address(load.buffer, load.at) + ", " + std::to_string(step) +
             "LL);",
         slot.at->node);
    fixed_.clear();
}

void KernelWriter::load_tile(const Statement& at, const Load& s, const TileSlot& slot) {
    if (slot.in_place) {
        line("sync();", at.node);
        TileSlot here = slot;
        here.crossed.clear();
        copy(here);
        line("sync();", at.node);
    } else if (const Ring* one = ring(slot)) {
        line(one->name + ".await();", at.node);
    } else if (!slot.loop && generation_.values.of(s.to).in_registers) {
        wait_for_start();  // a product waits itself
    }
    declared_.insert(s.to.id);
    line("const auto " + operand(s.to) + " = " + tile(slot, s.to) + ";", at.node, &at);
    if (generation_.values.of(s.to).in_registers)
        line("const auto t" + std::to_string(s.to.id) + " = load(" + operand(s.to) + ");", at.node);
}

void KernelWriter::copy_at_start() {
    const std::vector<const TileSlot*> slots = tiles_.copied_ahead(nullptr);
    if (slots.empty() || !rings_.empty()) return;
    for (const TileSlot* slot : slots) copy(*slot);
    line("commit();");
    start_pending_ = true;
}

void KernelWriter::wait_for_start() {
    if (!start_pending_) return;
    line("arrive<0>();");
    start_pending_ = false;
}

// const auto copies_1 = [&](int i_n) { fetch(...); fetch(...); };
std::string KernelWriter::open_pipeline(const Loop& loop) {
    const std::vector<const TileSlot*> slots = tiles_.copied_ahead(&loop);
    if (slots.empty()) return "";
    std::string name = "copies_" + std::to_string(++pipelines_);
    line("const auto " + name + " = [&](int " + variable(loop.var) + ") {", loop.node);
    vars_.push_back(loop.var);
    ++depth_;
    for (const TileSlot* slot : slots) copy(*slot);
    --depth_;
    vars_.pop_back();
    line("};", loop.node);
    const std::int64_t blocks = generation_.program.dims.at(loop.var.dim.value).blocks();
    if (tiles_.stages() > 1) line("sync();", loop.node);
    for (int ahead = 0; ahead < tiles_.stages() - 1; ++ahead) {
        if (in_parts(loop) || loop.bounds) {
            const std::string first = first_of(loop) + " + " + std::to_string(ahead);
            line("if (" + first + " < " + end_of(loop) + ") " + name + "(" + first + ");", loop.node);
            line("commit();", loop.node);
            continue;
        }
        const int first = loop.start + ahead;
        line((first < blocks ? name + "(" + std::to_string(first) + "), " : "") + "commit();", loop.node);
    }
    return name;
}

// At the top of an iteration: its own tiles are there, and those of a later one are on their way.
void KernelWriter::continue_pipeline(const Loop& loop, const std::string& copies) {
    const std::string name = variable(loop.var);
    const int ahead = tiles_.stages() - 1;
    start_pending_ = false;  // older copies arrive before younger ones
    if (ahead == 0) {
        line("sync();", loop.node);
        line(copies + "(" + name + "), commit();", loop.node);
        return line("arrive<0>();", loop.node);
    }
    const std::string later = name + " + " + std::to_string(ahead);
    line("arrive<" + std::to_string(ahead - 1) + ">();", loop.node);
    line("if (" + later + " < " + end_of(loop) + ") " + copies + "(" + later + ");", loop.node);
    line("commit();", loop.node);
}

// Kernels for sm_90a: a thread of its own brings the tiles, in the order in which the others want them.

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
    tiles_ = TilePlan(sources(), kernel_,
                      {.reserved = reserved,
                       .limit = generation_.shared_limit,
                       .warpgroups = generation_.warp_specialised,
                       .rings = false,
                       .stages = generation_.stages});
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
    const TileRoom room{.reserved = (reserved + 15) / 16 * 16 + kBarriers * slots,
                        .limit = generation_.shared_limit,
                        .warpgroups = true,
                        .rings = true,
                        .stages = generation_.stages};
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

// Whether the line, or one in it, reads any of these. A product that is computed where it is added reads
// there.
bool KernelWriter::reads_any(const Statement& line, std::set<int>& temps) const {
    bool any = false;
    if (const auto* loop = std::get_if<LoopPtr>(&line.what))
        for (const Statement& inner : (*loop)->body) any = reads_any(inner, temps) || any;
    const StatementUses uses = uses_of(line);
    for (const Temp temp : uses.reads) any = any || temps.count(temp.id) > 0;
    if (any && generation_.delayed.count(uses.makes.id) > 0) temps.insert(uses.makes.id);
    return any;
}

// The line of the loop's body behind which nobody reads the tile: a stage of K is free before V is read.
const Statement& KernelWriter::last_reader(const Loop& loop, const TileSlot& slot) const {
    std::set<int> temps{std::get<Load>(slot.at->what).to.id};
    const Statement* last = nullptr;
    for (const Statement& line : loop.body)
        if (reads_any(line, temps)) last = &line;
    return last ? *last : loop.body.back();
}

void KernelWriter::release_rings(const Loop& loop, const Statement& behind) {
    for (const TileSlot* slot : tiles_.copied_ahead(&loop)) {
        const Ring* one = ring(*slot);
        if (one && &last_reader(loop, *slot) == &behind) line(one->name + ".release();", loop.node);
    }
}

// "t5 = load(YT[n,k])` (n12)", and why its kernel is as for sm_80.
std::optional<std::string> KernelWriter::note() const {
    if (!why_not_) return std::nullopt;
    const std::string& text = generation_.listing.at(why_not_->at);
    return launch_.kernel + " is written as for sm_80, without TMA and wgmma, because of `" +
           text.substr(text.find_first_not_of(' ')) + "` (" + to_string(why_not_->at->node) +
           "): " + why_not_->why + ".";
}

// The one miscellaneous operator that is Blockscope's own.

namespace {

// What `given` leading indices leave of a buffer's list.
Type rest_of(const Buffer& buffer, std::size_t given) {
    return buffer_type(buffer).element(static_cast<int>(given));
}

std::string counter(int i) {
    return "j_" + std::to_string(i);
}

// The address of the block that counters j_0, j_1, ... name among the indices from `first` on.
std::string with_counters(const ArrayPlan& plan, std::size_t first, const std::vector<int>& counters) {
    std::string text;
    for (std::size_t i = 0; i < counters.size(); ++i)
        text += " + " + counter(counters[i]) + " * " + std::to_string(plan.steps.at(first + i)) + "LL";
    return text;
}

std::string counted_extent(const Dim& dim, int index) {
    if (index < 0 || dim.size % dim.block == 0) return std::to_string(dim.block_size(0));
    return "extent(" + counter(index) + ", " + std::to_string(dim.size) + ", " + std::to_string(dim.block) +
           ")";
}

}  // namespace

// Whole arrays, or what leading indices select of them, block by block: out[..., n, m] = in[..., m, n].T
void KernelWriter::transpose(const Statement& at, const CallMisc& s) {
    const LoopProgram& program = generation_.program;
    const auto out_buffer = static_cast<std::size_t>(s.outputs.at(0));
    const auto in_buffer = static_cast<std::size_t>(s.inputs.at(0));
    const ArrayPlan& out = generation_.arrays.plans.at(out_buffer);
    const ArrayPlan& in = generation_.arrays.plans.at(in_buffer);
    const Type type = rest_of(program.buffers[out_buffer], s.at.at(0).size());
    const ArrayLayout layout = array_layout(type, false, program.dims);
    std::vector<int> counters;
    line("sync();", at.node);
    for (int i = 0; i < type.rank(); ++i) {
        counters.push_back(i);
        const std::int64_t blocks = program.dims.at(type.dim(i).value).blocks();
        line("for (int " + counter(i) + " = 0; " + counter(i) + " < " + std::to_string(blocks) + "; ++" +
                 counter(i) + ")",
             at.node);
        ++depth_;
    }
    std::vector<int> swapped = counters;
    if (layout.row_list >= 0 && layout.col_list >= 0)
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
    const std::string to =
        address(s.outputs.at(0), s.at.at(0)) + with_counters(out, s.at.at(0).size(), counters);
    const std::string from =
        address(s.inputs.at(0), s.at.at(1)) + with_counters(in, s.at.at(1).size(), swapped);
    line("transpose(" + to + ", " + std::to_string(out.row_step) + ", " + std::to_string(out.col_step) +
             ", " + from + ", " + std::to_string(in.row_step) + ", " + std::to_string(in.col_step) + ", " +
             counted_extent(program.dims.at(type.item().rows.value), layout.row_list) + ", " +
             counted_extent(program.dims.at(type.item().cols.value), layout.col_list) + ");",
         at.node, &at);
    depth_ -= type.rank();
    line("sync();", at.node);
}

}  // namespace blockscope::gpu
