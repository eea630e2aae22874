#include "core/import/exported_program.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace blockscope::model {
namespace {

using json::Reader;

constexpr std::size_t kMostEntries = 4'000'000;  // of one list
constexpr std::size_t kMostTextBytes = 1 << 20;
constexpr std::size_t kMostNameBytes = 1024;     // each node that a call becomes has its name
constexpr std::size_t kMostFormulaBytes = 4096;  // each tensor has those of its extents
constexpr std::size_t kHighestRank = 64;
constexpr int kDeepestGraph = 16;

const char* const kTensor = "as_tensor";

// Higher-order operators that run their graph under a setting (no_grad, autocast).
bool only_wraps(const std::string& target) {
    return target == "torch.ops.higher_order.wrap_with_set_grad_enabled" ||
           target == "torch.ops.higher_order.wrap_with_autocast";
}

std::size_t entries(const Reader& list) {
    return list.array(0, kMostEntries) ? list.size() : 0;
}

// Numbers that say what is seen: truths as 0 and 1, or 0 and what is as good as minus infinity.
bool is_mask(const TensorValues& values) {
    for (std::size_t i = 0; i < values.count(); ++i) {
        const double one = values.real(i);
        if (one != 0 && one != 1 && !(one <= -1e4)) return false;
    }
    return values.count() > 1;
}

// "encoder/layers/0" of "L__self__,,Model;...,encoder.layers.0,torch.nn.modules.linear.Linear".
std::string module_of(const std::string& stack) {
    const std::string last = stack.substr(stack.rfind(';') + 1);
    const std::size_t first = last.find(',');
    const std::size_t second = first == std::string::npos ? first : last.find(',', first + 1);
    if (second == std::string::npos) return {};
    std::string path = last.substr(first + 1, second - first - 1);
    path.resize(std::min(path.find('@'), path.size()));  // of modules that are called several times
    if (const std::string self = "L['self']"; path.compare(0, self.size(), self) == 0)
        path.erase(0, self.size());
    std::string result;
    for (const char c : path) {
        const bool cuts = c == '.' || c == '[' || c == ']' || c == '/' || c == '\'' || c == '"';
        if (!cuts)
            result += c;
        else if (!result.empty() && result.back() != '/')
            result += '/';
    }
    while (!result.empty() && result.back() == '/') result.pop_back();
    return result;
}

}  // namespace

TensorKind kind_of_scalar_type(std::int64_t type) {
    static const std::map<std::int64_t, TensorKind> kinds = {
        {1, TensorKind::U8},    {2, TensorKind::I8},    {3, TensorKind::I16},  {4, TensorKind::I32},
        {5, TensorKind::I64},   {6, TensorKind::F16},   {7, TensorKind::F32},  {8, TensorKind::F64},
        {12, TensorKind::Bool}, {13, TensorKind::BF16}, {28, TensorKind::U16}, {29, TensorKind::E4M3},
        {30, TensorKind::E5M2}};
    const auto found = kinds.find(type);
    return found != kinds.end() ? found->second : TensorKind::Other;
}

TensorGraph ExportedProgramReading::run(const Reader& document) {
    version(document);
    if (document.has("torch_version")) result_.producer = "pytorch " + need_name(document, "torch_version");
    ranges(document);
    const Reader module = need(document, "graph_module");
    const Reader graph = need(module, "graph");
    const Reader signature = need(module, "signature");
    Scope scope;
    tables(graph, scope);
    roles(signature);
    inputs(graph, scope);
    nodes(graph, scope);
    outputs(signature, scope);
    return std::move(result_);
}

void ExportedProgramReading::check() const {
    if (!report_.clean()) throw report_.problems().front();
}

Reader ExportedProgramReading::need(const Reader& of, const char* key) const {
    if (!of.has(key)) of.problem(Text("the key \"%1\" is missing", std::string(key)));
    check();
    return of.member(key);
}

std::string ExportedProgramReading::need_text(const Reader& of, const char* key,
                                              std::size_t most_bytes) const {
    const Reader text = need(of, key);
    std::string result = text.string(most_bytes).value_or("");
    check();
    return result;
}

