#include "gpu/codegen/pressure.h"

#include <algorithm>

#include "gpu/codegen/scopes.h"

namespace blockscope::gpu {

namespace {

struct Life {
    int first = -1;
    int last = -1;
    std::vector<const Loop*> around;  // loops around the first line
};

class Lives {
public:
    explicit Lives(const LoopProgram& program) : lives(static_cast<std::size_t>(program.temps) + 1) {
        visit(program.body);
    }

    std::vector<Life> lives;  // by temporary
    int lines = 0;

private:
    void visit(const Block& block) {
        for (const Statement& statement : block) {
            ++lines;
            for (const TempUse& use : temps_of(statement)) named(use.temp);
            const auto* loop = std::get_if<LoopPtr>(&statement.what);
            if (!loop) continue;
            for (const Temp temp : accumulators(**loop)) named(temp);
            around_.push_back(loop->get());
            visit((*loop)->body);
            around_.pop_back();
            ++lines;
            for (Life& life : lives) keep_through(**loop, life);
        }
    }

    void named(Temp temp) {
        Life& life = lives.at(static_cast<std::size_t>(temp.id));
        if (life.first < 0) {
            life.first = lines;
            life.around = around_;
        }
        life.last = lines;
        used_in_[temp.id] = around_;
    }

    // What was there before a loop and is used in it stays until the loop is over.
    void keep_through(const Loop& loop, Life& life) {
        if (life.first < 0) return;
        const auto id = static_cast<int>(&life - lives.data());
        const auto within = [&](const std::vector<const Loop*>& loops) {
            return std::find(loops.begin(), loops.end(), &loop) != loops.end();
        };
        if (within(used_in_[id]) && !within(life.around)) life.last = lines;
    }

    std::vector<const Loop*> around_;
    std::map<int, std::vector<const Loop*>> used_in_;
};

}  // namespace

std::int64_t most_numbers_alive(const LoopProgram& program, const Values& values, const Products& products,
                                const std::set<int>& delayed) {
    const Lives lives(program);
    std::vector<std::int64_t> change(static_cast<std::size_t>(lives.lines) + 2, 0);
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        const Life& life = lives.lives[static_cast<std::size_t>(id)];
        const bool held = value.in_registers || products.from_registers({id});
        if (value.kind != Value::Kind::Block || !held || life.first < 0 || delayed.count(id) > 0) continue;
        const std::int64_t size = full_size(value.extents.axes, program.dims);
        change[static_cast<std::size_t>(life.first)] += size;
        change[static_cast<std::size_t>(life.last)] -= size;
    }
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (const std::int64_t one : change) {
        alive += one;
        most = std::max(most, alive);
    }
    return most;
}

}  // namespace blockscope::gpu
