#include "core/import/import.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/import/emit.h"
#include "core/program/names.h"
#include "core/program/syntax.h"

namespace blockscope::model {

// Names for what a model has: its own where they are names of the language, else ones that say what a
// dimension is.

// Gives names to the dimensions, the inputs and, where a reader wants one, the operators of `emitted`; the
// others stay nameless and are printed inside of what uses them.
void give_names(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
                const std::map<int, WeightPart>& parts);

namespace {

// Letters, digits and single underscores; without the marks that exporters put around names.
std::string plain_name(std::string name) {
    const std::string suffix = "_output_0";
    if (name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0)
        name.resize(name.size() - suffix.size());
    if (const std::size_t colons = name.rfind("::"); colons != std::string::npos) name.erase(0, colons + 2);
    std::string result;
    for (const char c : name) {
        const bool good =
            std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
        if (good)
            result += c;
        else if (!result.empty() && result.back() != '_')
            result += '_';
    }
    while (!result.empty() && result.back() == '_') result.pop_back();
    if (result.empty()) return "v";
    if (std::isdigit(static_cast<unsigned char>(result[0])) != 0) result.insert(0, "v");
    constexpr std::size_t most = 120;
    if (result.size() > most) result.resize(most);
    return result;
}

// "attention/query" of "/attention/query/MatMul"; "layers.0" of "/layers/layers.0/Gemm".
std::string scope_of(const std::string& node) {
    const std::size_t last = node.rfind('/');
    if (last == std::string::npos || last == 0) return {};
    std::string result;
    std::size_t start = node[0] == '/' ? 1 : 0;
    while (start < last) {
        const std::size_t end = std::min(node.find('/', start), last);
        const std::string part = node.substr(start, end - start);
        const std::size_t before = result.rfind('/') + 1;  // 0 without a slash
        if (part.rfind(result.substr(before) + ".", 0) == 0)
            result.resize(before);
        else if (!result.empty())
            result += '/';
        result += part;
        start = end + 1;
    }
    return result;
}

class Naming {
public:
    Naming(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
           const std::map<int, WeightPart>& parts)
        : emitted_(emitted), program_(emitted.program), graph_(graph), dims_(dims), parts_(parts) {}

    void run() {
        dimensions();
        outputs();
        inputs();
        operators();
    }

private:
    // The name, or with a number behind it if it is taken or none.
    std::string taken_name(const std::string& wanted, NameUse use) {
        std::string base = wanted;
        if (!name_problem(base, use).empty()) base += use == NameUse::Array ? "_" : "x";
        if (!name_problem(base, use).empty()) base = use == NameUse::Array ? "v" : "X";
        if (!name_problem(base + "2", use).empty()) base += "x";  // T2 is a temporary's name
        std::string name = base;
        for (int number = 2; !names_.declare(name, use, 0).empty(); ++number)
            name = base + (use == NameUse::Array ? "_" : "") + std::to_string(number);
        return name;
    }

    // ---- Dimensions.

    void dimensions() {
        guesses_.resize(program_.dims.size());
        for (const ArrayOp& op : program_.ops)
            if (op.kind == ArrayOpKind::Softmax) {
                guess(op.shape.axes[0], "M");
                guess(op.shape.axes[1], "N");
            }
        std::set<int> given(graph_.inputs.begin(), graph_.inputs.end());
        for (const InputNumbers& input : emitted_.inputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(input.op)].shape;
            if (given.count(input.tensor) == 0) continue;
            for (const DimId dim : shape.batch) guess(dim, "B");
            if (!shape.axes.empty()) guess(shape.axes.back(), "E");
            if (shape.axes.size() == 2) guess(shape.axes[0], "M");
        }
        for (const ArrayOutput& output : program_.outputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(output.op)].shape;
            if (!shape.axes.empty()) guess(shape.axes.back(), "E");
        }
        for (const ArrayOp& op : program_.ops) shared_heads(op);
        for (const InputNumbers& input : emitted_.inputs) {
            const Shape& shape = program_.ops[static_cast<std::size_t>(input.op)].shape;
            for (const DimId dim : shape.batch) guess(dim, "H");
            for (const DimId dim : shape.axes)
                if (!shape.batch.empty()) guess(dim, "D");
        }
        for (std::size_t i = 0; i < program_.dims.size(); ++i) {
            const std::string symbol = dims_.atoms().symbol(emitted_.atoms[i]);
            const std::string plain = symbol.empty() ? "" : plain_name(symbol);
            const bool good = !plain.empty() && name_problem(plain, NameUse::Dimension).empty();
            const std::string other = guesses_[i].empty() ? "F" : guesses_[i];
            program_.dims[i].name = taken_name(good ? plain : other, NameUse::Dimension);
        }
    }
    // A batch dimension that one operand has beside heads that both have.
    void shared_heads(const ArrayOp& op) {
        if (op.kind != ArrayOpKind::Matmul) return;
        const auto& a = program_.ops[static_cast<std::size_t>(op.operands[0])].shape.batch;
        const auto& b = program_.ops[static_cast<std::size_t>(op.operands[1])].shape.batch;
        const auto has = [](const std::vector<DimId>& batch, DimId dim) {
            return std::find(batch.begin(), batch.end(), dim) != batch.end();
        };
        const bool heads = std::any_of(a.begin(), a.end(),
                                       [&](DimId dim) { return guesses_[dim.value].empty() && has(b, dim); });
        for (const DimId dim : op.shape.batch)
            if (heads && has(a, dim) != has(b, dim)) guess(dim, "G");
    }
    void guess(DimId dim, const char* name) {
        if (guesses_[dim.value].empty()) guesses_[dim.value] = name;
    }

