#include "core/loops/built_loops.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/loops/loop_program.h"
#include "core/support/cases.h"
#include "core/support/result.h"

namespace blockscope {

// Loops over one block.

namespace {

using lowering::loop_of;
using lowering::with_body;

class Dissolving {
public:
    explicit Dissolving(LoopProgram program) : program_(std::move(program)) {}

    LoopProgram run() {
        if (!any_dissolves(program_.body)) return std::move(program_);
        Block body;
        for (const Statement& kernel : program_.body) {
            Block made = one(kernel, true);
            for (Statement& statement : made) body.push_back(std::move(statement));
        }
        program_.body = std::move(body);
        return std::move(program_);
    }

private:
    // What a loop variable of the program is now.
    struct Variable {
        LoopVar before;
        Index now;
    };

    std::int64_t trips(const Loop& loop) const {
        return program_.dims.at(loop.var.dim.value).blocks() - loop.start;
    }
    bool any_dissolves(const Block& block) const {
        return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
            const Loop* loop = loop_of(statement);
            if (!loop) return false;
            const std::int64_t count = trips(*loop);
            return count < 1 || (count == 1 && loop->start == 0) || loop->body.empty() ||
                   any_dissolves(loop->body);
        });
    }
    static bool has_sums(const Loop& loop) {
        return std::any_of(loop.body.begin(), loop.body.end(), [](const Statement& statement) {
            return std::holds_alternative<Accumulate>(statement.what);
        });
    }

    Index now(const Index& index) const {
        if (index.zero) return index;
        const auto found = std::find_if(around_.rbegin(), around_.rend(),
                                        [&](const Variable& one) { return one.before == index.var; });
        return found == around_.rend() ? index : found->now;
    }
    void take(std::vector<Index>& at) const {
        for (Index& index : at) index = now(index);
    }

    // Loops around over the same dimension are fewer than before.
    LoopVar variable(const Loop& loop) const {
        const auto same = [&](const Variable& one) {
            return !one.now.zero && one.now.var.dim == loop.var.dim;
        };
        return {loop.var.dim, 1 + static_cast<int>(std::count_if(around_.begin(), around_.end(), same))};
    }

    Block one(const Statement& statement, bool kernel) {
        const Loop* loop = loop_of(statement);
        if (!loop) return {line(statement)};
        const std::int64_t count = trips(*loop);
        if (count < 1 && !has_sums(*loop)) return {};
        if (count != 1 || loop->start != 0) return kept(statement);
        Block body = inside(*loop, {true, {}});
        if (!kernel) return body;
        if (body.size() != 1 || !loop_of(body[0])) return kept(statement);
        body[0].node = statement.node;  // the kernel is that of the whole operator
        return body;
    }

    Block kept(const Statement& statement) {
        const Loop& loop = *loop_of(statement);
        const LoopVar var = variable(loop);
        Block body = inside(loop, {false, var});
        if (body.empty()) return {};
        Loop made = loop;
        made.var = var;
        made.body = std::move(body);
        Statement result = statement;
        result.what = std::make_shared<const Loop>(std::move(made));
        return {std::move(result)};
    }

    Block inside(const Loop& loop, const Index& now) {
        around_.push_back({loop.var, now});
        std::set<int> begun;  // sums that have their first summand
        Block body;
        for (const Statement& statement : loop.body) {
            Block made = one(statement, false);
            for (Statement& each : made)
                body.push_back(now.zero && !loop_of(statement) ? plain(std::move(each), begun)
                                                               : std::move(each));
        }
        around_.pop_back();
        return body;
    }

    Statement line(Statement statement) const {
        std::visit(Cases{[&](Load& s) { take(s.at); }, [&](Store& s) { take(s.at); },
                         [&](CallMisc& s) {
                             for (std::vector<Index>& at : s.at) take(at);
                         },
                         [](auto&) {}},
                   statement.what);
        return statement;
    }

