// Arrays between the loops of one kernel in the fewest bits that casts beside them leave of their numbers.
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

// The element types of temporaries, of a kernel. A line's result has the widest type of its operands, unless
// it is a cast.
class ElemTypes {
public:
    ElemTypes(const LoopProgram& program, const Block& kernel) : program_(program) {
        for_each_statement(kernel, [this](const Statement& line) {
            const Temp made = uses_of(line).makes;
            if (made.id == 0) return;
            const auto [known, first] = types_.emplace(made.id, type_of(line));
            if (!first) known->second = std::nullopt;
        });
    }

    // None of what several lines make, or what is not known.
    std::optional<ElemType> of(Temp temp) const {
        const auto found = types_.find(temp.id);
        return found == types_.end() ? std::nullopt : found->second;
    }

private:
    std::optional<ElemType> type_of(const Statement& line) const {
        if (const auto* load = std::get_if<Load>(&line.what))
            return program_.buffers.at(static_cast<std::size_t>(load->buffer)).type.elem();
        const auto* made = std::get_if<Evaluate>(&line.what);
        if (made && made->cast) return made->cast;
        std::optional<ElemType> widest;
        for (const Temp temp : uses_of(line).reads) {
            const std::optional<ElemType> one = of(temp);
            if (!one) return std::nullopt;
            if (widest && *widest != *one && bytes_per_element(*widest) == bytes_per_element(*one))
                return std::nullopt;
            if (!widest || bytes_per_element(*widest) < bytes_per_element(*one)) widest = one;
        }
        return widest;
    }

    const LoopProgram& program_;
    std::map<int, std::optional<ElemType>> types_;
};

// An array that is to be narrow. Either what is stored was cast to more bits just before, and each load casts
// it again; or all that is loaded is cast to fewer bits, and the store casts it before.
struct NarrowArray {
    ElemType elem;
    std::optional<Temp> from;  // what was cast to more bits
    Statement cast;            // an Evaluate: at each load where `from` is given, else at the store
};

class Narrowing {
public:
    explicit Narrowing(LoopProgram program) : program_(std::move(program)) {}

    LoopProgram run() {
        for (std::size_t i = 0; i < program_.body.size(); ++i) {
            if (!lowering::loop_of(program_.body[i]) || !any_casts(program_.body[i])) continue;
            if (uses_.empty()) uses_ = lines_of(program_.body).uses;
            find_in(Block{program_.body[i]});
            if (narrow_.empty()) continue;
            for (const auto& [buffer, array] : narrow_) {
                Type& type = program_.buffers.at(at(buffer)).type;
                type = type.with_elem(array.elem);
            }
            const Statement kernel = program_.body[i];
            program_.body[i] = lowering::with_body(kernel, narrowed(lowering::loop_of(kernel)->body));
        }
        return std::move(program_);
    }

private:
    // A cast and nothing else; null of other lines.
    static const Evaluate* cast_of(const Statement& line) {
        const auto* made = std::get_if<Evaluate>(&line.what);
        const bool casts =
            made && made->cast && made->args.size() == 1 && std::holds_alternative<Arg>(made->expr->value);
        return casts ? made : nullptr;
    }

    static bool any_casts(const Statement& kernel) {
        bool any = false;
        for_each_statement(Block{kernel}, [&](const Statement& line) { any = any || cast_of(line); });
        return any;
    }

    // The lines of some of the program, by the buffers or temporaries that they are about.
    struct Lines {
        std::map<int, int> stores, uses;  // of buffers; uses are loads and stores
        std::map<int, std::vector<Temp>> loads;
        std::set<int> read_whole;  // by operators that know no single loads
        std::map<int, std::vector<const Statement*>> makers, readers;  // of temporaries
    };

