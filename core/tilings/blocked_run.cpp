#include "core/tilings/blocked_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/engine/executor.h"
#include "core/tilings/run_plan.h"
#include "core/tilings/tile_values.h"

namespace blockscope::tilings {

namespace {

using engine::simd;

// A product as it runs: how its operands come about, and its routine.
struct RunProduct {
    const Product* product = nullptr;
    int left = -1;  // operators of the program: the operand, of a softmax what is normalized
    int right = -1;
    std::vector<std::int64_t> alive_steps = {};  // by loop: how many tiles further; 0: not alive along it
    std::int64_t alive = 1;
    std::unique_ptr<engine::Matmul> routine = nullptr;
    std::int64_t left_step = 0;
    std::int64_t right_step = 0;
    // Operands that lie in memory as the routine reads them: of an input, or (the left one) of a product's
    // tile. Found once, since small tiles take no longer than finding them each time would. -1: another one.
    int left_input = -1;
    int left_product = -1;
    int right_input = -1;
};

std::unique_ptr<engine::Matmul> routine_for(const RunProduct& made, const TileArrays& arrays) {
    const auto both = [&](int loop) {
        const std::int64_t size = arrays.chain.size(loop);
        const std::int64_t tile = std::min(arrays.tiles[static_cast<std::size_t>(loop)], size);
        const std::int64_t rest = size % tile;
        return std::array<int, 2>{static_cast<int>(tile), static_cast<int>(rest == 0 ? tile : rest)};
    };
    const Product& product = *made.product;
    return std::make_unique<engine::Matmul>(
        engine::MatmulShape{.rows = both(product.row),
                            .cols = both(product.col),
                            .inner = both(product.depth),
                            .a_step = made.left_step,
                            .bt_step = made.right_step,
                            .c_step = arrays.tiles[static_cast<std::size_t>(product.col)]});
}

// The operand of a product that was computed last, so that it is not computed again for the next tile.
struct KeptOperand {
    TileView view = {};
    std::vector<std::int64_t> key = {};
    Scratch scratch = {};
};

// What one thread has of a product.
struct ProductTiles {
    engine::Memory tiles = {};
    std::int64_t version = 0;  // counts its block products
    KeptOperand left = {};
    KeptOperand right = {};
    // Of a product of a softmax, by row: the maximum that the exponentials of its operand are taken against
    // (of all rows of the array), and of each live tile the maximum and the sum so far.
    std::vector<float> reference = {};
    std::vector<float> row_sums = {};
    std::vector<float> maxima = {};
    std::vector<float> sums = {};
};

}  // namespace

struct BlockedRun::State {
    State(const Chain& of, const LoopForest& forest, std::vector<std::int64_t> tiles, int threads);

    struct Worker;
    void task(std::int64_t number, Worker& worker);
    void loop(std::size_t index, Worker& worker);
    void statement(int index, Worker& worker);
    void multiply(int index, Worker& worker);
    void store(Worker& worker);

    void find_direct(RunProduct& made) const;
    const float* in_memory(int op, int row, int col, const Position& at) const;
    const float* left_numbers(int index, Worker& worker);
    const float* right_numbers(int index, Worker& worker);
    TileView left_operand(int index, Worker& worker);
    TileView right_operand(int index, Worker& worker);
    void exponentials(int index, Worker& worker, KeptOperand& kept);
    void rescale(int index, std::int64_t tile, bool first, int rows, int cols, Worker& worker);
    TileView finished(int op, Worker& worker);

    std::int64_t tile_of(int index, const Position& at) const;
    std::vector<std::int64_t> key(int index, int first, int second, const Worker& worker) const;
    std::int64_t trip(int loop) const {
        return trips(chain.size(loop), arrays.tiles[static_cast<std::size_t>(loop)]);
    }

