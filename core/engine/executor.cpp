#include "core/engine/executor.h"

#include <algorithm>
#include <chrono>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>

#endif

namespace blockscope::engine {

namespace {

// How often a thread looks before it sleeps: some 20 microseconds, as long as the gap between two loops.
constexpr int kSpins = 2000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

// Until `value` is no longer `old`.
void wait_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) {
    for (int i = 0; i < kSpins; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause();
    }
    while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

#ifdef __linux__
void pin_to(pthread_t thread, int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    pthread_setaffinity_np(thread, sizeof set, &set);
}
#endif

}  // namespace

std::vector<int> usable_core_numbers() {
    std::vector<int> cores;
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
#endif
    return cores;
}

int usable_cores() {
    const auto cores = static_cast<int>(usable_core_numbers().size());
    if (cores > 0) return cores;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// On a machine of two cores a thread that wakes up often lands on the core of the one that wakes it, and
// stays there: the other core idles. With as many threads as cores each has its own place, so none gives up a
// better one.
Pool::Pool(int threads) {
    for (int i = 1; i < threads; ++i) others_.emplace_back([this, i] { wait_for_work(i); });
#ifdef __linux__
    const std::vector<int> cores = usable_core_numbers();
    if (threads < 2 || cores.size() != static_cast<std::size_t>(threads)) return;
    callers_core_ = cores.front();
    for (std::size_t i = 0; i < others_.size(); ++i) pin_to(others_[i].native_handle(), cores[i + 1]);
#endif
}

Pool::Place::Place(const Pool& pool) {
#ifdef __linux__
    cpu_set_t before;
    if (pool.callers_core_ < 0 || pthread_getaffinity_np(pthread_self(), sizeof before, &before) != 0) return;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(static_cast<std::size_t>(core), &before)) before_.push_back(core);
    pin_to(pthread_self(), pool.callers_core_);
#else
    (void)pool;
#endif
}

Pool::Place::~Place() {
#ifdef __linux__
    if (before_.empty()) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int core : before_) CPU_SET(static_cast<std::size_t>(core), &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#endif
}

Pool::~Pool() {
    stop_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : others_) thread.join();
}

