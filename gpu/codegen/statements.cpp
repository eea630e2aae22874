// Elementwise expressions as CUDA in float32.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/expr.h"
#include "core/support/result.h"
#include "gpu/codegen/exponents.h"
#include "gpu/codegen/kernel_writer.h"

namespace blockscope::gpu {

namespace {

// Powers with a constant exponent that have an instruction of their own.
std::optional<std::string> power(const std::string& base, double exponent) {
    if (exponent == 2) return "square(" + base + ")";
    if (exponent == 0.5) return "square_root(" + base + ")";
    if (exponent == -0.5) return "rsqrtf(" + base + ")";
    if (exponent == -1) return "quotient(1.0f, " + base + ")";
    return std::nullopt;
}

// What stands under the root if the expression is one: dividing by a root is one instruction and a product.
std::optional<std::string> under_root(const Expr& expr, const std::vector<std::string>& args,
                                      const DimTable& dims) {
    const auto* inner = std::get_if<Call>(&expr.value);
    if (!inner || inner->fn != Fn::Sqrt) return std::nullopt;
    return to_cuda(*inner->args.front(), args, dims);
}

}  // namespace

std::string applied(Fn fn, const std::string& a, const std::string& b) {
    std::string text;
    const std::string_view form = primitive(fn).cuda;
    for (std::size_t at = 0; at < form.size(); ++at) {
        if (form[at] != '$') {
            text += form[at];
            continue;
        }
        text += form[++at] == 'a' ? a : b;
    }
    return text;
}

std::string literal(double value) {
    if (std::isinf(value)) return value < 0 ? "-INFINITY_F" : "INFINITY_F";
    if (std::isnan(value)) return "bits_to_float(0x7fc00000u)";
    if (std::abs(value) > 3.4e38) return value < 0 ? "-INFINITY_F" : "INFINITY_F";
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    std::string result = text;
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result + "f";
}

std::string to_cuda(const Expr& expr, const std::vector<std::string>& args, const DimTable& dims) {
    if (const std::optional<double> value = constant_value(expr, dims)) return literal(*value);
    if (const auto* argument = std::get_if<Arg>(&expr.value))
        return args.at(static_cast<std::size_t>(argument->index));
    const Call& inner = std::get<Call>(expr.value);
    const std::string a = to_cuda(*inner.args.front(), args, dims);
    if (inner.args.size() == 1) return applied(inner.fn, a, "");
    if (inner.fn == Fn::Pow)
        if (const std::optional<double> exponent = constant_value(*inner.args.back(), dims))
            if (const std::optional<std::string> special = power(a, *exponent)) return "(" + *special + ")";
    if (inner.fn == Fn::Div)
        if (const std::optional<std::string> root = under_root(*inner.args.back(), args, dims))
            return "(" + a + " * rsqrtf(" + *root + "))";
    return applied(inner.fn, a, to_cuda(*inner.args.back(), args, dims));
}

// Registers hold float32: the result of a cast to fewer bits is rounded as an array of that type would round
// it.
std::string rounded(const std::string& value, std::optional<ElemType> cast) {
    if (!cast || *cast == ElemType::F32) return value;
    return "to_float(FromFloat<" + c_type(*cast) + ">::of(" + value + "))";
}

// One statement of each kind.

namespace {

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
        if (generation_.masks.holds(s.to))
            line("const bool " + zeros(s.to) + " = " + from + ".zeros();", at.node);
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
    if (!generation_.tensor_cores) return false;
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
    switch (form_of(op)) {
        case FunctionalForm::WithCols:
        case FunctionalForm::Outer:
            return to_string(op) + "(" + a + ", " + columns(args.at(1)) + ")";
        case FunctionalForm::Contract:
            return product(at, to_string(op), "", args.at(0), args.at(1));
        case FunctionalForm::ByElement:
            if (op == FunctionalOp::Add && generation_.delayed.count(args.at(0).id) > 0)
                return "add(" + named(args.at(1)) + ", " + a + ")";
            [[fallthrough]];
        case FunctionalForm::WithRows:
            return to_string(op) + "(" + a + ", " + named(args.at(1)) + ")";
        case FunctionalForm::FoldRows:
            return to_string(op) + (generation_.exponents.in_courses(args.at(0)) ? "<4>(" : "(") + a + ")";
        case FunctionalForm::FoldAll:
        case FunctionalForm::Rotate:
            return to_string(op) + "(" + a + ")";
    }
    throw InternalError("unknown form of a functional operator");
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
    const Exponents& exponents = generation_.exponents;
    if (exponents.is_shift(at)) return line("// with the exponential:", at.node, &at);
    if (exponents.rescales(at))
        return assign(at, s.to, "row_rescale(" + named(s.args.at(0)) + ", " + named(s.args.at(1)) + ")");
    const double factor = s.args.size() == 1 ? exponents.factor(s.args.at(0)) : 1;
    if (factor != 1)
        return assign(at, s.to, "scaled(" + applied(at, s.op, s.args) + ", " + literal(factor) + ")");
    assign(at, s.to, where_masked(at, s.args, applied(at, s.op, s.args)));
}

// "t5_zeros": whether t5, a block of a mask, is all zeros.
std::string KernelWriter::zeros(Temp mask) const {
    return "t" + std::to_string(mask.id) + "_zeros";
}

// "t5_zeros ? t4 : add(t4, t5)": what adds a mask computes less where it is all zeros.
std::string KernelWriter::where_masked(const Statement& at, const std::vector<Temp>& args,
                                       const std::string& all) const {
    const std::optional<Unmasked> less = generation_.masks.unmasked(at);
    const bool blocks = less && std::all_of(args.begin(), args.end(), [&](Temp arg) {
                            return arg.id == 0 || generation_.delayed.count(arg.id) == 0;
                        });
    if (!blocks) return all;
    const auto* same = std::get_if<Arg>(&less->expr->value);
    if (!same) return zeros(less->temp) + " ? " + mapped(*less->expr, args) + " : " + all;
    const Temp left = args.at(static_cast<std::size_t>(same->index));
    if (generation_.values.of(left).kind != Value::Kind::Block) return all;
    return zeros(less->temp) + " ? " + named(left) + " : " + all;
}

// map([](Number x0) { return exponential(x0); }, t3, t3): the first t3 gives the shape.
std::string KernelWriter::mapped(const Expr& expr, const std::vector<Temp>& args,
                                 std::optional<ElemType> cast) const {
    std::vector<std::string> names;
    std::string parameters;
    std::string values;
    std::string shape;
    for (std::size_t i = 0; i < args.size(); ++i) {
        names.push_back(scalar_name(i));
        if (args[i].id == 0) continue;
        parameters += (parameters.empty() ? "Number " : ", Number ") + scalar_name(i);
        values += ", " + named(args[i]);
        if (shape.empty() && generation_.values.of(args[i]).kind != Value::Kind::Scalar)
            shape = named(args[i]);
    }
    return "map([](" + parameters + ") { return " +
           rounded(to_cuda(expr, names, generation_.program.dims), cast) + "; }, " + shape + values + ")";
}

// "row_exponential(t6, t10, 0.125f)"
std::string KernelWriter::shifted_exponential(const std::vector<Temp>& args) const {
    const double factor = generation_.exponents.factor(args.at(0));
    return "row_exponential(" + named(args.at(0)) + ", " + named(args.at(1)) +
           (factor == 1 ? "" : ", " + literal(factor)) + ")";
}

void KernelWriter::write(const Statement& at, const Evaluate& s) {
    if (generation_.exponents.leaves_product(at)) {
        declared_.insert(s.to.id);
        return line("const auto& " + named(s.to) + " = " + named(s.args.at(0)) + ";", at.node, &at);
    }
    if (const auto* args = generation_.exponents.shifted(at))
        return assign(at, s.to, shifted_exponential(*args));
    if (generation_.exponents.may_lag(at))
        return assign(at, s.to, "lagging_max(" + named(s.args.at(0)) + ", " + named(s.args.at(1)) + ")");
    if (generation_.values.of(s.to).kind != Value::Kind::Scalar)
        return assign(at, s.to, where_masked(at, s.args, mapped(*s.expr, s.args, s.cast)));
    std::vector<std::string> names;
    for (const Temp arg : s.args) names.push_back(named(arg));
    assign(at, s.to, rounded(to_cuda(*s.expr, names, generation_.program.dims), s.cast));
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
