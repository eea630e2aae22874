// Reductions in parts: the bounds of a part, what it leaves, and how parts are put together.
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

std::string named(Temp temp) {
    return "t" + std::to_string(temp.id);
}

}  // namespace

std::string KernelWriter::first_of(const Loop& loop) const {
    return in_parts(loop) ? variable(loop.var) + "_first" : std::to_string(loop.start);
}

std::string KernelWriter::end_of(const Loop& loop) const {
    if (in_parts(loop)) return variable(loop.var) + "_end";
    return std::to_string(generation_.program.dims.at(loop.var.dim.value).blocks());
}

// All thread blocks of the first part, then those of the second one, ...: what runs side by side reads the
// same.
void KernelWriter::open_part() {
    if (!kernel_.split) return;
    const Split& split = *kernel_.split;
    if (split.combines) {
        launch_.combines = true;
        return;
    }
    const Loop& loop = *split.loop;
    const std::string length = std::to_string(split.length);
    const std::int64_t all = generation_.program.dims.at(loop.var.dim.value).blocks();
    const std::string until = first_of(loop) + " + " + length;
    line("const int " + first_of(loop) + " = (int)(tile_index() / " + std::to_string(launch_.tiles) +
             "LL) * " + length + ";",
         loop.node);
    const std::string end = std::to_string(all);
    line("const int " + end_of(loop) + " = " +
             (all % split.length == 0 ? until : until + " < " + end + " ? " + until + " : " + end) + ";",
         loop.node);
    launch_.parts = split.parts;
    launch_.tiles *= split.parts;
    launch_.adds = split.adds;
}

void KernelWriter::leave_parts() {
    if (!is_part()) return;
    const bool adds = kernel_.split->adds;
    const std::int64_t whole = launch_.tiles / kernel_.split->parts;  // thread blocks of a part
    for (const auto& [id, array] : kernel_.split->workspaces) {
        parameter(array);
        const auto which = static_cast<std::size_t>(array);
        const std::int64_t size =
            generation_.arrays.arrays.at(which).elements / (adds ? whole : launch_.tiles);
        launch_.part_bytes += 4 * size;
        const std::string& name = generation_.arrays.plans.at(which).parameter;
        const std::string steps = steps_of({id}, array);
        const std::string all = std::to_string(size) + "LL";
        line(adds ? "store<Added>(t" + std::to_string(id) + ", (Added*)" + name + " + tile_index() % " +
                        std::to_string(whole) + "LL * " + all + steps + ");  // added to the other parts"
                  : "store<float>(t" + std::to_string(id) + ", " + name + " + tile_index() * " + all + steps +
                        ");  // its part",
             kernel_.split->loop->node);
    }
}

// The sums of all parts, and zeros in their place for the next run.
void KernelWriter::take_sums() {
    const Split& split = *kernel_.split;
    const NodeId node = split.loop->node;
    const auto place = [&](const Carried& one) {
        const auto which = static_cast<std::size_t>(split.workspaces.at(one.temp.id));
        const std::int64_t size = generation_.arrays.arrays.at(which).elements / launch_.tiles;
        return " + tile_index() * " + std::to_string(size) + "LL";
    };
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        parameter(array);
        line(declaration(one.temp) + named(one.temp) + " = " + from_workspace(one.temp, array, place(one)) +
                 ";",
             node);
    }
    line("sync();", node);  // all threads have them
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        const std::string& name = generation_.arrays.plans.at(static_cast<std::size_t>(array)).parameter;
        line("store<float>(" + filled(one.temp, 0) + ", " + name + place(one) + steps_of(one.temp, array) +
                 ");  // for the next run",
             node);
    }
}