    static Lines lines_of(const Block& block) {
        Lines lines;
        for_each_statement(block, [&](const Statement& line) {
            const StatementUses uses = uses_of(line);
            if (uses.makes.id > 0) lines.makers[uses.makes.id].push_back(&line);
            for (const Temp temp : uses.reads) lines.readers[temp.id].push_back(&line);
            if (const auto* load = std::get_if<Load>(&line.what)) {
                ++lines.uses[load->buffer];
                lines.loads[load->buffer].push_back(load->to);
            }
            for (const int buffer : stored_buffers(line)) {
                ++lines.uses[buffer];
                ++lines.stores[buffer];
            }
            if (const auto* call = std::get_if<CallMisc>(&line.what)) {
                lines.read_whole.insert(call->inputs.begin(), call->inputs.end());
                lines.read_whole.insert(call->outputs.begin(), call->outputs.end());
            }
        });
        return lines;
    }

    // Arrays that only this kernel knows, and that one line stores to.
    void find_in(const Block& kernel) {
        narrow_.clear();
        dropped_.clear();
        const Lines lines = lines_of(kernel);
        const ElemTypes types(program_, kernel);
        for_each_statement(kernel, [&](const Statement& line) {
            const auto* store = std::get_if<Store>(&line.what);
            if (!store || program_.buffers.at(at(store->buffer)).kind != Buffer::Kind::Intermediate) return;
            if (lines.uses.at(store->buffer) != uses_.at(store->buffer)) return;
            if (lines.stores.at(store->buffer) != 1 || lines.read_whole.count(store->buffer) > 0) return;
            // Generated kernels keep vectors and scalars in float32.
            if (program_.buffers.at(at(store->buffer)).type.item().kind != ItemKind::Block) return;
            std::optional<NarrowArray> found = cast_behind(store->buffer, lines);
            if (!found) found = cast_before(*store, lines, types);
            if (found) narrow_.emplace(store->buffer, *std::move(found));
        });
    }

    // All that is loaded is cast to the same type of fewer bits, and used for nothing else.
    std::optional<NarrowArray> cast_behind(int buffer, const Lines& lines) {
        const auto loads = lines.loads.find(buffer);
        if (loads == lines.loads.end()) return std::nullopt;
        std::optional<NarrowArray> found;
        std::vector<int> casts;
        for (const Temp loaded : loads->second) {
            const auto readers = lines.readers.find(loaded.id);
            if (readers == lines.readers.end() || readers->second.size() != 1) return std::nullopt;
            const Statement& line = *readers->second.front();
            const Evaluate* cast = cast_of(line);
            if (!cast || !made_once(loaded, lines) || !made_once(cast->to, lines)) return std::nullopt;
            if (found && found->elem != *cast->cast) return std::nullopt;
            if (!found) found = NarrowArray{.elem = *cast->cast, .from = std::nullopt, .cast = line};
            casts.push_back(loaded.id);
        }
        if (!narrower(found->elem, elem_of(buffer))) return std::nullopt;
        if (bytes_per_element(found->elem) == 1)
            for (const int loaded : casts)
                if (!products_alone_read(cast_of(*lines.readers.at(loaded).front())->to, lines))
                    return std::nullopt;
        for (std::size_t i = 0; i < casts.size(); ++i)
            dropped_.emplace(casts[i], cast_of(*lines.readers.at(casts[i]).front())->to);
        return found;
    }

    // What is stored was cast to more bits: it is stored in bf16, which has the range of float32, or in what
    // a cast or an array has rounded it to before. In f16 a sum may have no room, and 8 bits are for products
    // alone, which do not read what is cast again.
    std::optional<NarrowArray> cast_before(const Store& store, const Lines& lines,
                                           const ElemTypes& types) const {
        if (!made_once(store.from, lines)) return std::nullopt;
        const Statement& line = *lines.makers.at(store.from.id).front();
        const Evaluate* cast = cast_of(line);
        if (!cast || *cast->cast != elem_of(store.buffer) || !made_once(cast->args.front(), lines))
            return std::nullopt;
        const Temp from = cast->args.front();
        const std::optional<ElemType> elem = types.of(from);
        if (!elem || !narrower(*elem, *cast->cast) || bytes_per_element(*elem) == 1) return std::nullopt;
        const Statement& maker = *lines.makers.at(from.id).front();
        const auto* made = std::get_if<Evaluate>(&maker.what);
        const bool rounded = std::holds_alternative<Load>(maker.what) || (made && made->cast);
        if (!rounded && *elem != ElemType::BF16) return std::nullopt;
        return NarrowArray{.elem = *elem, .from = from, .cast = line};
    }

