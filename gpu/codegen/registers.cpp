#include "gpu/codegen/registers.h"

#include <algorithm>

#include "gpu/codegen/pressure.h"

namespace blockscope::gpu {

namespace {

constexpr int kRegisters = 65536;  // of a multiprocessor
constexpr int kMostOfThread = 255;
constexpr int kStep = 8;
constexpr int kOthers = 64;  // addresses, loop variables, sums of rows, operands of a product on their way

// Blocks that a product has made, or that follow from one: they stay in registers until they are used. What
// follows from loads alone is read as it is needed.
class FromProducts {
public:
    explicit FromProducts(const std::vector<const Statement*>& lines) {
        for (std::size_t before = 1;
             before != ids_.size();) {  // what an iteration hands on comes from later lines
            before = ids_.size();
            for (const Statement* line : lines) visit(*line);
        }
    }
    bool holds(Temp temp) const { return ids_.count(temp.id) > 0; }

private:
    void visit(const Statement& line) {
        if (const auto* loop = std::get_if<LoopPtr>(&line.what))
            for (const Statement& inner : (*loop)->body) visit(inner);
        bool from = operands_of(line).has_value();
        const std::vector<TempUse> uses = temps_of(line);
        for (const TempUse& use : uses) from = from || (!use.set && holds(use.temp));
        for (const TempUse& use : uses)
            if (use.set && from) ids_.insert(use.temp.id);
    }

    std::set<int> ids_;
};

}  // namespace

// A launch takes this for all its threads at first, and setmaxnreg moves no more than that: who asks for one
// register too many waits for ever.
Registers registers_of(int threads) {
    switch (threads) {
        case 256:
            return {24, 240};  // of 384 threads with 168 each
        case 384:
            return {32, 160};  // of 512 with 128
        case 512:
            return {24, 112};  // of 640 with 96
        default:
            return {};  // one group has as many as a thread can have
    }
}

int most_registers(int threads) {
    return std::min(kMostOfThread, kRegisters / std::max(threads, 1) / kStep * kStep);
}

int expected_registers(const Kernel& kernel, const Generation& generation, const Launch& launch) {
    const int most = most_registers(launch.threads);
    if (launch.threads > generation.threads && registers_of(generation.threads).consumer > 0) return most;
    std::vector<const Statement*> lines = kernel.before;
    lines.insert(lines.end(), kernel.body.begin(), kernel.body.end());
    const FromProducts made(lines);
    const std::int64_t alive = most_alive(lines, generation.program, [&](Temp temp) -> std::int64_t {
        const Value& value = generation.values.of(temp);
        if (value.kind != Value::Kind::Block || generation.delayed.count(temp.id) > 0) return 0;
        const std::int64_t size = full_size(value.extents.axes, generation.program.dims);
        if (made.holds(temp)) return size;
        return generation.products.from_registers(temp) ? size / 2 : 0;  // as pairs of 16 bits
    });
    const std::int64_t each = (alive + generation.threads - 1) / generation.threads;
    return static_cast<int>(std::min<std::int64_t>(most, each + kOthers));
}

}  // namespace blockscope::gpu
