#include "core/exec/prove.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/support/result.h"

namespace blockscope {

namespace {

struct SmallSize {
    std::int64_t size;
    std::int64_t block;
};

// For up to four dimensions: 2, 3, 5 and 7 blocks of 4, 3, 2 and 1 elements, the last one ragged in three of
// four. No two sizes are equal.
constexpr std::array<SmallSize, 4> kFew{{{6, 4}, {8, 3}, {9, 2}, {7, 1}}};
// For more dimensions the nests are deeper, so the numbers are smaller and repeat.
constexpr std::array<SmallSize, 7> kMany{{{3, 2}, {5, 2}, {4, 3}, {9, 2}, {7, 4}, {6, 2}, {2, 1}}};
// Batch and group dimensions have blocks of one.
constexpr std::array<std::int64_t, 4> kBatch{{2, 3, 2, 2}};

template <class Program>
Program with_dims(const Program& program, const DimTable& dims) {
    Program result = program;
    result.dims = dims;
    return result;
}

const Tensor<Exact>& find(const Tensors<Exact>& tensors, const std::string& name) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) throw InternalError("one of two compared programs lacks the output " + name);
    return found->second;
}

// Only the value images: the exponent images of equal numbers may differ once an exponential was split
// into a product (core/scalar/exact.h).
std::optional<Mismatch> compare(const Tensors<Exact>& reference, const Tensors<Exact>& outputs,
                                std::uint64_t seed) {
    if (reference.size() != outputs.size())
        throw InternalError("two compared programs have different outputs");
    for (const auto& [name, expected] : reference) {
        const Tensor<Exact>& found = find(outputs, name);
        if (found.shape != expected.shape) throw InternalError("two compared outputs have different shapes");
        for (std::size_t i = 0; i < expected.data.size(); ++i)
            if (found.data[i].p != expected.data[i].p)
                return Mismatch{name, static_cast<std::int64_t>(i), seed};
    }
    return std::nullopt;
}

// NaN-proof: anything that is not finite is an infinite error.
double relative_difference(const Tensor<double>& reference, const Tensor<double>& found) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    if (reference.shape != found.shape) throw InternalError("two compared outputs have different shapes");
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < reference.data.size(); ++i) {
        if (!std::isfinite(reference.data[i]) || !std::isfinite(found.data[i])) return kInfinite;
        largest = std::max(largest, std::abs(reference.data[i]));
        difference = std::max(difference, std::abs(reference.data[i] - found.data[i]));
    }
    if (difference == 0) return 0;
    return largest == 0 ? kInfinite : difference / largest;
}

}  // namespace

DimTable proof_dims(const DimTable& dims, const BlockNeeds& needs) {
    std::size_t blocked = 0;
    for (const Dim& dim : dims) blocked += dim.kind == DimKind::Blocked;
    std::size_t next_blocked = 0;
    std::size_t next_batch = 0;
    DimTable small = dims;
    for (std::size_t d = 0; d < small.size(); ++d) {
        Dim& dim = small[d];
        if (dim.kind != DimKind::Blocked) {
            dim.size = kBatch[next_batch++ % kBatch.size()];
            dim.block = 1;
            continue;
        }
        const std::size_t i = next_blocked++;
        const SmallSize size = blocked <= kFew.size() ? kFew[i] : kMany[i % kMany.size()];
        // 6, 8, 10 and 14 elements: no two sizes are equal here, either.
        const bool odd = need_of(needs, d) != BlockNeed::Any && size.size % 2 != 0;
        dim.size = !odd ? size.size : size.size == 7 ? 2 * size.size : size.size + 1;
        dim.block = size.block;
    }
    meet_needs(small, needs);
    return small;
}

std::optional<Mismatch> compare_exact(const BlockProgram& a, const BlockProgram& b, const DimTable& dims,
                                      std::uint64_t seed) {
    const BlockProgram reference = with_dims(a, dims);
    const Tensors<Exact> inputs = random_exact(reference, seed);
    return compare(evaluate(reference, inputs), evaluate(with_dims(b, dims), inputs), seed);
}

std::optional<Mismatch> compare_exact(const ArrayProgram& a, const BlockProgram& b, const DimTable& dims,
                                      std::uint64_t seed) {
    const ArrayProgram reference = with_dims(a, dims);
    const Tensors<Exact> inputs = random_exact(reference, seed);
    return compare(evaluate(reference, inputs), evaluate(with_dims(b, dims), inputs), seed);
}