    // ---- Arrays.

    std::string& name_of(int op) { return program_.ops[static_cast<std::size_t>(op)].name; }

    void outputs() {
        for (ArrayOutput& output : program_.outputs)
            if (name_of(output.op).empty() &&
                program_.ops[static_cast<std::size_t>(output.op)].kind != ArrayOpKind::Input)
                name_of(output.op) = taken_name(plain_name(output.name), NameUse::Array);
    }

    // A weight that an exporter has renamed ("onnx::MatMul_231") is called after the module that uses it.
    std::string input_name(int tensor) const {
        const std::string& name = graph_.tensors[static_cast<std::size_t>(tensor)].name;
        // "/words/Gather_output_0" is called after its module, as an operator would be.
        const bool looked_up = graph_.tensors[static_cast<std::size_t>(tensor)].looked_up.has_value();
        if (looked_up && !scope_of(name).empty()) return plain_name(scope_of(name));
        if (name.find("::") == std::string::npos) return plain_name(name);
        const auto part = parts_.find(tensor);
        const int whole = part == parts_.end() ? tensor : part->second.of;
        const std::size_t length = graph_.tensors[static_cast<std::size_t>(whole)].name.size();
        const std::string behind = name.size() > length ? name.substr(length) : "";  // "_q" of a part
        for (const GraphNode& node : graph_.nodes) {
            if (std::find(node.inputs.begin(), node.inputs.end(), tensor) == node.inputs.end()) continue;
            const std::string scope = scope_of(node.name);
            const std::string module = plain_name(scope);
            const bool said = module.size() >= behind.size() &&
                              module.compare(module.size() - behind.size(), behind.size(), behind) == 0;
            return scope.empty() ? "W" + behind : module + "_weight" + (said ? "" : behind);
        }
        return plain_name(name);
    }

