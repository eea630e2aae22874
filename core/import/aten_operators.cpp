// What each of PyTorch's operators becomes. A rule says false where it does not understand the call, which
// then stands in the program as a custom operator.
#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <utility>

#include "core/import/aten.h"
#include "core/import/shapes.h"

namespace blockscope::model {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

// ---- Element by element.

bool AtenLowering::unary(const char* op) {
    const int self = tensor(given("self") ? "self" : "a");
    return finish(op, {self >= 0 && kind() != TensorKind::Bool ? of_kind(self, kind()) : self});
}

bool AtenLowering::binary(const char* op) {
    return finish(op, {operand("self", kind()), operand("other", kind())});
}

// Of two numbers of different kinds the whole one becomes a real one.
bool AtenLowering::comparison(const char* op) {
    TensorKind common = TensorKind::I64;
    for (const char* name : {"self", "other"}) {
        const AtenArgument* value = argument(name);
        if (value == nullptr) return false;
        const auto* one = std::get_if<AtenTensor>(value);
        const bool real_tensor = one != nullptr && one->index >= 0 && is_real(at(one->index).kind);
        if (real_tensor || std::holds_alternative<double>(*value)) common = TensorKind::F32;
    }
    return finish(op, {operand("self", common), operand("other", common)});
}

bool AtenLowering::add() {
    return finish("Add", {operand("self", kind()), scaled(operand("other", kind()), "alpha")});
}

bool AtenLowering::subtract() {
    if (real("alpha", 1) != 1) return refuse(Text("it has a factor"));
    return binary("Sub");
}

bool AtenLowering::subtract_from() {
    if (real("alpha", 1) != 1) return refuse(Text("it has a factor"));
    return finish("Sub", {operand("other", kind()), operand("self", kind())});
}

bool AtenLowering::multiply() {
    return binary("Mul");
}

bool AtenLowering::divide() {
    if (given("rounding_mode")) return refuse(Text("it rounds"));
    return binary("Div");
}

bool AtenLowering::power() {
    return finish("Pow", {operand("self", kind()), operand("exponent", kind())});
}

bool AtenLowering::maximum() {
    return binary("Max");
}
bool AtenLowering::minimum() {
    return binary("Min");
}
// Of real numbers the sign is another one in the standard.
bool AtenLowering::remainder() {
    return !is_real(kind()) && binary("Mod");
}

bool AtenLowering::both() {
    return of_truths() && binary("And");
}
bool AtenLowering::either() {
    return of_truths() && binary("Or");
}
bool AtenLowering::neither() {
    return of_truths() && unary("Not");
}

bool AtenLowering::clamp() {
    int value = tensor("self");
    if (given("min")) value = emit("Max", {value, operand("min", kind())});
    if (!given("max")) return finish("Identity", {value});
    return finish("Min", {value, operand("max", kind())});
}

bool AtenLowering::square() {
    return finish("Mul", {tensor("self"), tensor("self")});
}

bool AtenLowering::inverse_root() {
    const int self = tensor("self");
    return self >= 0 && finish("Reciprocal", {emit("Sqrt", {of_kind(self, kind())})});
}

bool AtenLowering::gelu() {
    return finish("Gelu", {tensor("self")}, {{"approximate", text("approximate", "none")}});
}

bool AtenLowering::elu() {
    if (real("scale", 1) != 1 || real("input_scale", 1) != 1) return refuse(Text("it has a scale"));
    return finish("Elu", {tensor("self")}, {{"alpha", real("alpha", 1)}});
}

bool AtenLowering::leaky_relu() {
    return finish("LeakyRelu", {tensor("self")}, {{"alpha", real("negative_slope", 0.01)}});
}

bool AtenLowering::softplus() {
    if (real("beta", 1) != 1) return refuse(Text("it has a scale"));
    return finish("Softplus", {tensor("self")});
}

// ---- Products.

int AtenLowering::transposed_last(int tensor) {
    const auto count = rank(tensor);
    if (!count || *count < 2) return -1;
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < *count; ++i) order.push_back(static_cast<std::int64_t>(i));
    std::swap(order[*count - 1], order[*count - 2]);
    return emit("Transpose", {tensor}, {{"perm", order}});
}

