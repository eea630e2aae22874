#include "core/import/aten.h"

#include <algorithm>
#include <utility>

#include "core/import/shapes.h"

namespace blockscope::model {
namespace {

constexpr const char* kAten = "torch.ops.aten.";

// "add" of "torch.ops.aten.add.Tensor", and "add_", which changes its operand; empty of what is not
// PyTorch's.
std::string aten_name(const std::string& target) {
    for (const std::string space : {kAten, "torch.ops.prims."}) {
        if (target.compare(0, space.size(), space) != 0) continue;
        return target.substr(space.size(), target.find('.', space.size()) - space.size());
    }
    return {};
}

// "aten.cumsum" of "torch.ops.aten.cumsum.default".
std::string shown_target(std::string target) {
    const std::string front = "torch.ops.";
    const std::string back = ".default";
    if (target.compare(0, front.size(), front) == 0) target.erase(0, front.size());
    if (target.size() > back.size() && target.compare(target.size() - back.size(), back.size(), back) == 0)
        target.resize(target.size() - back.size());
    return target;
}

// What changes its operand is known by a line behind its name, but not __and__.
bool changes_operand(const std::string& name) {
    return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

}  // namespace

AtenResult add_aten_call(TensorGraph& graph, const AtenCall& call) {
    return AtenLowering(graph, call).run();
}

AtenResult AtenLowering::run() {
    std::string name = aten_name(call_.target);
    const bool there = !call_.outputs.empty();
    bool alone = true;
    if (there && changes_operand(name)) {
        name.pop_back();
        alone = call_.sole_user;
        if (!alone) refuse(Text("it changes a tensor in place that may be read by others"));
    }
    const std::size_t nodes = graph_.nodes.size();
    bool done = false;
    if (there && alone) {
        if (const auto rule = rules().find(name); rule != rules().end()) {
            done = (this->*rule->second)();
        } else if (const auto one = unary_operators().find(name); one != unary_operators().end()) {
            done = unary(one->second);
        } else if (const auto two = comparisons().find(name); two != comparisons().end()) {
            done = comparison(two->second);
        }
    }
    if (unread_) done = refuse(Text("an argument of it is not understood, or no plain number"));
    if (!done) {
        graph_.nodes.resize(nodes);
        alias_ = -1;
        custom();
    }
    return {.alias = alias_, .understood = done};
}

bool AtenLowering::refuse(Text why) {
    why_ = std::move(why);
    return false;
}

// In the order of the arguments' names, which is not that of the model: it has no meaning for what is not
// understood.
void AtenLowering::custom() {
    GraphNode node{.name = call_.name,
                   .op = shown_target(call_.target),
                   .inputs = {},
                   .outputs = call_.outputs,
                   .attributes = {},
                   .why = why_};
    for (const auto& [name, value] : call_.arguments) {
        if (const auto* one = std::get_if<AtenTensor>(&value)) node.inputs.push_back(one->index);
        if (const auto* all = std::get_if<std::vector<AtenTensor>>(&value))
            for (const AtenTensor& each : *all) node.inputs.push_back(each.index);
    }
    if (!node.outputs.empty()) graph_.nodes.push_back(std::move(node));
}

// ---- Arguments.

const AtenArgument* AtenLowering::argument(const char* name) const {
    const auto found = call_.arguments.find(name);
    return found != call_.arguments.end() ? &found->second : nullptr;
}

bool AtenLowering::given(const char* name) const {
    const AtenArgument* value = argument(name);
    return value != nullptr && !std::holds_alternative<std::monostate>(*value);
}

template <class T>
const T* AtenLowering::read(const char* name) {
    if (!given(name)) return nullptr;
    const T* value = std::get_if<T>(argument(name));
    unread_ = unread_ || value == nullptr;
    return value;
}

int AtenLowering::tensor(const char* name) {
    const auto* one = read<AtenTensor>(name);
    return one != nullptr ? one->index : -1;
}

std::int64_t AtenLowering::whole(const char* name, std::int64_t otherwise) {
    const auto* one = read<AtenWhole>(name);
    if (one == nullptr) return otherwise;
    unread_ = unread_ || !one->symbol.empty();
    return one->value;
}

double AtenLowering::real(const char* name, double otherwise) {
    if (!given(name)) return otherwise;
    const AtenArgument& value = *argument(name);
    if (const auto* one = std::get_if<double>(&value)) return *one;
    if (const auto* one = std::get_if<bool>(&value)) return *one ? 1 : 0;
    return static_cast<double>(whole(name, 0));
}

bool AtenLowering::flag(const char* name, bool otherwise) {
    const auto* one = read<bool>(name);
    return one != nullptr ? *one : otherwise;
}

std::string AtenLowering::text(const char* name, const std::string& otherwise) {
    const auto* one = read<std::string>(name);
    return one != nullptr ? *one : otherwise;
}

std::vector<AtenWhole> AtenLowering::wholes(const char* name) {
    if (!given(name)) return {};
    if (const auto* one = std::get_if<AtenWhole>(argument(name))) return {*one};
    const auto* all = read<std::vector<AtenWhole>>(name);
    return all != nullptr ? *all : std::vector<AtenWhole>();
}

std::optional<std::vector<std::int64_t>> AtenLowering::plain_wholes(const char* name) {
    std::vector<std::int64_t> numbers;
    for (const AtenWhole& one : wholes(name)) {
        if (!one.symbol.empty()) return std::nullopt;
        numbers.push_back(one.value);
    }
    return numbers;
}

std::vector<int> AtenLowering::tensors(const char* name) {
    std::vector<int> result;
    const auto* all = read<std::vector<AtenTensor>>(name);
    for (std::size_t i = 0; all != nullptr && i < all->size(); ++i) result.push_back((*all)[i].index);
    return result;
}

// ---- Tensors.

std::optional<std::size_t> AtenLowering::rank(int tensor) const {
    if (tensor < 0 || !at(tensor).extents) return std::nullopt;
    return at(tensor).extents->size();
}

std::optional<std::int64_t> AtenLowering::axis(std::int64_t axis, int tensor) const {
    const auto count = rank(tensor);
    const auto found = count ? axis_of(axis, *count) : std::nullopt;
    return found ? std::optional(static_cast<std::int64_t>(*found)) : std::nullopt;
}

std::optional<std::int64_t> AtenLowering::extent(int tensor, std::int64_t from) const {
    const auto which = axis(from, tensor);
    if (!which) return std::nullopt;
    const TensorExtent& one = (*at(tensor).extents)[static_cast<std::size_t>(*which)];
    return one.size >= 0 ? std::optional(one.size) : std::nullopt;
}

bool AtenLowering::only_first_output() const {
    return std::find(call_.used.begin() + 1, call_.used.end(), true) == call_.used.end();
}

// ---- What is added.

int AtenLowering::new_tensor(TensorKind kind, std::vector<TensorExtent> extents) {
    graph_.tensors.push_back({.name = at(output()).name + " part",
                              .kind = kind,
                              .extents = std::move(extents),
                              .weight = false,
                              .values = {}});
    return static_cast<int>(graph_.tensors.size()) - 1;
}

int AtenLowering::number(double value, TensorKind kind) {
    const int made = new_tensor(kind, {});
    at(made).values = is_real(kind) ? TensorValues::of_real({value})
                                    : TensorValues::of_whole({static_cast<std::int64_t>(value)}, kind);
    if (!is_real(kind) && kind != TensorKind::Bool) at(made).kind = TensorKind::I64;
    return made;
}

int AtenLowering::list(const std::vector<std::int64_t>& numbers) {
    const int made = new_tensor(TensorKind::I64, {{static_cast<std::int64_t>(numbers.size()), {}}});
    at(made).values = TensorValues::of_whole(numbers);
    return made;
}

int AtenLowering::list(const std::vector<AtenWhole>& numbers) {
    std::vector<TensorExtent> extents;
    std::vector<std::int64_t> plain;
    bool negative = false;
    for (const AtenWhole& one : numbers) {
        extents.push_back({one.symbol.empty() ? one.value : -1, one.symbol});
        if (!one.symbol.empty()) continue;
        plain.push_back(one.value);
        negative = negative || one.value < 0;
    }
    if (plain.size() == numbers.size()) return list(plain);
    if (negative) return -1;
    const int made = new_tensor(TensorKind::I64, {{static_cast<std::int64_t>(numbers.size()), {}}});
    graph_.computed[made] = std::move(extents);
    return made;
}

int AtenLowering::extents_of(int tensor) {
    if (tensor < 0 || !at(tensor).extents) return -1;
    std::vector<AtenWhole> numbers;
    for (const TensorExtent& extent : *at(tensor).extents) {
        if (extent.size < 0 && extent.symbol.empty()) return -1;
        numbers.push_back({extent.size, extent.symbol});
    }
    return list(numbers);
}

// The argument, or the extents of the output, which say the same without -1.
int AtenLowering::shape_list(const char* name) {
    const int made = list(wholes(name));
    return made >= 0 ? made : extents_of(output());
}

int AtenLowering::whole_tensor(const AtenWhole& number) {
    const int made = new_tensor(TensorKind::I64, {});
    if (number.symbol.empty())
        at(made).values = TensorValues::of_whole({number.value});
    else
        graph_.computed[made] = {{-1, number.symbol}};
    return made;
}

int AtenLowering::of_kind(int tensor, TensorKind kind) {
    const TensorKind own = tensor < 0 ? TensorKind::Other : at(tensor).kind;
    if (!is_real(kind) || is_real(own) || own == TensorKind::Other) return tensor;
    const int made = emit("Cast", {tensor}, {{"to", onnx_number(kind)}});
    at(made).kind = kind;
    return made;
}

int AtenLowering::operand(const char* name, TensorKind kind) {
    const AtenArgument* value = argument(name);
    if (value == nullptr) return -1;
    if (const auto* one = std::get_if<AtenTensor>(value)) return of_kind(one->index, kind);
    if (const auto* one = std::get_if<AtenWhole>(value); one != nullptr && !one->symbol.empty())
        return of_kind(whole_tensor(*one), kind);
    const bool is_number = std::holds_alternative<AtenWhole>(*value) ||
                           std::holds_alternative<double>(*value) || std::holds_alternative<bool>(*value);
    if (!is_number) return -1;
    if (const auto* one = std::get_if<AtenWhole>(value); one != nullptr && !is_real(kind))
        return whole_tensor(*one);
    const bool truth = std::holds_alternative<bool>(*value) && kind == TensorKind::Bool;
    return number(real(name, 0), truth ? kind : TensorKind::F32);
}

// Of whole numbers the factor is one, too.
int AtenLowering::scaled(int tensor, const char* factor) {
    const double times = real(factor, 1);
    if (tensor < 0 || times == 1) return tensor;
    if (is_real(kind())) return emit("Mul", {tensor, number(times)});
    const auto* plain = std::get_if<AtenWhole>(argument(factor));
    if (plain != nullptr) return emit("Mul", {tensor, whole_tensor(*plain)});
    refuse(Text("it has a factor that is no whole number"));
    return -1;
}

bool AtenLowering::of_truths() const {
    for (const char* name : {"self", "other"}) {
        if (!given(name)) continue;
        const AtenArgument& value = *argument(name);
        const auto* one = std::get_if<AtenTensor>(&value);
        const bool truth = one != nullptr && one->index >= 0 && at(one->index).kind == TensorKind::Bool;
        if (!truth && !std::holds_alternative<bool>(value)) return false;
    }
    return kind() == TensorKind::Bool;
}

int AtenLowering::emit(const char* op, std::vector<int> inputs, Attributes attributes) {
    if (std::find(inputs.begin(), inputs.end(), -1) != inputs.end()) return -1;
    const int made = new_tensor(TensorKind::Other, {});
    at(made).extents.reset();
    graph_.nodes.push_back({.name = call_.name,
                            .op = op,
                            .inputs = std::move(inputs),
                            .outputs = {made},
                            .attributes = std::move(attributes)});
    return made;
}

bool AtenLowering::finish(const char* op, std::vector<int> inputs, Attributes attributes) {
    if (!only_first_output()) return refuse(Text("only its first result has a form"));
    if (std::find(inputs.begin(), inputs.end(), -1) != inputs.end()) return false;
    graph_.nodes.push_back({.name = call_.name,
                            .op = op,
                            .inputs = std::move(inputs),
                            .outputs = {output()},
                            .attributes = std::move(attributes)});
    return true;
}

bool AtenLowering::same_as(int tensor) {
    if (!only_first_output()) return refuse(Text("only its first result has a form"));
    alias_ = tensor;
    return tensor >= 0;
}

// ---- Which operator is which.

const std::map<std::string, const char*>& AtenLowering::unary_operators() {
    static const std::map<std::string, const char*> table = {{"relu", "Relu"},
                                                             {"silu", "Silu"},
                                                             {"sigmoid", "Sigmoid"},
                                                             {"tanh", "Tanh"},
                                                             {"exp", "Exp"},
                                                             {"log", "Log"},
                                                             {"sqrt", "Sqrt"},
                                                             {"neg", "Neg"},
                                                             {"abs", "Abs"},
                                                             {"reciprocal", "Reciprocal"},
                                                             {"erf", "Erf"},
                                                             {"sin", "Sin"},
                                                             {"cos", "Cos"},
                                                             {"floor", "Floor"},
                                                             {"ceil", "Ceil"},
                                                             {"mish", "Mish"},
                                                             {"hardswish", "HardSwish"},
                                                             {"selu", "Selu"},
                                                             {"isnan", "IsNaN"}};
    return table;
}

const std::map<std::string, const char*>& AtenLowering::comparisons() {
    static const std::map<std::string, const char*> table = {
        {"eq", "Equal"}, {"lt", "Less"}, {"gt", "Greater"}, {"le", "LessOrEqual"}, {"ge", "GreaterOrEqual"}};
    return table;
}

const std::map<std::string, AtenLowering::Rule>& AtenLowering::rules() {
    using Self = AtenLowering;
    static const std::map<std::string, Rule> table = {
        {"add", &Self::add},
        {"sub", &Self::subtract},
        {"rsub", &Self::subtract_from},
        {"mul", &Self::multiply},
        {"div", &Self::divide},
        {"true_divide", &Self::divide},
        {"pow", &Self::power},
        {"maximum", &Self::maximum},
        {"minimum", &Self::minimum},
        {"remainder", &Self::remainder},
        {"logical_and", &Self::both},
        {"bitwise_and", &Self::both},
        {"__and__", &Self::both},
        {"logical_or", &Self::either},
        {"bitwise_or", &Self::either},
        {"__or__", &Self::either},
        {"logical_not", &Self::neither},
        {"clamp", &Self::clamp},
        {"clamp_min", &Self::clamp},
        {"clamp_max", &Self::clamp},
        {"square", &Self::square},
        {"rsqrt", &Self::inverse_root},
        {"gelu", &Self::gelu},
        {"elu", &Self::elu},
        {"leaky_relu", &Self::leaky_relu},
        {"softplus", &Self::softplus},
        {"linear", &Self::linear},
        {"matmul", &Self::product},
        {"mm", &Self::product},
        {"bmm", &Self::product},
        {"mv", &Self::product},
        {"addmm", &Self::added_product},
        {"baddbmm", &Self::added_product},
        {"scaled_dot_product_attention", &Self::attention},
        {"_scaled_dot_product_flash_attention", &Self::attention},
        {"_scaled_dot_product_flash_attention_for_cpu", &Self::attention},
        {"_scaled_dot_product_efficient_attention", &Self::attention},
        {"_scaled_dot_product_cudnn_attention", &Self::attention},
        {"softmax", &Self::softmax},
        {"_softmax", &Self::softmax},
        {"_safe_softmax", &Self::safe_softmax},
        {"layer_norm", &Self::layer_norm},
        {"native_layer_norm", &Self::layer_norm},
        {"rms_norm", &Self::rms_norm},
        {"_fused_rms_norm", &Self::rms_norm},
        {"mean", &Self::mean},
        {"sum", &Self::sum},
        {"amax", &Self::largest},
        {"var", &Self::variance},
        {"view", &Self::view},
        {"_unsafe_view", &Self::view},
        {"view_copy", &Self::view},
        {"reshape", &Self::view},
        {"flatten", &Self::reshape_to_output},
        {"unflatten", &Self::reshape_to_output},
        {"squeeze", &Self::reshape_to_output},
        {"permute", &Self::permute},
        {"permute_copy", &Self::permute},
        {"transpose", &Self::transpose},
        {"t", &Self::transpose_matrix},
        {"numpy_T", &Self::transpose_matrix},
        {"expand", &Self::expand},
        {"expand_as", &Self::expand_to_output},
        {"broadcast_to", &Self::expand_to_output},
        {"repeat", &Self::repeat},
        {"repeat_interleave", &Self::repeat_each},
        {"unsqueeze", &Self::unsqueeze},
        {"slice", &Self::slice},
        {"select", &Self::select},
        {"cat", &Self::concatenate},
        {"concat", &Self::concatenate},
        {"stack", &Self::stack},
        {"split", &Self::split},
        {"split_with_sizes", &Self::split},
        {"chunk", &Self::split},
        {"unbind", &Self::unbind},
        {"clone", &Self::identity},
        {"contiguous", &Self::identity},
        {"alias", &Self::identity},
        {"detach", &Self::identity},
        {"lift_fresh_copy", &Self::identity},
        {"_to_copy", &Self::cast},
        {"to", &Self::cast},
        {"type_as", &Self::cast},
        {"convert_element_type", &Self::cast},
        {"dropout", &Self::dropout},
        {"native_dropout", &Self::dropout},
        {"where", &Self::where},
        {"masked_fill", &Self::masked_fill},
        {"full", &Self::filled},
        {"full_like", &Self::filled},
        {"new_full", &Self::filled},
        {"fill", &Self::filled},
        {"scalar_tensor", &Self::filled},
        {"ones", &Self::ones},
        {"ones_like", &Self::ones},
        {"new_ones", &Self::ones},
        {"zeros", &Self::zeros},
        {"zeros_like", &Self::zeros},
        {"new_zeros", &Self::zeros},
        {"arange", &Self::range},
        {"tril", &Self::lower_triangle},
        {"triu", &Self::upper_triangle},
        {"embedding", &Self::embedding},
    };
    return table;
}

}  // namespace blockscope::model