std::string ExportedProgramReading::need_name(const Reader& of, const char* key) const {
    return need_text(of, key, kMostNameBytes);
}

void ExportedProgramReading::version(const Reader& document) {
    const Reader version = need(document, "schema_version");
    const Reader major = need(version, "major");
    const auto number = major.integer(0, INT64_MAX);
    check();
    if (*number != 8)
        major.problem(Text("found version %1 of the schema of exported programs; expected 8", *number));
    check();
}

// What is no whole number leaves that side open.
void ExportedProgramReading::ranges(const Reader& document) {
    if (!document.has("range_constraints")) return;
    const Reader all = document.member("range_constraints");
    for (const json::Member& member : all.members()) {
        const Reader range(member, all);
        const auto bound = [&](const char* key, std::int64_t otherwise) {
            const Reader one = range.member(key);
            return one.peek_integer().value_or(otherwise);
        };
        const std::int64_t least = std::max<std::int64_t>(bound("min_val", 1), 1);
        const std::int64_t most = std::min<std::int64_t>(bound("max_val", INT_MAX), INT_MAX);
        if (least <= most) result_.ranges[member.key] = {least, most};
    }
}

// ---- Sizes and tensors.

// A symbol, or a formula that is kept under its text.
std::string ExportedProgramReading::symbol_of(const Reader& expression) {
    std::string text = need_text(expression, "expr_str", kMostFormulaBytes);
    const std::optional<SizeFormula> formula = SizeFormula::parse(text);
    if (!formula) return text;
    if (formula->is_symbol()) return formula->symbols().front();
    result_.formulas.emplace(text, *formula);
    return text;
}

AtenWhole ExportedProgramReading::whole(const Reader& value) {
    if (value.has("as_expr")) {
        const Reader expression = value.member("as_expr");
        return {-1, symbol_of(expression)};
    }
    const Reader number = need(value, "as_int");
    const auto plain = number.integer(INT64_MIN, INT64_MAX);
    check();
    return {*plain, {}};
}

TensorExtent ExportedProgramReading::extent(const Reader& size) {
    const AtenWhole one = whole(size);
    if (!one.symbol.empty()) return {-1, one.symbol};
    if (one.value < 0 || one.value > INT_MAX)
        size.problem(Text("found an extent of %1; expected 0 to %2", one.value, INT_MAX));
    check();
    return {one.value, {}};
}

GraphTensor ExportedProgramReading::described(const Reader& meta, const std::string& name) {
    GraphTensor tensor{.name = name, .kind = TensorKind::Other, .extents = {}, .weight = false, .values = {}};
    const Reader type = need(meta, "dtype");
    tensor.kind = kind_of_scalar_type(type.integer(0, INT_MAX).value_or(0));
    const Reader sizes = need(meta, "sizes");
    if (sizes.size() > kHighestRank)
        sizes.problem(Text("found the tensor %1 with %2 extents; expected at most %3", name, sizes.size(),
                           kHighestRank));
    check();
    tensor.extents.emplace();
    double count = 1;
    for (std::size_t i = 0; i < entries(sizes); ++i) {
        const Reader size = sizes.at(i);
        tensor.extents->push_back(extent(size));
        if (tensor.extents->back().size > 0) count *= static_cast<double>(tensor.extents->back().size);
    }
    if (count > std::ldexp(1, 60))
        sizes.problem(Text("found the tensor %1 with more than 2^60 elements; expected fewer", name));
    check();
    return tensor;
}

void ExportedProgramReading::tables(const Reader& graph, Scope& scope) {
    const Reader tensors = need(graph, "tensor_values");
    for (const json::Member& member : tensors.members()) {
        const Reader meta(member, tensors);
        scope.described.emplace(member.key, described(meta, member.key));
    }
    const Reader wholes = graph.member("sym_int_values");
    for (const json::Member& member : wholes.members()) {
        const Reader one(member, wholes);
        scope.wholes.emplace(member.key, whole(one));
    }
    check();
    count_uses(graph, scope);
}