bool AtenLowering::linear() {
    const int weight = transposed_last(tensor("weight"));
    const int bias = tensor("bias");
    if (bias < 0) return finish("MatMul", {tensor("input"), weight});
    return weight >= 0 && tensor("input") >= 0 &&
           finish("Add", {emit("MatMul", {tensor("input"), weight}), bias});
}

bool AtenLowering::product() {
    const bool vector = given("vec");
    const int other = tensor(given("mat2") ? "mat2" : vector ? "vec" : "other");
    return finish("MatMul", {tensor("self"), other});
}

bool AtenLowering::added_product() {
    const bool many = given("batch1");
    const int a = tensor(many ? "batch1" : "mat1");
    const int b = tensor(many ? "batch2" : "mat2");
    int bias = tensor("self");
    if (bias < 0) bias = tensor("input");
    if (a < 0 || b < 0 || bias < 0) return false;
    const int result = scaled(emit("MatMul", {a, b}), "alpha");
    if (real("beta", 1) == 0) return finish("Identity", {result});
    bias = scaled(bias, "beta");
    return finish("Add", {result, bias});
}

// ---- Attention.

// What a row may not see is minus infinity, the rest 0.
int AtenLowering::causal_mask(int queries, int keys) {
    std::vector<AtenWhole> sizes;
    for (const int each : {queries, keys}) {
        const auto& extents = *at(each).extents;
        const TensorExtent& rows = extents[extents.size() - 2];
        if (rows.size < 0 && rows.symbol.empty()) return -1;
        sizes.push_back({rows.size, rows.symbol});
    }
    GraphTensor one{.name = {}, .kind = TensorKind::Bool, .extents = {}, .weight = false, .values = {}};
    one.values = TensorValues::of_whole({1}, TensorKind::Bool);
    one.extents.emplace();
    const int all = emit("ConstantOfShape", {list(sizes)}, {{"value", std::move(one)}});
    const int seen = emit("Trilu", {all}, {{"upper", std::int64_t{0}}});
    return emit("Where", {seen, number(0), number(-kInfinite)});
}

int AtenLowering::masked_scores(int scores, int queries, int keys) {
    if (flag("is_causal", false)) {
        const int mask = causal_mask(queries, keys);
        return mask < 0 ? -1 : emit("Add", {scores, mask});
    }
    const int mask = tensor(given("attn_bias") ? "attn_bias" : "attn_mask");
    if (mask < 0) return scores;
    if (at(mask).kind == TensorKind::Bool) return emit("Where", {mask, scores, number(-kInfinite)});
    return emit("Add", {scores, mask});
}

int AtenLowering::repeated(int tensor, std::int64_t which, std::int64_t times) {
    std::vector<AtenWhole> spread;
    std::vector<AtenWhole> joined;
    const std::vector<TensorExtent> extents = *at(tensor).extents;
    if (which < 0 || static_cast<std::size_t>(which) >= extents.size()) return -1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const AtenWhole own{extents[i].size, extents[i].symbol};
        spread.push_back(own);
        joined.push_back(own);
        if (static_cast<std::int64_t>(i) != which) continue;
        if (own.value < 0) return -1;
        spread.push_back({times, {}});
        joined.back().value *= times;
    }
    const int apart = emit("Unsqueeze", {tensor}, {{"axes", std::vector<std::int64_t>{which + 1}}});
    const int spread_list = list(spread);
    const int joined_list = list(joined);
    if (spread_list < 0 || joined_list < 0) return -1;
    const int result = emit("Reshape", {emit("Expand", {apart, spread_list}), joined_list});
    at(result).extents = extents;
    (*at(result).extents)[static_cast<std::size_t>(which)].size *= times;
    return result;
}