    void inputs() {
        std::map<int, int> tensors;  // by operator
        for (const auto& [op, tensor] : emitted_.leaves) tensors[op] = tensor;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            ArrayOp& op = program_.ops[i];
            if (op.kind != ArrayOpKind::Input) continue;
            const auto tensor = tensors.find(static_cast<int>(i));
            const bool mask = op.source == InputSource::CausalMask;
            const std::string wanted = mask || tensor == tensors.end() ? "Mask" : input_name(tensor->second);
            op.name = taken_name(wanted, NameUse::Array);
        }
        for (ArrayOutput& output : program_.outputs) output.name = name_of(output.op);
    }

    void operators() {
        std::vector<int> uses(program_.ops.size(), 0);
        for (const ArrayOp& op : program_.ops)
            for (const int operand : op.operands) ++uses[static_cast<std::size_t>(operand)];
        std::map<std::string, std::size_t> last;  // operator of a scope
        for (std::size_t i = 0; i < program_.ops.size(); ++i)
            if (const std::string scope = scope_of(emitted_.hints[i]); !scope.empty()) last[scope] = i;
        for (std::size_t i = 0; i < program_.ops.size(); ++i) {
            ArrayOp& op = program_.ops[i];
            if (!op.name.empty() || emitted_.hints[i].empty()) continue;
            const std::string scope = scope_of(emitted_.hints[i]);
            const bool closes = !scope.empty() && last[scope] == i;
            const bool landmark = scope.empty() && is_landmark(op);
            const bool apart = uses[i] > 1 || read_later(i);
            if (!closes && !landmark && !apart && op.kind != ArrayOpKind::Custom) continue;
            op.name = taken_name(plain_name(closes ? scope : emitted_.hints[i]), NameUse::Array);
        }
    }
    // Whether operators that have a name, or may get one, stand between this one and what reads it.
    bool read_later(std::size_t i) const {
        for (std::size_t k = i + 1; k < program_.ops.size(); ++k) {
            const ArrayOp& op = program_.ops[k];
            if (std::find(op.operands.begin(), op.operands.end(), static_cast<int>(i)) != op.operands.end())
                return false;
            if (op.kind != ArrayOpKind::Transpose) return true;
        }
        return false;
    }
    static bool is_landmark(const ArrayOp& op) {
        return op.kind == ArrayOpKind::Matmul || op.kind == ArrayOpKind::Softmax ||
               op.kind == ArrayOpKind::LayerNorm || op.kind == ArrayOpKind::RmsNorm ||
               op.kind == ArrayOpKind::SumOver;
    }

    EmittedProgram& emitted_;
    ArrayProgram& program_;
    const TensorGraph& graph_;
    const TrackedDimensions& dims_;
    const std::map<int, WeightPart>& parts_;
    NameTable names_;
    std::vector<std::string> guesses_;  // by dimension
};

}  // namespace

void give_names(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
                const std::map<int, WeightPart>& parts) {
    Naming(emitted, graph, dims, parts).run();
}

namespace {

// The inputs of the program first, those that the user gives before those of the model.
void inputs_first(EmittedProgram& emitted, const TensorGraph& graph) {
    std::vector<ArrayOp>& ops = emitted.program.ops;
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(ops.size()); ++i) order.push_back(i);
    const auto rank = [&](int op) {
        const ArrayOp& one = ops[static_cast<std::size_t>(op)];
        if (one.kind != ArrayOpKind::Input) return 3;
        if (one.source == InputSource::CausalMask) return 2;
        const auto leaf = emitted.leaves.find(op);
        const bool given =
            leaf != emitted.leaves.end() && !is_stored(graph.tensors[static_cast<std::size_t>(leaf->second)]);
        return given ? 0 : 1;
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    std::vector<int> place(ops.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i)
        place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    const auto moved = [&](int op) { return place[static_cast<std::size_t>(op)]; };
    std::vector<ArrayOp> sorted;
    std::vector<std::string> hints;
    for (const int from : order) {
        sorted.push_back(std::move(ops[static_cast<std::size_t>(from)]));
        hints.push_back(std::move(emitted.hints[static_cast<std::size_t>(from)]));
        for (int& operand : sorted.back().operands) operand = moved(operand);
    }
    ops = std::move(sorted);
    emitted.hints = std::move(hints);
    for (ArrayOutput& output : emitted.program.outputs) output.op = moved(output.op);
    for (InputNumbers& input : emitted.inputs) input.op = moved(input.op);
    std::map<int, int> leaves;
    for (const auto& [op, tensor] : emitted.leaves) leaves[moved(op)] = tensor;
    emitted.leaves = std::move(leaves);
    for (CustomNode& custom : emitted.customs)
        for (int& op : custom.ops) op = moved(op);
}

// A batch dimension that no operand lacks beside others that have it is a plain one.
void plain_batches(ArrayProgram& program) {
    std::set<DimId> lacked;
    for (const ArrayOp& op : program.ops) {
        if (op.kind == ArrayOpKind::Custom) continue;
        std::set<DimId> all;
        for (const int operand : op.operands)
            for (const DimId dim : program.ops[static_cast<std::size_t>(operand)].shape.batch)
                all.insert(dim);
        for (const int operand : op.operands) {
            const std::vector<DimId>& own = program.ops[static_cast<std::size_t>(operand)].shape.batch;
            for (const DimId dim : all)
                if (!own.empty() && std::find(own.begin(), own.end(), dim) == own.end()) lacked.insert(dim);
        }
    }
    for (std::size_t i = 0; i < program.dims.size(); ++i)
        if (program.dims[i].kind == DimKind::Group && lacked.count(DimId{static_cast<std::uint16_t>(i)}) == 0)
            program.dims[i].kind = DimKind::Batch;
}

class ModelImport {
public:
    ModelImport(TensorGraph graph, const std::map<std::string, ExtentChoice>& choices, std::string file)
        : graph_(std::move(graph)), choices_(choices), file_(std::move(file)) {}