namespace {

// Counts every name in an argument.
void count_names(const json::Value& value, std::unordered_map<std::string, int>& uses) {
    if (const auto* list = std::get_if<json::Array>(&value.data))
        for (const json::Value& each : *list) count_names(each, uses);
    if (const auto* object = std::get_if<json::Object>(&value.data))
        for (const json::Member& member : *object) {
            const auto* name = std::get_if<std::string>(&member.value.data);
            if (name != nullptr && member.key == "name") ++uses[*name];
            if (name == nullptr) count_names(member.value, uses);
        }
}

}  // namespace

void ExportedProgramReading::count_uses(const Reader& graph, Scope& scope) const {
    const Reader nodes = need(graph, "nodes");
    for (std::size_t n = 0; n < entries(nodes); ++n) {
        const Reader node = nodes.at(n);
        const Reader inputs = need(node, "inputs");
        for (std::size_t i = 0; i < entries(inputs); ++i) {
            const Reader named = inputs.at(i);
            const Reader argument = need(named, "arg");
            count_names(*argument.value(), scope.uses);
        }
    }
    const Reader outputs = need(graph, "outputs");
    count_names(*outputs.value(), scope.uses);
    check();
}

// ---- What comes in and goes out.

void ExportedProgramReading::roles(const Reader& signature) {
    const Reader specs = need(signature, "input_specs");
    for (std::size_t i = 0; i < entries(specs); ++i) {
        const Reader spec = specs.at(i);
        const std::pair<const char*, const char*> kinds[] = {{"parameter", "parameter_name"},
                                                             {"buffer", "buffer_name"},
                                                             {"tensor_constant", "tensor_constant_name"}};
        for (const auto& [kind, key] : kinds) {
            if (!spec.has(kind)) continue;
            const Reader one = spec.member(kind);
            const Reader argument = need(one, "arg");
            const bool parameter = kind == kinds[0].first;
            roles_[need_name(argument, "name")] = {.name = need_name(one, key), .parameter = parameter};
        }
    }
    check();
    changes(signature);
}

// Buffers and inputs that the model writes to: what such a buffer holds is no constant.
void ExportedProgramReading::changes(const Reader& signature) {
    const Reader specs = need(signature, "output_specs");
    std::int64_t inputs = 0;
    for (std::size_t i = 0; i < entries(specs); ++i) {
        const Reader spec = specs.at(i);
        const Reader buffer = spec.member("buffer_mutation");
        if (buffer) changed_.insert(need_name(buffer, "buffer_name"));
        if (spec.has("user_input_mutation")) ++inputs;
    }
    check();
    if (!changed_.empty())
        result_.remarks.push_back(
            Text("the model writes to its buffers (%1 of them, such as %2); what it writes is left out",
                 static_cast<std::int64_t>(changed_.size()), *changed_.begin()));
    if (inputs > 0)
        result_.remarks.push_back(
            Text("the model writes to its inputs (%1 of them); what it writes is left out", inputs));
}

void ExportedProgramReading::inputs(const Reader& graph, Scope& scope) {
    const Reader list = need(graph, "inputs");
    for (std::size_t i = 0; i < entries(list); ++i) {
        const Reader argument = list.at(i);
        input(argument, scope);
    }
    check();
}

void ExportedProgramReading::input(const Reader& argument, Scope& scope) {
    if (!argument.has(kTensor)) return;  // a number that the graph has taken in
    const Reader tensor = argument.member(kTensor);
    const std::string name = need_name(tensor, "name");
    const auto found = scope.described.find(name);
    if (found == scope.described.end())
        tensor.problem(Text("found the input %1, of which tensor_values says nothing", name));
    check();
    GraphTensor made = found->second;
    const auto role = roles_.find(name);
    if (role != roles_.end()) {
        made.name = role->second.name;
        made.weight = true;
        const bool constant = !role->second.parameter && changed_.count(made.name) == 0;
        if (constant) made.values = stored_(made.name, made);
        made.weight = !made.values || !is_mask(*made.values);  // of a mask the numbers matter, not the place
        shared_[add(std::move(made), name, scope, tensor)] = true;
        return;
    }
    for (std::size_t i = 0; i < made.extents->size(); ++i) {
        TensorExtent& one = (*made.extents)[i];
        const bool formula = result_.formulas.count(one.symbol) > 0;
        const bool plain = SizeFormula::parse(one.symbol).has_value();
        if (one.size < 0 && !formula && !plain) one.symbol = name + "_" + std::to_string(i);
    }
    const int index = add(std::move(made), name, scope, tensor);
    shared_[index] = true;
    result_.inputs.push_back(index);
}

