#include "gpu/codegen/delays.h"

#include <algorithm>

namespace blockscope::gpu {

namespace {

struct Uses {
    int set = 0;
    int read = 0;
};

std::map<int, Uses> count_uses(const LoopProgram& program) {
    std::map<int, Uses> uses;
    for_each_statement(program.body, [&](const Statement& statement) {
        for (const TempUse& use : temps_of(statement))
            ++(use.set ? uses[use.temp.id].set : uses[use.temp.id].read);
    });
    return uses;
}

bool sets_any(const Statement& statement, const std::vector<Temp>& temps) {
    const std::vector<TempUse> uses = temps_of(statement);
    return std::any_of(uses.begin(), uses.end(), [&](const TempUse& use) {
        return use.set && std::find(temps.begin(), temps.end(), use.temp) != temps.end();
    });
}

// Whether the next lines come to `add` of the product before a loop or a new value of an operand does.
bool added_next(const Block& body, std::size_t product, Temp result, const std::set<int>& delayed) {
    const std::vector<Temp> operands = *operands_of(body[product]);
    for (std::size_t i = product + 1; i < body.size(); ++i) {
        const auto* compute = std::get_if<Compute>(&body[i].what);
        if (compute && compute->op == FunctionalOp::Add && compute->args.at(0) != compute->args.at(1) &&
            std::find(compute->args.begin(), compute->args.end(), result) != compute->args.end())
            return std::none_of(compute->args.begin(), compute->args.end(),
                                [&](Temp arg) { return delayed.count(arg.id) > 0; });
        if (std::holds_alternative<LoopPtr>(body[i].what) || sets_any(body[i], operands)) return false;
    }
    return false;
}

void find(const Block& body, const Products& products, const std::map<int, Uses>& uses,
          std::set<int>& delayed) {
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (const auto* loop = std::get_if<LoopPtr>(&body[i].what))
            find((*loop)->body, products, uses, delayed);
        const auto* compute = std::get_if<Compute>(&body[i].what);
        if (!compute || compute->op != FunctionalOp::Dot || products.of(body[i]) == Arithmetic::Float32)
            continue;
        const Uses& own = uses.at(compute->to.id);
        if (own.set != 1 || own.read != 1) continue;
        if (added_next(body, i, compute->to, delayed)) delayed.insert(compute->to.id);
    }
}

}  // namespace

std::set<int> delayed_products(const LoopProgram& program, const Products& products) {
    std::set<int> delayed;
    find(program.body, products, count_uses(program), delayed);
    return delayed;
}

}  // namespace blockscope::gpu
