#include "core/cost/lifetime.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include "core/loops/loop_program.h"

namespace blockscope {

std::size_t hoisted_depth(const LoopProgram& program, const Nest& nest, const Load& load) {
    std::size_t depth = nest.size();
    for (; depth > 0; --depth) {
        const Loop& loop = *nest[depth - 1];
        if (lowering::stores_to(loop.body, load.buffer)) break;
        if (program.dims.at(loop.var.dim.value).blocks() == 1) continue;
        const bool indexed = std::any_of(load.at.begin(), load.at.end(), [&](const Index& index) {
            return !index.zero && index.var == loop.var;
        });
        if (indexed || !loop.serial) break;
    }
    return depth;
}

namespace {

// Temporaries by number, 64 to a word: sets are joined for every line of every loop around it. Only the words
// from the first temporary to the last are there, as those that are alive together have numbers close to one
// another.
class TempSet {
public:
    bool has(Temp t) const { return (word(word_of(t)) >> bit_of(t) & 1U) != 0; }
    void insert(Temp t) {
        cover(word_of(t), word_of(t) + 1);
        words_[word_of(t) - first_] |= std::uint64_t{1} << bit_of(t);
    }
    void insert(const TempSet& more) { insert_without(more, {}); }
    void insert_without(const TempSet& more, const TempSet& those) {
        if (more.words_.empty()) return;
        cover(more.first_, more.end());
        for (std::size_t i = more.first_; i < more.end(); ++i)
            words_[i - first_] |= more.word(i) & ~those.word(i);
        trim();
    }
    void remove(const TempSet& those) {
        for (std::size_t i = first_; i < end(); ++i) words_[i - first_] &= ~those.word(i);
        trim();
    }

    std::vector<Temp> listed() const {
        std::vector<Temp> temps;
        for (std::size_t i = first_; i < end(); ++i)
            for (std::uint64_t left = word(i); left != 0; left &= left - 1)
                temps.push_back({static_cast<int>(i * kBits) + std::countr_zero(left)});
        return temps;
    }

private:
    static constexpr std::size_t kBits = 64;
    static std::size_t word_of(Temp t) { return static_cast<std::size_t>(t.id) / kBits; }
    static std::size_t bit_of(Temp t) { return static_cast<std::size_t>(t.id) % kBits; }

    std::size_t end() const { return first_ + words_.size(); }
    std::uint64_t word(std::size_t i) const { return i < first_ || i >= end() ? 0 : words_[i - first_]; }

    // Room for the words [first, last).
    void cover(std::size_t first, std::size_t last) {
        if (words_.empty()) first_ = first;
        if (first < first_) {
            words_.insert(words_.begin(), first_ - first, 0);
            first_ = first;
        }
        if (last > end()) words_.resize(last - first_, 0);
    }
    void trim() {
        while (!words_.empty() && words_.back() == 0) words_.pop_back();
        const auto used = std::find_if(words_.begin(), words_.end(), [](std::uint64_t w) { return w != 0; });
        first_ += static_cast<std::size_t>(used - words_.begin());
        words_.erase(words_.begin(), used);
    }

    std::size_t first_ = 0;  // number of words_[0]
    std::vector<std::uint64_t> words_;
};

int number_of_lines(const Block& block) {
    int lines = 0;
    for (const Statement& statement : block) lines += lines_of(statement);
    return lines;
}

// What a statement needs from before it, and what it makes.
struct Effect {
    TempSet reads;
    TempSet makes;

    // What is needed before the statement if `after` is needed behind it.
    TempSet before(const TempSet& after) const {
        TempSet needed = reads;
        needed.insert_without(after, makes);
        return needed;
    }
};

// Lines from the last to the first, each with what is needed behind it.
class Lives {
public:
    Lives(const LoopProgram& program, LoadPlacement placement) : program_(program), placement_(placement) {
        Nest nest;
        find_entered(program.body, nest);
    }

    std::vector<LiveSet> run() {
        sets_.resize(static_cast<std::size_t>(number_of_lines(program_.body)));
        block(program_.body, {}, number_of_lines(program_.body));
        return std::move(sets_);
    }

    // ---- what a line reads and makes; of a loop, all of its iterations together

    Effect of(const Statement& statement) const {
        if (const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what)) return of(**loop);
        const Load* load = std::get_if<Load>(&statement.what);
        if (load && hoisted_.has(load->to)) return {};
        const StatementUses uses = uses_of(statement);
        Effect made;
        for (const Temp t : uses.reads) made.reads.insert(t);
        if (uses.adds) made.reads.insert(uses.makes);
        if (uses.makes.id > 0) made.makes.insert(uses.makes);
        return made;
    }
    Effect of(const Loop& loop) const {
        Effect all = iterations(loop) > 0 ? effect_of_body(loop) : Effect{};
        const TempSet first = entered(loop);
        all.reads.remove(first);
        all.makes.insert(first);
        return all;
    }

private:
    std::int64_t iterations(const Loop& loop) const {
        return program_.dims.at(loop.var.dim.value).blocks() - loop.start;
    }

