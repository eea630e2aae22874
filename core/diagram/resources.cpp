#include "core/diagram/resources.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/diagram/term.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

using Arrays = std::vector<ColumnArray>;

class Walker {
public:
    Columns run(const Circuit& circuit) {
        Arrays inputs;
        for (const ArrayType& type : circuit.root->domain) inputs.push_back({next_++, type, false});
        walk(*circuit.root, inputs, {});
        return std::move(result_);
    }

private:
    // `beside` runs past the term in every column. What is in global memory is left out: of large programs
    // that would be all of their inputs in every column.
    void column(const Arrays& data, const Arrays& beside) {
        Column made;
        std::set<int> seen;
        for (const Arrays* part : {&data, &beside})
            for (const ColumnArray& array : *part)
                if (array.type.level > 0 && seen.insert(array.id).second) made.data.push_back(array);
        made.around = around_;
        result_.columns.push_back(std::move(made));
    }

    Arrays walk(const Term& term, const Arrays& in, const Arrays& beside) {
        return follow(
            term, in, [&](const Term& part, const Arrays& now) { return walk(part, now, beside); },
            [&](const Apply& what) { return apply(what, term, in, beside); },
            [&](const Product& what) { return product(what, in, beside); },
            [&](const Partition& what) { return partition(what, term, in, beside); });
    }

    Arrays apply(const Apply& what, const Term& term, const Arrays& in, const Arrays& beside) {
        column(in, beside);
        Arrays out;
        for (const ArrayType& type : term.codomain) out.push_back({next_++, type, false});
        result_.executions.push_back(
            {.apply = &what, .around = around_, .inputs = in, .outputs = out, .waiting = waiting_});
        column(out, beside);
        return out;
    }

    // Beside a part stand the parts above as they are when it has run, and those below before they run.
    Arrays product(const Product& what, const Arrays& in, const Arrays& beside) {
        Arrays done;
        auto next = in.begin();
        for (const TermPtr& part : what.parts) {
            const auto end = next + static_cast<std::ptrdiff_t>(part->domain.size());
            const Arrays mine(next, end);
            Arrays others = beside;
            others.insert(others.end(), done.begin(), done.end());
            others.insert(others.end(), end, in.end());
            const Arrays out = walk(*part, mine, others);
            done.insert(done.end(), out.begin(), out.end());
            next = end;
        }
        return done;
    }

    Arrays partition(const Partition& what, const Term& term, const Arrays& in, const Arrays& beside) {
        Arrays inner;
        for (std::size_t i = 0; i < in.size(); ++i) {
            ColumnArray array{in[i].id, what.body->domain[i], false};
            const bool carried = std::count(what.carry.begin(), what.carry.end(), static_cast<int>(i)) > 0;
            if (what.split[i].any() || carried) array.id = next_++;
            array.carried = carried;
            inner.push_back(std::move(array));
        }
        const std::size_t first = result_.columns.size();
        const Arrays out = inside(what, inner, beside);
        carry(what, out, first);
        Arrays joined;
        for (std::size_t i = 0; i < out.size(); ++i) {
            ColumnArray array{out[i].id, term.codomain[i], false};
            if (what.join[i].any()) array.id = next_++;
            joined.push_back(std::move(array));
        }
        return joined;
    }

    Arrays inside(const Partition& what, const Arrays& in, const Arrays& beside) {
        const std::size_t waiting = waiting_.size();
        for (std::size_t i = 0; i < in.size(); ++i)
            if (!what.split[i].any() && !in[i].carried && in[i].type.level > 0) waiting_.push_back(in[i]);
        around_.push_back(&what);
        Arrays out = walk(*what.body, in, beside);
        around_.pop_back();
        waiting_.resize(waiting);
        return out;
    }

    // What a stream carries along stands in its columns from `first` on, until it is there itself.
    void carry(const Partition& what, const Arrays& out, std::size_t first) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (what.join[i].any() || what.kind == PartitionKind::Group || what.carried_to(i) >= 0) continue;
            if (out[i].type.level == 0) continue;
            for (std::size_t c = first; c < result_.columns.size(); ++c) {
                Arrays& data = result_.columns[c].data;
                const bool there = std::any_of(data.begin(), data.end(), [&](const ColumnArray& array) {
                    return array.id == out[i].id;
                });
                if (there) break;
                data.push_back({out[i].id, out[i].type, true});
            }
        }
    }

    Columns result_;
    std::vector<const Partition*> around_;
    Arrays waiting_;
    int next_ = 0;
};

}  // namespace

Columns columns(const Circuit& circuit) {
    return Walker().run(circuit);
}