void Pool::run(Work work, void* context) {
    work_ = work;
    context_ = context;
    busy_.store(static_cast<std::uint32_t>(others_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    work(context, 0);
    for (std::uint32_t left = busy_.load(std::memory_order_acquire); left != 0;
         left = busy_.load(std::memory_order_acquire))
        wait_while(busy_, left);
}

void Pool::wait_for_work(int thread) {
    for (std::uint32_t seen = 0;;) {
        wait_while(round_, seen);
        ++seen;
        if (stop_) return;
        work_(context_, thread);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
    }
}

}  // namespace blockscope::engine
namespace blockscope::engine {

// A parallel loop (or nest of them) while it runs: tasks are handed out in order, some at a time.
struct Executor::Region {
    const LoopOp* loop;
    std::deque<Worker>* workers;
    std::int64_t tasks;
    std::int64_t chunk;
    mutable std::atomic<std::int64_t> next{0};
};

// Items of an input on their way into the packed form. A task takes some rows of the array in memory through
// all blocks that lie side by side there: what one block leaves of a page, the next one takes.
struct Executor::Packing {
    Packing(const Shared& all, std::deque<Worker>& their_workers, const blockscope::engine::Region& source,
            const blockscope::engine::Region& target)
        : shared(&all),
          workers(&their_workers),
          from(&source),
          to(&target),
          array(&all.plan->program->buffers[static_cast<std::size_t>(source.buffer)]),
          layout(array_layout(array_type(*array), array->transposed, all.plan->program->dims)) {
        beside = from->form == kPlain ? layout.col_list : layout.row_list;
        strips = extent(from->form == kPlain ? array->type.item().rows : array->type.item().cols, 0);
        if (from->form == to->form)
            strips = (strips + kStripRows - 1) / kStripRows;
        else
            strips = 1;
        for (std::size_t level = 0; level < array->dims.size(); ++level)
            if (static_cast<int>(level) != beside) tasks *= blocks(level);
        tasks *= strips;
    }

    void work(int thread);

    static constexpr std::int64_t kStripRows = 16;
    const Shared* shared;
    std::deque<Worker>* workers;
    const blockscope::engine::Region* from;
    const blockscope::engine::Region* to;
    const Buffer* array;
    ArrayLayout layout;
    int beside = -1;          // the level of array->dims whose blocks lie side by side; -1: none does
    std::int64_t strips = 1;  // of rows in a block
    std::int64_t tasks = 1;
    std::int64_t chunk = 1;
    std::atomic<std::int64_t> next{0};

private:
    std::int64_t blocks(std::size_t level) const {
        return shared->plan->program->dims[array->dims[level].value].blocks();
    }
    std::int64_t extent(DimId dim, std::int64_t number) const {
        return shared->plan->program->dims[dim.value].block_size(number);
    }
    void strip(Worker& worker, std::int64_t task) const;
};

void Executor::Packing::work(int thread) {
    Worker& worker = (*workers)[static_cast<std::size_t>(thread)];
    const Clock busy(worker.profiled && thread > 0, worker.times.busy);
    const Clock clock(worker.profiled, worker.times.packing);
    for (std::int64_t begin = next.fetch_add(chunk); begin < tasks; begin = next.fetch_add(chunk))
        for (std::int64_t task = begin; task < std::min(begin + chunk, tasks); ++task) strip(worker, task);
    shared->simd->streamed();
}

void Executor::Packing::strip(Worker& worker, std::int64_t task) const {
    const std::int64_t number = task % strips;
    std::int64_t left = task / strips;
    Worker::Piece piece{.from = *from,
                        .to = *to,
                        .from_offset = 0,
                        .to_offset = 0,
                        .rows = 0,
                        .cols = 0,
                        .first = 0,
                        .count = 0};
    std::int64_t row = 0;
    std::int64_t col = 0;
    for (std::size_t level = array->dims.size(); level-- > 0;) {
        if (static_cast<int>(level) == beside) continue;
        const std::int64_t index = left % blocks(level);
        left /= blocks(level);
        piece.from_offset += index * from->steps[level];
        piece.to_offset += index * to->steps[level];
        if (static_cast<int>(level) == layout.row_list) row = index;
        if (static_cast<int>(level) == layout.col_list) col = index;
    }
    const std::int64_t across = beside < 0 ? 1 : blocks(static_cast<std::size_t>(beside));
    for (std::int64_t j = 0; j < across; ++j) {
        if (beside >= 0 && beside == layout.row_list) row = j;
        if (beside >= 0 && beside == layout.col_list) col = j;
        piece.rows = static_cast<int>(extent(array->type.item().rows, row));
        piece.cols = static_cast<int>(extent(array->type.item().cols, col));
        const int high = from->form == kPlain ? piece.rows : piece.cols;
        piece.first = strips == 1 ? 0 : static_cast<int>(number * kStripRows);
        piece.count = strips == 1 ? high : std::min(static_cast<int>(kStripRows), high - piece.first);
        if (piece.count > 0) worker.pack(piece);
        if (beside < 0) continue;
        piece.from_offset += from->steps[static_cast<std::size_t>(beside)];
        piece.to_offset += to->steps[static_cast<std::size_t>(beside)];
    }
}

namespace {

// What a Clock adds to the time around it: looking at the time once, of the two times that it does.
std::uint64_t ticks_of_a_clock() {
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t start = ticks();
        least = std::min(least, ticks() - start);
    }
    return least;
}

}  // namespace

Executor::Executor(const Shared& shared, int threads) : shared_(shared), pool_(threads) {
    for (int i = 0; i < threads; ++i) workers_.emplace_back(shared);
}

std::int64_t Executor::bytes() const {
    std::int64_t sum = 0;
    for (const Worker& worker : workers_) sum += worker.bytes();
    return sum;
}

bool Executor::evict() const {
    return std::all_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.evict(); });
}

void Executor::run() {
    profiled_ = false;
    for (Worker& worker : workers_) worker.profiled = false;
    const Pool::Place place(pool_);
    everything();
}

void Executor::everything() {
    pack();
    block(shared_.plan->body);
}

void Executor::run_timed(std::span<double> seconds) {
    profiled_ = false;
    for (Worker& worker : workers_) worker.profiled = false;
    const Pool::Place place(pool_);
    pack();
    const std::vector<PlanOp>& body = shared_.plan->body;
    auto before = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < body.size(); ++i) {
        operation(body[i]);
        const auto now = std::chrono::steady_clock::now();
        seconds[i] = std::chrono::duration<double>(now - before).count();
        before = now;
    }
}