void ExportedProgramReading::outputs(const Reader& signature, const Scope& scope) {
    const Reader specs = need(signature, "output_specs");
    for (std::size_t i = 0; i < entries(specs); ++i) {
        const Reader spec = specs.at(i);
        const bool loss = spec.has("loss_output");
        if (!loss && !spec.has("user_output")) continue;  // a buffer that is written, a gradient
        const Reader one = spec.member(loss ? "loss_output" : "user_output");
        const Reader argument = need(one, "arg");
        if (!loss && !argument.has(kTensor)) continue;  // a number
        const Reader tensor = loss ? one.member("arg") : argument.member(kTensor);
        const Reader name = need(tensor, "name");
        const int index = known(name, scope);
        GraphTensor& result = result_.tensors[static_cast<std::size_t>(index)];
        const bool given =
            result.weight || std::count(result_.inputs.begin(), result_.inputs.end(), index) > 0;
        if (!given)
            result.name = name.string(kMostNameBytes).value_or("");  // of what only names it anew, too
        result_.outputs.push_back(index);
    }
    check();
    if (result_.outputs.empty()) specs.problem(Text("found a graph without outputs; expected at least one"));
    check();
}

// ---- Nodes.

int ExportedProgramReading::add(GraphTensor tensor, const std::string& name, Scope& scope,
                                const Reader& place) {
    const int index = static_cast<int>(result_.tensors.size());
    if (!scope.tensors.emplace(name, index).second)
        place.problem(Text("found a second tensor called %1; expected one", name));
    check();
    result_.tensors.push_back(std::move(tensor));
    return index;
}

int ExportedProgramReading::known(const Reader& name, const Scope& scope) const {
    const std::string text = name.string(kMostNameBytes).value_or("");
    check();
    const auto found = scope.tensors.find(text);
    if (found == scope.tensors.end())
        name.problem(Text("found the tensor %1, which neither the model nor an earlier node gives", text));
    check();
    return found->second;
}

AtenTensor ExportedProgramReading::tensor_argument(const Reader& argument, const Scope& scope) const {
    const Reader name = need(argument, "name");
    return {known(name, scope)};
}

AtenWhole ExportedProgramReading::sym_int(const Reader& argument, const Scope& scope) const {
    if (argument.has("as_int")) {
        const Reader number = argument.member("as_int");
        const auto plain = number.integer(INT64_MIN, INT64_MAX);
        check();
        return {*plain, {}};
    }
    const std::string name = need_name(argument, "as_name");
    const auto found = scope.wholes.find(name);
    if (found == scope.wholes.end())
        argument.problem(Text("found the whole number %1, of which sym_int_values says nothing", name));
    check();
    return found->second;
}

// Numbers that JSON has no word for are strings.
double ExportedProgramReading::real(const Reader& value) const {
    if (value.is("Infinity")) return std::numeric_limits<double>::infinity();
    if (value.is("-Infinity")) return -std::numeric_limits<double>::infinity();
    if (value.is("NaN")) return std::numeric_limits<double>::quiet_NaN();
    const double number = value.number().value_or(0);
    check();
    return number;
}

