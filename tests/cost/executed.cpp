#include "tests/cost/executed.h"

#include <algorithm>
#include <cmath>

#include "core/cost/counts.h"
#include "core/cost/derivation.h"
#include "core/cost/executed.h"
#include "core/exec/prove.h"
#include "core/print/print.h"
#include "core/state/state.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {

namespace {

class Comparison {
public:
    void equal(const std::string& what, std::int64_t counted, std::int64_t found) {
        if (counted == found || !sentence_.empty()) return;
        sentence_ = what + ": counted " + std::to_string(counted) + ", is " + std::to_string(found);
    }
    void none(const std::string& what, const std::string& difference) {
        if (!difference.empty() && sentence_.empty()) sentence_ = what + ": " + difference;
    }
    std::string sentence(const std::string& listing) const {
        return sentence_.empty() ? "" : sentence_ + "\n" + listing;
    }

private:
    std::string sentence_;
};

void compare_traffic(const LoopProgram& loops, const Counts& counts, reader::Work& work, Comparison& same) {
    for (const BufferTraffic& traffic : counts.buffers) {
        const Buffer& buffer = loops.buffers[static_cast<std::size_t>(traffic.buffer)];
        const reader::ArrayWork& array = work.arrays[buffer.name];
        const std::int64_t bytes = bytes_per_element(buffer.type.elem());
        same.equal("loads of " + buffer.name, traffic.loads.items, array.loads);
        same.equal("stores to " + buffer.name, traffic.stores.items, array.stores);
        same.equal("values loaded from " + buffer.name, traffic.loads.values, array.loaded_values);
        same.equal("values stored to " + buffer.name, traffic.stores.values, array.stored_values);
        same.equal("bytes loaded from " + buffer.name, traffic.loads.bytes, array.loaded_values * bytes);
        same.equal("bytes stored to " + buffer.name, traffic.stores.bytes, array.stored_values * bytes);
    }
}

// The interpreter computes what the graph says.
void compare_outputs(const BlockProgram& program, const Tensors<double>& inputs, const Tensors<double>& found,
                     Comparison& same) {
    for (const auto& [name, expected] : evaluate(program, inputs)) {
        const std::vector<double>& values = found.at(name).data;
        for (std::size_t i = 0; i < expected.data.size(); ++i) {
            const double want = expected.data[i];
            const bool close = std::abs(values.at(i) - want) <= 1e-9 * (1 + std::abs(want));
            if (!close && std::isfinite(want)) same.equal("element of " + name, static_cast<int>(i), -1);
        }
    }
}

// What a quantity is according to Counts.
std::int64_t counted(const CostQuantity& quantity, const Counts& counts) {
    using Quantity = CostQuantity::Kind;
    const auto measured = [&](const Transfers& t) {
        return quantity.measure == CostQuantity::Measure::Items    ? t.items
               : quantity.measure == CostQuantity::Measure::Values ? t.values
                                                                   : t.bytes;
    };
    const auto buffer = [&] { return counts.buffers.at(static_cast<std::size_t>(quantity.buffer)); };
    switch (quantity.kind) {
        case Quantity::Loads:
            return measured(buffer().loads);
        case Quantity::Stores:
            return measured(buffer().stores);
        case Quantity::Inputs:
            return measured(counts.inputs);
        case Quantity::Outputs:
            return measured(counts.outputs);
        case Quantity::Intermediates:
            return measured(counts.intermediates);
        case Quantity::Moved:
        case Quantity::Intensity:
            return measured(counts.inputs) + measured(counts.outputs) + measured(counts.intermediates);
        case Quantity::Matrix:
            return counts.flops.matrix;
        case Quantity::Vector:
            return counts.flops.vector;
        case Quantity::Special:
            return counts.flops.special;
        case Quantity::Replication:
        case Quantity::Operations:
            for (const NodeFlops& entry : counts.operators)
                if (quantity.node && entry.node == *quantity.node) return entry.flops.total();
            return counts.flops.total();
        case Quantity::LocalMemory:
            return quantity.measure == CostQuantity::Measure::Values ? counts.local.values
                                                                     : counts.local.bytes;
        case Quantity::Tasks:
            return counts.tasks;
        case Quantity::Launches:
            return counts.launches;
    }
    return -1;
}

void compare_sum(const std::string& name, const Sum& sum, std::int64_t expected, std::size_t lines,
                 const DimTable& dims, Comparison& same) {
    std::int64_t added = 0;
    for (const Summand& summand : sum.summands) {
        added += summand.amount;
        same.equal(name + ", a summand", summand.polynomial.value(dims), summand.amount);
        if (summand.line < 0 || summand.line >= static_cast<int>(lines)) same.equal(name + ": line", 0, 1);
    }
    same.equal(name, sum.value, expected);
    same.equal(name + ", summands", added, expected);
    same.equal(name + " = " + sum.formula, sum.polynomial.value(dims), expected);
}

// The paper's loops add all blocks of a mask, also those that are all zeros.
reader::Work executed(const State& state, const std::string& text) {
    const BlockProgram& program = *state.source();
    reader::Work work;
    const Tensors<double> inputs = reader::with_masks(program, random_doubles(program, 5));
    reader::Signature signature = reader::signature_of(program);
    if (state.form().loops == LoopForm::Paper) signature.masks.clear();
    reader::run_listing(text, signature, inputs, reader::ForallOrder::Forward, &work);
    return work;
}

// `work` is what an execution of the state's listing did.
std::string counts_in(const State& state, reader::Work work) {
    const BlockProgram& program = *state.source();
    const LoopProgram& loops = state.loops();
    const Counts& counts = state.counts();
    Comparison same;
    compare_traffic(loops, counts, work, same);
    same.equal("launches", counts.launches, work.launches);
    const auto fewest = std::min_element(work.tasks.begin(), work.tasks.end());
    same.equal("tasks", counts.tasks, fewest == work.tasks.end() ? 0 : *fewest);
    same.equal("matrix operations", counts.flops.matrix, work.matrix);
    same.equal("vector operations", counts.flops.vector, work.vector);
    same.equal("special operations", counts.flops.special, work.special);
    same.equal("values in local memory", counts.local.values, work.local_values);
    const Tensors<double> inputs = random_doubles(program, 5);
    const Executed interpreted = execute(loops, inputs);
    same.none("interpreted", counts_difference(loops, counts, interpreted.counts));
    compare_outputs(program, inputs, interpreted.outputs, same);
    return same.sentence(listing(state));
}

}  // namespace