    // Generated kernels keep 8 bits only of what products read.
    static bool products_alone_read(Temp temp, const Lines& lines) {
        const auto readers = lines.readers.find(temp.id);
        if (readers == lines.readers.end()) return false;
        return std::all_of(readers->second.begin(), readers->second.end(),
                           [](const Statement* line) { return is_product(*line); });
    }
    static bool is_product(const Statement& line) {
        const auto* compute = std::get_if<Compute>(&line.what);
        if (compute) return compute->op == FunctionalOp::Dot;
        const auto* sum = std::get_if<Accumulate>(&line.what);
        return sum && sum->functional && sum->op == FunctionalOp::Dot;
    }

    static bool made_once(Temp temp, const Lines& lines) {
        const auto makers = lines.makers.find(temp.id);
        return makers != lines.makers.end() && makers->second.size() == 1;
    }
    static bool narrower(ElemType one, ElemType other) {
        return bytes_per_element(one) < bytes_per_element(other);
    }

    Block narrowed(const Block& lines) {
        Block result;
        for (const Statement& line : lines) {
            if (const Loop* loop = lowering::loop_of(line))
                result.push_back(lowering::with_body(line, narrowed(loop->body)));
            else if (const NarrowArray* array = array_of(line))
                at_edge(line, *array, result);
            else if (!is_dropped(line))
                result.push_back(line);
        }
        return result;
    }

    // That the line loads from or stores to; null if there is none.
    const NarrowArray* array_of(const Statement& line) const {
        const auto* load = std::get_if<Load>(&line.what);
        const auto* store = std::get_if<Store>(&line.what);
        if (!load && !store) return nullptr;
        const auto found = narrow_.find(load ? load->buffer : store->buffer);
        return found == narrow_.end() ? nullptr : &found->second;
    }

    // A cast of what was loaded in more bits, and is loaded as it has to be now.
    bool is_dropped(const Statement& line) const {
        const Evaluate* cast = cast_of(line);
        return cast && dropped_.count(cast->args.front().id) > 0;
    }

    void at_edge(const Statement& line, const NarrowArray& array, Block& result) {
        Statement moved = line;
        Statement cast = array.cast;
        auto& made = std::get<Evaluate>(cast.what);
        if (auto* load = std::get_if<Load>(&moved.what)) {
            if (!array.from) {
                load->to = dropped_.at(load->to.id);
                result.push_back(std::move(moved));
                return;
            }
            made.to = load->to;
            made.args = {load->to = Temp{++program_.temps}};
            result.push_back(std::move(moved));
            result.push_back(std::move(cast));
            return;
        }
        auto& store = std::get<Store>(moved.what);
        if (array.from) {
            store.from = *array.from;
        } else {
            made.args = {store.from};
            store.from = made.to = Temp{++program_.temps};
            result.push_back(std::move(cast));
        }
        result.push_back(std::move(moved));
    }

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }
    ElemType elem_of(int buffer) const { return program_.buffers.at(at(buffer)).type.elem(); }

    LoopProgram program_;
    std::map<int, int> uses_;            // of all buffers: loads and stores
    std::map<int, NarrowArray> narrow_;  // by buffer, of the present kernel
    std::map<int, Temp> dropped_;        // by what is loaded: what it is cast to
};

}  // namespace

LoopProgram with_narrow_arrays(LoopProgram program) {
    return Narrowing(std::move(program)).run();
}

}  // namespace blockscope