AtenArgument ExportedProgramReading::argument(const Reader& value, const Scope& scope) const {
    const auto list = [&](const Reader& of, auto each) {
        std::vector<decltype(each(of))> result;
        for (std::size_t i = 0; i < entries(of); ++i) {
            const Reader one = of.at(i);
            result.push_back(each(one));
        }
        check();
        return result;
    };
    const auto optional_tensor = [&](const Reader& one) {
        if (!one.has(kTensor)) return AtenTensor{};
        const Reader tensor = one.member(kTensor);
        return tensor_argument(tensor, scope);
    };
    const auto plain = [&](const Reader& one) {
        const auto number = one.integer(INT64_MIN, INT64_MAX);
        check();
        return AtenWhole{*number, {}};
    };
    if (value.has("as_none")) return std::monostate();
    for (const char* kind :
         {kTensor, "as_tensors", "as_optional_tensors", "as_optional_tensor", "as_int", "as_ints", "as_float",
          "as_floats", "as_bool", "as_string", "as_sym_int", "as_sym_ints", "as_scalar_type"}) {
        if (!value.has(kind)) continue;
        const std::string key = kind;
        const Reader held = value.member(kind);
        if (key == kTensor) return tensor_argument(held, scope);
        if (key == "as_tensors")
            return list(held, [&](const Reader& one) { return tensor_argument(one, scope); });
        if (key == "as_optional_tensors") return list(held, optional_tensor);
        if (key == "as_optional_tensor") {
            const AtenTensor one = optional_tensor(held);
            return one.index < 0 ? AtenArgument() : one;
        }
        if (key == "as_int") return plain(held);
        if (key == "as_ints") return list(held, plain);
        if (key == "as_float") return real(held);
        if (key == "as_floats") return list(held, [&](const Reader& one) { return real(one); });
        if (key == "as_sym_int") return sym_int(held, scope);
        if (key == "as_sym_ints") return list(held, [&](const Reader& one) { return sym_int(one, scope); });
        if (key == "as_bool") {
            const auto truth = held.boolean();
            check();
            return *truth;
        }
        if (key == "as_string") {
            const auto text = held.string(kMostTextBytes);
            check();
            return *text;
        }
        const auto type = held.integer(0, INT_MAX);
        check();
        return kind_of_scalar_type(*type);
    }
    return AtenOther();
}

void ExportedProgramReading::nodes(const Reader& graph, Scope& scope) {
    const Reader list = need(graph, "nodes");
    for (std::size_t n = 0; n < entries(list); ++n) {
        const Reader one = list.at(n);
        node(one, scope);
    }
    check();
}

// The tensors among a node's outputs.
std::vector<std::string> ExportedProgramReading::output_names(const Reader& node) const {
    std::vector<std::string> names;
    const Reader outputs = need(node, "outputs");
    for (std::size_t i = 0; i < entries(outputs); ++i) {
        const Reader output = outputs.at(i);
        const Reader one = output.member(kTensor);
        const Reader all = output.member("as_tensors");
        if (one) names.push_back(need_name(one, "name"));
        for (std::size_t k = 0; all && k < entries(all); ++k) {
            const Reader each = all.at(k);
            names.push_back(need_name(each, "name"));
        }
    }
    check();
    return names;
}

// Called after its module, as exporters of ONNX do it.
std::string ExportedProgramReading::node_name(const Reader& node, const std::string& output) const {
    const Reader metadata = node.member("metadata");
    if (!metadata || !metadata.has("nn_module_stack")) return output;
    const std::string module = module_of(need_text(metadata, "nn_module_stack", kMostTextBytes));
    return module.empty() || module.size() > kMostNameBytes ? output : "/" + module + "/" + output;
}

void ExportedProgramReading::node(const Reader& node, Scope& scope) {
    AtenCall call;
    call.target = need_name(node, "target");
    const std::vector<std::string> names = output_names(node);
    if (names.empty()) return;  // a whole number, which sym_int_values knows, or a check
    if (only_wraps(call.target) && inside(node, scope)) return;
    call.name = node_name(node, names[0]);
    const Reader inputs = need(node, "inputs");
    for (std::size_t i = 0; i < entries(inputs); ++i) {
        const Reader named = inputs.at(i);
        std::string key = need_name(named, "name");
        if (key.empty() || call.arguments.count(key) > 0) key += "#" + std::to_string(i);
        const Reader value = need(named, "arg");
        call.arguments[key] = argument(value, scope);
    }
    for (const std::string& name : names) {
        const auto known = scope.described.find(name);
        GraphTensor tensor{
            .name = name, .kind = TensorKind::Other, .extents = {}, .weight = false, .values = {}};
        call.outputs.push_back(
            add(known != scope.described.end() ? known->second : tensor, name, scope, node));
        call.used.push_back(scope.uses.count(name) > 0);
    }
    call.sole_user = is_sole_user(inputs, call, scope);
    ++result_.calls;
    const std::size_t first = result_.nodes.size();
    const AtenResult made = add_aten_call(result_, call);
    if (made.alias >= 0) scope.tensors[names[0]] = made.alias;
    note_views(call, made, first);
}

