#include "gpu/codegen/check.h"

#include <algorithm>

#include "core/graph/expr.h"
#include "gpu/codegen/products.h"

namespace blockscope::gpu {

namespace {

constexpr std::int64_t kMostPerThread =
    1024;                                  // float numbers of one block; four times the registers there are
constexpr int kLargestExpression = 20000;  // operators, shared parts counted each time

std::int64_t padded_size(std::int64_t extent, std::int64_t to) {
    return (extent + to - 1) / to * to;
}

class Checker {
public:
    Checker(const Generation& generation, int threads) : generation_(generation), threads_(threads) {}

    Problems run() {
        for_each_statement(generation_.program.body, [&](const Statement& statement) { check(statement); });
        return std::move(problems_);
    }

private:
    std::int64_t length(Temp temp, std::size_t axis) const {
        const Extent& extent = generation_.values.of(temp).extents.axes.at(axis);
        return generation_.program.dims.at(extent.dim.value).block_size(0);
    }

    void report(const Statement& at, const Text& why) {
        const std::string& text = generation_.listing.at(&at);
        problems_.push_back({{},
                             Text("no CUDA for `%1` (%2): %3", text.substr(text.find_first_not_of(' ')),
                                  to_string(at.node), why)});
    }

    void check(const Statement& at) {
        for (const TempUse& use : temps_of(at))
            if (use.set) check_value(at, use.temp);
        if (const auto* misc = std::get_if<CallMisc>(&at.what)) check_misc(at, *misc);
        if (const auto* compute = std::get_if<Compute>(&at.what))
            check_operator(at, compute->op, compute->args);
        if (const auto* add = std::get_if<Accumulate>(&at.what))
            if (add->functional) check_operator(at, add->op, add->args);
        if (const auto* evaluate = std::get_if<Evaluate>(&at.what))
            if (tree_size(*evaluate->expr, kLargestExpression) >= kLargestExpression)
                report(at, Text("the expression has more than %1 operators", kLargestExpression));
    }

    void check_value(const Statement& at, Temp temp) {
        const Value& value = generation_.values.of(temp);
        const std::string name = "t" + std::to_string(temp.id);
        if (value.kind == Value::Kind::Unknown)
            return report(at, Text("nothing tells how large %1 is", name));
        if (value.kind != Value::Kind::Block || !value.in_registers) return;
        const std::int64_t rows = length(temp, 0);
        const std::int64_t cols = length(temp, 1);
        if (rows * cols / threads_ <= kMostPerThread) return;
        report(at, Text("%1 has %2 x %3 numbers, %4 for each of %5 threads, and a thread holds %6; smaller "
                        "blocks of these dimensions would fit",
                        name, rows, cols, rows * cols / threads_, threads_, kMostPerThread));
    }

    void check_misc(const Statement& at, const CallMisc& misc) {
        if (misc.name != "transpose")
            report(at,
                   Text("the operator is not one of Blockscope's, so that nobody knows what it computes"));
    }

    void check_operator(const Statement& at, FunctionalOp op, const std::vector<Temp>& args) {
        if (op != FunctionalOp::Dot) return;
        for (const Temp temp : args)
            if (generation_.values.of(temp).kind != Value::Kind::Block) return;
        if (generation_.products.of(at) != Arithmetic::Float32) return;
        const bool tensors = generation_.products.any_by_tensor_cores();
        const std::int64_t rows = padded_size(length(args.at(0), 0), tensors ? threads_ / 2 : threads_ / 16) +
                                  padded_size(length(args.at(1), 0), tensors ? 8 : 16);
        constexpr std::int64_t kMost = kPanelBytes / 4 / 8;
        if (rows > kMost)
            report(at, Text("its operands have %1 rows, and shared memory has room for %2", rows, kMost));
    }

    const Generation& generation_;
    int threads_;
    Problems problems_;
};

std::int64_t most_rows(const LoopProgram& program, const Values& values) {
    std::int64_t rows = 16;
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        if (value.kind != Value::Kind::Block) continue;
        rows = std::max(rows, program.dims.at(value.extents.axes.at(0).dim.value).block_size(0));
    }
    return rows;
}

}  // namespace

