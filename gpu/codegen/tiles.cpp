// Lines that bring tiles to shared memory, ahead of their use.
#include <algorithm>
#include <numeric>

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
    } else if (!slot.loop) {
        wait_for_start();
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
        if (in_parts(loop)) {
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

}  // namespace blockscope::gpu