RunProfile Executor::run_profiled() {
    profiled_ = true;
    for (Worker& worker : workers_) {
        worker.profiled = true;
        worker.times = {};
    }
    const Pool::Place place(pool_);
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t start_ticks = ticks();
    everything();
    const std::uint64_t all_ticks = ticks() - start_ticks;
    static const std::uint64_t clock = ticks_of_a_clock();
    RunProfile profile;
    profile.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double tick = profile.wall_seconds / static_cast<double>(std::max<std::uint64_t>(all_ticks, 1));
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        const Times& times = workers_[i].times;
        const auto calls = static_cast<std::uint64_t>(times.matmul_calls + times.routine_calls);
        const std::uint64_t in_microkernels = times.matmul + times.routine + times.packing + calls * clock;
        profile.matmul_seconds += tick * static_cast<double>(times.matmul);
        profile.routine_seconds += tick * static_cast<double>(times.routine);
        profile.packing_seconds += tick * static_cast<double>(times.packing);
        const std::uint64_t busy = i == 0 ? all_ticks - times.waiting : times.busy;
        profile.overhead_seconds += tick * static_cast<double>(busy - std::min(busy, in_microkernels));
        profile.waiting_seconds += tick * static_cast<double>(all_ticks - std::min(all_ticks, busy));
        profile.matmul_flops += times.matmul_flops;
        profile.matmul_calls += times.matmul_calls;
        profile.routine_calls += times.routine_calls;
    }
    return profile;
}

void Executor::pack() {
    const Plan& plan = *shared_.plan;
    for (const auto& [from, to] : plan.packing) {
        Packing packing(shared_, workers_, plan.regions[static_cast<std::size_t>(from)],
                        plan.regions[static_cast<std::size_t>(to)]);
        packing.chunk = std::max<std::int64_t>(1, packing.tasks / (std::int64_t{8} * threads()));
        pool_.run([](void* context, int thread) { static_cast<Packing*>(context)->work(thread); }, &packing);
    }
}

void Executor::block(const std::vector<PlanOp>& ops) {
    for (const PlanOp& op : ops) operation(op);
}

void Executor::operation(const PlanOp& op) {
    if (const auto* inner = std::get_if<std::vector<LoopOp>>(&op.what))
        loop(inner->front());
    else
        workers_[0].run(op);
}

// Outside of parallel loops: those with several tasks become parallel, others are walked through.
void Executor::loop(const LoopOp& loop) {
    if (loop.end <= loop.start) return;
    if (!loop.serial && threads() > 1) {
        std::int64_t tasks = 1;
        const LoopOp* inner = &loop;
        for (int i = 0; i < loop.nest; ++i) {
            tasks *= std::max<std::int64_t>(0, inner->end - inner->start);
            if (i + 1 < loop.nest) inner = &std::get<std::vector<LoopOp>>(inner->body[0].what).front();
        }
        if (tasks > 1) return parallel(loop, tasks);
    }
    std::int64_t& at = workers_[0].index[static_cast<std::size_t>(loop.slot)];
    const BlockRange range = range_of(loop, workers_[0].index, shared_.plan->program->dims);
    std::int64_t& first = workers_[0].starts[static_cast<std::size_t>(loop.slot)];
    first = range.begin;
    for (at = range.begin; at < range.end; ++at) block(loop.body);
    at = 0;
}

void Executor::parallel(const LoopOp& loop, std::int64_t tasks) {
    Region region{.loop = &loop,
                  .workers = &workers_,
                  .tasks = tasks,
                  .chunk = std::max<std::int64_t>(1, tasks / (std::int64_t{16} * threads()))};
    const std::uint64_t start = profiled_ ? ticks() : 0;
    const std::uint64_t busy = workers_[0].times.busy;
    pool_.run(
        [](void* context, int thread) {
            const Region& r = *static_cast<const Region*>(context);
            Worker& worker = (*r.workers)[static_cast<std::size_t>(thread)];
            const Clock clock(worker.profiled, worker.times.busy);
            if (thread > 0) {
                const Worker& caller = r.workers->front();
                worker.index = caller.index;
                for (const int temp : r.loop->imports)
                    worker.views[static_cast<std::size_t>(temp)] =
                        caller.views[static_cast<std::size_t>(temp)];
            }
            work_on(r, worker);
        },
        &region);
    if (profiled_) workers_[0].times.waiting += (ticks() - start) - (workers_[0].times.busy - busy);
}

void Executor::work_on(const Region& region, Worker& worker) {
    for (std::int64_t begin = region.next.fetch_add(region.chunk); begin < region.tasks;
         begin = region.next.fetch_add(region.chunk))
        for (std::int64_t task = begin; task < std::min(begin + region.chunk, region.tasks); ++task) {
            // The innermost loop's index runs fastest.
            std::int64_t left = task;
            std::int64_t rest = region.tasks;
            const LoopOp* loop = region.loop;
            for (int i = 0;; ++i) {
                rest /= loop->end - loop->start;
                worker.index[static_cast<std::size_t>(loop->slot)] = loop->start + left / rest;
                left %= rest;
                if (i + 1 == region.loop->nest) break;
                loop = &std::get<std::vector<LoopOp>>(loop->body[0].what).front();
            }
            for (const PlanOp& op : loop->body) worker.run(op);
        }
}

}  // namespace blockscope::engine