double relative_error(const ArrayProgram& a, const BlockProgram& b, const DimTable& dims, std::uint64_t seed,
                      double scale) {
    const ArrayProgram reference = with_dims(a, dims);
    const Tensors<double> inputs = random_doubles(reference, seed, scale);
    const Tensors<double> expected = evaluate(reference, inputs);
    const Tensors<double> found = evaluate(with_dims(b, dims), inputs);
    if (expected.size() != found.size()) throw InternalError("two compared programs have different outputs");
    double error = 0;
    for (const auto& [name, tensor] : expected) {
        const auto other = found.find(name);
        if (other == found.end())
            throw InternalError("one of two compared programs lacks the output " + name);
        error = std::max(error, relative_difference(tensor, other->second));
    }
    return error;
}

Prover::Prover(const BlockProgram& reference, std::uint64_t seed, const StopSign& stop)
    : dims_(proof_dims(reference)), seed_(seed) {
    const BlockProgram program = with_dims(reference, dims_);
    inputs_ = random_exact(program, seed);
    outputs_ = evaluate(program, inputs_, stop);
}

std::optional<Mismatch> Prover::check(const BlockProgram& state, const StopSign& stop) const {
    return compare(outputs_, evaluate(with_dims(state, dims_), inputs_, stop), seed_);
}

// An estimate of what evaluating a block program costs, without evaluating it.

namespace {

constexpr double kPerNode = 4;      // what a node costs whatever its size, in scalar operations
constexpr int kLargestTree = 1000;  // shared parts are computed once, so that a tree's size exaggerates

// All blocks are taken as full.
class WorkEstimate {
public:
    explicit WorkEstimate(const DimTable& dims) : dims_(dims) {}

    double graph(const Graph& graph) const {
        const GraphIndex index(graph);
        double total = 0;
        for (const NodePtr& node : graph.nodes())
            total += std::visit([&](const auto& kind) { return work(kind, *node, index); }, node->kind);
        return total;
    }

private:
    const Dim& dim(DimId id) const { return dims_.at(id.value); }

    double item_size(const Item& item) const {
        if (item.kind == ItemKind::Scalar) return 1;
        const double rows = static_cast<double>(dim(item.rows).block);
        return item.kind == ItemKind::Block ? rows * static_cast<double>(dim(item.cols).block) : rows;
    }

    double size(const Type& type) const {
        double count = item_size(type.item());
        for (int i = 0; i < type.rank(); ++i) count *= static_cast<double>(dim(type.dim(i)).blocks());
        return count;
    }

    double input_size(const Node& node, const GraphIndex& index) const {
        double total = 0;
        for (const ValueRef& ref : node.inputs) {
            const Node* producer = index.find(ref.node);
            if (!producer)
                throw InternalError("a node reads " + to_string(ref.node) + ", which does not exist");
            total += size(edge_type(*producer, ref));
        }
        return total;
    }

    double output_size(const Node& node) const {
        double total = 0;
        for (const Type& type : node.outputs) total += size(type);
        return total;
    }

    double work(const Input&, const Node& node, const GraphIndex&) const { return output_size(node); }
    double work(const Output&, const Node& node, const GraphIndex& index) const {
        return input_size(node, index);
    }
    double work(const Functional& functional, const Node& node, const GraphIndex& index) const {
        if (functional.op != FunctionalOp::Dot) return kPerNode + input_size(node, index);
        const Type left = edge_type(*index.find(node.inputs.at(0).node), node.inputs[0]);
        return kPerNode + 2 * output_size(node) * static_cast<double>(dim(left.item().cols).block);
    }
    double work(const Elementwise& elementwise, const Node& node, const GraphIndex&) const {
        return kPerNode + output_size(node) * tree_size(*elementwise.expr, kLargestTree);
    }
    double work(const Map& map, const Node&, const GraphIndex&) const {
        const auto iterations = static_cast<double>(dim(map.dim).blocks() - map.start);
        return kPerNode + iterations * (kPerNode + graph(*map.body));
    }
    double work(const Reduce&, const Node& node, const GraphIndex& index) const {
        return kPerNode + input_size(node, index);
    }
    double work(const Misc&, const Node& node, const GraphIndex& index) const {
        return kPerNode + input_size(node, index) + output_size(node);
    }

    const DimTable& dims_;
};

}  // namespace

double proof_work(const BlockProgram& program, const DimTable& dims) {
    return WorkEstimate(dims).graph(*program.graph);
}

}  // namespace blockscope