bool AtenLowering::attention() {
    if (real("dropout_p", 0) != 0)
        return refuse(Text("it drops numbers at random; export the model in eval()"));
    const int queries = tensor("query");
    int keys = tensor("key");
    int values = tensor("value");
    for (const int one : {queries, keys, values})
        if (rank(one).value_or(0) < 2) return refuse(Text("the shape of an operand does not follow"));
    if (flag("enable_gqa", false)) {
        const auto heads = extent(queries, -3);
        const auto shared = extent(keys, -3);
        const bool fit =
            rank(keys) == rank(queries) && rank(values) == rank(queries) && extent(values, -3) == shared;
        if (!fit || !heads || !shared || *shared == 0 || *heads % *shared != 0)
            return refuse(Text("its heads cannot be shared"));
        const auto which = static_cast<std::int64_t>(*rank(keys)) - 3;
        if (*heads != *shared) {
            keys = repeated(keys, which, *heads / *shared);
            values = repeated(values, which, *heads / *shared);
        }
        if (keys < 0 || values < 0) return refuse(Text("its heads cannot be shared"));
    }
    const auto width = extent(queries, -1);
    if (!given("scale") && !width) return refuse(Text("its scale does not follow"));
    int scores = emit("MatMul", {queries, transposed_last(keys)});
    if (scores < 0) return refuse(Text("the shape of an operand does not follow"));
    graph_.nodes.back().name += "_scores";
    scores = given("scale") ? emit("Mul", {scores, number(real("scale", 1))})
                            : emit("Div", {scores, number(std::sqrt(static_cast<double>(*width)))});
    scores = masked_scores(scores, queries, keys);
    if (scores < 0) return refuse(Text("the shape of an operand does not follow"));
    const int weights = emit("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    graph_.nodes.back().name += "_weights";
    return finish("MatMul", {weights, values});
}

// ---- Along rows.

// Its operand is cast first where another type is asked for.
bool AtenLowering::softmax() {
    int self = tensor("self");
    const bool other = self >= 0 && kind() != TensorKind::Other && at(self).kind != kind();
    if (other) self = emit("Cast", {self}, {{"to", onnx_number(kind())}});
    return finish("Softmax", {self}, {{"axis", whole("dim", -1)}});
}

// Rows that see nothing are 0.
bool AtenLowering::safe_softmax() {
    if (tensor("self") < 0) return false;
    const int plain = emit("Softmax", {tensor("self")}, {{"axis", whole("dim", -1)}});
    return finish("Where", {emit("IsNaN", {plain}), number(0), plain});
}

bool AtenLowering::layer_norm() {
    const std::vector<AtenWhole> shape = wholes("normalized_shape");
    if (shape.size() != 1) return refuse(Text("it normalises more than the last axis"));
    std::vector<int> inputs = {tensor("input")};
    if (tensor("weight") >= 0) inputs.push_back(tensor("weight"));
    if (tensor("bias") >= 0 && inputs.size() == 1) return refuse(Text("it has a bias without a weight"));
    if (tensor("bias") >= 0) inputs.push_back(tensor("bias"));
    return finish("LayerNormalization", std::move(inputs),
                  {{"axis", std::int64_t{-1}}, {"epsilon", real("eps", 1e-5)}});
}

bool AtenLowering::rms_norm() {
    if (wholes("normalized_shape").size() != 1) return refuse(Text("it normalises more than the last axis"));
    std::vector<int> inputs = {tensor("input")};
    if (tensor("weight") >= 0) inputs.push_back(tensor("weight"));
    const double smallest = kind() == TensorKind::F64    ? 2.220446049250313e-16
                            : kind() == TensorKind::F16  ? 0.0009765625
                            : kind() == TensorKind::BF16 ? 0.0078125
                                                         : 1.1920928955078125e-07;
    const double epsilon = given("eps") ? real("eps", smallest) : smallest;
    return finish("RMSNormalization", std::move(inputs), {{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
}

bool AtenLowering::reduce(const char* op) {
    const auto axes = plain_wholes("dim");
    if (!axes) return false;
    Attributes attributes = {{"keepdims", std::int64_t{flag("keepdim", false) ? 1 : 0}}};
    if (!axes->empty()) attributes["axes"] = *axes;
    return finish(op, {of_kind(tensor("self"), kind())}, std::move(attributes));
}

bool AtenLowering::mean() {
    return reduce("ReduceMean");
}
bool AtenLowering::sum() {
    return reduce("ReduceSum");
}
bool AtenLowering::largest() {
    return reduce("ReduceMax");
}

// The mean of the squares of what differs from the mean.
bool AtenLowering::variance() {
    const bool biased =
        (given("correction") && real("correction", 1) == 0) || (given("unbiased") && !flag("unbiased", true));
    const auto axes = plain_wholes("dim");
    const int self = tensor("self");
    if (!biased || !axes || axes->empty() || self < 0)
        return refuse(Text("it divides by one less than there are"));
    const Attributes kept = {{"axes", *axes}, {"keepdims", std::int64_t{1}}};
    const int apart = emit("Sub", {self, emit("ReduceMean", {self}, kept)});
    return finish("ReduceMean", {emit("Mul", {apart, apart})},
                  {{"axes", *axes}, {"keepdims", std::int64_t{flag("keepdim", false) ? 1 : 0}}});
}

// ---- The same numbers in another shape.

bool AtenLowering::view() {
    if (!given("size") && !given("shape")) return false;  // the bytes seen as another type
    return finish("Reshape", {tensor("self"), shape_list(given("size") ? "size" : "shape")});
}

bool AtenLowering::reshape_to_output() {
    return finish("Reshape", {tensor("self"), extents_of(output())});
}

bool AtenLowering::permute() {
    const auto order = plain_wholes("dims");
    const int self = tensor("self");
    std::vector<std::int64_t> from;
    for (std::size_t i = 0; order && i < order->size(); ++i)
        if (const auto one = axis((*order)[i], self)) from.push_back(*one);
    std::vector<std::int64_t> sorted = from;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i)
        if (sorted[i] != static_cast<std::int64_t>(i)) return false;
    if (!order || rank(self) != from.size()) return false;
    return finish("Transpose", {self}, {{"perm", from}});
}

bool AtenLowering::transpose() {
    const int self = tensor("self");
    const auto first = axis(whole("dim0", INT_MAX), self);
    const auto second = axis(whole("dim1", INT_MAX), self);
    if (!first || !second) return false;
    std::vector<std::int64_t> order;
    for (std::size_t i = 0; i < *rank(self); ++i) order.push_back(static_cast<std::int64_t>(i));
    std::swap(order[static_cast<std::size_t>(*first)], order[static_cast<std::size_t>(*second)]);
    return finish("Transpose", {self}, {{"perm", order}});
}

bool AtenLowering::transpose_matrix() {
    const int self = tensor("self");
    if (rank(self).value_or(2) < 2) return same_as(self);
    return rank(self) == std::size_t{2} &&
           finish("Transpose", {self}, {{"perm", std::vector<std::int64_t>{1, 0}}});
}

// -1 keeps an extent.
bool AtenLowering::expand() {
    std::vector<AtenWhole> sizes = wholes("size");
    for (AtenWhole& size : sizes)
        if (size.symbol.empty() && size.value == -1) size.value = 1;
    return finish("Expand", {tensor("self"), list(sizes)});
}

bool AtenLowering::expand_to_output() {
    return finish("Expand", {tensor("self"), extents_of(output())});
}

// Only along axes of 1, which is an expansion.
bool AtenLowering::repeat() {
    const int self = tensor("self");
    const auto times = plain_wholes("repeats");
    const auto count = rank(self);
    if (!times || !count || times->size() < *count) return false;
    for (std::size_t i = 0; i < *count; ++i) {
        const std::int64_t each = (*times)[times->size() - *count + i];
        if (each != 1 && extent(self, static_cast<std::int64_t>(i)) != std::int64_t{1}) return false;
    }
    return expand_to_output();
}

bool AtenLowering::repeat_each() {
    const int self = tensor("self");
    const auto which = given("dim") ? axis(whole("dim", INT_MAX), self) : std::nullopt;
    const std::int64_t times = whole("repeats", 0);
    if (!which || times < 1 || times > INT_MAX) return false;
    const int result = repeated(self, *which, times);
    return result >= 0 && finish("Identity", {result});
}

bool AtenLowering::unsqueeze() {
    return finish("Unsqueeze", {tensor("self")},
                  {{"axes", std::vector<std::int64_t>{whole("dim", INT_MAX)}}});
}

// ---- Parts.

bool AtenLowering::slice() {
    const std::vector<AtenWhole> from = wholes("start");
    const std::vector<AtenWhole> to = wholes("end");
    if (from.size() != (given("start") ? 1 : 0) || to.size() != (given("end") ? 1 : 0)) return false;
    const AtenWhole start = from.empty() ? AtenWhole{} : from[0];
    const AtenWhole end = to.empty() ? AtenWhole{INT64_MAX, {}} : to[0];
    const std::int64_t step = whole("step", 1);
    const int self = tensor("self");
    const auto which = axis(whole("dim", 0), self);
    if (!which) return false;
    const TensorExtent& all = (*at(self).extents)[static_cast<std::size_t>(*which)];
    const bool to_end =
        end.symbol.empty() ? end.value >= (all.size >= 0 ? all.size : INT_MAX) : end.symbol == all.symbol;
    if (start.symbol.empty() && start.value == 0 && step == 1 && to_end) return same_as(self);
    return finish("Slice", {self, list(std::vector{start}), list(std::vector{end}),
                            list(std::vector<std::int64_t>{*which}), list(std::vector<std::int64_t>{step})});
}

bool AtenLowering::select() {
    const auto which = axis(whole("dim", INT_MAX), tensor("self"));
    const std::vector<AtenWhole> index = wholes("index");
    if (!which || index.size() != 1) return false;
    return finish("Gather", {tensor("self"), whole_tensor(index[0])}, {{"axis", *which}});
}

bool AtenLowering::concatenate() {
    const std::vector<int> all = tensors("tensors");
    if (all.empty()) return false;
    const auto which = axis(whole("dim", 0), all[0]);
    return which && finish("Concat", all, {{"axis", *which}});
}

bool AtenLowering::stack() {
    const auto which = axis(whole("dim", 0), output());
    std::vector<int> all;
    for (const int one : tensors("tensors")) {
        if (one < 0 || !which) return false;
        all.push_back(emit("Unsqueeze", {one}, {{"axes", std::vector<std::int64_t>{*which}}}));
    }
    return !all.empty() && finish("Concat", std::move(all), {{"axis", *which}});
}

// How long the parts are is what the model says of its results.
bool AtenLowering::split() {
    const int self = tensor("self");
    const auto which = axis(whole("dim", 0), self);
    if (!which) return false;
    std::vector<AtenWhole> parts;
    for (const int one : call_.outputs) {
        if (rank(one) != rank(self)) return false;
        const TensorExtent& part = (*at(one).extents)[static_cast<std::size_t>(*which)];
        parts.push_back({part.size, part.symbol});
    }
    const int lengths = list(parts);
    if (lengths < 0) return false;
    graph_.nodes.push_back({.name = call_.name,
                            .op = "Split",
                            .inputs = {self, lengths},
                            .outputs = call_.outputs,
                            .attributes = {{"axis", *which}}});
    return true;
}

bool AtenLowering::unbind() {
    const int self = tensor("self");
    const auto which = axis(whole("dim", 0), self);
    if (!which) return false;
    for (std::size_t i = 0; i < call_.outputs.size(); ++i) {
        const int index = whole_tensor({static_cast<std::int64_t>(i), {}});
        graph_.nodes.push_back({.name = call_.name,
                                .op = "Gather",
                                .inputs = {self, index},
                                .outputs = {call_.outputs[i]},
                                .attributes = {{"axis", *which}}});
    }
    return true;
}

// ---- Nothing, or another type.

bool AtenLowering::identity() {
    return same_as(tensor(given("self") ? "self" : "a"));
}

bool AtenLowering::cast() {
    const int self = tensor(given("self") ? "self" : "a");
    if (self < 0) return false;
    if (at(self).kind == kind() || kind() == TensorKind::Other) return same_as(self);
    return finish("Cast", {self}, {{"to", onnx_number(kind())}});
}

bool AtenLowering::dropout() {
    const bool drops = real("p", 0) != 0 && flag("train", false);
    if (drops) return refuse(Text("it drops numbers at random; export the model in eval()"));
    return same_as(tensor("input"));
}

// ---- Choices and constants.

bool AtenLowering::where() {
    return finish("Where", {tensor("condition"), operand("self", kind()), operand("other", kind())});
}

bool AtenLowering::masked_fill() {
    return finish("Where", {tensor("mask"), operand("value", kind()), tensor("self")});
}

bool AtenLowering::filled_with(double value) {
    const bool real_kind = is_real(kind());
    if (kind() == TensorKind::Other) return false;
    GraphTensor fill{.name = {}, .kind = kind(), .extents = {}, .weight = false, .values = {}};
    fill.extents.emplace();
    if (real_kind)
        fill.values = TensorValues::of_real({value});
    else
        fill.values = TensorValues::of_whole({static_cast<std::int64_t>(value)}, kind());
    return finish("ConstantOfShape", {extents_of(output())}, {{"value", std::move(fill)}});
}

bool AtenLowering::filled() {
    const char* name = given("fill_value") ? "fill_value" : given("value") ? "value" : "s";
    const AtenArgument* value = argument(name);
    if (value == nullptr || std::holds_alternative<AtenTensor>(*value)) return false;
    if (const auto* one = std::get_if<AtenWhole>(value); one != nullptr && !one->symbol.empty()) return false;
    const double number = real(name, 0);
    if (!is_real(kind()) && !(std::abs(number) < 9e15)) return false;
    return filled_with(number);
}

bool AtenLowering::ones() {
    return filled_with(1);
}
bool AtenLowering::zeros() {
    return filled_with(0);
}

bool AtenLowering::range() {
    for (const char* name : {"start", "end", "step"}) {
        const AtenArgument* value = argument(name);
        if (value != nullptr && std::holds_alternative<double>(*value) &&
            real(name, 0) != std::floor(real(name, 0)))
            return refuse(Text("it counts in parts of a whole"));
    }
    const auto bound = [&](const char* name, std::int64_t otherwise) {
        const AtenArgument* value = argument(name);
        const auto* plain = value != nullptr ? std::get_if<AtenWhole>(value) : nullptr;
        if (plain != nullptr) return whole_tensor(*plain);
        const double stated = real(name, static_cast<double>(otherwise));
        return std::abs(stated) < 9e15 ? whole_tensor({static_cast<std::int64_t>(stated), {}}) : -1;
    };
    const std::vector<int> inputs = {bound("start", 0), bound("end", 0), bound("step", 1)};
    if (!is_real(kind())) return finish("Range", inputs);
    return finish("Cast", {emit("Range", inputs)}, {{"to", onnx_number(kind())}});
}

bool AtenLowering::triangle(bool upper) {
    const std::vector<AtenWhole> diagonal = wholes("diagonal");
    const int shift = whole_tensor(diagonal.empty() ? AtenWhole{} : diagonal[0]);
    return finish("Trilu", {tensor("self"), shift}, {{"upper", std::int64_t{upper ? 1 : 0}}});
}
bool AtenLowering::lower_triangle() {
    return triangle(false);
}
bool AtenLowering::upper_triangle() {
    return triangle(true);
}

bool AtenLowering::embedding() {
    return finish("Gather", {tensor("weight"), tensor("indices")}, {{"axis", std::int64_t{0}}});
}

}  // namespace blockscope::model
