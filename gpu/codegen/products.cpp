#include "gpu/codegen/products.h"

#include <algorithm>

#include "core/support/result.h"
#include "gpu/codegen/kernels.h"

namespace blockscope::gpu {

namespace {

bool is_small(ElemType elem) {
    return elem == ElemType::E4M3 || elem == ElemType::E5M2;
}

Arithmetic arithmetic_of(ElemType elem) {
    return elem == ElemType::F16 ? Arithmetic::F16 : Arithmetic::BF16;
}

// The type that holds the numbers of both operands. The 8-bit types are contained in either of 16 bits; what
// is computed as an 8-bit type was not rounded to it, and bf16 holds the largest of such numbers, too.
Arithmetic common(ElemType a, ElemType b, bool both_loaded, bool tf32) {
    if (a == ElemType::F32 || b == ElemType::F32) return tf32 ? Arithmetic::TF32 : Arithmetic::Float32;
    if (is_small(a) && is_small(b)) return both_loaded ? Arithmetic::F16 : Arithmetic::BF16;
    if (is_small(a)) return arithmetic_of(b);
    if (is_small(b) || a == b) return arithmetic_of(a);
    return tf32 ? Arithmetic::TF32 : Arithmetic::Float32;  // f16 by bf16: neither holds the other
}

std::set<int> temps_of_masks(const LoopProgram& program) {
    std::set<int> masks;
    for_each_statement(program.body, [&](const Statement& statement) {
        const auto* load = std::get_if<Load>(&statement.what);
        if (!load) return;
        const Buffer& buffer = program.buffers.at(static_cast<std::size_t>(load->buffer));
        if (buffer.source != InputSource::Array) masks.insert(load->to.id);
    });
    return masks;
}

}  // namespace

ElemType tile_elem(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::F16:
            return ElemType::F16;
        case Arithmetic::BF16:
            return ElemType::BF16;
        case Arithmetic::TF32:
            return ElemType::F32;
        case Arithmetic::E4M3:
            return ElemType::E4M3;
        case Arithmetic::E5M2:
            return ElemType::E5M2;
        case Arithmetic::Float32:
            break;
    }
    throw InternalError("codegen: a product in float32 has no tiles");
}

const std::vector<Temp>* operands_of(const Statement& statement) {
    const auto* compute = std::get_if<Compute>(&statement.what);
    if (compute && compute->op == FunctionalOp::Dot) return &compute->args;
    const auto* add = std::get_if<Accumulate>(&statement.what);
    if (add && add->functional && add->op == FunctionalOp::Dot) return &add->args;
    return nullptr;
}

namespace {

bool of_eight_bits(Arithmetic arithmetic) {
    return arithmetic == Arithmetic::E4M3 || arithmetic == Arithmetic::E5M2;
}

// One form for two products that want different ones: numbers of 8 bits are numbers of 16, too.
Arithmetic merged(Arithmetic a, Arithmetic b) {
    if (a == b) return a;
    if (of_eight_bits(a) && of_eight_bits(b)) return Arithmetic::F16;
    if (of_eight_bits(a)) return b;
    if (of_eight_bits(b)) return a;
    return Arithmetic::Float32;
}

// Loaded temporaries of blocks whose columns are neighbours in memory.
std::set<int> temps_along_rows(const LoopProgram& program, const ProductRules& rules) {
    std::set<int> temps;
    for_each_statement(program.body, [&](const Statement& statement) {
        const auto* load = std::get_if<Load>(&statement.what);
        if (load && rules.along_rows(load->buffer)) temps.insert(load->to.id);
    });
    return temps;
}

}  // namespace

Products::Products(const LoopProgram& program, const DeviceValues& values, const std::set<int>& shared,
                   const ProductRules& rules) {
    const std::set<int> masks = temps_of_masks(program);
    const std::set<int> along_rows = temps_along_rows(program, rules);
    const auto loaded = [&](Temp t) {
        return values.of(t).as_view && masks.count(t.id) + shared.count(t.id) == 0;
    };
    for_each_statement(program.body, [&](const Statement& statement) {
        const std::vector<Temp>* args = operands_of(statement);
        if (!args) return;
        const Temp a = args->at(0);
        const Temp b = args->at(1);
        Arithmetic& arithmetic = products_[&statement];
        arithmetic = Arithmetic::Float32;
        if (!rules.tensor_cores || !values.of(a).extents.known || !values.of(b).extents.known) return;
        const ElemType elem = values.of(a).extents.elem;
        const bool both_loaded = loaded(a) && loaded(b);
        arithmetic = common(elem, values.of(b).extents.elem, both_loaded, rules.tf32);
        if (rules.eight_bits && is_small(elem) && elem == values.of(b).extents.elem && both_loaded &&
            along_rows.count(a.id) > 0 && along_rows.count(b.id) > 0)
            arithmetic = elem == ElemType::E4M3 ? Arithmetic::E4M3 : Arithmetic::E5M2;
    });
    // A temporary has one form. Where two products want two, all products of it are in float32.
    for (bool changed = true; changed;) {
        changed = false;
        std::map<int, Arithmetic> forms;
        for (const auto& [statement, arithmetic] : products_)
            for (const Temp t : *operands_of(*statement))
                if (loaded(t)) {
                    Arithmetic& form = forms.emplace(t.id, arithmetic).first->second;
                    form = merged(form, arithmetic);
                }
        for (auto& [statement, arithmetic] : products_)
            for (const Temp t : *operands_of(*statement))
                if (loaded(t) && forms.at(t.id) != arithmetic) {
                    arithmetic = forms.at(t.id);
                    changed = true;
                }
    }
    for (const auto& [statement, arithmetic] : products_)
        for (const Temp t : *operands_of(*statement)) {
            if (arithmetic == Arithmetic::Float32) continue;
            if (loaded(t)) tiles_[t.id] = arithmetic;
            if (!loaded(t)) from_registers_[t.id] = true;
        }
}