    Result<ImportedModel> run() {
        result_.producer = graph_.producer;
        result_.remarks = graph_.remarks;
        result_.counts.nodes = graph_.calls > 0 ? graph_.calls : static_cast<int>(graph_.nodes.size());
        if (std::optional<Text> wrong = bind_what_fits()) return problem(*std::move(wrong));
        take_apart(graph_);
        recognise_groups(graph_, result_.remarks);
        parts_ = push_slices(graph_);
        // Parts of products can be groups that were none before.
        if (std::optional<Text> wrong = write()) return problem(*std::move(wrong));
        return std::move(result_);
    }

private:
    Problem problem(Text message) const { return {{file_, 0, 0, {}}, std::move(message)}; }

    // Sizes that nobody has chosen are smaller where the model has no room for the usual ones, as one whose
    // table of positions has 64 rows: of 128, 64, 32, 16 and 8 the first at which the fewest operands do not
    // fit one another. It is said where other sizes than those that somebody has chosen would fit better.
    std::optional<Text> bind_what_fits() {
        const TensorGraph read = graph_;
        if (std::optional<Text> wrong = bind_and_settle(kUsual)) return wrong;
        int fewest = misfits(graph_);
        if (fewest == 0 || result_.symbols.empty()) return std::nullopt;
        for (std::int64_t usual = kUsual / 2; usual >= kLeastUsual && fewest > 0; usual /= 2) {
            ModelImport other(read, choices_, file_);
            if (other.bind_and_settle(usual) || misfits(other.graph_) >= fewest) continue;
            fewest = misfits(other.graph_);
            graph_ = std::move(other.graph_);
            result_.symbols = std::move(other.result_.symbols);
        }
        if (fewest > 0 && fits_better_elsewhere(read, fewest))
            result_.remarks.push_back(
                Text("shapes do not fit one another at these sizes of %1", symbol_list()));
        return std::nullopt;
    }

    // Whether fewer operands do not fit at sizes that somebody has chosen otherwise.
    bool fits_better_elsewhere(const TensorGraph& read, int misfits_here) const {
        static const std::map<std::string, ExtentChoice> kNoChoices;
        for (std::int64_t usual = kUsual / 2; usual >= kLeastUsual; usual /= 2) {
            ModelImport other(read, kNoChoices, file_);
            if (!other.bind_and_settle(usual) && misfits(other.graph_) < misfits_here) return true;
        }
        return false;
    }

    std::optional<Text> bind_and_settle(std::int64_t usual) {
        if (std::optional<Text> wrong = bind(usual)) return wrong;
        drop_unused(graph_);
        settle(graph_);
        return std::nullopt;
    }

    std::optional<Text> bind(std::int64_t usual) {
        std::map<std::string, std::int64_t> sizes;
        for (const std::string& symbol : symbols_of(graph_)) {
            const auto choice = choices_.find(symbol);
            BoundSymbol bound{symbol, within_range(symbol, usual_size(symbol, usual)),
                              choice != choices_.end()};
            if (bound.chosen) bound.size = choice->second.size;
            if (within_range(symbol, bound.size) != bound.size)
                return Text("found %1 for the symbol %2; the model was made for %3 to %4", bound.size, symbol,
                            graph_.ranges.at(symbol).first, graph_.ranges.at(symbol).second);
            used_.insert(symbol);
            sizes[symbol] = bound.size;
            result_.symbols.push_back(std::move(bound));
        }
        bind_symbols(graph_, sizes);
        for (const int input : graph_.inputs) {
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(input)];
            const std::optional<Sizes> known = sizes_of(tensor);
            if (!known) return Text("found the input %1 without a shape; expected its extents", tensor.name);
            if (std::find(known->begin(), known->end(), 0) != known->end())
                return Text("found the input %1 with an extent of 0; expected at least 1", tensor.name);
            if (product(*known) >= (std::int64_t{1} << 60U))
                return Text("found the input %1 with 2^60 elements or more; expected fewer", tensor.name);
            for (const std::int64_t size : *known)
                if (size > kLargestExtent)
                    return Text("found the input %1 with an extent of %2; expected at most %3", tensor.name,
                                size, kLargestExtent);
        }
        return std::nullopt;
    }