int threads_for(const LoopProgram& program, const Values& values) {
    constexpr std::int64_t kMedium = 24 * std::int64_t{24};
    constexpr std::int64_t kLarge = 48 * std::int64_t{48};
    std::int64_t largest = 0;
    for (int id = 1; id <= program.temps; ++id) {
        const Value& value = values.of({id});
        if (value.kind == Value::Kind::Block && value.in_registers)
            largest = std::max(largest, full_size(value.extents.axes, program.dims));
    }
    return largest > kLarge ? 256 : largest > kMedium ? 128 : 64;
}

int threads_for_tensor_cores(const LoopProgram& program, const Values& values, const Products& products) {
    constexpr std::int64_t kNumbers = 160;  // of blocks, of the 255 registers that a thread has
    const std::int64_t rows = most_rows(program, values);
    const std::int64_t most =
        most_numbers_alive(program, values, products, delayed_products(program, products));
    std::int64_t warps = std::min<std::int64_t>(4, (rows + 15) / 16);
    while (warps < 16 && warps * 16 < rows && most / (warps * 32) > kNumbers) warps *= 2;
    return static_cast<int>(warps * 32);
}

// Two groups have the most registers each; more of them where rows make three, or where those do not suffice.
int threads_for_warpgroups(const LoopProgram& program, const Values& values, const Products& products) {
    constexpr std::int64_t kNumbers = 208;  // of blocks, of the 240 registers that a thread has
    constexpr std::int64_t kThreads = 256;  // of two groups
    const std::int64_t strips = (most_rows(program, values) + 63) / 64;
    const std::int64_t most =
        most_numbers_alive(program, values, products, delayed_products(program, products));
    std::int64_t groups = strips == 3 ? 3 : std::min<std::int64_t>(2, strips);
    if (groups == 2 && strips > 2 && most / kThreads > kNumbers) groups = 4;
    return static_cast<int>(groups * 128);
}

std::vector<int> thread_choices(const LoopProgram& program, Target target) {
    constexpr double kMostNumbers = 1.2 * 255;  // of a thread; the estimate is rough
    const Values values(program);
    ProductRules rules;
    rules.tensor_cores = has_tensor_cores(target);
    const Products products(program, values, {}, rules);
    if (!products.any_by_tensor_cores()) return {64, 128, 256};
    const auto alive = static_cast<double>(
        most_numbers_alive(program, values, products, delayed_products(program, products)));
    const std::int64_t rows = most_rows(program, values);
    const int step = has_warpgroups(target) ? 128 : 32;  // threads that take so many rows at once:
    const std::int64_t at_once = step / 2;
    std::vector<int> choices;
    for (const int many : {1, 2, 3, 4, 8, 16}) {
        const int threads = many * step;
        const bool odd = many == 3 && !has_warpgroups(target);
        if (odd || threads < 64 || threads > 512 || alive / threads > kMostNumbers) continue;
        if (many > 1 && (many - 1) * at_once >= rows) continue;
        choices.push_back(threads);
    }
    return choices;
}

Problems find_large_kernels(const Generation& generation, const TilePlan& tiles, Target target) {
    if (tiles.shared_bytes() <= shared_limit(target)) return {};
    const Text room = Text(
        "%1 KiB of shared memory, and a thread block of %2 has %3 KiB; smaller blocks of these dimensions "
        "would fit",
        (tiles.shared_bytes() + 1023) / 1024, to_string(target), shared_limit(target) / 1024);
    const TileSlot* largest = tiles.largest();
    if (!largest) return {{{}, Text("no CUDA for vectors that take %1", room)}};
    const std::string text = generation.listing.at(largest->at);
    return {{{},
             Text("no CUDA for `%1` (%2): operands of products in this kernel take %3",
                  text.substr(text.find_first_not_of(' ')), to_string(largest->at->node), room)}};
}

Problems find_problems(const Generation& generation, int threads) {
    return Checker(generation, threads).run();
}

}  // namespace blockscope::gpu