    // One iteration; asked for again by every loop around, so kept.
    const Effect& effect_of_body(const Loop& loop) const {
        const auto known = bodies_.find(&loop);
        if (known != bodies_.end()) return known->second;
        Effect all;
        for (std::size_t i = loop.body.size(); i-- > 0;) {
            const Effect one = of(loop.body[i]);
            all.reads = one.before(all.reads);
            all.makes.insert(one.makes);
        }
        return bodies_.emplace(&loop, std::move(all)).first->second;
    }

    // ---- what is made on entry to a loop: sums (zero), and loads that are moved out of others

    void find_entered(const Block& statements, Nest& nest) {
        for (const Statement& statement : statements) {
            if (const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what)) {
                nest.push_back(loop->get());
                find_entered((*loop)->body, nest);
                nest.pop_back();
            } else if (const Accumulate* sum = std::get_if<Accumulate>(&statement.what)) {
                if (!nest.empty()) entered_[nest.back()].push_back(sum->to);
            } else if (const Load* load = std::get_if<Load>(&statement.what)) {
                if (placement_ == LoadPlacement::Hoisted) hoist(*load, nest);
            }
        }
    }
    void hoist(const Load& load, const Nest& nest) {
        const std::size_t depth = hoisted_depth(program_, nest, load);
        if (depth == nest.size()) return;
        entered_[nest[depth]].push_back(load.to);
        hoisted_.insert(load.to);
    }
    TempSet entered(const Loop& loop) const {
        const auto found = entered_.find(&loop);
        TempSet made;
        if (found != entered_.end())
            for (const Temp t : found->second) made.insert(t);
        return made;
    }

    // ---- lines

    // `after` is needed behind the statements, the last of which ends before line `end`.
    void block(const Block& statements, TempSet after, int end) {
        for (std::size_t i = statements.size(); i-- > 0;) {
            const Statement& statement = statements[i];
            const Effect whole = of(statement);
            const TempSet before = whole.before(after);
            TempSet alive = before;
            if (const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what)) {
                iterate(**loop, after, end);
                end -= number_of_lines((*loop)->body);
                alive.insert(entered(**loop));
            } else {
                alive.insert(whole.makes);
            }
            --end;
            sets_[static_cast<std::size_t>(end)] = {statement.node, end, alive.listed(), before.listed()};
            after = before;
        }
    }

    // Behind an iteration the next one's needs are alive, behind the last those of what follows the loop. Of
    // a loop that never runs the lines hold what is kept across it.
    void iterate(const Loop& loop, TempSet after, int end) {
        if (iterations(loop) > 1) after.insert(effect_of_body(loop).before(after));
        if (iterations(loop) > 0) return block(loop.body, std::move(after), end);
        skip(loop.body, after.listed(), end);
    }
    void skip(const Block& statements, const std::vector<Temp>& kept, int end) {
        for (std::size_t i = statements.size(); i-- > 0;) {
            if (const LoopPtr* loop = std::get_if<LoopPtr>(&statements[i].what)) {
                skip((*loop)->body, kept, end);
                end -= number_of_lines((*loop)->body);
            }
            --end;
            sets_[static_cast<std::size_t>(end)] = {statements[i].node, end, kept, kept};
        }
    }

    const LoopProgram& program_;
    LoadPlacement placement_;
    TempSet hoisted_;  // loads that are made on entry to a loop
    std::map<const Loop*, std::vector<Temp>> entered_;
    mutable std::map<const Loop*, Effect> bodies_;
    std::vector<LiveSet> sets_;
};

}  // namespace

int lines_of(const Statement& statement) {
    const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what);
    return loop ? 1 + number_of_lines((*loop)->body) : 1;
}

std::vector<LiveSet> live_sets(const LoopProgram& program, LoadPlacement placement) {
    return Lives(program, placement).run();
}