    Chain chain;
    TileArrays arrays;
    RunPlan plan;
    std::vector<RunProduct> products;
    std::vector<const float*> input_numbers;  // by operator: of inputs, while it runs
    std::vector<float> out;
    std::int64_t task_count = 1;
    std::vector<std::unique_ptr<Worker>> workers;
    engine::Pool pool;
};

struct BlockedRun::State::Worker {
    Worker(State& of);

    State& state;
    Position at = {};
    std::vector<ProductTiles> products = {};
    Scratch scratch = {};  // of finished tiles and of the store
    TileValues values;
    std::int64_t calls = 0;
    std::int64_t flops = 0;
};

BlockedRun::State::Worker::Worker(State& of)
    : state(of), values(of.arrays, [this](int op) { return state.finished(op, *this); }) {
    at.index.resize(of.chain.loops.size());
    const auto size = [&](int loop) { return of.arrays.tiles[static_cast<std::size_t>(loop)]; };
    for (const RunProduct& made : of.products) {
        const Product& product = *made.product;
        ProductTiles own;
        own.tiles =
            engine::Memory(made.alive * size(product.row) * size(product.col) * std::int64_t{sizeof(float)});
        if (product.softmax) {
            own.reference.resize(static_cast<std::size_t>(of.chain.size(product.row)));
            own.row_sums.resize(static_cast<std::size_t>(size(product.row)));
            own.maxima.resize(static_cast<std::size_t>(made.alive * size(product.row)));
            own.sums.resize(own.maxima.size());
        }
        products.push_back(std::move(own));
    }
}

BlockedRun::State::State(const Chain& of, const LoopForest& forest, std::vector<std::int64_t> tiles,
                         int threads)
    : chain(of),
      arrays(chain, std::move(tiles)),
      plan(plan_run(chain, forest)),
      pool(threads > 0 ? threads : engine::usable_cores()) {
    const TileValues values(arrays, {});
    const auto step = [&](int op, int inner) {  // from one row of an operand to the next
        while (chain.program.ops[static_cast<std::size_t>(op)].kind == ArrayOpKind::Cast)
            op = chain.program.ops[static_cast<std::size_t>(op)].operands[0];
        const bool in_memory =
            chain.program.ops[static_cast<std::size_t>(op)].kind == ArrayOpKind::Input && values.is_view(op);
        return in_memory ? chain.size(inner) : arrays.tiles[static_cast<std::size_t>(inner)];
    };
    for (std::size_t i = 0; i < chain.products.size(); ++i) {
        RunProduct made{.product = &chain.products[i]};
        const ArrayOp& op = chain.program.ops[static_cast<std::size_t>(made.product->op)];
        made.left = op.operands[0];
        made.right = op.operands[1];
        while (made.product->softmax &&
               chain.program.ops[static_cast<std::size_t>(made.left)].kind != ArrayOpKind::Softmax)
            made.left = chain.program.ops[static_cast<std::size_t>(made.left)].operands[0];
        if (made.product->softmax)
            made.left = chain.program.ops[static_cast<std::size_t>(made.left)].operands[0];
        made.alive_steps.resize(chain.loops.size());
        for (const int loop : plan.alive[i]) {
            made.alive_steps[static_cast<std::size_t>(loop)] = made.alive;
            made.alive *= trip(loop);
        }
        made.left_step = made.product->softmax ? arrays.tiles[static_cast<std::size_t>(made.product->depth)]
                                               : step(made.left, made.product->depth);
        made.right_step = step(made.right, made.product->col);
        made.routine = routine_for(made, arrays);
        find_direct(made);
        products.push_back(std::move(made));
    }
    for (const int loop : plan.tasks) task_count *= trip(loop);
    task_count *= chain.batch;
    out.resize(
        static_cast<std::size_t>(chain.batch * chain.size(chain.output.row) * chain.size(chain.output.col)));
    for (int i = 0; i < pool.threads(); ++i) workers.push_back(std::make_unique<Worker>(*this));
}

// ---- Loops.

void BlockedRun::State::task(std::int64_t number, Worker& worker) {
    std::size_t index = 0;
    for (auto loop = plan.tasks.rbegin(); loop != plan.tasks.rend(); ++loop) {
        worker.at.index[static_cast<std::size_t>(*loop)] = number % trip(*loop);
        number /= trip(*loop);
    }
    worker.at.chain = number;
    for (std::size_t i = 0; i < plan.tasks.size(); ++i)
        index = static_cast<std::size_t>(plan.loops[index].items.front().loop);
    loop(index, worker);
}

// One iteration of the loop: what it holds.
void BlockedRun::State::loop(std::size_t index, Worker& worker) {
    for (const PlannedLoop::Item& item : plan.loops[index].items) {
        if (item.loop < 0) {
            statement(item.statement, worker);
            continue;
        }
        const auto inner = static_cast<std::size_t>(item.loop);
        const auto variable = static_cast<std::size_t>(plan.loops[inner].loop);
        const std::int64_t count = trip(plan.loops[inner].loop);
        for (worker.at.index[variable] = 0; worker.at.index[variable] < count; ++worker.at.index[variable])
            loop(inner, worker);
    }
}

void BlockedRun::State::statement(int index, Worker& worker) {
    for (const Guard& guard : plan.statements[static_cast<std::size_t>(index)].guards) {
        const std::int64_t at = worker.at.index[static_cast<std::size_t>(guard.loop)];
        if (at != (guard.last ? trip(guard.loop) - 1 : 0)) return;
    }
    if (index == static_cast<int>(products.size())) return store(worker);
    multiply(index, worker);
}

// ---- Products.

std::int64_t BlockedRun::State::tile_of(int index, const Position& at) const {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    std::int64_t tile = 0;
    for (std::size_t loop = 0; loop < at.index.size(); ++loop)
        tile += made.alive_steps[loop] * at.index[loop];
    return tile;
}

std::vector<std::int64_t> BlockedRun::State::key(int index, int first, int second,
                                                 const Worker& worker) const {
    std::vector<std::int64_t> key{worker.at.chain, worker.at.index[static_cast<std::size_t>(first)],
                                  worker.at.index[static_cast<std::size_t>(second)]};
    for (const int need : products[static_cast<std::size_t>(index)].product->needs)
        key.push_back(worker.products[static_cast<std::size_t>(need)].version);
    return key;
}

void BlockedRun::State::multiply(int index, Worker& worker) {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    ProductTiles& own = worker.products[static_cast<std::size_t>(index)];
    const Product& product = *made.product;
    const int rows = arrays.extent(product.row, worker.at);
    const int cols = arrays.extent(product.col, worker.at);
    const int depth = arrays.extent(product.depth, worker.at);
    worker.scratch.clear();
    const float* left = left_numbers(index, worker);
    const float* right = right_numbers(index, worker);
    const std::int64_t tile = tile_of(index, worker.at);
    const std::int64_t size = arrays.tiles[static_cast<std::size_t>(product.row)] *
                              arrays.tiles[static_cast<std::size_t>(product.col)];
    const bool first = worker.at.index[static_cast<std::size_t>(product.depth)] == 0;
    if (product.softmax) rescale(index, tile, first, rows, cols, worker);
    made.routine->run(rows, cols, depth, left, right, own.tiles.floats() + tile * size, !first);
    ++own.version;
    ++worker.calls;
    worker.flops += std::int64_t{2} * rows * cols * depth;
}

void BlockedRun::State::find_direct(RunProduct& made) const {
    const auto plain = [&](int op) {
        while (chain.program.ops[static_cast<std::size_t>(op)].kind == ArrayOpKind::Cast)
            op = chain.program.ops[static_cast<std::size_t>(op)].operands[0];
        return op;
    };
    const auto input = [&](int op) {
        const ArrayOp& of = chain.program.ops[static_cast<std::size_t>(op)];
        const bool array = of.kind == ArrayOpKind::Input && of.source == InputSource::Array;
        return array && of.shape.axes.size() == 2 ? op : -1;
    };
    made.right_input = input(plain(made.right));
    if (made.product->softmax) return;
    made.left_input = input(plain(made.left));
    for (std::size_t i = 0; i < chain.products.size(); ++i)
        if (chain.products[i].op == plain(made.left) && !chain.products[i].softmax)
            made.left_product = static_cast<int>(i);
}

const float* BlockedRun::State::in_memory(int op, int row, int col, const Position& at) const {
    return input_numbers[static_cast<std::size_t>(op)] +
           arrays.offsets[static_cast<std::size_t>(op)][static_cast<std::size_t>(at.chain)] +
           arrays.begin(row, at) * chain.size(col) + arrays.begin(col, at);
}

const float* BlockedRun::State::left_numbers(int index, Worker& worker) {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    if (made.left_input >= 0)
        return in_memory(made.left_input, made.product->row, made.product->depth, worker.at);
    if (made.left_product >= 0) {
        const Product& of = chain.products[static_cast<std::size_t>(made.left_product)];
        const std::int64_t size =
            arrays.tiles[static_cast<std::size_t>(of.row)] * arrays.tiles[static_cast<std::size_t>(of.col)];
        return worker.products[static_cast<std::size_t>(made.left_product)].tiles.floats() +
               tile_of(made.left_product, worker.at) * size;
    }
    return left_operand(index, worker).operand.data;
}

const float* BlockedRun::State::right_numbers(int index, Worker& worker) {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    if (made.right_input >= 0)
        return in_memory(made.right_input, made.product->depth, made.product->col, worker.at);
    return right_operand(index, worker).operand.data;
}

// The routine knows one step from row to row: a computed operand is brought to it where it differs.
static TileView with_step(const TileView& view, std::int64_t step, Scratch& scratch) {
    if (view.operand.row_step == step && !view.operand.splat) return view;
    float* data = scratch.take(step * view.rows);
    if (view.operand.splat || view.operand.row_step == 0)
        simd().unary[static_cast<std::size_t>(engine::Op::Copy)]({data, step, view.rows, view.cols},
                                                                 view.operand);
    else
        simd().copy({data, step, view.rows, view.cols}, view.operand.data, view.operand.row_step);
    return {{data, step, false}, view.rows, view.cols};
}

TileView BlockedRun::State::left_operand(int index, Worker& worker) {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    const Product& product = *made.product;
    const AxisLoops loops{product.row, product.depth};
    if (!product.softmax && worker.values.is_view(made.left))
        return with_step(worker.values.value(made.left, loops, worker.at, worker.scratch), made.left_step,
                         worker.scratch);
    KeptOperand& kept = worker.products[static_cast<std::size_t>(index)].left;
    std::vector<std::int64_t> wanted = key(index, product.row, product.depth, worker);
    if (kept.key == wanted) return kept.view;
    kept.scratch.clear();
    kept.view = with_step(worker.values.value(made.left, loops, worker.at, kept.scratch), made.left_step,
                          kept.scratch);
    if (product.softmax) exponentials(index, worker, kept);
    kept.key = std::move(wanted);
    return kept.view;
}

TileView BlockedRun::State::right_operand(int index, Worker& worker) {
    const RunProduct& made = products[static_cast<std::size_t>(index)];
    const Product& product = *made.product;
    const AxisLoops loops{product.depth, product.col};
    if (worker.values.is_view(made.right))
        return with_step(worker.values.value(made.right, loops, worker.at, worker.scratch), made.right_step,
                         worker.scratch);
    KeptOperand& kept = worker.products[static_cast<std::size_t>(index)].right;
    std::vector<std::int64_t> wanted = key(index, product.depth, product.col, worker);
    if (kept.key == wanted) return kept.view;
    kept.scratch.clear();
    kept.view = with_step(worker.values.value(made.right, loops, worker.at, kept.scratch), made.right_step,
                          kept.scratch);
    kept.key = std::move(wanted);
    return kept.view;
}

// ---- Softmax, tile by tile along the row: exponentials against the largest number so far.

void BlockedRun::State::exponentials(int index, Worker& worker, KeptOperand& kept) {
    const Product& product = *products[static_cast<std::size_t>(index)].product;
    ProductTiles& own = worker.products[static_cast<std::size_t>(index)];
    float* reference = own.reference.data() + arrays.begin(product.row, worker.at);
    const bool first = worker.at.index[static_cast<std::size_t>(product.depth)] == 0;
    const TileView from = kept.view;
    simd().row_fold[static_cast<std::size_t>(Fn::Max)](reference, from.operand.data, from.operand.row_step,
                                                       from.rows, from.cols, !first);
    // The operand may lie in another product's tile, which stays as it is.
    const std::int64_t step = from.operand.row_step;
    const engine::Target to{kept.scratch.take(step * from.rows), step, from.rows, from.cols};
    simd().binary[static_cast<std::size_t>(Fn::Sub)][0][1](to, from.operand, {reference, 1, true});
    simd().unary[static_cast<std::size_t>(Fn::Exp)](to, {to.data, step, false});
    simd().row_fold[static_cast<std::size_t>(Fn::Add)](own.row_sums.data(), to.data, step, from.rows,
                                                       from.cols, false);
    kept.view.operand.data = to.data;
}

// What a tile of the result holds was summed against an older maximum.
void BlockedRun::State::rescale(int index, std::int64_t tile, bool first, int rows, int cols,
                                Worker& worker) {
    const Product& product = *products[static_cast<std::size_t>(index)].product;
    ProductTiles& own = worker.products[static_cast<std::size_t>(index)];
    const std::int64_t height = arrays.tiles[static_cast<std::size_t>(product.row)];
    const std::int64_t width = arrays.tiles[static_cast<std::size_t>(product.col)];
    float* maxima = own.maxima.data() + tile * height;
    float* sums = own.sums.data() + tile * height;
    const float* reference = own.reference.data() + arrays.begin(product.row, worker.at);
    float* numbers = own.tiles.floats() + tile * height * width;
    for (int row = 0; row < rows; ++row) {
        const float factor = first ? 0 : std::exp(maxima[row] - reference[row]);
        sums[row] = factor * sums[row] + own.row_sums[static_cast<std::size_t>(row)];
        maxima[row] = reference[row];
        if (first || factor == 1) continue;
        for (int col = 0; col < cols; ++col) numbers[row * width + col] *= factor;
    }
}

// The tile of a product whose sum has ended.
TileView BlockedRun::State::finished(int op, Worker& worker) {
    int index = 0;
    while (chain.products[static_cast<std::size_t>(index)].op != op) ++index;
    const Product& product = chain.products[static_cast<std::size_t>(index)];
    ProductTiles& own = worker.products[static_cast<std::size_t>(index)];
    const std::int64_t height = arrays.tiles[static_cast<std::size_t>(product.row)];
    const std::int64_t width = arrays.tiles[static_cast<std::size_t>(product.col)];
    const std::int64_t tile = tile_of(index, worker.at);
    TileView view{{own.tiles.floats() + tile * height * width, width, false},
                  arrays.extent(product.row, worker.at),
                  arrays.extent(product.col, worker.at)};
    if (!product.softmax) return view;
    float* normalized = worker.scratch.take(width * view.rows);
    simd().binary[static_cast<std::size_t>(Fn::Div)][0][1](
        {normalized, width, view.rows, view.cols}, view.operand, {own.sums.data() + tile * height, 1, true});
    view.operand.data = normalized;
    return view;
}

void BlockedRun::State::store(Worker& worker) {
    worker.scratch.clear();
    const StoredResult& output = chain.output;
    const TileView from = worker.values.value(output.op, {output.row, output.col}, worker.at, worker.scratch);
    const std::int64_t step = chain.size(output.col);
    float* data = out.data() +
                  (worker.at.chain * chain.size(output.row) + arrays.begin(output.row, worker.at)) * step +
                  arrays.begin(output.col, worker.at);
    simd().copy({data, step, from.rows, from.cols}, from.operand.data, from.operand.row_step);
}

// ---- The run as others see it.

BlockedRun::BlockedRun(const Chain& chain, const LoopForest& forest, const std::vector<std::int64_t>& tiles,
                       int threads)
    : state_(std::make_unique<State>(chain, forest, tiles, threads)) {}
BlockedRun::BlockedRun(BlockedRun&&) noexcept = default;
BlockedRun& BlockedRun::operator=(BlockedRun&&) noexcept = default;
BlockedRun::~BlockedRun() = default;

void BlockedRun::set_input(const std::string& name, std::vector<float> values) {
    for (auto& [op, array] : state_->arrays.inputs) {
        if (state_->chain.program.ops[static_cast<std::size_t>(op)].name != name) continue;
        if (array.size() != values.size()) throw InternalError("input " + name + " has another size");
        array = std::move(values);
        return;
    }
    throw InternalError("there is no input " + name);
}

void BlockedRun::fill_inputs() {
    for (auto& [op, array] : state_->arrays.inputs) {
        std::uint32_t state = 12345u + static_cast<std::uint32_t>(op);
        for (float& value : array) {
            state = state * 1664525u + 1013904223u;
            value = static_cast<float>(state >> 8) * 0x1p-23f - 1;
        }
    }
}

void BlockedRun::run() {
    state_->input_numbers.assign(state_->chain.program.ops.size(), nullptr);
    for (const auto& [op, array] : state_->arrays.inputs)
        state_->input_numbers[static_cast<std::size_t>(op)] = array.data();
    for (auto& worker : state_->workers) {
        worker->calls = worker->flops = 0;
        for (ProductTiles& own : worker->products) own.left.key.clear(), own.right.key.clear();
    }
    const engine::Pool::Place place(state_->pool);
    state_->pool.run(
        [](void* context, int thread) {
            State& state = *static_cast<State*>(context);
            const auto threads = static_cast<std::int64_t>(state.workers.size());
            for (std::int64_t task = thread; task < state.task_count; task += threads)
                state.task(task, *state.workers[static_cast<std::size_t>(thread)]);
        },
        state_.get());
}

std::span<const float> BlockedRun::output() const {
    return state_->out;
}
std::int64_t BlockedRun::tasks() const {
    return state_->task_count;
}
std::int64_t BlockedRun::local_bytes() const {
    std::int64_t bytes = 0;
    const auto tile = [&](int loop) { return state_->arrays.tiles[static_cast<std::size_t>(loop)]; };
    for (const RunProduct& made : state_->products)
        bytes += made.alive * tile(made.product->row) * tile(made.product->col) * std::int64_t{sizeof(float)};
    return bytes;
}
std::int64_t BlockedRun::products_run() const {
    std::int64_t sum = 0;
    for (const auto& worker : state_->workers) sum += worker->calls;
    return sum;
}
std::int64_t BlockedRun::flops_run() const {
    std::int64_t sum = 0;
    for (const auto& worker : state_->workers) sum += worker->flops;
    return sum;
}

double best_seconds(const std::function<void()>& run, const MeasureOptions& options) {
    using Clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (int i = 0; i < options.least_runs || (i < options.most_runs && sum < options.least_seconds); ++i) {
        const auto start = Clock::now();
        run();
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        best = std::min(best, seconds);
        sum += seconds;
    }
    return best;
}

}  // namespace blockscope::tilings