namespace {

// How often what happens at `level` runs.
Formula runs(const Axes& axes, const std::vector<const Partition*>& around, int level) {
    Formula product = Formula::number(1);
    for (const Partition* partition : around) product = product * parts_of(axes, *partition, level);
    return product;
}

// The level that runs an operator: the lower end of a transfer.
const ArrayType& lower_end(const Execution& execution) {
    const ArrayType& to = execution.outputs.at(0).type;
    if (execution.inputs.empty()) return to;
    const ArrayType& from = execution.inputs.at(0).type;
    return from.level > to.level ? from : to;
}

LevelMemory memory_at(int level, const Circuit& circuit, const Columns& columns, const Values& values) {
    LevelMemory memory{level, {}, 0};
    for (std::size_t c = 0; c < columns.columns.size(); ++c) {
        Formula size;
        for (const ColumnArray& array : columns.columns[c].data)
            if (array.type.level == level && !array.type.cached)
                size += size_of_array(circuit.axes, array.type);
        if (size.is_zero()) continue;
        const double value = size.value(values);
        memory.columns.push_back({c, std::move(size), value});
        if (value > memory.columns[memory.widest].value) memory.widest = memory.columns.size() - 1;
    }
    return memory;
}

// Groups around everything; those of a part of it, or of one launch of several, are none of the whole.
Formula group_count(const Circuit& circuit, const Columns& columns) {
    std::map<const Partition*, std::size_t> runs;  // how many executions are inside
    for (const Execution& execution : columns.executions)
        for (const Partition* partition : execution.around)
            if (partition->kind == PartitionKind::Group) ++runs[partition];
    Formula product = Formula::number(1);
    for (const auto& [partition, inside] : runs)
        if (inside == columns.executions.size()) product = product * parts_of(circuit.axes, *partition);
    return product;
}

}  // namespace

Formula most_while_running(const Circuit& circuit, const Columns& columns, int level) {
    const Values values = sizes(circuit.axes);
    Formula most;
    for (std::size_t i = 0; i < columns.executions.size(); ++i) {
        std::set<int> counted;
        Formula size;
        for (const std::vector<ColumnArray>* arrays :
             {&columns.columns.at(2 * i).data, &columns.columns.at(2 * i + 1).data,
              &columns.executions[i].waiting})
            for (const ColumnArray& array : *arrays)
                if (array.type.level == level && !array.type.cached && counted.insert(array.id).second)
                    size += size_of_array(circuit.axes, array.type);
        if (size.value(values) > most.value(values)) most = std::move(size);
    }
    return most;
}

WorkFormulas work_of(const Axes& axes, const Apply& apply) {
    Formula rows = Formula::number(1);
    for (const AxisId axis : apply.weave) rows = rows * extent(axes, axis);
    Formula values = rows;
    for (const AxisId axis : apply.own) values = values * extent(axes, axis);
    const auto times = [](double count, const Formula& formula) { return Formula::number(count) * formula; };
    const OperatorWork& work = diagram_operator(apply.op.kind).work;
    if (work.stated) return {{}, times(apply.op.vector_work, values), times(apply.op.special_work, values)};
    return {times(work.matrix, values), times(work.vector, values),
            times(work.special, values) + times(work.special_rows, rows)};
}

Formula Resources::between(int level, int other) const {
    Formula sum;
    for (const TransferCost& transfer : transfers)
        if ((transfer.from == level && transfer.to == other) ||
            (transfer.from == other && transfer.to == level))
            sum += transfer.total;
    return sum;
}

Formula Resources::into(int level) const {
    Formula sum;
    for (const TransferCost& transfer : transfers)
        if (std::min(transfer.from, transfer.to) < level && level <= std::max(transfer.from, transfer.to))
            sum += transfer.total;
    return sum;
}

Formula Resources::widest(int level) const {
    for (const LevelMemory& one : memory)
        if (one.level == level && !one.columns.empty()) return one.columns[one.widest].size;
    return {};
}

Resources resources(const Circuit& circuit) {
    Resources result;
    result.columns = columns(circuit);
    const Values values = sizes(circuit.axes);
    for (const Execution& execution : result.columns.executions) {
        const ArrayType& lower = lower_end(execution);
        const Formula count = runs(circuit.axes, execution.around, lower.level);
        if (execution.apply->op.kind == OperatorKind::Transfer) {
            TransferCost cost{.apply = execution.apply,
                              .name = execution.apply->outputs[0].name,
                              .from = execution.inputs.at(0).type.level,
                              .to = execution.outputs.at(0).type.level,
                              .size = size_of_array(circuit.axes, lower),
                              .runs = count};
            cost.total = cost.size * count;
            if (cost.from == 0 || cost.to == 0) result.transferred += cost.total;
            result.transfers.push_back(std::move(cost));
        }
        const WorkFormulas work = work_of(circuit.axes, *execution.apply);
        result.work.matrix += work.matrix * count;
        result.work.vector += work.vector * count;
        result.work.special += work.special * count;
    }
    for (int level = 1; level <= circuit.lowest_level; ++level)
        result.memory.push_back(memory_at(level, circuit, result.columns, values));
    result.groups = group_count(circuit, result.columns);
    result.per_group = result.transferred * result.groups.to_the(-1);
    return result;
}

}  // namespace blockscope::circuit
