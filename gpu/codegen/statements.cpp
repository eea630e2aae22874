// One statement of each kind.
#include <cmath>

#include "gpu/codegen/expression.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

std::string named(Temp temp) {
    return "t" + std::to_string(temp.id);
}

// A body variable of an elementwise operator.
std::string scalar_name(std::size_t input) {
    return "x" + std::to_string(input);
}

}  // namespace

void KernelWriter::assign(const Statement& at, Temp to, const std::string& value) {
    line(declaration(to) + named(to) + " = " + value + ";", at.node, &at);
}

void KernelWriter::write(const Statement& at, const Load& s) {
    const Value& value = generation_.values.of(s.to);
    if (const TileSlot* slot = tiles_.slot(at)) return load_tile(at, s, *slot);
    if (stored_.count(s.buffer) > 0) line("sync();", at.node);
    if (value.kind == Value::Kind::Block) {
        const std::string from = view_of(s.to, s.buffer, s.at);
        if (!value.as_view) return assign(at, s.to, "load(" + from + ")");
        declared_.insert(s.to.id);
        line("const auto " + operand(s.to) + " = " + from + ";", at.node, &at);
        if (value.in_registers || generation_.products.from_registers(s.to))
            line("const auto " + named(s.to) + " = load(" + operand(s.to) + ");", at.node);
        return;
    }
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(s.buffer));
    const std::string from = address(s.buffer, s.at);
    if (value.kind == Value::Kind::Scalar) return assign(at, s.to, "load_scalar(" + from + ")");
    const std::string call = value.kind == Value::Kind::Rows ? "load_rows<" : "load_cols<";
    assign(at, s.to,
           call + std::to_string(longest(s.to, 0)) + ">(" + from + ", " + extents_of(s.to) + ", " +
               std::to_string(plan.row_step) + ")");
}

// Whether a block's elements can be stored two at a time: accumulators of tensor cores hold pairs of columns.
bool KernelWriter::in_pairs(const Store& s) const {
    const auto buffer = static_cast<std::size_t>(s.buffer);
    const ArrayPlan& plan = generation_.arrays.plans.at(buffer);
    const ElemType elem = generation_.arrays.arrays.at(buffer).elem;
    if (!generation_.products.any_by_tensor_cores()) return false;
    if (generation_.values.of(s.from).kind != Value::Kind::Block) return false;
    if (elem != ElemType::F16 && elem != ElemType::BF16) return false;
    bool even = plan.col_step == 1 && plan.row_step % 2 == 0;
    for (std::size_t i = 0; i < s.at.size(); ++i) even = even && (s.at[i].zero || plan.steps.at(i) % 2 == 0);
    return even;
}

void KernelWriter::write(const Statement& at, const Store& s) {
    const ArrayPlan& plan = generation_.arrays.plans.at(static_cast<std::size_t>(s.buffer));
    if (in_pairs(s))
        return line("store_pairs(" + named(s.from) + ", " + address(s.buffer, s.at) + ", " +
                        std::to_string(plan.row_step) + "LL);",
                    at.node, &at);
    std::string steps;
    const std::size_t axes = generation_.values.of(s.from).extents.axes.size();
    if (axes > 0) steps += ", " + std::to_string(plan.row_step);
    if (axes > 1) steps += ", " + std::to_string(plan.col_step);
    line("store<" + plan.c_type + ">(" + named(s.from) + ", " + address(s.buffer, s.at) + steps + ");",
         at.node, &at);
}

std::string KernelWriter::applied(const Statement& at, FunctionalOp op, const std::vector<Temp>& args) const {
    const std::string a = named(args.at(0));
    switch (op) {
        case FunctionalOp::ColShift:
            return "col_shift(" + a + ", " + columns(args.at(1)) + ")";
        case FunctionalOp::ColScale:
            return "col_scale(" + a + ", " + columns(args.at(1)) + ")";
        case FunctionalOp::Outer:
            return "outer(" + a + ", " + columns(args.at(1)) + ")";
        case FunctionalOp::Dot:
            return product(at, "dot", "", args.at(0), args.at(1));
        case FunctionalOp::Add:
            if (generation_.delayed.count(args.at(0).id) > 0)
                return "add(" + named(args.at(1)) + ", " + a + ")";
            [[fallthrough]];
        case FunctionalOp::Mul:
        case FunctionalOp::RowShift:
        case FunctionalOp::RowScale:
            return to_string(op) + "(" + a + ", " + named(args.at(1)) + ")";
        case FunctionalOp::RowSum:
        case FunctionalOp::RowMax:
        case FunctionalOp::BlockMax:
            return to_string(op) + "(" + a + ")";
    }
    throw InternalError("unknown functional operator");
}