    static Statement plain(Statement statement, std::set<int>& begun) {
        const auto* sum = std::get_if<Accumulate>(&statement.what);
        if (!sum) return statement;
        Statement result = statement;
        if (!begun.insert(sum->to.id).second) {
            if (sum->functional) throw InternalError("a loop adds to one sum in two lines");
            result.what = Evaluate{sum->to, call(Fn::Add, arg(0), arg(1)), {sum->to, sum->args.at(0)}};
        } else if (sum->functional) {
            result.what = Compute{sum->to, sum->op, sum->args};
        } else {
            result.what = Assign{sum->to, sum->args.at(0)};
        }
        return result;
    }

    LoopProgram program_;
    std::vector<Variable> around_;  // outermost first
};

// A value that is another one by `t4 = t3`, and neither ever changes: `t3` takes its place.
LoopProgram without_copies(LoopProgram program) {
    const std::vector<int> made = lowering::makers(program);
    std::map<int, Temp> names;
    for_each_statement(program.body, [&](const Statement& statement) {
        const auto* copy = std::get_if<Assign>(&statement.what);
        if (!copy || made[static_cast<std::size_t>(copy->to.id)] != 1 ||
            made[static_cast<std::size_t>(copy->from.id)] != 1)
            return;
        const auto known = names.find(copy->from.id);
        names[copy->to.id] = known == names.end() ? copy->from : known->second;
    });
    if (names.empty()) return program;
    const auto walk = [&](const auto& self, const Block& block) -> Block {
        Block result;
        for (const Statement& statement : block) {
            const auto* copy = std::get_if<Assign>(&statement.what);
            if (copy && names.count(copy->to.id) > 0) continue;
            if (const Loop* loop = loop_of(statement))
                result.push_back(with_body(statement, self(self, loop->body)));
            else
                result.push_back(lowering::renamed(statement, names));
        }
        return result;
    };
    program.body = walk(walk, program.body);
    return program;
}

}  // namespace

LoopProgram without_single_loops(LoopProgram program) {
    return without_copies(Dissolving(std::move(program)).run());
}

// Loads that leave loops.

namespace {

using lowering::loop_of;

class Moving {
public:
    explicit Moving(const LoopProgram& program) : program_(program), made_(lowering::makers(program)) {
        for (const Statement& kernel : program.body)
            for (const Loop* axis : grid_of(kernel).loops) thread_blocks_.insert(axis);
    }

    // Whether a load leaves a loop.
    bool any() const {
        return std::any_of(program_.body.begin(), program_.body.end(), [&](const Statement& kernel) {
            const Loop* loop = loop_of(kernel);
            return loop && any_leaves(loop->body);
        });
    }

    Block run() const {
        Block kernels;
        for (const Statement& kernel : program_.body) {
            const Loop* loop = loop_of(kernel);
            kernels.push_back(loop ? lowering::with_body(kernel, block(loop->body)) : kernel);
        }
        return kernels;
    }

private:
    bool any_leaves(const Block& lines) const {
        return std::any_of(lines.begin(), lines.end(), [&](const Statement& line) {
            const Loop* loop = loop_of(line);
            if (!loop) return false;
            return std::any_of(loop->body.begin(), loop->body.end(),
                               [&](const Statement& inner) { return leaves(inner, *loop); }) ||
                   any_leaves(loop->body);
        });
    }

    Block block(const Block& lines) const {
        Block result;
        for (const Statement& line : lines) {
            const Loop* loop = loop_of(line);
            if (!loop) {
                result.push_back(line);
                continue;
            }
            Block stays;
            for (Statement& inner : block(loop->body))
                (leaves(inner, *loop) ? result : stays).push_back(std::move(inner));
            result.push_back(lowering::with_body(line, std::move(stays)));
        }
        return result;
    }

    bool leaves(const Statement& line, const Loop& loop) const {
        const auto* load = std::get_if<Load>(&line.what);
        if (!load || thread_blocks_.count(&loop) > 0) return false;
        if (program_.dims.at(loop.var.dim.value).blocks() <= loop.start) return false;
        if (made_[static_cast<std::size_t>(load->to.id)] != 1) return false;
        const bool indexed = std::any_of(load->at.begin(), load->at.end(), [&](const Index& index) {
            return !index.zero && index.var == loop.var;
        });
        return !indexed && !lowering::stores_to(loop.body, load->buffer);
    }

    const LoopProgram& program_;
    std::set<const Loop*> thread_blocks_;
    std::vector<int> made_;
};

}  // namespace

