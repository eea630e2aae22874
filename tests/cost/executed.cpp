#include "tests/cost/executed.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/cost/derivation.h"
#include "core/cost/executed.h"
#include "core/exec/prove.h"
#include "core/print/print.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {

namespace {

class Comparison {
public:
    void equal(const std::string& what, std::int64_t counted, std::int64_t found) {
        if (counted == found || !sentence_.empty()) return;
        sentence_ = what + ": counted " + std::to_string(counted) + ", is " + std::to_string(found);
    }
    std::string sentence(const BlockProgram& program) const {
        return sentence_.empty() ? "" : sentence_ + "\n" + listing(program);
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

void compare_transfers(const std::string& what, const Transfers& counted, const Transfers& found,
                       Comparison& same) {
    same.equal(what, counted.items, found.items);
    same.equal("values of " + what, counted.values, found.values);
    same.equal("bytes of " + what, counted.bytes, found.bytes);
}

// Static counts against those of the interpreter, figure by figure.
void compare_counts(const LoopProgram& loops, const Counts& counts, const Counts& found, Comparison& same) {
    same.equal("arrays", std::ssize(counts.buffers), std::ssize(found.buffers));
    for (std::size_t i = 0; i < counts.buffers.size() && i < found.buffers.size(); ++i) {
        const std::string& name = loops.buffers[i].name;
        compare_transfers("interpreted loads of " + name, counts.buffers[i].loads, found.buffers[i].loads,
                          same);
        compare_transfers("interpreted stores to " + name, counts.buffers[i].stores, found.buffers[i].stores,
                          same);
    }
    compare_transfers("interpreted transfers of inputs", counts.inputs, found.inputs, same);
    compare_transfers("interpreted transfers of outputs", counts.outputs, found.outputs, same);
    compare_transfers("interpreted transfers in between", counts.intermediates, found.intermediates, same);
    const auto flops_of = [](const Counts& all, NodeId node) {
        for (const NodeFlops& entry : all.operators)
            if (entry.node == node) return entry.flops;
        return Flops();
    };
    std::set<NodeId> nodes;
    for (const Counts* each : {&counts, &found})
        for (const NodeFlops& entry : each->operators) nodes.insert(entry.node);
    for (const NodeId node : nodes) {
        const Flops expected = flops_of(counts, node);
        const Flops flops = flops_of(found, node);
        const std::string name = to_string(node);
        same.equal("interpreted matrix operations of " + name, expected.matrix, flops.matrix);
        same.equal("interpreted vector operations of " + name, expected.vector, flops.vector);
        same.equal("interpreted special operations of " + name, expected.special, flops.special);
    }
    same.equal("interpreted matrix operations", counts.flops.matrix, found.flops.matrix);
    same.equal("interpreted vector operations", counts.flops.vector, found.flops.vector);
    same.equal("interpreted special operations", counts.flops.special, found.flops.special);
    same.equal("interpreted launches", counts.launches, found.launches);
    same.equal("interpreted tasks", counts.tasks, found.tasks);
    same.equal("interpreted values in local memory", counts.local.values, found.local.values);
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
    using Kind = CostQuantity::Kind;
    const auto measured = [&](const Transfers& t) {
        return quantity.measure == CostQuantity::Measure::Items    ? t.items
               : quantity.measure == CostQuantity::Measure::Values ? t.values
                                                                   : t.bytes;
    };
    const auto buffer = [&] { return counts.buffers.at(static_cast<std::size_t>(quantity.buffer)); };
    switch (quantity.kind) {
        case Kind::Loads:
            return measured(buffer().loads);
        case Kind::Stores:
            return measured(buffer().stores);
        case Kind::Inputs:
            return measured(counts.inputs);
        case Kind::Outputs:
            return measured(counts.outputs);
        case Kind::Intermediates:
            return measured(counts.intermediates);
        case Kind::Moved:
        case Kind::Intensity:
            return measured(counts.inputs) + measured(counts.outputs) + measured(counts.intermediates);
        case Kind::Matrix:
            return counts.flops.matrix;
        case Kind::Vector:
            return counts.flops.vector;
        case Kind::Special:
            return counts.flops.special;
        case Kind::Replication:
        case Kind::Operations:
            for (const NodeFlops& entry : counts.operators)
                if (quantity.node && entry.node == *quantity.node) return entry.flops.total();
            return counts.flops.total();
        case Kind::LocalMemory:
            return quantity.measure == CostQuantity::Measure::Values ? counts.local.values
                                                                     : counts.local.bytes;
        case Kind::Tasks:
            return counts.tasks;
        case Kind::Launches:
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

}  // namespace

reader::Work executed(const BlockProgram& program) {
    reader::Work work;
    const Tensors<double> inputs = reader::with_masks(program, random_doubles(program, 5));
    reader::run_listing(listing(program), reader::signature_of(program), inputs, reader::ForallOrder::Forward,
                        &work);
    return work;
}

std::string count_difference(const BlockProgram& program) {
    const LoopProgram loops = lower(program);
    const Counts counts = count(loops);
    reader::Work work = executed(program);
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
    compare_counts(loops, counts, interpreted.counts, same);
    compare_outputs(program, inputs, interpreted.outputs, same);
    return same.sentence(program);
}

std::string derivation_difference(const BlockProgram& program, const BlockProgram& unfused) {
    const LoopProgram loops = lower(program);
    const LoopProgram first = lower(unfused);
    const Counts counts = count(loops);
    const std::size_t lines = listing_lines(loops).size();
    Comparison same;
    for (const CostQuantity& quantity : quantities(loops)) {
        const CostDerivation derivation = derive(loops, quantity, &first);
        const bool quotient = derivation.divisor.has_value();
        compare_sum(derivation.name, derivation.sum,
                    quotient ? counts.flops.total() : counted(quantity, counts), lines, loops.dims, same);
        if (quantity.kind == CostQuantity::Kind::Intensity)
            compare_sum("moved", *derivation.divisor, counts.bytes(), lines, loops.dims, same);
        const Result<CostQuantity> parsed = parse_quantity(derivation.name, loops);
        if (!parsed || !(*parsed == quantity)) same.equal("the name " + derivation.name, 0, 1);
    }
    return same.sentence(program);
}

}  // namespace blockscope::test
