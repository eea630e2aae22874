#include "core/circuit/columns.h"

#include <algorithm>
#include <set>

#include "core/circuit/through.h"

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
        return through(
            term, in, [&](const Term& part, const Arrays& now) { return walk(part, now, beside); },
            [&](const Apply& what) { return apply(what, term, in, beside); },
            [&](const Product& what) { return product(what, in, beside); },
            [&](const Partition& what) { return partition(what, term, in, beside); });
    }

    Arrays apply(const Apply& what, const Term& term, const Arrays& in, const Arrays& beside) {
        column(in, beside);
        Arrays out;
        for (const ArrayType& type : term.codomain) out.push_back({next_++, type, false});
        result_.executions.push_back({&what, around_, in, out, waiting_});
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

}  // namespace blockscope::circuit
