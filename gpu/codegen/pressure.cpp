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
    Lives(const std::vector<const Statement*>& program, int temps)
        : lives(static_cast<std::size_t>(temps) + 1) {
        for (const Statement* statement : program) visit(*statement);
    }

    std::vector<Life> lives;  // by temporary
    int lines = 0;

private:
    void visit(const Statement& statement) {
        ++lines;
        for (const TempUse& use : temps_of(statement)) named(use.temp);
        const auto* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) return;
        for (const Temp temp : accumulators(**loop)) named(temp);
        around_.push_back(loop->get());
        for (const Statement& inner : (*loop)->body) visit(inner);
        around_.pop_back();
        ++lines;
        for (Life& life : lives) keep_through(**loop, life);
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
    std::vector<const Statement*> lines;
    for (const Statement& statement : program.body) lines.push_back(&statement);
    return most_alive(lines, program, [&](Temp temp) -> std::int64_t {
        const Value& value = values.of(temp);
        const bool held = value.in_registers || products.from_registers(temp);
        if (value.kind != Value::Kind::Block || !held || delayed.count(temp.id) > 0) return 0;
        return full_size(value.extents.axes, program.dims);
    });
}

std::int64_t most_alive(const std::vector<const Statement*>& lines, const LoopProgram& program,
                        const std::function<std::int64_t(Temp)>& size) {
    const Lives lives(lines, program.temps);
    std::vector<std::int64_t> change(static_cast<std::size_t>(lives.lines) + 2, 0);
    for (int id = 1; id <= program.temps; ++id) {
        const Life& life = lives.lives[static_cast<std::size_t>(id)];
        if (life.first < 0) continue;
        const std::int64_t taken = size({id});
        change[static_cast<std::size_t>(life.first)] += taken;
        change[static_cast<std::size_t>(life.last)] -= taken;
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