// The first part as it is, and then one after the other: always in the same order, hence always the same
// sums.
void KernelWriter::take_parts() {
    if (!kernel_.split || !kernel_.split->combines) return;
    if (kernel_.split->adds) return take_sums();
    const Split& split = *kernel_.split;
    const NodeId node = split.loop->node;
    for (const Carried& one : split.carried) {
        const int array = split.workspaces.at(one.temp.id);
        parameter(array);
        const std::int64_t size = generation_.arrays.arrays.at(static_cast<std::size_t>(array)).elements /
                                  launch_.tiles / split.parts;
        line(declaration(one.temp) + named(one.temp) + " = " +
                 from_workspace(one.temp, array, " + tile_index() * " + std::to_string(size) + "LL") + ";",
             node);
    }
    line("for (int part = 1; part < " + std::to_string(split.parts) + "; ++part) {", node);
    ++depth_;
    line("const long long place = tile_index() + part * " + std::to_string(launch_.tiles) + "LL;", node);
    for (const Carried& one : split.carried)
        if (one.how == Carried::How::Largest) scale_part(one);
    for (const Carried& one : split.carried)
        if (one.how != Carried::How::Largest) take_part(one);
    for (const Carried& one : split.carried)
        if (one.how == Carried::How::Largest)
            line(named(one.temp) + " = " + named(one.temp) + "_most;", node);
    --depth_;
    line("}", node);
}

// t3_most, and what takes sums so far (t3_old) and those of the part (t3_new) to it.
void KernelWriter::scale_part(const Carried& one) {
    const NodeId node = kernel_.split->loop->node;
    const std::string name = named(one.temp), most = name + "_most", part = name + "_part";
    const bool scalar = generation_.values.of(one.temp).kind == Value::Kind::Scalar;
    const auto both = [&](const std::string& function, const std::string& a, const std::string& b) {
        if (scalar) return function + "(" + a + ", " + b + ")";
        return "map([](Number x0, Number x1) { return " + function + "(x0, x1); }, " + a + ", " + a + ", " +
               b + ")";
    };
    const int array = kernel_.split->workspaces.at(one.temp.id);
    const std::int64_t size = generation_.arrays.arrays.at(static_cast<std::size_t>(array)).elements /
                              launch_.tiles / kernel_.split->parts;
    line("const auto " + part + " = " +
             from_workspace(one.temp, array, " + place * " + std::to_string(size) + "LL") + ";",
         node);
    line("const auto " + most + " = " + both("fmaxf", name, part) + ";", node);
    line("const auto " + name + "_old = " + both("rescaling", name, most) + ";", node);
    line("const auto " + name + "_new = " + both("rescaling", part, most) + ";", node);
}

void KernelWriter::take_part(const Carried& one) {
    const int array = kernel_.split->workspaces.at(one.temp.id);
    const std::int64_t size = generation_.arrays.arrays.at(static_cast<std::size_t>(array)).elements /
                              launch_.tiles / kernel_.split->parts;
    const std::string part = from_workspace(one.temp, array, " + place * " + std::to_string(size) + "LL");
    const std::string name = named(one.temp);
    const Value::Kind kind = generation_.values.of(one.temp).kind;
    const Value::Kind by = generation_.values.of(one.largest).kind;
    const auto scaled = [&](const std::string& what, const std::string& factor) {
        if (one.how != Carried::How::Rescaled) return what;
        if (kind == Value::Kind::Scalar) return what + " * " + factor;
        if (kind == Value::Kind::Block && by == Value::Kind::Rows)
            return "row_scale(" + what + ", " + factor + ")";
        if (kind == Value::Kind::Block && by == Value::Kind::Cols)
            return "col_scale(" + what + ", " + factor + ")";
        return "map([](Number x0, Number x1) { return x0 * x1; }, " + what + ", " + what + ", " + factor +
               ")";
    };
    const std::string largest = named(one.largest);
    line("const auto " + name + "_part = " + part + ";", kernel_.split->loop->node);
    line(name + " = add(" + scaled(name, largest + "_old") + ", " + scaled(name + "_part", largest + "_new") +
             ");",
         kernel_.split->loop->node);
}

}  // namespace blockscope::gpu
