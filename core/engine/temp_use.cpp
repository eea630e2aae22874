#include "core/engine/temp_use.h"

#include <algorithm>

namespace blockscope::engine {

namespace {

class Walk {
public:
    Walk(const LoopProgram& program, TempUses& uses) : program_(program), uses_(uses) {}

    void block(const Block& statements) {
        for (const Statement& statement : statements) std::visit(*this, statement.what);
    }

    void operator()(const Load& s) {
        double repeats = 1;
        for (const Loop* loop : nest_) {
            const bool indexed = std::any_of(s.at.begin(), s.at.end(), [&](const Index& index) {
                return !index.zero && index.var == loop->var;
            });
            const Dim& dim = program_.dims.at(loop->var.dim.value);
            if (!indexed) repeats *= static_cast<double>(dim.blocks() - loop->start);
        }
        uses_.loads.at(static_cast<std::size_t>(s.buffer)).push_back({&s, repeats});
    }
    void operator()(const Store& s) { plain(s.from); }
    void operator()(const Compute& s) { functional(s.op, s.args); }
    void operator()(const Evaluate& s) { plain(s.args); }
    void operator()(const Accumulate& s) {
        if (s.functional) return functional(s.op, s.args);
        plain(s.args);
    }
    void operator()(const Initialise&) {}
    void operator()(const Assign& s) { plain(s.from); }
    void operator()(const CallMisc& s) {
        for (const int buffer : s.outputs) uses_.misc.at(static_cast<std::size_t>(buffer)) = true;
        for (const int buffer : s.inputs) uses_.misc.at(static_cast<std::size_t>(buffer)) = true;
    }
    void operator()(const LoopPtr& loop) {
        nest_.push_back(loop.get());
        block(loop->body);
        nest_.pop_back();
    }

private:
    void need(Temp t, Form form) { uses_.needed.at(static_cast<std::size_t>(t.id)).at(form) = true; }
    void plain(Temp t) {
        if (t.id > 0) need(t, kPlain);
    }
    void plain(const std::vector<Temp>& temps) {
        for (const Temp t : temps) plain(t);
    }
    void functional(FunctionalOp op, const std::vector<Temp>& args) {
        if (op != FunctionalOp::Dot) return plain(args);
        need(args.at(0), kPlain);
        need(args.at(1), kTransposed);
        for (const Temp t : args) uses_.multiplied.at(static_cast<std::size_t>(t.id)) = true;
    }

    const LoopProgram& program_;
    TempUses& uses_;
    std::vector<const Loop*> nest_;
};

}  // namespace

TempUses::TempUses(const LoopProgram& program)
    : needed(static_cast<std::size_t>(program.temps) + 1),
      multiplied(needed.size()),
      loads(program.buffers.size()),
      misc(program.buffers.size()) {
    Walk(program, *this).block(program.body);
}

}  // namespace blockscope::engine
