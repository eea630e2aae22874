// Final numbers and names, by order of the text.
#include <set>
#include <string>

#include "core/loops/lowering.h"
#include "core/support/result.h"

namespace blockscope::lowering {

namespace {

class Numbering {
public:
    explicit Numbering(LoopProgram& program) : program_(program), buffer_(program.buffers.size(), -1) {}

    void run() {
        for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
            if (program_.buffers[i].kind == Buffer::Kind::Intermediate) continue;
            buffer_[i] = static_cast<int>(kept_.size());
            kept_.push_back(program_.buffers[i]);
        }
        find_stores(program_.body);
        program_.body = block(program_.body);
        program_.buffers = std::move(kept_);
        program_.temps = static_cast<int>(temp_.size());
        name_intermediates();
    }

private:
    void stored(int old) {
        if (buffer_[index_of(old)] >= 0) return;
        buffer_[index_of(old)] = static_cast<int>(kept_.size());
        kept_.push_back(program_.buffers[index_of(old)]);
    }

    void find_stores(const Block& block) {
        for (const Statement& statement : block) {
            if (const auto* store = std::get_if<Store>(&statement.what)) stored(store->buffer);
            if (const auto* misc = std::get_if<CallMisc>(&statement.what))
                for (const int output : misc->outputs) stored(output);
            if (const auto* loop = std::get_if<LoopPtr>(&statement.what)) find_stores((*loop)->body);
        }
    }

    Temp temp(Temp old) {
        if (old.id == 0) return old;
        const auto [place, added] = temp_.try_emplace(old.id, static_cast<int>(temp_.size()) + 1);
        return {place->second};
    }

    int buffer(int old) const {
        const int found = buffer_[index_of(old)];
        if (found < 0) throw InternalError("lowering: a buffer is read that nothing stores to");
        return found;
    }

    std::vector<Temp> all(std::vector<Temp> temps) {
        for (Temp& one : temps) one = temp(one);
        return temps;
    }

    Block block(const Block& old) {
        Block result;
        for (const Statement& statement : old)
            result.push_back({std::visit([&](const auto& what) { return line(what); }, statement.what),
                              statement.node, statement.value});
        return result;
    }

    // In the order in which the line names them.
    using Line = decltype(Statement::what);
    Line line(Load s) { return s.to = temp(s.to), s.buffer = buffer(s.buffer), s; }
    Line line(Store s) { return s.from = temp(s.from), s.buffer = buffer(s.buffer), s; }
    Line line(Compute s) { return s.to = temp(s.to), s.args = all(std::move(s.args)), s; }
    Line line(Evaluate s) { return s.to = temp(s.to), s.args = all(std::move(s.args)), s; }
    Line line(Accumulate s) { return s.to = temp(s.to), s.args = all(std::move(s.args)), s; }
    Line line(Initialise s) { return s.to = temp(s.to), s; }
    Line line(Assign s) { return s.to = temp(s.to), s.from = temp(s.from), s; }
    Line line(CallMisc s) {
        for (int& output : s.outputs) output = buffer(output);
        for (int& input : s.inputs) input = buffer(input);
        return s;
    }
    Line line(const LoopPtr& loop) {
        return std::make_shared<const Loop>(
            Loop{loop->var, loop->start, loop->serial, loop->node, block(loop->body)});
    }

    void name_intermediates() {
        std::set<std::string> taken;
        for (const Buffer& buffer : program_.buffers) taken.insert(buffer.name);
        for (const Dim& dim : program_.dims) taken.insert(dim.name);
        int number = 0;
        for (Buffer& buffer : program_.buffers) {
            if (buffer.kind != Buffer::Kind::Intermediate) continue;
            do buffer.name = "I" + std::to_string(++number);
            while (taken.count(buffer.name) > 0);
        }
    }

    LoopProgram& program_;
    std::vector<Buffer> kept_;
    std::vector<int> buffer_;  // old -> new
    std::map<int, int> temp_;  // old -> new
};

}  // namespace

void number(LoopProgram& program) {
    Numbering(program).run();
}

}  // namespace blockscope::lowering