// What changes a tensor in place may do so if nothing else can see it.
bool ExportedProgramReading::is_sole_user(const Reader& inputs, const AtenCall& call,
                                          const Scope& scope) const {
    const auto self = call.arguments.find("self");
    const auto* tensor = self != call.arguments.end() ? std::get_if<AtenTensor>(&self->second) : nullptr;
    if (tensor == nullptr || shared_.count(tensor->index) > 0) return false;
    for (std::size_t i = 0; i < entries(inputs); ++i) {
        const Reader named = inputs.at(i);
        if (need_name(named, "name") != "self") continue;
        const Reader value = named.member("arg");
        const Reader held = value.member(kTensor);
        if (!held) return false;
        const auto uses = scope.uses.find(need_name(held, "name"));
        return uses != scope.uses.end() && uses->second == 1;
    }
    return false;
}

// What an operator makes that is not understood may be a part of its operands, too.
void ExportedProgramReading::note_views(const AtenCall& call, const AtenResult& made, std::size_t first) {
    static const std::set<std::string> views = {"Reshape", "Transpose", "Slice",     "Gather",  "Split",
                                                "Expand",  "Squeeze",   "Unsqueeze", "Identity"};
    if (made.alias >= 0) shared_[made.alias] = true;
    for (std::size_t n = first; n < result_.nodes.size(); ++n)
        if (!made.understood || views.count(result_.nodes[n].op) > 0)
            for (const int output : call.outputs) shared_[output] = true;
}

// The nodes of a graph inside of a node, as if they stood in its place.
bool ExportedProgramReading::inside(const Reader& node, Scope& scope) {
    if (scope.depth >= kDeepestGraph)
        node.problem(Text("found graphs nested more than %1 levels deep; expected fewer", kDeepestGraph));
    check();
    const Reader inputs = need(node, "inputs");
    std::size_t at = 0;
    for (; at < entries(inputs); ++at) {
        const Reader named = inputs.at(at);
        const Reader value = named.member("arg");
        if (value && value.has("as_graph")) break;
    }
    if (at == inputs.size()) return false;
    const Reader named = inputs.at(at);
    const Reader value = named.member("arg");
    const Reader held = value.member("as_graph");
    const Reader graph = need(held, "graph");
    Scope inner;
    inner.depth = scope.depth + 1;
    tables(graph, inner);
    const Reader given = need(graph, "inputs");
    for (std::size_t i = 0; i < entries(given); ++i) {
        const Reader one = given.at(i);
        if (!one.has(kTensor)) continue;
        const Reader tensor = one.member(kTensor);
        if (at + 1 + i >= inputs.size()) tensor.problem(Text("found an input that the node does not give"));
        check();
        const Reader outer = inputs.at(at + 1 + i);
        const Reader outer_value = need(outer, "arg");
        const Reader outer_tensor = need(outer_value, kTensor);
        const int index = tensor_argument(outer_tensor, scope).index;
        shared_[index] = true;
        inner.tensors[need_name(tensor, "name")] = index;
    }
    nodes(graph, inner);
    const std::vector<std::string> names = output_names(node);
    const Reader made = need(graph, "outputs");
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i >= entries(made)) made.problem(Text("found fewer outputs than the node has"));
        check();
        const Reader one = made.at(i);
        const Reader tensor = need(one, kTensor);
        const int index = tensor_argument(tensor, inner).index;
        shared_[index] = true;
        if (!scope.tensors.emplace(names[i], index).second)
            node.problem(Text("found a second tensor called %1; expected one", names[i]));
        check();
    }
    return true;
}

}  // namespace blockscope::model