    // The size, or the nearest one that the model was made for.
    std::int64_t within_range(const std::string& symbol, std::int64_t size) const {
        const auto range = graph_.ranges.find(symbol);
        if (range == graph_.ranges.end()) return size;
        return std::clamp(size, range->second.first, range->second.second);
    }

    // Where nobody says anything: one of a batch, `usual` of anything else.
    static std::int64_t usual_size(const std::string& symbol, std::int64_t usual) {
        std::string lower;
        for (const char c : symbol) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return lower.find("batch") != std::string::npos ? 1 : usual;
    }

    // Each round makes those nodes custom that turn out to have no form, until none does.
    std::optional<Text> write() {
        std::map<std::size_t, Text> opaque;
        while (true) {
            const TrackedDimensions dims(graph_, opaque);
            const std::size_t before = opaque.size();
            const std::vector<AtomRole> roles = roles_of_atoms(graph_, dims, opaque);
            const auto emit = [&](const std::vector<int>& declared) {
                return emit_program(graph_, dims, roles, parts_, declared, opaque);
            };
            EmittedProgram emitted = emit({});
            if (opaque.size() != before) continue;
            if (!emitted.hopeless.empty()) return emitted.hopeless;
            if (emitted.program.outputs.empty()) return Text("found no output that depends on an input");
            emitted = emit(emitted.atoms);  // now that it is known which dimensions there are
            inputs_first(emitted, graph_);
            plain_batches(emitted.program);
            give_names(emitted, graph_, dims, parts_);
            if (std::optional<Text> wrong = block_sizes(emitted.program)) return wrong;
            describe(emitted, opaque);
            return print(emitted.program);
        }
    }

    std::optional<Text> block_sizes(ArrayProgram& program) {
        const BlockNeeds needs = block_needs(program);
        for (const auto& [name, choice] : choices_) {
            const auto named = [&, &name = name](const Dim& dim) { return dim.name == name; };
            auto dim = std::find_if(program.dims.begin(), program.dims.end(), named);
            if (dim == program.dims.end() && used_.count(name) > 0) dim = of_symbol(program, choice);
            if (dim == program.dims.end() && used_.count(name) > 0) continue;
            if (dim == program.dims.end())
                return Text("found no dimension %1; the model has %2, the program %3", name, symbol_list(),
                            dimension_list(program));
            if (dim->size != choice.size)
                return Text("found %1 elements for the dimension %2; in this model it has %3", choice.size,
                            name, dim->size);
            if (!choice.block) continue;
            if (*choice.block > dim->size)
                return Text("found blocks of %1 for the dimension %2; expected at most its size, %3",
                            *choice.block, name, dim->size);
            if (dim->kind == DimKind::Blocked) dim->block = *choice.block;
            const BlockNeed need = need_of(needs, static_cast<std::size_t>(dim - program.dims.begin()));
            if (!meets(*dim, need))
                return Text(
                    "found blocks of %1 for the dimension %2, which a rotary embedding reads; expected %3",
                    *choice.block, name, described(need));
        }
        return std::nullopt;
    }
    // A symbol whose dimension is called otherwise: found by its size, if only one has that.
    static DimTable::iterator of_symbol(ArrayProgram& program, const ExtentChoice& choice) {
        const auto fits = [&](const Dim& dim) { return dim.size == choice.size; };
        const auto first = std::find_if(program.dims.begin(), program.dims.end(), fits);
        if (first == program.dims.end()) return first;
        return std::find_if(first + 1, program.dims.end(), fits) == program.dims.end() ? first
                                                                                       : program.dims.end();
    }
    Text symbol_list() const {
        std::vector<Text> names;
        for (const BoundSymbol& symbol : result_.symbols) names.emplace_back(symbol.name);
        return names.empty() ? Text("none") : and_list(names);
    }
    static Text dimension_list(const ArrayProgram& program) {
        std::vector<Text> names;
        for (const Dim& dim : program.dims) names.emplace_back(dim.name);
        return names.empty() ? Text("none") : and_list(names);
    }