LoopProgram with_loads_moved_out(LoopProgram program) {
    const Moving moving(program);
    if (moving.any()) program.body = moving.run();
    return program;
}

LoopProgram built(LoopProgram program) {
    program = without_single_loops(std::move(program));
    program = without_dead_lines(with_values_kept(std::move(program)));
    program = without_dead_lines(with_casts_repeated(std::move(program)));
    program = without_dead_lines(with_narrow_arrays(std::move(program)));
    program = with_loads_moved_out(std::move(program));
    program = without_dead_lines(with_values_kept(std::move(program)));
    program = with_causal_bounds(std::move(program));
    program.zeros_left_out = true;
    lowering::number(program);
    return program;
}

bool same_loops(const LoopProgram& loops, const DimTable& dims) {
    const auto many = [](const Dim& dim) { return std::min<std::int64_t>(dim.blocks(), 3); };
    const bool alike = std::equal(loops.dims.begin(), loops.dims.end(), dims.begin(), dims.end(),
                                  [&](const Dim& a, const Dim& b) {
                                      return a.size == b.size && a.kind == b.kind && many(a) == many(b);
                                  });
    return alike && std::all_of(loops.buffers.begin(), loops.buffers.end(), [&](const Buffer& buffer) {
               if (buffer.source != InputSource::CausalMask || buffer.dims.size() != 2) return true;
               const auto row = buffer.dims[buffer.transposed ? 1 : 0].value;
               const auto column = buffer.dims[buffer.transposed ? 0 : 1].value;
               return hides_blocks(loops.dims.at(row), loops.dims.at(column), buffer.window) ==
                      hides_blocks(dims.at(row), dims.at(column), buffer.window);
           });
}

// Values that stay in local memory instead of being loaded again.

namespace {

using lowering::loop_of;

// Statements have numbers in the order of the text; a loop comes before its body.
class Keeping {
public:
    explicit Keeping(LoopProgram program) : program_(std::move(program)), made_at_(at(program_.temps) + 1) {
        int number = 0;
        for_each_statement(program_.body, [&](const Statement& statement) {
            const auto* made = std::get_if<Evaluate>(&statement.what);
            if (made && made->cast && *made->cast != ElemType::F32) narrowed_.insert(made->to.id);
            const StatementUses uses = uses_of(statement);
            if (!is_product(statement))
                for (const Temp temp : uses.reads) read_elsewhere_.insert(temp.id);
            made_at_[at(uses.makes.id)].push_back(number++);
        });
    }

    LoopProgram run() {
        for (const Statement& kernel : program_.body) {
            known_.clear();
            look_at(kernel);
        }
        if (!names_.empty()) program_.body = without_known_loads(program_.body);
        return std::move(program_);
    }

private:
    struct Known {
        int buffer;
        const std::vector<Index>* at;  // of the line
        Temp temp;
        bool rounded = false;  // by its array alone
    };

    // A product takes its operands in their element types; generated kernels round where the cast is.
    static bool is_product(const Statement& statement) {
        const auto* compute = std::get_if<Compute>(&statement.what);
        if (compute) return compute->op == FunctionalOp::Dot;
        const auto* sum = std::get_if<Accumulate>(&statement.what);
        return sum && sum->functional && sum->op == FunctionalOp::Dot;
    }

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    void look_at(const Statement& one) {
        ++number_;
        if (const Loop* loop = loop_of(one)) look_at(loop->body);
    }

    void look_at(const Block& lines) {
        const std::size_t outside = known_.size();
        int end = number_;
        for (const Statement& line : lines) end += lines_of(line);
        for (const Statement& line : lines) {
            const auto* load = std::get_if<Load>(&line.what);
            const Temp* there = load ? find(*load) : nullptr;
            if (there) names_[load->to.id] = *there;
            look_at(line);
            if (load && !there) know({load->buffer, &load->at, load->to}, end);
            const auto* store = std::get_if<Store>(&line.what);
            if (store)
                know({store->buffer, &store->at, name(store->from), narrowed_.count(store->from.id) > 0},
                     end);
        }
        known_.resize(outside);
    }

