// Casts that are done again where their results would be loaded again.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/loops/built_loops.h"
#include "core/loops/loop_program.h"

namespace blockscope {

namespace {

// An intermediate that is an input in float32: what is loaded and cast for it, and where it is stored.
struct WidenedInput {
    Load load;
    Statement cast;  // an Evaluate
    std::vector<Index> stored_at;
};

class Repeating {
public:
    explicit Repeating(LoopProgram program) : program_(std::move(program)) {}

    // Kernels without such a cast, which most are, are looked at once. What is found in one kernel is about
    // arrays that no other knows, so that the lines of the whole program are counted once, too.
    LoopProgram run() {
        for (std::size_t i = 0; i < program_.body.size(); ++i) {
            if (!any_widens(program_.body[i])) continue;
            if (makers_.empty()) {
                makers_ = lowering::makers(program_);
                uses_ = lines_of(program_.body).uses;
            }
            find_in(i);
            if (widened_.empty()) continue;
            const Statement& kernel = program_.body[i];
            if (const Loop* loop = lowering::loop_of(kernel))
                program_.body[i] = lowering::with_body(kernel, repeated(loop->body));
        }
        return std::move(program_);
    }

private:
    static bool widens(const Statement& line) {
        const auto* made = std::get_if<Evaluate>(&line.what);
        return made && made->cast == ElemType::F32 && std::holds_alternative<Arg>(made->expr->value) &&
               made->args.size() == 1;
    }

    static bool any_widens(const Statement& kernel) {
        bool any = false;
        for_each_statement(Block{kernel}, [&](const Statement& line) { any = any || widens(line); });
        return any;
    }

    // The lines of some of the program, by the buffers or temporaries that they are about.
    struct Lines {
        std::map<int, int> stores, uses;  // loads and stores
        std::map<int, const Load*> loads;
        std::map<int, const Statement*> casts;
        std::set<int> read_whole;  // by operators that know no single loads
    };

    static Lines lines_of(const Block& block) {
        Lines lines;
        for_each_statement(block, [&](const Statement& line) {
            if (widens(line)) lines.casts[std::get<Evaluate>(line.what).to.id] = &line;
            if (const auto* load = std::get_if<Load>(&line.what)) {
                ++lines.uses[load->buffer];
                lines.loads[load->to.id] = load;
            }
            if (const auto* store = std::get_if<Store>(&line.what)) {
                ++lines.uses[store->buffer];
                ++lines.stores[store->buffer];
            }
            if (const auto* call = std::get_if<CallMisc>(&line.what))
                lines.read_whole.insert(call->inputs.begin(), call->inputs.end());
        });
        return lines;
    }

    // The widened inputs that only this kernel knows.
    void find_in(std::size_t kernel) {
        widened_.clear();
        const Block one{program_.body[kernel]};
        const Lines here = lines_of(one);
        for_each_statement(one, [&](const Statement& line) {
            const auto* store = std::get_if<Store>(&line.what);
            if (!store || here.uses.at(store->buffer) != uses_.at(store->buffer)) return;
            if (std::optional<WidenedInput> found = widened(*store, here))
                widened_.emplace(store->buffer, *std::move(found));
        });
    }

    std::optional<WidenedInput> widened(const Store& store, const Lines& lines) const {
        if (buffer(store.buffer).kind != Buffer::Kind::Intermediate) return std::nullopt;
        if (lines.stores.at(store.buffer) != 1 || lines.read_whole.count(store.buffer) > 0)
            return std::nullopt;
        const auto cast = lines.casts.find(store.from.id);
        if (cast == lines.casts.end() || makers_[at(store.from.id)] != 1) return std::nullopt;
        const Temp from = std::get<Evaluate>(cast->second->what).args.front();
        const auto load = lines.loads.find(from.id);
        if (load == lines.loads.end() || makers_[at(from.id)] != 1) return std::nullopt;
        const Buffer& input = buffer(load->second->buffer);
        if (input.kind != Buffer::Kind::Input || input.source != InputSource::Array) return std::nullopt;
        WidenedInput found{*load->second, *cast->second, store.at};
        const bool known = std::all_of(found.load.at.begin(), found.load.at.end(),
                                       [&](const Index& index) { return index.zero || place(found, index); });
        return known ? std::optional(std::move(found)) : std::nullopt;
    }

    static std::optional<std::size_t> place(const WidenedInput& widened, const Index& index) {
        const auto found = std::find(widened.stored_at.begin(), widened.stored_at.end(), index);
        if (found == widened.stored_at.end()) return std::nullopt;
        return static_cast<std::size_t>(found - widened.stored_at.begin());
    }

    Block repeated(const Block& lines) {
        Block result;
        for (const Statement& line : lines) {
            if (const Loop* loop = lowering::loop_of(line)) {
                result.push_back(lowering::with_body(line, repeated(loop->body)));
                continue;
            }
            const auto* load = std::get_if<Load>(&line.what);
            const auto widened = load ? widened_.find(load->buffer) : widened_.end();
            if (widened == widened_.end())
                result.push_back(line);
            else
                repeat(widened->second, line, *load, result);
        }
        return result;
    }

    // t6 = load(I1[m,d]) becomes t7 = load(X[m,d]), t6 = f32(t7).
    void repeat(const WidenedInput& widened, const Statement& line, const Load& load, Block& result) {
        Load again = widened.load;
        again.to = Temp{++program_.temps};
        for (Index& index : again.at)
            if (!index.zero) index = load.at[*place(widened, index)];
        Statement cast = widened.cast;
        auto& made = std::get<Evaluate>(cast.what);
        made.to = load.to;
        made.args = {again.to};
        Statement loaded = line;
        loaded.what = std::move(again);
        result.push_back(std::move(loaded));
        result.push_back(std::move(cast));
    }

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }
    const Buffer& buffer(int number) const { return program_.buffers.at(at(number)); }

    LoopProgram program_;
    std::vector<int> makers_;              // how many lines make each temporary
    std::map<int, int> uses_;              // of all buffers: loads and stores
    std::map<int, WidenedInput> widened_;  // by intermediate, of the present kernel
};

}  // namespace

LoopProgram with_casts_repeated(LoopProgram program) {
    return Repeating(std::move(program)).run();
}

}  // namespace blockscope