// Tensor cores take tiles and, on the left, accumulators as they are; on the right those become tiles first.
std::string KernelWriter::product(const Statement& at, const std::string& call, const std::string& before,
                                  Temp left, Temp right) const {
    const Products& products = generation_.products;
    const Arithmetic arithmetic = products.of(at);
    if (arithmetic == Arithmetic::Float32)
        return call + "(" + before + operand(left) + ", " + operand(right) + ")";
    std::string name = call;
    if (!rings_.empty()) {
        name.insert(name.find("dot"), "group_");
        wgmma_.merge(wgmma_shapes(tile_elem(arithmetic), longest(right, 0)));
    }
    name += "(" + before + (products.tile(left) ? operand(left) : named(left)) + ", ";
    const TileSlot* slot = tiles_.slot(at);
    if (!slot) return name + operand(right) + ")";
    return name + "as_tile<" + c_type(slot->elem) + ">(" + named(right) + ", " +
           std::to_string(slot->offset) + "))";
}

void KernelWriter::write(const Statement& at, const Compute& s) {
    if (generation_.delayed.count(s.to.id) > 0) {
        declared_.insert(s.to.id);
        return line("const auto " + named(s.to) + " = " +
                        product(at, "delayed_dot", "", s.args.at(0), s.args.at(1)) + ";",
                    at.node, &at);
    }
    assign(at, s.to, applied(at, s.op, s.args));
}

// map([](Number x0) { return exponential(x0); }, t3, t3): the first t3 gives the shape.
void KernelWriter::write(const Statement& at, const Evaluate& s) {
    const bool scalar = generation_.values.of(s.to).kind == Value::Kind::Scalar;
    std::vector<std::string> names;
    std::string parameters;
    std::string values;
    std::string shape;
    for (std::size_t i = 0; i < s.args.size(); ++i) {
        names.push_back(scalar ? named(s.args[i]) : scalar_name(i));
        if (s.args[i].id == 0) continue;
        parameters += (parameters.empty() ? "Number " : ", Number ") + scalar_name(i);
        values += ", " + named(s.args[i]);
        if (shape.empty() && generation_.values.of(s.args[i]).kind != Value::Kind::Scalar)
            shape = named(s.args[i]);
    }
    const std::string result = to_cuda(*s.expr, names, generation_.program.dims);
    if (scalar) return assign(at, s.to, result);
    assign(at, s.to, "map([](" + parameters + ") { return " + result + "; }, " + shape + values + ")");
}

void KernelWriter::write(const Statement& at, const Accumulate& s) {
    const std::string to = named(s.to);
    if (s.functional && s.op == FunctionalOp::Dot)
        return line(product(at, "add_dot", to + ", ", s.args.at(0), s.args.at(1)) + ";", at.node, &at);
    const std::string value = s.functional ? applied(at, s.op, s.args) : named(s.args.at(0));
    line(to + " = add(" + to + ", " + value + ");", at.node, &at);
}

std::string KernelWriter::filled(Temp temp, double value) const {
    std::string number = literal(value);
    switch (generation_.values.of(temp).kind) {
        case Value::Kind::Scalar:
            return number;
        case Value::Kind::Rows:
            return "filled_rows<" + std::to_string(longest(temp, 0)) + ">(" + number + ", " +
                   extents_of(temp) + ")";
        case Value::Kind::Cols:
            return "filled_cols<" + std::to_string(longest(temp, 0)) + ">(" + number + ", " +
                   extents_of(temp) + ")";
        case Value::Kind::Block:
            return "filled_block<" + std::to_string(longest(temp, 0)) + ", " +
                   std::to_string(longest(temp, 1)) + ">(" + number + ", " + extents_of(temp) + ")";
        case Value::Kind::Unknown:
            break;
    }
    throw InternalError("codegen: the kind of " + named(temp) + " is not known");
}

void KernelWriter::write(const Statement& at, const Initialise& s) {
    assign(at, s.to, filled(s.to, s.value));
}

void KernelWriter::write(const Statement& at, const Assign& s) {
    assign(at, s.to, named(s.from));
}

void KernelWriter::write(const Statement& at, const CallMisc& s) {
    if (s.name != "transpose") throw InternalError("codegen: " + s.name + " has no CUDA form");
    transpose(at, s);
}

}  // namespace blockscope::gpu