    // A temporary that has another name is made by one load.
    Block without_known_loads(const Block& lines) const {
        Block result;
        for (const Statement& line : lines) {
            const auto* load = std::get_if<Load>(&line.what);
            if (load && names_.count(load->to.id) > 0) continue;
            if (const Loop* loop = loop_of(line))
                result.push_back(lowering::with_body(line, without_known_loads(loop->body)));
            else
                result.push_back(lowering::renamed(line, names_));
        }
        return result;
    }

    static int lines_of(const Statement& one) {
        int lines = 1;
        if (const Loop* loop = loop_of(one))
            for (const Statement& inner : loop->body) lines += lines_of(inner);
        return lines;
    }

    Temp name(Temp temp) const {
        const auto found = names_.find(temp.id);
        return found == names_.end() ? temp : found->second;
    }

    // Null if nothing holds it, or if the loaded value is another one later.
    const Temp* find(const Load& load) const {
        if (made_at_[at(load.to.id)].size() != 1) return nullptr;
        const bool unrounded = read_elsewhere_.count(load.to.id) == 0;
        for (const Known& one : known_)
            if (one.buffer == load.buffer && *one.at == load.at && (unrounded || !one.rounded))
                return &one.temp;
        return nullptr;
    }

    // Unless the temporary is made anew before line `end`, where the loop's iteration ends.
    void know(Known one, int end) {
        const std::vector<int>& lines = made_at_[at(one.temp.id)];
        const bool changes =
            std::any_of(lines.begin(), lines.end(), [&](int line) { return line >= number_ && line < end; });
        if (!changes) known_.push_back(one);
    }

    LoopProgram program_;
    std::vector<std::vector<int>> made_at_;  // by temporary: the lines that make it
    std::set<int> narrowed_;                 // results of casts that round, where they are stored alone
    std::set<int> read_elsewhere_;           // than by products
    std::vector<Known> known_;               // in the loops around the present line
    std::map<int, Temp> names_;              // of loads that are gone: what they are now
    int number_ = 0;                         // of the next line
};

}  // namespace

LoopProgram with_values_kept(LoopProgram program) {
    return Keeping(std::move(program)).run();
}

namespace {

// Lines whose result nothing reads, and stores that nothing loads.
class Dead {
public:
    explicit Dead(const LoopProgram& program)
        : program_(program), read_(at(program.temps) + 1), loaded_(program.buffers.size()) {
        for_each_statement(program.body, [&](const Statement& statement) {
            for (const Temp temp : uses_of(statement).reads) read_[at(temp.id)] = true;
            if (const auto* load = std::get_if<Load>(&statement.what)) loaded_[at(load->buffer)] = true;
            if (const auto* call = std::get_if<CallMisc>(&statement.what))
                for (const int buffer : call->inputs) loaded_[at(buffer)] = true;
        });
    }

    bool is(const Statement& statement) const {
        if (const Loop* loop = loop_of(statement)) return loop->body.empty();
        if (const auto* store = std::get_if<Store>(&statement.what))
            return program_.buffers[at(store->buffer)].kind == Buffer::Kind::Intermediate &&
                   !loaded_[at(store->buffer)];
        const Temp made = uses_of(statement).makes;
        return made.id > 0 && !read_[at(made.id)];
    }

private:
    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    const LoopProgram& program_;
    std::vector<bool> read_;
    std::vector<bool> loaded_;
};

bool any_is_dead(const Block& block, const Dead& dead) {
    return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
        const Loop* loop = loop_of(statement);
        return dead.is(statement) || (loop && any_is_dead(loop->body, dead));
    });
}

Block alive(const Block& block, const Dead& dead) {
    Block result;
    for (const Statement& statement : block) {
        const Loop* loop = loop_of(statement);
        Statement made = loop ? lowering::with_body(statement, alive(loop->body, dead)) : statement;
        if (!dead.is(made)) result.push_back(std::move(made));
    }
    return result;
}

}  // namespace

LoopProgram without_dead_lines(LoopProgram program) {
    while (true) {
        const Dead dead(program);
        if (!any_is_dead(program.body, dead)) return program;
        program.body = alive(program.body, dead);
    }
}

}  // namespace blockscope