std::map<NodeId, ElemType> Products::other_types(const DeviceValues& values) const {
    std::map<NodeId, ElemType> types;
    for (const auto& [statement, arithmetic] : products_) {
        const bool in_float32 = arithmetic == Arithmetic::Float32;
        const ElemType type = in_float32 ? ElemType::F32 : tile_elem(arithmetic);
        const auto& extents = values.of(operands_of(*statement)->front()).extents;
        if (!extents.known || extents.elem == type) continue;
        ElemType& known = types.emplace(statement->node, type).first->second;
        if (bytes_per_element(type) > bytes_per_element(known)) known = type;
    }
    return types;
}

bool Products::any_by_tensor_cores() const {
    for (const auto& [statement, arithmetic] : products_)
        if (arithmetic != Arithmetic::Float32) return true;
    return false;
}

bool Products::any_in_float32() const {
    for (const auto& [statement, arithmetic] : products_)
        if (arithmetic == Arithmetic::Float32) return true;
    return false;
}

std::optional<ElemType> Products::tile(Temp temp) const {
    const auto found = tiles_.find(temp.id);
    if (found == tiles_.end()) return std::nullopt;
    return tile_elem(found->second);
}

bool Products::from_registers(Temp temp) const {
    return from_registers_.count(temp.id) > 0;
}

namespace {

struct DelayUses {
    int set = 0;
    int read = 0;
};

std::map<int, DelayUses> count_uses(const LoopProgram& program) {
    std::map<int, DelayUses> uses;
    for_each_statement(program.body, [&](const Statement& statement) {
        const StatementUses own = uses_of(statement);
        for (const Temp temp : own.reads) ++uses[temp.id].read;
        if (own.makes.id > 0) ++uses[own.makes.id].set;
    });
    return uses;
}

bool sets_any(const Statement& statement, const std::vector<Temp>& temps) {
    const Temp made = uses_of(statement).makes;
    return made.id > 0 && std::find(temps.begin(), temps.end(), made) != temps.end();
}

// Whether the next lines come to `add` of the product before a loop or a new value of an operand does.
bool added_next(const Block& body, std::size_t product, Temp result, const std::set<int>& delayed) {
    const std::vector<Temp>& operands = *operands_of(body[product]);
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

void find(const Block& body, const Products& products, const std::map<int, DelayUses>& uses,
          std::set<int>& delayed) {
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (const auto* loop = std::get_if<LoopPtr>(&body[i].what))
            find((*loop)->body, products, uses, delayed);
        const auto* compute = std::get_if<Compute>(&body[i].what);
        if (!compute || compute->op != FunctionalOp::Dot || products.of(body[i]) == Arithmetic::Float32)
            continue;
        const DelayUses& own = uses.at(compute->to.id);
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

namespace {

struct Life {
    int first = -1;
    int last = -1;
    std::vector<const Loop*> around;   // loops around the first line
    std::vector<const Loop*> used_in;  // and around the last
};

class Lives {
public:
    explicit Lives(const std::vector<const Statement*>& program) {
        for (const Statement* statement : program) visit(*statement);
    }

    std::map<int, Life> lives;  // by temporary
    int lines = 0;

private:
    void visit(const Statement& statement) {
        ++lines;
        const StatementUses uses = uses_of(statement);
        for (const Temp temp : uses.reads) named(temp);
        if (uses.makes.id > 0) named(uses.makes);
        const auto* loop = std::get_if<LoopPtr>(&statement.what);
        if (!loop) return;
        for (const Temp temp : accumulators(**loop)) named(temp);
        around_.push_back(loop->get());
        const std::size_t first_inside = named_.size();
        for (const Statement& inner : (*loop)->body) visit(inner);
        around_.pop_back();
        ++lines;
        for (std::size_t i = first_inside; i < named_.size(); ++i) keep_through(**loop, lives[named_[i]]);
    }

    void named(Temp temp) {
        named_.push_back(temp.id);
        Life& life = lives[temp.id];
        if (life.first < 0) {
            life.first = lines;
            life.around = around_;
        }
        life.last = lines;
        life.used_in = around_;
    }

    // What was there before a loop and is used in it stays until the loop is over.
    void keep_through(const Loop& loop, Life& life) {
        const auto within = [&](const std::vector<const Loop*>& loops) {
            return std::find(loops.begin(), loops.end(), &loop) != loops.end();
        };
        if (within(life.used_in) && !within(life.around)) life.last = lines;
    }

    std::vector<const Loop*> around_;
    std::vector<int> named_;  // temporaries, in the order of the lines that name them
};

}  // namespace

std::int64_t most_numbers_alive(const LoopProgram& program, const DeviceValues& values,
                                const Products& products, const std::set<int>& delayed) {
    std::vector<const Statement*> lines;
    for (const Statement& statement : program.body) lines.push_back(&statement);
    return most_alive(lines, [&](Temp temp) -> std::int64_t {
        const Value& value = values.of(temp);
        const bool held = value.in_registers || products.from_registers(temp);
        if (value.kind != Value::Kind::Block || !held || delayed.count(temp.id) > 0) return 0;
        return full_size(value.extents.axes, program.dims);
    });
}

std::int64_t most_alive(const std::vector<const Statement*>& lines,
                        const std::function<std::int64_t(Temp)>& size) {
    const Lives lives(lines);
    std::vector<std::int64_t> change(static_cast<std::size_t>(lives.lines) + 2, 0);
    for (const auto& [id, life] : lives.lives) {
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