    void describe(const EmittedProgram& emitted, const std::map<std::size_t, Text>& opaque) {
        const auto name_of = [&](int op) { return emitted.program.ops[static_cast<std::size_t>(op)].name; };
        for (const InputNumbers& input : emitted.inputs) {
            const GraphTensor& tensor = graph_.tensors[static_cast<std::size_t>(input.tensor)];
            result_.inputs.push_back(
                {.name = name_of(input.op),
                 .tensor = tensor.name,
                 .stored = is_stored(tensor),
                 .table = tensor.looked_up ? name_of_tensor(tensor.looked_up->table) : "",
                 .rows = tensor.looked_up ? name_of_tensor(tensor.looked_up->rows) : "",
                 .offset = input.offset,
                 .sizes = input.sizes,
                 .steps = input.steps,
                 .values = tensor.values,
                 .table_values = table_values(tensor)});
        }
        for (std::size_t i = 0; i < emitted.outputs.size(); ++i) {
            const OutputNumbers& output = emitted.outputs[i];
            result_.outputs.push_back({.name = emitted.program.outputs[i].name,
                                       .tensor = graph_.tensors[static_cast<std::size_t>(output.tensor)].name,
                                       .sizes = output.sizes,
                                       .steps = output.steps});
        }
        made_before();
        other_orders();
        for (const CustomNode& custom : emitted.customs) {
            const GraphNode& node = graph_.nodes[custom.node];
            result_.customs.push_back({.name = custom.ops.empty() ? "" : name_of(custom.ops.front()),
                                       .node = node.name,
                                       .op = node.op,
                                       .reason = opaque.at(custom.node),
                                       .follows = opaque.at(custom.node) == shape_unknown()});
        }
        result_.remarks.insert(result_.remarks.end(), emitted.remarks.begin(), emitted.remarks.end());
        ImportCounts& counts = result_.counts;
        for (const ArrayOp& op : emitted.program.ops) {
            counts.products += op.kind == ArrayOpKind::Matmul ? 1 : 0;
            counts.softmaxes += op.kind == ArrayOpKind::Softmax ? 1 : 0;
            counts.norms += op.kind == ArrayOpKind::LayerNorm || op.kind == ArrayOpKind::RmsNorm ? 1 : 0;
        }
        counts.activations = emitted.activations;
        counts.customs = static_cast<int>(result_.customs.size());
    }

    std::string name_of_tensor(int tensor) const {
        return tensor < 0 ? "" : graph_.tensors[static_cast<std::size_t>(tensor)].name;
    }
    std::optional<TensorValues> table_values(const GraphTensor& tensor) const {
        const int table = tensor.looked_up ? tensor.looked_up->table : -1;
        return table < 0 ? std::nullopt : graph_.tensors[static_cast<std::size_t>(table)].values;
    }

    void made_before() {
        for (const ImportedInput& input : result_.inputs) {
            if (input.rows.empty()) continue;
            result_.remarks.push_back(
                input.table.empty()
                    ? Text("the input %1 is computed of %2 before the program", input.name, input.rows)
                    : Text(
                          "the input %1 has the rows of %2 that %3 names: looking them up is not part of the "
                          "program",
                          input.name, input.table, input.rows));
        }
    }

    // Batch dimensions come first in the language; a model may have its rows there.
    void other_orders() {
        const auto ordered = [](const Sizes& steps) { return std::is_sorted(steps.rbegin(), steps.rend()); };
        for (const ImportedInput& input : result_.inputs)
            if (!input.stored && !ordered(input.steps))
                result_.remarks.push_back(
                    Text("the input %1 has its dimensions in another order than the model", input.name));
        for (const ImportedOutput& output : result_.outputs)
            if (!ordered(output.steps))
                result_.remarks.push_back(
                    Text("the output %1 has its dimensions in another order than the model", output.name));
    }

    std::string heading() const {
        std::string text = "Imported from " + file_.substr(file_.rfind('/') + 1);
        if (!result_.producer.empty()) text += ", made by " + printable(result_.producer);
        return text;
    }

