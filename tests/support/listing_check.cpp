#include "tests/support/listing_check.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/exec/evaluate.h"
#include "core/state/state.h"

namespace blockscope::reader {

namespace {

ArrayDecl declaration(const Type& type) {
    ArrayDecl decl{{}, type.item()};
    for (int i = 0; i < type.rank(); ++i) decl.dims.push_back(type.dim(i));
    return decl;
}

Type type_of(const ArrayDecl& decl) {
    Type type(decl.item, ElemType::F32);
    for (auto dim = decl.dims.rbegin(); dim != decl.dims.rend(); ++dim) type = type.list_over(*dim);
    return type;
}

void find_misc(const Graph& graph, std::vector<MiscDecl>& found) {
    const GraphIndex index(graph);
    for (const NodePtr& node : graph.nodes()) {
        if (const Map* map = node->as<Map>()) find_misc(*map->body, found);
        const Misc* misc = node->as<Misc>();
        if (!misc) continue;
        MiscDecl decl{misc->name, {}, {}};
        for (const ValueRef& ref : node->inputs)
            decl.inputs.push_back(declaration(edge_type(*index.find(ref.node), ref)));
        for (const Type& type : node->outputs) decl.outputs.push_back(declaration(type));
        found.push_back(std::move(decl));
    }
}

// The operator alone in a program.
std::vector<Tensor<double>> evaluate_misc(const DimTable& dims, const MiscDecl& decl,
                                          const std::vector<Tensor<double>>& args) {
    IdSource ids(1);
    std::vector<NodePtr> nodes;
    Tensors<double> inputs;
    Node misc{ids.fresh(), Misc{decl.name}, {}, {}};
    for (std::size_t i = 0; i < args.size(); ++i) {
        const std::string name = "A" + std::to_string(i);
        const Node input{ids.fresh(), Input{name, false, InputSource::Array}, {}, {type_of(decl.inputs[i])}};
        misc.inputs.push_back({input.id});
        nodes.push_back(std::make_shared<const Node>(input));
        inputs[name] = args[i];
    }
    for (const ArrayDecl& output : decl.outputs) misc.outputs.push_back(type_of(output));
    nodes.push_back(std::make_shared<const Node>(misc));
    for (std::size_t i = 0; i < decl.outputs.size(); ++i) {
        const ValueRef ref{misc.id, static_cast<std::uint16_t>(i), 0};
        nodes.push_back(
            std::make_shared<const Node>(Node{ids.fresh(), Output{"R" + std::to_string(i)}, {ref}, {}}));
    }
    const BlockProgram program{dims, std::make_shared<const Graph>(std::move(nodes)), ids.next()};
    const Tensors<double> outputs = evaluate(program, inputs);
    std::vector<Tensor<double>> results;
    for (std::size_t i = 0; i < decl.outputs.size(); ++i)
        results.push_back(outputs.at("R" + std::to_string(i)));
    return results;
}

// The largest difference relative to the largest reference value.
double difference(const Tensor<double>& reference, const Tensor<double>& found) {
    if (reference.shape != found.shape) return HUGE_VAL;
    double largest = 0;
    double error = 0;
    for (std::size_t i = 0; i < reference.data.size(); ++i) {
        const double a = reference.data[i];
        const double b = found.data[i];
        if (std::isnan(a) && std::isnan(b)) continue;
        if (a == b) continue;
        if (!std::isfinite(a) || !std::isfinite(b)) return HUGE_VAL;
        largest = std::max(largest, std::abs(a));
        error = std::max(error, std::abs(a - b));
    }
    for (const double a : reference.data)
        if (std::isfinite(a)) largest = std::max(largest, std::abs(a));
    return largest > 0 ? error / largest : error;
}

}  // namespace

Signature signature_of(const BlockProgram& program) {
    Signature signature;
    signature.dims = program.dims;
    const GraphIndex index(*program.graph);
    for (const NodePtr& node : program.graph->nodes()) {
        if (const Input* input = node->as<Input>()) {
            const ArrayDecl decl = declaration(node->outputs[0]);
            signature.inputs[input->name] = input->transposed ? transposed(decl) : decl;
            if (input->source == InputSource::CausalMask) signature.masks.insert(input->name);
        } else if (const Output* output = node->as<Output>()) {
            const ValueRef& ref = node->inputs[0];
            signature.outputs[output->name] = declaration(edge_type(*index.find(ref.node), ref));
        }
    }
    find_misc(*program.graph, signature.misc);
    const DimTable dims = program.dims;
    signature.misc_meaning = [dims](const MiscDecl& decl, const std::vector<Tensor<double>>& args) {
        return evaluate_misc(dims, decl, args);
    };
    return signature;
}

Tensors<double> with_masks(const BlockProgram& program, Tensors<double> inputs) {
    const Signature signature = signature_of(program);
    for (const NodePtr& node : program.graph->nodes()) {
        const Input* input = node->as<Input>();
        if (!input || input->source != InputSource::CausalMask) continue;
        Tensor<double> mask{array_shape(signature.inputs.at(input->name), program.dims), {}};
        const std::int64_t rows = mask.shape.at(0);
        const std::int64_t cols = mask.shape.at(1);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < cols; ++j) {
                const std::int64_t back = i + cols - rows - j;  // from the last column that the row sees
                const bool seen = back >= 0 && (input->window == 0 || back < input->window);
                mask.data.push_back(seen ? 0.0 : -1e30);
            }
        inputs[input->name] = std::move(mask);
    }
    return inputs;
}

namespace {

// What the program gives, in each of these forms' listings. Forms with the same listing are checked once.
std::string check_listings(const BlockProgram& program, const std::vector<Form>& forms, std::uint64_t seed) {
    const Tensors<double> inputs = random_doubles(program, seed);
    const Tensors<double> expected = evaluate(program, inputs);
    const Signature signature = signature_of(program);
    const Tensors<double> arrays = with_masks(program, inputs);
    const auto problem = [&](const std::string& text, ForallOrder order) -> std::string {
        try {
            const Tensors<double> found = run_listing(text, signature, arrays, order);
            for (const auto& [name, tensor] : expected)
                if (const double error = difference(tensor, found.at(name)); !(error < 1e-9))
                    return name + " differs by " + std::to_string(error) + ":\n" + text;
        } catch (const ListingError& error) {
            return std::string(error.what()) + ":\n" + text;
        }
        return "";
    };
    std::set<std::string> known;
    for (const Form& form : forms) {
        const std::string text = listing(program, form);
        if (!known.insert(text).second) continue;
        for (const ForallOrder order : {ForallOrder::Forward, ForallOrder::Backward}) {
            if (order == ForallOrder::Backward && text.find("forall") == std::string::npos) continue;
            if (std::string found = problem(text, order); !found.empty()) return found;
        }
    }
    return "";
}

}  // namespace

DimTable with_single_blocks(DimTable dims, std::uint64_t seed) {
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (i % 2 == seed % 2 && dims[i].kind == DimKind::Blocked) dims[i].block = dims[i].size;
    return dims;
}

std::string check_listing(const BlockProgram& program, const DimTable& dims, std::uint64_t seed) {
    BlockProgram sized = program;
    sized.dims = dims;
    if (std::string problem = check_listings(sized, {Form{}.as_in_paper(), Form{}}, seed); !problem.empty())
        return problem;
    sized.dims = with_single_blocks(dims, seed);
    return check_listings(sized, {Form{}}, seed);
}

}  // namespace blockscope::reader
