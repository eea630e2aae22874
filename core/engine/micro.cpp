#include "core/engine/micro.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "core/algebra/search.h"
#include "core/cost/counts.h"
#include "core/engine/cpu_program.h"
#include "core/engine/executor.h"
#include "core/engine/worker.h"
#include "core/loops/built_loops.h"
#include "core/measure/sampling.h"
#include "core/support/index.h"

namespace blockscope {

using engine::Matmul;
using engine::MatmulShape;
using engine::Memory;
using engine::Pool;
using engine::simd;

namespace {

constexpr int kSamples = 15;
constexpr int kFloatBytes = static_cast<int>(sizeof(float));

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::atomic<float> kept{0};

// So that no compiler leaves out what makes `value`.
void keep(float value) {
    kept.store(value, std::memory_order_relaxed);
}

using Work = std::function<void(std::int64_t repeats, int thread)>;

enum class Unit : std::uint8_t { PerSecond, Seconds };

// Runs `work` on all threads. One repeat does `amount`: how many of it in a second, or how long one takes.
Measured sample(Pool& pool, double seconds, const Work& work, double amount, Unit unit = Unit::PerSecond) {
    struct Context {
        const Work* work;
        std::int64_t repeats;
    } context{&work, 1};
    const auto once = [&] {
        const double start = now();
        pool.run(
            [](void* data, int thread) {
                const Context& c = *static_cast<const Context*>(data);
                (*c.work)(c.repeats, thread);
            },
            &context);
        return now() - start;
    };
    const Pool::Place place(pool);
    once();  // warm up
    while (once() < seconds / (2 * kSamples) && context.repeats < (std::int64_t{1} << 40))
        context.repeats *= 2;
    std::vector<double> values;
    const bool rate = unit == Unit::PerSecond;
    for (int i = 0; i < kSamples; ++i) {
        const double each = once() / (static_cast<double>(context.repeats) * amount);
        values.push_back(rate ? 1 / each : each);
    }
    const measure::Summary summary = measure::summarize(std::move(values));
    return {.best = rate ? summary.max : summary.min,
            .median = summary.median,
            .low = summary.q1,
            .high = summary.q3,
            .samples = summary.count};
}

std::vector<Memory> arrays(int threads, std::int64_t floats, float value) {
    std::vector<Memory> result;
    for (int i = 0; i < threads; ++i) {
        result.emplace_back(floats * kFloatBytes);
        std::fill_n(result.back().floats(), floats, value);
    }
    return result;
}

// Of two blocks.
engine::SimdTable::Binary binary_microkernel(engine::Op op) {
    return simd().binary[static_cast<int>(op)][0][0];
}

}  // namespace

Measured measure_read(std::int64_t bytes, const MicroOptions& options) {
    Pool pool(options.threads);
    const std::int64_t floats = std::max<std::int64_t>(bytes / kFloatBytes, 256);
    const std::vector<Memory> from = arrays(options.threads, floats, 1);
    const Work work = [&](std::int64_t repeats, int thread) {
        float sum = 0;
        for (std::int64_t i = 0; i < repeats; ++i) sum += simd().read(from[at(thread)].floats(), floats);
        keep(sum);
    };
    return sample(pool, options.seconds, work,
                  static_cast<double>(kFloatBytes * options.threads) * static_cast<double>(floats));
}

Measured measure_copy(std::int64_t bytes, const MicroOptions& options) {
    Pool pool(options.threads);
    const std::int64_t floats = std::max<std::int64_t>(bytes / 2 / kFloatBytes, 256);
    const std::vector<Memory> from = arrays(options.threads, floats, 1);
    const std::vector<Memory> to = arrays(options.threads, floats, 0);
    const Work work = [&](std::int64_t repeats, int thread) {
        for (std::int64_t i = 0; i < repeats; ++i) {
            const auto row = static_cast<int>(std::min<std::int64_t>(floats, 4096));
            const auto rows = static_cast<int>(floats / row);
            simd().unary[static_cast<int>(engine::Op::Copy)]({to[at(thread)].floats(), row, rows, row},
                                                             {from[at(thread)].floats(), row, false});
        }
        keep(to[at(thread)].floats()[0]);
    };
    return sample(pool, options.seconds, work,
                  static_cast<double>(2 * kFloatBytes * options.threads) * static_cast<double>(floats));
}

Measured measure_fma(const MicroOptions& options) {
    Pool pool(options.threads);
    const Work work = [](std::int64_t repeats, int) { keep(simd().fma(1000 * repeats)); };
    const double operations = 2.0 * 1000 * simd().fma_width * options.threads;
    return sample(pool, options.seconds, work, operations);
}

Measured measure_exp(const MicroOptions& options) {
    constexpr int kNumbers = 4096;
    Pool pool(options.threads);
    const std::vector<Memory> from = arrays(options.threads, kNumbers, -1.5F);
    const std::vector<Memory> to = arrays(options.threads, kNumbers, 0);
    const Work work = [&](std::int64_t repeats, int thread) {
        for (std::int64_t i = 0; i < repeats; ++i)
            simd().unary[static_cast<int>(engine::op_of(Fn::Exp))](
                {to[at(thread)].floats(), kNumbers, 1, kNumbers},
                {from[at(thread)].floats(), kNumbers, false});
        keep(to[at(thread)].floats()[0]);
    };
    return sample(pool, options.seconds, work, static_cast<double>(options.threads) * kNumbers);
}

Measured measure_pass(PassKind kind, int rows, int cols, const MicroOptions& options) {
    using engine::op_of;
    if (kind == PassKind::Opaque) return {};
    const std::int64_t floats = std::int64_t{rows} * cols;
    Pool pool(options.threads);
    const std::vector<Memory> from = arrays(options.threads, floats, 0.75F);
    const std::vector<Memory> to = arrays(options.threads, floats, 0);
    const engine::SimdTable& k = simd();
    const Work work = [&](std::int64_t repeats, int thread) {
        const float* in = from[at(thread)].floats();
        float* out = to[at(thread)].floats();
        const engine::Operand a{in, cols, false};
        for (std::int64_t i = 0; i < repeats; ++i) switch (kind) {
                case PassKind::Simple:
                    binary_microkernel(op_of(Fn::Mul))({out, cols, rows, cols}, a, a);
                    break;
                case PassKind::Divide:
                    binary_microkernel(op_of(Fn::Div))({out, cols, rows, cols}, a, a);
                    break;
                case PassKind::Exp:
                    k.unary[static_cast<int>(op_of(Fn::Exp))]({out, cols, rows, cols}, a);
                    break;
                case PassKind::Log:
                    k.unary[static_cast<int>(op_of(Fn::Log))]({out, cols, rows, cols}, a);
                    break;
                case PassKind::Tanh:
                    k.unary[static_cast<int>(op_of(Fn::Tanh))]({out, cols, rows, cols}, a);
                    break;
                case PassKind::Erf:
                    k.unary[static_cast<int>(op_of(Fn::Erf))]({out, cols, rows, cols}, a);
                    break;
                case PassKind::Slow:
                    k.unary[static_cast<int>(op_of(Fn::Sin))]({out, cols, rows, cols}, a);
                    break;
                case PassKind::Fold:
                    k.row_fold[static_cast<int>(Fn::Add)](out, in, cols, rows, cols, true);
                    break;
                case PassKind::Copy:
                    k.copy({out, cols, rows, cols}, in, cols);
                    break;
                case PassKind::Transpose:
                    k.transpose({out, cols, rows, cols}, in, rows);
                    break;
                case PassKind::Opaque:
                    break;
            }
        keep(out[0]);
    };
    return sample(pool, options.seconds, work, options.threads, Unit::Seconds);
}

Measured measure_matmul(int rows, int cols, int inner, const MicroOptions& options) {
    const MatmulShape shape{.rows = {rows, rows},
                            .cols = {cols, cols},
                            .inner = {inner, inner},
                            .a_step = inner,
                            .bt_step = cols,
                            .c_step = cols};
    const Matmul matmul(shape);
    Pool pool(options.threads);
    const std::vector<Memory> a = arrays(options.threads, std::int64_t{rows} * inner, 1e-3F);
    const std::vector<Memory> b = arrays(options.threads, std::int64_t{cols} * inner, 1e-3F);
    const std::vector<Memory> c = arrays(options.threads, std::int64_t{rows} * cols, 0);
    const Work work = [&](std::int64_t repeats, int thread) {
        for (std::int64_t i = 0; i < repeats; ++i)
            matmul.run(rows, cols, inner, a[at(thread)].floats(), b[at(thread)].floats(),
                       c[at(thread)].floats(), true);
        keep(c[at(thread)].floats()[0]);
    };
    const double operations = 2.0 * rows * cols * inner * options.threads;
    return sample(pool, options.seconds, work, operations);
}

Measured measure_region(int threads, double seconds) {
    Pool pool(threads);
    Pool one(1);
    const Work work = [&](std::int64_t repeats, int) {
        for (std::int64_t i = 0; i < repeats; ++i) pool.run([](void*, int) {}, nullptr);
    };
    return sample(one, seconds, work, 1, Unit::Seconds);
}

// A loop that loads a number, adds 1 and stores it: the operation and the store are calls of routines.
Measured measure_call(double seconds) {
    constexpr int kIterations = 4096;
    LoopProgram program;
    program.dims = {{"N", kIterations, 1, DimKind::Blocked}};
    const DimId n{0};
    const LoopVar var{n, 1};
    const Type number(Item::vector(n), ElemType::F32);
    program.buffers = {{.kind = Buffer::Kind::Input,
                        .name = "X",
                        .node = {},
                        .dims = {n},
                        .type = number,
                        .transposed = false,
                        .source = InputSource::Array},
                       {.kind = Buffer::Kind::Output,
                        .name = "Y",
                        .node = {},
                        .dims = {n},
                        .type = number,
                        .transposed = false,
                        .source = InputSource::Array}};
    program.temps = 2;
    const std::vector<Index> at{{false, var}};
    const ExprPtr plus_one = call(Fn::Add, arg(0), blockscope::number(1));
    Block body{{Load{{1}, 0, at}, {}}, {Evaluate{{2}, plus_one, {{1}}}, {}}, {Store{{2}, 1, at}, {}}};
    program.body = {{std::make_shared<const Loop>(
                         Loop{.var = var, .start = 0, .serial = true, .node = {}, .body = std::move(body)}),
                     {}}};
    EngineOptions options;
    options.threads = 1;
    Result<CpuProgram> prepared = CpuProgram::prepare(program, options);
    if (!prepared) throw InternalError(to_string(prepared.problems()[0]));
    CpuProgram running = std::move(prepared).value();
    Pool one(1);
    const Work work = [&](std::int64_t repeats, int) {
        for (std::int64_t i = 0; i < repeats; ++i) running.run();
    };
    return sample(one, seconds, work, 2.0 * kIterations, Unit::Seconds);
}

}  // namespace blockscope