    void comment(ArrayProgram& program) const {
        program.comment.push_back(heading());
        for (const BoundSymbol& symbol : result_.symbols)
            program.comment.push_back(printable(symbol.name) + " = " + std::to_string(symbol.size) +
                                      (symbol.chosen ? "" : ", as nothing else was said"));
        constexpr std::size_t most = 1000;
        for (std::size_t i = 0; i < result_.customs.size() && i < most; ++i) {
            const ImportedCustom& custom = result_.customs[i];
            program.comment.push_back(
                "custom: " + printable(custom.node.empty() ? custom.name : custom.node) + " (" +
                printable(custom.op) + "): " + printable(custom.reason.str()));
        }
    }
    static std::string printable(std::string text) {
        constexpr std::size_t most = 300;
        if (text.size() > most) text = text.substr(0, most) + "...";
        for (char& c : text)
            if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
        return text;
    }

    // What is handed on is what the text says, read as anybody's.
    std::optional<Text> print(ArrayProgram& program) {
        comment(program);
        result_.text = print_program(program);
        Result<ArrayProgram> read = parse_program(result_.text, file_);
        if (!read)
            return Text("the program that was made of it is wrong (this is a fault of Blockscope): %1",
                        to_string(read.problems().front()));
        result_.program = std::move(read).value();
        return std::nullopt;
    }

    static constexpr std::int64_t kUsual = 128, kLeastUsual = 8;

    TensorGraph graph_;
    const std::map<std::string, ExtentChoice>& choices_;
    std::string file_;
    std::set<std::string> used_;  // choices that are symbols of the model
    std::map<int, WeightPart> parts_;
    ImportedModel result_;
};

}  // namespace

Result<ImportedModel> import_model(TensorGraph graph, const std::map<std::string, ExtentChoice>& choices,
                                   const std::string& file) {
    return ModelImport(std::move(graph), choices, file).run();
}

std::vector<double> arranged(const ImportedInput& input, const std::vector<double>& tensor) {
    std::vector<double> result;
    Sizes index(input.sizes.size(), 0);
    const std::int64_t count = product(input.sizes);
    std::int64_t at = input.offset;
    for (std::int64_t i = 0; i < count; ++i) {
        result.push_back(tensor.at(static_cast<std::size_t>(at)));
        for (std::size_t axis = index.size(); axis-- > 0;) {
            at += input.steps[axis];
            if (++index[axis] < input.sizes[axis]) break;
            at -= input.steps[axis] * input.sizes[axis];
            index[axis] = 0;
        }
    }
    return result;
}

// "stay custom: Conv, Concat and others": what of the model is not understood, but for what is only behind
// that.
static Text without_form(const std::vector<ImportedCustom>& customs) {
    constexpr std::size_t kMostNames = 4;
    std::vector<Text> operators;
    std::set<std::string> nodes;  // a node that was taken apart is one operator of the model
    std::size_t behind = 0;
    for (const ImportedCustom& custom : customs) {
        if (!nodes.insert(custom.node.empty() ? custom.name : custom.node).second) continue;
        behind += custom.follows;
        const Text name(custom.op);
        if (!custom.follows && std::find(operators.begin(), operators.end(), name) == operators.end())
            operators.push_back(name);
    }
    if (operators.size() > kMostNames) {
        operators.resize(kMostNames);
        operators.push_back(Text("others"));
    }
    const std::size_t first = nodes.size() - behind;
    if (nodes.empty()) return Text("All of the model is understood.");
    if (first == 0) return Text("%1 operators stay custom, as their shapes are not known.", behind);
    Text said = first == 1
                    ? Text("One operator of the model has no form in the language and stays custom: %1.",
                           and_list(operators))
                    : Text("%1 operators of the model have no form in the language and stay custom: %2.",
                           first, and_list(operators));
    if (behind == 0) return said;
    return behind == 1 ? Text("%1 So does one behind it, whose shape is not known.", said)
                       : Text("%1 So do %2 behind, whose shapes are not known.", said, behind);
}

Text summary_of(const std::vector<ImportedCustom>& customs, const std::vector<BoundSymbol>& symbols) {
    Text understood = without_form(customs);
    std::vector<Text> assumed;
    for (const BoundSymbol& symbol : symbols)
        if (!symbol.chosen) assumed.push_back(Text("%1 = %2", symbol.name, symbol.size));
    if (assumed.empty()) return understood;
    return assumed.size() == 1 ? Text("%1 %2 is assumed.", understood, assumed.front())
                               : Text("%1 %2 are assumed.", understood, and_list(assumed));
}

}  // namespace blockscope::model