namespace {

// By temporary: whether a block product has made it, or it follows from one that a product made.
std::vector<bool> made_by_products(const LoopProgram& program) {
    std::vector<bool> made(static_cast<std::size_t>(program.temps) + 1, false);
    const auto is_product = [](const Statement& s) {
        if (const auto* compute = std::get_if<Compute>(&s.what)) return compute->op == FunctionalOp::Dot;
        const auto* sum = std::get_if<Accumulate>(&s.what);
        return sum && sum->functional && sum->op == FunctionalOp::Dot;
    };
    // What an iteration hands on to the next comes from later lines: until nothing is new.
    for (bool found = true; found;) {
        found = false;
        for_each_statement(program.body, [&](const Statement& s) {
            const StatementUses uses = uses_of(s);
            if (uses.makes.id == 0 || made[static_cast<std::size_t>(uses.makes.id)]) return;
            const bool follows = std::any_of(uses.reads.begin(), uses.reads.end(), [&](Temp read) {
                return made[static_cast<std::size_t>(read.id)];
            });
            if (!is_product(s) && !follows) return;
            made[static_cast<std::size_t>(uses.makes.id)] = found = true;
        });
    }
    return made;
}

constexpr int kAccumulatorBytes = 4;  // float32

}  // namespace

std::vector<LocalMemory> local_memory(const LoopProgram& program, const TempExtents& extents) {
    std::vector<LocalMemory> all;
    for (LiveSet& set : live_sets(program, LoadPlacement::AsListed)) {
        LocalMemory& memory = all.emplace_back();
        memory.node = set.node;
        memory.line = set.line;
        memory.alive = std::move(set.alive);
        memory.before = std::move(set.before);
    }
    set_sizes(all, program, extents);
    return all;
}

void set_sizes(std::vector<LocalMemory>& alive, const LoopProgram& program, const TempExtents& extents) {
    const std::vector<bool> made = made_by_products(program);
    // Of every temporary once: most are alive in many lines.
    std::vector<std::int64_t> values(static_cast<std::size_t>(program.temps) + 1, 1);
    for (int id = 1; id <= program.temps; ++id)
        for (const Factor& factor : largest_size(extents.of({id}).axes, program.dims)) {
            std::int64_t& product = values[static_cast<std::size_t>(id)];
            product = saturating_multiply(product, value(factor, program.dims));
        }
    for (LocalMemory& memory : alive) {
        memory.values = memory.bytes = memory.registers = memory.tiles = 0;
        for (const Temp temp : memory.alive) {
            const std::int64_t size = values[static_cast<std::size_t>(temp.id)];
            const int bytes = bytes_per_element(extents.of(temp).elem);
            memory.values = saturating_add(memory.values, size);
            memory.bytes = saturating_add(memory.bytes, saturating_multiply(size, bytes));
        }
        for (const Temp temp : memory.before) {
            const auto at = static_cast<std::size_t>(temp.id);
            const int bytes = made[at] ? kAccumulatorBytes : bytes_per_element(extents.of(temp).elem);
            std::int64_t& place = made[at] ? memory.registers : memory.tiles;
            place = saturating_add(place, saturating_multiply(values[at], bytes));
        }
    }
}

std::int64_t most_of(const std::vector<LocalMemory>& alive, std::int64_t LocalMemory::*place) {
    std::int64_t most = 0;
    for (const LocalMemory& line : alive) most = std::max(most, line.*place);
    return most;
}

LocalMemory largest_of(const std::vector<LocalMemory>& alive) {
    const LocalMemory* largest = nullptr;
    for (const LocalMemory& memory : alive)
        if (memory.values > (largest ? largest->values : 0)) largest = &memory;
    return largest ? *largest : LocalMemory{};
}

void ValueLives::set(int temp, std::int64_t size) {
    Life& life = open_[static_cast<std::size_t>(temp)];
    if (life.unshaped) {
        life.size = std::max(life.size, size);
        life.unshaped = false;
    }
    // Read by the statement that sets it: in place.
    if (life.first >= 0 && life.last == time_) return grow(temp, size);
    end(life);
    life = {time_, time_, size, false};
}

void ValueLives::set_unshaped(int temp) {
    set(temp, 1);
    open_[static_cast<std::size_t>(temp)].unshaped = true;
}

void ValueLives::grow(int temp, std::int64_t size) {
    Life& life = open_[static_cast<std::size_t>(temp)];
    life.last = time_;
    life.size = std::max(life.size, size);
}

void ValueLives::end(Life& life) {
    if (life.first < 0) return;
    changes_.resize(static_cast<std::size_t>(time_) + 2, 0);
    changes_[static_cast<std::size_t>(life.first)] += life.size;
    changes_[static_cast<std::size_t>(life.last) + 1] -= life.size;
    life.first = -1;
}

std::int64_t ValueLives::most() {
    for (Life& life : open_) end(life);
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (const std::int64_t change : changes_) most = std::max(most, alive += change);
    return most;
}

}  // namespace blockscope