BothLoops::BothLoops(const ProgramPtr& program) : built(program), paper(program, Form{}.as_in_paper()) {}

BothLoops::BothLoops(BlockProgram program)
    : BothLoops(std::make_shared<const BlockProgram>(std::move(program))) {}

std::string count_difference(const BothLoops& program) {
    const std::string built = listing(program.built);
    const std::string paper = listing(program.paper);
    const reader::Work work = executed(program.built, built);
    const bool masked = !reader::signature_of(*program.built.source()).masks.empty();
    if (std::string found = counts_in(program.built, work); !found.empty()) return found;
    return counts_in(program.paper, paper == built && !masked ? work : executed(program.paper, paper));
}

namespace {

std::string derivations_in(const State& state, const State& unfused) {
    const LoopProgram& loops = state.loops();
    const CountedLoops first = unfused.counted();
    const Counts& counts = state.counts();
    const std::size_t lines = state.listing().size();
    Comparison same;
    for (const CostQuantity& quantity : quantities(state.counted())) {
        const CostDerivation derivation = derive(state.counted(), quantity, &first);
        const bool quotient = derivation.divisor.has_value();
        compare_sum(derivation.name, derivation.sum,
                    quotient ? counts.flops.total() : counted(quantity, counts), lines, loops.dims, same);
        if (quantity.kind == CostQuantity::Kind::Intensity)
            compare_sum("moved", *derivation.divisor, counts.bytes(), lines, loops.dims, same);
        const Result<CostQuantity> parsed = parse_quantity(derivation.name, state.counted());
        if (!parsed || !(*parsed == quantity)) same.equal("the name " + derivation.name, 0, 1);
    }
    return same.sentence(listing(state));
}

}  // namespace

std::string derivation_difference(const BothLoops& program, const BothLoops& unfused) {
    const std::string found = derivations_in(program.built, unfused.built);
    return found.empty() ? derivations_in(program.paper, unfused.paper) : found;
}

}  // namespace blockscope::test
